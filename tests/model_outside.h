// What sessions and windows take from outside, for their tests: no server, no clients, panes without
// programs.
#ifndef AMUX_TESTS_MODEL_OUTSIDE_H
#define AMUX_TESTS_MODEL_OUTSIDE_H

#include <stdlib.h>

#include "server/environ.h"
#include "server/model/client.h"
#include "server/model/internal.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/server.h"

static struct options *outside_session_options, *outside_window_options;
static unsigned outside_empty_checks, outside_panes_ended, outside_left;
static struct session *outside_left_to;
static unsigned outside_next_pane;

struct clients all_clients = TAILQ_HEAD_INITIALIZER(all_clients);
struct options *server_session_options(void)
{
    return outside_session_options;
}
struct options *server_window_options(void)
{
    return outside_window_options;
}
bool server_is_shutting_down(void)
{
    return false;
}
void server_check_empty(void)
{
    outside_empty_checks++;
}
void redraw_session(struct session *s, unsigned what)
{
    (void)s, (void)what;
}
void redraw_window(struct window *w, unsigned what)
{
    (void)w, (void)what;
}
void resize_window_by_clients(struct window *w)
{
    (void)w;
}
void names_pane_changed(struct pane *p)
{
    (void)p;
}
void alerts_seen(struct winlink *wl)
{
    wl->alerts = 0;
}
struct client *client_next_in_session(struct session *s, struct client *prev)
{
    (void)s, (void)prev;
    return NULL;
}
void clients_leave_session(struct session *s, struct session *to)
{
    (void)s;
    outside_left++;
    outside_left_to = to;
}
void pane_resize(struct pane *p, unsigned cols, unsigned rows)
{
    p->cols = cols;
    p->rows = rows;
}

// As pane.c does it, without a program and a terminal.
void pane_end(struct pane *p)
{
    struct window *w = p->window;
    outside_panes_ended++;
    if (w->is_zoomed)
        window_unzoom(w);
    if (p->is_in_last)
        TAILQ_REMOVE(&w->last_panes, p, in_last);
    if (w->active == p)
        w->active = NULL;
    layout_close(p);
    TAILQ_REMOVE(&w->panes, p, entry);
    free(p);
}

static struct pane *outside_pane(struct window *w)
{
    struct pane *p = xcalloc(1, sizeof *p);
    p->id = outside_next_pane++;
    p->window = w;
    p->cols = w->cols;
    p->rows = w->rows;
    TAILQ_INSERT_TAIL(&w->panes, p, entry);
    if (w->active == NULL)
        w->active = p;
    return p;
}

static struct window *outside_window(void)
{
    struct window *w = window_new(80, 24);
    layout_init(w, outside_pane(w));
    return w;
}

static void outside_begin(void)
{
    outside_session_options = options_new(NULL);
    options_set_defaults(outside_session_options, SCOPE_SESSION);
    outside_window_options = options_new(NULL);
    options_set_defaults(outside_window_options, SCOPE_WINDOW);
    outside_empty_checks = outside_panes_ended = outside_left = 0;
}

static void outside_end(void)
{
    while (!TAILQ_EMPTY(&all_sessions))
        session_destroy(TAILQ_FIRST(&all_sessions));
    while (!TAILQ_EMPTY(&all_windows))
        window_kill(TAILQ_FIRST(&all_windows));
    options_free(outside_session_options);
    options_free(outside_window_options);
}

#endif
