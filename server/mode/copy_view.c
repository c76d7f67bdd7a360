// What copy mode shows: the snapshot's rows with selection, matches, mark and position laid over.
//
// A row's tag is its number with a state that is hashed from what lies over it, so that a frame
// sends what changed and sees scrolling, without any row being packed to find out.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/style.h"
#include "common/utf8.h"
#include "server/format/format.h"
#include "server/grid/view.h"
#include "server/mode/copy.h"
#include "server/model/model.h"
#include "server/options/options.h"

#define MATCHES_A_ROW  256
#define LINK_MAX_BYTES 2048

char *copy_indicator(const struct copy *c)
{
    if (c->hides_position)
        return NULL;
    struct strbuf b = {0};
    bool is_partial;
    unsigned count = copy_search_count(c, &is_partial);
    if (copy_is_searching(c))
        strbuf_add_str(&b, "(searching) ");
    else if (copy_search_shows(c))
        strbuf_addf(&b, "(%u%s results) ", count, is_partial ? "+" : "");
    strbuf_addf(&b, "[%u/%u]", c->oy, copy_max_oy(c));
    return strbuf_take(&b);
}

static void read_style(struct copy *c, const char *option, struct style *out)
{
    static const struct style base;
    *out = base;
    const char *words = options_string(c->pane->options, option);
    if (strstr(words, "#{") == NULL) {
        style_parse(out, &base, words);
        return;
    }
    struct format_context ctx = {.window = c->pane->window, .pane = c->pane};
    char *expanded = format_expand(&ctx, words);
    style_parse(out, &base, expanded);
    free(expanded);
}

static uint64_t mix(uint64_t h, uint64_t v)
{
    h ^= v + 0x9e3779b97f4a7c15ull + (h << 6) + (h >> 2);
    h *= 0xff51afd7ed558ccdull;
    return h ^ (h >> 33);
}

static void read_styles(struct copy *c)
{
    read_style(c, "mode-style", &c->mode_style);
    read_style(c, "copy-mode-match-style", &c->match_style);
    read_style(c, "copy-mode-current-match-style", &c->current_style);
    read_style(c, "copy-mode-mark-style", &c->mark_style);
    uint64_t h = style_hash(&c->mode_style);
    h = mix(h, style_hash(&c->match_style));
    h = mix(h, style_hash(&c->current_style));
    c->view_hash = mix(h, style_hash(&c->mark_style));
}

static uint64_t text_hash(const char *s)
{
    uint64_t h = 0xcbf29ce484222325ull;
    for (; *s != '\0'; s++)
        h = (h ^ (uint8_t)*s) * 0x100000001b3ull;
    return h;
}

// Whether a match's columns on this row are [*from, *to).
static bool match_columns(const struct copy *c, const struct copy_match *m, unsigned row,
                          unsigned *from, unsigned *to)
{
    if (row < m->start.row || row > m->end.row)
        return false;
    *from = row == m->start.row ? m->start.x : 0;
    *to = row == m->end.row ? m->end.x : c->cols;
    return *from < *to;
}

static struct row_tag view_tag(const struct view *v, unsigned y)
{
    // Looking at a selection fills caches of the mode, which are no part of what is shown.
    struct copy *c = (struct copy *)(uintptr_t)v->arg;
    unsigned row = copy_top(c) + y, from, to;
    uint64_t h = mix(c->view_hash, (uint64_t)c->serial << 32 | c->cols);
    // Above every number that a terminal gives, so that a frame never takes one for the other.
    struct row_tag tag = {.id = 1ull << 63 | (uint64_t)c->serial << 32 | row};
    if (copy_selected(c, row, &from, &to))
        h = mix(h, (uint64_t)from << 32 | to);
    if (copy_search_shows(c)) {
        struct copy_match current;
        h = mix(h, copy_search_serial(c));
        if (copy_search_current(c, &current) && match_columns(c, &current, row, &from, &to))
            h = mix(h, ~((uint64_t)from << 32 | to));
    }
    if (c->shows_mark && row == c->mark.row)
        h = mix(h, 0x6d61726bull + c->mark.x);
    if (y == 0) {
        char *text = copy_indicator(c);
        if (text != NULL)
            h = mix(h, text_hash(text));
        free(text);
    }
    tag.gen = h;
    return tag;
}

// What lies over a row.
struct overlay {
    unsigned selected_from, selected_to;
    const char *indicator;
    unsigned indicator_x;
    bool is_marked;
    unsigned mark_x;
    size_t n_matches;
    bool has_current;
    struct copy_match current;
    struct copy_match matches[MATCHES_A_ROW];
};

static void overlay_fill(struct copy *c, unsigned row, struct overlay *o)
{
    if (!copy_selected(c, row, &o->selected_from, &o->selected_to))
        o->selected_from = o->selected_to = 0;
    o->is_marked = c->shows_mark && row == c->mark.row;
    o->mark_x = c->mark.x;
    o->n_matches =
        copy_search_shows(c) ? copy_search_matches(c, row, o->matches, MATCHES_A_ROW) : 0;
    o->has_current = copy_search_current(c, &o->current);
}

static void apply_colours(struct style *s, const struct style *over)
{
    if (over->fg != COLOUR_DEFAULT)
        s->fg = over->fg;
    if (over->bg != COLOUR_DEFAULT)
        s->bg = over->bg;
    s->attrs |= over->attrs;
}

static void overlay_apply(struct copy *c, const struct overlay *o, unsigned row, unsigned x,
                          struct style *s)
{
    unsigned from, to;
    if (o->is_marked) {
        apply_colours(s, &c->mark_style);
        if (x == o->mark_x)
            s->attrs ^= ATTR_REVERSE;
    }
    for (size_t i = 0; i < o->n_matches; i++) {
        if (!match_columns(c, &o->matches[i], row, &from, &to) || x < from || x >= to)
            continue;
        bool is_current =
            o->has_current && copy_pos_compare(o->matches[i].start, o->current.start) == 0;
        apply_colours(s, is_current ? &c->current_style : &c->match_style);
        break;
    }
    if (x >= o->selected_from && x < o->selected_to) {
        uint16_t link = s->link;
        *s = c->mode_style;
        s->link = link;
    }
}

static unsigned pack_cells(struct copy *c, const struct overlay *o, unsigned row,
                           struct row_reader *r, unsigned limit)
{
    char link[LINK_MAX_BYTES];
    struct row_cell in;
    unsigned x = 0;
    while (x < limit && row_reader_next(r, &in)) {
        bool is_wide = in.is_wide;
        overlay_apply(c, o, row, x, &in.style);
        in.style.link = 0;
        const char *l = NULL;
        if (in.link != NULL && in.link_len < sizeof link) {
            memcpy(link, in.link, in.link_len);
            link[in.link_len] = '\0';
            l = link;
        }
        if (is_wide && x + 2 > limit) {
            row_packer_cell(c->packer, &in.style, NULL, "", 0, false);
            return x + 1;
        }
        row_packer_cell(c->packer, &in.style, l, in.text, in.text_len, is_wide);
        x += is_wide ? 2 : 1;
    }
    return x;
}

static void view_pack(const struct view *v, unsigned y, struct strbuf *out)
{
    struct copy *c = (struct copy *)(uintptr_t)v->arg;
    unsigned row = copy_top(c) + y;
    struct overlay o;
    overlay_fill(c, row, &o);
    char *indicator = y == 0 ? copy_indicator(c) : NULL;
    unsigned limit = c->cols, width = 0;
    if (indicator != NULL) {
        width = MIN_OF((unsigned)strlen(indicator), c->cols);
        limit = c->cols - width;
    }
    size_t len;
    const void *data = copy_row_packed(c, row, &len);
    struct row_reader r;
    bool is_there = data != NULL && row_reader_init(&r, data, len);
    row_packer_begin(c->packer, is_there ? r.flags & ~(unsigned)ROW_ASCII : 0);
    unsigned x = is_there ? pack_cells(c, &o, row, &r, limit) : 0;
    // Blank columns matter where something lies over them, or something follows.
    unsigned until = width > 0 ? limit : MIN_OF(o.selected_to, limit);
    if (o.is_marked)
        until = limit;
    for (; x < until; x++) {
        struct style s = {0};
        overlay_apply(c, &o, row, x, &s);
        row_packer_cell(c->packer, &s, NULL, "", 0, false);
    }
    if (width > 0)
        row_packer_ascii(c->packer, &c->mode_style, NULL, indicator, width);
    free(indicator);
    row_packer_end(c->packer, out);
}

static const struct view_ops copy_view_ops = {view_tag, view_pack};

void copy_fill_view(struct copy *c, struct view *out)
{
    read_styles(c);
    copy_keep_shown(c);
    *out = (struct view){
        .cols = c->cols,
        .rows = c->rows,
        .cursor = {MIN_OF(c->cx, c->cols - 1), c->cy, true, CURSOR_DEFAULT, 0},
        .ops = &copy_view_ops,
        .arg = c,
    };
}
