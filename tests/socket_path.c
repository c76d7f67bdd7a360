// The socket's directory: made, checked, held.
#include "config.h"

#include <check.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/socket_path.h"
#include "common/util.h"

static char base[64];
static char *dir;

static void setup(void)
{
    strcpy(base, "/tmp/amux-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(base));
    setenv("AMUX_TMPDIR", base, 1);
    dir = xasprintf("%s/amux-%ld", base, (long)getuid());
}

static void teardown(void)
{
    char *command = xasprintf("rm -rf '%s'", base);
    ck_assert_int_eq(system(command), 0);
    free(command);
    free(dir);
}

static void expect_fault(const char *label, const char *part)
{
    char *cause = NULL;
    ck_assert_ptr_null(socket_path_make(label, &cause));
    ck_assert_ptr_nonnull(cause);
    ck_assert_msg(strstr(cause, part) != NULL, "\"%s\" lacks \"%s\"", cause, part);
    free(cause);
}

START_TEST(the_directory_is_made_private)
{
    char *cause = NULL;
    char *path = socket_path_make("default", &cause);
    struct stat sb;
    ck_assert_ptr_nonnull(path);
    ck_assert_int_eq(stat(dir, &sb), 0);
    ck_assert_int_eq(sb.st_mode & 07777, 0700);
    ck_assert_int_eq(strncmp(path, dir, strlen(dir)), 0);
    free(path);
}
END_TEST

START_TEST(a_directory_open_to_others_is_refused)
{
    mkdir(dir, 0700);
    chmod(dir, 0777);
    expect_fault("default", "open to others");
}
END_TEST

START_TEST(a_link_or_a_file_in_its_place_is_refused)
{
    ck_assert_int_eq(symlink("/tmp", dir), 0);
    expect_fault("default", "symbolic link");
    unlink(dir);
    close(open(dir, O_CREAT | O_WRONLY, 0600));
    expect_fault("default", "not a directory");
}
END_TEST

START_TEST(a_directory_of_another_owner_is_refused_with_its_name)
{
    if (getuid() != 0)
        return; // only root can make one
    mkdir(dir, 0700);
    ck_assert_int_eq(chown(dir, 65534, 65534), 0);
    expect_fault("default", "belongs to nobody");
}
END_TEST

START_TEST(names_with_a_slash_or_too_long_are_refused)
{
    char name[200];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    expect_fault("a/b", "bad socket name");
    expect_fault("", "bad socket name");
    expect_fault(name, "too long");
}
END_TEST

START_TEST(a_missing_base_is_named)
{
    setenv("AMUX_TMPDIR", "/nowhere/at/all", 1);
    expect_fault("default", "/nowhere/at/all");
}
END_TEST

START_TEST(the_held_directory_is_locked_against_cleaners)
{
    char *cause = NULL;
    char *path = socket_path_make("default", &cause);
    int held = socket_dir_hold(path);
    ck_assert_int_ge(held, 0);
    int fd = open(dir, O_RDONLY | O_DIRECTORY);
    ck_assert_int_eq(flock(fd, LOCK_EX | LOCK_NB), -1);
    ck_assert_int_eq(flock(fd, LOCK_SH | LOCK_NB), 0); // several servers share it
    close(fd);
    close(held);
    free(path);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("socket_path");
    TCase *t = tcase_create("socket_path");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, the_directory_is_made_private);
    tcase_add_test(t, a_directory_open_to_others_is_refused);
    tcase_add_test(t, a_link_or_a_file_in_its_place_is_refused);
    tcase_add_test(t, a_directory_of_another_owner_is_refused_with_its_name);
    tcase_add_test(t, names_with_a_slash_or_too_long_are_refused);
    tcase_add_test(t, a_missing_base_is_named);
    tcase_add_test(t, the_held_directory_is_locked_against_cleaners);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
