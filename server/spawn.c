// Starting programs in a PTY of their own.
//
// Everything a child needs is made before fork; between fork and exec it makes only
// async-signal-safe calls. It waits on a pipe until it is released, so that whatever has to be
// settled for it is settled before its first instruction, and a close-on-exec pipe brings back why
// it could not be executed. The answer always comes from the loop.
#include "config.h"

#include "server/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/queue.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "common/jobs.h"
#include "common/log.h"
#include "common/util.h"
#include "server/model/ending.h"
#include "server/server.h"

// What a child reports on its error pipe. CWD_FAILED comes before a successful exec too.
enum { STAGE_CWD, STAGE_TTY, STAGE_EXEC };
struct report {
    int stage;
    int error;
};

struct spawn_request {
    struct job_queue *queue;
    struct job *answer_job; // due once the answer is known
    struct io *io;          // on the error pipe
    int error_fd, master;
    pid_t pid;
    bool is_answered;
    struct spawn_result result;
    char *error; // owned text of result.error
    char *program;
    spawn_fn fn;
    void *arg;
    TAILQ_ENTRY(spawn_request) entry;
};
static TAILQ_HEAD(, spawn_request) requests = TAILQ_HEAD_INITIALIZER(requests);

// What the child needs, made by the parent.
struct child {
    char **candidates; // paths to try, in order
    char **argv, **environ;
    const char *cwd, *home;
    int slave, release_fd, error_fd;
    struct rlimit file_limit;
};

static const char *environ_value(char *const *environ_vector, const char *name)
{
    size_t len = strlen(name);
    for (size_t i = 0; environ_vector != NULL && environ_vector[i] != NULL; i++)
        if (strncmp(environ_vector[i], name, len) == 0 && environ_vector[i][len] == '=')
            return environ_vector[i] + len + 1;
    return NULL;
}

// Where execvp() would look, so that the child need not search.
static char **make_candidates(const char *program, const char *path)
{
    if (strchr(program, '/') != NULL || *program == '\0')
        return strv_copy((char *[]){(char *)program}, 1);
    if (path == NULL || *path == '\0')
        path = "/usr/local/bin:/usr/bin:/bin";
    size_t n = 1;
    for (const char *s = path; *s != '\0'; s++)
        n += *s == ':';
    char **v = xcalloc(n + 1, sizeof *v);
    size_t at = 0;
    for (const char *s = path;; s++) {
        size_t len = strcspn(s, ":");
        v[at++] =
            len == 0 ? xasprintf("./%s", program) : xasprintf("%.*s/%s", (int)len, s, program);
        s += len;
        if (*s == '\0')
            break;
    }
    return v;
}

static void child_report(const struct child *c, int stage, int error)
{
    struct report r = {stage, error};
    ssize_t n = write(c->error_fd, &r, sizeof r);
    (void)n;
}

// In the child: never returns.
static void child_run(const struct child *c) __attribute__((noreturn));
static void child_run(const struct child *c)
{
    // The parent's handlers would write into the parent's own pipes: all of them go first. Signals
    // are still blocked here, so that one sent early is kept and acts on the defaults.
    struct sigaction sa = {.sa_handler = SIG_DFL};
    for (int s = 1; s < NSIG; s++)
        sigaction(s, &sa, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);

    setsid();
    if (ioctl(c->slave, TIOCSCTTY, 0) != 0) {
        child_report(c, STAGE_TTY, errno);
        _exit(1);
    }
    // The three that are kept move out of the way of 0 to 2 and of what is closed.
    int error_fd = fcntl(c->error_fd, F_DUPFD_CLOEXEC, 10);
    int release_fd = fcntl(c->release_fd, F_DUPFD_CLOEXEC, 10);
    if (error_fd == -1 || release_fd == -1 || dup2(c->slave, 0) == -1 || dup2(c->slave, 1) == -1 ||
        dup2(c->slave, 2) == -1) {
        child_report(c, STAGE_TTY, errno);
        _exit(1);
    }
    struct child me = *c;
    me.error_fd = dup3(error_fd, 3, O_CLOEXEC);
    me.release_fd = dup3(release_fd, 4, O_CLOEXEC);
    fd_close_from(5);
    if (me.file_limit.rlim_cur != 0)
        setrlimit(RLIMIT_NOFILE, &me.file_limit);

    char byte;
    ssize_t n;
    do
        n = read(me.release_fd, &byte, 1);
    while (n == -1 && errno == EINTR);
    if (n != 1)
        _exit(1); // the server is gone

    if (me.cwd == NULL || chdir(me.cwd) != 0) {
        if (me.cwd != NULL)
            child_report(&me, STAGE_CWD, errno);
        if ((me.home == NULL || chdir(me.home) != 0) && chdir("/") != 0)
            _exit(1);
    }
    int error = ENOENT;
    for (char **path = me.candidates; *path != NULL; path++) {
        execve(*path, me.argv, me.environ);
        if (errno == ENOEXEC) {
            // A script without a first line that names its interpreter: sh runs it, as execvp does.
            char *words[256];
            size_t i = 0;
            words[i++] = (char *)(uintptr_t)"sh";
            words[i++] = *path;
            for (char **a = me.argv[0] == NULL ? me.argv : me.argv + 1;
                 *a != NULL && i < ARRAY_LEN(words) - 1; a++)
                words[i++] = *a;
            words[i] = NULL;
            execve("/bin/sh", words, me.environ);
        }
        if (errno != ENOENT && errno != ENOTDIR)
            error = errno;
    }
    child_report(&me, STAGE_EXEC, error);
    _exit(127);
}

// --- the answer

static struct due answer_due(const void *state, int64_t now_us)
{
    const struct spawn_request *req = state;
    return req->is_answered ? due_at(now_us) : due_never();
}

static void request_free(struct spawn_request *req)
{
    TAILQ_REMOVE(&requests, req, entry);
    io_remove(req->io);
    job_remove(req->answer_job);
    if (req->error_fd != -1)
        close(req->error_fd);
    free(req->error);
    free(req->program);
    free(req);
}

static void answer_run(void *state)
{
    struct spawn_request *req = state;
    struct spawn_result result = req->result;
    spawn_fn fn = req->fn;
    void *arg = req->arg;
    char *error = req->error;
    req->error = NULL;
    request_free(req);
    result.error = error;
    fn(arg, &result);
    free(error);
}

static const struct job_spec answer_spec = {"spawn answer", answer_due, answer_run};

static void answer(struct spawn_request *req)
{
    req->is_answered = true;
    io_remove(req->io);
    req->io = NULL;
    job_ask(req->answer_job);
}

static void answer_error(struct spawn_request *req, char *error)
{
    if (req->master != -1) {
        close(req->master);
        server_descriptor_freed();
    }
    req->master = -1;
    req->result.pid = -1;
    req->result.master = -1;
    free(req->error);
    req->error = error;
    answer(req);
}

static void on_report(int fd, unsigned events, void *arg)
{
    struct spawn_request *req = arg;
    (void)events;
    struct report r;
    ssize_t n = read(fd, &r, sizeof r);
    if (n == -1 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n != (ssize_t)sizeof r) { // closed: it executes (or died on the way, which SIGCHLD tells)
        req->result.pid = req->pid;
        req->result.master = req->master;
        answer(req);
        return;
    }
    switch (r.stage) {
    case STAGE_CWD:
        req->result.cwd_failed = true;
        break;
    case STAGE_TTY:
        answer_error(req, xasprintf("cannot set up a terminal: %s", strerror(r.error)));
        break;
    default:
        answer_error(req, xasprintf("cannot run %s: %s", req->program, strerror(r.error)));
        break;
    }
}

// --- the request

static char *last_component(const char *path)
{
    const char *slash = strrchr(path, '/');
    return xstrdup(slash == NULL ? path : slash + 1);
}

static void make_command(struct child *child, const struct spawn_args *args, char **program)
{
    const char *shell = args->shell != NULL ? args->shell : "/bin/sh";
    size_t n = args->argv == NULL ? 0 : strv_len(args->argv);
    if (n == 1 && *args->argv[0] == '\0')
        n = 0;
    if (n > 1) {
        child->argv = strv_copy(args->argv, n);
        child->candidates = make_candidates(args->argv[0], environ_value(args->environ, "PATH"));
        *program = text_visible(args->argv[0]);
        return;
    }
    char *base = last_component(shell);
    if (n == 0) {
        char *login = xasprintf("-%s", base);
        child->argv = strv_copy((char *[]){login}, 1);
        free(login);
    } else {
        child->argv = strv_copy((char *[]){base, (char *)(uintptr_t)"-c", args->argv[0]}, 3);
    }
    free(base);
    child->candidates = strv_copy((char *[]){(char *)(uintptr_t)shell}, 1);
    *program = text_visible(shell);
}

// The line settings a new pane begins with: what a login on a UTF-8 terminal has.
static void set_termios(int slave)
{
    struct termios tio;
    if (tcgetattr(slave, &tio) != 0)
        return;
    tio.c_iflag = ICRNL | IXON | IMAXBEL | BRKINT;
#ifdef IUTF8
    tio.c_iflag |= IUTF8;
#endif
    tio.c_oflag = OPOST | ONLCR;
    tio.c_cflag = CREAD | CS8 | HUPCL;
    tio.c_lflag = ISIG | ICANON | ECHO | ECHOE | ECHOK | ECHOKE | ECHOCTL | IEXTEN;
    tio.c_cc[VERASE] = 0x7f;
    tio.c_cc[VMIN] = 1;
    tio.c_cc[VTIME] = 0;
    cfsetispeed(&tio, B38400);
    cfsetospeed(&tio, B38400);
    tcsetattr(slave, TCSANOW, &tio);
}

// NULL, or why it could not be begun (owned).
static char *begin(struct spawn_request *req, const struct spawn_args *args)
{
    int slave = -1, errors[2] = {-1, -1}, release[2] = {-1, -1};
    struct winsize ws = {.ws_col = (unsigned short)MIN_OF(args->cols, 65535u),
                         .ws_row = (unsigned short)MIN_OF(args->rows, 65535u),
                         .ws_xpixel = (unsigned short)MIN_OF(args->xpixel, 65535u),
                         .ws_ypixel = (unsigned short)MIN_OF(args->ypixel, 65535u)};
    char *cause = NULL;
    struct child child = {0};
    sigset_t all, before;

    if (openpty(&req->master, &slave, req->result.tty, NULL, &ws) != 0) {
        req->master = -1;
        return xasprintf("no terminal for a pane: %s", strerror(errno));
    }
    fd_set_cloexec(req->master);
    fd_set_nonblocking(req->master);
    fd_set_cloexec(slave);
    set_termios(slave);
    if (pipe2(errors, O_CLOEXEC) != 0 || pipe2(release, O_CLOEXEC) != 0) {
        cause = xasprintf("no pipe for a pane: %s", strerror(errno));
        goto out;
    }
    make_command(&child, args, &req->program);
    child.environ = strv_copy(args->environ, args->environ == NULL ? 0 : strv_len(args->environ));
    child.cwd = args->cwd;
    child.home = environ_value(args->environ, "HOME");
    if (child.home == NULL)
        child.home = user_home();
    child.slave = slave;
    child.release_fd = release[0];
    child.error_fd = errors[1];
    const struct rlimit *limit = server_child_file_limit();
    if (limit != NULL)
        child.file_limit = *limit;

    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    req->pid = fork();
    if (req->pid == 0)
        child_run(&child);
    int error = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (req->pid == -1) {
        cause = xasprintf("cannot start a process: %s", strerror(error));
        goto out;
    }
    req->error_fd = errors[0];
    errors[0] = -1;
    fd_set_nonblocking(req->error_fd);
    req->io = io_add(req->queue, req->error_fd, IO_READ, "spawn", on_report, req);
    // Nothing has to be settled first: it may go at once. One byte always fits.
    ssize_t n = write(release[1], "g", 1);
    (void)n;

out:
    strv_free(child.argv);
    strv_free(child.candidates);
    strv_free(child.environ);
    int left[] = {slave, errors[0], errors[1], release[0], release[1]};
    for (size_t i = 0; i < ARRAY_LEN(left); i++)
        if (left[i] != -1)
            close(left[i]);
    return cause;
}

struct spawn_request *spawn_request(struct job_queue *q, const struct spawn_args *args, spawn_fn fn,
                                    void *arg)
{
    struct spawn_request *req = xcalloc(1, sizeof *req);
    req->queue = q;
    req->error_fd = req->master = -1;
    req->pid = -1;
    req->result.pid = req->result.master = -1;
    req->fn = fn;
    req->arg = arg;
    TAILQ_INSERT_TAIL(&requests, req, entry);
    req->answer_job = job_add(q, &answer_spec, req);
    char *cause = begin(req, args);
    if (cause != NULL)
        answer_error(req, cause);
    return req;
}

void spawn_cancel(struct spawn_request *req)
{
    if (req == NULL)
        return;
    if (req->pid > 0 && !req->result.has_exited)
        ending_begin(req->queue, req->pid, -1);
    if (req->master != -1) {
        close(req->master);
        server_descriptor_freed();
    }
    request_free(req);
}

bool spawn_note_exit(pid_t pid, int status)
{
    struct spawn_request *req;
    TAILQ_FOREACH(req, &requests, entry)
        if (req->pid == pid) {
            req->result.has_exited = true;
            req->result.status = status;
            return true;
        }
    return false;
}
