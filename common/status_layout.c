// Laying out a line of markup: its parts are read apart, then placed side by side.
#include "common/status_layout.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/utf8.h"

// Bounds on what one line can make this process keep.
#define PART_MAX_CELLS   4096u
#define MARKUP_MAX_BYTES 512
#define TIME_MAX_BYTES   512
#define DEFAULTS_MAX     16

enum part {
    PART_LEFT,
    PART_CENTRE,
    PART_RIGHT,
    PART_LIST,
    PART_AFTER,     // of the list, on its side
    PART_LIST_LEFT, // marker for what is cut off
    PART_LIST_RIGHT,
    PARTS,
};
struct cells {
    struct status_cell *cells;
    unsigned n, room;
};
struct reader {
    struct status_layout *layout;
    struct cells parts[PARTS];
    struct markup markup;
    struct style defaults[DEFAULTS_MAX];
    unsigned depth;
    bool has_list, has_focus, has_fill;
    enum style_align list_align;
    unsigned focus_from, focus_to;
    colour_t fill;
};

// --- pieces of a line

enum piece_kind { PIECE_TEXT, PIECE_HASH, PIECE_MARKUP, PIECE_TIME };
// What a line goes on with: `used` bytes of it, of which `text` holds what counts.
struct piece {
    enum piece_kind kind;
    size_t used;
    const char *text;
    size_t len;
};

static struct piece piece_at(const char *s, size_t left, unsigned flags)
{
    const char *end;
    if (s[0] == '#' && left > 1 && s[1] == '[' && (end = memchr(s, ']', left)) != NULL)
        return (struct piece){PIECE_MARKUP, (size_t)(end - s) + 1, s + 2, (size_t)(end - s) - 2};
    if (s[0] == '#' && left > 1 && s[1] == '#' && !(flags & STATUS_LAYOUT_NOTICE))
        return (struct piece){PIECE_HASH, 2, s, 1};
    if (s[0] == STATUS_TIME && (end = memchr(s, STATUS_TIME_END, left)) != NULL)
        return (struct piece){PIECE_TIME, (size_t)(end - s) + 1, s + 1, (size_t)(end - s) - 1};
    size_t n = 1;
    while (n < left && s[n] != '#' && s[n] != STATUS_TIME)
        n++;
    return (struct piece){PIECE_TEXT, n, s, n};
}

static bool is_control(const char *s, size_t len)
{
    uint32_t cp;
    utf8_next(s, len, &cp);
    return cp < 0x20 || (cp >= 0x7f && cp < 0xa0);
}

// A cluster of text; a control character is a blank.
static size_t cluster_next(const char *s, size_t len, unsigned *width)
{
    size_t used = utf8_cluster_next(s, len, width);
    if (is_control(s, len))
        *width = 1;
    return used;
}

static size_t time_text(const char *format, size_t len, int64_t now_wall_us,
                        char out[TIME_MAX_BYTES])
{
    char fmt[TIME_MAX_BYTES / 2];
    time_t now = (time_t)(now_wall_us / 1000000);
    struct tm tm;
    if (len == 0 || len >= sizeof fmt || localtime_r(&now, &tm) == NULL)
        return 0;
    memcpy(fmt, format, len);
    fmt[len] = '\0';
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" // the format is the user's status line
    return strftime(out, TIME_MAX_BYTES, fmt, &tm);
#pragma GCC diagnostic pop
}

// --- reading

static enum part part_of(const struct reader *r)
{
    const struct markup *m = &r->markup;
    switch (m->list) {
    case LIST_ON:
    case LIST_FOCUS:
        return PART_LIST;
    case LIST_LEFT_MARKER:
        return PART_LIST_LEFT;
    case LIST_RIGHT_MARKER:
        return PART_LIST_RIGHT;
    case LIST_OFF:
        break;
    }
    if (m->align == ALIGN_RIGHT)
        return PART_RIGHT;
    if (m->align == ALIGN_CENTRE || m->align == ALIGN_ABSOLUTE_CENTRE)
        return r->has_list && m->align == r->list_align ? PART_AFTER : PART_CENTRE;
    return r->has_list ? PART_AFTER : PART_LEFT;
}

static void part_add(struct reader *r, struct cells *c, const char *cluster, size_t len,
                     unsigned width)
{
    if (width == 0 || c->n + width > PART_MAX_CELLS)
        return;
    if (c->n + width > c->room) {
        c->room = MAX_OF(c->room * 2, 64u);
        c->cells = xreallocarray(c->cells, c->room, sizeof *c->cells);
    }
    struct status_cell cell;
    memset(&cell, 0, sizeof cell);
    cell.style = r->markup.style;
    cell.range = (struct status_range){r->markup.range, r->markup.range_arg};
    cell.width = (uint8_t)width;
    cell.at = (uint32_t)r->layout->text.len;
    cell.len = (uint16_t)MIN_OF(len, (size_t)UINT16_MAX);
    strbuf_add(&r->layout->text, cluster, cell.len);
    c->cells[c->n++] = cell;
    if (width == 2) {
        cell.width = 0;
        cell.len = 0;
        c->cells[c->n++] = cell;
    }
}

static void read_text(struct reader *r, const char *text, size_t len)
{
    struct cells *c = &r->parts[part_of(r)];
    unsigned before = c->n;
    for (size_t at = 0; at < len;) {
        unsigned width;
        size_t used = cluster_next(text + at, len - at, &width);
        part_add(r, c, text + at, is_control(text + at, len - at) ? 0 : used, width);
        at += used;
    }
    if (r->markup.list == LIST_FOCUS) {
        if (!r->has_focus)
            r->focus_from = before;
        r->has_focus = true;
        r->focus_to = c->n;
    }
}

static void read_markup(struct reader *r, const char *text, size_t len)
{
    char words[MARKUP_MAX_BYTES];
    if (len >= sizeof words)
        return;
    memcpy(words, text, len);
    words[len] = '\0';
    struct markup *m = &r->markup;
    if (!markup_parse(m, &r->defaults[r->depth], words))
        return;
    if (m->dflt == DEFAULT_PUSH && r->depth + 1 < DEFAULTS_MAX)
        r->defaults[++r->depth] = m->style;
    else if (m->dflt == DEFAULT_POP && r->depth > 0)
        m->style = r->defaults[--r->depth];
    if (m->has_fill) {
        r->has_fill = true;
        r->fill = m->fill;
    }
    if (m->list != LIST_OFF && !r->has_list) {
        r->has_list = true;
        r->list_align = m->align;
    }
}

static void read_line(struct reader *r, const char *line, int64_t now_wall_us, unsigned flags)
{
    size_t len = strlen(line);
    for (size_t at = 0; at < len;) {
        struct piece p = piece_at(line + at, len - at, flags);
        if (p.kind == PIECE_MARKUP) {
            read_markup(r, p.text, p.len);
        } else if (p.kind == PIECE_TIME) {
            char text[TIME_MAX_BYTES];
            read_text(r, text, time_text(p.text, p.len, now_wall_us, text));
        } else {
            read_text(r, p.text, p.len);
        }
        at += p.used;
    }
}

// --- placing

// Puts columns [skip, skip + n) of a part at column x. Half a wide cluster becomes a blank.
static void place(struct status_layout *l, unsigned x, const struct cells *c, unsigned skip,
                  unsigned n)
{
    for (unsigned i = 0; i < n && x + i < l->cols && skip + i < c->n; i++) {
        struct status_cell *to = &l->cells[x + i];
        *to = c->cells[skip + i];
        bool lost_head = to->width == 0 && i == 0;
        bool lost_tail = to->width == 2 && (i + 1 >= n || x + i + 1 >= l->cols);
        if (lost_head || lost_tail) {
            to->width = 1;
            to->len = 0;
        }
    }
}

static void place_list(const struct reader *r, unsigned x, unsigned n)
{
    struct status_layout *l = r->layout;
    const struct cells *list = &r->parts[PART_LIST];
    const struct cells *marker_left = &r->parts[PART_LIST_LEFT];
    const struct cells *marker_right = &r->parts[PART_LIST_RIGHT];

    if (n >= list->n) {
        place(l, x, list, 0, n);
        return;
    }
    // The focus stays in the middle of what is seen.
    unsigned focus = r->has_focus ? (r->focus_from + r->focus_to) / 2 : 0;
    unsigned skip = focus > n / 2 ? focus - n / 2 : 0;
    skip = MIN_OF(skip, list->n - n);
    if (skip > 0 && n > marker_left->n) {
        place(l, x, marker_left, 0, marker_left->n);
        x += marker_left->n;
        skip += marker_left->n;
        n -= marker_left->n;
    }
    if (skip + n < list->n && n > marker_right->n) {
        place(l, x + n - marker_right->n, marker_right, 0, marker_right->n);
        n -= marker_right->n;
    }
    place(l, x, list, skip, n);
}

static void place_parts(const struct reader *r)
{
    struct status_layout *l = r->layout;
    unsigned cols = l->cols;
    unsigned left = r->parts[PART_LEFT].n, centre = r->parts[PART_CENTRE].n;
    unsigned right = r->parts[PART_RIGHT].n, list = r->parts[PART_LIST].n;
    unsigned after = r->parts[PART_AFTER].n;

    // What does not fit goes in this order.
    unsigned *const shrinking[] = {&centre, &list, &right, &after, &left};
    for (size_t i = 0; i < ARRAY_LEN(shrinking); i++) {
        unsigned all = left + centre + right + list + after;
        if (all > cols)
            *shrinking[i] -= MIN_OF(*shrinking[i], all - cols);
    }
    place(l, 0, &r->parts[PART_LEFT], 0, left);
    // The end of the right part is kept.
    place(l, cols - right, &r->parts[PART_RIGHT], r->parts[PART_RIGHT].n - right, right);

    unsigned whole = list + after, x = left, middle;
    if (r->has_list) {
        if (r->list_align == ALIGN_CENTRE) {
            middle = left + (cols - right - left) / 2;
            x = middle - MIN_OF(middle, whole / 2);
        } else if (r->list_align == ALIGN_ABSOLUTE_CENTRE) {
            x = cols / 2 - MIN_OF(cols / 2, whole / 2);
        } else if (r->list_align == ALIGN_RIGHT) {
            x = cols - right - whole;
        }
        x = MIN_OF(MAX_OF(x, left), cols - right - whole);
        place_list(r, x, list);
        place(l, x + list, &r->parts[PART_AFTER], 0, after);
    }
    // Beside the list, not on it.
    unsigned from = r->has_list ? x + whole : left, to = cols - right;
    middle = from + (to > from ? (to - from) / 2 : 0);
    unsigned centre_x = middle - MIN_OF(middle, centre / 2);
    // A list that stands in the middle may leave less room on this side than there is on the line.
    centre_x = MAX_OF(centre_x, from);
    place(l, centre_x, &r->parts[PART_CENTRE], 0,
          MIN_OF(centre, to > centre_x ? to - centre_x : 0));
}

void status_layout_build(struct status_layout *l, const char *line, unsigned cols,
                         const struct style *base, int64_t now_wall_us, unsigned flags)
{
    struct reader r;
    memset(&r, 0, sizeof r);
    memset(l, 0, sizeof *l);
    l->cols = cols;
    l->cells = xcalloc(MAX_OF(cols, 1u), sizeof *l->cells);
    r.layout = l;
    r.markup.style = *base;
    r.defaults[0] = *base;
    read_line(&r, line, now_wall_us, flags);
    for (unsigned x = 0; x < cols; x++) {
        l->cells[x].style = *base;
        if (r.has_fill)
            l->cells[x].style.bg = r.fill;
        l->cells[x].width = 1;
    }
    place_parts(&r);
    for (size_t i = 0; i < PARTS; i++)
        free(r.parts[i].cells);
}

void status_layout_free(struct status_layout *l)
{
    free(l->cells);
    strbuf_free(&l->text);
    memset(l, 0, sizeof *l);
}

struct status_range status_layout_at(const char *line, unsigned cols, unsigned x)
{
    static const struct style base;
    struct status_range found = {RANGE_NONE, 0};
    struct status_layout l;
    if (x >= cols)
        return found;
    status_layout_build(&l, line, cols, &base, clock_wall_us(), 0);
    found = l.cells[x].range;
    status_layout_free(&l);
    return found;
}

size_t status_layout_prefix(const char *text, unsigned max_cols)
{
    size_t at = 0, len = strlen(text);
    unsigned cols = 0;
    while (at < len) {
        struct piece p = piece_at(text + at, len - at, 0);
        unsigned width = 0;
        if (p.kind == PIECE_TEXT) {
            p.used = cluster_next(p.text, p.len, &width);
        } else if (p.kind == PIECE_HASH) {
            width = 1;
        } else if (p.kind == PIECE_TIME) {
            char time[TIME_MAX_BYTES];
            size_t n = time_text(p.text, p.len, clock_wall_us(), time);
            for (size_t i = 0; i < n;) {
                unsigned w;
                i += cluster_next(time + i, n - i, &w);
                width += w;
            }
        }
        if (cols + width > max_cols)
            break;
        cols += width;
        at += p.used;
    }
    return at;
}
