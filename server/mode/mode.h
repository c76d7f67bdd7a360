// Modes of a pane (copy mode, view mode): they belong to the pane, stand on its mode stack, draw
// its rows in place of the screen, and take keys by a key table of their own.
#ifndef AMUX_SERVER_MODE_MODE_H
#define AMUX_SERVER_MODE_MODE_H

#include "common/key.h"
#include "common/protocol.h"
#include "server/grid/view.h"

struct pane;
struct client;
struct args;
struct cmdq_item;
struct pane_mode_entry;
struct format_context;

struct pane_mode {
    const char *name; // "copy-mode"
    // args may be NULL. false: *cause (owned), the mode is not entered.
    bool (*enter)(struct pane_mode_entry *e, const struct args *args, char **cause);
    void (*leave)(struct pane_mode_entry *e);
    void (*resize)(struct pane_mode_entry *e, unsigned cols, unsigned rows);
    void (*view)(const struct pane_mode_entry *e, struct view *out);
    const char *(*key_table)(const struct pane_mode_entry *e); // NULL: no table, keys go to key()
    void (*key)(struct pane_mode_entry *e, struct client *c, key_code key);
    // send-keys -X. false: *cause (owned).
    bool (*command)(struct pane_mode_entry *e, struct client *c, const char *name, char *const *args,
                    unsigned n_args, unsigned repeat, char **cause);
    void (*mouse)(struct pane_mode_entry *e, struct client *c, const struct msg_MOUSE *m, unsigned x, unsigned y);
    // Value of a format variable such as scroll_position; NULL: not its own. Owned by the caller.
    char *(*variable)(const struct pane_mode_entry *e, const char *name);
    // Before a command() that a mouse button's key ran: where the mouse is (for a drag: where it
    // began), in the pane. May be NULL.
    void (*point)(struct pane_mode_entry *e, unsigned x, unsigned y);
};
struct pane_mode_entry {
    struct pane *pane;
    const struct pane_mode *mode;
    void *data;
    unsigned prefix; // repeat count being typed
    struct pane_mode_entry *below;
};
extern const struct pane_mode copy_mode, view_mode;

bool mode_push(struct pane *p, const struct pane_mode *mode, const struct args *args, char **cause);
void mode_pop(struct pane *p); // leaves the top mode
void mode_pop_all(struct pane *p);
void mode_changed(struct pane *p); // its view must be drawn again
// View mode: shows lines of a command's output in the client's active pane; made on first use.
void view_mode_add(struct pane *p, const void *text, size_t len);
// Copy mode's entry point for the wheel and PageUp: enters (-e) and scrolls.
bool copy_mode_enter_scrolled(struct pane *p, bool exits_at_bottom, int lines_up, char **cause);

// --- prompt.c: command-prompt and confirm-before in a client's status line
struct prompt;
enum prompt_flag { PROMPT_SINGLE = 1, PROMPT_INCREMENTAL = 2, PROMPT_NUMERIC = 4, PROMPT_KEY = 8 };
// fn(text, is_done): text NULL when it was left with Escape. Returns false to keep the prompt open.
typedef bool (*prompt_fn)(struct client *c, void *arg, const char *text, bool is_done);
void prompt_open(struct client *c, const char *label, const char *initial, unsigned flags, const char *type,
                 prompt_fn fn, void (*free_fn)(void *arg), void *arg);
void prompt_close(struct client *c); // as if Escape
void prompt_free(struct client *c);
// A key while it is open; always taken.
void prompt_key(struct client *c, key_code key, const void *raw, size_t raw_len);
void prompt_paste(struct client *c, const void *data, size_t len);
// What the status line shows: markup, and the column of the cursor in it. Owned.
char *prompt_line(struct client *c, unsigned *cursor_col);

#endif
