// Drawing: whatever was shown, the bytes lead a terminal to the picture wanted, and they are few.
// The terminal is libvterm's screen layer.
#include "config.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vterm.h>

#include "client/caps.h"
#include "client/render.h"
#include "common/protocol.h"
#include "common/utf8.h"
#include "common/util.h"

static struct text_tables texts;
static uint64_t seed;

static unsigned pick(unsigned n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(seed >> 33) % n;
}

// --- the terminal

struct terminal {
    VTerm *vt;
    VTermScreen *screen;
    struct caps *caps;
    struct renderer *renderer;
    bool is_utf8;
    VTermPos cursor;
    bool is_visible;
    struct strbuf out;
};

static int on_movecursor(VTermPos pos, VTermPos old, int visible, void *user)
{
    struct terminal *t = user;
    (void)old;
    (void)visible;
    t->cursor = pos;
    return 1;
}

static int on_termprop(VTermProp prop, VTermValue *value, void *user)
{
    struct terminal *t = user;
    if (prop == VTERM_PROP_CURSORVISIBLE)
        t->is_visible = value->boolean;
    return 1;
}

static const VTermScreenCallbacks callbacks = {.movecursor = on_movecursor,
                                               .settermprop = on_termprop};

static struct caps *load(const char *term)
{
    char *cause, *note;
    struct caps *caps = caps_load(term, 1, &cause, &note);
    ck_assert_msg(caps != NULL, "%s: %s", term, cause);
    free(note);
    return caps;
}

static void terminal_start(struct terminal *t, const char *term, unsigned cols, unsigned rows,
                           bool is_utf8)
{
    memset(t, 0, sizeof *t);
    t->vt = vterm_new((int)rows, (int)cols);
    vterm_set_utf8(t->vt, is_utf8);
    t->screen = vterm_obtain_screen(t->vt);
    vterm_screen_set_callbacks(t->screen, &callbacks, t);
    vterm_screen_enable_altscreen(t->screen, 1);
    vterm_screen_reset(t->screen, 1);
    VTermColor fg, bg;
    vterm_color_rgb(&fg, 0x12, 0x34, 0x56);
    vterm_color_rgb(&bg, 0x65, 0x43, 0x21);
    vterm_state_set_default_colors(vterm_obtain_state(t->vt), &fg, &bg);
    vterm_screen_reset(t->screen, 1);
    t->caps = load(term);
    t->is_utf8 = is_utf8;
    t->renderer = renderer_new(t->caps, is_utf8, &texts);
}

static void terminal_end(struct terminal *t)
{
    renderer_free(t->renderer);
    caps_free(t->caps);
    vterm_free(t->vt);
    strbuf_free(&t->out);
}

// Returns the bytes that the frame took.
static size_t terminal_show(struct terminal *t, const struct canvas *c,
                            const struct scroll_hint *hints, size_t n_hints)
{
    strbuf_clear(&t->out);
    renderer_draw(t->renderer, c, hints, n_hints, &t->out);
    if (t->out.len > 0)
        vterm_input_write(t->vt, t->out.data, t->out.len);
    return t->out.len;
}

static uint32_t colour_as_rgb(struct terminal *t, colour_t c, uint32_t plain)
{
    if (colour_kind(c) == COLOUR_DEFAULT)
        return plain;
    if (colour_kind(c) == COLOUR_RGB)
        return c & 0xFFFFFF;
    VTermColor v;
    vterm_color_indexed(&v, (uint8_t)(c & 0xFF));
    vterm_state_convert_color_to_rgb(vterm_obtain_state(t->vt), &v);
    return (uint32_t)v.rgb.red << 16 | (uint32_t)v.rgb.green << 8 | v.rgb.blue;
}

static uint32_t vterm_as_rgb(struct terminal *t, VTermColor v)
{
    vterm_screen_convert_color_to_rgb(t->screen, &v);
    return (uint32_t)v.rgb.red << 16 | (uint32_t)v.rgb.green << 8 | v.rgb.blue;
}

// What a glyph is to look like, as code points.
static void expected_text(const struct terminal *t, const struct draw_cell *cell,
                          uint32_t out[VTERM_MAX_CHARS_PER_CELL + 1])
{
    memset(out, 0, sizeof *out * (VTERM_MAX_CHARS_PER_CELL + 1));
    if (cell->glyph == 0 || (cell->flags & CELL_WIDE_TAIL))
        return;
    if (!t->is_utf8 && cell->glyph >= 0x80 && (cell->glyph < 0x2500 || cell->glyph > 0x253C)) {
        out[0] = '_';
    } else if (cell->glyph & GLYPH_CLUSTER) {
        const char *s = texts_get(texts.clusters, cell->glyph & ~GLYPH_CLUSTER);
        size_t len = strlen(s);
        for (size_t at = 0, i = 0; at < len && i < VTERM_MAX_CHARS_PER_CELL; i++)
            at += utf8_next(s + at, len - at, &out[i]);
    } else {
        out[0] = cell->glyph;
    }
}

static void check_cell(struct terminal *t, const struct canvas *c, unsigned x, unsigned y)
{
    const struct draw_cell *cell = &canvas_row(c, y)[x];
    VTermScreenCell got;
    VTermPos pos = {.row = (int)y, .col = (int)x};
    uint32_t text[VTERM_MAX_CHARS_PER_CELL + 1];
    char *where = xasprintf("%s column %u row %u", t->caps->term, x, y);

    if (cell->flags & CELL_WIDE_TAIL) {
        free(where);
        return;
    }
    ck_assert(vterm_screen_get_cell(t->screen, pos, &got));
    expected_text(t, cell, text);
    for (unsigned i = 0; i < VTERM_MAX_CHARS_PER_CELL && (i == 0 || text[i - 1] != 0); i++) {
        uint32_t have = got.chars[i] == ' ' ? 0 : got.chars[i];
        ck_assert_msg(have == text[i], "%s: glyph %x, wanted %x", where, have, text[i]);
    }
    struct style s = sgr_reduce(t->caps, &cell->style);
    ck_assert_msg(vterm_as_rgb(t, got.bg) == colour_as_rgb(t, s.bg, 0x654321),
                  "%s: background %06x, wanted %06x", where, vterm_as_rgb(t, got.bg),
                  colour_as_rgb(t, s.bg, 0x654321));
    ck_assert_msg(got.attrs.reverse == !!(s.attrs & ATTR_REVERSE), "%s: reverse", where);
    ck_assert_msg(got.attrs.strike == !!(s.attrs & ATTR_STRIKE), "%s: strike", where);
    ck_assert_msg((got.attrs.underline != 0) == !!(s.attrs & ATTR_ANY_UNDERLINE), "%s: underline %d",
                  where, got.attrs.underline);
    if (cell->glyph != 0) {
        ck_assert_msg(vterm_as_rgb(t, got.fg) == colour_as_rgb(t, s.fg, 0x123456),
                      "%s: foreground %06x, wanted %06x", where, vterm_as_rgb(t, got.fg),
                      colour_as_rgb(t, s.fg, 0x123456));
        ck_assert_msg(got.attrs.bold == !!(s.attrs & ATTR_BOLD), "%s: bold", where);
        ck_assert_msg(got.attrs.italic == !!(s.attrs & ATTR_ITALIC), "%s: italic", where);
        ck_assert_msg(got.attrs.blink == !!(s.attrs & ATTR_BLINK), "%s: blink", where);
    }
    free(where);
}

static void check_screen(struct terminal *t, const struct canvas *c)
{
    for (unsigned y = 0; y < c->rows; y++)
        for (unsigned x = 0; x < c->cols; x++)
            check_cell(t, c, x, y);
    if (c->is_cursor_visible) {
        ck_assert_int_eq(t->cursor.row, (int)c->cursor_y);
        ck_assert_int_eq(t->cursor.col, (int)c->cursor_x);
        ck_assert(t->is_visible);
    } else if (caps_has(t->caps, FEATURE_CIVIS)) {
        ck_assert(!t->is_visible);
    }
}

// --- pictures

static struct style random_style(void)
{
    struct style s = {0};
    static const uint16_t attrs[] = {ATTR_BOLD, ATTR_ITALIC, ATTR_UNDERLINE, ATTR_BLINK,
                                     ATTR_REVERSE, ATTR_STRIKE, ATTR_UNDERLINE_CURLY, ATTR_DIM};
    if (pick(2) == 0)
        return s;
    if (pick(2) == 0)
        s.fg = pick(2) ? colour_indexed(pick(256)) : colour_rgb(pick(256), pick(256), pick(256));
    if (pick(3) == 0)
        s.bg = pick(2) ? colour_indexed(pick(256)) : colour_rgb(pick(256), pick(256), pick(256));
    if (pick(2) == 0)
        s.attrs = attrs[pick(ARRAY_LEN(attrs))] | (pick(3) == 0 ? ATTR_BOLD | ATTR_ITALIC : 0);
    if ((s.attrs & ATTR_UNDERLINE) && (s.attrs & ATTR_UNDERLINE_CURLY))
        s.attrs &= (uint16_t)~ATTR_UNDERLINE;
    return s;
}

static void put_text(struct canvas *c, unsigned x, unsigned y, const char *text,
                     const struct style *style)
{
    size_t len = strlen(text);
    for (size_t at = 0; at < len;) {
        uint32_t glyph;
        unsigned width;
        at += glyph_next(text + at, len - at, texts.clusters, &glyph, &width);
        cells_put(canvas_row(c, y), c->cols, x, glyph, width, style);
        x += width;
    }
}

static void change_at_random(struct canvas *c)
{
    static const char *const words[] = {"a", "hello world", "xxxxxxxxxxxxxxxxxxxxxxxxx", "    ",
                                        "\xe6\xa9\x8b\xe6\xa9\x8b", "\xe2\x94\x82\xe2\x94\x80",
                                        "e\xcc\x81" "f", "~/src $ make", "==========", "\xe2\x94\xbc"};
    struct style s = random_style();
    unsigned x = pick(c->cols), y = pick(c->rows);
    switch (pick(4)) {
    case 0:
        cells_blank(canvas_row(c, y), c->cols, x, x + pick(c->cols), &s);
        break;
    case 1:
        cells_blank(canvas_row(c, y), c->cols, 0, c->cols, &s);
        break;
    default:
        put_text(c, x, y, words[pick(ARRAY_LEN(words))], &s);
        break;
    }
}

static struct scroll_hint scroll_at_random(struct canvas *c)
{
    unsigned top = pick(c->rows - 1), bottom = top + 1 + pick(c->rows - top - 1);
    unsigned height = bottom - top + 1, n = 1 + pick(height > 3 ? 3 : height - 1);
    bool is_up = pick(2);
    size_t row = c->cols * sizeof *c->cells;
    if (is_up) {
        memmove(canvas_row(c, top), canvas_row(c, top + n), (height - n) * row);
        memset(canvas_row(c, bottom + 1 - n), 0, n * row);
    } else {
        memmove(canvas_row(c, top + n), canvas_row(c, top), (height - n) * row);
        memset(canvas_row(c, top), 0, n * row);
    }
    return (struct scroll_hint){top, bottom, is_up ? (int)n : -(int)n};
}

static const char *const terms[] = {"xterm-256color", "xterm-kitty", "screen-256color",
                                    "tmux-256color", "linux", "vt100"};

static void draw_random_frames(const char *term, bool is_utf8, unsigned n_frames)
{
    struct terminal t;
    struct canvas c = {0};
    unsigned cols = 12 + pick(60), rows = 4 + pick(20);

    terminal_start(&t, term, cols, rows, is_utf8);
    canvas_resize(&c, cols, rows);
    for (unsigned frame = 0; frame < n_frames; frame++) {
        struct scroll_hint hint;
        bool scrolls = pick(3) == 0;
        if (scrolls)
            hint = scroll_at_random(&c);
        for (unsigned i = pick(2) ? pick(3) : pick(40); i > 0; i--)
            change_at_random(&c);
        c.is_cursor_visible = pick(4) != 0;
        c.cursor_x = pick(cols);
        c.cursor_y = pick(rows);
        c.cursor_shape = (uint8_t)pick(7);
        terminal_show(&t, &c, &hint, scrolls);
        check_screen(&t, &c);
        if (pick(40) == 0)
            renderer_forget(t.renderer);
        ck_assert_uint_eq(terminal_show(&t, &c, NULL, 0) > 0 && renderer_shown(t.renderer) == NULL, 0);
    }
    canvas_free(&c);
    terminal_end(&t);
}

START_TEST(random_pictures_come_out_on_each_kind_of_terminal)
{
    seed = 1;
    for (unsigned round = 0; round < 12; round++)
        draw_random_frames(terms[_i], true, 60);
}
END_TEST

START_TEST(without_utf8_lines_are_drawn_by_charset_and_the_rest_is_replaced)
{
    seed = 7;
    for (unsigned round = 0; round < 6; round++)
        draw_random_frames(terms[_i], false, 40);
}
END_TEST

START_TEST(nothing_changed_writes_nothing)
{
    struct terminal t;
    struct canvas c = {0};
    terminal_start(&t, "xterm-256color", 80, 24, true);
    canvas_resize(&c, 80, 24);
    struct style plain = {0};
    put_text(&c, 3, 4, "hello", &plain);
    ck_assert_uint_gt(terminal_show(&t, &c, NULL, 0), 0);
    ck_assert_uint_eq(terminal_show(&t, &c, NULL, 0), 0);
    canvas_free(&c);
    terminal_end(&t);
}
END_TEST

START_TEST(two_cells_at_the_ends_of_a_line_take_twelve_bytes)
{
    struct terminal t;
    struct canvas c = {0};
    struct style plain = {0};
    terminal_start(&t, "xterm-256color", 200, 24, true);
    canvas_resize(&c, 200, 24);
    for (unsigned x = 0; x < 200; x++)
        cells_put(canvas_row(&c, 0), 200, x, 'x', 1, &plain);
    terminal_show(&t, &c, NULL, 0);
    for (unsigned i = 0; i < 10; i++) {
        cells_put(canvas_row(&c, 0), 200, 0, '0' + i, 1, &plain);
        cells_put(canvas_row(&c, 0), 200, 199, '0' + i, 1, &plain);
        size_t bytes = terminal_show(&t, &c, NULL, 0);
        ck_assert_msg(bytes <= 12, "%zu bytes", bytes);
        check_screen(&t, &c);
    }
    canvas_free(&c);
    terminal_end(&t);
}
END_TEST

START_TEST(a_typed_character_takes_one_byte)
{
    struct terminal t;
    struct canvas c = {0};
    struct style plain = {0};
    terminal_start(&t, "xterm-256color", 80, 24, true);
    canvas_resize(&c, 80, 24);
    c.is_cursor_visible = true;
    c.cursor_y = 5;
    terminal_show(&t, &c, NULL, 0);
    for (unsigned x = 0; x < 10; x++) {
        cells_put(canvas_row(&c, 5), 80, x, 'a' + x, 1, &plain);
        c.cursor_x = x + 1;
        ck_assert_uint_eq(terminal_show(&t, &c, NULL, 0), 1);
    }
    canvas_free(&c);
    terminal_end(&t);
}
END_TEST

START_TEST(a_scrolled_screen_costs_its_new_lines_only)
{
    struct terminal t;
    struct canvas c = {0};
    struct style plain = {0};
    terminal_start(&t, terms[_i], 80, 24, true);
    canvas_resize(&c, 80, 24);
    for (unsigned y = 0; y < 23; y++)
        for (unsigned x = 0; x < 70; x++)
            cells_put(canvas_row(&c, y), 80, x, 'a' + (x * 7 + y) % 26, 1, &plain);
    terminal_show(&t, &c, NULL, 0);
    size_t row = 80 * sizeof *c.cells;
    memmove(canvas_row(&c, 0), canvas_row(&c, 1), 22 * row);
    memset(canvas_row(&c, 22), 0, row);
    put_text(&c, 0, 22, "new", &plain);
    struct scroll_hint hint = {0, 22, 1};
    size_t bytes = terminal_show(&t, &c, &hint, 1);
    ck_assert_msg(bytes < 60, "%s: %zu bytes", terms[_i], bytes);
    check_screen(&t, &c);
    canvas_free(&c);
    terminal_end(&t);
}
END_TEST

START_TEST(after_a_glyph_of_doubtful_width_the_column_is_addressed)
{
    struct terminal t;
    struct canvas c = {0};
    struct style plain = {0};
    terminal_start(&t, "xterm-256color", 40, 4, true);
    canvas_resize(&c, 40, 4);
    put_text(&c, 0, 1, "|\xf0\x9f\x91\x8d\xf0\x9f\x8f\xbd|x", &plain); // thumb with a skin tone
    terminal_show(&t, &c, NULL, 0);
    char *bar = strstr(t.out.data, "\xf0\x9f\x8f\xbd");
    ck_assert_ptr_nonnull(bar);
    ck_assert_msg(bar[4] == '\033', "the bar is placed by address");
    canvas_free(&c);
    terminal_end(&t);
}
END_TEST

START_TEST(fewer_colours_are_the_nearest_ones)
{
    ck_assert_uint_eq(colour_reduce(colour_rgb(255, 0, 0), 256), colour_indexed(196));
    ck_assert_uint_eq(colour_reduce(colour_rgb(128, 128, 128), 256), colour_indexed(244));
    ck_assert_uint_eq(colour_reduce(colour_rgb(250, 5, 5), 16), colour_indexed(9));
    ck_assert_uint_eq(colour_reduce(colour_rgb(200, 5, 5), 8), colour_indexed(1));
    ck_assert_uint_eq(colour_reduce(colour_indexed(12), 8), colour_indexed(4));
    ck_assert_uint_eq(colour_reduce(colour_indexed(196), 8), colour_indexed(1));
    ck_assert_uint_eq(colour_reduce(colour_indexed(3), 0), COLOUR_DEFAULT);
    ck_assert_uint_eq(colour_reduce(COLOUR_TERMINAL, 256), COLOUR_DEFAULT);
}
END_TEST

START_TEST(no_sequence_has_more_than_sixteen_parameters)
{
    struct caps *caps = load("xterm-256color");
    caps_add_kind(caps, "kitty");
    struct style full = {.fg = colour_rgb(100, 101, 102), .bg = colour_rgb(103, 104, 105),
                         .ul = colour_rgb(106, 107, 108), .attrs = 0x1FFF & ~(ATTR_ANY_UNDERLINE ^ ATTR_UNDERLINE_CURLY)};
    struct style plain = {0};
    struct strbuf out = {0};
    sgr_change(caps, &plain, &full, &out);
    unsigned params = 0;
    for (size_t i = 0; i < out.len; i++) {
        if (out.data[i] == '\033')
            params = 1;
        params += out.data[i] == ';' || out.data[i] == ':';
        ck_assert_uint_le(params, 16);
    }
    ck_assert_ptr_nonnull(strstr(out.data, "58:2::106:107:108"));
    strbuf_free(&out);
    caps_free(caps);
}
END_TEST

START_TEST(a_new_size_draws_everything_again)
{
    struct terminal t;
    struct canvas c = {0};
    struct style plain = {0};
    terminal_start(&t, "xterm-256color", 40, 10, true);
    canvas_resize(&c, 40, 10);
    put_text(&c, 1, 1, "before", &plain);
    terminal_show(&t, &c, NULL, 0);
    vterm_set_size(t.vt, 6, 30);
    canvas_resize(&c, 30, 6);
    put_text(&c, 1, 2, "after", &plain);
    terminal_show(&t, &c, NULL, 0);
    check_screen(&t, &c);
    canvas_free(&c);
    terminal_end(&t);
}
END_TEST

START_TEST(one_cell_is_a_screen_too)
{
    for (size_t i = 0; i < ARRAY_LEN(terms); i++) {
        struct caps *caps = load(terms[i]);
        struct renderer *r = renderer_new(caps, true, &texts);
        struct canvas c = {0};
        struct style plain = {0};
        struct strbuf out = {0};
        canvas_resize(&c, 1, 1);
        cells_put(c.cells, 1, 0, 0x6a4b, 2, &plain);
        c.is_cursor_visible = true;
        renderer_draw(r, &c, NULL, 0, &out);
        cells_put(c.cells, 1, 0, 'x', 1, &plain);
        renderer_draw(r, &c, NULL, 0, &out);
        ck_assert_ptr_nonnull(strchr(out.data, 'x'));
        strbuf_free(&out);
        canvas_free(&c);
        renderer_free(r);
        caps_free(caps);
    }
}
END_TEST

int main(void)
{
    texts.clusters = texts_new(1 << 16);
    texts.links = texts_new(1 << 10);
    Suite *suite = suite_create("render");
    TCase *tc = tcase_create("render");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, random_pictures_come_out_on_each_kind_of_terminal, 0, ARRAY_LEN(terms));
    tcase_add_loop_test(tc, without_utf8_lines_are_drawn_by_charset_and_the_rest_is_replaced, 0,
                        ARRAY_LEN(terms));
    tcase_add_test(tc, nothing_changed_writes_nothing);
    tcase_add_test(tc, two_cells_at_the_ends_of_a_line_take_twelve_bytes);
    tcase_add_test(tc, a_typed_character_takes_one_byte);
    tcase_add_loop_test(tc, a_scrolled_screen_costs_its_new_lines_only, 0, ARRAY_LEN(terms));
    tcase_add_test(tc, after_a_glyph_of_doubtful_width_the_column_is_addressed);
    tcase_add_test(tc, fewer_colours_are_the_nearest_ones);
    tcase_add_test(tc, no_sequence_has_more_than_sixteen_parameters);
    tcase_add_test(tc, a_new_size_draws_everything_again);
    tcase_add_test(tc, one_cell_is_a_screen_too);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    texts_free(texts.clusters);
    texts_free(texts.links);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
