// Packed rows: writing and reading.
#include "common/row.h"

#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"

// A style is a varint of attributes << 4 | the parts present, then those parts. A colour is a
// varint: 0 the default, 1 to 256 indexed, from 257 on 0xRRGGBB.
enum { HAS_FG = 1, HAS_BG = 2, HAS_UL = 4, HAS_LINK = 8 };
#define MAX_LINK_BYTES 4096u
#define MAX_ROW_COLS   65535u

struct packer_run {
    unsigned cells;
    unsigned style; // 0: the default; else number in the list + 1
};
struct packer_style {
    struct style style;
    char *link; // owned; NULL: none
};
struct row_packer {
    unsigned flags;
    bool is_ascii;
    unsigned cols, cells;
    // Up to here the row is not a default blank; what follows is left out.
    unsigned keep_cols, keep_cells;
    size_t keep_text;
    uint8_t *text;
    size_t text_len, text_cap;
    struct packer_style *styles;
    unsigned n_styles, cap_styles;
    struct packer_run *runs;
    unsigned n_runs, cap_runs;
};

struct row_packer *row_packer_new(void)
{
    return xcalloc(1, sizeof(struct row_packer));
}

void row_packer_free(struct row_packer *p)
{
    if (p == NULL)
        return;
    row_packer_begin(p, 0);
    free(p->text);
    free(p->styles);
    free(p->runs);
    free(p);
}

void row_packer_begin(struct row_packer *p, unsigned flags)
{
    p->flags = flags & ~(unsigned)ROW_ASCII;
    p->is_ascii = true;
    p->cols = p->cells = p->keep_cols = p->keep_cells = 0;
    p->keep_text = p->text_len = 0;
    for (unsigned i = 0; i < p->n_styles; i++)
        free(p->styles[i].link);
    p->n_styles = p->n_runs = 0;
}

void row_packer_set_flags(struct row_packer *p, unsigned flags)
{
    p->flags = flags & ~(unsigned)ROW_ASCII;
}

unsigned row_packer_cols(const struct row_packer *p)
{
    return p->cols;
}

static uint8_t *text_room(struct row_packer *p, size_t n)
{
    if (p->text_cap - p->text_len < n) {
        p->text_cap = MAX_OF(p->text_cap * 2, p->text_len + n + 256);
        p->text = xrealloc(p->text, p->text_cap);
    }
    return p->text + p->text_len;
}

static bool is_default_style(const struct style *s, const char *link)
{
    return s->fg == 0 && s->bg == 0 && s->ul == 0 && s->attrs == 0 && link == NULL;
}

static bool same_style(const struct packer_style *a, const struct style *s, const char *link)
{
    if (a->style.fg != s->fg || a->style.bg != s->bg || a->style.ul != s->ul ||
        a->style.attrs != s->attrs)
        return false;
    if (a->link == NULL || link == NULL)
        return a->link == link;
    return strcmp(a->link, link) == 0;
}

static void add_run(struct row_packer *p, const struct style *s, const char *link, unsigned cells)
{
    unsigned style = 0;

    if (!is_default_style(s, link)) {
        for (unsigned i = p->n_styles; i > 0 && style == 0; i--) {
            if (same_style(&p->styles[i - 1], s, link))
                style = i;
        }
        if (style == 0) {
            if (p->n_styles == p->cap_styles) {
                p->cap_styles = p->cap_styles * 2 + 8;
                p->styles = xreallocarray(p->styles, p->cap_styles, sizeof *p->styles);
            }
            p->styles[p->n_styles].style = *s;
            p->styles[p->n_styles].link = link == NULL ? NULL : xstrndup(link, MAX_LINK_BYTES);
            style = ++p->n_styles;
        }
    }
    if (p->n_runs > 0 && p->runs[p->n_runs - 1].style == style) {
        p->runs[p->n_runs - 1].cells += cells;
        return;
    }
    if (p->n_runs == p->cap_runs) {
        p->cap_runs = p->cap_runs * 2 + 8;
        p->runs = xreallocarray(p->runs, p->cap_runs, sizeof *p->runs);
    }
    p->runs[p->n_runs].cells = cells;
    p->runs[p->n_runs++].style = style;
}

// From a byte a cell to length and text a cell, once a cell needs it.
static void widen_text(struct row_packer *p)
{
    size_t n = p->text_len, at;

    text_room(p, n + 1);
    at = 0;
    for (size_t i = 0; i < n; i++)
        at += p->text[i] == 0 ? 1 : 2;
    p->text_len = at;
    p->keep_text = 0;
    for (size_t i = n; i-- > 0;) {
        uint8_t c = p->text[i];

        if (i + 1 == p->keep_cells)
            p->keep_text = at;
        if (c == 0) {
            p->text[--at] = 0;
        } else {
            p->text[--at] = c;
            p->text[--at] = 1 << 1;
        }
    }
    p->is_ascii = false;
}

void row_packer_ascii(struct row_packer *p, const struct style *style, const char *link,
                      const char *text, size_t n)
{
    uint8_t *out;
    size_t used = n;

    if (n > MAX_ROW_COLS - p->cols)
        n = used = MAX_ROW_COLS - p->cols;
    if (n == 0)
        return;
    add_run(p, style, link, (unsigned)n);
    if (p->is_ascii) {
        memcpy(text_room(p, n), text, n);
        p->text_len += n;
    } else {
        out = text_room(p, n * 2);
        for (size_t i = 0; i < n; i++) {
            if (text[i] == 0) {
                *out++ = 0;
            } else {
                *out++ = 1 << 1;
                *out++ = (uint8_t)text[i];
            }
        }
        p->text_len = (size_t)(out - p->text);
    }
    if (p->runs[p->n_runs - 1].style == 0) {
        while (used > 0 && text[used - 1] == 0)
            used--;
    }
    if (used > 0) {
        p->keep_cols = p->cols + (unsigned)used;
        p->keep_cells = p->cells + (unsigned)used;
        // What is left out are blanks, one byte each in both forms.
        p->keep_text = p->text_len - (n - used);
    }
    p->cols += (unsigned)n;
    p->cells += (unsigned)n;
}

void row_packer_cell(struct row_packer *p, const struct style *style, const char *link,
                     const char *utf8, size_t len, bool is_wide)
{
    unsigned cols = is_wide ? 2 : 1;
    uint8_t *out;

    if (p->cols + cols > MAX_ROW_COLS)
        return;
    if (len <= 1 && !is_wide && (len == 0 || (uint8_t)utf8[0] < 0x80)) {
        row_packer_ascii(p, style, link, len == 0 ? "" : utf8, 1);
        return;
    }
    if (len > CLUSTER_MAX_BYTES)
        len = CLUSTER_MAX_BYTES;
    if (p->is_ascii)
        widen_text(p);
    add_run(p, style, link, 1);
    out = text_room(p, len + 1);
    *out++ = (uint8_t)(len << 1 | (is_wide ? 1 : 0));
    memcpy(out, utf8, len);
    p->text_len += len + 1;
    p->cols += cols;
    p->cells++;
    p->keep_cols = p->cols;
    p->keep_cells = p->cells;
    p->keep_text = p->text_len;
}

void row_packer_encoded(struct row_packer *p, const struct style *style, const char *link,
                        const void *data, size_t len, unsigned n, unsigned cols)
{
    if (n == 0 || p->cols + cols > MAX_ROW_COLS)
        return;
    if (p->is_ascii)
        widen_text(p);
    add_run(p, style, link, n);
    memcpy(text_room(p, len), data, len);
    p->text_len += len;
    p->keep_cols = p->cols += cols;
    p->keep_cells = p->cells += n;
    p->keep_text = p->text_len;
}

static uint8_t *put_varint(uint8_t *out, uint32_t v)
{
    while (v >= 0x80) {
        *out++ = (uint8_t)(v | 0x80);
        v >>= 7;
    }
    *out++ = (uint8_t)v;
    return out;
}

static uint32_t colour_to_varint(colour_t c)
{
    switch (colour_kind(c)) {
    case COLOUR_INDEXED:
        return 1 + (c & 0xFF);
    case COLOUR_RGB:
        return 257 + (c & 0xFFFFFF);
    default:
        return 0;
    }
}

static bool colour_from_varint(uint32_t v, colour_t *c)
{
    if (v == 0)
        *c = COLOUR_DEFAULT;
    else if (v <= 256)
        *c = COLOUR_INDEXED | (v - 1);
    else if (v - 257 <= 0xFFFFFF)
        *c = COLOUR_RGB | (v - 257);
    else
        return false;
    return true;
}

static uint8_t *put_style(uint8_t *out, const struct packer_style *s)
{
    uint32_t fg = colour_to_varint(s->style.fg), bg = colour_to_varint(s->style.bg);
    uint32_t ul = colour_to_varint(s->style.ul);
    uint32_t parts = (fg ? HAS_FG : 0u) | (bg ? HAS_BG : 0u) | (ul ? HAS_UL : 0u) |
                     (s->link != NULL ? HAS_LINK : 0u);

    out = put_varint(out, (uint32_t)s->style.attrs << 4 | parts);
    if (fg)
        out = put_varint(out, fg);
    if (bg)
        out = put_varint(out, bg);
    if (ul)
        out = put_varint(out, ul);
    if (s->link != NULL) {
        size_t n = strlen(s->link);

        out = put_varint(out, (uint32_t)n);
        memcpy(out, s->link, n);
        out += n;
    }
    return out;
}

void row_packer_end(struct row_packer *p, struct strbuf *out)
{
    unsigned n_runs = p->n_runs, left = p->keep_cells;
    size_t room = 20 + (size_t)n_runs * 10 + p->keep_text + 1;
    uint8_t *start, *at;

    for (unsigned i = 0; i < p->n_styles; i++) {
        room += 20;
        if (p->styles[i].link != NULL)
            room += strlen(p->styles[i].link);
    }
    while (n_runs > 0 && p->runs[n_runs - 1].style == 0)
        n_runs--;
    start = at = (uint8_t *)strbuf_reserve(out, room);
    at = put_varint(at, p->flags | (p->is_ascii ? ROW_ASCII : 0u));
    at = put_varint(at, p->keep_cols);
    at = put_varint(at, p->n_styles);
    for (unsigned i = 0; i < p->n_styles; i++)
        at = put_style(at, &p->styles[i]);
    at = put_varint(at, n_runs);
    for (unsigned i = 0; i < n_runs; i++) {
        unsigned cells = MIN_OF(p->runs[i].cells, left);

        at = put_varint(at, cells);
        at = put_varint(at, p->runs[i].style);
        left -= cells;
    }
    if (p->keep_text > 0)
        memcpy(at, p->text, p->keep_text);
    at += p->keep_text;
    *at = 0;
    out->len += (size_t)(at - start);
}

static bool get_varint(const uint8_t *data, size_t len, size_t *at, uint32_t *v)
{
    uint32_t value = 0;

    for (unsigned shift = 0; shift < 35; shift += 7) {
        uint8_t c;

        if (*at >= len)
            return false;
        c = data[(*at)++];
        if (shift == 28 && c > 0x0F)
            return false;
        value |= (uint32_t)(c & 0x7F) << shift;
        if (c < 0x80) {
            *v = value;
            return true;
        }
    }
    return false;
}

static bool get_style(const uint8_t *data, size_t len, size_t *at, struct row_reader *out)
{
    uint32_t parts, v;

    memset(&out->style, 0, sizeof out->style);
    out->link = NULL;
    out->link_len = 0;
    if (!get_varint(data, len, at, &parts) || (parts >> 4) > 0xFFFF)
        return false;
    out->style.attrs = (uint16_t)(parts >> 4);
    if ((parts & HAS_FG) &&
        (!get_varint(data, len, at, &v) || !colour_from_varint(v, &out->style.fg)))
        return false;
    if ((parts & HAS_BG) &&
        (!get_varint(data, len, at, &v) || !colour_from_varint(v, &out->style.bg)))
        return false;
    if ((parts & HAS_UL) &&
        (!get_varint(data, len, at, &v) || !colour_from_varint(v, &out->style.ul)))
        return false;
    if (parts & HAS_LINK) {
        if (!get_varint(data, len, at, &v) || v > MAX_LINK_BYTES || v > len - *at)
            return false;
        out->link = (const char *)data + *at;
        out->link_len = v;
        *at += v;
    }
    return true;
}

bool row_reader_init(struct row_reader *r, const void *data, size_t len)
{
    uint32_t flags, cols, n_styles, n_runs, a, b;
    size_t at = 0;

    memset(r, 0, sizeof *r);
    r->data = data;
    r->len = len;
    if (!get_varint(r->data, len, &at, &flags) || !get_varint(r->data, len, &at, &cols) ||
        !get_varint(r->data, len, &at, &n_styles) || cols > MAX_ROW_COLS ||
        n_styles > MIN_OF(len, MAX_ROW_COLS))
        return false;
    r->mark_step = n_styles / ROW_READER_MARKS + 1;
    for (uint32_t i = 0; i < n_styles; i++) {
        if (i % r->mark_step == 0)
            r->marks[i / r->mark_step] = at;
        if (!get_style(r->data, len, &at, r))
            return false;
    }
    if (!get_varint(r->data, len, &at, &n_runs) || n_runs > len)
        return false;
    r->runs_at = at;
    for (uint32_t i = 0; i < n_runs; i++) {
        if (!get_varint(r->data, len, &at, &a) || !get_varint(r->data, len, &at, &b) ||
            a > MAX_ROW_COLS || b > n_styles)
            return false;
    }
    r->text_at = at;
    r->flags = flags;
    r->cols = cols;
    r->n_styles = n_styles;
    r->runs_left = n_runs;
    if ((flags & ROW_ASCII) && len - at < cols)
        return false;
    return true;
}

// Makes style `n` (from 1) the current one.
static bool read_style(struct row_reader *r, unsigned n)
{
    unsigned mark = (n - 1) / r->mark_step;

    if (r->last_style == n)
        return true;
    if (r->last_style == 0 || r->last_style > n || mark * r->mark_step > r->last_style) {
        r->last_style = mark * r->mark_step;
        r->next_style_at = r->marks[mark];
    }
    for (; r->last_style < n; r->last_style++) {
        if (!get_style(r->data, r->len, &r->next_style_at, r))
            return false;
    }
    return true;
}

bool row_reader_next(struct row_reader *r, struct row_cell *cell)
{
    unsigned cols = 1;
    uint32_t n, style;

    if (r->cols == 0)
        return false;
    while (r->run_left == 0 && r->runs_left > 0) {
        if (!get_varint(r->data, r->len, &r->runs_at, &n) ||
            !get_varint(r->data, r->len, &r->runs_at, &style))
            return false;
        r->run_left = n;
        r->run_style = style;
        r->runs_left--;
    }
    memset(cell, 0, sizeof *cell);
    if (r->run_left > 0) {
        r->run_left--;
        if (r->run_style > 0) {
            if (!read_style(r, r->run_style))
                return false;
            cell->style = r->style;
            cell->link = r->link;
            cell->link_len = r->link_len;
        }
    }
    if (r->text_at >= r->len)
        return false;
    if (r->flags & ROW_ASCII) {
        cell->text = (const char *)r->data + r->text_at;
        cell->text_len = r->data[r->text_at] != 0;
        r->text_at++;
    } else {
        uint8_t head = r->data[r->text_at++];

        cell->text_len = head >> 1;
        cell->is_wide = head & 1;
        if (cell->text_len > r->len - r->text_at)
            return false;
        cell->text = (const char *)r->data + r->text_at;
        r->text_at += cell->text_len;
        cols = cell->is_wide ? 2 : 1;
        if (cols > r->cols)
            return false;
    }
    r->cols -= cols;
    return true;
}

void row_to_text(const void *data, size_t len, bool keep_blanks, struct strbuf *out)
{
    struct row_reader r;
    struct row_cell cell;
    size_t start = out->len;

    if (!row_reader_init(&r, data, len))
        return;
    while (row_reader_next(&r, &cell)) {
        if (cell.text_len > 0)
            strbuf_add(out, cell.text, cell.text_len);
        else
            strbuf_add(out, "  ", cell.is_wide ? 2 : 1);
    }
    if (keep_blanks || out->data == NULL)
        return;
    while (out->len > start && out->data[out->len - 1] == ' ')
        out->len--;
    out->data[out->len] = '\0';
}
