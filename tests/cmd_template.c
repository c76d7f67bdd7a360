// Templates of prompts: what an answer becomes in the command that is run with it.
#include <check.h>
#include <stdlib.h>

#include "server/command/cmd_common.h"

static void expect(const char *template, const char *answer, unsigned n, const char *wanted)
{
    char *got = cmd_template_replace(template, answer, n);

    ck_assert_str_eq(got, wanted);
    free(got);
}

START_TEST(an_answer_goes_where_its_number_or_the_first_double_sign_stands)
{
    expect("%1", "ls", 1, "ls");
    expect("a %1 b %1", "x", 1, "a x b x");
    expect("rename-window '%%'", "new", 1, "rename-window 'new'");
    expect("a %% b %%", "x", 1, "a x b %%");
    expect("%2 %1", "x", 2, "x %1");
}
END_TEST

START_TEST(a_third_sign_escapes_the_answer_for_double_quotes)
{
    expect("send \"%%%\"", "a\"b$c;~d\\", 1, "send \"a\\\"b\\$c\\;\\~d\\\\\"");
    expect("%1%", "a;b", 1, "a\\;b");
}
END_TEST

START_TEST(other_signs_are_left_alone)
{
    expect("100% %", "x", 1, "100% %");
    expect("%0 %a %", "x", 1, "%0 %a %");
    expect("", "x", 1, "");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cmd_template");
    TCase *tc = tcase_create("replace");
    SRunner *runner = srunner_create(suite);

    suite_add_tcase(suite, tc);
    tcase_add_test(tc, an_answer_goes_where_its_number_or_the_first_double_sign_stands);
    tcase_add_test(tc, a_third_sign_escapes_the_answer_for_double_quotes);
    tcase_add_test(tc, other_signs_are_left_alone);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
