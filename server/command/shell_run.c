// Shell commands run beside the server, their output read as it comes and bounded.
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/jobs.h"
#include "common/util.h"
#include "server/command/shell_run.h"
#include "server/environ.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/server.h"

#define OUTPUT_MAX_BYTES ((size_t)1 << 20)

struct shell_run {
    pid_t pid;
    int fd; // of its output; -1: closed
    struct io *io;
    struct strbuf output;
    shell_run_fn fn;
    void *arg;
};

static void close_output(struct shell_run *run)
{
    if (run->fd == -1)
        return;
    io_remove(run->io);
    close(run->fd);
    run->fd = -1;
    server_descriptor_freed();
}

// False once there is nothing more to come.
static bool read_some(struct shell_run *run)
{
    char data[4096];
    ssize_t n = read(run->fd, data, sizeof data);

    if (n == -1)
        return errno == EINTR;
    // What is beyond the bound is read too, or the program would stand still.
    if (n > 0 && run->output.len < OUTPUT_MAX_BYTES)
        strbuf_add(&run->output, data, (size_t)n);
    return n > 0;
}

static void on_output(int fd, unsigned events, void *arg)
{
    struct shell_run *run = arg;

    (void)fd, (void)events;
    if (!read_some(run) && errno != EAGAIN)
        close_output(run);
}

// The shell has ended. Programs that it left behind may hold the pipe: nobody waits for those.
static void on_status(void *arg, pid_t pid, int status)
{
    struct shell_run *run = arg;

    (void)pid;
    for (size_t n = 0; run->fd != -1 && n < OUTPUT_MAX_BYTES / 4096 && read_some(run); n++)
        ;
    close_output(run);
    if (run->fn != NULL)
        run->fn(run->arg, status, run->output.data, run->output.len);
    strbuf_free(&run->output);
    free(run);
}

static char **make_environ(const struct session *s, const struct pane *p)
{
    struct environ *env = environ_new();

    environ_copy(server_environ(), env);
    if (s != NULL)
        environ_copy(s->environ, env);
    char *value = xasprintf("%s,%ld,%d", server_socket_path(), (long)getpid(), s != NULL ? (int)s->id : -1);
    environ_set(env, "AMUX", value, false);
    free(value);
    if (p != NULL) {
        value = xasprintf("%%%u", p->id);
        environ_set(env, "AMUX_PANE", value, false);
        free(value);
    }
    environ_set(env, "TERM", options_string(server_options(), "default-terminal"), false);
    char **vector = environ_to_strv(env);
    environ_free(env);
    return vector;
}

// in -1: none.
static int start_process(struct shell_run *run, const char *command, const char *cwd, int in, int out, char **env)
{
    char sh[] = "sh", dash_c[] = "-c", *text = xstrdup(command);
    char *argv[] = {sh, dash_c, text, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    sigset_t all, none;

    sigfillset(&all);
    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    if (in != -1)
        posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    else
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out, STDERR_FILENO);
    if (cwd != NULL)
        posix_spawn_file_actions_addchdir_np(&actions, cwd);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setsigdefault(&attr, &all);
    posix_spawnattr_setsigmask(&attr, &none);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
    int error = posix_spawn(&run->pid, "/bin/sh", &actions, &attr, argv, env);
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&actions);
    free(text);
    return error;
}

// Input lies in memory as a file, so that nobody has to feed a pipe. -1: there is no memory for it.
static int input_file(const void *input, size_t len)
{
    int fd = memfd_create("amux input", MFD_CLOEXEC);
    const char *at = input;

    while (fd != -1 && len > 0) {
        ssize_t n = write(fd, at, len);
        if (n <= 0) {
            close(fd);
            return -1;
        }
        at += n;
        len -= (size_t)n;
    }
    if (fd != -1)
        lseek(fd, 0, SEEK_SET);
    return fd;
}

bool shell_run(const char *command, const char *cwd, const struct session *s, const struct pane *p, shell_run_fn fn,
               void *arg, const char **why)
{
    return shell_run_input(command, cwd, s, p, NULL, 0, fn, arg, why);
}

bool shell_run_input(const char *command, const char *cwd, const struct session *s, const struct pane *p,
                     const void *input, size_t len, shell_run_fn fn, void *arg, const char **why)
{
    int fds[2], in = -1;

    if (input != NULL && (in = input_file(input, len)) == -1) {
        *why = strerror(errno);
        return false;
    }
    if (pipe2(fds, O_CLOEXEC) != 0) {
        *why = strerror(errno);
        if (in != -1)
            close(in);
        return false;
    }
    struct shell_run *run = xcalloc(1, sizeof *run);
    char **env = make_environ(s, p);
    int error = start_process(run, command, cwd, in, fds[1], env);
    if (error != 0 && cwd != NULL) // the directory may have gone
        error = start_process(run, command, NULL, in, fds[1], env);
    strv_free(env);
    close(fds[1]);
    if (in != -1)
        close(in);
    if (error != 0) {
        close(fds[0]);
        free(run);
        *why = strerror(error);
        return false;
    }
#ifdef __linux__
    prlimit(run->pid, RLIMIT_NOFILE, server_child_file_limit(), NULL);
#endif
    fd_set_nonblocking(fds[0]);
    run->fd = fds[0];
    run->fn = fn;
    run->arg = arg;
    run->io = io_add(server_jobs(), run->fd, IO_READ, "shell command", on_output, run);
    server_watch_child(run->pid, on_status, run);
    return true;
}
