// Lines between panes with their junctions, each in the style of a pane beside it.
#include "config.h"

#include "client/compose.h"

enum { UP = 1, DOWN = 2, LEFT = 4, RIGHT = 8 };

static const uint32_t line_by_neighbours[16] = {
    [0] = 0x00B7,
    [UP] = 0x2502,
    [DOWN] = 0x2502,
    [UP | DOWN] = 0x2502,
    [LEFT] = 0x2500,
    [RIGHT] = 0x2500,
    [LEFT | RIGHT] = 0x2500,
    [DOWN | RIGHT] = 0x250C,
    [DOWN | LEFT] = 0x2510,
    [UP | RIGHT] = 0x2514,
    [UP | LEFT] = 0x2518,
    [UP | DOWN | RIGHT] = 0x251C,
    [UP | DOWN | LEFT] = 0x2524,
    [DOWN | LEFT | RIGHT] = 0x252C,
    [UP | LEFT | RIGHT] = 0x2534,
    [UP | DOWN | LEFT | RIGHT] = 0x253C,
};

static bool pane_covers(const struct screen_pane *p, long x, long y)
{
    return x >= (long)p->x && x < (long)p->x + (long)p->cols && y >= (long)p->y &&
           y < (long)p->y + (long)p->rows;
}

// A cell of the window, or of the line that closes it to the right and below, that no pane covers.
static bool is_border(const struct screen *s, long x, long y)
{
    if (x < 0 || y < 0 || x > (long)s->cols || y > (long)s->rows)
        return false;
    for (size_t i = 0; i < s->n_panes; i++) {
        if (pane_covers(&s->panes[i], x, y))
            return false;
    }
    return true;
}

// Whether (x, y) lies on the ring of cells around a pane.
static bool is_around(const struct screen_pane *p, long x, long y)
{
    return x >= (long)p->x - 1 && x <= (long)p->x + (long)p->cols && y >= (long)p->y - 1 &&
           y <= (long)p->y + (long)p->rows && !pane_covers(p, x, y);
}

// With two panes the line between them is shared: its first half tells of the first pane, the rest
// of the second, so that one can see which is active.
static const struct screen_pane *pane_of_shared(const struct screen *s, long x, long y)
{
    const struct screen_pane *a = &s->panes[0], *b = &s->panes[1];
    if (a->y == b->y && a->rows == b->rows) {
        const struct screen_pane *left = a->x < b->x ? a : b, *right = left == a ? b : a;
        if (x != (long)left->x + (long)left->cols)
            return NULL;
        return y - (long)left->y <= (long)left->rows / 2 ? left : right;
    }
    if (a->x == b->x && a->cols == b->cols) {
        const struct screen_pane *upper = a->y < b->y ? a : b, *lower = upper == a ? b : a;
        if (y != (long)upper->y + (long)upper->rows)
            return NULL;
        return x - (long)upper->x <= (long)upper->cols / 2 ? upper : lower;
    }
    return NULL;
}

static const struct screen_pane *pane_of_border(const struct screen *s, long x, long y)
{
    const struct screen_pane *found = NULL;
    if (s->n_panes == 2)
        found = pane_of_shared(s, x, y);
    for (size_t i = 0; i < s->n_panes && (found == NULL || s->n_panes > 2); i++) {
        const struct screen_pane *p = &s->panes[i];
        if (!is_around(p, x, y))
            continue;
        if (p->id == s->active)
            return p;
        if (found == NULL)
            found = p;
    }
    return found;
}

static bool is_beside_marked(const struct screen *s, long x, long y)
{
    for (size_t i = 0; i < s->n_panes; i++) {
        if ((s->panes[i].flags & PANE_MARKED) && is_around(&s->panes[i], x, y))
            return true;
    }
    return false;
}

void compose_borders(const struct screen *s, struct canvas *out, unsigned view_y, unsigned rows)
{
    static const struct style plain;

    for (unsigned vy = 0; vy < rows; vy++) {
        long y = (long)vy + (long)s->offset_y;
        struct draw_cell *row = canvas_row(out, view_y + vy);
        for (unsigned vx = 0; vx < out->cols; vx++) {
            long x = (long)vx + (long)s->offset_x;
            if (x > (long)s->cols || y > (long)s->rows) {
                cells_put(row, out->cols, vx, line_by_neighbours[0], 1, &plain);
                continue;
            }
            // Skip over a pane at once.
            const struct screen_pane *inside = NULL;
            for (size_t i = 0; i < s->n_panes && inside == NULL; i++) {
                if (pane_covers(&s->panes[i], x, y))
                    inside = &s->panes[i];
            }
            if (inside != NULL) {
                vx += inside->x + inside->cols - 1 - (unsigned)x;
                continue;
            }
            unsigned neighbours = (is_border(s, x, y - 1) ? UP : 0u) |
                                  (is_border(s, x, y + 1) ? DOWN : 0u) |
                                  (is_border(s, x - 1, y) ? LEFT : 0u) |
                                  (is_border(s, x + 1, y) ? RIGHT : 0u);
            const struct screen_pane *pane = pane_of_border(s, x, y);
            struct style style = pane != NULL ? style_for_drawing(&pane->border_style) : plain;
            if (is_beside_marked(s, x, y))
                style.attrs ^= ATTR_REVERSE;
            cells_put(row, out->cols, vx, line_by_neighbours[neighbours], 1, &style);
        }
    }
}
