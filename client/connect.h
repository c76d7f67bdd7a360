// Finding the server: connecting to its socket, or starting it.
#ifndef AMUX_CLIENT_CONNECT_H
#define AMUX_CLIENT_CONNECT_H

#include <stdbool.h>
#include <sys/types.h>

struct connect_options {
    const char *path;        // of the socket
    bool may_start;          // start a server when none runs
    const char *config_file; // for a server that is started; NULL: its default
    int log_level;
    // Becomes the server in a child of its own. Same meaning as struct server_start in the server.
    int (*server_main)(const char *socket_path, const char *config_file, int lock_fd, int ready_fd,
                       int log_level);
};
// A connected socket, or -1 with one sentence in *cause (owned). *has_started tells whether the server
// was started by this call. May wait for another process that is starting the server.
int connect_server(const struct connect_options *o, bool *has_started, char **cause);
// True if nothing listens there (connecting would be refused).
bool connect_is_refused(const char *path);
// The process at the other end of a connection; -1 if unknown.
pid_t connect_peer_pid(int fd);

#endif
