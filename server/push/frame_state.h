// What a client has been sent, as the files of push/ share it. Private to push/.
#ifndef AMUX_SERVER_PUSH_FRAME_STATE_H
#define AMUX_SERVER_PUSH_FRAME_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/jobs.h"
#include "common/protocol.h"
#include "server/grid/view.h"
#include "server/push/credit.h"

struct client;
struct pane;
struct window;

// A pane as the client knows it.
struct frame_pane {
    uint32_t id;
    uint16_t x, y, cols, rows;
    uint32_t flags;
    char *border_style;
    struct row_tag *sent;        // a tag a row; TAG_NONE: the client has a blank row or an old one
    unsigned seen_from, seen_to; // rows that were compared last
    uint64_t seen_change;        // vt_change_count of that moment
    bool is_seen;                // everything visible was sent at seen_change
};
#define TAG_NONE ((struct row_tag){UINT64_MAX, UINT64_MAX})

struct frame_state {
    struct client *client;
    struct job *job;
    struct latch latch;
    unsigned redraw;    // enum redraw, not yet done
    bool is_urgent;     // goes without pacing
    unsigned n_at_once; // further frames that may, of those the last input granted
    bool has_grant;     // the last input's frame, which credit does not hold back
    int64_t input_us;   // of the last input, monotonic
    int64_t last_us;    // when the last frame went
    uint32_t seq;
    struct credit credit;
    size_t frame_bytes; // of the frame being built
    bool is_failed;     // the socket would not take more of it
    bool needs_drain;   // its queue refused something: nothing goes before it is empty

    bool has_scene;
    bool must_redraw; // the next scene says that the terminal is to be drawn anew
    struct msg_SCENE scene;
    struct frame_pane *panes;
    unsigned n_panes;
    bool has_cursor;
    struct msg_CURSOR cursor;
    bool has_modes;
    uint32_t modes;
    char *title;
};

// Sends one message of the frame under way and counts its bytes; false if it was not taken.
// size is about what it takes on the wire.
bool frame_send(struct client *c, enum message_type type, const void *msg, size_t size);
// At most max_bytes of text, without half a character at the end.
void frame_text_cut(char *text, size_t max_bytes);

// --- rows.c: the rows of one pane. Sends what differs between view and fp->sent, for rows from up
// to (not including) to; at most about max_bytes, those nearest to row `near_y` first if there is a
// limit (0: none). True if the client then has all of them.
bool rows_send(struct client *c, struct frame_pane *fp, const struct view *view, unsigned from,
               unsigned to, size_t max_bytes, unsigned near_y);
// A move of rows between what was sent and what is to be shown, as SCROLL does it; false: none.
bool rows_find_scroll(const struct row_tag *sent, const struct row_tag *now, unsigned from,
                      unsigned to, unsigned *top, unsigned *bottom, int *lines);
void rows_apply_scroll(struct row_tag *sent, unsigned top, unsigned bottom, int lines);

// --- geometry.c: the scene that the client should have now (active 0 and no window: none).
struct window *geometry_scene(struct client *c, struct msg_SCENE *out);
// Where the view begins so that `at` is inside: the old place if it is, else centred.
unsigned geometry_offset(unsigned old, unsigned at, unsigned whole, unsigned shown);

#endif
