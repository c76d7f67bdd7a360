// The server: its start, its signals, its end. One thread, one loop.
#include "config.h"

#include "server/server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "common/log.h"
#include "server/children.h"
#include "server/command/command.h"
#include "server/environ.h"
#include "server/model/client.h"
#include "server/model/ending.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/socket.h"

// How long a server without any client waits for its first, and for its last to leave.
#define FIRST_CLIENT_US 10000000
#define LEAVING_US 5000000

static struct {
    struct job_queue *jobs;
    char *socket_path, *config_file;
    int64_t start_time;
    struct options *options, *session_options, *window_options;
    struct environ *environ;
    struct rlimit file_limit;
    bool has_file_limit;
    bool has_finished_config;
    bool had_client;
    bool is_shutting_down;
    bool is_checking;      // the check job is due now
    int64_t deadline_us;   // of the first client, or of the shutdown
    struct job *life_job;
} server;

struct job_queue *server_jobs(void)
{
    return server.jobs;
}

const char *server_socket_path(void)
{
    return server.socket_path;
}

const char *server_config_file(void)
{
    return server.config_file;
}

int64_t server_start_time(void)
{
    return server.start_time;
}

struct options *server_options(void)
{
    return server.options;
}

struct options *server_session_options(void)
{
    return server.session_options;
}

struct options *server_window_options(void)
{
    return server.window_options;
}

struct environ *server_environ(void)
{
    return server.environ;
}

const struct rlimit *server_child_file_limit(void)
{
    return server.has_file_limit ? &server.file_limit : NULL;
}

void server_descriptor_freed(void)
{
    socket_resume_accept();
}

bool server_has_finished_config(void)
{
    return server.has_finished_config;
}

bool server_is_shutting_down(void)
{
    return server.is_shutting_down;
}

// --- its life: a job that is due when it may have to end

static struct due life_due(const void *state, int64_t now_us)
{
    (void)state;
    if (server.is_checking)
        return due_at(now_us);
    if (server.is_shutting_down || !server.had_client)
        return due_at(server.deadline_us);
    return due_never();
}

static bool is_anybody_attached(void)
{
    struct client *c;
    TAILQ_FOREACH(c, &all_clients, entry)
        if (c->session != NULL)
            return true;
    return false;
}

static bool is_empty(void)
{
    if (!server.had_client || !server.has_finished_config || !TAILQ_EMPTY(&all_clients))
        return false; // the one that started it is still to come, or others are there
    if (!options_number(server.options, "exit-empty"))
        return false;
    if (!TAILQ_EMPTY(&all_sessions) && !options_number(server.options, "exit-unattached"))
        return false;
    return !is_anybody_attached();
}

static void check_end(void)
{
    if (server.is_shutting_down) {
        if (TAILQ_EMPTY(&all_clients) && !ending_is_waiting())
            jobs_stop(server.jobs);
    } else if (is_empty()) {
        log_debug("nothing left: the server ends");
        server_shut_down();
    }
}

static void life_run(void *state)
{
    (void)state;
    server.is_checking = false;
    if (server.is_shutting_down && clock_monotonic_us() >= server.deadline_us) {
        jobs_stop(server.jobs);
        return;
    }
    server.had_client = server.had_client || clock_monotonic_us() >= server.deadline_us;
    check_end();
}

static const struct job_spec life_spec = {"server life", life_due, life_run};

void server_check_empty(void)
{
    // Each connection that ends asks; only when it may be the end is there something to run.
    if (!server.is_shutting_down && !is_empty())
        return;
    server.is_checking = true;
    job_ask(server.life_job);
}

void server_shut_down(void)
{
    if (server.is_shutting_down)
        return;
    log_debug("shutting down");
    server.is_shutting_down = true;
    server.deadline_us = clock_monotonic_us() + LEAVING_US;
    // First the name, so that a new server may start at once.
    socket_shut();
    struct client *c, *next;
    for (c = TAILQ_FIRST(&all_clients); c != NULL; c = next) {
        next = TAILQ_NEXT(c, entry);
        if (c->is_attached)
            client_detach(c, DETACH_SERVER_EXIT, NULL);
    }
    struct session *s;
    while ((s = TAILQ_FIRST(&all_sessions)) != NULL)
        session_destroy(s);
    for (c = TAILQ_FIRST(&all_clients); c != NULL; c = next) {
        next = TAILQ_NEXT(c, entry);
        if (!c->is_exiting)
            client_server_exits(c);
    }
    server_check_empty();
}

// --- connections and the config

static void on_connection(int fd)
{
    if (!server.had_client) {
        server.had_client = true;
        job_ask(server.life_job); // no longer due for the first one
    }
    peer_new(fd);
}

void server_set_config_finished(void)
{
    if (server.has_finished_config)
        return;
    server.has_finished_config = true;
    struct client *c, *next;
    for (c = TAILQ_FIRST(&all_clients); c != NULL; c = next) {
        next = TAILQ_NEXT(c, entry);
        client_config_finished(c);
    }
    server_check_empty();
}

// --- signals

static void on_signal(int signo, unsigned events, void *arg)
{
    (void)events, (void)arg;
    switch (signo) {
    case SIGCHLD:
        children_reap();
        break;
    case SIGTERM:
    case SIGINT:
        server_shut_down();
        break;
    case SIGUSR1:
        socket_check();
        break;
    default:
        break;
    }
}

static void set_signals(void)
{
    struct sigaction sa = {.sa_handler = SIG_IGN};
    const int ignored[] = {SIGHUP, SIGPIPE, SIGTTIN, SIGTTOU, SIGTSTP, SIGQUIT, SIGUSR2};
    for (size_t i = 0; i < ARRAY_LEN(ignored); i++)
        sigaction(ignored[i], &sa, NULL);
    io_add_signal(server.jobs, SIGCHLD, "child", on_signal, NULL);
    io_add_signal(server.jobs, SIGTERM, "signal", on_signal, NULL);
    io_add_signal(server.jobs, SIGINT, "signal", on_signal, NULL);
    io_add_signal(server.jobs, SIGUSR1, "signal", on_signal, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

// --- start

static void leave_the_terminal(void)
{
    setsid(); // fails when it leads a session already: as wanted
    // A directory that cannot vanish: the one it was started in may be removed or unmounted.
    if (chdir("/") != 0)
        log_debug("chdir /: %s", strerror(errno));
}

// Once nothing can go wrong any more that the starter's terminal should show.
static void close_standard_streams(void)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; null != -1 && fd <= 2; fd++)
        dup2(null, fd);
    if (null > 2)
        close(null);
}

static void raise_file_limit(void)
{
    if (getrlimit(RLIMIT_NOFILE, &server.file_limit) != 0)
        return;
    server.has_file_limit = true;
    struct rlimit raised = server.file_limit;
    raised.rlim_cur = raised.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &raised) != 0)
        log_debug("setrlimit: %s", strerror(errno));
}

static void make_globals(void)
{
    extern char **environ;
    server.environ = environ_new();
    for (char **e = environ; *e != NULL; e++) {
        size_t len = strcspn(*e, "=");
        char *name = xstrndup(*e, len);
        if (!environ_is_foreign(name))
            environ_put(server.environ, *e);
        free(name);
    }
    server.options = options_new(NULL);
    options_set_defaults(server.options, SCOPE_SERVER);
    server.session_options = options_new(NULL);
    options_set_defaults(server.session_options, SCOPE_SESSION);
    server.window_options = options_new(NULL);
    options_set_defaults(server.window_options, SCOPE_WINDOW);
    options_on_change(options_apply_change);
    bindings_init();
}

static char *absolute_path(const char *path)
{
    if (*path == '/')
        return xstrdup(path);
    char *cwd = getcwd(NULL, 0);
    char *result = xasprintf("%s/%s", cwd == NULL ? "" : cwd, path);
    free(cwd);
    return result;
}

int server_main(const struct server_start *start)
{
    char *cause = NULL;
    log_open("server", start->log_level);
    server.socket_path = absolute_path(start->socket_path);
    server.config_file = start->config_file == NULL ? NULL : absolute_path(start->config_file);
    server.start_time = clock_wall_us() / 1000000;
    leave_the_terminal();
    raise_file_limit();
    // Programs that outlive their pane's shell come to the server, which reaps them and can find
    // them.
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    setproctitle_set("amux: server (%s)", server.socket_path);

    server.jobs = jobs_new();
    set_signals();
    make_globals();
    ending_on_empty(server_check_empty);
    server.deadline_us = clock_monotonic_us() + FIRST_CLIENT_US;
    server.life_job = job_add(server.jobs, &life_spec, NULL);
    if (!socket_open(server.jobs, server.socket_path, on_connection, &cause)) {
        log_debug("%s", cause);
        // The starter waits for a byte; the sentence comes in its place.
        if (start->ready_fd != -1) {
            ssize_t n = write(start->ready_fd, cause, strlen(cause));
            (void)n;
        }
        free(cause);
        return 1;
    }
    close_standard_streams();
    if (start->ready_fd != -1) {
        ssize_t n = write(start->ready_fd, "", 1);
        (void)n;
        close(start->ready_fd);
    }
    if (start->lock_fd != -1)
        close(start->lock_fd);
    log_debug("listening on %s", server.socket_path);

    source_default_files();
    jobs_loop(server.jobs);
    log_debug("the server has ended");
    socket_shut();
    return 0;
}
