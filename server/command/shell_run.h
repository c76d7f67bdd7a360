// A shell command run beside the server for run-shell and if-shell: its output and its status.
#ifndef AMUX_SERVER_COMMAND_SHELL_RUN_H
#define AMUX_SERVER_COMMAND_SHELL_RUN_H

#include <stdbool.h>
#include <stddef.h>

struct session;
struct pane;

// Once, from the loop, when the shell has ended: waitpid's status, and what it and its children had
// written until then (bounded; standard output and error; not NUL-terminated).
typedef void (*shell_run_fn)(void *arg, int status, const char *data, size_t size);

// False: it could not be started, fn is not called; *why is a static sentence. s and p (may be
// NULL) give the environment, cwd (may be NULL) the directory.
bool shell_run(const char *command, const char *cwd, const struct session *s, const struct pane *p, shell_run_fn fn,
               void *arg, const char **why);

// The same with `input` (borrowed, len bytes) as the command's standard input. fn may be NULL.
bool shell_run_input(const char *command, const char *cwd, const struct session *s, const struct pane *p,
                     const void *input, size_t len, shell_run_fn fn, void *arg, const char **why);

#endif
