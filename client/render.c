// Diffing the screen to show against the terminal's, and writing the difference.
#include "config.h"

#include "client/render.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/protocol.h"
#include "common/utf8.h"

#define UNKNOWN UINT32_MAX

struct renderer {
    const struct caps *caps;
    const struct text_tables *texts;
    bool is_utf8;
    struct canvas shown;  // what the terminal shows; its cursor fields too
    bool is_known;        // shown holds
    unsigned x, y;        // where the terminal's cursor is; UNKNOWN
    struct style style;   // the terminal's pen, reduced; link is the one open
    bool is_acs;          // line drawing charset is on
    bool is_cursor_known; // shown.is_cursor_visible holds
    bool changed_shape, changed_colour; // from what the terminal had at start
    struct strbuf body;
};

// Frames that write more than this hide the cursor meanwhile, and are marked as one picture where
// the terminal knows how.
#define HIDE_CURSOR_BYTES 160
#define SYNC_BYTES 1024

struct renderer *renderer_new(const struct caps *caps, bool is_utf8, const struct text_tables *texts)
{
    struct renderer *r = xcalloc(1, sizeof *r);
    r->caps = caps;
    r->texts = texts;
    r->is_utf8 = is_utf8;
    r->x = r->y = UNKNOWN;
    return r;
}

void renderer_free(struct renderer *r)
{
    if (r == NULL)
        return;
    canvas_free(&r->shown);
    strbuf_free(&r->body);
    free(r);
}

void renderer_forget(struct renderer *r)
{
    r->is_known = false;
}

const struct canvas *renderer_shown(const struct renderer *r)
{
    return &r->shown;
}

// --- glyphs

// Characters of line drawing: the VT100 letter, and what stands for it in ASCII.
static const struct {
    uint32_t cp;
    char letter, ascii;
} line_glyphs[] = {
    {0x2500, 'q', '-'}, {0x2501, 'q', '-'}, {0x2502, 'x', '|'}, {0x2503, 'x', '|'},
    {0x250C, 'l', '+'}, {0x250F, 'l', '+'}, {0x2510, 'k', '+'}, {0x2513, 'k', '+'},
    {0x2514, 'm', '+'}, {0x2517, 'm', '+'}, {0x2518, 'j', '+'}, {0x251B, 'j', '+'},
    {0x251C, 't', '+'}, {0x2523, 't', '+'}, {0x2524, 'u', '+'}, {0x252B, 'u', '+'},
    {0x252C, 'w', '+'}, {0x2533, 'w', '+'}, {0x2534, 'v', '+'}, {0x253B, 'v', '+'},
    {0x253C, 'n', '+'}, {0x254B, 'n', '+'}, {0x2550, 'q', '-'}, {0x2551, 'x', '|'},
    {0x2554, 'l', '+'}, {0x2557, 'k', '+'}, {0x255A, 'm', '+'}, {0x255D, 'j', '+'},
    {0x2560, 't', '+'}, {0x2563, 'u', '+'}, {0x2566, 'w', '+'}, {0x2569, 'v', '+'},
    {0x256C, 'n', '+'}, {0x256D, 'l', '+'}, {0x256E, 'k', '+'}, {0x256F, 'j', '+'},
    {0x2570, 'm', '+'}, {0x2592, 'a', '#'}, {0x25C6, '`', '*'}, {0x00B0, 'f', 'o'},
    {0x00B1, 'g', '#'}, {0x00B7, '~', '.'}, {0x2264, 'y', '<'}, {0x2265, 'z', '>'},
    {0x03C0, '{', '*'}, {0x2260, '|', '!'}, {0x00A3, '}', 'f'}, {0x2190, ',', '<'},
    {0x2192, '+', '>'}, {0x2191, '-', '^'}, {0x2193, '.', 'v'}, {0x2588, '0', '#'},
    {0x23BA, 'o', '-'}, {0x23BB, 'p', '-'}, {0x23BC, 'r', '-'}, {0x23BD, 's', '_'},
};

// Characters that terminals do not agree about the width of: what follows them is placed by
// absolute address, so that a different opinion cannot shift the rest of the row.
static bool is_width_doubtful(uint32_t glyph)
{
    if (glyph < 0x1100)
        return glyph >= 0x300 && utf8_width(glyph) != 1;
    if (glyph & GLYPH_CLUSTER)
        return true;
    if (glyph >= 0x2500 && glyph < 0x25A0)
        return false; // lines and blocks
    return (glyph >= 0x1100 && glyph < 0x1200) || (glyph >= 0x2190 && glyph < 0x2C00) ||
           (glyph >= 0xD7B0 && glyph < 0xF900) || glyph >= 0x10000;
}

static void charset_set(struct renderer *r, struct strbuf *out, bool is_acs)
{
    if (r->is_acs == is_acs)
        return;
    strbuf_add_str(out, is_acs ? r->caps->smacs : r->caps->rmacs);
    r->is_acs = is_acs;
}

// Writes a glyph as the terminal can show it. `width` columns are filled.
static void glyph_write(struct renderer *r, struct strbuf *out, uint32_t glyph, unsigned width)
{
    if (glyph == 0)
        glyph = ' ';
    if (glyph < 0x80) {
        charset_set(r, out, false);
        strbuf_add_char(out, (char)glyph);
        return;
    }
    if (r->is_utf8) {
        if (glyph & GLYPH_CLUSTER) {
            const char *text = texts_get(r->texts->clusters, glyph & ~GLYPH_CLUSTER);
            strbuf_add_str(out, text != NULL ? text : "\xEF\xBF\xBD");
        } else {
            char text[UTF8_MAX_BYTES];
            strbuf_add(out, text, utf8_encode(glyph, text));
        }
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(line_glyphs); i++) {
        if (line_glyphs[i].cp != glyph || width != 1)
            continue;
        char letter = r->caps->acs[(unsigned char)line_glyphs[i].letter];
        charset_set(r, out, letter != 0);
        strbuf_add_char(out, letter != 0 ? letter : line_glyphs[i].ascii);
        return;
    }
    charset_set(r, out, false);
    for (unsigned i = 0; i < width; i++)
        strbuf_add_char(out, '_');
}

// --- pen and cursor

static void link_set(struct renderer *r, struct strbuf *out, uint16_t link)
{
    if (r->style.link == link)
        return;
    r->style.link = link;
    const char *text = link != 0 ? texts_get(r->texts->links, link) : NULL;
    const char *uri = text != NULL ? strchr(text, ';') : NULL;
    if (uri == NULL) {
        strbuf_add_str(out, "\033]8;;\033\\");
        return;
    }
    // "id;uri". Without an id of its own it gets one: what is drawn piece by piece is one link.
    if (uri > text)
        strbuf_addf(out, "\033]8;id=%s\033\\", text);
    else
        strbuf_addf(out, "\033]8;id=amux-%u%s\033\\", link, text);
}

static void pen_set(struct renderer *r, struct strbuf *out, const struct style *style)
{
    if (style_equal(&r->style, style))
        return;
    link_set(r, out, style->link);
    sgr_change(r->caps, &r->style, style, out);
    r->style = *style;
}

// A pen for a blank: what does not show on it stays as it is.
static void pen_set_for_blank(struct renderer *r, struct strbuf *out, const struct style *style)
{
    if (r->style.bg == style->bg && r->style.link == style->link &&
        (style->attrs & ATTR_ON_BLANKS) == 0 && (r->style.attrs & ATTR_ON_BLANKS) == 0)
        return;
    pen_set(r, out, style);
}

struct move {
    char text[48];
    size_t len;
};

static void move_consider(struct move *best, const char *text)
{
    size_t len = strlen(text);
    if (best->len == 0 || len < best->len) {
        memcpy(best->text, text, len + 1);
        best->len = len;
    }
}

static bool is_address(unsigned n)
{
    return n != UNKNOWN;
}

// The shortest sequence that brings the cursor from (r->x, r->y) to (x, y). Empty if it is there.
static struct move move_find(const struct renderer *r, unsigned x, unsigned y)
{
    const struct caps *c = r->caps;
    struct move best = {.len = 0};
    char s[48];

    if (r->x == x && r->y == y)
        return best;
    if (x == 0 && y == 0)
        snprintf(s, sizeof s, "\033[H");
    else if (x == 0)
        snprintf(s, sizeof s, "\033[%uH", y + 1);
    else
        snprintf(s, sizeof s, "\033[%u;%uH", y + 1, x + 1);
    move_consider(&best, s);

    if (r->y == y) {
        if (x == 0)
            move_consider(&best, "\r");
        if (caps_has(c, FEATURE_HPA)) {
            snprintf(s, sizeof s, "\033[%uG", x + 1);
            move_consider(&best, s);
        }
        if (is_address(r->x) && x < r->x) {
            unsigned n = r->x - x;
            if (n <= 3)
                move_consider(&best, &"\b\b\b"[3 - n]);
            if (caps_has(c, FEATURE_CUB)) {
                snprintf(s, sizeof s, n == 1 ? "\033[D" : "\033[%uD", n);
                move_consider(&best, s);
            }
        }
        if (is_address(r->x) && x > r->x && caps_has(c, FEATURE_CUF)) {
            unsigned n = x - r->x;
            snprintf(s, sizeof s, n == 1 ? "\033[C" : "\033[%uC", n);
            move_consider(&best, s);
        }
        return best;
    }
    if (!is_address(r->y))
        return best;
    // Another row: straight up or down, where the column is right or is to be the first.
    bool same_x = r->x == x;
    if (same_x && caps_has(c, FEATURE_VPA)) {
        snprintf(s, sizeof s, "\033[%ud", y + 1);
        move_consider(&best, s);
    }
    if (y > r->y) {
        unsigned n = y - r->y;
        if (n <= 4 && (same_x || x == 0)) {
            snprintf(s, sizeof s, "%s%.*s", same_x ? "" : "\r", (int)n, "\n\n\n\n");
            move_consider(&best, s);
        }
        if (same_x && caps_has(c, FEATURE_CUD)) {
            snprintf(s, sizeof s, n == 1 ? "\033[B" : "\033[%uB", n);
            move_consider(&best, s);
        }
    } else if (same_x && caps_has(c, FEATURE_CUU)) {
        unsigned n = r->y - y;
        snprintf(s, sizeof s, n == 1 ? "\033[A" : "\033[%uA", n);
        move_consider(&best, s);
    }
    return best;
}

static void cursor_move(struct renderer *r, struct strbuf *out, unsigned x, unsigned y)
{
    struct move m = move_find(r, x, y);
    strbuf_add(out, m.text, m.len);
    r->x = x;
    r->y = y;
}

// --- rows

// Whether a cell can be made by erasing: a blank that shows nothing but a background that erasing
// paints.
static bool is_erasable(const struct renderer *r, const struct draw_cell *cell)
{
    return cell->glyph == 0 && cell->flags == 0 && (cell->style.attrs & ATTR_ON_BLANKS) == 0 &&
           cell->style.link == 0 &&
           (cell->style.bg == COLOUR_DEFAULT || caps_has(r->caps, FEATURE_BCE));
}

static unsigned cell_width(const struct draw_cell *cell)
{
    return cell->flags & CELL_WIDE ? 2 : 1;
}

// Writes the cell at x, the cursor being there.
static void cell_write(struct renderer *r, struct strbuf *out, const struct draw_cell *cell)
{
    unsigned width = cell_width(cell);
    struct style pen = sgr_reduce(r->caps, &cell->style);

    if (cell->glyph == 0)
        pen_set_for_blank(r, out, &pen);
    else
        pen_set(r, out, &pen);
    glyph_write(r, out, cell->glyph, width);
    r->x += width;
    if (r->x >= r->shown.cols) {
        // The wrap is pending, or has happened: the column says nothing any more.
        r->x = UNKNOWN;
        if (!caps_has(r->caps, FEATURE_XENL))
            r->y = UNKNOWN;
    } else if (r->is_utf8 && is_width_doubtful(cell->glyph)) {
        r->x = UNKNOWN;
    }
}

// The gap of equal cells [from, to) before the next change: true if it is cheaper to write them
// again than to move over them.
static bool is_gap_cheap(struct renderer *r, const struct draw_cell *row, unsigned from, unsigned to,
                         unsigned y)
{
    if (r->x != from || to - from > 8)
        return false;
    for (unsigned x = from; x < to; x++) {
        if (row[x].glyph >= 0x7f || row[x].flags != 0)
            return false;
        struct style pen = sgr_reduce(r->caps, &row[x].style);
        if (row[x].glyph == 0 ? pen.bg != r->style.bg || pen.link != r->style.link ||
                                    ((pen.attrs | r->style.attrs) & ATTR_ON_BLANKS) != 0
                              : !style_equal(&pen, &r->style))
            return false;
    }
    return to - from <= move_find(r, to, y).len;
}

// Number of cells from x on that are the same erasable blank as the one at x.
static unsigned blank_run(const struct renderer *r, const struct draw_cell *row, unsigned cols,
                          unsigned x)
{
    if (!is_erasable(r, &row[x]))
        return 0;
    unsigned n = 1;
    while (x + n < cols && draw_cell_equal(&row[x], &row[x + n]))
        n++;
    return n;
}

// Number of equal ASCII glyphs from x on.
static unsigned glyph_run(const struct draw_cell *row, unsigned cols, unsigned x)
{
    unsigned n = 1;
    while (x + n < cols && draw_cell_equal(&row[x], &row[x + n]))
        n++;
    return n;
}

static void row_draw(struct renderer *r, struct strbuf *out, const struct draw_cell *next, unsigned y)
{
    unsigned cols = r->shown.cols;
    struct draw_cell *old = canvas_row(&r->shown, y);
    unsigned end = cols; // one beyond the last cell that differs

    if (memcmp(old, next, cols * sizeof *old) == 0)
        return;
    // Where writing the last cell of the screen would scroll it, it is left as it is.
    if (y + 1 == r->shown.rows && caps_has(r->caps, FEATURE_AM) &&
        !caps_has(r->caps, FEATURE_XENL))
        end = next[cols - 1].flags & CELL_WIDE_TAIL ? cols - 2 : cols - 1;
    while (end > 0 && draw_cell_equal(&old[end - 1], &next[end - 1]))
        end--;

    bool must_write_next = false; // what the terminal shows there may not be what is thought
    for (unsigned x = 0; x < end;) {
        if (!must_write_next && draw_cell_equal(&old[x], &next[x])) {
            x++;
            continue;
        }
        must_write_next = false;
        if ((next[x].flags & CELL_WIDE_TAIL) && x > 0)
            x--; // a wide character is written as a whole
        if (r->y == y && is_address(r->x) && r->x < x && is_gap_cheap(r, next, r->x, x, y)) {
            for (unsigned gap = r->x; gap < x; gap++)
                cell_write(r, out, &next[gap]);
        }
        unsigned blanks = blank_run(r, next, cols, x);
        unsigned changed = blanks < end - x ? blanks : end - x;
        if (blanks > 3 && x + blanks == cols && caps_has(r->caps, FEATURE_EL) && changed > 3) {
            cursor_move(r, out, x, y);
            struct style pen = sgr_reduce(r->caps, &next[x].style);
            pen_set_for_blank(r, out, &pen);
            strbuf_add_str(out, "\033[K");
            break;
        }
        if (changed > 9 && caps_has(r->caps, FEATURE_ECH)) {
            cursor_move(r, out, x, y);
            struct style pen = sgr_reduce(r->caps, &next[x].style);
            pen_set_for_blank(r, out, &pen);
            strbuf_addf(out, "\033[%uX", changed);
            x += changed;
            continue;
        }
        cursor_move(r, out, x, y);
        if (next[x].glyph != 0 && next[x].glyph < 0x7f && caps_has(r->caps, FEATURE_REP)) {
            unsigned same = glyph_run(next, cols, x);
            same = MIN_OF(same, end - x);
            // Not up to the last columns: whether the wrap is pending then is not agreed upon
            // (libvterm takes it as pending one column early).
            if (x + same + 1 >= cols)
                same = cols > x + 2 ? cols - 2 - x : 0;
            if (same > 6) {
                cell_write(r, out, &next[x]);
                strbuf_addf(out, "\033[%ub", same - 1);
                x += same;
                r->x = x;
                continue;
            }
        }
        must_write_next = r->is_utf8 && is_width_doubtful(old[x].glyph) &&
                          x + cell_width(&next[x]) < cols;
        if (must_write_next && x + cell_width(&next[x]) >= end)
            end = x + cell_width(&next[x]) + 1;
        cell_write(r, out, &next[x]);
        x += cell_width(&next[x]);
    }
    memcpy(old, next, cols * sizeof *old);
}

// --- scrolling

// Cells of the rows top to bottom that differ from `next`, the shown ones being moved up by `lines`.
static size_t cells_differing(const struct renderer *r, const struct canvas *next, unsigned top,
                              unsigned bottom, int lines)
{
    static const struct draw_cell blank;
    size_t n = 0;
    for (unsigned y = top; y <= bottom; y++) {
        const struct draw_cell *want = canvas_row(next, y);
        long from = (long)y + lines;
        const struct draw_cell *have = NULL;
        if (from >= (long)top && from <= (long)bottom)
            have = canvas_row(&r->shown, (unsigned)from);
        if (have != NULL && memcmp(have, want, next->cols * sizeof *want) == 0)
            continue;
        for (unsigned x = 0; x < next->cols; x++)
            n += !draw_cell_equal(have != NULL ? &have[x] : &blank, &want[x]);
    }
    return n;
}

static void region_scroll(struct renderer *r, struct strbuf *out, const struct canvas *next,
                          const struct scroll_hint *hint)
{
    const struct caps *c = r->caps;
    struct canvas *shown = &r->shown;
    unsigned top = hint->top, bottom = hint->bottom;
    static const struct style plain;

    if (bottom >= shown->rows || top >= bottom || hint->lines == 0)
        return;
    unsigned height = bottom - top + 1;
    unsigned n = hint->lines > 0 ? (unsigned)hint->lines : 0u - (unsigned)hint->lines;
    if (n >= height)
        return;
    bool is_up = hint->lines > 0;
    bool is_whole = top == 0 && bottom + 1 == shown->rows;
    bool has_many = caps_has(c, is_up ? FEATURE_INDN : FEATURE_RIN);
    if (!caps_has(c, is_up ? FEATURE_IND : FEATURE_RI) ||
        (!is_whole && !caps_has(c, FEATURE_CSR)) || (!has_many && n > 40))
        return;
    size_t without = cells_differing(r, next, top, bottom, 0);
    size_t with = cells_differing(r, next, top, bottom, hint->lines);
    if (without < with + 24 + (has_many ? 0 : n))
        return;

    pen_set(r, out, &plain); // the rows that come in take the pen's background
    if (!is_whole) {
        strbuf_addf(out, "\033[%u;%ur", top + 1, bottom + 1);
        r->x = r->y = UNKNOWN;
    }
    if (is_up && (n == 1 || !has_many)) {
        cursor_move(r, out, 0, bottom);
        for (unsigned i = 0; i < n; i++)
            strbuf_add_char(out, '\n');
    } else if (is_up) {
        strbuf_addf(out, "\033[%uS", n);
    } else if (n == 1 || !has_many) {
        cursor_move(r, out, 0, top);
        for (unsigned i = 0; i < n; i++)
            strbuf_add_str(out, "\033M");
    } else {
        strbuf_addf(out, "\033[%uT", n);
    }
    if (!is_whole) {
        strbuf_add_str(out, "\033[r");
        r->x = r->y = UNKNOWN; // at home, but older terminals do not all agree
    }
    size_t row_bytes = shown->cols * sizeof *shown->cells;
    if (is_up) {
        memmove(canvas_row(shown, top), canvas_row(shown, top + n), (height - n) * row_bytes);
        memset(canvas_row(shown, bottom + 1 - n), 0, n * row_bytes);
    } else {
        memmove(canvas_row(shown, top + n), canvas_row(shown, top), (height - n) * row_bytes);
        memset(canvas_row(shown, top), 0, n * row_bytes);
    }
}

// --- frames

static void cursor_show(struct renderer *r, struct strbuf *out, bool is_visible)
{
    if (r->is_cursor_known && r->shown.is_cursor_visible == is_visible)
        return;
    r->is_cursor_known = true;
    r->shown.is_cursor_visible = is_visible;
    if (caps_has(r->caps, FEATURE_CIVIS))
        strbuf_add_str(out, is_visible ? "\033[?25h" : "\033[?25l");
}

static void cursor_dress(struct renderer *r, struct strbuf *out, const struct canvas *next)
{
    if (r->shown.cursor_shape != next->cursor_shape) {
        if (caps_has(r->caps, FEATURE_CURSOR_SHAPE))
            strbuf_addf(out, "\033[%u q", next->cursor_shape % 7u);
        r->shown.cursor_shape = next->cursor_shape;
        r->changed_shape = true;
    }
    if (r->shown.cursor_colour != next->cursor_colour) {
        if (caps_has(r->caps, FEATURE_CURSOR_COLOUR)) {
            if (next->cursor_colour == 0)
                strbuf_add_str(out, "\033]112\007");
            else
                strbuf_addf(out, "\033]12;#%06x\007", (unsigned)(next->cursor_colour & 0xFFFFFF));
        }
        r->shown.cursor_colour = next->cursor_colour;
        r->changed_colour = true;
    }
}

// Brings the terminal into a state that is known: all blank, cursor at home.
static void start_anew(struct renderer *r, struct strbuf *out, const struct canvas *next)
{
    uint8_t shape = r->shown.cursor_shape;
    uint32_t colour = r->shown.cursor_colour;

    canvas_resize(&r->shown, next->cols, next->rows);
    r->shown.cursor_shape = shape;
    r->shown.cursor_colour = colour;
    if (caps_has(r->caps, FEATURE_CSR))
        strbuf_add_str(out, "\033[r");
    strbuf_add_str(out, "\033[m");
    if (!r->is_utf8) {
        strbuf_add_str(out, r->caps->enacs);
        strbuf_add_str(out, r->caps->rmacs);
    }
    r->is_acs = false;
    memset(&r->style, 0, sizeof r->style);
    strbuf_add_str(out, r->caps->clear[0] != '\0' ? r->caps->clear : "\033[H\033[J");
    r->x = r->y = UNKNOWN;
    r->is_cursor_known = false;
    r->is_known = true;
}

void renderer_draw(struct renderer *r, const struct canvas *next, const struct scroll_hint *hints,
                   size_t n_hints, struct strbuf *out)
{
    struct strbuf *body = &r->body;
    bool was_known = r->is_known && r->shown.cols == next->cols && r->shown.rows == next->rows;

    strbuf_clear(body);
    if (!was_known)
        start_anew(r, body, next);
    else
        for (size_t i = 0; i < n_hints; i++)
            region_scroll(r, body, next, &hints[i]);
    for (unsigned y = 0; y < next->rows; y++)
        row_draw(r, body, canvas_row(next, y), y);

    bool is_large = body->len > HIDE_CURSOR_BYTES;
    bool is_synced = body->len > SYNC_BYTES && caps_has(r->caps, FEATURE_SYNC);
    if (is_synced)
        strbuf_add_str(out, "\033[?2026h");
    if (is_large || !next->is_cursor_visible || !was_known)
        cursor_show(r, out, false);
    if (body->len > 0)
        strbuf_add(out, body->data, body->len);
    cursor_dress(r, out, next);
    if (next->is_cursor_visible) {
        unsigned x = MIN_OF(next->cursor_x, next->cols - 1);
        unsigned y = MIN_OF(next->cursor_y, next->rows - 1);
        // Behind what was just typed, writing a blank again is shorter than a move.
        if (r->y == y && is_address(r->x) && r->x < x &&
            is_gap_cheap(r, canvas_row(next, y), r->x, x, y)) {
            for (unsigned gap = r->x; gap < x; gap++)
                cell_write(r, out, &canvas_row(next, y)[gap]);
        }
        cursor_move(r, out, x, y);
        cursor_show(r, out, true);
    }
    r->shown.cursor_x = next->cursor_x;
    r->shown.cursor_y = next->cursor_y;
    if (is_synced)
        strbuf_add_str(out, "\033[?2026l");
}

void renderer_reset(struct renderer *r, struct strbuf *out)
{
    link_set(r, out, 0);
    charset_set(r, out, false);
    if (caps_has(r->caps, FEATURE_CSR))
        strbuf_add_str(out, "\033[r");
    strbuf_add_str(out, "\033[m");
    if (r->changed_shape && caps_has(r->caps, FEATURE_CURSOR_SHAPE))
        strbuf_add_str(out, "\033[0 q");
    if (r->changed_colour && caps_has(r->caps, FEATURE_CURSOR_COLOUR))
        strbuf_add_str(out, "\033]112\007");
    if (caps_has(r->caps, FEATURE_CIVIS))
        strbuf_add_str(out, "\033[?25h");
    r->shown.cursor_shape = CURSOR_DEFAULT;
    r->shown.cursor_colour = 0;
    r->changed_shape = r->changed_colour = false;
    memset(&r->style, 0, sizeof r->style);
    r->is_known = false;
    r->is_cursor_known = false;
}
