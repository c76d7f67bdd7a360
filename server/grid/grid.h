// The rows of a terminal: two screens of live cells, the tables they point into, and history.
//
// Fields are open to server/vt, whose hot paths write cells in place. Who changes a row calls
// grid_touch() first; who writes cells keeps `used` true.
#ifndef AMUX_SERVER_GRID_GRID_H
#define AMUX_SERVER_GRID_GRID_H

#include <string.h>

#include "common/cell.h"
#include "common/row.h"
#include "server/grid/history.h"
#include "server/grid/tables.h"
#include "server/grid/view.h"

struct grid_row {
    uint64_t id, gen; // struct row_tag
    unsigned used;    // cells from here on are all zero
    unsigned flags;   // enum row_flag
    struct cell cells[];
};
struct grid_screen {
    struct grid_row **ring; // `rows` of them, the top one at `start`
    unsigned start;
};
enum { GRID_MAIN, GRID_ALTERNATE };
struct grid_frozen { // the last complete frame, while output is held
    struct grid_row **rows;
    unsigned n_rows, cols;
};
// Colours that a program set for its terminal (OSC 4, 10, 11, 12). They are applied when a row is
// packed, so that whoever draws it needs no palette.
struct palette {
    bool is_used;    // something is set
    uint32_t set[8]; // bit n: indexed colour n was set
    uint32_t rgb[256];
    bool has_fg, has_bg, has_cursor;
    uint32_t fg, bg, cursor;
};
struct grid {
    unsigned cols, rows;
    struct palette palette;
    struct grid_screen screens[2];
    struct grid_screen *live; // the one shown
    struct grid_frozen frozen;
    struct style_table styles;
    struct cluster_table clusters;
    struct link_table links;
    struct history *history;
    uint64_t change, next_id;
    uint32_t pen, blank;        // style numbers that their owner holds: kept by a sweep
    struct style saved_pens[4]; // styles whose links are kept by a sweep
    unsigned no_sweep;          // rows outside the screens are in work: tables grow instead
    struct row_packer *packer;
    struct strbuf scratch;
};

void grid_init(struct grid *g, unsigned cols, unsigned rows, unsigned history_rows,
               size_t history_bytes);
void grid_free(struct grid *g);

static inline struct grid_row *grid_screen_row(const struct grid *g, const struct grid_screen *s,
                                               unsigned y)
{
    unsigned at = s->start + y;

    return s->ring[at >= g->rows ? at - g->rows : at];
}
static inline struct grid_row *grid_row(const struct grid *g, unsigned y)
{
    return grid_screen_row(g, g->live, y);
}
// The row, about to be changed.
static inline struct grid_row *grid_touch(struct grid *g, unsigned y)
{
    struct grid_row *row = grid_row(g, y);

    row->gen = ++g->change;
    return row;
}
static inline bool grid_is_main(const struct grid *g)
{
    return g->live == &g->screens[GRID_MAIN];
}

// Number of a style or cluster; sweeps or grows the table when it is full.
uint32_t grid_style(struct grid *g, const struct style *s);
uint32_t grid_cluster(struct grid *g, const char *text, size_t len);
uint16_t grid_link(struct grid *g, const char *text, size_t len);
// UTF-8 of a cell; returns its length (0: blank), at most CLUSTER_MAX_BYTES.
size_t grid_cell_text(const struct grid *g, const struct cell *c, char out[CLUSTER_MAX_BYTES]);

// Sets cells [x, x + n) of a touched row to `c` (a blank or a narrow character).
void grid_fill(struct grid_row *row, unsigned x, unsigned n, struct cell c);
// Makes sure that no wide character crosses the boundary before column x.
void grid_split_wide(struct grid *g, struct grid_row *row, unsigned x);
static inline struct cell grid_blank(const struct grid *g)
{
    return (struct cell){0, g->blank};
}
void grid_clear_row(struct grid *g, struct grid_row *row, struct cell blank);
// Row y gets a new identity and becomes blank.
void grid_renew_row(struct grid *g, unsigned y, struct cell blank);

// Rows [top, bottom] move by n (at most their number); new ones are blank. Rows that leave at the
// top go to history if `to_history`.
void grid_scroll_up(struct grid *g, unsigned top, unsigned bottom, unsigned n, bool to_history,
                    struct cell blank);
void grid_scroll_down(struct grid *g, unsigned top, unsigned bottom, unsigned n, struct cell blank);
// The same for the columns [left, right] only: cells are copied.
void grid_scroll_rect_up(struct grid *g, unsigned top, unsigned bottom, unsigned left,
                         unsigned right, unsigned n, struct cell blank);
void grid_scroll_rect_down(struct grid *g, unsigned top, unsigned bottom, unsigned left,
                           unsigned right, unsigned n, struct cell blank);
void grid_push_history(struct grid *g, const struct grid_row *row);

// Packs a live row.
void grid_pack(struct grid *g, const struct grid_row *row, struct strbuf *out);
// Columns up to the last cell that holds text.
unsigned grid_row_text_cols(const struct grid_row *row);

// The palette changed: every row looks different now.
void grid_palette_changed(struct grid *g);

// Freezing keeps a copy of the live screen; thawing drops it.
void grid_freeze(struct grid *g);
void grid_thaw(struct grid *g);

// resize.c
struct grid_cursor {
    unsigned x, y;
    bool is_pending; // a wrap is
};
// New size for both screens. The first cursor of each must stay on its screen; all are moved along
// with the text. With `reflow` the main screen's and history's soft-wrapped lines are laid out
// anew.
void grid_resize(struct grid *g, unsigned cols, unsigned rows, bool reflow,
                 struct grid_cursor *main_cursors, unsigned n_main, struct grid_cursor *alt_cursors,
                 unsigned n_alt);
struct grid_row *grid_row_new(struct grid *g, unsigned cols);
// A packed row as live cells, cut at `cols`.
void grid_unpack(struct grid *g, const void *data, size_t len, struct grid_row *row, unsigned cols);

#endif
