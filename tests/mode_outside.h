// What modes and prompts take from outside, for their tests: a pane on a real terminal, options,
// and stand-ins for the server's parts that would bring the rest of it along.
#ifndef AMUX_TESTS_MODE_OUTSIDE_H
#define AMUX_TESTS_MODE_OUTSIDE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/jobs.h"
#include "common/row.h"
#include "common/utf8.h"
#include "server/command/command.h"
#include "server/command/shell_run.h"
#include "server/format/format.h"
#include "server/mode/mode.h"
#include "server/model/client.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/push/push.h"
#include "server/server.h"
#include "server/vt/vt.h"

static struct job_queue *queue;
static struct options *server_scope, *session_scope, *window_scope;
struct clients all_clients = TAILQ_HEAD_INITIALIZER(all_clients);
struct sessions all_sessions = TAILQ_HEAD_INITIALIZER(all_sessions);

struct job_queue *server_jobs(void)
{
    return queue;
}
struct options *server_options(void)
{
    return server_scope;
}
struct options *server_session_options(void)
{
    return session_scope;
}

static unsigned n_changed; // frames asked for
void frame_pane_changed(struct pane *p)
{
    (void)p;
    n_changed++;
}
static struct pane *pane_below; // the mouse
struct pane *frame_pane_at(struct client *c, unsigned x, unsigned y, unsigned *px, unsigned *py)
{
    (void)c;
    *px = x;
    *py = y;
    return pane_below;
}

// The last clipboard that a client was sent.
static char *clipboard;
bool peer_send(struct peer *p, enum message_type type, const void *msg)
{
    (void)p;
    const struct msg_CLIPBOARD *m = msg;
    ck_assert_int_eq(type, MSG_CLIPBOARD);
    free(clipboard);
    clipboard = xstrndup(m->data.data, m->data.len);
    return true;
}

char *format_expand(const struct format_context *ctx, const char *fmt)
{
    (void)ctx;
    return xstrdup(fmt);
}
bool target_find(struct target *out, const struct target *current, struct client *c,
                 const char *target, enum command_target kind, unsigned flags, char **cause)
{
    (void)current, (void)c, (void)kind, (void)flags, (void)out;
    *cause = xasprintf("can't find pane: %s", target);
    return false;
}
void target_from_pane(struct target *out, struct pane *p)
{
    *out = (struct target){.pane = p};
}
struct session *session_by_name(const char *name)
{
    struct session *s;
    TAILQ_FOREACH (s, &all_sessions, entry) {
        if (strcmp(s->name, name) == 0)
            return s;
    }
    return NULL;
}

static unsigned n_redrawn, n_keys; // status lines asked for; keys that went past a prompt
static key_code last_key;
void client_redraw(struct client *c, unsigned what)
{
    (void)c, (void)what;
    n_redrawn++;
}
void redraw_window(struct window *w, unsigned what)
{
    (void)w, (void)what;
    n_redrawn++;
}
void names_pane_changed(struct pane *p)
{
    (void)p;
}
void client_message(struct client *c, int delay_ms, const char *fmt, ...)
{
    (void)c, (void)delay_ms, (void)fmt;
}
void client_clear_message(struct client *c)
{
    (void)c;
}
void input_key(struct client *c, key_code key, const void *raw, size_t raw_len)
{
    (void)c, (void)raw, (void)raw_len;
    n_keys++;
    last_key = key;
}

static char *piped; // what a command was given, behind its name
bool shell_run_input(const char *text, const char *cwd, const struct session *s,
                     const struct pane *p, const void *input, size_t len, shell_run_fn fn,
                     void *arg, const char **why)
{
    (void)cwd, (void)s, (void)p, (void)fn, (void)arg, (void)why;
    free(piped);
    piped = xasprintf("%s<%.*s", text, (int)len, (const char *)input);
    return true;
}
void server_add_message(const char *fmt, ...)
{
    (void)fmt;
}

static struct session session;
static struct window window;
static struct winlink winlink;
static struct pane pane;
static struct client client;

static inline void outside_set_up(void)
{
    queue = jobs_new();
    server_scope = options_new(NULL);
    options_set_defaults(server_scope, SCOPE_SERVER);
    session_scope = options_new(NULL);
    options_set_defaults(session_scope, SCOPE_SESSION);
    window_scope = options_new(NULL);
    options_set_defaults(window_scope, SCOPE_WINDOW | SCOPE_PANE);
    session = (struct session){.name = xstrdup("work"), .options = options_new(session_scope)};
    window = (struct window){.name = xstrdup("shell"), .options = options_new(window_scope)};
    winlink = (struct winlink){.session = &session, .window = &window};
    TAILQ_INIT(&window.winlinks);
    TAILQ_INIT(&session.winlinks);
    TAILQ_INSERT_TAIL(&window.winlinks, &winlink, in_window);
    TAILQ_INSERT_TAIL(&session.winlinks, &winlink, entry);
    session.current = &winlink;
    TAILQ_INSERT_TAIL(&all_sessions, &session, entry);
    pane = (struct pane){.window = &window, .options = options_new(window.options)};
    client = (struct client){.session = &session, .is_attached = true, .cols = 80, .rows = 24};
    client.peer = (struct peer *)&client;
    TAILQ_INSERT_TAIL(&all_clients, &client, entry);
}

static inline void outside_tear_down(void)
{
    TAILQ_REMOVE(&all_clients, &client, entry);
    TAILQ_REMOVE(&all_sessions, &session, entry);
    options_free(pane.options);
    options_free(window.options);
    options_free(session.options);
    options_free(window_scope);
    options_free(session_scope);
    options_free(server_scope);
    free(window.name);
    free(session.name);
    jobs_free(queue);
    free(clipboard);
    free(piped);
    piped = NULL;
    clipboard = NULL;
    pane_below = NULL;
}

// Runs jobs until `is_done` says so; fails if it never does.
static bool (*wait_for)(void);
static struct due wait_due(const void *state, int64_t now_us)
{
    (void)state;
    return due_at(now_us);
}
static void wait_run(void *state)
{
    unsigned *turns = state;
    if (wait_for() || ++*turns > 1000000)
        jobs_stop(queue);
}
static inline void outside_run_until(bool (*is_done)(void))
{
    static const struct job_spec spec = {"test", wait_due, wait_run};
    unsigned turns = 0;
    wait_for = is_done;
    struct job *job = job_add(queue, &spec, &turns);
    job_ask(job);
    jobs_loop(queue);
    job_remove(job);
    ck_assert(is_done());
}

#endif
