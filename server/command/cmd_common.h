// What several command handlers share: where new panes start, how a command waits for a program to
// run, how a client comes to a session, and how a list is printed.
#ifndef AMUX_SERVER_COMMAND_CMD_COMMON_H
#define AMUX_SERVER_COMMAND_CMD_COMMON_H

#include "server/command/command.h"
#include "server/format/format.h"
#include "server/model/client.h"
#include "server/model/model.h"

// Prints *cause as the command's error and frees it. Returns COMMAND_ERROR.
enum command_result cmd_fail(struct cmdq_item *item, char *cause);

// A line that is no error: the command goes on and its exit code stays 0. Frees text.
void cmd_note(struct cmdq_item *item, char *text);

// The client that -t or -c names or that runs the command. NULL: "no current client" was said.
struct client *cmd_need_client(struct cmdq_item *item);

// Resolves what `flag` (-s of most commands) names, with the command's own target as what it
// defaults to. False: the error was said.
bool cmd_find_source(const struct args *args, char flag, struct cmdq_item *item,
                     enum command_target kind, unsigned flags, struct target *out);

// `path` made absolute below `base`; "" gives base. Owned.
char *cmd_path_from(const char *base, const char *path);
// The directory that relative paths of this command mean. Never NULL; borrowed.
const char *cmd_client_dir(struct cmdq_item *item, const struct session *s);
// Where a new pane starts: -c expanded, else the directory of the client or of s. Owned.
char *cmd_start_dir(const struct args *args, struct cmdq_item *item, const struct session *s);

// The environment that -e adds. Owned.
struct environ *cmd_extra_environ(const struct args *args);

// Expands fmt over the objects given (any may be NULL; a pane or winlink brings its window). Owned.
char *cmd_expand_over(struct cmdq_item *item, const char *fmt, struct session *s,
                      struct winlink *wl, struct pane *p);
void cmd_print_over(struct cmdq_item *item, const char *fmt, struct session *s, struct winlink *wl,
                    struct pane *p);
// One line of a list: printed if `filter` (NULL: none) is true over ctx.
void cmd_print_filtered(struct cmdq_item *item, const struct format_context *ctx,
                        const char *filter, const char *line);

// Prints what may be long, in slices, and holds the command meanwhile. Takes data.
enum command_result cmd_print_large(struct cmdq_item *item, char *data, size_t size);

// The sessions by name, as lists show them; NULL-terminated, owned (free). *n may be NULL.
struct session **cmd_sessions_by_name(size_t *n);

// --- cmd_pane.c: what changes a layout sees it unzoomed; afterwards the zoom comes back if it is
// kept.
struct pane_zoom {
    bool was_zoomed;
};
void cmd_push_zoom(struct window *w, struct pane_zoom *zoom);
void cmd_pop_zoom(struct window *w, const struct pane_zoom *zoom, bool keeps);

// --- cmd_split.c: what the command's client reads on its standard input is shown in p, which has no
// program. The command waits for its end.
enum command_result cmd_feed_from_stdin(struct cmdq_item *item, struct pane *p);

// --- cmd_template.c: the n-th answer (from 1) put in a template: at its %n, and at the first %%;
// with another % behind it, escaped for double quotes. Owned.
char *cmd_template_replace(const char *template, const char *answer, unsigned n);

// --- cmd_start.c: start the program of a new pane and hold the command until it runs.
struct cmd_start {
    struct pane *pane;
    struct session *session;
    char *const *argv;
    const char *cwd;
    struct environ *environ;
    const char *error_prefix; // static: before the reason of an error; NULL: none
    const char *print_format; // -P: what to print once it runs; NULL: nothing
    // Called once the program runs, before the command goes on; may be NULL. item is never NULL.
    enum command_result (*started)(struct cmdq_item *item, struct session *s, void *arg);
    void (*free_fn)(void *arg); // for arg; may be NULL
    void *arg;
};
enum command_result cmd_start_pane(struct cmdq_item *item, const struct cmd_start *start);

// --- cmd_attach.c
struct cmd_attach {
    bool detaches_others; // -d
    bool kills_others;    // -x: their parents are hung up too
    bool is_read_only;    // -r
    bool keeps_environ;   // -E
    const char *flags;    // -f: NULL: none
    const char *cwd;      // -c: NULL: none; a format
};
// Why this client cannot come to a session (a nested start, no terminal); NULL: it can. Owned.
char *cmd_attach_refusal(struct client *c);
// Shows s in the client of the command. The refusals were asked before.
enum command_result cmd_attach_client(struct cmdq_item *item, struct session *s,
                                      const struct cmd_attach *how);
// update-environment: what the client has, for panes made from now on.
void cmd_update_environ(struct client *c, struct session *s);

#endif
