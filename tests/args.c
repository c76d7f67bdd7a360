// Flags and arguments of commands, their errors in tmux's words, and their text form.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "server/command/language.h"

static const struct command_spec *spec_of(const char *name)
{
    const struct command_spec *spec = command_spec_find(name, NULL);
    ck_assert_ptr_nonnull(spec);
    return spec;
}

static struct args *parse(const char *name, char *const *words)
{
    char *cause = NULL;
    struct args *a = args_parse(spec_of(name), words, strv_len(words), &cause);
    ck_assert_msg(a != NULL, "%s", cause);
    return a;
}
#define WORDS(...) ((char *const *)(uintptr_t)(const char *const[]){__VA_ARGS__, NULL})

static void check_error(const char *name, char *const *words, const char *wanted)
{
    char *cause = NULL;
    ck_assert_ptr_null(args_parse(spec_of(name), words, strv_len(words), &cause));
    ck_assert_str_eq(cause, wanted);
    free(cause);
}

START_TEST(flags_come_joined_apart_and_with_values_attached)
{
    struct args *a = parse("new-session", WORDS("-dPs", "work", "-x80", "-eA=1", "-e", "B=2", "top", "-d"));
    ck_assert(args_has(a, 'd') && args_has(a, 'P') && !args_has(a, 'A'));
    ck_assert_str_eq(args_get(a, 's'), "work");
    ck_assert_str_eq(args_get(a, 'x'), "80");
    ck_assert_uint_eq(args_count_flag(a, 'e'), 2);
    ck_assert_str_eq(args_get_nth(a, 'e', 0), "A=1");
    ck_assert_str_eq(args_get(a, 'e'), "B=2");
    ck_assert_ptr_null(args_get_nth(a, 'e', 2));
    ck_assert_uint_eq(args_count(a), 2);
    ck_assert_str_eq(args_at(a, 1), "-d");
    ck_assert_ptr_null(args_at(a, 2));
    ck_assert_ptr_null(args_rest(a, 1)[1]);
    ck_assert_ptr_null(args_rest(a, 9)[0]);
    args_free(a);
}
END_TEST

START_TEST(two_dashes_end_the_flags_and_one_dash_is_an_argument)
{
    struct args *a = parse("send-keys", WORDS("-l", "--", "-x"));
    ck_assert_uint_eq(args_count(a), 1);
    ck_assert_str_eq(args_at(a, 0), "-x");
    args_free(a);
    a = parse("load-buffer", WORDS("-"));
    ck_assert_str_eq(args_at(a, 0), "-");
    args_free(a);
}
END_TEST

START_TEST(errors_are_worded_as_tmux_does)
{
    check_error("new-session", WORDS("-q"), "command new-session: unknown flag -q");
    check_error("kill-pane", WORDS("x"), "command kill-pane: too many arguments (need at most 0)");
    check_error("rename-window", WORDS("-t", "x"), "command rename-window: too few arguments (need at least 1)");
    check_error("resize-pane", WORDS("-x"), "command resize-pane: -x expects an argument");
    check_error("kill-pane", WORDS("-?"), "usage: kill-pane [-a] [-t target-pane]");
    check_error("kill-server", WORDS("-?"), "usage: kill-server");
    check_error("kill-pane", WORDS("-:"), "command kill-pane: unknown flag -:");
    check_error("kill-pane", WORDS("-\033"), "command kill-pane: invalid flag");
}
END_TEST

START_TEST(numbers_and_percentages_are_checked)
{
    struct args *a = parse("resize-pane", WORDS("-x", "abc", "-y", "12"));
    char *cause = NULL;
    long long n = 0;
    ck_assert(!args_number(a, 'x', 1, 100, &n, &cause, "width"));
    ck_assert_str_eq(cause, "width invalid");
    free(cause);
    ck_assert(args_number(a, 'y', 1, 100, &n, &cause, "height") && n == 12);
    ck_assert(!args_number(a, 'y', 1, 10, &n, &cause, "height"));
    ck_assert_str_eq(cause, "height too large");
    free(cause);
    args_free(a);

    ck_assert(args_percentage("30%", 0, 1000, 200, &n, &cause, "size") && n == 60);
    ck_assert(args_percentage("7", 0, 1000, 200, &n, &cause, "size") && n == 7);
    ck_assert(!args_percentage("101%", 0, 1000, 200, &n, &cause, "size"));
    free(cause);
    ck_assert(!args_percentage("", 0, 1000, 200, &n, &cause, "size"));
    free(cause);
    ck_assert(!args_percentage("1%", 5, 1000, 200, &n, &cause, "size"));
    ck_assert_str_eq(cause, "size too small");
    free(cause);
}
END_TEST

static const struct {
    const char *word, *text;
} quoted[] = {
    {"a", "a"},           {"a b", "\"a b\""},       {"a\"b", "'a\"b'"},     {"a'b", "\"a'b\""},
    {"a$b", "\"a\\$b\""}, {"a$ ", "\"a$ \""},       {"$\"", "\"$\\\"\""},   {"a\\b", "a\\\\b"},
    {"\"", "\\\""},       {"~", "\\~"},             {"~a", "\\~a"},         {"", "''"},
    {" ", "\" \""},       {"a\nb", "a\\nb"},        {"\001", "\\001"},      {"%1", "\"%1\""},
    {"{", "\\{"},         {"a;b", "\"a;b\""},       {"\xff", "\\377"},      {"\xc3\xa9", "\xc3\xa9"},
    {"a=b", "a=b"},       {"&", "&"},               {"a\" b", "\"a\\\" b\""},
};

START_TEST(a_word_is_quoted_as_list_keys_prints_it)
{
    struct strbuf out = {0};
    word_add_quoted(&out, quoted[_i].word);
    ck_assert_str_eq(out.data, quoted[_i].text);
    strbuf_free(&out);
}
END_TEST

START_TEST(text_has_plain_flags_first_and_guards_an_argument_that_looks_like_flags)
{
    struct args *a = parse("send-keys", WORDS("-t", "x y", "-N", "5", "-X", "-F", "scroll"));
    struct strbuf out = {0};
    args_add_text(a, &out);
    ck_assert_str_eq(out.data, " -FX -N 5 -t \"x y\" scroll");
    args_free(a);
    strbuf_clear(&out);
    a = parse("send-keys", WORDS("--", "-l"));
    args_add_text(a, &out);
    ck_assert_str_eq(out.data, " -- -l");
    args_free(a);
    strbuf_free(&out);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("args");
    TCase *t = tcase_create("args");
    tcase_add_test(t, flags_come_joined_apart_and_with_values_attached);
    tcase_add_test(t, two_dashes_end_the_flags_and_one_dash_is_an_argument);
    tcase_add_test(t, errors_are_worded_as_tmux_does);
    tcase_add_test(t, numbers_and_percentages_are_checked);
    tcase_add_loop_test(t, a_word_is_quoted_as_list_keys_prints_it, 0, (int)ARRAY_LEN(quoted));
    tcase_add_test(t, text_has_plain_flags_first_and_guards_an_argument_that_looks_like_flags);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
