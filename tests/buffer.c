// Paste buffers: names, the limit, samples.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "server/model/model.h"
#include "server/options/options.h"
#include "server/server.h"

static struct options *scope;
struct options *server_options(void)
{
    return scope;
}

static void setup(void)
{
    struct buffer *b;
    while ((b = buffer_next(NULL)) != NULL)
        buffer_free(b);
    scope = options_new(NULL);
    options_set_defaults(scope, SCOPE_SERVER);
}

static void teardown(void)
{
    options_free(scope);
}

static void add(const char *text, const char *name)
{
    char *cause = NULL;
    ck_assert(buffer_set(xstrdup(text), strlen(text), name, &cause));
}

START_TEST(the_newest_automatic_one_is_on_top)
{
    add("one", NULL);
    add("two", NULL);
    add("named", "mine");
    ck_assert_str_eq(buffer_top()->data, "two");
    ck_assert_str_eq(buffer_next(NULL)->name, "mine");
}
END_TEST

START_TEST(the_oldest_automatic_one_goes_beyond_the_limit_and_named_ones_stay)
{
    options_set_number(scope, "buffer-limit", 2);
    add("named", "mine");
    add("one", NULL);
    add("two", NULL);
    add("three", NULL);
    ck_assert_str_eq(buffer_top()->data, "three");
    struct buffer *second = buffer_next(buffer_top());
    ck_assert_str_eq(second->data, "two");
    ck_assert_ptr_nonnull(buffer_by_name("mine"));
    ck_assert_ptr_null(buffer_next(buffer_next(second)));
}
END_TEST

START_TEST(a_name_that_is_there_gets_the_new_text)
{
    add("old", "mine");
    add("new", "mine");
    ck_assert_str_eq(buffer_by_name("mine")->data, "new");
    ck_assert_ptr_null(buffer_next(buffer_next(NULL)));
}
END_TEST

START_TEST(a_renamed_buffer_is_no_longer_automatic)
{
    char *cause = NULL;
    add("text", NULL);
    struct buffer *b = buffer_top();
    ck_assert(buffer_rename(b, "kept", &cause));
    ck_assert_ptr_null(buffer_top());
    ck_assert_ptr_eq(buffer_by_name("kept"), b);
    ck_assert(!buffer_rename(b, "", &cause));
    ck_assert_ptr_nonnull(cause);
    free(cause);
}
END_TEST

START_TEST(an_empty_name_is_refused_and_an_empty_text_makes_no_buffer)
{
    char *cause = NULL;
    ck_assert(!buffer_set(xstrdup("x"), 1, "", &cause));
    free(cause);
    cause = NULL;
    ck_assert(buffer_set(xstrdup(""), 0, NULL, &cause));
    ck_assert_ptr_null(buffer_next(NULL));
}
END_TEST

START_TEST(a_sample_is_one_line_of_bounded_width)
{
    add("a\nb\tc\033[31m and much more than fits in here", NULL);
    char *sample = buffer_sample(buffer_top(), 20);
    ck_assert_ptr_null(strpbrk(sample, "\n\t\033"));
    ck_assert_uint_le(strlen(sample), 20);
    ck_assert_ptr_nonnull(strstr(sample, "..."));
    free(sample);
    add("short", NULL);
    sample = buffer_sample(buffer_top(), 20);
    ck_assert_str_eq(sample, "short");
    free(sample);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("buffer");
    TCase *t = tcase_create("buffer");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, the_newest_automatic_one_is_on_top);
    tcase_add_test(t, the_oldest_automatic_one_goes_beyond_the_limit_and_named_ones_stay);
    tcase_add_test(t, a_name_that_is_there_gets_the_new_text);
    tcase_add_test(t, a_renamed_buffer_is_no_longer_automatic);
    tcase_add_test(t, an_empty_name_is_refused_and_an_empty_text_makes_no_buffer);
    tcase_add_test(t, a_sample_is_one_line_of_bounded_width);
    suite_add_tcase(s, t);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
