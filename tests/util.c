// Small utilities: numbers, quoting, visible text, growing strings.
#include "config.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/util.h"

START_TEST(numbers_outside_their_range_or_not_numbers_are_named)
{
    static const struct {
        const char *text, *cause;
        long long value;
    } rows[] = {{"12", NULL, 12},       {"-3", NULL, -3},        {"", "invalid", 0},
                {" 1", "invalid", 0},   {"1x", "invalid", 0},    {"-11", "too small", 0},
                {"101", "too large", 0}, {"99999999999999999999", "too large", 0},
                {"-99999999999999999999", "too small", 0}};
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        long long v = 0;
        const char *cause = NULL;
        bool ok = parse_number(rows[i].text, -10, 100, &v, &cause);
        ck_assert_int_eq(ok, rows[i].cause == NULL);
        if (ok)
            ck_assert_int_eq(v, rows[i].value);
        else
            ck_assert_str_eq(cause, rows[i].cause);
    }
}
END_TEST

START_TEST(control_bytes_and_damaged_text_are_made_visible)
{
    static const char *const rows[][2] = {{"plain \xc3\xa9", "plain \xc3\xa9"},
                                          {"a\nb\tc\r", "a\\nb\\tc\\r"},
                                          {"\033[31m", "\\033[31m"},
                                          {"\xc2\x9b", "\\302\\233"},
                                          {"a\xff", "a\\377"},
                                          {"\xef\xbf\xbd", "\xef\xbf\xbd"}};
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char *s = text_visible(rows[i][0]);
        ck_assert_str_eq(s, rows[i][1]);
        free(s);
    }
}
END_TEST

START_TEST(a_quoted_vector_is_split_by_the_shell_into_the_same_words)
{
    static const char *const words[] = {"printf", "[%s]", "a b", "it's", "", "$(x) \"d\" ;&", "\n", NULL};
    char *line = strv_to_shell((char *const *)words);
    FILE *f = popen(line, "r");
    char got[256] = "";
    size_t n = fread(got, 1, sizeof got - 1, f);
    got[n] = '\0';
    pclose(f);
    ck_assert_str_eq(got, "[a b][it's][][$(x) \"d\" ;&][\n]");
    free(line);
}
END_TEST

START_TEST(a_growing_string_is_always_terminated)
{
    struct strbuf b = {0};
    for (unsigned i = 0; i < 1000; i++) {
        strbuf_addf(&b, "%u,", i % 10);
        ck_assert_uint_eq(strlen(b.data), b.len);
    }
    ck_assert_uint_eq(b.len, 2000);
    char *s = strbuf_take(&b);
    ck_assert_ptr_null(b.data);
    free(s);
    s = strbuf_take(&b);
    ck_assert_str_eq(s, "");
    free(s);
}
END_TEST

START_TEST(descriptors_from_a_number_on_are_closed)
{
    int fd = open("/dev/null", O_RDONLY);
    int high = fcntl(fd, F_DUPFD, 100);
    fd_close_from(50);
    ck_assert_int_eq(fcntl(high, F_GETFD), -1);
    ck_assert_int_ne(fcntl(fd, F_GETFD), -1);
}
END_TEST

START_TEST(amux_itself_is_not_a_shell)
{
    ck_assert(is_usable_shell("/bin/sh"));
    ck_assert(!is_usable_shell("sh"));
    ck_assert(!is_usable_shell("/nowhere/sh"));
    ck_assert(!is_usable_shell(NULL));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("util");
    TCase *t = tcase_create("util");
    tcase_add_test(t, numbers_outside_their_range_or_not_numbers_are_named);
    tcase_add_test(t, control_bytes_and_damaged_text_are_made_visible);
    tcase_add_test(t, a_quoted_vector_is_split_by_the_shell_into_the_same_words);
    tcase_add_test(t, a_growing_string_is_always_terminated);
    tcase_add_test(t, descriptors_from_a_number_on_are_closed);
    tcase_add_test(t, amux_itself_is_not_a_shell);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
