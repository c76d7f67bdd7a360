// Clients and sessions: attach-session, switch-client, detach-client, suspend-client and
// refresh-client.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "server/command/cmd_common.h"
#include "server/environ.h"
#include "server/options/options.h"
#include "server/push/push.h"
#include "server/server.h"

// A client that runs inside a pane.
static char *nested_refusal(const struct client *c)
{
    if (c->is_attached || !(c->hello_flags & HELLO_NESTED))
        return NULL;
    return xstrdup("sessions should be nested with care, unset $AMUX to force");
}

char *cmd_attach_refusal(struct client *c)
{
    char *nested = nested_refusal(c);

    if (c->is_attached || nested != NULL)
        return nested;
    if (!(c->hello_flags & HELLO_HAS_TERMINAL))
        return xstrdup("open terminal failed: not a terminal");
    if (c->terminal_cause != NULL && *c->terminal_cause != '\0')
        return xasprintf("open terminal failed: %s", c->terminal_cause);
    return NULL;
}

void cmd_update_environ(struct client *c, struct session *s)
{
    size_t n = options_array_len(s->options, "update-environment");
    const char **patterns = xcalloc(n + 1, sizeof *patterns);

    for (size_t i = 0; i < n; i++)
        patterns[i] = options_array_at(s->options, "update-environment", i, NULL);
    if (c->environ != NULL)
        environ_update(patterns, c->environ, s->environ);
    free(patterns);
}

// "read-only,!ignore-size": a word after '!' is switched off. Words of other versions are let be.
static void apply_client_flags(struct client *c, const char *flags)
{
    char *copy = xstrdup(flags), *rest = copy, *word;

    while ((word = strsep(&rest, ",")) != NULL) {
        bool is_on = *word != '!';
        if (!is_on)
            word++;
        if (strcmp(word, "read-only") == 0)
            c->is_read_only = is_on;
        else if (strcmp(word, "ignore-size") == 0)
            c->ignores_size = is_on;
    }
    free(copy);
}

static void detach_others(struct session *s, const struct client *keep, enum detach_reason reason)
{
    struct client *c, *next;

    for (c = TAILQ_FIRST(&all_clients); c != NULL; c = next) {
        next = TAILQ_NEXT(c, entry);
        if (c != keep && c->is_attached && c->session == s)
            client_detach(c, reason, NULL);
    }
}

// A session shown inside one of its own panes draws itself without end, whatever was unset.
static bool shows_its_own_terminal(const struct client *c, const struct session *s)
{
    const struct winlink *wl;
    const struct pane *p;

    if (c->tty == NULL || *c->tty == '\0')
        return false;
    TAILQ_FOREACH (wl, &s->winlinks, entry) {
        TAILQ_FOREACH (p, &wl->window->panes, entry) {
            if (p->tty[0] != '\0' && strcmp(p->tty, c->tty) == 0)
                return true;
        }
    }
    return false;
}

enum command_result cmd_attach_client(struct cmdq_item *item, struct session *s,
                                      const struct cmd_attach *how)
{
    struct client *c = cmdq_client(item);

    if (c == NULL)
        return COMMAND_OK;
    if (!c->is_attached && shows_its_own_terminal(c, s)) {
        cmdq_error(item, "this terminal is a pane of session %s, which cannot be shown in itself",
                   s->name);
        return COMMAND_ERROR;
    }
    if (how->cwd != NULL) {
        char *expanded = cmdq_expand(item, how->cwd);
        char *path = cmd_path_from(cmd_client_dir(item, s), expanded);
        free(expanded);
        free(s->cwd);
        s->cwd = path;
    }
    if (how->is_read_only) {
        c->is_read_only = true;
        c->ignores_size = true;
    }
    if (how->flags != NULL)
        apply_client_flags(c, how->flags);
    if (how->detaches_others || how->kills_others)
        detach_others(s, c, how->kills_others ? DETACH_HUP : DETACH_DETACHED);
    if (!how->keeps_environ)
        cmd_update_environ(c, s);
    if (c->is_attached)
        client_set_session(c, s);
    else
        client_attach(c, s);
    return COMMAND_OK;
}

// -t of attach-session and switch-client may name a session alone, or a window or pane in it.
static bool names_a_pane(const char *name)
{
    return name != NULL && (name[strcspn(name, ":.")] != '\0' || *name == '%' || *name == '@' ||
                            strcmp(name, "=") == 0);
}

static void go_to_target(struct cmdq_item *item, const struct target *t)
{
    *cmdq_current(item) = *t;
    if (t->winlink == NULL)
        return;
    session_set_current(t->session, t->winlink);
    if (t->pane != NULL && window_set_active(t->winlink->window, t->pane))
        redraw_window(t->winlink->window, REDRAW_BORDERS);
    redraw_session(t->session, REDRAW_ALL);
}

enum command_result cmd_exec_ATTACH_SESSION(const struct args *args, struct cmdq_item *item)
{
    struct client *c = cmdq_client(item);
    const char *name = args_get(args, 't');
    struct target t;
    char *cause = NULL;

    if (TAILQ_EMPTY(&all_sessions)) {
        cmdq_error(item, "no sessions");
        return COMMAND_ERROR;
    }
    if (c == NULL)
        return COMMAND_OK;
    if ((cause = nested_refusal(c)) != NULL)
        return cmd_fail(item, cause);
    bool is_pane = names_a_pane(name);
    if (!target_find(&t, cmdq_current(item), c, name, is_pane ? TARGET_PANE : TARGET_SESSION,
                     is_pane ? 0 : TARGET_PREFER_UNATTACHED, &cause))
        return cmd_fail(item, cause);
    if ((cause = cmd_attach_refusal(c)) != NULL)
        return cmd_fail(item, cause);
    struct cmd_attach how = {
        .detaches_others = args_has(args, 'd'),
        .kills_others = args_has(args, 'x'),
        .is_read_only = args_has(args, 'r'),
        .keeps_environ = args_has(args, 'E'),
        .flags = args_get(args, 'f'),
        .cwd = args_get(args, 'c'),
    };
    target_from_session(cmdq_current(item), t.session);
    if (is_pane)
        go_to_target(item, &t);
    return cmd_attach_client(item, t.session, &how);
}

// The session before or after c's in the order of their names; NULL: there is no other.
static struct session *session_beside(const struct client *c, bool is_next)
{
    size_t n;
    struct session **list = cmd_sessions_by_name(&n), *found = NULL;

    for (size_t i = 0; i < n; i++) {
        if (list[i] == c->session)
            found = list[is_next ? (i + 1) % n : (i + n - 1) % n];
    }
    free(list);
    return found == c->session ? NULL : found;
}

enum command_result cmd_exec_SWITCH_CLIENT(const struct args *args, struct cmdq_item *item)
{
    struct client *c = cmd_need_client(item);
    const char *name = args_get(args, 't');
    struct target t;
    struct session *s;
    char *cause = NULL;

    if (c == NULL)
        return COMMAND_ERROR;
    if (args_has(args, 'r')) {
        c->is_read_only = !c->is_read_only;
        c->ignores_size = c->is_read_only;
        resize_window_by_clients(NULL);
        client_redraw(c, REDRAW_STATUS);
    }
    if (args_has(args, 'T')) {
        const char *table = args_get(args, 'T');
        if (key_table_get(table, false) == NULL) {
            cmdq_error(item, "table %s doesn't exist", table);
            return COMMAND_ERROR;
        }
        input_set_table(c, table);
        client_redraw(c, REDRAW_STATUS);
        if (name == NULL && !args_has(args, 'n') && !args_has(args, 'p') && !args_has(args, 'l'))
            return COMMAND_OK;
    }
    if (args_has(args, 'n') || args_has(args, 'p')) {
        bool is_next = args_has(args, 'n');
        if ((s = session_beside(c, is_next)) == NULL) {
            cmdq_error(item, "can't find %s session", is_next ? "next" : "previous");
            return COMMAND_ERROR;
        }
    } else if (args_has(args, 'l')) {
        s = c->last_session;
        if (s == NULL || s->is_destroyed) {
            cmdq_error(item, "can't find last session");
            return COMMAND_ERROR;
        }
    } else {
        if (name == NULL && args_has(args, 'r'))
            return COMMAND_OK;
        bool is_pane = names_a_pane(name);
        if (!target_find(&t, cmdq_current(item), cmdq_client(item), name,
                         is_pane ? TARGET_PANE : TARGET_SESSION,
                         is_pane ? 0 : TARGET_PREFER_UNATTACHED, &cause))
            return cmd_fail(item, cause);
        s = t.session;
        if (is_pane && t.winlink != NULL) {
            struct window *w = t.winlink->window;
            bool was_zoomed = w->is_zoomed;
            if (t.pane != NULL && t.pane != w->active && was_zoomed)
                window_unzoom(w);
            go_to_target(item, &t);
            if (args_has(args, 'Z') && was_zoomed && !w->is_zoomed)
                window_zoom(w, w->active);
        }
    }
    if (!args_has(args, 'E'))
        cmd_update_environ(c, s);
    client_set_session(c, s);
    return COMMAND_OK;
}

enum command_result cmd_exec_DETACH_CLIENT(const struct args *args, struct cmdq_item *item)
{
    enum detach_reason reason = args_has(args, 'P') ? DETACH_HUP : DETACH_DETACHED;
    const char *exec = args_get(args, 'E');
    struct client *c, *next, *target = NULL;
    struct session *only = NULL;

    if (args_has(args, 's')) {
        struct target t;
        if (!cmd_find_source(args, 's', item, TARGET_SESSION, 0, &t))
            return COMMAND_ERROR;
        only = t.session;
    } else if ((target = cmd_need_client(item)) == NULL) {
        return COMMAND_ERROR;
    } else if (!args_has(args, 'a')) {
        client_detach(target, reason, exec);
        return COMMAND_STOP;
    }
    for (c = TAILQ_FIRST(&all_clients); c != NULL; c = next) {
        next = TAILQ_NEXT(c, entry);
        if (c->is_attached && c != target && (only == NULL || c->session == only))
            client_detach(c, reason, exec);
    }
    return only != NULL ? COMMAND_STOP : COMMAND_OK;
}

enum command_result cmd_exec_SUSPEND_CLIENT(const struct args *args, struct cmdq_item *item)
{
    struct client *c = cmd_need_client(item);

    (void)args;
    if (c == NULL)
        return COMMAND_ERROR;
    client_suspend(c);
    return COMMAND_OK;
}

enum command_result cmd_exec_REFRESH_CLIENT(const struct args *args, struct cmdq_item *item)
{
    static const struct {
        char flag;
        int cols, rows;
    } pans[] = {{'L', -1, 0}, {'R', 1, 0}, {'U', 0, -1}, {'D', 0, 1}};
    struct client *c = cmd_need_client(item);
    long long adjust = 1;
    const char *why = NULL;

    if (c == NULL)
        return COMMAND_ERROR;
    if (args_has(args, 'f')) {
        apply_client_flags(c, args_get(args, 'f'));
        resize_window_by_clients(NULL);
    }
    if (args_has(args, 'c')) {
        frame_pan_stop(c);
        return COMMAND_OK;
    }
    for (size_t i = 0; i < ARRAY_LEN(pans); i++) {
        if (!args_has(args, pans[i].flag))
            continue;
        if (args_count(args) != 0 && !parse_number(args_at(args, 0), 1, INT16_MAX, &adjust, &why)) {
            cmdq_error(item, "adjustment %s", why);
            return COMMAND_ERROR;
        }
        frame_pan(c, pans[i].cols * (int)adjust, pans[i].rows * (int)adjust);
        return COMMAND_OK;
    }
    if (args_has(args, 'S'))
        client_redraw(c, REDRAW_STATUS);
    else
        frame_refresh(c);
    return COMMAND_OK;
}
