// Targets that nobody named: what a command means for the client that ran it, and targets made from
// objects. Also which client a name or a session means.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "server/command/command.h"
#include "server/command/language.h"
#include "server/environ.h"
#include "server/model/client.h"
#include "server/model/model.h"
#include "server/server.h"

static const struct target nothing = {.index = -1};

void target_from_winlink(struct target *out, struct winlink *wl)
{
    *out = nothing;
    if (wl == NULL)
        return;
    out->session = wl->session;
    out->winlink = wl;
    out->window = wl->window;
    out->pane = wl->window->active;
}

void target_from_session(struct target *out, struct session *s)
{
    target_from_winlink(out, s->current);
    out->session = s;
}

static bool session_is_current(const struct session *s)
{
    const struct session *other;
    TAILQ_FOREACH(other, &all_sessions, entry) {
        if (other == s)
            return !s->is_destroyed && s->current != NULL;
    }
    return false;
}

// a is the better one to mean: used last, or (prefers_unattached) the one nobody looks at.
static bool session_is_better(const struct session *a, const struct session *b, bool prefers_unattached)
{
    if (b == NULL)
        return true;
    if (prefers_unattached && (a->n_attached == 0) != (b->n_attached == 0))
        return a->n_attached == 0;
    return a->activity_us > b->activity_us;
}

struct session *target_best_session(const struct window *w, bool prefers_unattached)
{
    struct session *s, *best = NULL;
    TAILQ_FOREACH(s, &all_sessions, entry) {
        if (s->is_destroyed || s->current == NULL || (w != NULL && winlink_by_window(s, w) == NULL))
            continue;
        if (session_is_better(s, best, prefers_unattached))
            best = s;
    }
    return best;
}

// The link through which a session is best seen to have w: its current one, if it is that.
static struct winlink *best_winlink(struct session *s, const struct window *w)
{
    return s->current != NULL && s->current->window == w ? s->current : winlink_by_window(s, w);
}

bool target_from_window(struct target *out, struct window *w)
{
    struct session *s = target_best_session(w, false);
    *out = nothing;
    if (s == NULL)
        return false;
    target_from_winlink(out, best_winlink(s, w));
    return true;
}

void target_from_pane(struct target *out, struct pane *p)
{
    if (!target_from_window(out, p->window)) {
        *out = nothing;
        out->window = p->window;
    }
    out->pane = p;
}

// The pane whose program this client was started in: by its terminal, else by AMUX_PANE, unless
// AMUX says that it is another server's.
static struct pane *client_inside_pane(const struct client *c)
{
    struct pane *p;
    if (c->tty != NULL && *c->tty != '\0') {
        TAILQ_FOREACH(p, &all_panes, all_entry) {
            if (strcmp(p->tty, c->tty) == 0)
                return p;
        }
    }
    if (c->environ == NULL)
        return NULL;
    const struct environ_entry *server = environ_find(c->environ, "AMUX");
    const struct environ_entry *pane = environ_find(c->environ, "AMUX_PANE");
    if (pane == NULL || pane->value == NULL || pane->value[0] != '%')
        return NULL;
    if (server != NULL && server->value != NULL) {
        size_t len = strcspn(server->value, ",");
        const char *path = server_socket_path();
        if (path != NULL && (strlen(path) != len || strncmp(path, server->value, len) != 0))
            return NULL;
    }
    long long id;
    const char *why;
    return parse_number(pane->value + 1, 0, UINT32_MAX, &id, &why) ? pane_by_id((unsigned)id) : NULL;
}

bool target_default(struct target *out, const struct client *c, bool prefers_unattached)
{
    *out = nothing;
    if (c != NULL && c->session != NULL && session_is_current(c->session)) {
        target_from_session(out, c->session);
        return true;
    }
    struct pane *p = c == NULL ? NULL : client_inside_pane(c);
    if (p != NULL && target_from_window(out, p->window)) {
        out->pane = p;
        return true;
    }
    struct session *s = target_best_session(NULL, prefers_unattached);
    if (s == NULL)
        return false;
    target_from_session(out, s);
    return true;
}

bool target_from_client(struct target *out, struct client *c, char **cause)
{
    if (target_default(out, c, false))
        return true;
    if (cause != NULL)
        *cause = xstrdup("no current target");
    return false;
}

bool target_is_valid(const struct target *t)
{
    const struct winlink *wl;
    const struct pane *p;

    if (t == NULL || t->session == NULL || !session_is_current(t->session))
        return false;
    if (t->winlink == NULL)
        return t->window == NULL && t->pane == NULL;
    TAILQ_FOREACH(wl, &t->session->winlinks, entry) {
        if (wl == t->winlink)
            break;
    }
    if (wl == NULL || wl->window != t->window)
        return false;
    if (t->pane == NULL)
        return true;
    TAILQ_FOREACH(p, &wl->window->panes, entry) {
        if (p == t->pane)
            return true;
    }
    return false;
}

// --- Clients

struct client *target_find_client(const char *name, char **cause)
{
    struct client *c;
    size_t len = strlen(name);

    if (len > 0 && name[len - 1] == ':')
        len--;
    TAILQ_FOREACH(c, &all_clients, entry) {
        if (c->session == NULL)
            continue;
        const char *names[] = {c->name, c->tty,
                               c->tty != NULL && strncmp(c->tty, "/dev/", 5) == 0 ? c->tty + 5 : NULL};
        for (size_t i = 0; i < ARRAY_LEN(names); i++) {
            if (names[i] != NULL && len > 0 && strlen(names[i]) == len && strncmp(names[i], name, len) == 0)
                return c;
        }
    }
    if (cause != NULL) {
        char *visible = text_visible(name);
        *cause = xasprintf("can't find client: %s", visible);
        free(visible);
    }
    return NULL;
}

// The client that was used last among those that show s (NULL: any session).
static struct client *most_recent_client(const struct session *s)
{
    struct client *c, *best = NULL;
    TAILQ_FOREACH(c, &all_clients, entry) {
        if (c->session == NULL || c->is_exiting || (s != NULL && c->session != s))
            continue;
        if (best == NULL || c->activity_us > best->activity_us)
            best = c;
    }
    return best;
}

struct client *target_best_client(struct client *c, const struct target *current)
{
    if (c != NULL && c->session != NULL)
        return c;
    struct client *best = NULL;
    if (current != NULL && current->session != NULL)
        best = most_recent_client(current->session);
    return best != NULL ? best : most_recent_client(NULL);
}
