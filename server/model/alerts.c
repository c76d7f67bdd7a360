// Alerts of windows: bell, activity, silence; marked on links that nobody looks at, and told to
// clients by bell-action and its like.
#include "config.h"

#include "server/model/client.h"
#include "server/model/internal.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/server.h"

// What the options of one kind of alert are called.
struct alert_kind {
    enum alert_flag flag;
    const char *action, *visual, *text;
};
static const struct alert_kind bell = {ALERT_BELL, "bell-action", "visual-bell", "Bell"};
static const struct alert_kind activity = {ALERT_ACTIVITY, "activity-action", "visual-activity",
                                           "Activity"};
static const struct alert_kind silence = {ALERT_SILENCE, "silence-action", "visual-silence",
                                          "Silence"};

static bool action_applies(const struct winlink *wl, const struct alert_kind *kind)
{
    enum { ACTION_NONE, ACTION_ANY, ACTION_CURRENT, ACTION_OTHER };
    bool is_current = wl == wl->session->current;
    switch (options_number(wl->session->options, kind->action)) {
    case ACTION_ANY:
        return true;
    case ACTION_CURRENT:
        return is_current;
    case ACTION_OTHER:
        return !is_current;
    default:
        return false;
    }
}

static void tell(struct winlink *wl, const struct alert_kind *kind, const struct pane *p)
{
    enum { VISUAL_OFF, VISUAL_ON, VISUAL_BOTH };
    long long visual = options_number(wl->session->options, kind->visual);
    struct client *c = NULL;
    struct msg_BELL m = {p != NULL ? p->id : 0};
    while ((c = client_next_in_session(wl->session, c)) != NULL) {
        if (!c->is_attached)
            continue;
        if (visual == VISUAL_OFF || visual == VISUAL_BOTH)
            peer_send(c->peer, MSG_BELL, &m);
        if (visual == VISUAL_OFF)
            continue;
        if (wl->session->current == wl)
            client_message(c, -1, "%s in current window", kind->text);
        else
            client_message(c, -1, "%s in window %d", kind->text, wl->index);
    }
}

static bool is_looked_at(const struct winlink *wl)
{
    return wl->session->current == wl && wl->session->n_attached > 0;
}

static void alert(struct window *w, const struct alert_kind *kind, const struct pane *p,
                  bool repeats)
{
    struct winlink *wl;
    w->alerts |= kind->flag;
    TAILQ_FOREACH(wl, &w->winlinks, in_window) {
        if (!repeats && (wl->alerts & kind->flag))
            continue;
        if (!is_looked_at(wl)) {
            wl->alerts |= kind->flag;
            redraw_session(wl->session, REDRAW_STATUS);
        }
        if (action_applies(wl, kind))
            tell(wl, kind, p);
    }
}

void alerts_bell(struct pane *p)
{
    if (options_number(p->window->options, "monitor-bell"))
        alert(p->window, &bell, p, true);
}

// --- silence: windows that said nothing for monitor-silence seconds

static struct job *silence_job;

static struct due silence_due(const void *state, int64_t now_us)
{
    const struct window *w;
    int64_t due = 0;
    (void)state, (void)now_us;
    TAILQ_FOREACH(w, &all_windows, entry)
        if (w->silence_due_us != 0 && (due == 0 || w->silence_due_us < due))
            due = w->silence_due_us;
    return due == 0 ? due_never() : due_at(due);
}

static void silence_run(void *state)
{
    struct window *w;
    (void)state;
    int64_t now = clock_monotonic_us();
    TAILQ_FOREACH(w, &all_windows, entry) {
        if (w->silence_due_us == 0 || w->silence_due_us > now)
            continue;
        // Output only moves its own time on: whether that has come is seen here.
        int64_t wait = options_number(w->options, "monitor-silence") * 1000000;
        int64_t quiet = clock_wall_us() - w->activity_us;
        if (wait == 0) {
            w->silence_due_us = 0;
        } else if (quiet < wait) {
            w->silence_due_us = now + (wait - MAX_OF(quiet, 0));
        } else {
            w->silence_due_us = 0;
            alert(w, &silence, w->active, false);
        }
    }
}

static const struct job_spec silence_spec = {"monitor-silence", silence_due, silence_run};

void alerts_watch_silence(struct window *w)
{
    int64_t wait = options_number(w->options, "monitor-silence") * 1000000;
    if (wait == 0) {
        w->silence_due_us = 0;
    } else if (w->silence_due_us == 0) {
        w->silence_due_us = clock_monotonic_us() + wait;
    } else {
        return;
    }
    if (silence_job == NULL)
        silence_job = job_add(server_jobs(), &silence_spec, NULL);
    else
        job_ask(silence_job);
}

void alerts_activity(struct pane *p)
{
    struct window *w = p->window;
    w->activity_us = p->activity_us;
    if (w->silence_due_us == 0 && options_number(w->options, "monitor-silence") != 0)
        alerts_watch_silence(w);
    if (options_number(w->options, "monitor-activity"))
        alert(w, &activity, p, false);
}

void alerts_seen(struct winlink *wl)
{
    struct winlink *other;
    if (wl->alerts == 0 && wl->window->alerts == 0)
        return;
    wl->alerts = 0;
    wl->window->alerts = 0;
    TAILQ_FOREACH(other, &wl->window->winlinks, in_window)
        wl->window->alerts |= other->alerts;
    redraw_session(wl->session, REDRAW_STATUS);
}
