// Sessions: new-session, has-session, kill-session, rename-session, list-sessions, kill-server and
// start-server.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "server/command/cmd_common.h"
#include "server/environ.h"
#include "server/options/options.h"
#include "server/server.h"

#define GREETING_MS 10000

static const char list_sessions_line[] =
    "#{session_name}: #{session_windows} windows (created #{t:session_created})"
    "#{?session_grouped, (group #{session_group}),}#{?session_attached, (attached),}";

// A name that the target syntax would read as something else could never be named again. NULL: fit.
static const char *name_clash(const char *name)
{
    switch (*name) {
    case '=':
        return "'=' before a name asks for an exact match";
    case '$':
        return "'$' before a name means a session's number";
    case '@':
        return "'@' before a name means a window's number";
    case '%':
        return "'%' before a name means a pane's number";
    case '{':
        return "'{' before a name means a special target";
    case '~':
        return name[1] == '\0' ? "'~' means the marked pane" : NULL;
    default:
        return NULL;
    }
}

// The session name that `wanted` becomes, owned; NULL: refused, and the error was said.
static char *session_name_from(struct cmdq_item *item, const char *wanted)
{
    bool was_changed = false;
    char *name = session_check_name(wanted, &was_changed);

    if (name == NULL || *name == '\0') {
        free(name);
        return cmd_fail(item, xasprintf("invalid session: %s", wanted)), NULL;
    }
    const char *clash = name_clash(name);
    if (clash != NULL) {
        cmdq_error(item, "invalid session: %s (%s)", name, clash);
        free(name);
        return NULL;
    }
    if (was_changed) {
        char *shown = text_visible(wanted);
        cmd_note(item, xasprintf("session name %s is not possible, named %s", shown, name));
        free(shown);
    }
    return name;
}

// "80x24" or "-" (the client's). False: the error was said.
static bool size_flag(struct cmdq_item *item, const struct args *args, char flag, unsigned client,
                      unsigned *out)
{
    const char *what = flag == 'x' ? "width" : "height";
    const char *value = args_get(args, flag);
    long long n;
    char *cause = NULL;

    if (value == NULL)
        return true;
    if (strcmp(value, "-") == 0) {
        *out = client != 0 ? client : (flag == 'x' ? 80 : 24);
        return true;
    }
    if (!args_number(args, flag, 1, UINT16_MAX, &n, &cause, what)) {
        cmd_fail(item, cause);
        return false;
    }
    *out = (unsigned)n;
    return true;
}

struct after_start {
    bool is_detached;
    bool keeps_environ;
    char *flags;
};
static void after_start_free(void *arg)
{
    struct after_start *after = arg;

    free(after->flags);
    free(after);
}

// The first session that a new server shows to somebody who has no configuration: how to go on.
static void greet_once(struct client *c)
{
    static bool was_said;

    if (!was_said && !source_had_default_files())
        client_message(c, GREETING_MS, "amux " PACKAGE_VERSION " · C-b ? keys · C-b d detach");
    was_said = true;
}

// The new session has a running program, or its group's windows: show it.
static enum command_result show_new_session(struct cmdq_item *item, struct session *s, void *arg)
{
    const struct after_start *after = arg;

    if (after->is_detached || s == NULL)
        return COMMAND_OK;
    target_from_session(cmdq_current(item), s);
    struct cmd_attach how = {.keeps_environ = true, .flags = after->flags};
    enum command_result result = cmd_attach_client(item, s, &how);
    if (result == COMMAND_OK)
        greet_once(cmdq_client(item));
    return result;
}

// The name for a session of a group without -s: the group's, with the session's number.
static void name_after_group(struct session *s, const char *group)
{
    char *name;

    for (unsigned n = s->id;; n++) {
        name = xasprintf("%s-%u", group, n);
        if (session_by_name(name) == NULL)
            break;
        free(name);
    }
    session_rename(s, name);
    free(name);
}

struct new_session {
    char *name;                 // NULL: by number
    char *group_name;           // -t; NULL: none
    struct session *group_with; // a session to share windows with; NULL: a new group
    char *cwd;
    struct environ *environ;
    bool is_detached;
    unsigned cols, rows;
    bool has_size;
};

static void new_session_free(struct new_session *n)
{
    free(n->name);
    free(n->group_name);
    free(n->cwd);
    if (n->environ != NULL)
        environ_free(n->environ);
}

static bool find_group(const struct args *args, struct cmdq_item *item, struct new_session *n)
{
    const char *wanted = args_get(args, 't');
    struct session_group *group;
    struct target t;
    char *cause = NULL;

    if (wanted == NULL)
        return true;
    if (args_count(args) != 0 || args_has(args, 'n')) {
        cmdq_error(item, "command or window name given with target");
        return false;
    }
    if ((group = session_group_find(wanted)) != NULL) {
        n->group_name = xstrdup(group->name);
        n->group_with = TAILQ_FIRST(&group->sessions);
        return true;
    }
    if (target_find(&t, cmdq_current(item), cmdq_client(item), wanted, TARGET_SESSION, 0, &cause)) {
        n->group_with = t.session;
        n->group_name =
            xstrdup(t.session->group != NULL ? t.session->group->name : t.session->name);
        return true;
    }
    free(cause);
    n->group_name = session_name_from(item, wanted);
    return n->group_name != NULL;
}

static bool find_sizes(const struct args *args, struct cmdq_item *item, struct new_session *n)
{
    struct client *c = cmdq_client(item);
    unsigned wanted_cols = 0, wanted_rows = 0;

    if (!size_flag(item, args, 'x', c != NULL ? c->cols : 0, &wanted_cols) ||
        !size_flag(item, args, 'y', c != NULL ? c->rows : 0, &wanted_rows))
        return false;
    resize_default_size(n->is_detached ? NULL : c, NULL, &n->cols, &n->rows);
    n->has_size = wanted_cols != 0 || wanted_rows != 0;
    if (n->is_detached) {
        n->cols = wanted_cols != 0 ? wanted_cols : n->cols;
        n->rows = wanted_rows != 0 ? wanted_rows : n->rows;
    }
    if (n->has_size) {
        // What default-size of the new session says.
        n->cols = wanted_cols != 0 ? wanted_cols : n->cols;
        n->rows = wanted_rows != 0 ? wanted_rows : n->rows;
    }
    return true;
}

static struct session *make_session(struct new_session *n)
{
    struct options *options = options_new(server_session_options());

    if (n->has_size) {
        char *size = xasprintf("%ux%u", n->cols, n->rows);
        options_set_string(options, "default-size", size);
        free(size);
    }
    struct session *s = session_new(n->name, n->cwd, n->environ, options);
    n->environ = NULL;
    return s;
}

// Shares the windows of the group, if it has any. False: it has none yet.
static bool join_group(struct session *s, struct new_session *n)
{
    struct session_group *group = session_group_find(n->group_name);

    if (n->name == NULL)
        name_after_group(s, n->group_name);
    if (group == NULL)
        group = session_group_new(n->group_name);
    if (n->group_with != NULL && n->group_with->group == NULL)
        session_group_add(group, n->group_with);
    session_group_add(group, s);
    if (n->group_with == NULL)
        return false;
    session_group_sync(n->group_with);
    if (s->current == NULL)
        session_set_current(s, TAILQ_FIRST(&s->winlinks));
    return s->current != NULL;
}

static enum command_result start_first_window(struct session *s, const struct args *args,
                                              struct cmdq_item *item, struct new_session *n,
                                              struct after_start *after)
{
    int base = (int)options_number(s->options, "base-index");
    struct window *w = window_new(n->cols, n->rows);
    struct pane *p = pane_new(w, n->cols, n->rows);
    char *cause = NULL;

    layout_init(w, p);
    window_set_active(w, p);
    struct winlink *wl = session_attach_window(s, w, session_next_index(s, base), &cause);
    if (wl == NULL) {
        window_kill(w);
        session_destroy(s);
        after_start_free(after);
        return cmd_fail(item, cause);
    }
    session_set_current(s, wl);
    session_group_sync(s);
    if (args_has(args, 'n')) {
        char *name = cmdq_expand(item, args_get(args, 'n'));
        window_set_name(w, name);
        options_set_number(w->options, "automatic-rename", 0);
        free(name);
    }
    struct cmd_start start = {
        .pane = p,
        .session = s,
        .argv = args_count(args) != 0 ? args_rest(args, 0) : NULL,
        .cwd = n->cwd,
        .error_prefix = "create window failed: ",
        .started = show_new_session,
        .free_fn = after_start_free,
        .arg = after,
    };
    if (args_has(args, 'P'))
        start.print_format = args_has(args, 'F') ? args_get(args, 'F') : "#{session_name}:";
    return cmd_start_pane(item, &start);
}

// -A: the session is there, so it is shown.
static enum command_result attach_existing(struct session *s, const struct args *args,
                                           struct cmdq_item *item)
{
    struct client *c = cmdq_client(item);
    char *cause;

    if (c == NULL)
        return COMMAND_OK;
    if ((cause = cmd_attach_refusal(c)) != NULL)
        return cmd_fail(item, cause);
    struct cmd_attach how = {
        .detaches_others = args_has(args, 'D'),
        .kills_others = args_has(args, 'X'),
        .keeps_environ = args_has(args, 'E'),
        .flags = args_get(args, 'f'),
        .cwd = args_get(args, 'c'),
    };
    return cmd_attach_client(item, s, &how);
}

enum command_result cmd_exec_NEW_SESSION(const struct args *args, struct cmdq_item *item)
{
    struct client *c = cmdq_client(item);
    struct new_session n = {.is_detached = args_has(args, 'd') || c == NULL};
    char *cause;

    if (args_has(args, 's')) {
        char *wanted = cmdq_expand(item, args_get(args, 's'));
        n.name = session_name_from(item, wanted);
        free(wanted);
        if (n.name == NULL)
            return COMMAND_ERROR;
        struct session *there = session_by_name(n.name);
        if (there != NULL) {
            enum command_result result = COMMAND_ERROR;
            if (args_has(args, 'A'))
                result = attach_existing(there, args, item);
            else
                cmdq_error(item, "duplicate session: %s", n.name);
            new_session_free(&n);
            return result;
        }
    }
    if (!find_group(args, item, &n))
        goto fail;
    if (!n.is_detached && (cause = cmd_attach_refusal(c)) != NULL) {
        cmd_fail(item, cause);
        goto fail;
    }
    if (!find_sizes(args, item, &n))
        goto fail;
    n.cwd = cmd_start_dir(args, item, NULL);

    // The client's variables first, so that -e wins.
    struct environ *extra = cmd_extra_environ(args);
    n.environ = environ_new();
    struct session *s = make_session(&n);
    if (c != NULL && !args_has(args, 'E'))
        cmd_update_environ(c, s);
    environ_copy(extra, s->environ);
    environ_free(extra);

    struct after_start *after = xcalloc(1, sizeof *after);
    after->is_detached = n.is_detached;
    after->flags = args_has(args, 'f') ? xstrdup(args_get(args, 'f')) : NULL;
    enum command_result result;
    if (n.group_name != NULL && join_group(s, &n)) {
        result = show_new_session(item, s, after);
        after_start_free(after);
        if (result == COMMAND_OK && args_has(args, 'P'))
            cmd_print_over(item, args_has(args, 'F') ? args_get(args, 'F') : "#{session_name}:", s,
                           s->current, NULL);
    } else {
        result = start_first_window(s, args, item, &n, after);
    }
    new_session_free(&n);
    return result;

fail:
    new_session_free(&n);
    return COMMAND_ERROR;
}

enum command_result cmd_exec_HAS_SESSION(const struct args *args, struct cmdq_item *item)
{
    (void)args;
    (void)item;
    return COMMAND_OK; // a target that is not there was an error before
}

enum command_result cmd_exec_KILL_SESSION(const struct args *args, struct cmdq_item *item)
{
    struct session *s = cmdq_target(item)->session, *other;
    struct winlink *wl;

    if (args_has(args, 'C')) {
        TAILQ_FOREACH (wl, &s->winlinks, entry)
            alerts_seen(wl);
        redraw_session(s, REDRAW_STATUS);
    } else if (args_has(args, 'a')) {
        // From the start after each: the end of one may end others (destroy-unattached).
        for (other = TAILQ_FIRST(&all_sessions); other != NULL;) {
            struct session *next = TAILQ_NEXT(other, entry);
            if (other == s) {
                other = next;
                continue;
            }
            session_destroy(other);
            other = TAILQ_FIRST(&all_sessions);
        }
    } else {
        session_destroy(s);
    }
    return COMMAND_OK;
}

enum command_result cmd_exec_RENAME_SESSION(const struct args *args, struct cmdq_item *item)
{
    struct session *s = cmdq_target(item)->session;
    char *wanted = cmdq_expand(item, args_at(args, 0));
    char *name = session_name_from(item, wanted);

    free(wanted);
    if (name == NULL)
        return COMMAND_ERROR;
    if (strcmp(name, s->name) != 0) {
        if (session_by_name(name) != NULL) {
            cmdq_error(item, "duplicate session: %s", name);
            free(name);
            return COMMAND_ERROR;
        }
        session_rename(s, name);
        redraw_all(REDRAW_STATUS);
    }
    free(name);
    return COMMAND_OK;
}

enum command_result cmd_exec_LIST_SESSIONS(const struct args *args, struct cmdq_item *item)
{
    const char *line = args_has(args, 'F') ? args_get(args, 'F') : list_sessions_line;
    struct session **list = cmd_sessions_by_name(NULL);

    for (size_t i = 0; list[i] != NULL; i++) {
        struct winlink *wl = list[i]->current;
        struct format_context ctx = {
            .client = cmdq_client(item),
            .session = list[i],
            .winlink = wl,
            .window = wl != NULL ? wl->window : NULL,
            .pane = wl != NULL ? wl->window->active : NULL,
        };
        cmd_print_filtered(item, &ctx, args_get(args, 'f'), line);
    }
    free(list);
    return COMMAND_OK;
}

enum command_result cmd_exec_KILL_SERVER(const struct args *args, struct cmdq_item *item)
{
    (void)args;
    (void)item;
    server_shut_down();
    return COMMAND_STOP;
}

enum command_result cmd_exec_START_SERVER(const struct args *args, struct cmdq_item *item)
{
    (void)args;
    (void)item;
    return COMMAND_OK; // it runs, or this would not
}
