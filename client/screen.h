// What the server has told: panes and their cells, cursor, status lines, notice, prompt.
#ifndef AMUX_CLIENT_SCREEN_H
#define AMUX_CLIENT_SCREEN_H

#include "client/canvas.h"
#include "common/protocol.h"

struct screen_pane {
    uint32_t id;
    unsigned x, y, cols, rows; // in the window
    unsigned flags;            // enum pane_flag
    struct style border_style;
    struct draw_cell *cells; // rows * cols
    bool is_named;           // by the scene under way
};
struct screen_scroll { // a SCROLL of this frame
    uint32_t pane;
    unsigned top, bottom;
    int lines;
};
struct screen {
    const struct text_tables *texts;
    bool has_scene;
    unsigned cols, rows;         // of the window
    unsigned offset_x, offset_y; // window cell at the view's top left
    unsigned view_y, view_rows;  // terminal rows of the view
    uint32_t active;
    struct screen_pane *panes;
    size_t n_panes;
    struct screen_scroll *scrolls;
    size_t n_scrolls;

    uint32_t cursor_pane;
    unsigned cursor_x, cursor_y;
    bool is_cursor_visible;
    uint8_t cursor_shape;
    uint32_t cursor_colour;
    uint32_t modes; // enum mode_flag

    char **status; // lines of markup, NULL-terminated; NULL: none
    unsigned n_status;
    bool is_status_at_top;
    struct style status_style;

    char *notice; // NULL: none
    struct style notice_style;
    int64_t notice_until_us; // monotonic; 0: until it is cleared

    char *prompt; // NULL: none
    struct style prompt_style;
    unsigned prompt_cursor;

    bool in_frame;    // something of a frame came that has not ended
    bool has_changed; // something outside a frame is to be drawn
};

// The texts are borrowed and outlive it.
void screen_init(struct screen *s, const struct text_tables *texts);
void screen_free(struct screen *s);
// Takes a message of the server. False if it is none of a screen's. FRAME_END ends the frame: panes
// that its scene did not name are forgotten.
bool screen_apply(struct screen *s, const struct message *m, int64_t now_us);
// To be called when a frame was drawn.
void screen_drawn(struct screen *s);
// A notice of the client's own; duration_ms 0: until it is cleared.
void screen_set_notice(struct screen *s, const char *text, uint32_t duration_ms,
                       const char *style, int64_t now_us);
void screen_clear_notice(struct screen *s);
const struct screen_pane *screen_pane_find(const struct screen *s, uint32_t id);
// Marks every cluster and link in use by its panes.
void screen_mark_texts(const struct screen *s);
// The same for a run of cells.
void cells_mark_texts(const struct draw_cell *cells, size_t n, const struct text_tables *texts);

#endif
