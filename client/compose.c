// Composing the terminal's screen: each part drawn over the one below.
#include "config.h"

#include "client/compose.h"

#include <string.h>

#include "client/status.h"
#include "common/util.h"

// The rows of the view that the terminal has.
static unsigned view_rows(const struct screen *s, const struct canvas *out)
{
    if (s->view_y >= out->rows)
        return 0;
    return MIN_OF(s->view_rows, out->rows - s->view_y);
}

static void compose_pane(const struct screen *s, const struct screen_pane *p, struct canvas *out)
{
    unsigned rows = view_rows(s, out);
    for (unsigned y = 0; y < p->rows; y++) {
        long vy = (long)p->y + (long)y - (long)s->offset_y;
        if (vy < 0 || vy >= (long)rows)
            continue;
        long vx = (long)p->x - (long)s->offset_x;
        unsigned skip = vx < 0 ? (unsigned)-vx : 0;
        if (skip >= p->cols || vx >= (long)out->cols)
            continue;
        unsigned x = vx < 0 ? 0 : (unsigned)vx;
        unsigned n = MIN_OF(p->cols - skip, out->cols - x);
        const struct draw_cell *from = p->cells + (size_t)y * p->cols + skip;
        struct draw_cell *row = canvas_row(out, s->view_y + (unsigned)vy);
        memcpy(row + x, from, n * sizeof *row);
        // Half a wide character at the edge is none.
        if (row[x].flags & CELL_WIDE_TAIL)
            draw_cell_make_blank(&row[x], &from[0].style);
        if (row[x + n - 1].flags & CELL_WIDE)
            draw_cell_make_blank(&row[x + n - 1], &from[n - 1].style);
    }
}

static void compose_cursor(const struct screen *s, struct canvas *out)
{
    const struct screen_pane *p = screen_pane_find(s, s->cursor_pane);
    out->is_cursor_visible = false;
    out->cursor_shape = s->cursor_shape;
    out->cursor_colour = s->cursor_colour;
    if (p == NULL || !s->is_cursor_visible)
        return;
    long x = (long)p->x + (long)MIN_OF(s->cursor_x, p->cols - 1) - (long)s->offset_x;
    long y = (long)p->y + (long)MIN_OF(s->cursor_y, p->rows - 1) - (long)s->offset_y;
    if (x < 0 || y < 0 || x >= (long)out->cols || y >= (long)view_rows(s, out))
        return;
    out->is_cursor_visible = true;
    out->cursor_x = (unsigned)x;
    out->cursor_y = (unsigned)y + s->view_y;
}

// The terminal row of the first status line; where there is none, overlays take the last row.
static unsigned status_row(const struct screen *s, const struct canvas *out)
{
    if (s->n_status == 0 || s->n_status > out->rows)
        return s->is_status_at_top && s->n_status > 0 ? 0 : out->rows - 1;
    return s->is_status_at_top ? 0 : out->rows - s->n_status;
}

static void compose_prompt(const struct screen *s, struct canvas *out, unsigned y)
{
    status_draw_prompt(canvas_row(out, y), out->cols, s->prompt, &s->prompt_style, s->texts->clusters);
    out->is_cursor_visible = true;
    // The server moved the text so that the cursor is on the line; the terminal may just have shrunk.
    out->cursor_x = MIN_OF(s->prompt_cursor, out->cols - 1);
    out->cursor_y = y;
}

void compose_screen(const struct screen *s, int64_t now_wall_us, struct canvas *out)
{
    memset(out->cells, 0, (size_t)out->cols * out->rows * sizeof *out->cells);
    out->is_cursor_visible = false;
    if (s->has_scene) {
        for (size_t i = 0; i < s->n_panes; i++)
            compose_pane(s, &s->panes[i], out);
        compose_borders(s, out, s->view_y, view_rows(s, out));
        compose_cursor(s, out);
    }
    unsigned first = status_row(s, out);
    for (unsigned i = 0; i < s->n_status && first + i < out->rows; i++)
        status_draw(canvas_row(out, first + i), out->cols, s->status[i], &s->status_style,
                    s->texts->clusters, now_wall_us);
    if (s->prompt != NULL)
        compose_prompt(s, out, first);
    else if (s->notice != NULL)
        status_draw_notice(canvas_row(out, first), out->cols, s->notice, &s->notice_style,
                           s->texts->clusters);
}

size_t compose_scrolls(const struct screen *s, const struct canvas *screen,
                       struct scroll_hint *out, size_t max)
{
    size_t n = 0;
    long rows = (long)view_rows(s, screen);
    for (size_t i = 0; i < s->n_scrolls && n < max; i++) {
        const struct screen_scroll *scroll = &s->scrolls[i];
        const struct screen_pane *p = screen_pane_find(s, scroll->pane);
        if (p == NULL || scroll->bottom >= p->rows)
            continue;
        // Only rows that are the pane's from edge to edge can be moved as a whole.
        long left = (long)p->x - (long)s->offset_x;
        if (left > 0 || left + (long)p->cols < (long)screen->cols)
            continue;
        long top = (long)p->y + (long)scroll->top - (long)s->offset_y;
        long bottom = (long)p->y + (long)scroll->bottom - (long)s->offset_y;
        if (top < 0 || bottom >= rows)
            continue;
        out[n++] = (struct scroll_hint){(unsigned)top + s->view_y, (unsigned)bottom + s->view_y,
                                        scroll->lines};
    }
    return n;
}
