// One connection from greeting to exit: a command's output, or an attached terminal.
#include "config.h"

#include "client/client.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/attach.h"
#include "client/connect.h"
#include "client/stdio.h"
#include "client/terminal.h"
#include "common/jobs.h"
#include "common/log.h"

#define GREETING_LIMIT_US INT64_C(5000000)
// Set when this process became another program for the sake of a server of another version: such a
// program does not do it again.
#define REEXEC_VARIABLE "AMUX_REEXEC"

extern char **environ;

enum phase { PHASE_GREETING, PHASE_COMMAND, PHASE_ATTACHED, PHASE_ENDING };

struct client {
    const struct client_setup *setup;
    struct job_queue *jobs;
    struct link *link;
    struct stdio *stdio;
    struct attach *attach;
    struct caps *caps; // NULL: the terminal cannot be used, or there is none
    char *caps_note;
    struct io *int_io; // while attached: what interrupts a command ends an attached client in order
    struct terminal_size size;
    enum phase phase;
    bool is_attaching; // a session is to be shown as soon as it is known how
    int fd; // of the link
    int64_t greeting_until_us;
    struct job *greeting_job;
    int code;

    // How it ends: said when the terminal is as it was.
    bool has_left;
    char *farewell; // on standard output; NULL: nothing
    char *error;    // on standard error
    char *exec;     // run instead of exiting
    bool hangs_up_parent;
};

static void client_end(struct client *c)
{
    c->phase = PHASE_ENDING;
    link_stop_reading(c->link);
    if (c->attach != NULL && !c->has_left) {
        attach_leave(c->attach);
        return;
    }
    // What a command printed waits for its reader; a terminal that was left has had its time.
    if (c->attach != NULL || stdio_is_drained(c->stdio))
        jobs_stop(c->jobs);
}

static void set_text(char **to, char *text)
{
    free(*to);
    *to = text;
}

static void on_left(void *arg)
{
    struct client *c = arg;
    c->has_left = true;
    client_end(c);
}

static void say_leaving(struct client *c, const char *why)
{
    struct msg_LEAVING m = {why};
    link_send(c->link, MSG_LEAVING, &m);
}

static void on_terminal_lost(void *arg)
{
    struct client *c = arg;
    if (c->phase == PHASE_ENDING) { // nothing is left to be put back
        c->has_left = true;
        jobs_stop(c->jobs);
        return;
    }
    say_leaving(c, "lost tty");
    set_text(&c->farewell, xstrdup("[lost tty]"));
    c->code = 1;
    c->has_left = true;
    client_end(c);
}

// --- other versions

static void on_refused(struct client *c, const struct msg_REFUSED *m)
{
    c->code = 1;
    bool overlaps = m->version_max >= protocol_version_min && m->version_min <= protocol_version;
    char *program = text_visible(m->program), *why = text_visible(m->why);
    if (overlaps) { // refused for another reason
        set_text(&c->error, xstrdup(why));
        free(program);
        free(why);
        client_end(c);
        return;
    }
    const char *older = m->version_max < protocol_version_min ? "the server" : "this amux";
    pid_t pid = connect_peer_pid(c->fd);
    if (pid > 0 && getenv(REEXEC_VARIABLE) == NULL) {
        char *exe = xasprintf("/proc/%d/exe", (int)pid);
        if (access(exe, X_OK) == 0) {
            fprintf(stderr, "amux: the server runs %s (protocol %u to %u), this is %s (%u); "
                            "going on as the server's own program\n",
                    program, m->version_min, m->version_max, PACKAGE_STRING, protocol_version);
            setenv(REEXEC_VARIABLE, "1", 1);
            execv(exe, c->setup->argv);
        }
        free(exe);
    }
    set_text(&c->error,
             xasprintf("the server is %s (protocol %u to %u), this is %s (protocol %u to %u): %s is "
                       "older; attach with the program that started the server, or end it with its "
                       "kill-server",
                       program, m->version_min, m->version_max, PACKAGE_STRING,
                       protocol_version_min, protocol_version, older));
    free(program);
    free(why);
    client_end(c);
}

static struct due greeting_due(const void *state, int64_t now_us)
{
    const struct client *c = state;
    (void)now_us;
    return c->phase == PHASE_GREETING ? due_at(c->greeting_until_us) : due_never();
}

static void greeting_run(void *state)
{
    struct client *c = state;
    set_text(&c->error, xasprintf("%s does not answer as an amux server", c->setup->socket_path));
    c->code = 1;
    client_end(c);
}

// --- messages

static void on_signal(int signo, unsigned events, void *arg);

static void on_attach(struct client *c)
{
    if (c->attach != NULL)
        return;
    struct attach_setup setup = {
        .jobs = c->jobs,
        .link = c->link,
        .caps = c->caps,
        .is_utf8 = c->setup->is_utf8,
        .cols = c->size.cols,
        .rows = c->size.rows,
        .note = c->caps_note,
        .left = on_left,
        .lost = on_terminal_lost,
        .arg = c,
    };
    char *cause = NULL;
    if (c->caps == NULL)
        cause = xstrdup("this terminal cannot be used");
    else
        c->attach = attach_new(&setup, &cause);
    if (c->attach == NULL) {
        say_leaving(c, cause);
        set_text(&c->error, cause);
        c->code = 1;
        client_end(c);
        return;
    }
    c->phase = PHASE_ATTACHED;
    c->int_io = io_add_signal(c->jobs, SIGINT, "SIGINT", on_signal, c);
}

static void on_detach(struct client *c, const struct msg_DETACH *m)
{
    char *session = text_visible(m->session);
    c->code = m->code;
    switch (m->reason) {
    case DETACH_HUP:
    case DETACH_DETACHED:
    case DETACH_SWITCHED:
        c->hangs_up_parent = m->reason == DETACH_HUP;
        set_text(&c->farewell, xasprintf(m->reason == DETACH_HUP
                                             ? "[detached and SIGHUP (from session %s)]"
                                             : "[detached (from session %s)]", session));
        break;
    case DETACH_EXITED:
        set_text(&c->farewell, xstrdup("[exited]"));
        break;
    case DETACH_SERVER_EXIT:
        set_text(&c->farewell, xstrdup("[server exited]"));
        c->code = 1; // what was shown did not end by itself
        break;
    case DETACH_TERMINATED:
        set_text(&c->farewell, xstrdup("[terminated]"));
        break;
    case DETACH_LOST_TTY:
        set_text(&c->farewell, xstrdup("[lost tty]"));
        break;
    default:
        if (m->code != 0)
            set_text(&c->error, xstrdup(session));
        else
            set_text(&c->farewell, xstrdup(session));
        break;
    }
    free(session);
    if (m->exec[0] != '\0') { // it speaks instead
        set_text(&c->exec, xstrdup(m->exec));
        set_text(&c->farewell, NULL);
    }
    client_end(c);
}

static void on_input(void *arg, const void *data, size_t len)
{
    struct client *c = arg;
    struct msg_STDIN m = {len == 0, {data, (uint32_t)len}};
    link_send(c->link, MSG_STDIN, &m);
}

static void on_message(void *arg, const struct message *m)
{
    struct client *c = arg;

    if (c->phase == PHASE_ENDING)
        return;
    if (c->phase == PHASE_GREETING) {
        if (m->type == MSG_REFUSED) {
            on_refused(c, &m->u.REFUSED);
            return;
        }
        if (m->type != MSG_WELCOME) {
            set_text(&c->error, xasprintf("%s is not an amux socket", c->setup->socket_path));
            c->code = 1;
            client_end(c);
            return;
        }
        c->phase = PHASE_COMMAND;
        job_ask(c->greeting_job);
        return;
    }
    switch ((int)m->type) {
    case MSG_OUTPUT:
        stdio_print(c->stdio, m->u.OUTPUT.stream, m->u.OUTPUT.data.data, m->u.OUTPUT.data.len);
        break;
    case MSG_READ_STDIN:
        if (c->attach != NULL)
            on_input(c, NULL, 0); // its input is the terminal's, which is read already
        else
            stdio_read_input(c->stdio);
        break;
    case MSG_EXIT:
        c->code = m->u.EXIT.code;
        client_end(c);
        break;
    case MSG_ATTACH:
        c->is_attaching = c->attach == NULL;
        break;
    case MSG_DETACH:
        on_detach(c, &m->u.DETACH);
        break;
    case MSG_OPTIONS:
        // How the terminal is entered depends on them: they come right behind ATTACH.
        if (c->is_attaching && c->caps != NULL)
            caps_set_options(c->caps, m->u.OPTIONS.features, m->u.OPTIONS.overrides);
        // fall through
    default:
        if (c->is_attaching) {
            c->is_attaching = false;
            on_attach(c);
        }
        if (c->attach != NULL && c->phase == PHASE_ATTACHED)
            attach_message(c->attach, m);
        break;
    }
}

static void on_batch_end(void *arg)
{
    struct client *c = arg;
    if (c->attach != NULL && c->phase == PHASE_ATTACHED)
        attach_batch_end(c->attach);
}

static void on_closed(void *arg, const char *why, bool was_greeted)
{
    struct client *c = arg;
    if (c->phase == PHASE_ENDING)
        return;
    c->code = 1;
    if (!was_greeted && why != NULL)
        set_text(&c->error, xasprintf("%s is not an amux socket", c->setup->socket_path));
    else if (!was_greeted)
        set_text(&c->error, xasprintf("error connecting to %s (closed before it greeted)",
                                      c->setup->socket_path));
    else if (why != NULL)
        set_text(&c->error, xasprintf("the server sent what cannot be understood: %s", why));
    if (c->attach != NULL)
        set_text(&c->farewell, xstrdup("[lost server]"));
    else if (c->error == NULL)
        set_text(&c->error, xstrdup("lost server"));
    client_end(c);
}

static void on_sent(void *arg)
{
    struct client *c = arg;
    if (c->attach != NULL)
        attach_sent(c->attach);
}

static const struct link_events link_events = {on_message, on_batch_end, on_closed, on_sent};

static void on_drained(void *arg)
{
    struct client *c = arg;
    if (c->phase == PHASE_ENDING && (c->attach == NULL || c->has_left))
        jobs_stop(c->jobs);
}

static void on_signal(int signo, unsigned events, void *arg)
{
    struct client *c = arg;
    (void)events;
    if (c->phase == PHASE_ENDING)
        return;
    c->code = 1;
    if (c->attach != NULL) {
        say_leaving(c, signo == SIGHUP ? "SIGHUP" : "terminated");
        set_text(&c->farewell, xstrdup(signo == SIGHUP ? "[lost tty]" : "[terminated]"));
    }
    client_end(c);
}

// --- greeting

static void greet(struct client *c, bool has_started)
{
    const char *term = getenv("TERM");
    char *cause = NULL;
    bool is_tty = isatty(STDIN_FILENO) != 0;

    if (is_tty)
        c->caps = caps_load(term, STDIN_FILENO, &cause, &c->caps_note);
    else
        cause = xstrdup("standard input is not a terminal");
    if (c->caps != NULL) {
        const char *colour = getenv("COLORTERM");
        // GNU screen passes the variable on without keeping the promise.
        bool is_screen = getenv("STY") != NULL && strncmp(term, "screen", 6) == 0;
        if (colour != NULL && !is_screen &&
            (strcmp(colour, "truecolor") == 0 || strcmp(colour, "24bit") == 0))
            caps_add_feature(c->caps, FEATURE_RGB);
        if (c->setup->has_256)
            caps_set_colours(c->caps, 256);
    }
    c->size = terminal_size_of(STDIN_FILENO);
    char *cwd = getcwd(NULL, 0);
    const char *tty = is_tty ? ttyname(STDIN_FILENO) : NULL;
    uint32_t flags = 0;
    if (c->setup->is_utf8)
        flags |= HELLO_UTF8;
    if (is_tty)
        flags |= HELLO_HAS_TERMINAL | HELLO_STDIN_TTY;
    if (c->setup->is_nested)
        flags |= HELLO_NESTED;
    if (c->caps != NULL && c->caps->colours >= 256)
        flags |= HELLO_256;
    if (c->caps != NULL && caps_has(c->caps, FEATURE_RGB))
        flags |= HELLO_RGB;
    if (has_started)
        flags |= HELLO_STARTED_SERVER;
    struct msg_HELLO hello = {
        .version_min = protocol_version_min,
        .version_max = protocol_version,
        .program = PACKAGE_STRING,
        .cwd = cwd != NULL ? cwd : "/",
        .tty = tty,
        .term = term,
        .terminal_cause = cause,
        .flags = flags,
        .cols = (uint16_t)MIN_OF(c->size.cols, UINT16_MAX),
        .rows = (uint16_t)MIN_OF(c->size.rows, UINT16_MAX),
        .xpixel = (uint16_t)c->size.xpixel,
        .ypixel = (uint16_t)c->size.ypixel,
        .environ = (const char *const *)environ,
        .pid = (uint32_t)getpid(),
    };
    struct msg_COMMAND command = {(const char *const *)c->setup->command};
    if (!link_send(c->link, MSG_HELLO, &hello)) {
        set_text(&c->error, xstrdup("the environment is too large to be sent (4 MB at most)"));
    } else if (!link_send(c->link, MSG_COMMAND, &command)) {
        set_text(&c->error, xstrdup("the command is too long (16 MB at most)"));
    }
    if (c->error != NULL) {
        c->code = 1;
        client_end(c);
    }
    free(cwd);
    free(cause);
}

static const struct job_spec greeting_spec = {"greeting", greeting_due, greeting_run};

static void client_finish(struct client *c)
{
    if (c->farewell != NULL)
        printf("%s\n", c->farewell);
    fflush(stdout);
    if (c->error != NULL)
        fprintf(stderr, "%s\n", c->error);
    if (c->hangs_up_parent && getppid() > 1)
        kill(getppid(), SIGHUP);
}

int client_run(const struct client_setup *setup)
{
    struct client c = {.setup = setup, .phase = PHASE_GREETING};
    struct connect_options options = {
        .path = setup->socket_path,
        .may_start = setup->may_start_server,
        .config_file = setup->config_file,
        .log_level = setup->log_level,
        .server_main = setup->server_main,
    };
    char *cause;
    bool has_started;

    c.fd = connect_server(&options, &has_started, &cause);
    if (c.fd < 0) {
        fprintf(stderr, "%s\n", cause);
        free(cause);
        return 1;
    }
    log_open("client", setup->log_level);
    signal(SIGPIPE, SIG_IGN);
    c.jobs = jobs_new();
    c.stdio = stdio_new(c.jobs, on_drained, on_input, &c);
    c.link = link_new(c.jobs, c.fd, &link_events, &c);
    c.greeting_until_us = clock_monotonic_us() + GREETING_LIMIT_US;
    c.greeting_job = job_add(c.jobs, &greeting_spec, &c);
    struct io *term_io = io_add_signal(c.jobs, SIGTERM, "SIGTERM", on_signal, &c);
    struct io *hup_io = io_add_signal(c.jobs, SIGHUP, "SIGHUP", on_signal, &c);
    greet(&c, has_started);
    if (c.phase != PHASE_ENDING)
        jobs_loop(c.jobs);

    attach_free(c.attach);
    if (stdio_error(c.stdio) != 0 && c.code == 0) {
        set_text(&c.error, xasprintf("output could not be written: %s", strerror(stdio_error(c.stdio))));
        c.code = 1;
    }
    stdio_free(c.stdio);
    link_free(c.link);
    io_remove(term_io);
    io_remove(hup_io);
    if (c.int_io != NULL)
        io_remove(c.int_io);
    job_remove(c.greeting_job);
    jobs_free(c.jobs);
    caps_free(c.caps);
    client_finish(&c);
    if (c.exec != NULL) {
        const char *shell = user_shell();
        execl(shell, shell, "-c", c.exec, (char *)NULL);
        fprintf(stderr, "%s cannot be run (%s)\n", shell, strerror(errno));
        c.code = 1;
    }
    free(c.caps_note);
    free(c.farewell);
    free(c.error);
    free(c.exec);
    log_close();
    return c.code;
}
