// The objects of a server and how they hang together. A window is linked into sessions by
// winlinks, so one may stand in several, each with its own index. Fields are open to server/, which
// reads them everywhere; only model/ writes those marked (model). Lists are TAILQs.
#ifndef AMUX_SERVER_MODEL_MODEL_H
#define AMUX_SERVER_MODEL_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/types.h>

#include "common/cell.h"
#include "common/jobs.h"
#include "common/key.h"
#include "common/util.h"

struct options;
struct environ;
struct vt;
struct view;
struct pane_mode;
struct layout_cell;
struct spawn_request;
struct evbuffer;

enum alert_flag { ALERT_BELL = 1, ALERT_ACTIVITY = 2, ALERT_SILENCE = 4 };

// A window in a session.
struct winlink {
    int index;
    struct session *session;
    struct window *window;
    unsigned alerts;              // enum alert_flag, not yet seen
    TAILQ_ENTRY(winlink) entry;   // session->winlinks, by index
    TAILQ_ENTRY(winlink) in_window; // window->winlinks
    TAILQ_ENTRY(winlink) in_stack;  // session->last_winlinks, most recent first
    bool is_in_stack;
};
TAILQ_HEAD(winlinks, winlink);

struct session_group {
    char *name;
    TAILQ_HEAD(, session) sessions;
    TAILQ_ENTRY(session_group) entry;
};

struct session {
    unsigned id; // $id
    char *name;
    char *cwd;
    struct winlinks winlinks;
    struct winlinks last_winlinks; // windows current before, most recent first
    struct winlink *current;
    struct session_group *group;   // NULL: none
    TAILQ_ENTRY(session) in_group;
    struct options *options;
    struct environ *environ;
    int64_t created_us, activity_us, last_attached_us; // wall clock
    unsigned n_attached;
    bool is_destroyed;
    TAILQ_ENTRY(session) entry; // all sessions, by id
};
TAILQ_HEAD(sessions, session);

enum window_size_policy { WINDOW_SIZE_LARGEST, WINDOW_SIZE_SMALLEST, WINDOW_SIZE_MANUAL, WINDOW_SIZE_LATEST };

struct window {
    unsigned id; // @id
    char *name;
    struct winlinks winlinks;
    TAILQ_HEAD(window_panes, pane) panes;     // in layout order
    TAILQ_HEAD(, pane) last_panes;            // active before, most recent first
    struct pane *active;
    struct layout_cell *layout;       // (model)
    struct layout_cell *saved_layout; // while zoomed (model)
    bool is_zoomed;
    bool has_manual_size; // resize-window
    unsigned manual_cols, manual_rows;
    unsigned cols, rows;
    unsigned xpixel, ypixel; // of a cell; 0: unknown
    struct client *latest;   // the client that last typed here
    unsigned alerts;
    int64_t created_us, activity_us;
    struct options *options;
    TAILQ_ENTRY(window) entry; // all windows, by id
    int64_t name_due_us;    // (model) monotonic; automatic-rename looks again then; 0: never
    int64_t named_us;       // (model) monotonic; last look
    int64_t silence_due_us; // (model) monotonic; monitor-silence; 0: never
};
TAILQ_HEAD(windows, window);

struct pane {
    unsigned id; // %id
    struct window *window;
    struct layout_cell *cell; // (model)
    unsigned x, y, cols, rows; // in the window (model)
    struct vt *vt;
    int fd;       // PTY master; -1: none (not started yet, or gone)
    pid_t pid;    // -1: none
    char tty[64];
    struct spawn_request *spawning; // NULL once started
    char **argv;  // NULL-terminated; empty: the shell
    char *shell;
    char *cwd;    // where it was started
    char *osc_cwd; // OSC 7; NULL: not told
    char *title;
    bool is_dead;      // the program ended (remain-on-exit keeps the pane)
    bool has_status;
    int status;        // of waitpid
    int64_t dead_time_us;
    bool is_input_off; // select-pane -d
    struct pane_mode_entry *mode; // top of the mode stack; NULL: none (mode/mode.h)
    struct options *options;
    struct io *io;
    struct evbuffer *to_pty;   // bounded
    uint64_t bytes_read;
    unsigned history_limit;    // rows; as the option was when the program was started
    bool has_history_limit;
    size_t history_counted;    // its part of the sum of all histories (model)
    bool drops_input;          // its program does not read; said once, until it has caught up
    size_t read_bytes;         // taken at once: fewer while they take long to work through
    int64_t activity_us;       // wall clock of the last output
    struct latch changed;      // something a client may have to draw
    bool needs_resize;
    struct job *resize_job, *sync_job, *reflow_job, *close_job;
    TAILQ_ENTRY(pane) entry;      // window->panes
    TAILQ_ENTRY(pane) in_last;    // window->last_panes
    bool is_in_last;
    TAILQ_ENTRY(pane) all_entry;  // all panes, by id
    struct pane_start_state *start; // (model) while it is being started
    bool is_eof;                  // (model) the PTY has nothing more
    bool has_bell;                // (model) rang in this turn
    int64_t resized_us;           // (model) monotonic; last TIOCSWINSZ
    int64_t close_due_us;         // (model) monotonic; 0: none
    unsigned pty_cols, pty_rows;  // (model) what the PTY was told last
    bool is_cwd_missed;           // its directory could not be entered: it was started at home
};
TAILQ_HEAD(all_panes, pane);

extern struct sessions all_sessions;
extern struct windows all_windows;
extern struct all_panes all_panes;

// --- session.c
struct session *session_new(const char *name, const char *cwd, struct environ *env, struct options *options);
struct session *session_by_id(unsigned id);
struct session *session_by_name(const char *name); // exact
// A name made fit (':' and '.' become '_', control characters visible), or NULL if it is empty.
// *was_changed says that it differs. Owned.
char *session_check_name(const char *name, bool *was_changed);
void session_rename(struct session *s, const char *name);
// Unlinks every window (killing those linked nowhere else), moves or detaches its clients.
void session_destroy(struct session *s);
struct winlink *session_attach_window(struct session *s, struct window *w, int index, char **cause); // index -1: the next free
void session_detach_window(struct session *s, struct winlink *wl); // false-safe: destroys s when it was the last
bool session_set_current(struct session *s, struct winlink *wl); // true if it changed
bool session_next(struct session *s, bool with_alert);
bool session_previous(struct session *s, bool with_alert);
bool session_last(struct session *s);
struct winlink *winlink_by_index(const struct session *s, int index);
struct winlink *winlink_by_window(const struct session *s, const struct window *w);
int session_next_index(const struct session *s, int from); // first free at or after; -1: none
// Makes room at `index` by moving later ones up; returns the free index or -1.
int session_shuffle_up(struct session *s, struct winlink *at, bool before);
void session_touch(struct session *s); // activity
struct session_group *session_group_find(const char *name);
struct session_group *session_group_new(const char *name);
void session_group_add(struct session_group *g, struct session *s);
void session_group_remove(struct session *s);
// After s's windows changed, its group's other sessions get the same windows.
void session_group_sync(struct session *s);

// --- window.c
struct window *window_new(unsigned cols, unsigned rows);
struct window *window_by_id(unsigned id);
void window_set_name(struct window *w, const char *name);
// Name from what runs in it (automatic-rename), for windows whose name was not given.
void window_update_name(struct window *w);
bool window_set_active(struct window *w, struct pane *p); // true if it changed
struct pane *window_pane_at_index(const struct window *w, unsigned index); // from pane-base-index 0
unsigned window_pane_index(const struct window *w, const struct pane *p);
unsigned window_count_panes(const struct window *w);
void window_zoom(struct window *w, struct pane *p);
void window_unzoom(struct window *w);
void window_resize(struct window *w, unsigned cols, unsigned rows);
void window_kill(struct window *w); // out of every session, panes ended
enum layout_direction { TO_UP, TO_DOWN, TO_LEFT, TO_RIGHT };
// The neighbour in that direction, the one used last if there are several; wraps round. NULL: alone.
struct pane *window_find_pane(struct window *w, struct pane *from, enum layout_direction dir);

// --- pane.c
struct pane_start {
    char *const *argv;
    const char *cwd;
    struct environ *environ; // extra (-e); may be NULL
    // Called from the loop when the program runs or could not be started (error: one sentence; the
    // pane is then already gone). May be NULL.
    void (*done)(void *arg, struct pane *p, const char *error);
    void *arg;
};
struct pane *pane_new(struct window *w, unsigned cols, unsigned rows);
struct pane *pane_by_id(unsigned id);
// Starts the pane's program, asynchronously (spawn.h). s gives environment and options.
void pane_start(struct pane *p, struct session *s, const struct pane_start *start);
// Ends the program (HUP to the foreground group and the leader, the PTY closed; KILL after a grace
// time) and takes the pane out of its window, the window out of its sessions when it was the last.
void pane_kill(struct pane *p);
void pane_write(struct pane *p, const void *data, size_t len); // to the program; bounded, drops with a message
// Bytes that pane_write() would take now; what is larger is dropped whole.
size_t pane_write_room(const struct pane *p);
void pane_send_key(struct pane *p, key_code key);
void pane_view(struct pane *p, struct view *out); // the mode's on top, else the screen's
void pane_resize(struct pane *p, unsigned cols, unsigned rows); // layout calls it; TIOCSWINSZ settles by a job
char *pane_current_path(struct pane *p);    // OSC 7, else /proc of the foreground process, else cwd; owned
char *pane_current_command(struct pane *p); // name of the foreground process; owned
bool pane_is_visible(const struct pane *p); // in a window some client shows (and not hidden by zoom)
// The program's last output was read and it was reaped: closes or keeps the pane (remain-on-exit).
void pane_exited(pid_t pid, int status); // from SIGCHLD
const char *pane_start_command_text(const struct pane *p); // static

// --- winlink_move.c
// Gives the link another index in its session; false if that is in use.
bool session_move_winlink(struct winlink *wl, int index);
// Indexes without gaps, from base-index.
void session_renumber_winlinks(struct session *s);

// --- pane_places.c. The windows must not be zoomed.
// a and b change places, in one window or between two; each place that was active stays so.
void window_swap_panes(struct pane *a, struct pane *b);
// A new pane's place in the order of its window's panes: behind (or before) `beside`, which is in the
// same window; NULL: last (or first).
void window_place_pane(struct pane *p, struct pane *beside, bool is_before);
// Every pane moves to the place before it (is_down: after it), round the end.
void window_rotate(struct window *w, bool is_down);

// --- layout.c: a tree of cells; leaves are panes.
enum layout_type { LAYOUT_LEFT_RIGHT, LAYOUT_TOP_BOTTOM, LAYOUT_PANE };
struct layout_cell {
    enum layout_type type;
    struct layout_cell *parent;
    unsigned x, y, cols, rows;
    struct pane *pane;
    TAILQ_HEAD(layout_cells, layout_cell) children;
    TAILQ_ENTRY(layout_cell) entry;
};
#define PANE_MIN_COLS 1u
#define PANE_MIN_ROWS 1u
void layout_init(struct window *w, struct pane *p);
// Makes room beside p. size -1: half. is_full spans the whole window. NULL: no space. The new cell
// has no pane until layout_assign.
struct layout_cell *layout_split(struct pane *p, enum layout_type type, int size, bool is_before, bool is_full);
void layout_assign(struct layout_cell *cell, struct pane *p);
void layout_close(struct pane *p); // gives its room to a neighbour
void layout_resize_window(struct window *w, unsigned cols, unsigned rows);
void layout_resize_pane(struct pane *p, enum layout_type type, int change); // +: right or down edge outward
void layout_resize_pane_to(struct pane *p, enum layout_type type, unsigned size);
void layout_free(struct window *w);
void layout_apply(struct window *w); // cells to panes' x, y, size
// tmux's dumped form with its checksum, "b25f,80x24,0,0,2". Owned.
char *layout_dump(const struct window *w, const struct layout_cell *root);

// --- buffer.c: paste buffers
struct buffer {
    char *name;
    char *data;
    size_t size;
    bool is_automatic;
    int64_t created_us;
    unsigned order;
    TAILQ_ENTRY(buffer) entry; // newest first
};
struct buffer *buffer_top(void); // newest automatic one
struct buffer *buffer_by_name(const char *name);
struct buffer *buffer_next(struct buffer *b); // NULL: the first
// Takes data. name NULL: automatic ("buffer0" ...), bounded by buffer-limit. false: *cause (owned).
bool buffer_set(char *data, size_t size, const char *name, char **cause);
bool buffer_rename(struct buffer *b, const char *name, char **cause);
void buffer_free(struct buffer *b);
// One line that shows how it begins, at most `cols` columns. Owned.
char *buffer_sample(const struct buffer *b, unsigned cols);

// --- alerts.c: bell, activity, silence
void alerts_bell(struct pane *p);
void alerts_activity(struct pane *p);
void alerts_seen(struct winlink *wl);

// --- resize.c
// Recomputes the sizes of a window (or all, NULL) by its clients and window-size.
void resize_window_by_clients(struct window *w);
// The size for a new session or window: by -x -y, client, default-size.
void resize_default_size(struct client *c, struct session *s, unsigned *cols, unsigned *rows);

// --- names.c: automatic-rename
void names_pane_changed(struct pane *p); // output in a pane: cheap, at most one look each 500 ms
char *names_default(struct pane *p);     // what a window is called before anything ran; owned

// --- options_apply.c: what a changed option means for the model (options_on_change's listener)
void options_apply_change(struct options *o, const char *name);

// --- The marked pane (select-pane -m)
extern struct pane *marked_pane;

#endif
