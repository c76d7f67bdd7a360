// The listening socket: bound with mode 0600, watched by inotify, made again when it goes.
#include "config.h"

#include "server/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/jobs.h"
#include "common/log.h"
#include "common/socket_path.h"
#include "common/util.h"

#define BACKLOG 128
#define ACCEPTS_A_TURN 16
#define RETRY_FIRST_US 1000000
#define RETRY_LAST_US 60000000
// Descriptors of the whole machine can be short without one of ours being closed: looked at again.
#define ACCEPT_PAUSE_US 1000000

static struct {
    struct job_queue *queue;
    char *path;
    char *dir;
    int fd;
    int dir_fd; // holds the directory
    int watch_fd;
    struct io *io, *watch_io;
    void (*fn)(int fd);
    dev_t dev;
    ino_t ino;
    bool is_paused;       // no descriptor left for accept
    int64_t pause_due_us; // 0: not paused
    int64_t retry_due_us; // 0: the socket is there
    int64_t retry_wait_us;
    struct job *retry_job, *pause_job;
} sock = {.fd = -1, .dir_fd = -1, .watch_fd = -1};

static bool socket_address(const char *path, struct sockaddr_un *sa, char **cause)
{
    if (!socket_path_fits(path, cause))
        return false;
    memset(sa, 0, sizeof *sa);
    sa->sun_family = AF_UNIX;
    memcpy(sa->sun_path, path, strlen(path));
    return true;
}

// Whether something accepts connections at the path. Non-blocking: a full backlog means yes.
static bool is_somebody_listening(const struct sockaddr_un *sa)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd == -1)
        return true;
    bool is_live = connect(fd, (const struct sockaddr *)sa, sizeof *sa) == 0 ||
                   (errno != ECONNREFUSED && errno != ENOENT);
    close(fd);
    return is_live;
}

static bool remove_stale(const struct sockaddr_un *sa, char **cause)
{
    struct stat sb;
    if (lstat(sa->sun_path, &sb) != 0)
        return errno == ENOENT;
    if (!S_ISSOCK(sb.st_mode) || sb.st_uid != geteuid()) {
        *cause = xasprintf("%s is in the way and is not a socket of this user; it was left alone",
                           sa->sun_path);
        return false;
    }
    if (is_somebody_listening(sa)) {
        *cause = xasprintf("another program listens on %s; it was left alone", sa->sun_path);
        return false;
    }
    return unlink(sa->sun_path) == 0 || errno == ENOENT;
}

int socket_listen(const char *path, char **cause)
{
    struct sockaddr_un sa;
    *cause = NULL;
    if (!socket_address(path, &sa, cause))
        return -1;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd == -1) {
        *cause = xasprintf("no socket: %s", strerror(errno));
        return -1;
    }
    // The file gets the descriptor's mode less the umask, so it is never open to others, and the
    // umask that panes will inherit stays what it was.
    if (fchmod(fd, 0600) != 0)
        log_debug("fchmod of a socket: %s", strerror(errno));
    int result = bind(fd, (struct sockaddr *)&sa, sizeof sa);
    if (result != 0 && errno == EADDRINUSE) {
        if (!remove_stale(&sa, cause)) {
            if (*cause == NULL)
                *cause = xasprintf("cannot remove the old socket %s: %s", path, strerror(errno));
            close(fd);
            return -1;
        }
        result = bind(fd, (struct sockaddr *)&sa, sizeof sa);
    }
    if (result == 0 && chmod(path, 0600) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    *cause = xasprintf("cannot listen on %s: %s", path, strerror(errno));
    close(fd);
    return -1;
}

// --- accepting

static struct due pause_due(const void *state, int64_t now_us)
{
    (void)state, (void)now_us;
    return sock.pause_due_us == 0 ? due_never() : due_at(sock.pause_due_us);
}

static void pause_run(void *state)
{
    (void)state;
    socket_resume_accept();
}

static const struct job_spec pause_spec = {"accept pause", pause_due, pause_run};

static void on_connection(int fd, unsigned events, void *arg)
{
    (void)events, (void)arg;
    for (int i = 0; i < ACCEPTS_A_TURN; i++) {
        int client = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (client != -1) {
            sock.fn(client);
            continue;
        }
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            // The connection stays in the backlog and would wake the loop for ever.
            log_debug("accept: %s; paused", strerror(errno));
            sock.is_paused = true;
            sock.pause_due_us = clock_monotonic_us() + ACCEPT_PAUSE_US;
            io_set(sock.io, 0);
            job_ask(sock.pause_job);
        }
        return;
    }
}

void socket_resume_accept(void)
{
    if (!sock.is_paused)
        return;
    sock.is_paused = false;
    sock.pause_due_us = 0;
    if (sock.io != NULL)
        io_set(sock.io, IO_READ);
    job_ask(sock.pause_job);
}

// --- the directory

static void make_directory(void)
{
    if (mkdir(sock.dir, 0700) == 0)
        log_debug("made the socket directory %s again", sock.dir);
}

// A directory that others could write must not get our socket: a new owner may have made it.
static bool is_directory_ours(void)
{
    struct stat sb;
    return stat(sock.dir, &sb) == 0 && S_ISDIR(sb.st_mode) &&
           (sb.st_uid == geteuid() || sb.st_uid == 0) &&
           ((sb.st_mode & 022) == 0 || (sb.st_mode & S_ISVTX) != 0);
}

static void on_watch(int fd, unsigned events, void *arg)
{
    (void)events, (void)arg;
    char buf[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
    while (read(fd, buf, sizeof buf) > 0)
        ; // what happened is looked at, not believed
    socket_check();
}

static void watch_directory(void)
{
    if (sock.watch_io != NULL)
        io_remove(sock.watch_io);
    if (sock.watch_fd != -1)
        close(sock.watch_fd);
    if (sock.dir_fd != -1)
        close(sock.dir_fd);
    sock.watch_io = NULL;
    sock.dir_fd = socket_dir_hold(sock.path);
    sock.watch_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    // The socket itself, not the names in its directory: that may be /tmp, where much goes on.
    // Losing its name changes the link count (IN_ATTRIB).
    if (sock.watch_fd == -1 ||
        inotify_add_watch(sock.watch_fd, sock.path, IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF) ==
            -1 ||
        inotify_add_watch(sock.watch_fd, sock.dir, IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR) ==
            -1) {
        log_debug("cannot watch %s: %s", sock.path, strerror(errno));
        return;
    }
    sock.watch_io = io_add(sock.queue, sock.watch_fd, IO_READ, "socket watch", on_watch, NULL);
}

// --- making it again

static struct due retry_due(const void *state, int64_t now_us)
{
    (void)state, (void)now_us;
    return sock.retry_due_us == 0 ? due_never() : due_at(sock.retry_due_us);
}

static void retry_run(void *state)
{
    (void)state;
    sock.retry_due_us = 0;
    socket_check();
}

static const struct job_spec retry_spec = {"socket retry", retry_due, retry_run};

static bool is_socket_there(void)
{
    struct stat sb;
    return sock.fd != -1 && lstat(sock.path, &sb) == 0 && sb.st_dev == sock.dev &&
           sb.st_ino == sock.ino;
}

static bool listen_now(char **cause)
{
    if (!is_directory_ours()) {
        *cause = xasprintf("the socket directory %s is not this user's", sock.dir);
        return false;
    }
    int fd = socket_listen(sock.path, cause);
    if (fd == -1)
        return false;
    struct stat sb;
    if (lstat(sock.path, &sb) == 0) {
        sock.dev = sb.st_dev;
        sock.ino = sb.st_ino;
    }
    io_remove(sock.io);
    if (sock.fd != -1)
        close(sock.fd);
    sock.fd = fd;
    sock.io = io_add(sock.queue, fd, IO_READ, "accept", on_connection, NULL);
    sock.is_paused = false;
    sock.pause_due_us = 0;
    return true;
}

void socket_check(void)
{
    char *cause = NULL;
    if (sock.path == NULL)
        return;
    if (is_socket_there()) {
        sock.retry_due_us = 0;
        job_ask(sock.retry_job);
        return;
    }
    make_directory();
    if (listen_now(&cause)) {
        log_debug("made the socket %s again", sock.path);
        sock.retry_due_us = sock.retry_wait_us = 0;
        watch_directory();
        // It may have gone before the watch stood.
        if (!is_socket_there()) {
            sock.retry_wait_us = RETRY_FIRST_US;
            sock.retry_due_us = clock_monotonic_us() + sock.retry_wait_us;
        }
    } else {
        log_debug("socket: %s", cause);
        sock.retry_wait_us = sock.retry_wait_us == 0
                                 ? RETRY_FIRST_US
                                 : MIN_OF(sock.retry_wait_us * 2, RETRY_LAST_US);
        sock.retry_due_us = clock_monotonic_us() + sock.retry_wait_us;
    }
    free(cause);
    job_ask(sock.retry_job);
}

bool socket_open(struct job_queue *q, const char *path, void (*fn)(int fd), char **cause)
{
    sock.queue = q;
    sock.path = xstrdup(path);
    const char *slash = strrchr(path, '/');
    sock.dir = slash == NULL   ? xstrdup(".")
               : slash == path ? xstrdup("/")
                               : xstrndup(path, (size_t)(slash - path));
    sock.fn = fn;
    sock.retry_job = job_add(q, &retry_spec, NULL);
    sock.pause_job = job_add(q, &pause_spec, NULL);
    if (!listen_now(cause)) {
        socket_shut();
        return false;
    }
    watch_directory();
    return true;
}

void socket_shut(void)
{
    if (sock.path == NULL)
        return;
    if (is_socket_there())
        unlink(sock.path);
    io_remove(sock.io);
    io_remove(sock.watch_io);
    job_remove(sock.retry_job);
    job_remove(sock.pause_job);
    int fds[] = {sock.fd, sock.watch_fd, sock.dir_fd};
    for (size_t i = 0; i < ARRAY_LEN(fds); i++)
        if (fds[i] != -1)
            close(fds[i]);
    free(sock.path);
    free(sock.dir);
    memset(&sock, 0, sizeof sock);
    sock.fd = sock.watch_fd = sock.dir_fd = -1;
}
