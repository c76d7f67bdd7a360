// Where the server's socket is, and whether its directory can be trusted.
#include "config.h"

#include "common/socket_path.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/util.h"

bool socket_path_fits(const char *path, char **cause)
{
    size_t most = sizeof((struct sockaddr_un *)NULL)->sun_path - 1;
    if (strlen(path) <= most)
        return true;
    *cause = xasprintf("socket path is too long (%zu bytes, at most %zu): %s; set AMUX_TMPDIR to a "
                       "shorter directory", strlen(path), most, path);
    return false;
}

static char *owner_name(uid_t uid)
{
    struct passwd *pw = getpwuid(uid);
    return pw != NULL ? xstrdup(pw->pw_name) : xasprintf("user %lu", (unsigned long)uid);
}

// What is wrong with the directory, as a sentence; NULL: it can be trusted.
static char *directory_fault(const char *dir)
{
    static const char way_out[] = "set AMUX_TMPDIR to a directory of your own";
    struct stat sb;
    if (mkdir(dir, 0700) != 0 && errno != EEXIST)
        return xasprintf("cannot make the socket directory %s: %s; %s", dir, strerror(errno), way_out);
    if (lstat(dir, &sb) != 0)
        return xasprintf("cannot look at the socket directory %s: %s; %s", dir, strerror(errno), way_out);
    if (S_ISLNK(sb.st_mode))
        return xasprintf("socket directory %s is a symbolic link; remove it or %s", dir, way_out);
    if (!S_ISDIR(sb.st_mode))
        return xasprintf("%s is not a directory; remove it or %s", dir, way_out);
    if (sb.st_uid != getuid()) {
        char *owner = owner_name(sb.st_uid);
        char *text = xasprintf("socket directory %s belongs to %s; %s", dir, owner, way_out);
        free(owner);
        return text;
    }
    if ((sb.st_mode & 077) != 0)
        return xasprintf("socket directory %s is open to others (mode %04o); chmod 700 it or %s", dir,
                         (unsigned)(sb.st_mode & 07777), way_out);
    return NULL;
}

char *socket_path_make(const char *label, char **cause)
{
    if (*label == '\0' || strchr(label, '/') != NULL) {
        *cause = xasprintf("bad socket name: \"%s\" (a name without a slash is needed; -S takes a path)",
                           label);
        return NULL;
    }
    const char *base = getenv("AMUX_TMPDIR");
    if (base == NULL || *base == '\0')
        base = "/tmp";
    char *resolved = realpath(base, NULL);
    if (resolved == NULL) {
        *cause = xasprintf("cannot use %s for the socket: %s; set AMUX_TMPDIR to a directory that is there",
                           base, strerror(errno));
        return NULL;
    }
    char *dir = xasprintf("%s/amux-%ld", strcmp(resolved, "/") == 0 ? "" : resolved, (long)getuid());
    free(resolved);
    char *path = xasprintf("%s/%s", dir, label);
    char *fault = NULL;
    if (socket_path_fits(path, &fault))
        fault = directory_fault(dir);
    free(dir);
    if (fault != NULL) {
        free(path);
        *cause = fault;
        return NULL;
    }
    return path;
}

int socket_dir_hold(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *dir;
    if (slash == NULL)
        dir = xstrdup(".");
    else
        dir = slash == path ? xstrdup("/") : xstrndup(path, (size_t)(slash - path));
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(dir);
    if (fd != -1 && flock(fd, LOCK_SH | LOCK_NB) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}
