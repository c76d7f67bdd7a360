// The client's role: one connection to the server for a command, or for showing a session.
#ifndef AMUX_CLIENT_CLIENT_H
#define AMUX_CLIENT_CLIENT_H

#include <stdbool.h>

// What makes a server out of this process (in a child): given by main, since the client's side knows
// nothing of the server's.
typedef int (*server_main_fn)(const char *socket_path, const char *config_file, int lock_fd,
                              int ready_fd, int log_level);

struct client_setup {
    int argc;    // of main, for starting again as another program
    char **argv;
    char *const *command; // NULL-terminated; never empty
    const char *socket_path;
    const char *config_file;
    bool may_start_server;
    bool is_utf8, has_256;
    bool is_nested;
    int log_level;
    server_main_fn server_main;
};
// Runs the command to its end. Returns the exit code.
int client_run(const struct client_setup *setup);

// Command line of amux: options, then a command. Returns the exit code.
int cli_main(int argc, char **argv, server_main_fn server_main);

// --- parts of the command line, for tests
// The socket that a value of AMUX ("socket,pid,session") names, owned by the caller; NULL if it is not of that
// form.
char *cli_socket_of_environment(const char *value);
// Whether the environment names UTF-8: the first of LC_ALL, LC_CTYPE and LANG that is set decides;
// with none set, every TERM but linux and vt*.
bool cli_environment_is_utf8(const char *lc_all, const char *lc_ctype, const char *lang,
                             const char *term);

#endif
