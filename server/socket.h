// The listening socket: made, watched, made again when it goes.
#ifndef AMUX_SERVER_SOCKET_H
#define AMUX_SERVER_SOCKET_H

#include <stdbool.h>

struct job_queue;

// Binds and listens on `path` (absolute) with mode 0600 whatever the umask, which is not touched. A
// stale socket of our own is replaced; a live one, or anything else in the place, is left alone.
// Returns the descriptor (non-blocking, close-on-exec) or -1 with one sentence in *cause (owned).
int socket_listen(const char *path, char **cause);

// The server's socket. fn gets each new connection. False: *cause (owned).
bool socket_open(struct job_queue *q, const char *path, void (*fn)(int fd), char **cause);
// Looks whether the path still leads to the socket and makes it again if not (SIGUSR1, inotify). A
// directory that went is made again; a failure is tried again later.
void socket_check(void);
// A descriptor was closed: accepting goes on if it had stopped for want of one.
void socket_resume_accept(void);
// Stops listening and removes the socket if it is still this one.
void socket_shut(void);

#endif
