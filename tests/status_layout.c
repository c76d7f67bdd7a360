// Layout of status lines: what is drawn where, and that clicks find what is drawn.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/status_layout.h"

static const struct style plain;

// The line as text, a blank as '.', and the ranges below it: window indexes as digits, '.' none.
static const char *layout(const char *line, unsigned cols)
{
    static char text[4096];
    struct status_layout l;
    struct strbuf b = {0};
    strbuf_add_str(&b, "");
    status_layout_build(&l, line, cols, &plain, INT64_C(1700000000000000), 0);
    for (unsigned x = 0; x < cols; x++) {
        if (l.cells[x].len > 0)
            strbuf_add(&b, l.text.data + l.cells[x].at, l.cells[x].len);
        else if (l.cells[x].width > 0)
            strbuf_add_char(&b, '.');
    }
    strbuf_add_char(&b, '|');
    for (unsigned x = 0; x < cols; x++) {
        struct status_range r = l.cells[x].range;
        strbuf_add_char(&b, r.type == RANGE_WINDOW ? (char)('0' + r.arg)
                            : r.type != RANGE_NONE ? '*'
                                                   : '.');
        struct status_range at = status_layout_at(line, cols, x);
        ck_assert_uint_eq(at.type, r.type);
        ck_assert_uint_eq(at.arg, r.arg);
    }
    ck_assert_uint_lt(b.len, sizeof text);
    memcpy(text, b.data, b.len);
    text[b.len] = '\0';
    strbuf_free(&b);
    status_layout_free(&l);
    return text;
}

#define MARKERS                "#[list=left-marker]<#[list=right-marker]>#[list=on]"
#define WINDOW(n, focus, text) "#[range=window|" n " list=" focus "]" text "#[norange list=on]"

START_TEST(a_list_that_fits_has_no_markers)
{
    ck_assert_str_eq(layout("L#[list=on]" MARKERS WINDOW("1", "on", "aaa")
                                WINDOW("2", "focus", "bbb") "#[nolist align=right]R",
                            12),
                     "Laaabbb....R|.111222.....");
}
END_TEST

START_TEST(a_list_wider_than_the_line_keeps_its_focus_in_view_between_markers)
{
    static const char *const focus[4][4] = {{"focus", "on", "on", "on"},
                                            {"on", "focus", "on", "on"},
                                            {"on", "on", "focus", "on"},
                                            {"on", "on", "on", "focus"}};
    static const char *const want[4] = {"aaaabbbb>|11112222.", "<abbbbcc>|.1222233.",
                                        "<bccccdd>|.2333344.", "<ccccdddd|.33334444"};
    for (unsigned i = 0; i < 4; i++) {
        char line[512];
        snprintf(line, sizeof line,
                 "#[list=on]" MARKERS "#[range=window|1 list=%s]aaaa#[range=window|2 list=%s]bbbb"
                 "#[range=window|3 list=%s]cccc#[range=window|4 list=%s]dddd#[norange list=on]",
                 focus[i][0], focus[i][1], focus[i][2], focus[i][3]);
        const char *got = layout(line, 9);
        ck_assert_str_eq(got, want[i]);
        // Whatever the width, some of the focus is seen once there is room beside both markers.
        for (unsigned cols = 3; cols < 20; cols++)
            ck_assert_ptr_nonnull(strchr(strchr(layout(line, cols), '|'), (int)('1' + i)));
    }
}
END_TEST

START_TEST(the_end_of_the_right_side_and_the_beginning_of_the_left_are_kept)
{
    ck_assert_str_eq(layout("left#[align=right]right", 6), "leftht|......");
    ck_assert_str_eq(layout("left#[align=right]right", 3), "lef|...");
    ck_assert_str_eq(layout("#[align=centre]mid", 9), "...mid...|.........");
}
END_TEST

START_TEST(half_a_wide_character_is_a_blank_of_its_range)
{
    ck_assert_str_eq(layout("#[list=on]" WINDOW("1", "focus", "a\xE4\xB8\xAD\xE4\xB8\xAD"), 4),
                     "a\xE4\xB8\xAD.|1111");
    ck_assert_str_eq(layout("\xE4\xB8\xAD#[align=right]\xE4\xB8\xAD", 3), "\xE4\xB8\xAD.|...");
    // A mark joins its base; alone it takes no column.
    ck_assert_str_eq(layout("e\xCC\x81x", 3), "e\xCC\x81x.|...");
    ck_assert_str_eq(layout("\xCC\x81x", 2), "x.|..");
}
END_TEST

START_TEST(times_take_the_width_that_they_have)
{
    setenv("TZ", "UTC0", 1);
    tzset();
    ck_assert_str_eq(layout("#[align=right range=window|7]\x0e%H:%M\x0f", 8), "...22:13|...77777");
}
END_TEST

START_TEST(fill_colours_what_no_part_covers)
{
    struct status_layout l;
    struct style base = {.bg = colour_indexed(2)};
    status_layout_build(&l, "#[fill=red]a", 3, &base, 0, 0);
    ck_assert_uint_eq(l.cells[0].style.bg, colour_indexed(2));
    ck_assert_uint_eq(l.cells[1].style.bg, colour_indexed(1));
    status_layout_free(&l);
    status_layout_build(&l, "#[push-default]a#[bg=blue pop-default]b", 3, &base, 0, 0);
    ck_assert_uint_eq(l.cells[1].style.bg, colour_indexed(2));
    status_layout_free(&l);
}
END_TEST

START_TEST(damaged_lines_are_laid_out_at_every_width)
{
    static const char *const lines[] = {
        "#[",
        "#[range=window|1",
        "#",
        "##",
        "\x0e",
        "\x0e%H",
        "\x0f",
        "#[list=on]",
        "#[]",
        "\xff\xfe\xc3",
        "#[list=left-marker]<<<<<<<<<<#[list=on]abc#[list=focus]#[list=right-marker]>>>>>>>>>>",
        "#[align=right]#[list=on align=absolute-centre]wwwwwwwwwwwwwwwwwwww#[nolist "
        "align=left]after"
        "#[align=centre]c#[align=right]rrrrrrrrrrrrrr",
        "\x01\x1b[31m\xc2\x9b\x7f",
    };
    for (size_t i = 0; i < ARRAY_LEN(lines); i++)
        for (unsigned cols = 0; cols < 60; cols++)
            layout(lines[i], cols);
    ck_assert_str_eq(layout("\x1bx\xc2\x9b", 4), ".x..|....");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("status_layout");
    TCase *tc = tcase_create("status_layout");
    tcase_set_timeout(tc, 20);
    tcase_add_test(tc, a_list_that_fits_has_no_markers);
    tcase_add_test(tc, a_list_wider_than_the_line_keeps_its_focus_in_view_between_markers);
    tcase_add_test(tc, the_end_of_the_right_side_and_the_beginning_of_the_left_are_kept);
    tcase_add_test(tc, half_a_wide_character_is_a_blank_of_its_range);
    tcase_add_test(tc, times_take_the_width_that_they_have);
    tcase_add_test(tc, fill_colours_what_no_part_covers);
    tcase_add_test(tc, damaged_lines_are_laid_out_at_every_width);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
