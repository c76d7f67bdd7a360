// Copy mode's motions: where the cursor goes, by characters, words, lines, paragraphs and pages.
//
// Words follow tmux: blanks part them, and a run of separators (the option word-separators) is a
// word of its own. Motions by "space" are the same with no separators.
#include "config.h"

#include <string.h>

#include "common/utf8.h"
#include "server/mode/copy.h"
#include "server/vt/vt.h"

struct copy_pos copy_cursor(const struct copy *c)
{
    return (struct copy_pos){c->cx, copy_row(c)};
}

// Puts the cursor on a column that begins a character.
static void settle_column(struct copy *c)
{
    const struct copy_line *l = copy_line(c, copy_row(c));
    c->was_moved = false;
    while (c->cx > 0 && c->cx < l->cols && l->cells[c->cx].width == 0) {
        c->cx--;
        c->was_moved = true;
    }
}

static struct copy_pos clamp_pos(const struct copy *c, struct copy_pos to)
{
    if (to.row > copy_last_row(c))
        to.row = copy_last_row(c);
    if (to.row < copy_first_row(c))
        to.row = copy_first_row(c);
    to.x = MIN_OF(to.x, c->cols);
    return to;
}

void copy_go(struct copy *c, struct copy_pos to)
{
    to = clamp_pos(c, to);
    unsigned top = copy_top(c), hsize = copy_hsize(c);
    if (to.row < top)
        c->oy = hsize - to.row;
    else if (to.row - top >= c->rows)
        c->oy = hsize - (to.row - (c->rows - 1));
    c->cy = to.row - copy_top(c);
    c->cx = to.x;
    c->was_moved = false;
    copy_update_selection(c);
}

void copy_go_far(struct copy *c, struct copy_pos to)
{
    to = clamp_pos(c, to);
    unsigned top = copy_top(c), hsize = copy_hsize(c), offset = top;
    if (to.row < top || to.row - top >= c->rows) {
        unsigned gap = MAX_OF(c->rows / 4, 1); // rows below it
        if (to.row < c->rows)
            offset = 0;
        else if (to.row > hsize + c->rows - gap)
            offset = hsize;
        else
            offset = to.row + gap - c->rows;
        offset = MIN_OF(MIN_OF(offset, hsize), to.row);
        offset = MAX_OF(offset, copy_first_row(c));
    }
    c->oy = hsize - offset;
    c->cy = to.row - offset;
    c->cx = to.x;
    c->was_moved = false;
    copy_update_selection(c);
}

void copy_scroll_to(struct copy *c, unsigned oy)
{
    c->oy = MIN_OF(oy, copy_max_oy(c));
    settle_column(c);
    copy_update_selection(c);
}

// --- Reading cells

bool copy_in_set(struct copy *c, struct copy_pos at, const char *set)
{
    size_t len;
    const char *text = copy_cell_text(c, at, &len);
    if (len == 0)
        return false;
    for (const char *s = set; *s != '\0';) {
        uint32_t cp;
        size_t n = utf8_next(s, strlen(s), &cp);
        if (n == len && memcmp(s, text, n) == 0)
            return true;
        s += n;
    }
    return false;
}

bool copy_is_blank(struct copy *c, struct copy_pos at)
{
    size_t len;
    const char *text = copy_cell_text(c, at, &len);
    return len == 1 && (*text == ' ' || *text == '\t');
}

enum cell_class { CLASS_BLANK, CLASS_SEPARATOR, CLASS_WORD };
static enum cell_class cell_class(struct copy *c, struct copy_pos at, const char *separators)
{
    const struct copy_line *l = copy_line(c, at.row);
    while (at.x > 0 && at.x < l->cols && l->cells[at.x].width == 0)
        at.x--;
    if (copy_is_blank(c, at))
        return CLASS_BLANK;
    return copy_in_set(c, at, separators) ? CLASS_SEPARATOR : CLASS_WORD;
}

// The last column that a motion by words looks at: in a row that goes on, its last; else the one
// behind the text, which counts as a blank and so parts the words of two lines.
static unsigned word_limit(struct copy *c, unsigned row)
{
    return copy_is_wrapped(c, row) ? c->cols - 1 : copy_length(c, row);
}

// Takes *at from beyond its row's limit to the next row that has it. False at the bottom.
static bool word_settle(struct copy *c, struct copy_pos *at)
{
    while (at->x > word_limit(c, at->row)) {
        if (at->row >= copy_last_row(c)) {
            at->x = word_limit(c, at->row);
            return false;
        }
        at->row++;
        at->x = 0;
    }
    return true;
}

static bool word_skip(struct copy *c, struct copy_pos *at, enum cell_class class,
                      const char *separators)
{
    while (cell_class(c, *at, separators) == class) {
        at->x++;
        if (!word_settle(c, at))
            return false;
    }
    return true;
}

struct copy_pos copy_next_word(struct copy *c, struct copy_pos at, const char *separators)
{
    if (!word_settle(c, &at))
        return at;
    enum cell_class class = cell_class(c, at, separators);
    if (class != CLASS_BLANK && !word_skip(c, &at, class, separators))
        return at;
    word_skip(c, &at, CLASS_BLANK, separators);
    return at;
}

// One behind the end of the word at or after `at`.
static struct copy_pos behind_word(struct copy *c, struct copy_pos at, const char *separators)
{
    if (!word_settle(c, &at) || !word_skip(c, &at, CLASS_BLANK, separators))
        return at;
    word_skip(c, &at, cell_class(c, at, separators), separators);
    return at;
}

static struct copy_pos step_left(struct copy *c, struct copy_pos at, bool wraps)
{
    if (at.x > 0) {
        const struct copy_line *l = copy_line(c, at.row);
        at.x--;
        while (at.x > 0 && at.x < l->cols && l->cells[at.x].width == 0)
            at.x--;
    } else if (at.row > copy_first_row(c) && (wraps || copy_is_wrapped(c, at.row - 1))) {
        at.row--;
        at.x = copy_length(c, at.row);
    }
    return at;
}

static struct copy_pos step_right(struct copy *c, struct copy_pos at, bool wraps, bool beyond_text)
{
    unsigned limit = beyond_text ? c->cols : copy_length(c, at.row);
    if (at.x < limit) {
        const struct copy_line *l = copy_line(c, at.row);
        at.x++;
        while (at.x < limit && at.x < l->cols && l->cells[at.x].width == 0)
            at.x++;
    } else if (wraps && at.row < copy_last_row(c)) {
        at.row++;
        at.x = 0;
    }
    return at;
}

struct copy_pos copy_word_end(struct copy *c, struct copy_pos at, const char *separators)
{
    if (!copy_uses_vi(c))
        return behind_word(c, at, separators);
    // In vi the cursor goes onto the last character, so it must first leave the one that it is on.
    if (!copy_is_blank(c, at))
        at = step_right(c, at, false, false);
    return step_left(c, behind_word(c, at, separators), true);
}

struct copy_pos copy_previous_word(struct copy *c, struct copy_pos at, const char *separators,
                                   bool steps_back)
{
    enum cell_class class = cell_class(c, at, separators);
    if (steps_back || class == CLASS_BLANK) {
        do {
            if (at.x > 0) {
                at.x--;
            } else {
                if (at.row == copy_first_row(c))
                    return at;
                at.row--;
                at.x = copy_length(c, at.row);
                if (at.x > 0)
                    at.x--;
            }
            class = cell_class(c, at, separators);
        } while (class == CLASS_BLANK);
    }
    for (;;) {
        struct copy_pos before = at;
        if (before.x > 0) {
            before.x--;
        } else if (before.row > copy_first_row(c) && copy_is_wrapped(c, before.row - 1)) {
            before.row--;
            before.x = c->cols - 1;
        } else {
            break;
        }
        if (cell_class(c, before, separators) != class)
            break;
        at = before;
    }
    const struct copy_line *l = copy_line(c, at.row);
    while (at.x > 0 && at.x < l->cols && l->cells[at.x].width == 0)
        at.x--;
    return at;
}

struct copy_pos copy_line_start(struct copy *c, struct copy_pos at)
{
    while (at.row > copy_first_row(c) && copy_is_wrapped(c, at.row - 1))
        at.row--;
    at.x = 0;
    return at;
}

struct copy_pos copy_line_end(struct copy *c, struct copy_pos at)
{
    while (at.row < copy_last_row(c) && copy_is_wrapped(c, at.row))
        at.row++;
    at.x = copy_length(c, at.row);
    return at;
}

struct copy_pos copy_indentation(struct copy *c, struct copy_pos at)
{
    struct copy_pos to = copy_line_start(c, at);
    for (;;) {
        unsigned length = copy_length(c, to.row);
        for (to.x = 0; to.x < length; to.x++) {
            if (!copy_is_blank(c, to))
                return to;
        }
        if (!copy_is_wrapped(c, to.row) || to.row >= copy_last_row(c))
            return at;
        to.row++;
    }
}

struct copy_pos copy_paragraph(struct copy *c, struct copy_pos at, bool is_forward)
{
    unsigned limit = is_forward ? copy_last_row(c) : copy_first_row(c);
    for (int pass = 0; pass < 2; pass++) {
        while (at.row != limit && (copy_length(c, at.row) == 0) == (pass == 0))
            at.row += is_forward ? 1 : -1u;
    }
    at.x = is_forward ? copy_length(c, at.row) : 0;
    return at;
}

// --- By one

void copy_left(struct copy *c)
{
    copy_go(c, step_left(c, copy_cursor(c), true));
}

void copy_right(struct copy *c)
{
    bool beyond_text = c->has_selection && c->is_rectangle;
    copy_go(c, step_right(c, copy_cursor(c), true, beyond_text));
}

// Up and down keep to the column one came from, and to the end of the line when one came from
// there.
static bool keeps_column(const struct copy *c)
{
    return !(c->has_selection && c->is_rectangle);
}

static void remember_column(struct copy *c)
{
    unsigned length = copy_length(c, copy_row(c));
    if (c->cx != length && !c->was_moved) {
        c->last_cx = c->cx;
        c->last_length = length;
    }
}

static void restore_column(struct copy *c)
{
    unsigned length = copy_length(c, copy_row(c));
    if ((c->cx >= c->last_length && c->cx != length) || c->cx > length)
        c->cx = length;
}

static void after_vertical(struct copy *c)
{
    if (keeps_column(c))
        restore_column(c);
    settle_column(c);
    if (c->has_selection && !c->is_stopped && c->unit == COPY_BY_LINE) {
        struct copy_pos at = copy_cursor(c);
        at.x = at.row >= c->unit_start.row ? copy_length(c, at.row) : 0;
        copy_go(c, at);
    }
    copy_update_selection(c);
}

void copy_up(struct copy *c, bool only_scrolls)
{
    if (keeps_column(c)) {
        remember_column(c);
        c->cx = c->last_cx;
    }
    if (!only_scrolls && c->cy > 0)
        c->cy--;
    else if (c->oy < copy_max_oy(c))
        c->oy++;
    after_vertical(c);
}

void copy_down(struct copy *c, bool only_scrolls)
{
    if (keeps_column(c)) {
        remember_column(c);
        c->cx = c->last_cx;
    }
    if (!only_scrolls && c->cy + 1 < c->rows)
        c->cy++;
    else if (c->oy > 0)
        c->oy--;
    after_vertical(c);
}

static unsigned page_rows(const struct copy *c, bool half)
{
    if (c->rows <= 2)
        return 1;
    return half ? c->rows / 2 : c->rows - 2;
}

void copy_page_up(struct copy *c, bool half)
{
    unsigned n = page_rows(c, half), max = copy_max_oy(c);
    remember_column(c);
    c->cx = c->last_cx;
    if (c->oy + n > max) {
        c->oy = max;
        c->cy = c->cy < n ? 0 : c->cy - n;
    } else {
        c->oy += n;
    }
    after_vertical(c);
}

bool copy_page_down(struct copy *c, bool half)
{
    unsigned n = page_rows(c, half);
    remember_column(c);
    c->cx = c->last_cx;
    if (c->oy < n) {
        c->oy = 0;
        c->cy = MIN_OF(c->cy + n, c->rows - 1);
    } else {
        c->oy -= n;
    }
    after_vertical(c);
    return c->exits_at_bottom && c->oy == 0;
}

// --- Jumps to a character, brackets, prompts

static bool cell_is(struct copy *c, struct copy_pos at, const char *text, size_t len)
{
    size_t n;
    const char *have = copy_cell_text(c, at, &n);
    return n == len && memcmp(have, text, n) == 0;
}

// The next place of the character in the unwrapped line, from `at` on.
static bool find_character(struct copy *c, struct copy_pos *at, bool is_forward)
{
    struct copy_pos p = *at;
    for (;;) {
        if (is_forward) {
            for (; p.x < copy_line(c, p.row)->cols; p.x++) {
                if (cell_is(c, p, c->jump_text, c->jump_len)) {
                    *at = p;
                    return true;
                }
            }
            if (!copy_is_wrapped(c, p.row) || p.row >= copy_last_row(c))
                return false;
            p.row++;
            p.x = 0;
        } else {
            for (p.x++; p.x-- > 0;) {
                if (cell_is(c, p, c->jump_text, c->jump_len)) {
                    *at = p;
                    return true;
                }
            }
            if (p.row <= copy_first_row(c) || !copy_is_wrapped(c, p.row - 1))
                return false;
            p.row--;
            p.x = c->cols - 1;
        }
    }
}

bool copy_jump(struct copy *c, char kind, bool is_again, unsigned repeat)
{
    (void)is_again;
    bool is_forward = kind == 'f' || kind == 't', stops_before = kind == 't' || kind == 'T';
    for (; repeat > 0; repeat--) {
        struct copy_pos at = copy_cursor(c);
        unsigned step = stops_before ? 2 : 1;
        if (is_forward) {
            at.x += step;
        } else {
            if (at.x < step && (at.row == copy_first_row(c) || !copy_is_wrapped(c, at.row - 1)))
                return false;
            if (at.x < step) {
                at.row--;
                at.x = c->cols + at.x - step;
            } else {
                at.x -= step;
            }
        }
        if (!find_character(c, &at, is_forward))
            return false;
        if (stops_before)
            at = is_forward ? step_left(c, at, false) : step_right(c, at, true, true);
        copy_go(c, at);
    }
    return true;
}

#define BRACKET_MAX_CELLS 20000 // looked at before giving up

bool copy_bracket(struct copy *c, struct copy_pos at, bool is_forward, struct copy_pos *out)
{
    static const char opening[] = "{[(", closing[] = "}])";
    const char *from = NULL;
    size_t len;
    // On a bracket of either kind its partner is meant, whichever way it lies; else the next of the
    // right kind on this line.
    for (;; at.x += is_forward ? 1 : -1u) {
        const char *text = copy_cell_text(c, at, &len);
        if (len == 1 && (from = strchr(opening, *text)) != NULL) {
            is_forward = true;
            break;
        }
        if (len == 1 && (from = strchr(closing, *text)) != NULL) {
            is_forward = false;
            break;
        }
        if (is_forward ? at.x >= copy_length(c, at.row) : at.x == 0)
            return false;
    }
    char own = *from, partner = is_forward ? closing[from - opening] : opening[from - closing];
    unsigned depth = 1;
    for (unsigned n = 0; n < BRACKET_MAX_CELLS; n++) {
        struct copy_pos next;
        if (is_forward) {
            next = step_right(c, at, true, false);
        } else {
            next = step_left(c, at, true);
        }
        if (copy_pos_compare(next, at) == 0)
            return false;
        at = next;
        const char *text = copy_cell_text(c, at, &len);
        if (len != 1)
            continue;
        if (*text == own)
            depth++;
        else if (*text == partner && --depth == 0) {
            *out = at;
            return true;
        }
    }
    return false;
}

// Looks at flags alone, which stand first in a packed row.
#define PROMPT_MAX_ROWS 20000

bool copy_prompt_row(struct copy *c, unsigned from, bool is_forward, unsigned flag, unsigned *out)
{
    for (unsigned n = 0; n < PROMPT_MAX_ROWS; n++) {
        if (is_forward ? from >= copy_last_row(c) : from <= copy_first_row(c))
            return false;
        from += is_forward ? 1 : -1u;
        size_t len;
        const void *data = copy_row_packed(c, from, &len);
        struct row_reader r;
        if (data != NULL && row_reader_init(&r, data, len) && (r.flags & flag)) {
            *out = from;
            return true;
        }
    }
    return false;
}
