// A grid of cells as the client draws them, and the texts that cells refer to by number.
#ifndef AMUX_CLIENT_CANVAS_H
#define AMUX_CLIENT_CANVAS_H

#include "common/cell.h"

// Texts kept once each: clusters of code points, links. Numbers begin at 1.
struct texts;
struct texts *texts_new(uint32_t max_texts);
void texts_free(struct texts *t);
// The number of a text, making it if it is new; 0 if there is no room.
uint32_t texts_number(struct texts *t, const char *text, size_t len);
// NUL-terminated; NULL for a number that is not in use. Valid until the next sweep.
const char *texts_get(const struct texts *t, uint32_t number);
// Sweeping: when it is worth while, mark every number in use, then sweep the others.
bool texts_wants_sweep(const struct texts *t);
void texts_mark(struct texts *t, uint32_t number);
void texts_sweep(struct texts *t);

// The texts of one attached client: of its panes and of what its terminal shows.
struct text_tables {
    struct texts *clusters; // struct draw_cell's glyph with GLYPH_CLUSTER
    struct texts *links;    // struct style's link
};

// A cell with its style in place, so that two cells are compared by their bytes.
struct draw_cell {
    struct style style;
    uint32_t glyph; // code point, or GLYPH_CLUSTER with a number; 0: blank. Never a control.
    uint32_t flags; // CELL_WIDE, CELL_WIDE_TAIL
};
static_assert(sizeof(struct draw_cell) == sizeof(struct style) + 8, "compared by memcmp");

static inline bool draw_cell_equal(const struct draw_cell *a, const struct draw_cell *b)
{
    return style_equal(&a->style, &b->style) && a->glyph == b->glyph && a->flags == b->flags;
}
// Attributes that show on a blank.
#define ATTR_ON_BLANKS (ATTR_ANY_UNDERLINE | ATTR_REVERSE | ATTR_STRIKE | ATTR_OVERLINE)
// A blank keeps of its style only what can be seen, so that blanks that look alike are equal.
void draw_cell_make_blank(struct draw_cell *cell, const struct style *style);
// A style as a terminal can show it: COLOUR_TERMINAL becomes the default.
struct style style_for_drawing(const struct style *style);

// A whole screen: what is to be shown, or what the terminal shows.
struct canvas {
    unsigned cols, rows;
    struct draw_cell *cells;
    unsigned cursor_x, cursor_y;
    bool is_cursor_visible;
    uint8_t cursor_shape;   // enum cursor_shape
    uint32_t cursor_colour; // 0x01RRGGBB; 0: the terminal's own
};
// All blank, whatever it held. At least 1x1.
void canvas_resize(struct canvas *c, unsigned cols, unsigned rows);
void canvas_free(struct canvas *c);
static inline struct draw_cell *canvas_row(const struct canvas *c, unsigned y)
{
    return c->cells + (size_t)y * c->cols;
}
// Cells [x, end) of a row of `cols` cells become blanks; halves of wide characters go too.
void cells_blank(struct draw_cell *row, unsigned cols, unsigned x, unsigned end,
                 const struct style *style);
// One glyph of 1 or 2 columns. What does not fit is left out; halves that it covers become blank.
void cells_put(struct draw_cell *row, unsigned cols, unsigned x, uint32_t glyph, unsigned width,
               const struct style *style);

// One cluster at the start of `text`: its length in bytes, its glyph and its columns (0 to 2).
// Controls and malformed bytes come out as a blank and U+FFFD.
size_t glyph_next(const char *text, size_t len, struct texts *clusters, uint32_t *glyph,
                  unsigned *width);

#endif
