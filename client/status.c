// Laying out a line of markup: its parts are drawn apart, then placed side by side.
#include "config.h"

#include "client/status.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/style.h"
#include "common/util.h"

#define LINE_MAX_CELLS 4096u
#define DEFAULTS_MAX 16

enum part {
    PART_LEFT,
    PART_CENTRE,
    PART_RIGHT,
    PART_LIST,
    PART_AFTER, // of the list, on its side
    PART_LIST_LEFT,  // marker for what is cut off
    PART_LIST_RIGHT,
    PARTS,
};
struct cells {
    struct draw_cell *cells;
    unsigned n, room;
};
struct layout {
    struct cells parts[PARTS];
    bool has_list, has_focus, has_fill;
    enum style_align list_align;
    unsigned focus_from, focus_to;
    colour_t fill;
};

// --- time

// How often a conversion's text changes, finest first.
enum { EACH_SECOND, EACH_MINUTE, EACH_HOUR, EACH_DAY, NEVER };

static int conversion_changes(char c)
{
    if (strchr("STcrsX+", c) != NULL)
        return EACH_SECOND;
    if (strchr("MR", c) != NULL)
        return EACH_MINUTE;
    if (strchr("HIklpP", c) != NULL)
        return EACH_HOUR;
    return c == '%' || c == 'n' || c == 't' ? NEVER : EACH_DAY;
}

static int format_changes(const char *format, size_t len)
{
    int finest = NEVER;
    for (size_t i = 0; i + 1 < len; i++) {
        if (format[i] != '%')
            continue;
        i++;
        while (i < len && strchr("_-0^#EO123456789", format[i]) != NULL)
            i++; // flags and widths
        if (i < len)
            finest = MIN_OF(finest, conversion_changes(format[i]));
    }
    return finest;
}

int64_t status_next_change_us(const char *line, int64_t now_wall_us)
{
    int finest = NEVER;
    for (const char *s = line; (s = strchr(s, STATUS_TIME)) != NULL; s++) {
        const char *end = strchr(s, STATUS_TIME_END);
        if (end == NULL)
            break;
        finest = MIN_OF(finest, format_changes(s + 1, (size_t)(end - s - 1)));
    }
    time_t now = (time_t)(now_wall_us / 1000000), next;
    struct tm tm;
    if (finest == NEVER || localtime_r(&now, &tm) == NULL)
        return 0;
    switch (finest) {
    case EACH_SECOND:
        next = now + 1;
        break;
    case EACH_MINUTE:
        next = now + 60 - MIN_OF(tm.tm_sec, 59);
        break;
    case EACH_HOUR:
        next = now + 3600 - tm.tm_min * 60 - MIN_OF(tm.tm_sec, 59);
        break;
    default:
        tm.tm_mday++;
        tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
        tm.tm_isdst = -1;
        next = mktime(&tm);
        if (next <= now) // a midnight that is left out where clocks are set forward
            next = now + 3600;
        break;
    }
    return (int64_t)next * 1000000;
}

static size_t time_text(const char *format, size_t len, int64_t now_wall_us, char *out, size_t room)
{
    char fmt[256];
    time_t now = (time_t)(now_wall_us / 1000000);
    struct tm tm;
    if (len == 0 || len >= sizeof fmt || localtime_r(&now, &tm) == NULL)
        return 0;
    memcpy(fmt, format, len);
    fmt[len] = '\0';
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" // the format is the user's status line
    return strftime(out, room, fmt, &tm);
#pragma GCC diagnostic pop
}

// --- reading

static void cells_add(struct cells *c, uint32_t glyph, unsigned width, const struct style *style)
{
    if (width == 0 || c->n + width > LINE_MAX_CELLS)
        return;
    if (c->n + width > c->room) {
        c->room = MAX_OF(c->room * 2, 64u);
        c->cells = xreallocarray(c->cells, c->room, sizeof *c->cells);
    }
    memset(&c->cells[c->n], 0, width * sizeof *c->cells);
    c->n += width;
    cells_put(c->cells, c->n, c->n - width, glyph, width, style);
}

static void cells_add_text(struct cells *c, const char *text, size_t len, const struct style *style,
                           struct texts *clusters)
{
    for (size_t at = 0; at < len;) {
        uint32_t glyph;
        unsigned width;
        at += glyph_next(text + at, len - at, clusters, &glyph, &width);
        cells_add(c, glyph, width, style);
    }
}

static enum part part_of(const struct markup *m, const struct layout *l)
{
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
        return l->has_list && m->align == l->list_align ? PART_AFTER : PART_CENTRE;
    return l->has_list ? PART_AFTER : PART_LEFT;
}

// Text up to the next thing that is not: returns its length.
static size_t plain_length(const char *s, size_t len)
{
    size_t n = 0;
    while (n < len && s[n] != '#' && s[n] != STATUS_TIME)
        n++;
    return n;
}

static void layout_markup(struct layout *l, struct markup *m, struct style defaults[DEFAULTS_MAX],
                          unsigned *depth, const char *words)
{
    if (!markup_parse(m, &defaults[*depth], words))
        return;
    if (m->dflt == DEFAULT_PUSH && *depth + 1 < DEFAULTS_MAX)
        defaults[++*depth] = m->style;
    else if (m->dflt == DEFAULT_POP && *depth > 0)
        m->style = defaults[--*depth];
    if (m->has_fill) {
        l->has_fill = true;
        l->fill = m->fill;
    }
    if (m->list != LIST_OFF && !l->has_list) {
        l->has_list = true;
        l->list_align = m->align;
    }
}

static void layout_read(struct layout *l, const char *line, const struct style *base,
                        struct texts *clusters, int64_t now_wall_us, bool is_notice)
{
    struct style defaults[DEFAULTS_MAX] = {*base};
    struct markup m = {.style = *base};
    unsigned depth = 0;
    size_t len = strlen(line);

    for (size_t at = 0; at < len;) {
        const char *s = line + at;
        size_t left = len - at, used;
        const char *end;
        char words[512], time[512];
        enum part part = part_of(&m, l);
        struct style style = style_for_drawing(&m.style);
        unsigned before = l->parts[part].n;

        if (s[0] == '#' && left > 1 && s[1] == '[' && (end = memchr(s, ']', left)) != NULL) {
            size_t n = (size_t)(end - s) - 2;
            if (n < sizeof words) {
                memcpy(words, s + 2, n);
                words[n] = '\0';
                layout_markup(l, &m, defaults, &depth, words);
            }
            at += n + 3;
            continue;
        }
        if (s[0] == '#' && left > 1 && s[1] == '#' && !is_notice) {
            cells_add(&l->parts[part], '#', 1, &style);
            used = 2;
        } else if (s[0] == STATUS_TIME && (end = memchr(s, STATUS_TIME_END, left)) != NULL) {
            size_t n = time_text(s + 1, (size_t)(end - s) - 1, now_wall_us, time, sizeof time);
            cells_add_text(&l->parts[part], time, n, &style, clusters);
            used = (size_t)(end - s) + 1;
        } else {
            used = plain_length(s, left);
            if (used == 0)
                used = 1;
            cells_add_text(&l->parts[part], s, used, &style, clusters);
        }
        if (part == PART_LIST && m.list == LIST_FOCUS) {
            if (!l->has_focus)
                l->focus_from = before;
            l->has_focus = true;
            l->focus_to = l->parts[part].n;
        }
        at += used;
    }
}

// --- placing

static void place(struct draw_cell *row, unsigned cols, unsigned x, const struct cells *c,
                  unsigned skip, unsigned n)
{
    for (unsigned i = 0; i < n && x + i < cols && skip + i < c->n; i++) {
        const struct draw_cell *cell = &c->cells[skip + i];
        if (cell->flags & CELL_WIDE_TAIL) {
            if (i == 0) // its first half is cut off
                cells_put(row, cols, x, 0, 1, &cell->style);
            continue;
        }
        bool is_cut = (cell->flags & CELL_WIDE) && i + 1 >= n;
        cells_put(row, cols, x + i, is_cut ? 0 : cell->glyph,
                  (cell->flags & CELL_WIDE) && !is_cut ? 2 : 1, &cell->style);
    }
}

static void place_list(const struct layout *l, struct draw_cell *row, unsigned cols, unsigned x,
                       unsigned n)
{
    const struct cells *list = &l->parts[PART_LIST];
    const struct cells *marker_left = &l->parts[PART_LIST_LEFT];
    const struct cells *marker_right = &l->parts[PART_LIST_RIGHT];

    if (n >= list->n) {
        place(row, cols, x, list, 0, n);
        return;
    }
    // The focus stays in the middle of what is seen.
    unsigned focus = l->has_focus ? (l->focus_from + l->focus_to) / 2 : 0;
    unsigned skip = focus > n / 2 ? focus - n / 2 : 0;
    skip = MIN_OF(skip, list->n - n);
    if (skip > 0 && n > marker_left->n) {
        place(row, cols, x, marker_left, 0, marker_left->n);
        x += marker_left->n;
        skip += marker_left->n;
        n -= marker_left->n;
    }
    if (skip + n < list->n && n > marker_right->n) {
        place(row, cols, x + n - marker_right->n, marker_right, 0, marker_right->n);
        n -= marker_right->n;
    }
    place(row, cols, x, list, skip, n);
}

static void layout_place(const struct layout *l, struct draw_cell *row, unsigned cols)
{
    unsigned left = l->parts[PART_LEFT].n, centre = l->parts[PART_CENTRE].n;
    unsigned right = l->parts[PART_RIGHT].n, list = l->parts[PART_LIST].n;
    unsigned after = l->parts[PART_AFTER].n;

    // What does not fit goes in this order.
    unsigned *const shrinking[] = {&centre, &list, &right, &after, &left};
    for (size_t i = 0; i < ARRAY_LEN(shrinking); i++) {
        unsigned all = left + centre + right + list + after;
        if (all > cols)
            *shrinking[i] -= MIN_OF(*shrinking[i], all - cols);
    }
    place(row, cols, 0, &l->parts[PART_LEFT], 0, left);
    place(row, cols, cols - right, &l->parts[PART_RIGHT], l->parts[PART_RIGHT].n - right, right);

    unsigned whole = list + after, x = left, middle;
    if (l->has_list) {
        if (l->list_align == ALIGN_CENTRE) {
            middle = left + (cols - right - left) / 2;
            x = middle - MIN_OF(middle, whole / 2);
        } else if (l->list_align == ALIGN_ABSOLUTE_CENTRE) {
            x = cols / 2 - MIN_OF(cols / 2, whole / 2);
        } else if (l->list_align == ALIGN_RIGHT) {
            x = cols - right - whole;
        }
        x = MIN_OF(MAX_OF(x, left), cols - right - whole);
        place_list(l, row, cols, x, list);
        place(row, cols, x + list, &l->parts[PART_AFTER], 0, after);
    }
    unsigned from = l->has_list ? x + whole : left, to = cols - right;
    middle = from + (to > from ? (to - from) / 2 : 0);
    place(row, cols, middle - MIN_OF(middle, centre / 2), &l->parts[PART_CENTRE], 0, centre);
}

static void draw_markup(struct draw_cell *row, unsigned cols, const char *line,
                        const struct style *base, struct texts *clusters, int64_t now_wall_us,
                        bool is_notice)
{
    struct layout l;
    struct style fill = style_for_drawing(base);

    memset(&l, 0, sizeof l);
    layout_read(&l, line, base, clusters, now_wall_us, is_notice);
    if (l.has_fill)
        fill.bg = l.fill;
    fill = style_for_drawing(&fill);
    cells_blank(row, cols, 0, cols, &fill);
    layout_place(&l, row, cols);
    for (size_t i = 0; i < PARTS; i++)
        free(l.parts[i].cells);
}

void status_draw(struct draw_cell *row, unsigned cols, const char *line, const struct style *base,
                 struct texts *clusters, int64_t now_wall_us)
{
    draw_markup(row, cols, line, base, clusters, now_wall_us, false);
}

void status_draw_notice(struct draw_cell *row, unsigned cols, const char *text,
                        const struct style *base, struct texts *clusters)
{
    draw_markup(row, cols, text, base, clusters, 0, true);
}

void status_draw_plain(struct draw_cell *row, unsigned cols, const char *text, unsigned skip,
                       const struct style *base, struct texts *clusters)
{
    struct cells c = {0};
    struct style style = style_for_drawing(base);

    cells_add_text(&c, text, strlen(text), &style, clusters);
    cells_blank(row, cols, 0, cols, &style);
    if (skip < c.n)
        place(row, cols, 0, &c, skip, c.n - skip);
    free(c.cells);
}
