// The server: its loop, its peers, its life. One thread, one loop.
#ifndef AMUX_SERVER_SERVER_H
#define AMUX_SERVER_SERVER_H

#include <sys/resource.h>
#include <sys/types.h>

#include "common/jobs.h"
#include "common/util.h"

struct options;
struct environ;

// Runs a server on the listening socket's path until it ends; called in the daemonised child.
// lock_fd is the held start lock (closed when the socket accepts), ready_fd (or -1) gets one byte
// then. Returns the exit code.
struct server_start {
    const char *socket_path;
    const char *config_file; // -f; NULL: the default places
    int lock_fd;
    int ready_fd;
    int log_level;
};
int server_main(const struct server_start *start);

// The process's one server. Global state of its own modules only; these are its shared parts.
struct job_queue *server_jobs(void);
const char *server_socket_path(void);
int64_t server_start_time(void); // wall clock, seconds
struct options *server_options(void);         // server scope (-s)
struct options *server_session_options(void); // global session options (-g)
struct options *server_window_options(void);  // global window options (-gw)
struct environ *server_environ(void);         // global environment
bool server_has_finished_config(void);
// kill-server, SIGTERM: clients are told, panes get HUP, the loop ends when they are gone.
void server_shut_down(void);
bool server_is_shutting_down(void);
// Asks whether the server should end (no sessions left and exit-empty on); cheap.
void server_check_empty(void);

// Messages to the person, kept for show-messages (bounded by message-limit).
void server_add_message(const char *fmt, ...) PRINTF_LIKE(1, 2);
struct server_message {
    int64_t time; // wall clock, seconds
    unsigned number;
    char *text;
};
size_t server_messages(const struct server_message **out); // oldest first

// -f of the command line that started the server; NULL: the default places.
const char *server_config_file(void);
// command/source.c says so once the start's files have been run (or there are none): the commands of
// clients, held back until then, go on.
void server_set_config_finished(void);

// Children that are not panes (run-shell, #()): fn gets the status of waitpid, once, from the loop.
// To be called in the turn that forked. The server reaps; nobody else calls waitpid.
void server_watch_child(pid_t pid, void (*fn)(void *arg, pid_t pid, int status), void *arg);
void server_unwatch_child(pid_t pid); // it is still reaped
// What RLIMIT_NOFILE was before the server raised it: children get it back.
const struct rlimit *server_child_file_limit(void);
// A descriptor was closed: accepting goes on if it had stopped for want of one.
void server_descriptor_freed(void);

#endif
