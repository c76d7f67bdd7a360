// Connecting to the server's socket, and starting a server when there is none: one, however many ask.
#include "config.h"

#include "client/connect.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/log.h"
#include "common/util.h"

// Each round waits for another process that starts the server; a server that dies each time must
// not keep one here.
#define ROUNDS_MAX 50

// A connected socket, or -1 with errno.
static int try_connect(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t len = strlen(path);
    if (len >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address.sun_path, path, len + 1);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    int result;
    do
        result = connect(fd, (struct sockaddr *)&address, sizeof address);
    while (result != 0 && errno == EINTR);
    if (result != 0) {
        int saved = errno;
        close(fd);
        errno = saved;
        return -1;
    }
    return fd;
}

static bool is_no_server(int error)
{
    return error == ENOENT || error == ECONNREFUSED;
}

bool connect_is_refused(const char *path)
{
    int fd = try_connect(path);
    if (fd < 0)
        return is_no_server(errno);
    close(fd);
    return false;
}

pid_t connect_peer_pid(int fd)
{
    struct ucred cred;
    socklen_t len = sizeof cred;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) != 0 || cred.pid <= 0)
        return -1;
    return cred.pid;
}

// Only a server of the same user, or of root, is talked to: it learns the environment.
static bool is_peer_trusted(int fd, const char *path, char **cause)
{
    struct ucred cred;
    socklen_t len = sizeof cred;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) == 0 && cred.uid != getuid() &&
        cred.uid != 0 && getuid() != 0) {
        *cause = xasprintf("%s belongs to a server of another user (uid %u)", path,
                           (unsigned)cred.uid);
        return false;
    }
    return true;
}

// The start lock, held. -1 with *cause; -1 without: it was another's and is free now, or its file
// went: look again.
static int take_lock(const char *path, char **cause)
{
    char *lock_path = xasprintf("%s.lock", path);
    int fd = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        *cause = xasprintf("error creating %s (%s)", lock_path, strerror(errno));
        free(lock_path);
        return -1;
    }
    bool is_mine = flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (!is_mine) {
        // Another is starting the server: wait until it is done.
        while (flock(fd, LOCK_EX) != 0 && errno == EINTR)
            ;
    } else {
        // Whoever held it before may have removed the file: then it guards nothing.
        struct stat held, there;
        is_mine = fstat(fd, &held) == 0 && stat(lock_path, &there) == 0 &&
                  held.st_ino == there.st_ino && held.st_dev == there.st_dev;
    }
    free(lock_path);
    if (!is_mine) {
        close(fd);
        return -1;
    }
    return fd;
}

// Called with the lock held, so that no other process relies on it.
static void release_lock(const char *path, int lock_fd)
{
    char *lock_path = xasprintf("%s.lock", path);
    unlink(lock_path);
    free(lock_path);
    close(lock_fd);
}

// A socket file that nobody answers is in the way of a new one. Called with the lock held.
static void remove_stale_socket(const char *path)
{
    struct stat st;
    if (lstat(path, &st) == 0 && S_ISSOCK(st.st_mode) && st.st_uid == getuid())
        unlink(path);
}

// The server's process: nothing of the client's is left but the two descriptors.
static void become_server(const struct connect_options *o, int lock_fd, int ready_fd)
    __attribute__((noreturn));
static void become_server(const struct connect_options *o, int lock_fd, int ready_fd)
{
    // Out of the way of each other first.
    int lock = fcntl(lock_fd, F_DUPFD_CLOEXEC, 10), ready = fcntl(ready_fd, F_DUPFD_CLOEXEC, 10);
    if (lock < 0 || ready < 0 || dup3(lock, 3, O_CLOEXEC) < 0 || dup3(ready, 4, O_CLOEXEC) < 0)
        _exit(1);
    fd_close_from(5);
    for (int signo = 1; signo < NSIG; signo++)
        signal(signo, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    _exit(o->server_main(o->path, o->config_file, 3, 4, o->log_level));
}

static bool start_server(const struct connect_options *o, int lock_fd, char **cause)
{
    int ready[2];
    if (pipe2(ready, O_CLOEXEC) != 0) {
        *cause = xasprintf("the server cannot be started (%s)", strerror(errno));
        return false;
    }
    pid_t pid = fork();
    if (pid < 0) {
        *cause = xasprintf("the server cannot be started (%s)", strerror(errno));
        close(ready[0]);
        close(ready[1]);
        return false;
    }
    if (pid == 0)
        become_server(o, lock_fd, ready[1]);
    close(ready[1]);

    // A zero byte: it listens. Text: why it does not. Nothing: it died.
    char text[512];
    size_t n = 0;
    while (n < sizeof text - 1) {
        ssize_t got = read(ready[0], text + n, sizeof text - 1 - n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        n += (size_t)got;
        if (text[0] == '\0')
            break;
    }
    close(ready[0]);
    text[n] = '\0';
    if (n > 0 && text[0] == '\0')
        return true;
    *cause = n > 0 ? xstrdup(text) : xstrdup("the server ended while it was starting");
    return false;
}

static char *connect_cause(const char *path, int error)
{
    if (is_no_server(error))
        return xasprintf("no server running on %s", path);
    return xasprintf("error connecting to %s (%s)", path, strerror(error));
}

int connect_server(const struct connect_options *o, bool *has_started, char **cause)
{
    *has_started = false;
    *cause = NULL;
    for (int round = 0; round < ROUNDS_MAX; round++) {
        int fd = try_connect(o->path);
        if (fd >= 0) {
            if (is_peer_trusted(fd, o->path, cause))
                return fd;
            close(fd);
            return -1;
        }
        if (!is_no_server(errno) || !o->may_start) {
            *cause = connect_cause(o->path, errno);
            return -1;
        }
        int lock_fd = take_lock(o->path, cause);
        if (lock_fd < 0) {
            if (*cause != NULL)
                return -1;
            continue;
        }
        // Another may have started it between the look and the lock.
        fd = try_connect(o->path);
        if (fd < 0 && errno == ECONNREFUSED)
            remove_stale_socket(o->path);
        bool is_up = fd >= 0;
        if (!is_up) {
            is_up = start_server(o, lock_fd, cause);
            *has_started = is_up;
        } else {
            close(fd);
        }
        release_lock(o->path, lock_fd);
        if (!is_up)
            return -1;
    }
    *cause = xasprintf("error connecting to %s (the server ends as soon as it is started)", o->path);
    return -1;
}
