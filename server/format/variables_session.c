// Variables of sessions and their groups.
#include "server/format/internal.h"

#include <stdlib.h>
#include <string.h>

#include "server/model/client.h"
#include "server/model/model.h"

static char *number(unsigned long long n)
{
    return xasprintf("%llu", n);
}

#define SESSION(st, s)                     \
    struct session *s = (st)->ctx.session; \
    (void)name;                            \
    if (s == NULL)                         \
        return NULL

static char *get_time(const struct format_state *st, const char *name)
{
    SESSION(st, s);
    int64_t us = strcmp(name, "session_created") == 0    ? s->created_us
                 : strcmp(name, "session_activity") == 0 ? s->activity_us
                                                         : s->last_attached_us;
    return us <= 0 ? NULL : xasprintf("%lld", (long long)(us / 1000000));
}

static char *get_alerts(const struct format_state *st, const char *name)
{
    SESSION(st, s);
    struct strbuf b = {0};
    struct winlink *wl;
    TAILQ_FOREACH(wl, &s->winlinks, entry) {
        if (wl->alerts == 0)
            continue;
        strbuf_addf(&b, "%s%d%s%s%s", b.len > 0 ? "," : "", wl->index,
                    wl->alerts & ALERT_ACTIVITY ? "#" : "", wl->alerts & ALERT_BELL ? "!" : "",
                    wl->alerts & ALERT_SILENCE ? "~" : "");
    }
    return strbuf_take(&b);
}

static unsigned add_clients(const struct session *s, struct strbuf *list)
{
    const struct client *c;
    unsigned n = 0;
    TAILQ_FOREACH(c, &all_clients, entry) {
        if (!c->is_attached || c->session != s)
            continue;
        strbuf_addf(list, "%s%s", list->len > 0 ? "," : "", c->name);
        n++;
    }
    return n;
}

static char *get_attached(const struct format_state *st, const char *name)
{
    SESSION(st, s);
    if (strcmp(name, "session_attached") == 0)
        return number(s->n_attached);
    if (strcmp(name, "session_many_attached") == 0)
        return format_bool(s->n_attached > 1);
    struct strbuf list = {0};
    add_clients(s, &list);
    return strbuf_take(&list);
}

static char *get_group(const struct format_state *st, const char *name)
{
    SESSION(st, s);
    const struct session_group *g = s->group;
    if (strcmp(name, "session_grouped") == 0)
        return format_bool(g != NULL);
    if (g == NULL)
        return NULL;
    if (strcmp(name, "session_group") == 0)
        return xstrdup(g->name);

    struct strbuf names = {0}, clients = {0};
    unsigned n_sessions = 0, n_attached = 0;
    const struct session *member;
    TAILQ_FOREACH(member, &g->sessions, in_group) {
        strbuf_addf(&names, "%s%s", n_sessions++ > 0 ? "," : "", member->name);
        n_attached += add_clients(member, &clients);
    }
    char *name_list = strbuf_take(&names), *client_list = strbuf_take(&clients), *result;
    if (strcmp(name, "session_group_list") == 0)
        result = xstrdup(name_list);
    else if (strcmp(name, "session_group_attached_list") == 0)
        result = xstrdup(client_list);
    else if (strcmp(name, "session_group_size") == 0)
        result = number(n_sessions);
    else if (strcmp(name, "session_group_attached") == 0)
        result = number(n_attached);
    else
        result = format_bool(n_attached > 1);
    free(name_list);
    free(client_list);
    return result;
}

static char *get_format(const struct format_state *st, const char *name)
{
    (void)name;
    return format_bool(st->type == FORMAT_OF_SESSION);
}

static char *get_id(const struct format_state *st, const char *name)
{
    SESSION(st, s);
    return xasprintf("$%u", s->id);
}

static char *get_marked(const struct format_state *st, const char *name)
{
    SESSION(st, s);
    return format_bool(marked_pane != NULL && winlink_by_window(s, marked_pane->window) != NULL);
}

static char *get_name(const struct format_state *st, const char *name)
{
    SESSION(st, s);
    return xstrdup(s->name);
}

static char *get_path(const struct format_state *st, const char *name)
{
    SESSION(st, s);
    return s->cwd == NULL ? NULL : xstrdup(s->cwd);
}

static char *get_stack(const struct format_state *st, const char *name)
{
    SESSION(st, s);
    struct strbuf b = {0};
    const struct winlink *wl;
    if (s->current != NULL)
        strbuf_addf(&b, "%d", s->current->index);
    TAILQ_FOREACH(wl, &s->last_winlinks, in_stack)
        strbuf_addf(&b, "%s%d", b.len > 0 ? "," : "", wl->index);
    return strbuf_take(&b);
}

static char *get_windows(const struct format_state *st, const char *name)
{
    SESSION(st, s);
    const struct winlink *wl;
    unsigned n = 0;
    TAILQ_FOREACH(wl, &s->winlinks, entry)
        n++;
    return number(n);
}

static char *get_window_index(const struct format_state *st, const char *name)
{
    SESSION(st, s);
    const struct winlink *wl;
    if (strcmp(name, "active_window_index") == 0)
        wl = s->current;
    else
        wl = TAILQ_LAST(&s->winlinks, winlinks);
    return wl == NULL ? NULL : xasprintf("%d", wl->index);
}

#define F VARIABLE_FOREIGN
const struct format_variable format_session_variables[] = {
    {"active_window_index", get_window_index, 0, "Number of the session's current window."},
    {"last_window_index", get_window_index, 0, "Number of the session's last window."},
    {"session_activity", get_time, 0, "When the session last had activity."},
    {"session_alerts", get_alerts, 0, "Numbers of the windows with alerts."},
    {"session_attached", get_attached, 0, "How many clients show the session."},
    {"session_attached_list", get_attached, F, "The clients that show the session."},
    {"session_created", get_time, 0, "When the session was made."},
    {"session_format", get_format, 0, "1 if the format is for a session."},
    {"session_group", get_group, F, "Name of the session's group."},
    {"session_group_attached", get_group, 0, "How many clients show sessions of the group."},
    {"session_group_attached_list", get_group, F, "The clients that show sessions of the group."},
    {"session_group_list", get_group, F, "The sessions of the group."},
    {"session_group_many_attached", get_group, 0, "1 if several clients show sessions of the group."},
    {"session_group_size", get_group, 0, "How many sessions the group has."},
    {"session_grouped", get_group, 0, "1 if the session is in a group."},
    {"session_id", get_id, 0, "Id of the session."},
    {"session_last_attached", get_time, 0, "When a client last began to show the session."},
    {"session_many_attached", get_attached, 0, "1 if several clients show the session."},
    {"session_marked", get_marked, 0, "1 if the session has the marked pane."},
    {"session_name", get_name, F, "Name of the session (alias #S)."},
    {"session_path", get_path, F, "Directory of the session."},
    {"session_stack", get_stack, 0, "Numbers of the windows, the latest current one first."},
    {"session_windows", get_windows, 0, "How many windows the session has."},
    {NULL, NULL, 0, NULL},
};
