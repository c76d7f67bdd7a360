// Commands of #(): when they run, what of their output is taken, and how many are kept.
#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "common/jobs.h"
#include "server/environ.h"
#include "server/format/format.h"
#include "server/model/client.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/push/status_jobs.h"
#include "server/server.h"

static struct job_queue *queue;
static struct options *session_options, *server_scope;
static struct environ *environment;
static struct session session;
static format_job_output_fn output_of;
static unsigned redraws;

struct job_queue *server_jobs(void)
{
    return queue;
}
struct options *server_options(void)
{
    return server_scope;
}
struct options *server_session_options(void)
{
    return session_options;
}
struct environ *server_environ(void)
{
    return environment;
}
const char *server_socket_path(void)
{
    return "/nowhere/socket";
}
const struct rlimit *server_child_file_limit(void)
{
    static struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    return &limit;
}
void server_descriptor_freed(void)
{
}
static struct {
    pid_t pid;
    void (*fn)(void *arg, pid_t pid, int status);
    void *arg;
} children[128];
static unsigned n_started;
void server_watch_child(pid_t pid, void (*fn)(void *arg, pid_t pid, int status), void *arg)
{
    n_started++;
    for (size_t i = 0; i < ARRAY_LEN(children); i++) {
        if (children[i].pid != 0)
            continue;
        children[i].pid = pid;
        children[i].fn = fn;
        children[i].arg = arg;
        return;
    }
    ck_abort_msg("too many children");
}
void server_unwatch_child(pid_t pid)
{
    for (size_t i = 0; i < ARRAY_LEN(children); i++)
        if (children[i].pid == pid)
            children[i].fn = NULL;
}
void redraw_all(unsigned what)
{
    redraws += (what & REDRAW_STATUS) != 0;
}
void format_set_job_output(format_job_output_fn fn)
{
    output_of = fn;
}

static const char *ask(const char *command)
{
    struct format_context ctx = {.session = &session};
    return output_of(&ctx, command);
}

static void setup(void)
{
    queue = jobs_new();
    server_scope = options_new(NULL);
    options_set_defaults(server_scope, SCOPE_SERVER);
    session_options = options_new(NULL);
    options_set_defaults(session_options, SCOPE_SESSION);
    environment = environ_new();
    environ_set(environment, "PATH", "/usr/bin:/bin", false);
    environ_set(environment, "WHO", "me", false);
    static char cwd[] = "/";
    session =
        (struct session){.id = 3, .options = session_options, .environ = environ_new(), .cwd = cwd};
    status_jobs_init();
}

static void teardown(void)
{
    options_free(session_options);
    options_free(server_scope);
    environ_free(environment);
    environ_free(session.environ);
}

static const char *command, *wanted;
static bool has_wanted(void)
{
    const char *text = ask(command);
    return text != NULL && strcmp(text, wanted) == 0;
}
static bool all_reaped(void)
{
    for (size_t i = 0; i < ARRAY_LEN(children); i++)
        if (children[i].pid != 0)
            return false;
    return true;
}

static struct due always_due(const void *state, int64_t now_us)
{
    (void)state;
    return due_at(now_us);
}
static bool (*condition)(void);
static int64_t give_up_us;
static void look(void *state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(children); i++) {
        int status;
        if (children[i].pid == 0 || waitpid(children[i].pid, &status, WNOHANG) <= 0)
            continue;
        if (children[i].fn != NULL)
            children[i].fn(children[i].arg, children[i].pid, status);
        children[i].pid = 0;
    }
    if (condition() || clock_monotonic_us() > give_up_us)
        jobs_stop(queue);
}
static const struct job_spec look_job = {"look", always_due, look};
static bool turn_until(bool (*is_met)(void))
{
    condition = is_met;
    give_up_us = clock_monotonic_us() + 5000000;
    struct job *job = job_add(queue, &look_job, NULL);
    jobs_loop(queue);
    job_remove(job);
    return is_met();
}
static bool prints(const char *shell, const char *text)
{
    command = shell;
    wanted = text;
    return turn_until(has_wanted);
}

START_TEST(the_last_line_is_what_the_command_stands_for)
{
    ck_assert_ptr_null(ask("echo one; echo two"));
    ck_assert(prints("echo one; echo two", "two"));
    ck_assert_uint_ge(redraws, 1);
    ck_assert(prints("printf unfinished", "unfinished"));
    ck_assert(prints("exit 3", ""));
}
END_TEST

START_TEST(it_runs_in_the_sessions_directory_and_environment)
{
    environ_set(session.environ, "WHO", "session", false);
    ck_assert(prints("echo $WHO $AMUX_PANE; pwd | tr -d '\\n'; echo \" $WHO\"", "/ session"));
    ck_assert(prints("test -n \"$AMUX\" && echo set", "set"));
    static char gone[] = "/no/such/directory";
    session.cwd = gone;
    ck_assert(prints("echo still", "still"));
}
END_TEST

START_TEST(it_runs_once_an_interval)
{
    ck_assert(prints("echo x", "x"));
    ck_assert(turn_until(all_reaped));
    unsigned before = n_started;
    for (int i = 0; i < 100; i++)
        ask("echo x");
    ck_assert_uint_eq(n_started, before);
    char *cause = NULL;
    ck_assert(options_set_text(session_options, "status-interval", "1", 0, &cause));
    command = "date +%N";
    wanted = "never";
    give_up_us = 0;
    ask(command);
    ck_assert_uint_eq(n_started, before + 1);
}
END_TEST

START_TEST(asking_is_noticed)
{
    status_jobs_were_asked();
    ck_assert(!status_jobs_were_asked());
    ask("echo x");
    ck_assert(status_jobs_were_asked());
    ck_assert(!status_jobs_were_asked());
}
END_TEST

START_TEST(endless_lines_and_many_commands_stay_bounded)
{
    command = "head -c 100000 /dev/zero | tr '\\0' x; echo";
    ask(command);
    ck_assert(turn_until(all_reaped));
    static char longest[1001];
    memset(longest, 'x', 1000);
    wanted = longest;
    ck_assert(turn_until(has_wanted));
    for (int i = 0; i < 100; i++) {
        char *text = xasprintf("echo %d", i);
        ask(text);
        free(text);
    }
    ck_assert(turn_until(all_reaped));
    ck_assert(prints("echo 99", "99"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("status_jobs");
    TCase *tc = tcase_create("status_jobs");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 30);
    tcase_add_test(tc, the_last_line_is_what_the_command_stands_for);
    tcase_add_test(tc, it_runs_in_the_sessions_directory_and_environment);
    tcase_add_test(tc, it_runs_once_an_interval);
    tcase_add_test(tc, asking_is_noticed);
    tcase_add_test(tc, endless_lines_and_many_commands_stay_bounded);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
