// Starting programs in a PTY. Asynchronous from the first day, so that another process can do it
// later: the answer comes by callback from the loop, never from inside spawn_request().
#ifndef AMUX_SERVER_SPAWN_H
#define AMUX_SERVER_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

struct job_queue;

struct spawn_args {
    char *const *argv;    // NULL or empty: the shell, as a login shell ("-bash")
    const char *shell;    // used for no argv and, with one word, `shell -c word`
    const char *cwd;      // tried first; then $HOME, then "/"
    char *const *environ; // whole environment of the child
    unsigned cols, rows, xpixel, ypixel;
};
struct spawn_result {
    pid_t pid;       // -1 on error
    int master;      // owned by the callback; non-blocking, close-on-exec
    char tty[64];
    const char *error; // one sentence; NULL if it went well
    bool cwd_failed;   // the wanted directory could not be entered
    bool has_exited;   // it was reaped before the answer came; status is waitpid's
    int status;
};
struct spawn_request;
typedef void (*spawn_fn)(void *arg, const struct spawn_result *result);
// Strings are copied. The callback is called once, unless the request is cancelled.
struct spawn_request *spawn_request(struct job_queue *q, const struct spawn_args *args, spawn_fn fn,
                                    void *arg);
// The program, if it was begun, is hung up and killed after the grace time (server/model/ending.h).
void spawn_cancel(struct spawn_request *req);
// From SIGCHLD: true if pid is a program whose request has not been answered yet.
bool spawn_note_exit(pid_t pid, int status);

#endif
