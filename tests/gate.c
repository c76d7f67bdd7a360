// The gate: what reaches the parser is bounded, strings come whole.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util.h"
#include "server/vt/gate.h"

static struct strbuf passed, strings;

static void on_pass(void *arg, const char *data, size_t len)
{
    (void)arg;
    strbuf_add(&passed, data, len);
}

static void on_string(void *arg, enum gate_string kind, const char *data, size_t len, bool bel)
{
    (void)arg;
    strbuf_addf(&strings, "%d%s:", (int)kind, bel ? "b" : "");
    strbuf_add(&strings, data, len);
    strbuf_add_char(&strings, '\n');
}

static const struct gate_output output = {on_pass, on_string};

// Feeds text whole, then byte by byte: both must give the same.
static void expect(const char *text, const char *pass, const char *string)
{
    for (unsigned i = 0; i < 2; i++) {
        struct gate *g = gate_new(&output, NULL);
        size_t len = strlen(text);

        strbuf_clear(&passed);
        strbuf_clear(&strings);
        if (i == 0)
            gate_feed(g, text, len);
        for (size_t at = 0; i == 1 && at < len; at++)
            gate_feed(g, text + at, 1);
        ck_assert_str_eq(passed.data != NULL ? passed.data : "", pass);
        ck_assert_str_eq(strings.data != NULL ? strings.data : "", string);
        gate_free(g);
    }
}

START_TEST(ordinary_output_passes_untouched)
{
    static const char text[] = "hello\r\n\033[1;31mred\033[0m\033[?25h\033[2 q\033(0lqk\033(B\0337";

    expect(text, text, "");
    expect("\303\251\033[38:2::1:2:3mx", "\303\251\033[38:2::1:2:3mx", "");
}
END_TEST

START_TEST(strings_end_with_bel_or_st_and_never_pass)
{
    expect("a\033]0;title\007b", "ab", "0b:0;title\n");
    expect("a\033]0;title\033\\b", "ab", "0:0;title\n");
    expect("a\033P$qm\033\\b", "ab", "1:$qm\n");
    expect("a\033kname\033\\b", "ab", "2:name\n");
    expect("a\033_Gx\033\\b\033^y\007c\033Xz\033\\d", "abcd", "");
    expect("a\033Ptmux;\033\033]52;c;YQ==\007\033\\b", "ab", "1:tmux;]52;c;YQ==\n");
}
END_TEST

START_TEST(a_string_is_given_up_by_cancel_and_by_other_escapes)
{
    expect("\033]0;a\030b", "b", "");
    expect("\033]0;a\033[1mb", "\033[1mb", "");
    expect("\033_a\033]0;t\007b", "b", "0b:0;t\n");
}
END_TEST

START_TEST(no_control_sequence_has_more_than_16_parameters)
{
    expect("\033[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18H",
           "\033[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16H", "");
    expect("\033[?1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18h",
           "\033[?1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16h", "");
    expect("\033[;;;;;;;;;;;;;;;;;;;;x", "\033[;;;;;;;;;;;;;;;x", "");
    expect("\033[123456789A", "\033[99999A", "");
    expect("\033[1234567890123456789012A", "\033[99999A", "");
}
END_TEST

START_TEST(long_sgr_is_split_between_attributes)
{
    // 1;4 and three colours of five: the fourth would be cut.
    expect("\033[1;38;2;1;2;3;48;2;4;5;6;58;2;7;8;9;7;38;5;20m",
           "\033[1;38;2;1;2;3;48;2;4;5;6;58;2;7;8;9m\033[7;38;5;20m", "");
    expect("\033[1;3;38;2;1;2;3;48;2;4;5;6;58;2;7;8;9m",
           "\033[1;3;38;2;1;2;3;48;2;4;5;6m\033[58;2;7;8;9m", "");
    expect("\033[1;1;1;1;1;1;1;1;1;1;1;1;38:2::1:2:3;4m",
           "\033[1;1;1;1;1;1;1;1;1;1;1;1m\033[38:2::1:2:3;4m", "");
    expect("\033[1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1m",
           "\033[1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1m\033[1m", "");
}
END_TEST

START_TEST(what_is_malformed_is_swallowed_to_its_end)
{
    expect("a\033[1<2mb", "ab", "");
    expect("a\033[1 2mb", "ab", "");
    expect("a\033[1\303\251b", "a\303\251b", "");
    expect("a\033[1\033[2mb", "a\033[2mb", "");
    expect("a\033[1\030b", "ab", "");
    expect("a\033[3\n1mb", "a\n\033[31mb", "");
}
END_TEST

START_TEST(strings_over_their_limit_vanish_whole)
{
    struct gate *g = gate_new(&output, NULL);
    char *big = xmalloc(1 << 20);

    memset(big, 'x', 1 << 20);
    strbuf_clear(&passed);
    strbuf_clear(&strings);
    gate_feed(g, "\033P", 2);
    gate_feed(g, big, 1 << 20);
    gate_feed(g, "\033\\", 2);
    for (unsigned i = 0; i < 3; i++)
        gate_feed(g, i == 0 ? "\033]52;" : big, i == 0 ? 5 : 1 << 20);
    gate_feed(g, "\007ok\033[", 5);
    gate_feed(g, big, 0);
    for (unsigned i = 0; i < 2000; i++)
        gate_feed(g, "1;", 2);
    gate_feed(g, "mend", 4);
    ck_assert_str_eq(passed.data, "okend");
    ck_assert_str_eq(strings.data != NULL ? strings.data : "", "");
    free(big);
    gate_free(g);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("gate");
    TCase *c = tcase_create("gate");
    SRunner *r;
    int failed;

    tcase_add_test(c, ordinary_output_passes_untouched);
    tcase_add_test(c, strings_end_with_bel_or_st_and_never_pass);
    tcase_add_test(c, a_string_is_given_up_by_cancel_and_by_other_escapes);
    tcase_add_test(c, no_control_sequence_has_more_than_16_parameters);
    tcase_add_test(c, long_sgr_is_split_between_attributes);
    tcase_add_test(c, what_is_malformed_is_swallowed_to_its_end);
    tcase_add_test(c, strings_over_their_limit_vanish_whole);
    suite_add_tcase(s, c);
    r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed > 0;
}
