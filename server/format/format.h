// Formats: #{...} over a context (session, window, pane, client, command item), as in tmux.
#ifndef AMUX_SERVER_FORMAT_FORMAT_H
#define AMUX_SERVER_FORMAT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

struct session;
struct winlink;
struct pane;
struct client;
struct cmdq_item;

// What a format is expanded over; any may be NULL. window comes from winlink or pane.
struct format_context {
    const struct client *client;
    struct session *session;
    struct winlink *winlink;
    struct window *window;
    struct pane *pane;
    struct buffer *buffer;
    const struct format_extra *extra; // more variables: (name, value), ended by a NULL name
    bool is_status; // strftime conversions at the top level become STATUS_TIME fields (style.h)
};
struct format_extra {
    const char *name;
    const char *value;
};
// Expansion. Bounded in depth, work and length. Owned by the caller.
char *format_expand(const struct format_context *ctx, const char *fmt);
// strftime first, then format_expand, with the server's clock, as display-message does.
char *format_expand_time(const struct format_context *ctx, const char *fmt);
// "" and "0" are false.
bool format_is_true(const char *text);
// The names of all variables and what each is, for the manual check; ended by a NULL name.
struct format_variable_doc {
    const char *name;
    const char *help;
};
const struct format_variable_doc *format_variables(void);

#endif
