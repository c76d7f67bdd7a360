// Live rows of a terminal: cells in a ring of row pointers, so that scrolling moves pointers.
#include "server/grid/grid.h"

#include <stdlib.h>

#include "common/utf8.h"

struct grid_row *grid_row_new(struct grid *g, unsigned cols)
{
    struct grid_row *row = xcalloc(1, sizeof *row + (size_t)cols * sizeof row->cells[0]);

    row->id = ++g->next_id;
    row->gen = ++g->change;
    return row;
}

static void screen_init(struct grid *g, struct grid_screen *s)
{
    s->ring = xreallocarray(NULL, g->rows, sizeof(struct grid_row *));
    s->start = 0;
    for (unsigned y = 0; y < g->rows; y++)
        s->ring[y] = grid_row_new(g, g->cols);
}

void grid_init(struct grid *g, unsigned cols, unsigned rows, unsigned history_rows,
               size_t history_bytes)
{
    memset(g, 0, sizeof *g);
    g->cols = cols;
    g->rows = rows;
    style_table_init(&g->styles);
    cluster_table_init(&g->clusters);
    g->history = history_new(history_rows, history_bytes);
    g->packer = row_packer_new();
    screen_init(g, &g->screens[GRID_MAIN]);
    screen_init(g, &g->screens[GRID_ALTERNATE]);
    g->live = &g->screens[GRID_MAIN];
}

void grid_free(struct grid *g)
{
    grid_thaw(g);
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned y = 0; y < g->rows; y++)
            free(g->screens[i].ring[y]);
        free(g->screens[i].ring);
    }
    style_table_free(&g->styles);
    cluster_table_free(&g->clusters);
    link_table_free(&g->links);
    history_free(g->history);
    row_packer_free(g->packer);
    strbuf_free(&g->scratch);
}

// Calls fn for every row whose cells count: both screens and the frozen frame.
static void each_row(struct grid *g,
                     void (*fn)(struct grid *g, const struct grid_row *row, uint8_t *marks),
                     uint8_t *marks)
{
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned y = 0; y < g->rows; y++)
            fn(g, g->screens[i].ring[y], marks);
    }
    for (unsigned y = 0; y < g->frozen.n_rows; y++)
        fn(g, g->frozen.rows[y], marks);
}

static void mark_styles(struct grid *g, const struct grid_row *row, uint8_t *marks)
{
    (void)g;
    for (unsigned x = 0; x < row->used; x++)
        marks[cell_style_index(&row->cells[x])] = 1;
}

static void mark_clusters(struct grid *g, const struct grid_row *row, uint8_t *marks)
{
    (void)g;
    for (unsigned x = 0; x < row->used; x++) {
        if (row->cells[x].glyph & GLYPH_CLUSTER)
            marks[row->cells[x].glyph & ~GLYPH_CLUSTER] = 1;
    }
}

static void sweep_styles(struct grid *g)
{
    uint8_t *marks = xcalloc(g->styles.n, 1);

    each_row(g, mark_styles, marks);
    marks[g->pen] = 1;
    marks[g->blank] = 1;
    style_table_sweep(&g->styles, marks);
    free(marks);
}

uint32_t grid_style(struct grid *g, const struct style *s)
{
    uint32_t n = style_table_get(&g->styles, s);

    if (n != TABLE_FULL)
        return n;
    if (g->no_sweep == 0)
        sweep_styles(g);
    else
        style_table_grow(&g->styles);
    n = style_table_get(&g->styles, s);
    return n == TABLE_FULL ? 0 : n;
}

uint32_t grid_cluster(struct grid *g, const char *text, size_t len)
{
    uint32_t n = cluster_table_get(&g->clusters, text, len);

    if (n != TABLE_FULL)
        return n;
    if (g->no_sweep == 0) {
        uint8_t *marks = xcalloc(g->clusters.n + 1, 1);

        each_row(g, mark_clusters, marks);
        cluster_table_sweep(&g->clusters, marks);
        free(marks);
    } else {
        cluster_table_grow(&g->clusters);
    }
    n = cluster_table_get(&g->clusters, text, len);
    return n == TABLE_FULL ? 0 : n;
}

uint16_t grid_link(struct grid *g, const char *text, size_t len)
{
    uint16_t n = link_table_get(&g->links, text, len);
    uint8_t *marks;

    if (n != 0 || g->no_sweep > 0)
        return n;
    // A screen full of links in use leaves nothing to be swept, and each new one would try again.
    if (g->links.refusals > 0) {
        g->links.refusals--;
        return 0;
    }
    // Links hang on styles: first those go that no cell uses, then links that no style uses.
    sweep_styles(g);
    for (uint32_t i = 0; i < g->styles.n_free; i++)
        g->styles.items[g->styles.free_list[i]].link = 0;
    marks = xcalloc(g->links.n + 1, 1);
    for (uint32_t i = 0; i < g->styles.n; i++)
        marks[g->styles.items[i].link] = 1;
    for (size_t i = 0; i < ARRAY_LEN(g->saved_pens); i++)
        marks[g->saved_pens[i].link] = 1;
    if (link_table_sweep(&g->links, marks) < LINKS_MAX / 8)
        g->links.refusals = LINKS_MAX / 8;
    free(marks);
    return link_table_get(&g->links, text, len);
}

size_t grid_cell_text(const struct grid *g, const struct cell *c, char out[CLUSTER_MAX_BYTES])
{
    const struct cluster *cluster;

    if (c->glyph == 0)
        return 0;
    if (!(c->glyph & GLYPH_CLUSTER))
        return utf8_encode(c->glyph, out);
    cluster = g->clusters.items[c->glyph & ~GLYPH_CLUSTER];
    memcpy(out, cluster->text, cluster->len);
    return cluster->len;
}

void grid_fill(struct grid_row *row, unsigned x, unsigned n, struct cell c)
{
    unsigned end = x + n;

    if (c.glyph == 0 && c.style_flags == 0) {
        if (x >= row->used)
            return;
        memset(&row->cells[x], 0, (MIN_OF(end, row->used) - x) * sizeof c);
        if (end >= row->used)
            row->used = x;
        return;
    }
    for (; x < end; x++)
        row->cells[x] = c;
    if (end > row->used)
        row->used = end;
}

void grid_split_wide(struct grid *g, struct grid_row *row, unsigned x)
{
    if (x == 0 || x >= g->cols || !(row->cells[x].style_flags & CELL_WIDE_TAIL))
        return;
    for (unsigned i = x - 1; i <= x; i++) {
        row->cells[i].glyph = ' ';
        row->cells[i].style_flags &= ~(uint32_t)(CELL_WIDE | CELL_WIDE_TAIL);
    }
}

void grid_clear_row(struct grid *g, struct grid_row *row, struct cell blank)
{
    row->gen = ++g->change;
    row->flags = 0;
    if (blank.style_flags != 0) {
        grid_fill(row, 0, g->cols, blank);
    } else {
        memset(row->cells, 0, row->used * sizeof row->cells[0]);
        row->used = 0;
    }
}

void grid_renew_row(struct grid *g, unsigned y, struct cell blank)
{
    struct grid_row *row = grid_row(g, y);

    row->id = ++g->next_id;
    grid_clear_row(g, row, blank);
}

static inline struct grid_row **slot(const struct grid *g, unsigned y)
{
    unsigned at = g->live->start + y;

    return &g->live->ring[at >= g->rows ? at - g->rows : at];
}

void grid_scroll_up(struct grid *g, unsigned top, unsigned bottom, unsigned n, bool to_history,
                    struct cell blank)
{
    unsigned height = bottom - top + 1;

    if (n > height)
        n = height;
    if (n == 0)
        return;
    g->change++;
    if (top > 0)
        grid_row(g, top - 1)->flags &= ~(unsigned)ROW_WRAPPED;
    for (unsigned i = 0; to_history && i < n; i++)
        grid_push_history(g, grid_row(g, top + i));
    if (height == g->rows) {
        g->live->start += n;
        if (g->live->start >= g->rows)
            g->live->start -= g->rows;
    } else {
        for (unsigned i = 0; i < n; i++) {
            struct grid_row *first = *slot(g, top);

            for (unsigned y = top; y < bottom; y++)
                *slot(g, y) = *slot(g, y + 1);
            *slot(g, bottom) = first;
        }
    }
    for (unsigned i = 0; i < n; i++)
        grid_renew_row(g, bottom - i, blank);
}

void grid_scroll_down(struct grid *g, unsigned top, unsigned bottom, unsigned n, struct cell blank)
{
    unsigned height = bottom - top + 1;

    if (n > height)
        n = height;
    if (n == 0)
        return;
    g->change++;
    if (top > 0)
        grid_row(g, top - 1)->flags &= ~(unsigned)ROW_WRAPPED;
    for (unsigned i = 0; i < n; i++) {
        struct grid_row *last = *slot(g, bottom);

        for (unsigned y = bottom; y > top; y--)
            *slot(g, y) = *slot(g, y - 1);
        *slot(g, top) = last;
    }
    for (unsigned i = 0; i < n; i++)
        grid_renew_row(g, top + i, blank);
    grid_row(g, bottom)->flags &= ~(unsigned)ROW_WRAPPED;
}

static void copy_cells(struct grid *g, unsigned from, unsigned to, unsigned left, unsigned right)
{
    struct grid_row *src = grid_touch(g, from), *dst = grid_touch(g, to);
    unsigned n = right - left + 1;

    grid_split_wide(g, src, left);
    grid_split_wide(g, src, right + 1);
    grid_split_wide(g, dst, left);
    grid_split_wide(g, dst, right + 1);
    memcpy(&dst->cells[left], &src->cells[left], n * sizeof dst->cells[0]);
    if (dst->used < MIN_OF(src->used, right + 1))
        dst->used = MIN_OF(src->used, right + 1);
    dst->flags &= ~(unsigned)ROW_WRAPPED;
}

static void blank_cells(struct grid *g, unsigned y, unsigned left, unsigned right,
                        struct cell blank)
{
    struct grid_row *row = grid_touch(g, y);

    grid_split_wide(g, row, left);
    grid_split_wide(g, row, right + 1);
    grid_fill(row, left, right - left + 1, blank);
    row->flags &= ~(unsigned)ROW_WRAPPED;
}

void grid_scroll_rect_up(struct grid *g, unsigned top, unsigned bottom, unsigned left,
                         unsigned right, unsigned n, struct cell blank)
{
    n = MIN_OF(n, bottom - top + 1);
    for (unsigned y = top; y + n <= bottom; y++)
        copy_cells(g, y + n, y, left, right);
    for (unsigned i = 0; i < n; i++)
        blank_cells(g, bottom - i, left, right, blank);
}

void grid_scroll_rect_down(struct grid *g, unsigned top, unsigned bottom, unsigned left,
                           unsigned right, unsigned n, struct cell blank)
{
    n = MIN_OF(n, bottom - top + 1);
    for (unsigned y = bottom; y >= top + n; y--) {
        copy_cells(g, y - n, y, left, right);
        if (y == 0)
            break;
    }
    for (unsigned i = 0; i < n; i++)
        blank_cells(g, top + i, left, right, blank);
}

unsigned grid_row_text_cols(const struct grid_row *row)
{
    unsigned n = row->used;

    while (n > 0 && row->cells[n - 1].glyph == 0 &&
           !(row->cells[n - 1].style_flags & CELL_WIDE_TAIL))
        n--;
    return n;
}

static colour_t palette_colour(const struct palette *p, colour_t c, bool has_default, uint32_t dflt)
{
    if (colour_kind(c) == COLOUR_INDEXED && (p->set[(c & 0xFF) / 32] >> (c & 31) & 1))
        return COLOUR_RGB | p->rgb[c & 0xFF];
    if (c == COLOUR_DEFAULT && has_default)
        return COLOUR_RGB | dflt;
    return c;
}

static struct style palette_style(const struct palette *p, struct style s)
{
    s.fg = palette_colour(p, s.fg, p->has_fg, p->fg);
    s.bg = palette_colour(p, s.bg, p->has_bg, p->bg);
    s.ul = palette_colour(p, s.ul, false, 0);
    return s;
}

void grid_palette_changed(struct grid *g)
{
    struct palette *p = &g->palette;

    p->is_used = p->has_fg || p->has_bg || p->has_cursor;
    for (size_t i = 0; i < ARRAY_LEN(p->set); i++)
        p->is_used = p->is_used || p->set[i] != 0;
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned y = 0; y < g->rows; y++)
            g->screens[i].ring[y]->gen = ++g->change;
    }
    for (unsigned y = 0; y < g->frozen.n_rows; y++)
        g->frozen.rows[y]->gen = ++g->change;
}

// Packs the run of cells from x on that hold text in one style, encoded as a packed row has it.
// Returns its columns, at least one.
static unsigned pack_encoded(struct grid *g, const struct grid_row *row, unsigned x,
                             const struct style *s, const char *link)
{
    uint32_t other = ~(uint32_t)CELL_WIDE, flags = row->cells[x].style_flags & other;
    unsigned n = 0, cols = 0;
    char out[1024];
    size_t at = 0;

    while (x + cols < row->used && at + 1 + CLUSTER_MAX_BYTES <= sizeof out) {
        const struct cell *c = &row->cells[x + cols];
        unsigned is_wide = (c->style_flags & CELL_WIDE) != 0;
        size_t len;

        if (c->glyph == 0 || (c->style_flags & other) != flags)
            break;
        if (c->glyph >= 0x800 && c->glyph < 0x10000) {
            // Most of what is not ASCII: written here without a call.
            out[at + 1] = (char)(0xE0 | c->glyph >> 12);
            out[at + 2] = (char)(0x80 | (c->glyph >> 6 & 0x3F));
            out[at + 3] = (char)(0x80 | (c->glyph & 0x3F));
            len = 3;
        } else {
            len = grid_cell_text(g, c, out + at + 1);
        }
        out[at] = (char)(len << 1 | is_wide);
        at += 1 + len;
        n++;
        cols += 1 + is_wide;
    }
    if (n == 0) // a blank that is marked as a tail: never made, but never a loop either
        row_packer_ascii(g->packer, s, link, "", cols = 1);
    else
        row_packer_encoded(g->packer, s, link, out, at, n, cols);
    return cols;
}

void grid_pack(struct grid *g, const struct grid_row *row, struct strbuf *out)
{
    struct row_packer *p = g->packer;
    unsigned x = 0;
    char text[256];

    row_packer_begin(p, row->flags);
    while (x < row->used) {
        uint32_t number = cell_style_index(&row->cells[x]);
        const struct style *s = &g->styles.items[number];
        const char *link = s->link != 0 && s->link < g->links.n ? g->links.items[s->link] : NULL;
        const struct cell *c = &row->cells[x];
        unsigned n = 0, max = MIN_OF(row->used - x, (unsigned)sizeof text);
        struct style mapped;

        if (g->palette.is_used) {
            mapped = palette_style(&g->palette, *s);
            s = &mapped;
        }
        while (n < max && c[n].glyph < 0x80 && c[n].style_flags == c[0].style_flags) {
            text[n] = (char)c[n].glyph;
            n++;
        }
        if (n > 0) {
            row_packer_ascii(p, s, link, text, n);
            x += n;
        } else {
            x += pack_encoded(g, row, x, s, link);
        }
    }
    if (g->palette.has_bg) {
        // Blanks at the end have a colour too.
        struct style s = palette_style(&g->palette, (struct style){0});
        static const char blanks[64];

        for (unsigned n; x < g->cols; x += n) {
            n = MIN_OF(g->cols - x, (unsigned)sizeof blanks);
            row_packer_ascii(p, &s, NULL, blanks, n);
        }
    }
    row_packer_end(p, out);
}

void grid_push_history(struct grid *g, const struct grid_row *row)
{
    strbuf_clear(&g->scratch);
    grid_pack(g, row, &g->scratch);
    history_push(g->history, g->scratch.data, g->scratch.len, (struct row_tag){row->id, row->gen},
                 row->flags, row->used);
}

void grid_freeze(struct grid *g)
{
    struct grid_frozen *f = &g->frozen;

    grid_thaw(g);
    f->rows = xreallocarray(NULL, g->rows, sizeof *f->rows);
    f->n_rows = g->rows;
    f->cols = g->cols;
    for (unsigned y = 0; y < g->rows; y++) {
        const struct grid_row *row = grid_row(g, y);
        size_t size = sizeof *row + row->used * sizeof row->cells[0];

        f->rows[y] = xmemdup(row, size);
    }
}

void grid_thaw(struct grid *g)
{
    for (unsigned y = 0; y < g->frozen.n_rows; y++)
        free(g->frozen.rows[y]);
    free(g->frozen.rows);
    memset(&g->frozen, 0, sizeof g->frozen);
}
