// Style strings and markup: words in, styles out, and back.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "common/style.h"
#include "common/util.h"

static const struct style plain;

START_TEST(colours_have_their_names)
{
    static const struct {
        const char *name;
        colour_t colour;
    } rows[] = {
        {"red", colour_indexed(1)},        {"BrightBlue", colour_indexed(12)},
        {"colour123", colour_indexed(123)}, {"color7", colour_indexed(7)},
        {"#0a0B0c", colour_rgb(10, 11, 12)}, {"default", COLOUR_DEFAULT},
        {"terminal", COLOUR_TERMINAL},     {"3", colour_indexed(3)},
        {"91", colour_indexed(9)},         {"SteelBlue", COLOUR_RGB | 0x4682B4},
        {"grey100", COLOUR_RGB | 0xFFFFFF},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        colour_t c = 0xdeadbeef;
        ck_assert_msg(colour_from_name(rows[i].name, &c), "%s", rows[i].name);
        ck_assert_msg(c == rows[i].colour, "%s", rows[i].name);
        colour_t again;
        ck_assert(colour_from_name(colour_to_name(c), &again));
        ck_assert_uint_eq(again, c);
    }
    static const char *const bad[] = {"", "colour256", "colour", "#12345", "#12345g", "reddish", "8"};
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        colour_t c;
        ck_assert_msg(!colour_from_name(bad[i], &c), "%s", bad[i]);
    }
}
END_TEST

START_TEST(words_change_the_style_one_by_one)
{
    struct style s = plain;
    ck_assert(style_parse(&s, &plain, "fg=red,bold bg=#202020, underscore"));
    ck_assert_uint_eq(s.fg, colour_indexed(1));
    ck_assert_uint_eq(s.bg, colour_rgb(0x20, 0x20, 0x20));
    ck_assert_uint_eq(s.attrs, ATTR_BOLD | ATTR_UNDERLINE);
    ck_assert(style_parse(&s, &plain, "curly-underscore,nobold"));
    ck_assert_uint_eq(s.attrs, ATTR_UNDERLINE_CURLY);
    ck_assert(style_parse(&s, &plain, "none"));
    ck_assert_uint_eq(s.attrs, 0);
    ck_assert_uint_eq(s.fg, colour_indexed(1));
}
END_TEST

START_TEST(default_goes_back_to_the_base)
{
    struct style base = {.fg = colour_indexed(2), .attrs = ATTR_DIM}, s = plain;
    ck_assert(style_parse(&s, &base, "fg=red,bg=blue,bold"));
    ck_assert(style_parse(&s, &base, "fg=default"));
    ck_assert_uint_eq(s.fg, colour_indexed(2));
    ck_assert(style_parse(&s, &base, "default"));
    ck_assert(style_equal(&s, &base));
}
END_TEST

START_TEST(an_unknown_word_changes_nothing)
{
    struct style s = {.fg = colour_indexed(3)};
    static const char *const bad[] = {"fg=red,nonsense", "fg=nocolour", "bold,list=up", "range=window",
                                      "align=", "no"};
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        ck_assert_msg(!style_parse(&s, &plain, bad[i]), "%s", bad[i]);
        ck_assert_uint_eq(s.fg, colour_indexed(3));
        ck_assert_uint_eq(s.attrs, 0);
    }
}
END_TEST

START_TEST(markup_carries_alignment_lists_and_ranges)
{
    struct markup m;
    memset(&m, 0, sizeof m);
    ck_assert(markup_parse(&m, &plain, "list=focus align=right range=window|12 fill=blue push-default"));
    ck_assert_int_eq(m.list, LIST_FOCUS);
    ck_assert_int_eq(m.align, ALIGN_RIGHT);
    ck_assert_int_eq(m.range, RANGE_WINDOW);
    ck_assert_uint_eq(m.range_arg, 12);
    ck_assert(m.has_fill);
    ck_assert_uint_eq(m.fill, colour_indexed(4));
    ck_assert_int_eq(m.dflt, DEFAULT_PUSH);
    ck_assert(markup_parse(&m, &plain, "nolist noalign norange"));
    ck_assert_int_eq(m.list, LIST_OFF);
    ck_assert_int_eq(m.align, ALIGN_DEFAULT);
    ck_assert_int_eq(m.range, RANGE_NONE);
    ck_assert_int_eq(m.dflt, DEFAULT_NONE);
    ck_assert(markup_parse(&m, &plain, "range=user|a-name-longer-than-its-field"));
    ck_assert_uint_lt(strlen(m.range_user), sizeof m.range_user);
    ck_assert(markup_parse(&m, &plain, "range=pane|%5"));
    ck_assert_uint_eq(m.range_arg, 5);
    ck_assert(!markup_parse(&m, &plain, "range=pane|5"));
}
END_TEST

START_TEST(text_of_a_style_reads_back_as_the_same_style)
{
    struct style s = {.fg = colour_indexed(200), .bg = colour_rgb(1, 2, 3), .ul = colour_indexed(1),
                      .attrs = ATTR_BOLD | ATTR_ITALIC | ATTR_UNDERLINE_CURLY | ATTR_OVERLINE};
    struct style again = plain;
    ck_assert(style_parse(&again, &plain, style_to_text(&s)));
    ck_assert(style_equal(&s, &again));
    ck_assert_str_eq(style_to_text(&plain), "default");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("style");
    TCase *tc = tcase_create("style");
    tcase_add_test(tc, colours_have_their_names);
    tcase_add_test(tc, words_change_the_style_one_by_one);
    tcase_add_test(tc, default_goes_back_to_the_base);
    tcase_add_test(tc, an_unknown_word_changes_nothing);
    tcase_add_test(tc, markup_carries_alignment_lists_and_ranges);
    tcase_add_test(tc, text_of_a_style_reads_back_as_the_same_style);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
