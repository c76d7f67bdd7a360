// Starting a pane's program: its command, directory and environment.
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/log.h"
#include "server/environ.h"
#include "server/model/client.h"
#include "server/model/internal.h"
#include "server/options/options.h"
#include "server/server.h"
#include "server/spawn.h"
#include "server/vt/vt.h"

struct pane_start_state {
    void (*done)(void *arg, struct pane *p, const char *error);
    void *arg;
};

static void finish_start(struct pane *p, const char *error)
{
    struct pane_start_state *state = p->start;
    p->start = NULL;
    p->spawning = NULL;
    void (*done)(void *, struct pane *, const char *) = state->done;
    void *arg = state->arg;
    free(state);
    if (error == NULL) {
        if (done != NULL)
            done(arg, p, NULL);
        return;
    }
    // The error names what went wrong; the pane goes before its owner hears of it.
    char *copy = xstrdup(error);
    server_add_message("%%%u: %s", p->id, copy);
    pane_kill(p);
    if (done != NULL)
        done(arg, NULL, copy);
    free(copy);
}

static void on_spawned(void *arg, const struct spawn_result *result)
{
    struct pane *p = arg;
    unsigned id = p->id;
    if (result->error != NULL) {
        finish_start(p, result->error);
        return;
    }
    p->pid = result->pid;
    snprintf(p->tty, sizeof p->tty, "%s", result->tty);
    if (result->cwd_failed) {
        server_add_message("%%%u: cannot enter %s: started in the home directory", p->id, p->cwd);
        free(p->cwd);
        p->cwd = xstrdup(user_home());
        p->is_cwd_missed = true;
    }
    // The callback may end the pane, or a status may be known already.
    bool has_exited = result->has_exited;
    int status = result->status;
    p->spawning = NULL;
    pane_take_master(p, result->master);
    // The window keeps the name of its command: a look now could meet the shell that is about to
    // become it, and nothing would tell when to look again.
    finish_start(p, NULL);
    if (has_exited && pane_by_id(id) == p)
        pane_note_exit(p, status);
}

void pane_cancel_start(struct pane *p)
{
    if (p->spawning == NULL)
        return;
    struct spawn_request *req = p->spawning;
    struct pane_start_state *state = p->start;
    p->spawning = NULL;
    p->start = NULL;
    spawn_cancel(req);
    if (state->done != NULL)
        state->done(state->arg, NULL, "the pane was closed before its program ran");
    free(state);
}

static struct environ *make_environ(struct pane *p, struct session *s,
                                    const struct pane_start *start)
{
    struct environ *merged = environ_new(), *env = environ_new();
    environ_copy(server_environ(), merged);
    environ_copy(s->environ, merged);
    for (size_t i = 0; i < environ_count(merged); i++) {
        const struct environ_entry *e = environ_at(merged, i);
        if (!environ_is_foreign(e->name) && e->value != NULL)
            environ_set(env, e->name, e->value, e->is_hidden);
    }
    environ_free(merged);
    environ_set(env, "TERM", options_string(server_options(), "default-terminal"), false);
    environ_set(env, "COLORTERM", "truecolor", false);
    environ_set(env, "TERM_PROGRAM", options_string(server_options(), "term-program"), false);
    environ_set(env, "TERM_PROGRAM_VERSION", PACKAGE_VERSION, false);
    environ_unset(env, "LINES");
    environ_unset(env, "COLUMNS");
    environ_set(env, "PWD", p->cwd, false);
    environ_set(env, "SHELL", p->shell, false);
    char *value = xasprintf("%s,%ld,%u", server_socket_path(), (long)getpid(), s->id);
    environ_set(env, "AMUX", value, false);
    free(value);
    value = xasprintf("%%%u", p->id);
    environ_set(env, "AMUX_PANE", value, false);
    free(value);
    if (start->environ != NULL)
        environ_copy(start->environ, env);
    return env;
}

// The session's default-shell if it can be used.
static char *choose_shell(const struct session *s)
{
    const char *shell = options_string(s->options, "default-shell");
    return xstrdup(shell != NULL && is_usable_shell(shell) ? shell : user_shell());
}

void pane_start(struct pane *p, struct session *s, const struct pane_start *start)
{
    size_t n = start->argv == NULL ? 0 : strv_len(start->argv);
    char **argv;
    if (n == 0) {
        // No command: the session's default-command, and if that is empty a login shell.
        const char *command = options_string(s->options, "default-command");
        argv = command != NULL && *command != '\0'
                   ? strv_copy((char *[]){(char *)(uintptr_t)command}, 1)
                   : strv_copy(NULL, 0);
    } else {
        argv = strv_copy(start->argv, n);
    }
    strv_free(p->argv);
    p->argv = argv;
    free(p->shell);
    p->shell = choose_shell(s);
    char *cwd = xstrdup(start->cwd != NULL && *start->cwd == '/' ? start->cwd : s->cwd);
    free(p->cwd);
    p->cwd = cwd;
    p->is_dead = p->has_status = p->is_eof = p->is_cwd_missed = false;
    p->pid = -1;
    struct window *w = p->window;
    if (*w->name == '\0') {
        char *name = names_default(p);
        window_set_name(w, name);
        free(name);
    }
    vt_set_terminal_name(p->vt, "amux " PACKAGE_VERSION);
    p->history_limit = (unsigned)options_number(s->options, "history-limit");
    p->has_history_limit = true;
    pane_apply_limits(p);

    struct environ *env = make_environ(p, s, start);
    char **vector = environ_to_strv(env);
    environ_free(env);
    struct spawn_args args = {.argv = p->argv,
                              .shell = p->shell,
                              .cwd = p->cwd,
                              .environ = vector,
                              .cols = p->cols,
                              .rows = p->rows,
                              .xpixel = p->cols * w->xpixel,
                              .ypixel = p->rows * w->ypixel};
    p->pty_cols = p->cols;
    p->pty_rows = p->rows;
    p->start = xcalloc(1, sizeof *p->start);
    p->start->done = start->done;
    p->start->arg = start->arg;
    p->spawning = spawn_request(server_jobs(), &args, on_spawned, p);
    strv_free(vector);
}

const char *pane_start_command_text(const struct pane *p)
{
    static char *text;
    free(text);
    text = strv_to_shell(p->argv);
    // One word is a shell's command line, not a word to be quoted.
    if (strv_len(p->argv) == 1) {
        free(text);
        text = xstrdup(p->argv[0]);
    }
    return text;
}
