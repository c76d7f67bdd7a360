// Layout of a status line: left, window list, right, as the client will draw them.
#include "server/push/status_layout.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/utf8.h"
#include "common/util.h"

#define MARKUP_MAX_BYTES 512
#define TIME_MAX_BYTES   128

// One step through markup: a #[...], a time field or a character.
struct piece {
    size_t len;
    unsigned cols;
    bool is_markup;
};

static unsigned time_cols(const char *format, size_t len)
{
    char fmt[TIME_MAX_BYTES], text[TIME_MAX_BYTES * 2];
    if (len >= sizeof fmt)
        return 0;
    memcpy(fmt, format, len);
    fmt[len] = '\0';
    time_t now = (time_t)(clock_wall_us() / 1000000);
    struct tm tm;
    if (localtime_r(&now, &tm) == NULL)
        return 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    size_t n = strftime(text, sizeof text, fmt, &tm);
#pragma GCC diagnostic pop
    text[n] = '\0';
    return utf8_string_width(text);
}

static struct piece piece_at(const char *s, size_t left)
{
    if (left >= 2 && s[0] == '#' && s[1] == '[') {
        const char *end = memchr(s, ']', left);
        if (end != NULL)
            return (struct piece){(size_t)(end - s) + 1, 0, true};
    }
    if (left >= 2 && s[0] == '#' && s[1] == '#')
        return (struct piece){2, 1, false};
    if (s[0] == STATUS_TIME) {
        const char *end = memchr(s, STATUS_TIME_END, left);
        if (end != NULL)
            return (struct piece){(size_t)(end - s) + 1, time_cols(s + 1, (size_t)(end - s) - 1),
                                  false};
    }
    uint32_t cp;
    size_t len = utf8_next(s, left, &cp);
    int width = utf8_width(cp);
    return (struct piece){len, width > 0 ? (unsigned)width : 0, false};
}

size_t status_layout_prefix(const char *text, unsigned max_cols)
{
    size_t at = 0, len = strlen(text);
    unsigned cols = 0;
    while (at < len) {
        struct piece p = piece_at(text + at, len - at);
        if (cols + p.cols > max_cols)
            break;
        cols += p.cols;
        at += p.len;
    }
    return at;
}

// The line's parts, each with its own columns. A list stands between what comes before and after
// it.
enum part {
    PART_LEFT,
    PART_CENTRE,
    PART_RIGHT,
    PART_LIST,
    PART_AFTER,
    PART_LIST_LEFT,
    PART_LIST_RIGHT,
    PARTS
};
struct span { // columns from..to of a part belong to a range
    enum part part;
    unsigned from, to;
    struct status_range range;
};
struct layout {
    unsigned cols[PARTS];
    struct span *spans;
    size_t n;
    bool has_list, has_focus;
    enum style_align list_align;
    unsigned focus_from, focus_to;
};

static void layout_add(struct layout *l, enum part part, unsigned cols, const struct markup *m)
{
    unsigned from = l->cols[part];
    l->cols[part] += cols;
    if (part == PART_LIST && m->list == LIST_FOCUS) {
        if (!l->has_focus)
            l->focus_from = from;
        l->has_focus = true;
        l->focus_to = from + cols;
    }
    if (m->range == RANGE_NONE || cols == 0)
        return;
    struct span *last = l->n > 0 ? &l->spans[l->n - 1] : NULL;
    if (last != NULL && last->part == part && last->to == from && last->range.type == m->range &&
        last->range.arg == m->range_arg) {
        last->to += cols;
        return;
    }
    l->spans = xreallocarray(l->spans, l->n + 1, sizeof *l->spans);
    l->spans[l->n++] = (struct span){part, from, from + cols, {m->range, m->range_arg}};
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

static void layout_read(struct layout *l, const char *line)
{
    struct markup m = {0};
    const struct style base = {0};
    size_t len = strlen(line);
    for (size_t at = 0; at < len;) {
        struct piece p = piece_at(line + at, len - at);
        if (p.is_markup) {
            char words[MARKUP_MAX_BYTES];
            size_t n = p.len - 3;
            if (n < sizeof words) {
                memcpy(words, line + at + 2, n);
                words[n] = '\0';
                markup_parse(&m, &base, words);
                if (m.list != LIST_OFF && !l->has_list) {
                    l->has_list = true;
                    l->list_align = m.align;
                }
            }
        } else {
            layout_add(l, part_of(&m, l), p.cols, &m);
        }
        at += p.len;
    }
}

// Where the shown piece of each part begins: column in the line, and how much of the part is cut
// off in front and how much is shown.
struct place {
    unsigned x, skip, shown;
};

static void layout_place(const struct layout *l, unsigned cols, struct place out[PARTS])
{
    unsigned left = l->cols[PART_LEFT], centre = l->cols[PART_CENTRE], right = l->cols[PART_RIGHT];
    unsigned list = l->cols[PART_LIST], after = l->cols[PART_AFTER];
    // What does not fit goes from the middle first: centre, then the list, then what follows it.
    while (left + centre + right + list + after > cols) {
        if (centre > 0)
            centre--;
        else if (list > 0)
            list--;
        else if (right > 0)
            right--;
        else if (after > 0)
            after--;
        else
            left--;
    }
    memset(out, 0, sizeof *out * PARTS);
    out[PART_LEFT] = (struct place){0, 0, left};
    // The end of the right part is kept.
    out[PART_RIGHT] = (struct place){cols - right, l->cols[PART_RIGHT] - right, right};

    unsigned x = left, whole = list + after;
    if (l->has_list) {
        if (l->list_align == ALIGN_CENTRE) {
            unsigned middle = left + (cols - right - left) / 2;
            x = middle - MIN_OF(middle, whole / 2);
        } else if (l->list_align == ALIGN_ABSOLUTE_CENTRE) {
            x = cols / 2 - MIN_OF(cols / 2, whole / 2);
        } else if (l->list_align == ALIGN_RIGHT) {
            x = cols - right - whole;
        }
        x = MIN_OF(MAX_OF(x, left), cols - right - whole);
    }
    unsigned skip = 0;
    if (list < l->cols[PART_LIST]) {
        unsigned focus = l->has_focus ? (l->focus_from + l->focus_to) / 2 : 0;
        skip = focus > list / 2 ? focus - list / 2 : 0;
        skip = MIN_OF(skip, l->cols[PART_LIST] - list);
        unsigned marker_left = l->cols[PART_LIST_LEFT], marker_right = l->cols[PART_LIST_RIGHT];
        unsigned list_x = x;
        if (skip > 0 && list > marker_left) {
            list_x += marker_left;
            skip += marker_left;
            list -= marker_left;
        }
        if (skip + list < l->cols[PART_LIST] && list > marker_right)
            list -= marker_right;
        out[PART_LIST] = (struct place){list_x, skip, list};
    } else {
        out[PART_LIST] = (struct place){x, 0, list};
    }
    out[PART_AFTER] = (struct place){x + whole - after, 0, after};
    unsigned room_from = left, room_to = cols - right;
    if (l->has_list) // beside the list, not on it
        room_from = x + whole;
    unsigned middle = room_from + (room_to > room_from ? (room_to - room_from) / 2 : 0);
    out[PART_CENTRE] = (struct place){middle - MIN_OF(middle, centre / 2), 0, centre};
}

struct status_range status_layout_at(const char *line, unsigned cols, unsigned x)
{
    struct layout l = {0};
    struct place places[PARTS];
    struct status_range found = {RANGE_NONE, 0};
    layout_read(&l, line);
    layout_place(&l, cols, places);
    for (size_t i = 0; i < l.n; i++) {
        const struct span *s = &l.spans[i];
        const struct place *p = &places[s->part];
        if (x < p->x || x >= p->x + p->shown)
            continue;
        unsigned at = x - p->x + p->skip;
        if (at >= s->from && at < s->to)
            found = s->range;
    }
    free(l.spans);
    return found;
}
