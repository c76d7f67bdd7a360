// Commands of #(): one at a time each, started when a format that is expanded asks for them and
// their last run is an interval ago. Their number, output and memory are bounded.
#include "config.h"

#include "server/push/status_jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/jobs.h"
#include "server/environ.h"
#include "server/format/format.h"
#include "server/model/client.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/server.h"

#define COMMANDS_MAX   64
#define LINE_MAX_BYTES 1000
#define READ_BYTES     4096
#define SLACK_US       100000 // the status job's timer may be a little early for ours

struct status_command {
    char *command;
    char *output;                // last line; NULL: none yet
    int64_t started_us, used_us; // monotonic
    pid_t pid;                   // -1: not running
    int fd;                      // its output; -1: none
    struct io *io;
    struct strbuf line; // being read
    TAILQ_ENTRY(status_command) entry;
};
static TAILQ_HEAD(, status_command) commands = TAILQ_HEAD_INITIALIZER(commands);
static unsigned n_commands;
static bool was_asked, is_on;

static void close_output(struct status_command *cmd)
{
    if (cmd->fd == -1)
        return;
    io_remove(cmd->io);
    close(cmd->fd);
    server_descriptor_freed();
    cmd->io = NULL;
    cmd->fd = -1;
}

static void command_free(struct status_command *cmd)
{
    close_output(cmd);
    if (cmd->pid != -1)
        server_unwatch_child(cmd->pid);
    TAILQ_REMOVE(&commands, cmd, entry);
    n_commands--;
    strbuf_free(&cmd->line);
    free(cmd->command);
    free(cmd->output);
    free(cmd);
}

// A whole line: it stands for the command from now on.
static void take_line(struct status_command *cmd)
{
    if (cmd->line.len == 0)
        return;
    bool differs = cmd->output == NULL || strcmp(cmd->output, cmd->line.data) != 0;
    if (differs) {
        free(cmd->output);
        cmd->output = xstrndup(cmd->line.data, cmd->line.len);
    }
    strbuf_clear(&cmd->line);
    if (differs)
        redraw_all(REDRAW_STATUS);
}

static void on_output(int fd, unsigned events, void *arg)
{
    struct status_command *cmd = arg;
    char data[READ_BYTES];
    (void)events;
    ssize_t n = read(fd, data, sizeof data);
    if (n == -1 && (errno == EAGAIN || errno == EINTR))
        return;
    for (ssize_t i = 0; i < n; i++) {
        if (data[i] == '\n')
            take_line(cmd);
        else if (data[i] != '\0' && cmd->line.len < LINE_MAX_BYTES)
            strbuf_add_char(&cmd->line, data[i]);
    }
    if (n <= 0) {
        take_line(cmd);
        if (cmd->output == NULL) {
            cmd->output = xstrdup("");
            redraw_all(REDRAW_STATUS);
        }
        close_output(cmd);
    }
}

static void on_exit_status(void *arg, pid_t pid, int status)
{
    struct status_command *cmd = arg;
    (void)pid;
    (void)status;
    cmd->pid = -1;
}

static char **make_environ(const struct session *s)
{
    struct environ *env = environ_new();
    environ_copy(server_environ(), env);
    if (s != NULL)
        environ_copy(s->environ, env);
    char *value =
        xasprintf("%s,%ld,%d", server_socket_path(), (long)getpid(), s != NULL ? (int)s->id : -1);
    environ_set(env, "AMUX", value, false);
    environ_set(env, "TERM", options_string(server_options(), "default-terminal"), false);
    free(value);
    char **vector = environ_to_strv(env);
    environ_free(env);
    return vector;
}

static int start_process(struct status_command *cmd, const struct session *s, int out,
                         bool with_cwd)
{
    char sh[] = "sh", dash_c[] = "-c";
    char *argv[] = {sh, dash_c, cmd->command, NULL};
    char **env = make_environ(s);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (with_cwd)
        posix_spawn_file_actions_addchdir_np(&actions, s->cwd);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setsigdefault(&attr, &all);
    posix_spawnattr_setsigmask(&attr, &none);
    posix_spawnattr_setflags(&attr,
                             POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
    int error = posix_spawn(&cmd->pid, "/bin/sh", &actions, &attr, argv, env);
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&actions);
    strv_free(env);
    return error;
}

static void command_start(struct status_command *cmd, const struct session *s)
{
    int fds[2];
    cmd->started_us = clock_monotonic_us();
    if (pipe2(fds, O_CLOEXEC) != 0)
        return; // no descriptors: again an interval later
    bool has_cwd = s != NULL && s->cwd != NULL;
    int error = start_process(cmd, s, fds[1], has_cwd);
    if (error != 0 && has_cwd) // the directory may be gone
        error = start_process(cmd, s, fds[1], false);
    close(fds[1]);
    if (error != 0) {
        close(fds[0]);
        cmd->pid = -1;
        return;
    }
#ifdef __linux__
    prlimit(cmd->pid, RLIMIT_NOFILE, server_child_file_limit(), NULL);
#endif
    server_watch_child(cmd->pid, on_exit_status, cmd);
    fd_set_nonblocking(fds[0]);
    cmd->fd = fds[0];
    strbuf_clear(&cmd->line);
    cmd->io = io_add(server_jobs(), cmd->fd, IO_READ, "status command", on_output, cmd);
}

static struct status_command *command_find(const char *text)
{
    struct status_command *cmd, *oldest = NULL;
    TAILQ_FOREACH (cmd, &commands, entry) {
        if (strcmp(cmd->command, text) == 0)
            return cmd;
        if (oldest == NULL || cmd->used_us < oldest->used_us)
            oldest = cmd;
    }
    if (n_commands >= COMMANDS_MAX)
        command_free(oldest);
    cmd = xcalloc(1, sizeof *cmd);
    cmd->command = xstrdup(text);
    cmd->pid = -1;
    cmd->fd = -1;
    TAILQ_INSERT_TAIL(&commands, cmd, entry);
    n_commands++;
    return cmd;
}

static const char *job_output(const struct format_context *ctx, const char *text)
{
    struct status_command *cmd = command_find(text);
    int64_t now_us = clock_monotonic_us();
    const struct session *s = ctx->session;
    long long interval =
        options_number(s != NULL ? s->options : server_session_options(), "status-interval");

    was_asked = true;
    cmd->used_us = now_us;
    bool is_due = cmd->started_us == 0 ||
                  (interval > 0 && now_us - cmd->started_us >= interval * 1000000 - SLACK_US);
    if (is_due && cmd->pid == -1 && cmd->fd == -1)
        command_start(cmd, s);
    return cmd->output;
}

void status_jobs_init(void)
{
    if (is_on)
        return;
    is_on = true;
    format_set_job_output(job_output);
}

bool status_jobs_were_asked(void)
{
    bool asked = was_asked;
    was_asked = false;
    return asked;
}
