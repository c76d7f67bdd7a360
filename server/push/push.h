// What attached clients are sent: frames (scene, rows, cursor, modes) and the status line.
#ifndef AMUX_SERVER_PUSH_PUSH_H
#define AMUX_SERVER_PUSH_PUSH_H

#include <stdbool.h>
#include <stdint.h>

#include "common/key.h"

struct client;
struct pane;
struct session;
struct msg_ACK;

// --- frame.c: per client, what it has been sent; a frame is built from the newest state when its
// credit allows, at once after quiet, else paced.
void frame_start(struct client *c);   // attached: everything is new to it
void frame_stop(struct client *c);
void frame_invalidate(struct client *c, unsigned what); // enum redraw
// Sends everything anew and has the client draw all of its terminal.
void frame_refresh(struct client *c);
void frame_pane_changed(struct pane *p);                // raises the latch of each client that shows it
void frame_ack(struct client *c, const struct msg_ACK *ack);
void frame_input(struct client *c); // the client typed: its next frame goes at once
// Where the client's terminal column and row lie: pane below, or NULL (status line, border).
struct pane *frame_pane_at(struct client *c, unsigned x, unsigned y, unsigned *px, unsigned *py);
// The cell of p nearest to that place of the terminal: a drag may have left the pane.
void frame_pane_nearest(struct client *c, const struct pane *p, unsigned x, unsigned y,
                        unsigned *px, unsigned *py);
bool frame_is_border_at(struct client *c, unsigned x, unsigned y, struct pane **left_or_top, bool *is_vertical);
unsigned frame_status_row(struct client *c, bool *has_status); // row of the status line in the terminal
// Rows and columns left for windows in this client's terminal (status line taken off).
void frame_window_area(const struct client *c, unsigned *cols, unsigned *rows);
// Another part of a window that is larger than the terminal: moved by so many columns and rows, and
// back to where the cursor is.
void frame_pan(struct client *c, int cols, int rows);
void frame_pan_stop(struct client *c);
// First column and row of its window that the client shows.
void frame_window_offset(const struct client *c, unsigned *x, unsigned *y);

// --- status.c
void status_start(struct client *c);
void status_stop(struct client *c);
unsigned status_rows(const struct session *s); // 0 to 5
// Expands again and sends what changed (called by frame.c as part of a frame).
void status_send(struct client *c);
// The winlink a click on the status line at column x is on; NULL: none.
struct winlink *status_winlink_at(struct client *c, unsigned x);
// What of the status line lies at column x of row `row` (from 0, its first row); place is never a
// pane. *wl: the window there, else NULL.
enum mouse_place status_place_at(struct client *c, unsigned x, unsigned row, struct winlink **wl);

#endif
