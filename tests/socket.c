// The listening socket: its mode, what stands in its place, and that it comes back.
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/jobs.h"
#include "common/util.h"
#include "server/socket.h"

static struct job_queue *q;
static char dir[64], path[96];
static unsigned connections;
static int last_fd = -1;

static void on_connection(int fd)
{
    connections++;
    if (last_fd != -1)
        close(last_fd);
    last_fd = fd;
    jobs_stop(q);
}

static int connect_to(const char *to)
{
    struct sockaddr_un sa = {.sun_family = AF_UNIX};
    strcpy(sa.sun_path, to);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(fd, (struct sockaddr *)&sa, sizeof sa) == 0)
        return fd;
    close(fd);
    return -1;
}

static void setup(void)
{
    connections = 0;
    strcpy(dir, "/tmp/amux-socket-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/name", dir);
    q = jobs_new();
}

static void teardown(void)
{
    socket_shut();
    if (last_fd != -1)
        close(last_fd);
    last_fd = -1;
    unlink(path);
    rmdir(dir);
}

static void open_ok(void)
{
    char *cause = NULL;
    bool is_open = socket_open(q, path, on_connection, &cause);
    ck_assert_msg(is_open, "%s", cause);
}

START_TEST(its_mode_is_0600_and_the_umask_stays)
{
    struct stat sb;
    mode_t old = umask(002);
    open_ok();
    ck_assert_uint_eq(umask(old), 002);
    ck_assert_int_eq(lstat(path, &sb), 0);
    ck_assert_uint_eq(sb.st_mode & 07777, 0600);
}
END_TEST

START_TEST(connections_come_by_the_loop)
{
    open_ok();
    int fd = connect_to(path);
    ck_assert_int_ne(fd, -1);
    while (connections == 0)
        jobs_loop(q);
    ck_assert(fcntl(last_fd, F_GETFL) & O_NONBLOCK);
    ck_assert(fcntl(last_fd, F_GETFD) & FD_CLOEXEC);
    close(fd);
}
END_TEST

START_TEST(a_stale_socket_is_replaced)
{
    char *cause = NULL;
    int fd = socket_listen(path, &cause);
    ck_assert_int_ne(fd, -1);
    close(fd); // its file stays, nobody listens
    open_ok();
}
END_TEST

START_TEST(a_live_socket_is_left_alone)
{
    char *cause = NULL;
    int first = socket_listen(path, &cause);
    int second = socket_listen(path, &cause);
    ck_assert_int_eq(second, -1);
    ck_assert_ptr_nonnull(strstr(cause, path));
    int fd = connect_to(path);
    ck_assert_int_ne(fd, -1);
    close(fd);
    close(first);
    free(cause);
}
END_TEST

START_TEST(another_kind_of_file_is_left_alone)
{
    char *cause = NULL;
    int file = open(path, O_CREAT | O_WRONLY, 0600);
    ck_assert_int_eq(write(file, "mine", 4), 4);
    ck_assert_int_eq(socket_listen(path, &cause), -1);
    ck_assert_ptr_nonnull(strstr(cause, "left alone"));
    struct stat sb;
    ck_assert(lstat(path, &sb) == 0 && S_ISREG(sb.st_mode) && sb.st_size == 4);
    close(file);
    free(cause);
}
END_TEST

START_TEST(a_path_that_is_too_long_is_refused_with_its_length)
{
    char name[300];
    memset(name, 'x', sizeof name);
    name[0] = '/';
    name[sizeof name - 1] = '\0';
    char *cause = NULL;
    ck_assert_int_eq(socket_listen(name, &cause), -1);
    ck_assert_ptr_nonnull(strstr(cause, "too long"));
    free(cause);
}
END_TEST

// Waits until a connection goes through; each try runs the loop on what has come.
static void wait_reachable(void)
{
    while (connections == 0) {
        int fd = connect_to(path);
        jobs_loop(q);
        if (fd != -1)
            close(fd);
    }
}

static struct due soon(const void *state, int64_t now_us)
{
    (void)state;
    return due_at(now_us + 1000);
}
static void stop(void *state)
{
    (void)state;
    jobs_stop(q);
}
static const struct job_spec tick = {"test tick", soon, stop};

START_TEST(it_comes_back_when_it_was_removed)
{
    open_ok();
    ck_assert_int_eq(unlink(path), 0);
    struct job *job = job_add(q, &tick, NULL);
    wait_reachable();
    job_remove(job);
}
END_TEST

START_TEST(it_comes_back_when_its_directory_was_removed)
{
    open_ok();
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(dir), 0);
    struct job *job = job_add(q, &tick, NULL);
    wait_reachable();
    job_remove(job);
    struct stat sb;
    ck_assert_int_eq(lstat(dir, &sb), 0);
    ck_assert_uint_eq(sb.st_mode & 07777, 0700);
}
END_TEST

START_TEST(it_comes_back_when_its_directory_was_moved)
{
    char moved[80];
    snprintf(moved, sizeof moved, "%s.moved", dir);
    open_ok();
    ck_assert_int_eq(rename(dir, moved), 0);
    struct job *job = job_add(q, &tick, NULL);
    wait_reachable();
    job_remove(job);
    snprintf(moved, sizeof moved, "%s.moved/name", dir);
    unlink(moved);
    *strrchr(moved, '/') = '\0';
    rmdir(moved);
}
END_TEST

START_TEST(a_failed_try_is_tried_again_and_the_umask_stays)
{
    umask(002);
    open_ok();
    unlink(path);
    rmdir(dir);
    int file = open(dir, O_CREAT | O_WRONLY, 0600); // where the directory should be
    socket_check();
    ck_assert_uint_eq(umask(002), 002);
    close(file);
    unlink(dir);
    struct job *job = job_add(q, &tick, NULL);
    wait_reachable();
    job_remove(job);
}
END_TEST

START_TEST(a_socket_that_somebody_else_made_there_is_left_to_him)
{
    char *cause = NULL;
    open_ok();
    unlink(path);
    int other = socket_listen(path, &cause);
    ck_assert_int_ne(other, -1);
    socket_check();
    int fd = connect_to(path);
    int there = accept(other, NULL, NULL); // non-blocking: it was the other's
    ck_assert_int_ne(there, -1);
    ck_assert_uint_eq(connections, 0);
    close(there);
    close(fd);
    close(other);
}
END_TEST

START_TEST(without_descriptors_accepting_pauses_and_goes_on)
{
    struct rlimit low, old;
    open_ok();
    int fds[3];
    for (size_t i = 0; i < ARRAY_LEN(fds); i++)
        fds[i] = connect_to(path);
    getrlimit(RLIMIT_NOFILE, &old);
    low = old;
    int next = dup(0);
    close(next);
    low.rlim_cur = (rlim_t)next;
    struct job *job = job_add(q, &tick, NULL);
    setrlimit(RLIMIT_NOFILE, &low);
    loop_stats_reset(q);
    for (int i = 0; i < 20; i++)
        jobs_loop(q);
    struct loop_stats stats;
    loop_stats(q, &stats);
    setrlimit(RLIMIT_NOFILE, &old);
    ck_assert_uint_eq(connections, 0);
    ck_assert_uint_le(stats.wakeups, 30); // the ticks, not a spin
    socket_resume_accept();
    while (connections < ARRAY_LEN(fds))
        jobs_loop(q);
    job_remove(job);
    for (size_t i = 0; i < ARRAY_LEN(fds); i++)
        close(fds[i]);
}
END_TEST

START_TEST(shutting_removes_only_its_own_socket)
{
    char *cause = NULL;
    struct stat sb;
    open_ok();
    socket_shut();
    ck_assert_int_eq(lstat(path, &sb), -1);
    open_ok();
    unlink(path);
    int other = socket_listen(path, &cause);
    socket_shut();
    ck_assert_int_eq(lstat(path, &sb), 0);
    close(other);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("socket");
    TCase *t = tcase_create("socket");
    tcase_set_timeout(t, 20);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, its_mode_is_0600_and_the_umask_stays);
    tcase_add_test(t, connections_come_by_the_loop);
    tcase_add_test(t, a_stale_socket_is_replaced);
    tcase_add_test(t, a_live_socket_is_left_alone);
    tcase_add_test(t, another_kind_of_file_is_left_alone);
    tcase_add_test(t, a_path_that_is_too_long_is_refused_with_its_length);
    tcase_add_test(t, it_comes_back_when_it_was_removed);
    tcase_add_test(t, it_comes_back_when_its_directory_was_removed);
    tcase_add_test(t, it_comes_back_when_its_directory_was_moved);
    tcase_add_test(t, a_failed_try_is_tried_again_and_the_umask_stays);
    tcase_add_test(t, a_socket_that_somebody_else_made_there_is_left_to_him);
    tcase_add_test(t, without_descriptors_accepting_pauses_and_goes_on);
    tcase_add_test(t, shutting_removes_only_its_own_socket);
    suite_add_tcase(s, t);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
