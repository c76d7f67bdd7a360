// Composing: panes, borders, status lines and overlays as text.
#include "config.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "client/compose.h"
#include "client/status.h"
#include "common/row.h"
#include "common/style.h"
#include "common/utf8.h"
#include "common/util.h"

static struct text_tables texts;
static struct screen screen;
static struct canvas canvas;

static void send(enum message_type type, const void *body, size_t size)
{
    struct message m;
    memset(&m, 0, sizeof m);
    m.type = type;
    memcpy(&m.u, body, size);
    ck_assert(screen_apply(&screen, &m, 1000000));
}
#define SEND(type, ...) \
    do { \
        struct msg_##type body_ = {__VA_ARGS__}; \
        send(MSG_##type, &body_, sizeof body_); \
    } while (0)

static void send_row(uint32_t pane, unsigned y, const char *text)
{
    static const struct style plain;
    struct row_packer *p = row_packer_new();
    struct strbuf b = {0};
    row_packer_begin(p, 0);
    size_t len = strlen(text);
    for (size_t at = 0; at < len;) {
        uint32_t cp;
        size_t n = utf8_next(text + at, len - at, &cp);
        row_packer_cell(p, &plain, NULL, text + at, n, utf8_width(cp) == 2);
        at += n;
    }
    row_packer_end(p, &b);
    SEND(ROW, pane, (uint16_t)y, {b.data, (uint32_t)b.len});
    strbuf_free(&b);
    row_packer_free(p);
}

static void setup(void)
{
    texts.clusters = texts_new(4096);
    texts.links = texts_new(4096);
    screen_init(&screen, &texts);
}

static void teardown(void)
{
    screen_free(&screen);
    canvas_free(&canvas);
    texts_free(texts.clusters);
    texts_free(texts.links);
}

static void compose(unsigned cols, unsigned rows)
{
    canvas_resize(&canvas, cols, rows);
    compose_screen(&screen, INT64_C(1700000000000000), &canvas);
}

// A row as text, blanks as spaces, trailing blanks cut.
static const char *row_text(unsigned y)
{
    static struct strbuf b;
    strbuf_clear(&b);
    strbuf_add_str(&b, "");
    for (unsigned x = 0; x < canvas.cols; x++) {
        const struct draw_cell *cell = &canvas_row(&canvas, y)[x];
        char text[UTF8_MAX_BYTES];
        if (cell->flags & CELL_WIDE_TAIL)
            continue;
        strbuf_add(&b, text, utf8_encode(cell->glyph != 0 ? cell->glyph : ' ', text));
    }
    while (b.len > 0 && b.data[b.len - 1] == ' ')
        b.data[--b.len] = '\0';
    return b.data;
}

static void two_panes(void)
{
    SEND(SCENE, .cols = 9, .rows = 3, .view_rows = 3, .active = 2);
    SEND(PANE, .pane = 1, .cols = 4, .rows = 3, .border_style = "fg=red");
    SEND(PANE, .pane = 2, .x = 5, .cols = 4, .rows = 3, .flags = PANE_ACTIVE,
         .border_style = "fg=green");
    send_row(1, 0, "left");
    send_row(2, 1, "abcdefgh");
    SEND(CURSOR, .pane = 2, .x = 3, .y = 1, .is_visible = 1);
    SEND(FRAME_END, .seq = 1);
}

START_TEST(panes_stand_side_by_side_with_a_line_between)
{
    two_panes();
    compose(9, 3);
    ck_assert_str_eq(row_text(0), "left\xe2\x94\x82");
    ck_assert_str_eq(row_text(1), "    \xe2\x94\x82" "abcd");
    ck_assert(canvas.is_cursor_visible);
    ck_assert_uint_eq(canvas.cursor_x, 8);
    ck_assert_uint_eq(canvas.cursor_y, 1);
    // The line is shared: its upper half tells of the left pane, the rest of the right one.
    ck_assert_uint_eq(canvas_row(&canvas, 0)[4].style.fg, colour_indexed(1));
    ck_assert_uint_eq(canvas_row(&canvas, 2)[4].style.fg, colour_indexed(2));
}
END_TEST

START_TEST(junctions_follow_the_lines_that_meet)
{
    SEND(SCENE, .cols = 7, .rows = 5, .view_rows = 5, .active = 1);
    SEND(PANE, .pane = 1, .cols = 3, .rows = 5, .border_style = "fg=green");
    SEND(PANE, .pane = 2, .x = 4, .cols = 3, .rows = 2, .border_style = "");
    SEND(PANE, .pane = 3, .x = 4, .y = 3, .cols = 3, .rows = 2, .border_style = "");
    SEND(FRAME_END, .seq = 1);
    compose(7, 5);
    ck_assert_str_eq(row_text(2), "   \xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80");
    // Beside the active pane the line has its style, elsewhere the other's.
    ck_assert_uint_eq(canvas_row(&canvas, 2)[3].style.fg, colour_indexed(2));
    ck_assert_uint_eq(canvas_row(&canvas, 2)[5].style.fg, COLOUR_DEFAULT);
}
END_TEST

START_TEST(a_smaller_window_is_closed_by_a_line_and_dots)
{
    SEND(SCENE, .cols = 3, .rows = 2, .view_rows = 4, .active = 1);
    SEND(PANE, .pane = 1, .cols = 3, .rows = 2, .border_style = "");
    send_row(1, 0, "abc");
    SEND(FRAME_END, .seq = 1);
    compose(6, 4);
    ck_assert_str_eq(row_text(0), "abc\xe2\x94\x82\xc2\xb7\xc2\xb7");
    ck_assert_str_eq(row_text(2), "\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x98\xc2\xb7\xc2\xb7");
    ck_assert_str_eq(row_text(3), "\xc2\xb7\xc2\xb7\xc2\xb7\xc2\xb7\xc2\xb7\xc2\xb7");
}
END_TEST

START_TEST(a_larger_window_is_seen_from_its_offset)
{
    SEND(SCENE, .cols = 10, .rows = 4, .offset_x = 3, .offset_y = 1, .view_rows = 2, .active = 1);
    SEND(PANE, .pane = 1, .cols = 10, .rows = 4, .border_style = "");
    send_row(1, 1, "0123456789");
    send_row(1, 2, "ab\xe6\xa9\x8b" "efghij");
    SEND(CURSOR, .pane = 1, .x = 0, .y = 1, .is_visible = 1);
    SEND(FRAME_END, .seq = 1);
    compose(5, 2);
    ck_assert_str_eq(row_text(0), "34567");
    ck_assert_str_eq(row_text(1), " efgh"); // half a wide character is a blank
    ck_assert(!canvas.is_cursor_visible);   // it is outside the view
}
END_TEST

START_TEST(scrolled_rows_move_and_freed_ones_are_blank)
{
    two_panes();
    send_row(1, 1, "b");
    send_row(1, 2, "c");
    SEND(SCROLL, .pane = 1, .top = 0, .bottom = 2, .lines = 1);
    SEND(FRAME_END, .seq = 2);
    compose(9, 3);
    ck_assert_str_eq(row_text(0), "b   \xe2\x94\x82");
    ck_assert_str_eq(row_text(2), "    \xe2\x94\x82");
    struct scroll_hint hints[4];
    ck_assert_uint_eq(compose_scrolls(&screen, &canvas, hints, 4), 0); // not from edge to edge
}
END_TEST

START_TEST(scrolls_of_full_width_are_hints_for_drawing)
{
    SEND(SCENE, .cols = 8, .rows = 4, .view_y = 1, .view_rows = 4, .active = 1);
    SEND(PANE, .pane = 1, .cols = 8, .rows = 4, .border_style = "");
    SEND(SCROLL, .pane = 1, .top = 1, .bottom = 3, .lines = -2);
    SEND(FRAME_END, .seq = 1);
    compose(8, 5);
    struct scroll_hint hints[4];
    ck_assert_uint_eq(compose_scrolls(&screen, &canvas, hints, 4), 1);
    ck_assert_uint_eq(hints[0].top, 2);
    ck_assert_uint_eq(hints[0].bottom, 4);
    ck_assert_int_eq(hints[0].lines, -2);
}
END_TEST

START_TEST(a_pane_keeps_its_rows_while_its_size_holds)
{
    two_panes();
    SEND(SCENE, .cols = 9, .rows = 3, .view_rows = 3, .active = 1);
    SEND(PANE, .pane = 1, .x = 5, .cols = 4, .rows = 3, .border_style = "");
    SEND(PANE, .pane = 3, .cols = 4, .rows = 3, .border_style = "");
    SEND(FRAME_END, .seq = 2);
    compose(9, 3);
    ck_assert_str_eq(row_text(0), "    \xe2\x94\x82" "left");
    ck_assert_ptr_null(screen_pane_find(&screen, 2)); // not named: forgotten
    SEND(SCENE, .cols = 9, .rows = 3, .view_rows = 3, .active = 1);
    SEND(PANE, .pane = 1, .cols = 9, .rows = 3, .border_style = "");
    SEND(FRAME_END, .seq = 3);
    compose(9, 3);
    ck_assert_str_eq(row_text(0), "");
}
END_TEST

static void send_status(const char *line, bool at_top)
{
    const char *lines[] = {line, NULL};
    SEND(STATUS, .at_top = at_top, .lines = lines, .style = "bg=green");
}

START_TEST(status_line_has_left_list_and_right)
{
    SEND(SCENE, .cols = 30, .rows = 2, .view_rows = 2, .active = 1);
    SEND(PANE, .pane = 1, .cols = 30, .rows = 2, .border_style = "");
    send_status("[s] #[list=on]0:sh 1:vi#[nolist]#[align=right]a##b", false);
    SEND(FRAME_END, .seq = 1);
    compose(30, 3);
    ck_assert_str_eq(row_text(2), "[s] 0:sh 1:vi              a#b");
    ck_assert_uint_eq(canvas_row(&canvas, 2)[20].style.bg, colour_indexed(2));
}
END_TEST

START_TEST(a_list_too_long_is_cut_around_its_focus)
{
    send_status("L#[list=on]#[list=left-marker]<#[list=right-marker]>#[list=on]"
                "aaaaaaaaaa#[list=focus]FOCUS#[list=on]bbbbbbbbbb#[nolist]#[align=right]R", false);
    compose(14, 2);
    const char *text = row_text(1);
    ck_assert_msg(strstr(text, "FOCUS") != NULL, "%s", text);
    ck_assert_msg(text[0] == 'L' && text[1] == '<' && text[12] == '>' && text[13] == 'R', "%s", text);
}
END_TEST

START_TEST(centre_stands_in_the_middle)
{
    send_status("l#[align=centre]mid#[align=right]r", true);
    compose(11, 2);
    ck_assert_str_eq(row_text(0), "l   mid   r");
}
END_TEST

START_TEST(styles_of_markup_hold_until_the_next)
{
    send_status("#[fg=red,bold]a#[default]b#[bg=blue]c", true);
    compose(5, 2);
    const struct draw_cell *row = canvas_row(&canvas, 0);
    ck_assert_uint_eq(row[0].style.fg, colour_indexed(1));
    ck_assert_uint_eq(row[0].style.attrs, ATTR_BOLD);
    ck_assert_uint_eq(row[1].style.attrs, 0);
    ck_assert_uint_eq(row[1].style.bg, colour_indexed(2));
    ck_assert_uint_eq(row[2].style.bg, colour_indexed(4));
}
END_TEST

START_TEST(notices_and_prompts_cover_the_status_line)
{
    send_status("status", false);
    SEND(NOTICE, .text = "#[fg=red]## careful", .duration_ms = 500, .style = "bg=yellow");
    compose(20, 2);
    ck_assert_str_eq(row_text(1), "## careful");
    ck_assert_int_eq(screen.notice_until_us, 1500000);
    SEND(PROMPT, .is_on = 1, .text = ":new ##[fg=red] #[dim](a)", .cursor_col = 5, .style = "");
    compose(20, 2);
    ck_assert_str_eq(row_text(1), ":new #[fg=red] (a)"); // what was typed comes escaped
    ck_assert_uint_eq(canvas.cursor_x, 5);
    ck_assert(canvas.is_cursor_visible);
    SEND(PROMPT, .is_on = 0, .text = "", .style = "");
    SEND(CLEAR_NOTICE, 0);
    compose(20, 2);
    ck_assert_str_eq(row_text(1), "status");
}
END_TEST

START_TEST(without_a_status_line_notices_take_the_last_row)
{
    SEND(NOTICE, .text = "hello", .style = "");
    compose(10, 3);
    ck_assert_str_eq(row_text(2), "hello");
    ck_assert_int_eq(screen.notice_until_us, 0);
}
END_TEST

START_TEST(controls_in_texts_do_not_get_through)
{
    SEND(SCENE, .cols = 6, .rows = 1, .view_rows = 1, .active = 1);
    SEND(PANE, .pane = 1, .cols = 6, .rows = 1, .border_style = "");
    send_row(1, 0, "a\033b");
    send_status("x\033[31my\xc2\x9b", false);
    SEND(FRAME_END, .seq = 1);
    compose(20, 2);
    for (unsigned i = 0; i < 40; i++) {
        uint32_t glyph = canvas.cells[i].glyph;
        ck_assert(glyph == 0 || (glyph >= 0x20 && glyph != 0x7f && !(glyph >= 0x80 && glyph < 0xa0)));
    }
}
END_TEST

START_TEST(damaged_rows_and_wild_numbers_are_harmless)
{
    two_panes();
    static const char junk[] = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x02";
    SEND(ROW, 1, 0, {junk, sizeof junk - 1});
    SEND(ROW, 1, 999, {junk, sizeof junk - 1});
    SEND(SCROLL, .pane = 1, .top = 2, .bottom = 60000, .lines = 1);
    SEND(SCROLL, .pane = 1, .top = 0, .bottom = 2, .lines = INT32_MIN);
    SEND(PANE, .pane = 9, .x = 60000, .y = 60000, .cols = 1, .rows = 1, .border_style = "nonsense");
    SEND(CURSOR, .pane = 1, .x = 60000, .y = 60000, .is_visible = 1, .shape = 200);
    SEND(SCENE, .cols = 1, .rows = 1, .offset_x = 60000, .view_y = 60000, .view_rows = 60000);
    SEND(FRAME_END, .seq = 1);
    compose(9, 3);
    compose(1, 1);
}
END_TEST

#define FIELD(fmt) "\x0e" fmt "\x0f"
START_TEST(a_clock_is_due_when_its_finest_field_changes)
{
    setenv("TZ", "UTC", 1);
    tzset();
    const int64_t now = INT64_C(1700000030500000); // 22:13:50.5
    ck_assert_int_eq(status_next_change_us("no time", now), 0);
    ck_assert_int_eq(status_next_change_us(FIELD("%H:%M:%S"), now), INT64_C(1700000031000000));
    ck_assert_int_eq(status_next_change_us(FIELD("%H:%M"), now), INT64_C(1700000040000000));
    ck_assert_int_eq(status_next_change_us(FIELD("%H"), now), INT64_C(1700002800000000));
    ck_assert_int_eq(status_next_change_us(FIELD("%Y-%m-%d"), now), INT64_C(1700006400000000));
    ck_assert_int_eq(status_next_change_us(FIELD("%d") " " FIELD("%R"), now),
                     INT64_C(1700000040000000));
    ck_assert_int_eq(status_next_change_us(FIELD("100%%"), now), 0);
    // In a zone of half an hour the hour ends elsewhere.
    setenv("TZ", "IST-5:30", 1);
    tzset();
    ck_assert_int_eq(status_next_change_us(FIELD("%H"), now), INT64_C(1700001000000000));
}
END_TEST

START_TEST(time_fields_show_the_clients_time)
{
    setenv("TZ", "UTC", 1);
    tzset();
    send_status("at " FIELD("%H:%M") ".", true);
    compose(20, 2);
    ck_assert_str_eq(row_text(0), "at 22:13.");
}
END_TEST

START_TEST(texts_that_nobody_uses_are_swept)
{
    uint32_t kept = texts_number(texts.clusters, "kept", 4);
    for (unsigned i = 0; i < 3000; i++) {
        char text[16];
        texts_number(texts.clusters, text, (size_t)snprintf(text, sizeof text, "t%u", i));
    }
    ck_assert(texts_wants_sweep(texts.clusters));
    texts_mark(texts.clusters, kept);
    texts_sweep(texts.clusters);
    ck_assert(!texts_wants_sweep(texts.clusters));
    ck_assert_str_eq(texts_get(texts.clusters, kept), "kept");
    ck_assert_uint_eq(texts_number(texts.clusters, "kept", 4), kept);
    ck_assert_ptr_nonnull(texts_get(texts.clusters, texts_number(texts.clusters, "new", 3)));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("compose");
    TCase *tc = tcase_create("compose");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, panes_stand_side_by_side_with_a_line_between);
    tcase_add_test(tc, junctions_follow_the_lines_that_meet);
    tcase_add_test(tc, a_smaller_window_is_closed_by_a_line_and_dots);
    tcase_add_test(tc, a_larger_window_is_seen_from_its_offset);
    tcase_add_test(tc, scrolled_rows_move_and_freed_ones_are_blank);
    tcase_add_test(tc, scrolls_of_full_width_are_hints_for_drawing);
    tcase_add_test(tc, a_pane_keeps_its_rows_while_its_size_holds);
    tcase_add_test(tc, status_line_has_left_list_and_right);
    tcase_add_test(tc, a_list_too_long_is_cut_around_its_focus);
    tcase_add_test(tc, centre_stands_in_the_middle);
    tcase_add_test(tc, styles_of_markup_hold_until_the_next);
    tcase_add_test(tc, notices_and_prompts_cover_the_status_line);
    tcase_add_test(tc, without_a_status_line_notices_take_the_last_row);
    tcase_add_test(tc, controls_in_texts_do_not_get_through);
    tcase_add_test(tc, damaged_rows_and_wild_numbers_are_harmless);
    tcase_add_test(tc, a_clock_is_due_when_its_finest_field_changes);
    tcase_add_test(tc, time_fields_show_the_clients_time);
    tcase_add_test(tc, texts_that_nobody_uses_are_swept);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
