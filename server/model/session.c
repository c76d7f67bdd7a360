// Sessions, the windows linked into them, and groups of sessions that share their windows.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "server/environ.h"
#include "server/model/client.h"
#include "server/model/internal.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/server.h"

struct sessions all_sessions = TAILQ_HEAD_INITIALIZER(all_sessions);
static TAILQ_HEAD(, session_group) all_groups = TAILQ_HEAD_INITIALIZER(all_groups);
static unsigned next_session_id;

// --- names

char *session_check_name(const char *name, bool *was_changed)
{
    *was_changed = false;
    if (*name == '\0')
        return NULL;
    char *copy = xstrdup(name);
    for (char *s = copy; *s != '\0'; s++)
        if (*s == ':' || *s == '.')
            *s = '_';
    char *fit = text_visible(copy);
    free(copy);
    *was_changed = strcmp(fit, name) != 0;
    return fit;
}

struct session *session_by_id(unsigned id)
{
    struct session *s;
    TAILQ_FOREACH(s, &all_sessions, entry)
        if (s->id == id)
            return s;
    return NULL;
}

struct session *session_by_name(const char *name)
{
    struct session *s;
    TAILQ_FOREACH(s, &all_sessions, entry)
        if (strcmp(s->name, name) == 0)
            return s;
    return NULL;
}

// --- life

struct session *session_new(const char *name, const char *cwd, struct environ *env,
                            struct options *options)
{
    struct session *s = xcalloc(1, sizeof *s);
    TAILQ_INIT(&s->winlinks);
    TAILQ_INIT(&s->last_winlinks);
    s->cwd = xstrdup(cwd != NULL ? cwd : user_home());
    s->environ = env != NULL ? env : environ_new();
    s->options = options != NULL ? options : options_new(server_session_options());
    s->created_us = s->activity_us = clock_wall_us();
    s->id = next_session_id++;
    if (name != NULL) {
        s->name = xstrdup(name);
    } else {
        // The number, unless somebody gave it to a session as a name.
        s->name = xasprintf("%u", s->id);
        while (session_by_name(s->name) != NULL) {
            free(s->name);
            s->id = next_session_id++;
            s->name = xasprintf("%u", s->id);
        }
    }
    TAILQ_INSERT_TAIL(&all_sessions, s, entry);
    return s;
}

void session_rename(struct session *s, const char *name)
{
    free(s->name);
    s->name = xstrdup(name);
    redraw_session(s, REDRAW_STATUS);
}

void session_touch(struct session *s)
{
    s->activity_us = clock_wall_us();
}

// Where clients go when s is destroyed, by its detach-on-destroy; NULL: they are detached.
static struct session *session_successor(struct session *s)
{
    enum { DETACH_OFF, DETACH_ON, DETACH_NO_DETACHED, DETACH_PREVIOUS, DETACH_NEXT };
    long long policy = options_number(s->options, "detach-on-destroy");
    struct session *other, *best = NULL;
    if (server_is_shutting_down() || policy == DETACH_ON)
        return NULL;
    if (policy == DETACH_PREVIOUS) {
        other = TAILQ_PREV(s, sessions, entry);
        if (other == NULL)
            other = TAILQ_LAST(&all_sessions, sessions);
        return other == s ? NULL : other;
    }
    if (policy == DETACH_NEXT) {
        other = TAILQ_NEXT(s, entry);
        if (other == NULL)
            other = TAILQ_FIRST(&all_sessions);
        return other == s ? NULL : other;
    }
    TAILQ_FOREACH(other, &all_sessions, entry) {
        if (other == s || (policy == DETACH_NO_DETACHED && other->n_attached > 0))
            continue;
        if (best == NULL || other->activity_us > best->activity_us)
            best = other;
    }
    return best;
}

static void winlink_free(struct session *s, struct winlink *wl)
{
    if (wl->is_in_stack)
        TAILQ_REMOVE(&s->last_winlinks, wl, in_stack);
    TAILQ_REMOVE(&s->winlinks, wl, entry);
    TAILQ_REMOVE(&wl->window->winlinks, wl, in_window);
    struct window *w = wl->window;
    free(wl);
    if (TAILQ_EMPTY(&w->winlinks))
        window_unlinked(w);
}

void session_destroy(struct session *s)
{
    struct winlink *wl;
    struct client *c;
    if (s->is_destroyed)
        return;
    s->is_destroyed = true;
    clients_leave_session(s, session_successor(s));
    TAILQ_FOREACH(c, &all_clients, entry)
        if (c->last_session == s)
            c->last_session = NULL;
    TAILQ_REMOVE(&all_sessions, s, entry);
    session_group_remove(s);
    s->current = NULL;
    while ((wl = TAILQ_FIRST(&s->winlinks)) != NULL)
        winlink_free(s, wl);
    options_free(s->options);
    environ_free(s->environ);
    free(s->name);
    free(s->cwd);
    free(s);
    resize_window_by_clients(NULL);
    server_check_empty();
}

// --- windows of a session

struct winlink *winlink_by_index(const struct session *s, int index)
{
    struct winlink *wl;
    TAILQ_FOREACH(wl, &s->winlinks, entry)
        if (wl->index == index)
            return wl;
    return NULL;
}

struct winlink *winlink_by_window(const struct session *s, const struct window *w)
{
    struct winlink *wl;
    TAILQ_FOREACH(wl, &s->winlinks, entry)
        if (wl->window == w)
            return wl;
    return NULL;
}

int session_next_index(const struct session *s, int from)
{
    struct winlink *wl;
    int index = MAX_OF(from, 0);
    TAILQ_FOREACH(wl, &s->winlinks, entry) { // in the order of their indexes
        if (wl->index < index)
            continue;
        if (wl->index > index)
            break;
        if (index == INT32_MAX)
            return -1;
        index++;
    }
    return index;
}

static void winlink_insert(struct session *s, struct winlink *wl)
{
    struct winlink *at;
    TAILQ_FOREACH(at, &s->winlinks, entry)
        if (at->index > wl->index) {
            TAILQ_INSERT_BEFORE(at, wl, entry);
            return;
        }
    TAILQ_INSERT_TAIL(&s->winlinks, wl, entry);
}

static struct winlink *winlink_new(struct session *s, struct window *w, int index)
{
    struct winlink *wl = xcalloc(1, sizeof *wl);
    wl->index = index;
    wl->session = s;
    wl->window = w;
    winlink_insert(s, wl);
    TAILQ_INSERT_TAIL(&w->winlinks, wl, in_window);
    return wl;
}

struct winlink *session_attach_window(struct session *s, struct window *w, int index, char **cause)
{
    if (index < 0)
        index = session_next_index(s, (int)options_number(s->options, "base-index"));
    if (index < 0 || winlink_by_index(s, index) != NULL) {
        if (cause != NULL)
            *cause = xasprintf("index in use: %d", index);
        return NULL;
    }
    struct winlink *wl = winlink_new(s, w, index);
    if (s->current == NULL)
        session_set_current(s, wl);
    session_group_sync(s);
    resize_window_by_clients(w);
    redraw_session(s, REDRAW_STATUS);
    return wl;
}

// The window that comes up when the current one goes: the one current before, else a neighbour.
static struct winlink *winlink_successor(struct session *s, struct winlink *wl)
{
    struct winlink *next = TAILQ_FIRST(&s->last_winlinks);
    if (next == wl)
        next = TAILQ_NEXT(next, in_stack);
    if (next == NULL)
        next = TAILQ_PREV(wl, winlinks, entry);
    if (next == NULL) // round the end
        next = TAILQ_LAST(&s->winlinks, winlinks);
    return next == wl ? NULL : next;
}

// Takes wl out. False: it was the last and s has to go.
static bool detach_link(struct session *s, struct winlink *wl)
{
    if (s->current == wl) {
        struct winlink *next = winlink_successor(s, wl);
        if (next == NULL)
            return false;
        session_set_current(s, next);
    }
    winlink_free(s, wl);
    if (options_number(s->options, "renumber-windows"))
        session_renumber_winlinks(s);
    redraw_session(s, REDRAW_STATUS);
    return true;
}

void session_detach_window(struct session *s, struct winlink *wl)
{
    if (s->group == NULL) {
        if (!detach_link(s, wl))
            session_destroy(s);
        return;
    }
    // The sessions of a group hold the same windows: each loses it, at its own link.
    struct session_group *g = s->group;
    struct window *w = wl->window;
    unsigned id = w->id;
    struct session *other, *next;
    for (other = TAILQ_FIRST(&g->sessions); other != NULL; other = next) {
        next = TAILQ_NEXT(other, in_group);
        struct winlink *its = window_by_id(id) == w ? winlink_by_window(other, w) : NULL;
        if (its != NULL && !detach_link(other, its))
            session_destroy(other); // frees g with the last of them
    }
}

bool session_set_current(struct session *s, struct winlink *wl)
{
    if (wl == NULL || wl == s->current)
        return false;
    if (wl->is_in_stack) {
        TAILQ_REMOVE(&s->last_winlinks, wl, in_stack);
        wl->is_in_stack = false;
    }
    if (s->current != NULL && !s->current->is_in_stack) {
        TAILQ_INSERT_HEAD(&s->last_winlinks, s->current, in_stack);
        s->current->is_in_stack = true;
    }
    s->current = wl;
    alerts_seen(wl);
    wl->window->activity_us = clock_wall_us();
    // The client that looks at it now decides its size, if it is to follow the latest.
    struct client *c = NULL, *latest = NULL;
    while ((c = client_next_in_session(s, c)) != NULL)
        if (latest == NULL || c->activity_us > latest->activity_us)
            latest = c;
    if (latest != NULL)
        wl->window->latest = latest;
    resize_window_by_clients(wl->window);
    redraw_session(s, REDRAW_ALL);
    return true;
}

static bool session_step(struct session *s, bool is_forward, bool with_alert)
{
    struct winlink *wl = s->current;
    if (wl == NULL)
        return false;
    for (;;) {
        if (is_forward) {
            wl = TAILQ_NEXT(wl, entry);
            if (wl == NULL)
                wl = TAILQ_FIRST(&s->winlinks);
        } else {
            wl = TAILQ_PREV(wl, winlinks, entry);
            if (wl == NULL)
                wl = TAILQ_LAST(&s->winlinks, winlinks);
        }
        if (wl == s->current)
            return false;
        if (!with_alert || wl->alerts != 0)
            return session_set_current(s, wl);
    }
}

bool session_next(struct session *s, bool with_alert)
{
    return session_step(s, true, with_alert);
}

bool session_previous(struct session *s, bool with_alert)
{
    return session_step(s, false, with_alert);
}

bool session_last(struct session *s)
{
    return session_set_current(s, TAILQ_FIRST(&s->last_winlinks));
}

int session_shuffle_up(struct session *s, struct winlink *at, bool before)
{
    if (at == NULL || (!before && at->index == INT32_MAX))
        return -1;
    int index = before ? at->index : at->index + 1;
    // Those from there on move up by one, as far as they stand in a row.
    int free_at = session_next_index(s, index);
    if (free_at < 0)
        return -1;
    struct winlink *wl;
    TAILQ_FOREACH(wl, &s->winlinks, entry)
        if (wl->index >= index && wl->index < free_at)
            wl->index++;
    return index;
}

// --- groups

struct session_group *session_group_find(const char *name)
{
    struct session_group *g;
    TAILQ_FOREACH(g, &all_groups, entry)
        if (strcmp(g->name, name) == 0)
            return g;
    return NULL;
}

struct session_group *session_group_new(const char *name)
{
    struct session_group *g = session_group_find(name);
    if (g != NULL)
        return g;
    g = xcalloc(1, sizeof *g);
    g->name = xstrdup(name);
    TAILQ_INIT(&g->sessions);
    TAILQ_INSERT_TAIL(&all_groups, g, entry);
    return g;
}

void session_group_add(struct session_group *g, struct session *s)
{
    if (s->group == g)
        return;
    session_group_remove(s);
    s->group = g;
    TAILQ_INSERT_TAIL(&g->sessions, s, in_group);
}

void session_group_remove(struct session *s)
{
    struct session_group *g = s->group;
    if (g == NULL)
        return;
    s->group = NULL;
    TAILQ_REMOVE(&g->sessions, s, in_group);
    if (TAILQ_EMPTY(&g->sessions)) {
        TAILQ_REMOVE(&all_groups, g, entry);
        free(g->name);
        free(g);
    }
}

// Gives `to` the windows of `from` at the same indexes, and keeps its current one and its stack of
// last ones where they are still there.
static void copy_windows(struct session *from, struct session *to)
{
    struct winlink *wl, *next, *twin;
    for (wl = TAILQ_FIRST(&from->winlinks); wl != NULL; wl = TAILQ_NEXT(wl, entry)) {
        twin = winlink_by_window(to, wl->window);
        if (twin == NULL) {
            winlink_new(to, wl->window, wl->index)->alerts = wl->alerts;
        } else if (twin->index != wl->index) {
            TAILQ_REMOVE(&to->winlinks, twin, entry);
            twin->index = wl->index;
            winlink_insert(to, twin);
        }
    }
    for (wl = TAILQ_FIRST(&to->winlinks); wl != NULL; wl = next) {
        next = TAILQ_NEXT(wl, entry);
        if (winlink_by_window(from, wl->window) != NULL)
            continue;
        if (to->current == wl) {
            struct winlink *successor = winlink_successor(to, wl);
            if (successor == NULL)
                continue;
            session_set_current(to, successor);
        }
        winlink_free(to, wl);
    }
    if (to->current == NULL && from->current != NULL)
        session_set_current(to, winlink_by_window(to, from->current->window));
    redraw_session(to, REDRAW_STATUS);
}

void session_group_sync(struct session *s)
{
    struct session *other;
    if (s->group == NULL)
        return;
    TAILQ_FOREACH(other, &s->group->sessions, in_group)
        if (other != s && !other->is_destroyed)
            copy_windows(s, other);
}
