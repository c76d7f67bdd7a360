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
struct window;
struct buffer;
struct format_extra;

// What a format is expanded over; any may be NULL: a session then comes from the client, a winlink
// is the session's current one, a window the winlink's or pane's, a pane the window's active one.
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
// Expansion. Bounded in depth, work and length: what goes beyond is left out. Owned by the caller.
//
// Values that programs in panes can choose (titles, paths, names of commands) come out without
// control bytes, and their text is never taken for a format. With is_status the whole result is
// valid UTF-8 without control bytes except those of time fields, and such values carry no styles
// either: each '#' of theirs stands doubled.
char *format_expand(const struct format_context *ctx, const char *fmt);
// strftime first, then format_expand, with the server's clock, as display-message does.
char *format_expand_time(const struct format_context *ctx, const char *fmt);
// How often the text of the last expansion moves with the clock, in seconds: 1, 60, 3600, 86400, or
// 0 for never. Time fields that are left to the client do not count.
unsigned format_last_time_step(void);
// #(command) stands for the last known output of a command: what this function gives (borrowed; NULL:
// none yet), or nothing while none is set. Whoever runs such commands sets it; the format module
// itself starts no program.
typedef const char *(*format_job_output_fn)(const struct format_context *ctx, const char *command);
void format_set_job_output(format_job_output_fn fn);
// "" and "0" are false.
bool format_is_true(const char *text);
// The names of all variables and what each is, for the manual check; ended by a NULL name.
struct format_variable_doc {
    const char *name;
    const char *help;
};
const struct format_variable_doc *format_variables(void);

#endif
