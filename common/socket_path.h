// Where the server's socket is, and whether its directory can be trusted.
#ifndef AMUX_COMMON_SOCKET_PATH_H
#define AMUX_COMMON_SOCKET_PATH_H

#include <stdbool.h>

// $AMUX_TMPDIR/amux-UID/LABEL, else /tmp/amux-UID/LABEL; makes the directory (0700) when it is not
// there. On error NULL, with one sentence in *cause (owned by the caller) that names the path, what
// is wrong with it (a link, not a directory, another owner, open to others, too long for a socket
// address) and the way out. The result is owned by the caller.
char *socket_path_make(const char *label, char **cause);
// Checks the length of a path given with -S.
bool socket_path_fits(const char *path, char **cause);
// Holds the directory of `path` with a shared flock, so that cleaners of /tmp leave it; returns the
// descriptor or -1. The server keeps it open for its life.
int socket_dir_hold(const char *path);

#endif
