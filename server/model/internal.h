// What the files of model/ need of each other and nobody else does.
#ifndef AMUX_SERVER_MODEL_INTERNAL_H
#define AMUX_SERVER_MODEL_INTERNAL_H

#include "server/model/model.h"

struct client;
struct vt;
struct vt_limits;

// window.c: the last link went; its panes end and it is freed.
void window_unlinked(struct window *w);
// pane.c: ends the program and frees the pane; the window stays, empty if it was the last.
void pane_end(struct pane *p);
// pane.c: the program runs, fd is its PTY's master (owned from here on).
void pane_take_master(struct pane *p, int fd);
// pane.c: its status is known.
void pane_note_exit(struct pane *p, int status);
void pane_apply_limits(struct pane *p); // history-limit as it was at the start, history-bytes

// --- history_total.c: history-bytes-total
size_t history_total_level(void);            // most bytes that a pane may keep at present
void history_total_note(struct pane *p);     // after output; cheap
void history_total_forget(struct pane *p);   // before its terminal is freed
void history_total_changed(void);            // the option was set
// pane_start.c: it ends before its program ran; its starter is told.
void pane_cancel_start(struct pane *p);
// pane_vt.c
struct vt *pane_make_vt(struct pane *p, const struct vt_limits *limits);

// client.c: the session is going: its clients leave, or go to `to` if that is not NULL.
void clients_leave_session(struct session *s, struct session *to);
// client.c: n_attached changed; destroy-unattached.
void clients_check_unattached(struct session *s);
// client.c: it goes by itself (LEAVING): as if the connection had ended, but the bytes are taken.
void client_leaves(struct client *c);
// alerts.c: monitor-silence was set, or output came after a silence.
void alerts_watch_silence(struct window *w);
// client_messages.c: its command that waits for the configuration is dropped.
void client_forget_waiting(struct client *c);

#endif
