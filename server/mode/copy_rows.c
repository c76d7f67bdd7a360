// Copy mode's rows: a snapshot of history and screen that output in the pane does not move.
//
// Rows of history never change, so they are referred to by their absolute number; the screen's,
// a few dozen, are copied when the mode is entered. Nothing else is, however long the history is.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "server/mode/copy.h"
#include "server/vt/vt.h"

static void packed_free(struct copy_packed *rows, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        free(rows[i].data);
    free(rows);
}

static struct copy_packed packed_from_vt(struct copy *c, unsigned n)
{
    strbuf_clear(&c->scratch);
    if (!vt_row_pack(c->vt, n, &c->scratch))
        return (struct copy_packed){NULL, 0};
    return (struct copy_packed){xmemdup(c->scratch.data, c->scratch.len), c->scratch.len};
}

void copy_snapshot(struct copy *c)
{
    packed_free(c->screen, c->n_screen);
    c->base = vt_history_dropped(c->vt);
    c->n_history = vt_history_rows(c->vt);
    c->n_screen = vt_rows(c->vt);
    c->screen = xcalloc(c->n_screen, sizeof *c->screen);
    for (unsigned i = 0; i < c->n_screen; i++)
        c->screen[i] = packed_from_vt(c, c->n_history + i);
    c->serial++;
    c->is_stale = false;
}

void copy_freshen(struct copy *c)
{
    if (!c->is_stale)
        return;
    copy_snapshot(c);
    c->oy = copy_hsize(c) - MIN_OF(c->stale_top, copy_hsize(c));
}

void copy_rows_free(struct copy *c)
{
    packed_free(c->screen, c->n_screen);
    packed_free(c->kept, c->n_kept);
    for (unsigned i = 0; i < COPY_CACHE_LINES; i++) {
        free(c->cache[i].cells);
        strbuf_free(&c->cache[i].text);
    }
    strbuf_free(&c->scratch);
}

unsigned copy_total(const struct copy *c)
{
    return c->n_history + c->n_screen;
}

unsigned copy_hsize(const struct copy *c)
{
    unsigned total = copy_total(c);
    return total > c->rows ? total - c->rows : 0;
}

// Rows of the snapshot that the history has dropped since.
static unsigned copy_gone(const struct copy *c)
{
    uint64_t dropped = vt_history_dropped(c->vt);
    if (dropped <= c->base)
        return 0;
    uint64_t gone = dropped - c->base;
    return gone < c->n_history ? (unsigned)gone : c->n_history;
}

unsigned copy_first_row(const struct copy *c)
{
    return MIN_OF(copy_gone(c), copy_top(c));
}

unsigned copy_max_oy(const struct copy *c)
{
    return copy_hsize(c) - MIN_OF(copy_first_row(c), copy_hsize(c));
}

unsigned copy_last_row(const struct copy *c)
{
    return copy_hsize(c) + c->rows - 1;
}

const void *copy_row_packed(struct copy *c, unsigned row, size_t *len)
{
    *len = 0;
    if (row >= copy_total(c))
        return NULL;
    if (row >= c->n_history) {
        const struct copy_packed *p = &c->screen[row - c->n_history];
        *len = p->len;
        return p->data;
    }
    uint64_t gone = vt_history_dropped(c->vt) - c->base;
    if (row >= gone && !c->reads_kept) {
        strbuf_clear(&c->scratch);
        if (!vt_row_pack(c->vt, (unsigned)(row - gone), &c->scratch))
            return NULL;
        *len = c->scratch.len;
        return c->scratch.data;
    }
    if (c->kept_serial == c->serial && row >= c->kept_top && row - c->kept_top < c->n_kept) {
        const struct copy_packed *p = &c->kept[row - c->kept_top];
        *len = p->len;
        return p->data;
    }
    return NULL;
}

void copy_keep_shown(struct copy *c)
{
    unsigned top = copy_top(c);
    if (c->kept_serial == c->serial && c->kept_top == top && c->n_kept == c->rows)
        return;
    struct copy_packed *rows = xcalloc(c->rows, sizeof *rows);
    for (unsigned i = 0; i < c->rows && top + i < c->n_history; i++) {
        size_t len;
        const void *data = copy_row_packed(c, top + i, &len);
        if (data != NULL)
            rows[i] = (struct copy_packed){xmemdup(data, len), len};
    }
    packed_free(c->kept, c->n_kept);
    c->kept = rows;
    c->n_kept = c->rows;
    c->kept_top = top;
    c->kept_serial = c->serial;
}

static struct copy_cell *line_add_cell(struct copy_line *l)
{
    if (l->cols == l->cells_cap) {
        l->cells_cap = l->cells_cap == 0 ? 128 : l->cells_cap * 2;
        l->cells = xreallocarray(l->cells, l->cells_cap, sizeof *l->cells);
    }
    struct copy_cell *cell = &l->cells[l->cols++];
    *cell = (struct copy_cell){.at = (uint32_t)l->text.len};
    return cell;
}

static void line_fill(struct copy *c, struct copy_line *l, unsigned row)
{
    l->row = row;
    l->serial = c->serial;
    l->flags = 0;
    l->cols = l->length = 0;
    strbuf_clear(&l->text);
    size_t len;
    const void *data = copy_row_packed(c, row, &len);
    struct row_reader r;
    if (data == NULL || !row_reader_init(&r, data, len))
        return;
    l->flags = r.flags;
    struct row_cell in;
    while (l->cols < c->cols && row_reader_next(&r, &in)) {
        struct copy_cell *cell = line_add_cell(l);
        cell->width = in.is_wide ? 2 : 1;
        if (in.text_len == 0 || in.text_len > CLUSTER_MAX_BYTES) {
            cell->len = cell->width;
            strbuf_add(&l->text, "  ", cell->width);
        } else {
            cell->len = (uint8_t)in.text_len;
            strbuf_add(&l->text, in.text, in.text_len);
        }
        if (in.is_wide && l->cols < c->cols)
            line_add_cell(l);
    }
    l->length = l->cols;
    while (l->length > 0) {
        const struct copy_cell *cell = &l->cells[l->length - 1];
        if (cell->len != 1 || l->text.data[cell->at] != ' ')
            break;
        l->length--;
    }
}

const struct copy_line *copy_line(struct copy *c, unsigned row)
{
    struct copy_line *l = &c->cache[row % COPY_CACHE_LINES];
    if (l->serial != c->serial || l->row != row)
        line_fill(c, l, row);
    return l;
}

unsigned copy_length(struct copy *c, unsigned row)
{
    return copy_line(c, row)->length;
}

bool copy_is_wrapped(struct copy *c, unsigned row)
{
    return copy_line(c, row)->flags & ROW_WRAPPED;
}

const char *copy_cell_text(struct copy *c, struct copy_pos at, size_t *len)
{
    const struct copy_line *l = copy_line(c, at.row);
    if (at.x >= l->cols) {
        *len = 1;
        return " ";
    }
    *len = l->cells[at.x].len;
    return l->text.data + l->cells[at.x].at;
}

// --- Resizing. A new height keeps every row's number. A new width has the terminal wrap its rows
// anew, so the snapshot is taken again and places in it are found by what stands there.

// A place by the text of its line: columns from the start of the (unwrapped) line, and how it
// begins.
#define ANCHOR_BYTES 64
struct anchor {
    struct copy_pos line; // its first row, before
    unsigned offset;      // columns from there
    char text[ANCHOR_BYTES];
    size_t len;
};

#define ANCHOR_MAX_ROWS 500

static void anchor_text(struct copy *c, unsigned row, char *out, size_t *len)
{
    *len = 0;
    for (unsigned n = 0; n < 16 && *len < ANCHOR_BYTES; n++, row++) {
        const struct copy_line *l = copy_line(c, row);
        size_t take = MIN_OF(l->text.len, ANCHOR_BYTES - *len);
        if (take > 0)
            memcpy(out + *len, l->text.data, take);
        *len += take;
        if (!(l->flags & ROW_WRAPPED))
            break;
    }
    while (*len > 0 && out[*len - 1] == ' ')
        (*len)--;
}

static void anchor_take(struct copy *c, struct copy_pos at, struct anchor *a)
{
    a->line = at;
    for (unsigned n = 0; n < ANCHOR_MAX_ROWS && a->line.row > 0; n++) {
        if (!copy_is_wrapped(c, a->line.row - 1))
            break;
        a->line.row--;
    }
    a->line.x = 0;
    a->offset = (at.row - a->line.row) * c->cols + at.x;
    anchor_text(c, a->line.row, a->text, &a->len);
}

static bool anchor_matches(struct copy *c, const struct anchor *a, unsigned row)
{
    if (row > 0 && copy_is_wrapped(c, row - 1))
        return false;
    char text[ANCHOR_BYTES];
    size_t len;
    anchor_text(c, row, text, &len);
    return len == a->len && memcmp(text, a->text, len) == 0;
}

static struct copy_pos anchor_find(struct copy *c, const struct anchor *a, unsigned old_total)
{
    unsigned total = copy_total(c);
    uint64_t guess = old_total == 0 ? 0 : (uint64_t)a->line.row * total / old_total;
    unsigned row = guess < total ? (unsigned)guess : total - 1;
    if (a->len == 0)
        return (struct copy_pos){0, row};
    for (unsigned d = 0; d < 4 * ANCHOR_MAX_ROWS; d++) {
        if (row + d < total && anchor_matches(c, a, row + d)) {
            row += d;
            break;
        }
        if (d > 0 && d <= row && anchor_matches(c, a, row - d)) {
            row -= d;
            break;
        }
    }
    struct copy_pos at = {a->offset, row};
    while (at.x >= c->cols && copy_is_wrapped(c, at.row) && at.row + 1 < total) {
        at.x -= c->cols;
        at.row++;
    }
    at.x = MIN_OF(at.x, c->cols);
    return at;
}

// The terminal may have taken rows back from its history onto its screen, where they can change.
static void take_back(struct copy *c)
{
    uint64_t end = vt_history_dropped(c->vt) + vt_history_rows(c->vt);
    uint64_t mine = c->base + c->n_history;
    if (end >= mine)
        return;
    unsigned n = (unsigned)MIN_OF(mine - end, (uint64_t)c->n_history);
    struct copy_packed *rows = xcalloc(c->n_screen + n, sizeof *rows);
    for (unsigned i = 0; i < n; i++) {
        size_t len;
        const void *data = copy_row_packed(c, c->n_history - n + i, &len);
        if (data != NULL)
            rows[i] = (struct copy_packed){xmemdup(data, len), len};
    }
    if (c->n_screen > 0)
        memcpy(rows + n, c->screen, c->n_screen * sizeof *rows);
    free(c->screen);
    c->screen = rows;
    c->n_screen += n;
    c->n_history -= n;
}

void copy_rows_resize(struct copy *c, unsigned cols, unsigned rows)
{
    copy_freshen(c);
    struct copy_pos cursor = {c->cx, copy_row(c)};
    unsigned top = copy_top(c);
    bool was_at_bottom = c->oy == 0;
    if (cols == c->cols) {
        take_back(c);
        c->rows = rows;
    } else {
        // The pane's terminal has its new width already: what stood here is read from the rows
        // kept.
        struct anchor top_anchor, cursor_anchor, selection[2];
        unsigned old_total = copy_total(c);
        c->reads_kept = !c->owns_vt;
        anchor_take(c, (struct copy_pos){0, top}, &top_anchor);
        anchor_take(c, cursor, &cursor_anchor);
        anchor_take(c, c->anchor, &selection[0]);
        anchor_take(c, c->end, &selection[1]);
        c->reads_kept = false;
        c->cols = cols;
        c->rows = rows;
        if (c->owns_vt)
            vt_resize(c->vt, cols, rows);
        copy_snapshot(c);
        top = anchor_find(c, &top_anchor, old_total).row;
        cursor = anchor_find(c, &cursor_anchor, old_total);
        if (c->has_selection && (selection[0].len == 0 || selection[1].len == 0))
            copy_clear_selection(c);
        if (c->has_selection) {
            c->anchor = anchor_find(c, &selection[0], old_total);
            c->end = anchor_find(c, &selection[1], old_total);
            c->unit = COPY_BY_CHARACTER;
        }
        c->has_mark = c->shows_mark = false;
    }
    unsigned hsize = copy_hsize(c);
    c->oy = was_at_bottom || top >= hsize ? 0 : hsize - top;
    c->cx = MIN_OF(cursor.x, cols);
    unsigned shown = copy_top(c);
    if (cursor.row < shown) {
        c->oy = hsize - MIN_OF(cursor.row, hsize);
        c->cy = 0;
    } else if (cursor.row - shown >= rows) {
        c->oy = cursor.row >= copy_last_row(c) ? 0 : copy_last_row(c) - cursor.row;
        c->cy = rows - 1;
    } else {
        c->cy = cursor.row - shown;
    }
}
