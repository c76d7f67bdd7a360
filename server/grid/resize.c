// New sizes: soft-wrapped lines laid out anew, history brought back or added to.
#include "server/grid/grid.h"

#include <stdlib.h>

#include "common/utf8.h"

// At most this many rows of history are joined with the screen's first line.
#define MAX_JOINED_ROWS 2000u

struct rows {
    struct grid_row **v;
    unsigned n, cap;
};

static void rows_add(struct rows *r, struct grid_row *row)
{
    if (r->n == r->cap) {
        r->cap = r->cap * 2 + 64;
        r->v = xreallocarray(r->v, r->cap, sizeof *r->v);
    }
    r->v[r->n++] = row;
}

static void rows_insert_first(struct rows *r, struct grid_row *row)
{
    rows_add(r, row);
    memmove(&r->v[1], &r->v[0], (r->n - 1) * sizeof *r->v);
    r->v[0] = row;
}

void grid_unpack(struct grid *g, const void *data, size_t len, struct grid_row *row, unsigned cols)
{
    struct row_reader r;
    struct row_cell c;
    struct style last = {0};
    const char *last_link = NULL;
    uint32_t number = 0, cp;
    unsigned x = 0;

    if (!row_reader_init(&r, data, len))
        return;
    row->flags = r.flags & ~(unsigned)ROW_ASCII;
    g->no_sweep++;
    while (row_reader_next(&r, &c)) {
        unsigned n = c.is_wide ? 2 : 1;
        struct cell *cell = &row->cells[x];

        if (x + n > cols)
            break;
        if (!style_equal(&c.style, &last) || c.link != last_link) {
            struct style s = c.style;

            last = c.style;
            last_link = c.link;
            if (c.link != NULL)
                s.link = grid_link(g, c.link, c.link_len);
            number = grid_style(g, &s);
        }
        cell->style_flags = number;
        cell->glyph = 0;
        if (c.text_len > 0) {
            if (utf8_next(c.text, c.text_len, &cp) == c.text_len)
                cell->glyph = cp;
            else
                cell->glyph =
                    grid_cluster(g, c.text, MIN_OF(c.text_len, CLUSTER_MAX_BYTES)) | GLYPH_CLUSTER;
        }
        if (c.is_wide) {
            cell->style_flags |= CELL_WIDE;
            cell[1].glyph = 0;
            cell[1].style_flags = number | CELL_WIDE_TAIL;
        }
        x += n;
    }
    row->used = x;
    g->no_sweep--;
}

static unsigned packed_cols(const void *data, size_t len)
{
    struct row_reader r;

    return row_reader_init(&r, data, len) ? r.cols : 0;
}

// The newest row of history as a live row of `cols` columns (or more, if it is longer and not to be
// cut); NULL if there is none.
static struct grid_row *pull_history(struct grid *g, unsigned cols, bool is_cut)
{
    struct strbuf packed = {0};
    struct row_tag tag = {0};
    struct grid_row *row;
    unsigned n = history_rows(g->history), have;
    size_t len;

    if (n == 0)
        return NULL;
    history_get(g->history, n - 1, &len, &tag);
    history_pop(g->history, &packed);
    have = is_cut ? cols : MAX_OF(packed_cols(packed.data, packed.len), cols);
    row = grid_row_new(g, have);
    grid_unpack(g, packed.data, packed.len, row, have);
    row->id = tag.id;
    strbuf_free(&packed);
    return row;
}

// Keeps what fits of a row in another width.
static struct grid_row *row_cut(struct grid *g, struct grid_row *row, unsigned cols)
{
    struct grid_row *new = grid_row_new(g, cols);
    unsigned n = MIN_OF(row->used, cols);

    memcpy(new->cells, row->cells, n * sizeof new->cells[0]);
    if (n > 0 && (new->cells[n - 1].style_flags &CELL_WIDE)) {
        new->cells[n - 1].glyph = 0;
        new->cells[n - 1].style_flags &= ~(uint32_t)CELL_WIDE;
    }
    new->used = n;
    new->flags = row->flags;
    free(row);
    return new;
}

struct place { // of a cursor among the rows
    unsigned row, x;
    bool is_pending;
    bool is_done;
};

// Lays rows [i, j] of `in`, one logical line, out for `cols`.
static void reflow_line(struct grid *g, struct rows *in, unsigned i, unsigned j, struct rows *out,
                        unsigned cols, struct place *places, unsigned n_places)
{
    struct grid_row *row;
    unsigned x = 0, flags = in->v[i]->flags, last_flags = in->v[j]->flags;

    if (i == j && grid_row_text_cols(in->v[i]) <= cols) {
        for (unsigned p = 0; p < n_places; p++) {
            if (places[p].is_done || places[p].row != i)
                continue;
            places[p].is_done = true;
            places[p].row = out->n;
            if (places[p].is_pending && places[p].x + 1 < cols) {
                places[p].x++;
                places[p].is_pending = false;
            } else if (places[p].x >= cols) {
                // Beyond the text: nothing to point at there.
                places[p].is_pending = grid_row_text_cols(in->v[i]) == cols;
                places[p].x = cols - 1;
            }
        }
        rows_add(out, row_cut(g, in->v[i], cols));
        return;
    }
    row = grid_row_new(g, cols);
    row->flags = flags & ~(unsigned)ROW_WRAPPED;
    rows_add(out, row);
    for (; i <= j; i++) {
        struct grid_row *from = in->v[i];
        unsigned n = grid_row_text_cols(from), at = 0;

        for (; at < n; at++) {
            struct cell *c = &from->cells[at];
            unsigned width = c->style_flags & CELL_WIDE ? 2 : 1;
            bool is_kept = width <= cols;

            if (is_kept && x + width > cols) {
                row->flags |= ROW_WRAPPED;
                row = grid_row_new(g, cols);
                rows_add(out, row);
                x = 0;
            }
            for (unsigned p = 0; p < n_places; p++) {
                struct place *place = &places[p];

                if (place->is_done || place->row != i || place->x + place->is_pending < at ||
                    place->x + place->is_pending >= at + width)
                    continue;
                place->is_done = true;
                place->row = out->n - 1;
                place->x = MIN_OF(x, cols - 1);
                place->is_pending = false;
            }
            if (is_kept) {
                memcpy(&row->cells[x], c, width * sizeof *c);
                x += width;
                row->used = x;
            }
            at += width - 1;
        }
        // Cursors behind the row's text: behind it they stay, as far as there is room.
        for (unsigned p = 0; p < n_places; p++) {
            struct place *place = &places[p];
            unsigned beyond;

            if (place->is_done || place->row != i)
                continue;
            if (i < j && place->x + place->is_pending >= n) {
                place->row = i + 1; // where the text goes on
                place->x = 0;
                place->is_pending = false;
                continue;
            }
            beyond = place->x + place->is_pending - MIN_OF(n, place->x + place->is_pending);
            place->is_done = true;
            place->row = out->n - 1;
            place->is_pending = x >= cols;
            place->x = MIN_OF(x + beyond, cols - 1);
        }
        free(from);
    }
    if (last_flags & ROW_WRAPPED)
        row->flags |= ROW_WRAPPED;
}

static void reflow_rows(struct grid *g, struct rows *r, unsigned cols, struct place *places,
                        unsigned n_places)
{
    struct rows out = {0};
    unsigned i = 0, j;

    while (i < r->n) {
        for (j = i; j + 1 < r->n && (r->v[j]->flags & ROW_WRAPPED); j++)
            ;
        reflow_line(g, r, i, j, &out, cols, places, n_places);
        i = j + 1;
    }
    free(r->v);
    *r = out;
}

// Gives the list exactly `rows` rows: blank ones below the cursor go first, then the top ones to
// history, as long as the cursor stays, then what is below it.
static void fit_rows(struct grid *g, struct rows *r, unsigned cols, unsigned rows, bool has_history,
                     struct place *places, unsigned n_places)
{
    unsigned cursor = places[0].row;

    while (r->n > rows && r->n - 1 > cursor && r->v[r->n - 1]->used == 0)
        free(r->v[--r->n]);
    if (r->n > rows) {
        unsigned away = MIN_OF(r->n - rows, cursor);

        for (unsigned y = 0; y < away; y++) {
            if (has_history)
                grid_push_history(g, r->v[y]);
            free(r->v[y]);
        }
        r->n -= away;
        memmove(&r->v[0], &r->v[away], r->n * sizeof *r->v);
        for (unsigned p = 0; p < n_places; p++)
            places[p].row -= MIN_OF(places[p].row, away);
        while (r->n > rows)
            free(r->v[--r->n]);
    } else if (r->n < rows && has_history) {
        struct grid_row *row;
        unsigned n = 0, missing = MIN_OF(rows - r->n, history_rows(g->history));

        for (; n < missing && (row = pull_history(g, cols, true)) != NULL; n++)
            rows_insert_first(r, row);
        for (unsigned p = 0; p < n_places; p++)
            places[p].row += n;
    }
    while (r->n < rows)
        rows_add(r, grid_row_new(g, cols));
}

static void resize_screen(struct grid *g, struct grid_screen *s, unsigned cols, unsigned rows,
                          bool reflow, bool has_history, struct grid_cursor *cursors, unsigned n)
{
    struct rows r = {0};
    struct place places[4];

    if (n > ARRAY_LEN(places))
        n = ARRAY_LEN(places);
    for (unsigned y = 0; y < g->rows; y++)
        rows_add(&r, grid_screen_row(g, s, y));
    for (unsigned p = 0; p < n; p++)
        places[p] = (struct place){cursors[p].y, cursors[p].x, cursors[p].is_pending, false};
    if (cols != g->cols && reflow) {
        // The screen's first row may go on a line that began in history.
        unsigned joined = 0;

        while (has_history && joined < MAX_JOINED_ROWS && history_newest_is_wrapped(g->history)) {
            rows_insert_first(&r, pull_history(g, g->cols, false));
            joined++;
        }
        for (unsigned p = 0; p < n; p++)
            places[p].row += joined;
        reflow_rows(g, &r, cols, places, n);
        if (has_history)
            history_reflow(g->history, cols, &g->next_id);
    } else if (cols != g->cols) {
        for (unsigned y = 0; y < r.n; y++)
            r.v[y] = row_cut(g, r.v[y], cols);
        for (unsigned p = 0; p < n; p++) {
            if (cursors[p].x >= cols || (places[p].is_pending && cols > g->cols))
                places[p].is_pending = false;
            places[p].x = MIN_OF(places[p].x, cols - 1);
        }
    }
    fit_rows(g, &r, cols, rows, has_history, places, n);
    for (unsigned p = 0; p < n; p++) {
        cursors[p].y = MIN_OF(places[p].row, rows - 1);
        cursors[p].x = MIN_OF(places[p].x, cols - 1);
        cursors[p].is_pending = places[p].is_pending && cursors[p].x == cols - 1;
    }
    free(s->ring);
    s->ring = r.v;
    s->start = 0;
}

void grid_resize(struct grid *g, unsigned cols, unsigned rows, bool reflow,
                 struct grid_cursor *main_cursors, unsigned n_main, struct grid_cursor *alt_cursors,
                 unsigned n_alt)
{
    grid_thaw(g);
    g->no_sweep++;
    resize_screen(g, &g->screens[GRID_MAIN], cols, rows, reflow, true, main_cursors, n_main);
    resize_screen(g, &g->screens[GRID_ALTERNATE], cols, rows, false, false, alt_cursors, n_alt);
    g->no_sweep--;
    g->cols = cols;
    g->rows = rows;
    g->change++;
}
