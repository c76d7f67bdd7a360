// The command language: words to commands, commands to a queue, targets to objects.
#ifndef AMUX_SERVER_COMMAND_COMMAND_H
#define AMUX_SERVER_COMMAND_COMMAND_H

#include "common/commands.h"
#include "common/key.h"
#include "common/util.h"

struct client;
struct session;
struct winlink;
struct window;
struct pane;
struct cmdq_item;
struct cmdq_list;
struct format_context;

// --- args.c: parsed flags and arguments of one command. Text values only; a { } block given as an
// argument is kept as its text.
struct args;
struct args *args_parse(const struct command_spec *spec, char *const *words, size_t n, char **cause);
void args_free(struct args *a);
bool args_has(const struct args *a, char flag);
unsigned args_count_flag(const struct args *a, char flag);
const char *args_get(const struct args *a, char flag);                  // last value; NULL
const char *args_get_nth(const struct args *a, char flag, unsigned n);  // repeated flags (-e)
size_t args_count(const struct args *a);
const char *args_at(const struct args *a, size_t n); // NULL beyond the end
char *const *args_rest(const struct args *a, size_t from); // NULL-terminated view of the arguments
// A number flag; on error false with tmux's text in *cause (owned): "width invalid".
bool args_number(const struct args *a, char flag, long long min, long long max, long long *out, char **cause, const char *what);
// A size: number or percentage of `whole` ("30%").
bool args_percentage(const char *value, long long min, long long max, long long whole, long long *out, char **cause, const char *what);

// --- parse.c: text (config file, prompt, binding) or words (command line) to a list of commands.
struct command {
    const struct command_spec *spec;
    struct args *args;
    char *file;      // where it came from; NULL: not a file
    unsigned line;
    unsigned group;  // commands of one line (joined by ;): an error ends the group
    struct command *next;
};
struct command_list { // reference-counted: bindings and queue items share it
    struct command *first, *last;
    unsigned refs;
};
struct parse_input {
    const char *file; // for errors "file:line: "; NULL: none
    struct format_context *ctx; // for %if and #{} ; may be NULL
};
// On error NULL; *cause (owned) holds the sentence, with file:line where one was given.
struct command_list *command_parse_text(const char *text, const struct parse_input *in, char **cause);
struct command_list *command_parse_words(char *const *words, size_t n, char **cause); // "\;" and trailing ";" split, not in the last word
// The arguments of a command from `from` on that are commands themselves (bind-key): one is a text or
// a block, several are words; blocks among those stay blocks. Errors as above.
struct command_list *command_parse_args(const struct args *args, size_t from, char **cause);
// A config file's text: as much as can be parsed; each error is given to fn (file:line: sentence).
struct command_list *command_parse_config(const char *text, const struct parse_input *in,
                                          void (*error_fn)(void *arg, const char *text), void *arg);
// A copy in which each value and argument is what fill makes of it (owned): templates whose answers
// cannot change what the commands are.
struct command_list *command_list_fill(const struct command_list *l, char *(*fill)(void *arg, const char *word),
                                       void *arg);
bool args_is_block(const struct args *a, size_t n); // the n-th argument was a { } block
struct command_list *command_list_ref(struct command_list *l);
void command_list_unref(struct command_list *l);
char *command_list_to_text(const struct command_list *l, bool escaped); // as list-keys prints it; owned

// --- queue.c: the queue of one client, and the server's own. Commands run in order; one that waits
// for something holds its queue, not the server.
enum command_result {
    COMMAND_OK,
    COMMAND_ERROR, // said with cmdq_error(); the rest of its group is dropped
    COMMAND_WAIT,  // cmdq_continue() comes later
    COMMAND_STOP,  // the rest of the list is dropped, without an error
};
struct target {
    struct session *session;
    struct winlink *winlink;
    struct window *window;
    struct pane *pane;
    int index; // of a window that need not exist; -1: none given
};
typedef enum command_result (*command_fn)(const struct args *args, struct cmdq_item *item);

// Appends to c's queue, or the server's (c NULL). `current` is what targets default to (NULL: from
// the client). Runs from the loop, by a job. done (may be NULL) is called after the last command.
enum cmdq_flag { CMDQ_FROM_KEY = 1, CMDQ_FROM_CONFIG = 2, CMDQ_QUIET = 4 };
void cmdq_append(struct client *c, struct command_list *list, const struct target *current, unsigned flags,
                 void (*done)(void *arg, int code), void *arg);
// Inserts behind `item` in its queue (source-file, if-shell): runs next.
void cmdq_insert_after(struct cmdq_item *item, struct command_list *list, unsigned flags);
// Likewise, with another `current` for its targets. What is inserted last runs first.
void cmdq_insert_after_at(struct cmdq_item *item, struct command_list *list,
                          const struct target *current, unsigned flags);
struct cmdq_list *cmdq_list_new(struct client *c); // c NULL: the server's
bool cmdq_is_empty(const struct client *c);        // nothing of c's runs, waits or is to be run
void cmdq_list_free(struct cmdq_list *l);          // its waiting items are told by their cancel fn
void cmdq_continue(struct cmdq_item *item, enum command_result result);
// While it waits: what to call if the queue dies first.
void cmdq_on_cancel(struct cmdq_item *item, void (*fn)(void *arg), void *arg);

struct client *cmdq_client(struct cmdq_item *item);        // who ran it; NULL: the server
struct client *cmdq_target_client(struct cmdq_item *item); // -t/-c, else the running or best client; may be NULL
struct target *cmdq_target(struct cmdq_item *item);        // -t resolved; fields NULL if quiet
struct target *cmdq_current(struct cmdq_item *item);
const struct command *cmdq_command(struct cmdq_item *item);
unsigned cmdq_flags(struct cmdq_item *item);
// The event of the key that ran it (mouse bindings: -t =, M flags). NULL: none.
const struct key_event *cmdq_key_event(struct cmdq_item *item);
void cmdq_set_key_event(const struct key_event *ev); // for the next cmdq_append of input.c
struct key_event {
    key_code key;
    bool is_mouse;
    unsigned x, y;           // in the terminal, from 0
    struct pane *pane;       // below the mouse; NULL: none
    struct winlink *winlink; // a status line range
    struct session *session;
    key_code modifiers;
    unsigned raw_kind, raw_button;
};
// A line of output: stdout of a command client, view mode of an attached one.
void cmdq_print(struct cmdq_item *item, const char *fmt, ...) PRINTF_LIKE(2, 3);
void cmdq_print_bytes(struct cmdq_item *item, const void *data, size_t len); // no newline added
// An error: stderr (exit 1), or the status line of an attached client (first letter raised), or a
// line of show-messages with file:line while the config is read.
void cmdq_error(struct cmdq_item *item, const char *fmt, ...) PRINTF_LIKE(2, 3);
void cmdq_format_context(struct cmdq_item *item, struct format_context *ctx); // of its target
char *cmdq_expand(struct cmdq_item *item, const char *fmt); // over its target; owned

// --- target.c: "session:window.pane" and the rest of tmux's syntax.
// False: *cause (owned) is "can't find session: x" and the like. target may be NULL or "".
bool target_find(struct target *out, const struct target *current, struct client *c, const char *target,
                 enum command_target kind, unsigned flags, char **cause);
struct client *target_find_client(const char *name, char **cause); // by name, tty with or without /dev/
// What a command without -t means for this client: its session, its pane by AMUX_PANE, the best session.
bool target_from_client(struct target *out, struct client *c, char **cause);
void target_from_session(struct target *out, struct session *s);
void target_from_winlink(struct target *out, struct winlink *wl);
void target_from_pane(struct target *out, struct pane *p);
bool target_is_valid(const struct target *t); // what it names still exists

// --- bindings.c: key tables
struct binding {
    key_code key;
    struct command_list *list;
    char *note;
    bool repeats;
};
struct key_table {
    char *name;
    struct binding *bindings; // sorted by key
    size_t n;
    unsigned refs;
};
struct key_table *key_table_get(const char *name, bool create);
void key_table_unref(struct key_table *t);
const struct binding *key_table_find(const struct key_table *t, key_code key);
void key_table_bind(const char *table, key_code key, const char *note, bool repeats, struct command_list *list);
bool key_table_unbind(const char *table, key_code key);
void key_table_unbind_all(const char *table);
const struct key_table *key_table_next(const struct key_table *prev); // NULL: first; sorted by name
void bindings_init(void); // the default keys

// --- table.c: handlers
command_fn command_handler(const struct command_spec *spec);
#define COMMAND(id, name, alias, flags, min, max, usage, help, cflags, target, tflags) \
    enum command_result cmd_exec_##id(const struct args *args, struct cmdq_item *item);
#include "common/commands.def"
#undef COMMAND

// --- source.c: config files, read off the loop's path in slices
void source_default_files(void); // at start; errors go to show-messages and one status line
bool source_had_default_files(void); // there was one to be read
enum source_flag { SOURCE_PARSE_ONLY = 16, SOURCE_VERBOSE = 32 }; // beside enum cmdq_flag
// done(arg, n_errors) comes from the loop.
void source_file_request(const char *path, struct cmdq_item *item, unsigned flags, void (*done)(void *arg, int code), void *arg);

#endif
