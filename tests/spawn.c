// Programs started in PTYs: what they find, how failures come back, and that nothing leaks.
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/jobs.h"
#include "common/util.h"
#include "server/model/ending.h"
#include "server/server.h"
#include "server/spawn.h"

// --- stand-ins for the server

static struct rlimit file_limit;
const struct rlimit *server_child_file_limit(void)
{
    return &file_limit;
}
void server_descriptor_freed(void)
{
}

static struct job_queue *q;
static struct {
    unsigned answers;
    pid_t pid;
    int master;
    bool cwd_failed, has_exited;
    char *error;
    bool is_reaped;
    int status;
    struct strbuf out;
    struct io *io;
} got;

static void on_child(int fd, unsigned events, void *arg)
{
    (void)fd, (void)events, (void)arg;
    pid_t pid;
    int status;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        ending_reaped(pid);
        spawn_note_exit(pid, status);
        got.is_reaped = true;
        got.status = status;
    }
    jobs_stop(q);
}

static void on_output(int fd, unsigned events, void *arg)
{
    (void)events, (void)arg;
    char buf[4096];
    ssize_t n = read(fd, buf, sizeof buf);
    if (n > 0) {
        strbuf_add(&got.out, buf, (size_t)n);
    } else if (n == 0 || errno != EAGAIN) {
        io_remove(got.io);
        got.io = NULL;
    }
    jobs_stop(q);
}

static void on_answer(void *arg, const struct spawn_result *r)
{
    (void)arg;
    got.answers++;
    got.pid = r->pid;
    got.master = r->master;
    got.cwd_failed = r->cwd_failed;
    got.has_exited = r->has_exited;
    got.error = r->error == NULL ? NULL : xstrdup(r->error);
    if (r->master != -1)
        got.io = io_add(q, r->master, IO_READ, "test", on_output, NULL);
    jobs_stop(q);
}

// A limit for every wait: the runner's time-out ends a test that never gets there.
static void run_until(bool (*is_done)(void))
{
    while (!is_done())
        jobs_loop(q);
}
static bool has_answer(void)
{
    return got.answers > 0;
}
static bool has_ended(void)
{
    return got.answers > 0 && (got.error != NULL || (got.io == NULL && got.is_reaped));
}
static bool nothing_ends(void)
{
    return !ending_is_waiting();
}

static unsigned count_fds(void)
{
    unsigned n = 0;
    DIR *d = opendir("/proc/self/fd");
    while (readdir(d) != NULL)
        n++;
    closedir(d);
    return n;
}

static char *test_environ[] = {(char *)"PATH=/usr/bin:/bin", (char *)"HOME=/usr",
                               (char *)"MARK=here", NULL};

static struct spawn_request *start(char *const *argv, const char *cwd)
{
    struct spawn_args args = {.argv = argv, .shell = "/bin/sh", .cwd = cwd, .environ = test_environ,
                              .cols = 101, .rows = 33};
    return spawn_request(q, &args, on_answer, NULL);
}

static const char *output_of(const char *command)
{
    char *argv[] = {(char *)(uintptr_t)command, NULL};
    start(argv, "/");
    run_until(has_ended);
    ck_assert_msg(got.error == NULL, "%s", got.error);
    strbuf_add_char(&got.out, '\0');
    return got.out.data;
}

static void setup(void)
{
    memset(&got, 0, sizeof got);
    got.master = -1;
    getrlimit(RLIMIT_NOFILE, &file_limit);
    q = jobs_new();
    io_add_signal(q, SIGCHLD, "child", on_child, NULL);
}

START_TEST(the_answer_comes_from_the_loop)
{
    char *argv[] = {(char *)"true", (char *)"x", NULL};
    start(argv, "/");
    ck_assert_uint_eq(got.answers, 0);
    run_until(has_ended);
    ck_assert_uint_eq(got.answers, 1);
    ck_assert_int_gt(got.pid, 0);
    ck_assert(WIFEXITED(got.status) && WEXITSTATUS(got.status) == 0);
}
END_TEST

START_TEST(one_word_is_a_command_line_for_the_shell)
{
    ck_assert_ptr_nonnull(strstr(output_of("echo $((6*7)) $MARK"), "42 here"));
}
END_TEST

START_TEST(several_words_are_executed_as_they_are)
{
    char *argv[] = {(char *)"printf", (char *)"<%s>", (char *)"a b", (char *)"$MARK;x", NULL};
    start(argv, "/");
    run_until(has_ended);
    strbuf_add_char(&got.out, '\0');
    ck_assert_str_eq(got.out.data, "<a b><$MARK;x>");
}
END_TEST

START_TEST(the_shell_without_words_is_a_login_shell)
{
    // A shell of ours that says what it was called.
    char path[] = "/tmp/amux-spawn-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(path));
    char *shell = xasprintf("%s/shell", path);
    ck_assert_int_eq(symlink("/bin/sh", shell), 0);
    struct spawn_args args = {
        .shell = shell, .cwd = "/", .environ = test_environ, .cols = 80, .rows = 24};
    spawn_request(q, &args, on_answer, NULL);
    run_until(has_answer);
    ck_assert_ptr_null(got.error);
    const char *ask = "echo is:$0: ; exit\n";
    ck_assert_int_eq(write(got.master, ask, strlen(ask)), (ssize_t)strlen(ask));
    run_until(has_ended);
    strbuf_add_char(&got.out, '\0');
    ck_assert_ptr_nonnull(strstr(got.out.data, "is:-shell:"));
    unlink(shell);
    rmdir(path);
    free(shell);
}
END_TEST

START_TEST(the_terminal_has_its_size_and_settings_before_the_program_runs)
{
    const char *out = output_of("stty size; stty -a");
    ck_assert_ptr_nonnull(strstr(out, "33 101"));
    ck_assert_ptr_nonnull(strstr(out, "erase = ^?"));
    ck_assert_msg(strstr(out, "iutf8") != NULL && strstr(out, "-iutf8") == NULL, "%s", out);
}
END_TEST

START_TEST(a_program_gets_no_descriptor_but_its_terminal)
{
    int stray = open("/dev/null", O_RDONLY); // without close-on-exec
    const char *out = output_of("ls /proc/$$/fd | tr '\\n' ' '");
    ck_assert_msg(strcmp(out, "0 1 2 ") == 0 || strcmp(out, "0 1 10 2 ") == 0, "%s", out);
    close(stray);
}
END_TEST

START_TEST(signals_are_at_their_defaults_and_none_is_blocked)
{
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    sigset_t some;
    sigemptyset(&some);
    sigaddset(&some, SIGUSR2);
    sigprocmask(SIG_BLOCK, &some, NULL);
    const char *out = output_of("grep -E 'Sig(Blk|Ign)' /proc/self/status | tr -d '\\t\\r\\n'");
    unsigned long long blocked, ignored;
    ck_assert_msg(sscanf(out, "SigBlk:%llxSigIgn:%llx", &blocked, &ignored) == 2, "%s", out);
    ck_assert_uint_eq(blocked, 0);
    // Signals 32 and 33 are the C library's own: it lets nobody change what an ancestor set.
    ck_assert_uint_eq(ignored & ~(3ull << 31), 0);
}
END_TEST

START_TEST(the_file_limit_is_the_one_from_before_the_server_raised_it)
{
    file_limit.rlim_cur = 77;
    ck_assert_ptr_nonnull(strstr(output_of("ulimit -n"), "77"));
}
END_TEST

START_TEST(it_leads_a_session_of_its_own_with_the_terminal)
{
    const char *out = output_of("tty; echo $$ $(ps -o sid= -p $$) $(ps -o tpgid= -p $$)");
    long pid, sid, tpgid;
    char tty[64];
    ck_assert_int_eq(sscanf(out, "%63s %ld %ld %ld", tty, &pid, &sid, &tpgid), 4);
    ck_assert_int_eq(strncmp(tty, "/dev/pts/", 9), 0);
    ck_assert_int_eq(pid, sid);
}
END_TEST

START_TEST(a_missing_program_is_an_error_with_its_reason)
{
    unsigned before = count_fds();
    char *argv[] = {(char *)"/no/such/program", (char *)"x", NULL};
    start(argv, "/");
    run_until(has_answer);
    ck_assert_ptr_nonnull(got.error);
    ck_assert_ptr_nonnull(strstr(got.error, "/no/such/program"));
    ck_assert_ptr_nonnull(strstr(got.error, strerror(ENOENT)));
    ck_assert_int_eq(got.pid, -1);
    ck_assert_int_eq(got.master, -1);
    ck_assert_uint_eq(count_fds(), before);
}
END_TEST

START_TEST(a_program_that_may_not_be_executed_is_an_error_with_its_reason)
{
    char *argv[] = {(char *)"/etc/passwd", (char *)"x", NULL};
    start(argv, "/");
    run_until(has_answer);
    ck_assert_ptr_nonnull(got.error);
    ck_assert_ptr_nonnull(strstr(got.error, strerror(EACCES)));
}
END_TEST

START_TEST(a_directory_that_is_missing_falls_back_to_home)
{
    char *argv[] = {(char *)"pwd", NULL};
    start(argv, "/no/such/directory");
    run_until(has_ended);
    ck_assert(got.cwd_failed);
    strbuf_add_char(&got.out, '\0');
    ck_assert_ptr_nonnull(strstr(got.out.data, "/usr"));
}
END_TEST

START_TEST(the_last_output_of_a_program_that_ends_at_once_is_there)
{
    for (int i = 0; i < 50; i++) {
        got.answers = 0;
        got.is_reaped = false;
        strbuf_clear(&got.out);
        ck_assert_ptr_nonnull(strstr(output_of("echo last words"), "last words"));
        close(got.master);
    }
}
END_TEST

START_TEST(without_descriptors_the_request_fails_and_nothing_leaks)
{
    struct rlimit low, old;
    getrlimit(RLIMIT_NOFILE, &old);
    int last = dup(0);
    close(last);
    for (int extra = 0; extra < 6; extra++) {
        unsigned before = count_fds();
        got.answers = 0;
        got.error = NULL;
        low = old;
        low.rlim_cur = (rlim_t)(last + extra);
        setrlimit(RLIMIT_NOFILE, &low);
        char *argv[] = {(char *)"true", (char *)"x", NULL};
        start(argv, "/");
        setrlimit(RLIMIT_NOFILE, &old);
        run_until(has_answer);
        ck_assert_ptr_nonnull(got.error);
        free(got.error);
        ck_assert_uint_eq(count_fds(), before);
    }
}
END_TEST

START_TEST(a_cancelled_request_ends_its_program_and_never_answers)
{
    unsigned before = count_fds();
    char *argv[] = {(char *)"sleep", (char *)"100", NULL};
    struct spawn_request *req = start(argv, "/");
    spawn_cancel(req);
    ck_assert(ending_is_waiting());
    run_until(nothing_ends);
    ck_assert(got.is_reaped);
    ck_assert_uint_eq(got.answers, 0);
    ck_assert_uint_eq(count_fds(), before);
}
END_TEST

START_TEST(a_hang_up_right_after_the_start_is_not_lost)
{
    for (int i = 0; i < 50; i++) {
        got.answers = 0;
        got.is_reaped = false;
        char *argv[] = {(char *)"sleep", (char *)"100", NULL};
        start(argv, "/");
        run_until(has_answer);
        ending_begin(q, got.pid, -1);
        int64_t began = clock_monotonic_us();
        run_until(nothing_ends);
        ck_assert_int_lt(clock_monotonic_us() - began, ENDING_GRACE_US);
        ck_assert(WIFSIGNALED(got.status) && WTERMSIG(got.status) == SIGHUP);
        io_remove(got.io);
        close(got.master);
    }
}
END_TEST

START_TEST(a_program_that_ignores_the_hang_up_is_killed_after_the_grace_time)
{
    char *argv[] = {(char *)"trap '' HUP; echo ready; while :; do sleep 100; done", NULL};
    start(argv, "/");
    run_until(has_answer);
    while (got.out.len == 0 || strstr(got.out.data, "ready") == NULL)
        jobs_loop(q);
    ending_begin(q, got.pid, -1);
    run_until(nothing_ends);
    while (!got.is_reaped)
        jobs_loop(q);
    ck_assert(WIFSIGNALED(got.status) && WTERMSIG(got.status) == SIGKILL);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("spawn");
    TCase *t = tcase_create("spawn");
    tcase_set_timeout(t, 30);
    tcase_add_checked_fixture(t, setup, NULL);
    tcase_add_test(t, the_answer_comes_from_the_loop);
    tcase_add_test(t, one_word_is_a_command_line_for_the_shell);
    tcase_add_test(t, several_words_are_executed_as_they_are);
    tcase_add_test(t, the_shell_without_words_is_a_login_shell);
    tcase_add_test(t, the_terminal_has_its_size_and_settings_before_the_program_runs);
    tcase_add_test(t, a_program_gets_no_descriptor_but_its_terminal);
    tcase_add_test(t, signals_are_at_their_defaults_and_none_is_blocked);
    tcase_add_test(t, the_file_limit_is_the_one_from_before_the_server_raised_it);
    tcase_add_test(t, it_leads_a_session_of_its_own_with_the_terminal);
    tcase_add_test(t, a_missing_program_is_an_error_with_its_reason);
    tcase_add_test(t, a_program_that_may_not_be_executed_is_an_error_with_its_reason);
    tcase_add_test(t, a_directory_that_is_missing_falls_back_to_home);
    tcase_add_test(t, the_last_output_of_a_program_that_ends_at_once_is_there);
    tcase_add_test(t, without_descriptors_the_request_fails_and_nothing_leaks);
    tcase_add_test(t, a_cancelled_request_ends_its_program_and_never_answers);
    tcase_add_test(t, a_hang_up_right_after_the_start_is_not_lost);
    tcase_add_test(t, a_program_that_ignores_the_hang_up_is_killed_after_the_grace_time);
    suite_add_tcase(s, t);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
