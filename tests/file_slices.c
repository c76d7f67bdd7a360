// Files in slices: what is read and written is whole, and what is no regular file is refused.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/jobs.h"
#include "common/util.h"
#include "server/command/file_slices.h"
#include "server/server.h"

static struct job_queue *queue;
static char dir[] = "/tmp/amux-file-slices-XXXXXX";
static char *got_data, *got_error;
static size_t got_size;

struct job_queue *server_jobs(void)
{
    return queue;
}

void server_descriptor_freed(void)
{
}

static void done(void *arg, char *data, size_t size, const char *error)
{
    (void)arg;
    got_data = data;
    got_size = size;
    got_error = error != NULL ? xstrdup(error) : NULL;
    jobs_stop(queue);
}

static void setup(void)
{
    queue = jobs_new();
    strcpy(dir, "/tmp/amux-file-slices-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    got_data = got_error = NULL;
}

static void teardown(void)
{
    free(got_data);
    free(got_error);
    char *command = xasprintf("rm -rf %s", dir);
    ck_assert_int_eq(system(command), 0);
    free(command);
    jobs_free(queue);
}

static char *path_of(const char *name)
{
    return xasprintf("%s/%s", dir, name);
}

START_TEST(a_large_file_comes_back_as_it_was_written)
{
    size_t size = 1000003;
    char *data = xmalloc(size), *copy = xmalloc(size), *path = path_of("large");

    for (size_t i = 0; i < size; i++)
        data[i] = (char)(i * 7919 >> 3);
    memcpy(copy, data, size);
    file_slices_write(path, false, data, size, done, NULL);
    jobs_loop(queue);
    ck_assert_ptr_null(got_error);
    file_slices_read(path, size, done, NULL);
    jobs_loop(queue);
    ck_assert_ptr_null(got_error);
    ck_assert_uint_eq(got_size, size);
    ck_assert_int_eq(memcmp(got_data, copy, size), 0);
    ck_assert_int_eq(got_data[size], 0);
    free(copy);
    free(path);
}
END_TEST

START_TEST(writing_again_replaces_and_appending_adds)
{
    char *path = path_of("file");

    file_slices_write(path, false, xstrdup("first"), 5, done, NULL);
    jobs_loop(queue);
    file_slices_write(path, false, xstrdup("two"), 3, done, NULL);
    jobs_loop(queue);
    file_slices_write(path, true, xstrdup("+3"), 2, done, NULL);
    jobs_loop(queue);
    file_slices_read(path, 100, done, NULL);
    jobs_loop(queue);
    ck_assert_str_eq(got_data, "two+3");
    free(path);
}
END_TEST

START_TEST(a_file_beyond_the_limit_is_refused)
{
    char *path = path_of("file");

    file_slices_write(path, false, xstrdup("12345"), 5, done, NULL);
    jobs_loop(queue);
    file_slices_read(path, 4, done, NULL);
    jobs_loop(queue);
    ck_assert_ptr_null(got_data);
    ck_assert_str_eq(got_error, "file is too large");
    free(path);
}
END_TEST

START_TEST(directories_pipes_and_missing_files_are_refused_at_once)
{
    char *pipe_path = path_of("pipe"), *missing = path_of("missing/file");

    ck_assert_int_eq(mkfifo(pipe_path, 0600), 0);
    file_slices_read(pipe_path, 100, done, NULL);
    jobs_loop(queue);
    ck_assert_str_eq(got_error, "not a regular file");
    free(got_error);
    file_slices_write(pipe_path, false, xstrdup("x"), 1, done, NULL);
    jobs_loop(queue);
    ck_assert_ptr_nonnull(got_error);
    free(got_error);
    file_slices_read(dir, 100, done, NULL);
    jobs_loop(queue);
    ck_assert_str_eq(got_error, "Is a directory");
    free(got_error);
    file_slices_read(missing, 100, done, NULL);
    jobs_loop(queue);
    ck_assert_str_eq(got_error, "No such file or directory");
    free(pipe_path);
    free(missing);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("file_slices");
    TCase *tc = tcase_create("files");
    SRunner *runner = srunner_create(suite);

    suite_add_tcase(suite, tc);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_large_file_comes_back_as_it_was_written);
    tcase_add_test(tc, writing_again_replaces_and_appending_adds);
    tcase_add_test(tc, a_file_beyond_the_limit_is_refused);
    tcase_add_test(tc, directories_pipes_and_missing_files_are_refused_at_once);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
