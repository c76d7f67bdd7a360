// A client of the server: the end of one connection. A command client runs one command line and
// goes; an attached one shows a session. server/peer.c does its bytes, server/input.c its keys,
// push/ its frames.
#ifndef AMUX_SERVER_MODEL_CLIENT_H
#define AMUX_SERVER_MODEL_CLIENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/types.h>

#include "common/jobs.h"
#include "common/key.h"
#include "common/protocol.h"

struct peer;
struct session;
struct pane;
struct window;
struct environ;
struct key_table;
struct cmdq_list;
struct frame_state;
struct input_hold;
struct status_state;
struct prompt;

struct client {
    struct peer *peer;
    char *name;   // the tty, else "client-PID"
    char *tty, *term, *cwd, *program;
    pid_t pid;
    uid_t uid;
    unsigned hello_flags; // enum hello_flag
    char *terminal_cause; // why its terminal cannot be used; "" if it can
    struct environ *environ;
    unsigned cols, rows, xpixel, ypixel; // of its terminal
    struct session *session;      // NULL: not attached
    struct session *last_session;
    bool is_attached, is_read_only, is_suspended, is_exiting;
    bool ignores_size;            // attach -f ignore-size
    bool is_focused;
    bool has_message; // it was sent one that a key takes away
    int64_t created_us, activity_us; // wall clock
    int exit_code;

    // Keys: kept here and nowhere else (input.c).
    struct key_table *key_table;
    bool is_repeating;
    int64_t key_time_us; // monotonic; of the last key, for repeat-time
    struct job *repeat_job;
    bool in_paste;
    unsigned burst_keys; // given to programs one right after the other, for assume-paste-time
    struct pane *drag_pane; // where the mouse button went down
    enum mouse_kind last_mouse;
    unsigned last_click_button, last_click_x, last_click_y, click_count;
    int64_t last_click_us;
    struct job *click_job;

    struct cmdq_list *queue;      // commands waiting for this client (command/queue.c)
    struct prompt *prompt;        // open command-prompt or confirm-before; NULL: none
    struct frame_state *frame;    // push/frame.c; NULL: not attached
    struct status_state *status;  // push/status.c

    // Output of commands and stdin for those that read "-".
    void (*stdin_fn)(struct client *c, const void *data, size_t len, bool is_end, void *arg);
    void *stdin_arg;
    void (*jobs_fn)(struct client *c, const char *json, void *arg); // answer to ASK_JOBS
    void *jobs_arg;

    uint64_t bytes_written, bytes_discarded;
    uint32_t report_fg, report_bg; // its terminal's colours, 0x01RRGGBB; 0: unknown
    char *terminal_name;           // XTVERSION's answer; NULL: unknown
    // Mouse (input.c): where the button that is down went down. The pane by id: it may be gone.
    bool is_button_down, is_dragging;
    bool is_mode_drag; // the mode of the pane was told where the button went down
    enum mouse_place press_place;
    unsigned press_pane_id, press_x, press_y;
    key_code last_click_modifiers;
    struct input_hold *hold; // (input_hold.c) input that waits for commands; NULL: none yet
    // The part of a larger window that was chosen (refresh-client -L ...); else the cursor's is shown.
    bool is_panned;
    unsigned pan_window_id, pan_x, pan_y;
    bool has_greeted, has_command; // (client_messages.c) each comes once
    // (client_messages.c) Sizes that came in quick succession: the last one, taken by a job.
    bool is_size_waiting;
    unsigned next_cols, next_rows, next_xpixel, next_ypixel;
    int64_t sized_us; // monotonic; when a size was last taken
    struct job *size_job;
    int64_t message_kept_until_us; // monotonic; keys do not clear the message before; 0: they do
    TAILQ_ENTRY(client) entry;
};
TAILQ_HEAD(clients, client);
extern struct clients all_clients;

// --- model/client.c
struct client *client_new(struct peer *peer); // before HELLO
void client_lost(struct client *c);           // the connection ended: frees everything of it
struct client *client_by_name(const char *name);
// Shows s in c: frames begin. The terminal was checked by the caller.
void client_attach(struct client *c, struct session *s);
void client_set_session(struct client *c, struct session *s); // switch
// Tells the client to leave; reason is enum detach_reason.
void client_detach(struct client *c, enum detach_reason reason, const char *exec);
void client_detach_message(struct client *c, int code, const char *text);
void client_exit(struct client *c, int code); // end of a command client, after its output went
void client_suspend(struct client *c);
// Text of a command's output to its stdout (1) or stderr (2). An attached client's is shown by the
// caller (command/queue.c) instead.
void client_print(struct client *c, int stream, const void *data, size_t len);
void client_read_stdin(struct client *c, void (*fn)(struct client *, const void *, size_t, bool, void *), void *arg);
// A message in its status line for display-time (or delay_ms >= 0; 0: until a key).
void client_message(struct client *c, int delay_ms, const char *fmt, ...) PRINTF_LIKE(3, 4);
void client_keep_message(struct client *c, int ms); // the one just given, whatever key comes
void client_clear_message(struct client *c);
// What must be drawn again. Cheap: sets flags and raises its frame latch.
enum redraw { REDRAW_ALL = 1, REDRAW_STATUS = 2, REDRAW_BORDERS = 4, REDRAW_MODES = 8 };
void client_redraw(struct client *c, unsigned what);
void redraw_session(struct session *s, unsigned what); // every client that shows it
void redraw_window(struct window *w, unsigned what);
void redraw_all(unsigned what);
// Clients of a session: first if prev is NULL.
struct client *client_next_in_session(struct session *s, struct client *prev);
void client_touch(struct client *c); // typed: activity, window->latest, sizes
struct options *client_options(struct client *c); // its session's, else the global session's
// Sends OPTIONS: what its terminal is to do (mouse, focus, escape-time ...), from its session's options.
void client_send_options(struct client *c);
// The configuration has been run: a command that waited for it goes on. And: the server ends.
void client_config_finished(struct client *c);
void client_server_exits(struct client *c);
// A message of the connection (peer.c); false: it may not be sent now, the connection ends.
bool client_receive(struct client *c, const struct message *m, const char **cause);

// --- peer.c: bytes of a connection
struct peer *peer_new(int fd);
void peer_free(struct peer *p);
bool peer_send(struct peer *p, enum message_type type, const void *msg); // queues; bounded
size_t peer_unsent(const struct peer *p); // bytes queued, not yet taken by the socket
// Ends the connection once what is queued has gone.
void peer_close_when_sent(struct peer *p);
// Called when the queue has gone down to nothing (frames go on then).
void peer_on_drain(struct peer *p, void (*fn)(void *arg), void *arg);

// --- server/input.c: what the messages KEY, MOUSE, PASTE, FOCUS do
void input_key(struct client *c, key_code key, const void *raw, size_t raw_len);
void input_mouse(struct client *c, const struct msg_MOUSE *m);
void input_paste(struct client *c, const struct msg_PASTE *m);
void input_focus(struct client *c, bool is_in);
void input_set_table(struct client *c, const char *name); // NULL: back to the default
// Tells programs that asked (1004) whether they have the focus. To be called when an active pane, a
// current window or a client's session changed; cheap when nothing did.
void input_focus_update(void);
// Its commands were run (command/queue.c), or a prompt opened: what was held back goes on.
void input_resume(struct client *c);
// A client goes: its jobs of keys and clicks. Safe to call twice.
void input_stop(struct client *c);

#endif
