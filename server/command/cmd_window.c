// Windows: new-window, the select-window family, rename-window, kill-window, link-window,
// move-window, unlink-window, rotate-window, resize-window and list-windows.
#include "config.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "server/command/cmd_common.h"
#include "server/environ.h"
#include "server/options/options.h"
#include "server/push/push.h"

static const char new_window_line[] = "#{session_name}:#{window_index}.#{pane_index}";
static const char list_windows_line[] =
    "#{window_index}: #{window_name}#{window_raw_flags} (#{window_panes} panes) "
    "[#{window_width}x#{window_height}] [layout #{window_layout}] #{window_id}"
    "#{?window_active, (active),}";
static const char list_all_windows_line[] =
    "#{session_name}:#{window_index}: #{window_name}#{window_raw_flags} (#{window_panes} panes) "
    "[#{window_width}x#{window_height}] ";

// The index a window is to get in t's session by -t, -a and -b. -1: none free (said).
static int index_beside(const struct args *args, struct cmdq_item *item, const struct target *t)
{
    int index = t->index;

    if (args_has(args, 'a') || args_has(args, 'b')) {
        struct winlink *at = t->winlink != NULL ? t->winlink : t->session->current;
        index = session_shuffle_up(t->session, at, args_has(args, 'b'));
        if (index < 0)
            cmdq_error(item, "no free window index");
        return index;
    }
    if (index < 0) {
        index =
            session_next_index(t->session, (int)options_number(t->session->options, "base-index"));
        if (index < 0)
            cmdq_error(item, "no free window index");
    }
    return index;
}

// Links w at `index`. An index in use is an error, or with -k its window makes room. The place is
// taken by the new window before the old one goes, so that the session is never without one.
static struct winlink *link_at(struct session *s, struct window *w, int index, bool kills,
                               char **cause)
{
    struct winlink *there = winlink_by_index(s, index);

    if (there == NULL)
        return session_attach_window(s, w, index, cause);
    if (!kills) {
        *cause = xasprintf("index in use: %d", index);
        return NULL;
    }
    bool was_current = s->current == there;
    int spare = session_next_index(s, index + 1);
    struct winlink *wl = spare < 0 ? NULL : session_attach_window(s, w, spare, cause);
    if (wl == NULL) {
        if (spare < 0)
            *cause = xstrdup("no free window index");
        return NULL;
    }
    if (was_current)
        session_set_current(s, wl);
    session_detach_window(s, there);
    session_move_winlink(wl, index);
    return wl;
}

// Says that s's windows changed: its group follows, its clients draw.
static void windows_changed(struct session *s)
{
    struct session *other;

    session_group_sync(s);
    if (s->group == NULL) {
        redraw_session(s, REDRAW_STATUS);
        return;
    }
    TAILQ_FOREACH (other, &s->group->sessions, in_group)
        redraw_session(other, REDRAW_STATUS);
}

// -S: the window of that name. 1: it was shown, 0: none, -1: several (said).
static int select_by_name(struct cmdq_item *item, struct session *s, const char *name)
{
    struct winlink *wl, *found = NULL;

    TAILQ_FOREACH (wl, &s->winlinks, entry) {
        if (strcmp(wl->window->name, name) != 0)
            continue;
        if (found != NULL) {
            cmdq_error(item, "multiple windows named %s", name);
            return -1;
        }
        found = wl;
    }
    if (found == NULL)
        return 0;
    if (session_set_current(s, found))
        redraw_session(s, REDRAW_ALL);
    return 1;
}

enum command_result cmd_exec_NEW_WINDOW(const struct args *args, struct cmdq_item *item)
{
    struct target *t = cmdq_target(item);
    struct session *s = t->session;
    char *cause = NULL;
    char *name = args_has(args, 'n') ? cmdq_expand(item, args_get(args, 'n')) : NULL;

    if (args_has(args, 'S') && name != NULL && t->index < 0) {
        int found = select_by_name(item, s, name);
        if (found != 0) {
            free(name);
            return found < 0 ? COMMAND_ERROR : COMMAND_OK;
        }
    }
    int index = index_beside(args, item, t);
    if (index < 0) {
        free(name);
        return COMMAND_ERROR;
    }
    if (winlink_by_index(s, index) != NULL && !args_has(args, 'k')) {
        cmdq_error(item, "create window failed: index %d in use", index);
        free(name);
        return COMMAND_ERROR;
    }
    unsigned cols, rows;
    resize_default_size(cmdq_client(item), s, &cols, &rows);
    struct window *w = window_new(cols, rows);
    struct pane *p = pane_new(w, cols, rows);
    layout_init(w, p);
    window_set_active(w, p);
    struct winlink *wl = link_at(s, w, index, args_has(args, 'k'), &cause);
    if (wl == NULL) {
        cmdq_error(item, "create window failed: %s", cause);
        free(cause);
        window_kill(w);
        free(name);
        return COMMAND_ERROR;
    }
    if (name != NULL) {
        window_set_name(w, name);
        options_set_number(w->options, "automatic-rename", 0);
        free(name);
    }
    if (!args_has(args, 'd') || s->current == wl) {
        session_set_current(s, wl);
        redraw_session(s, REDRAW_ALL);
    }
    if (!args_has(args, 'd'))
        target_from_winlink(cmdq_current(item), wl);
    windows_changed(s);
    struct environ *env = cmd_extra_environ(args);
    char *cwd = cmd_start_dir(args, item, s);
    struct cmd_start start = {
        .pane = p,
        .session = s,
        .argv = args_count(args) != 0 ? args_rest(args, 0) : NULL,
        .cwd = cwd,
        .environ = env,
        .error_prefix = "create window failed: ",
    };
    if (args_has(args, 'P'))
        start.print_format = args_has(args, 'F') ? args_get(args, 'F') : new_window_line;
    enum command_result result = cmd_start_pane(item, &start);
    free(cwd);
    environ_free(env);
    return result;
}

// After the current window of s changed.
static enum command_result went(struct cmdq_item *item, struct session *s)
{
    target_from_session(cmdq_current(item), s);
    redraw_session(s, REDRAW_ALL);
    return COMMAND_OK;
}

static enum command_result go_next(struct cmdq_item *item, struct session *s, bool with_alert)
{
    if (!session_next(s, with_alert)) {
        cmdq_error(item, "no next window");
        return COMMAND_ERROR;
    }
    return went(item, s);
}

static enum command_result go_previous(struct cmdq_item *item, struct session *s, bool with_alert)
{
    if (!session_previous(s, with_alert)) {
        cmdq_error(item, "no previous window");
        return COMMAND_ERROR;
    }
    return went(item, s);
}

static enum command_result go_last(struct cmdq_item *item, struct session *s)
{
    if (!session_last(s)) {
        cmdq_error(item, "no last window");
        return COMMAND_ERROR;
    }
    return went(item, s);
}

enum command_result cmd_exec_SELECT_WINDOW(const struct args *args, struct cmdq_item *item)
{
    struct target *t = cmdq_target(item);
    struct session *s = t->session;

    if (args_has(args, 'n'))
        return go_next(item, s, false);
    if (args_has(args, 'p'))
        return go_previous(item, s, false);
    if (args_has(args, 'l'))
        return go_last(item, s);
    if (args_has(args, 'T') && t->winlink == s->current)
        return go_last(item, s);
    session_set_current(s, t->winlink);
    return went(item, s);
}

enum command_result cmd_exec_NEXT_WINDOW(const struct args *args, struct cmdq_item *item)
{
    return go_next(item, cmdq_target(item)->session, args_has(args, 'a'));
}

enum command_result cmd_exec_PREVIOUS_WINDOW(const struct args *args, struct cmdq_item *item)
{
    return go_previous(item, cmdq_target(item)->session, args_has(args, 'a'));
}

enum command_result cmd_exec_LAST_WINDOW(const struct args *args, struct cmdq_item *item)
{
    (void)args;
    return go_last(item, cmdq_target(item)->session);
}

enum command_result cmd_exec_RENAME_WINDOW(const struct args *args, struct cmdq_item *item)
{
    struct window *w = cmdq_target(item)->winlink->window;
    char *name = cmdq_expand(item, args_at(args, 0));

    window_set_name(w, name);
    options_set_number(w->options, "automatic-rename", 0);
    redraw_window(w, REDRAW_BORDERS);
    redraw_all(REDRAW_STATUS);
    free(name);
    return COMMAND_OK;
}

enum command_result cmd_exec_KILL_WINDOW(const struct args *args, struct cmdq_item *item)
{
    struct target *t = cmdq_target(item);
    struct session *s = t->session;

    if (!args_has(args, 'a')) {
        window_kill(t->winlink->window);
        return COMMAND_OK;
    }
    // A window linked twice in the session goes at the first link: look again after each.
    for (bool again = true; again;) {
        struct winlink *wl;
        again = false;
        TAILQ_FOREACH (wl, &s->winlinks, entry) {
            if (wl->window != t->winlink->window) {
                window_kill(wl->window);
                again = true;
                break;
            }
        }
    }
    return COMMAND_OK;
}

static enum command_result link_or_move(const struct args *args, struct cmdq_item *item, bool moves)
{
    struct target *dst = cmdq_target(item), src;
    char *cause = NULL;

    if (moves && args_has(args, 'r')) {
        session_renumber_winlinks(dst->session);
        return COMMAND_OK;
    }
    if (!cmd_find_source(args, 's', item, TARGET_WINDOW, 0, &src))
        return COMMAND_ERROR;
    if (src.session != dst->session &&
        ((src.session->group != NULL && src.session->group == dst->session->group) ||
         (!moves && dst->session->group != NULL) || (moves && src.session->group != NULL))) {
        cmdq_error(item, "sessions are grouped");
        return COMMAND_ERROR;
    }
    if (!moves && src.session->group != NULL && src.session->group == dst->session->group) {
        cmdq_error(item, "sessions are grouped");
        return COMMAND_ERROR;
    }
    struct window *w = src.winlink->window;
    bool beside = args_has(args, 'a') || args_has(args, 'b');
    if (!beside && dst->index >= 0 && src.session == dst->session &&
        dst->index == src.winlink->index) {
        cmdq_error(item, "same index: %d", dst->index);
        return COMMAND_ERROR;
    }
    int index = index_beside(args, item, dst);
    if (index < 0)
        return COMMAND_ERROR;
    struct session *from = src.session, *to = dst->session;
    struct winlink *wl, *in_place = winlink_by_index(to, index);
    if (in_place != NULL && in_place->window == w && from != to) {
        cmdq_error(item, "same index: %d", index);
        return COMMAND_ERROR;
    }
    if (moves && from == to) {
        wl = src.winlink;
        if (in_place != NULL && in_place != wl && args_has(args, 'k'))
            session_detach_window(to, in_place);
        if (!session_move_winlink(wl, index)) {
            cmdq_error(item, "index in use: %d", index);
            return COMMAND_ERROR;
        }
    } else if ((wl = link_at(to, w, index, args_has(args, 'k'), &cause)) == NULL) {
        return cmd_fail(item, cause);
    }
    if (!args_has(args, 'd'))
        session_set_current(to, wl);
    windows_changed(to);
    redraw_session(to, REDRAW_ALL);
    if (moves && from != to) {
        bool is_last = TAILQ_NEXT(TAILQ_FIRST(&from->winlinks), entry) == NULL;
        session_detach_window(from, src.winlink);
        if (!is_last) {
            windows_changed(from);
            redraw_session(from, REDRAW_ALL);
        }
    }
    return COMMAND_OK;
}

enum command_result cmd_exec_LINK_WINDOW(const struct args *args, struct cmdq_item *item)
{
    return link_or_move(args, item, false);
}

enum command_result cmd_exec_MOVE_WINDOW(const struct args *args, struct cmdq_item *item)
{
    return link_or_move(args, item, true);
}

enum command_result cmd_exec_UNLINK_WINDOW(const struct args *args, struct cmdq_item *item)
{
    struct target *t = cmdq_target(item);
    struct session *s = t->session;
    struct winlink *wl;
    unsigned n_links = 0, n_group = 1;

    TAILQ_FOREACH (wl, &t->winlink->window->winlinks, in_window)
        n_links++;
    if (s->group != NULL) {
        struct session *other;
        n_group = 0;
        TAILQ_FOREACH (other, &s->group->sessions, in_group)
            n_group++;
    }
    // All of a group count as one, for they always have the same windows.
    if (!args_has(args, 'k') && n_links <= n_group) {
        cmdq_error(item, "window only linked to one session");
        return COMMAND_ERROR;
    }
    bool is_only = TAILQ_NEXT(TAILQ_FIRST(&s->winlinks), entry) == NULL;
    session_detach_window(s, t->winlink);
    if (!is_only) {
        windows_changed(s);
        redraw_session(s, REDRAW_ALL);
    }
    return COMMAND_OK;
}

enum command_result cmd_exec_ROTATE_WINDOW(const struct args *args, struct cmdq_item *item)
{
    struct window *w = cmdq_target(item)->winlink->window;
    bool was_zoomed = w->is_zoomed;

    if (was_zoomed)
        window_unzoom(w);
    window_rotate(w, args_has(args, 'D'));
    if (was_zoomed && args_has(args, 'Z'))
        window_zoom(w, w->active);
    redraw_window(w, REDRAW_ALL);
    return COMMAND_OK;
}

enum command_result cmd_exec_RESIZE_WINDOW(const struct args *args, struct cmdq_item *item)
{
    struct window *w = cmdq_target(item)->winlink->window;
    long long cols = w->cols, rows = w->rows, adjust = 1;
    const char *why = NULL;
    char *cause = NULL;

    if (args_count(args) != 0 && !parse_number(args_at(args, 0), 1, INT_MAX, &adjust, &why)) {
        cmdq_error(item, "adjustment %s", why);
        return COMMAND_ERROR;
    }
    if (args_has(args, 'x') && !args_number(args, 'x', 1, 10000, &cols, &cause, "width"))
        return cmd_fail(item, cause);
    if (args_has(args, 'y') && !args_number(args, 'y', 1, 10000, &rows, &cause, "height"))
        return cmd_fail(item, cause);
    if (args_has(args, 'L'))
        cols -= adjust;
    else if (args_has(args, 'R'))
        cols += adjust;
    else if (args_has(args, 'U'))
        rows -= adjust;
    else if (args_has(args, 'D'))
        rows += adjust;
    if (args_has(args, 'A') || args_has(args, 'a')) {
        unsigned best_cols = 0, best_rows = 0;
        struct winlink *wl;
        TAILQ_FOREACH (wl, &w->winlinks, in_window) {
            struct client *c = NULL;
            while ((c = client_next_in_session(wl->session, c)) != NULL) {
                unsigned client_rows = c->rows > 1 ? c->rows : 1;
                unsigned status = (unsigned)status_rows(wl->session);
                client_rows = client_rows > status ? client_rows - status : 1;
                bool is_first = best_cols == 0;
                if (is_first || (args_has(args, 'A') ? c->cols > best_cols : c->cols < best_cols))
                    best_cols = c->cols;
                if (is_first ||
                    (args_has(args, 'A') ? client_rows > best_rows : client_rows < best_rows))
                    best_rows = client_rows;
            }
        }
        if (best_cols != 0) {
            cols = best_cols;
            rows = best_rows;
        }
    }
    cols = MAX_OF(1, MIN_OF(cols, 10000));
    rows = MAX_OF(1, MIN_OF(rows, 10000));
    options_set_string(w->options, "window-size", "manual");
    w->has_manual_size = true;
    w->manual_cols = (unsigned)cols;
    w->manual_rows = (unsigned)rows;
    resize_window_by_clients(w);
    redraw_window(w, REDRAW_ALL);
    return COMMAND_OK;
}

static void list_session_windows(struct cmdq_item *item, const struct args *args, struct session *s,
                                 const char *line)
{
    struct winlink *wl;

    TAILQ_FOREACH (wl, &s->winlinks, entry) {
        struct format_context ctx = {
            .client = cmdq_client(item),
            .session = s,
            .winlink = wl,
            .window = wl->window,
            .pane = wl->window->active,
        };
        cmd_print_filtered(item, &ctx, args_get(args, 'f'), line);
    }
}

enum command_result cmd_exec_LIST_WINDOWS(const struct args *args, struct cmdq_item *item)
{
    const char *line = args_get(args, 'F');

    if (!args_has(args, 'a')) {
        list_session_windows(item, args, cmdq_target(item)->session,
                             line != NULL ? line : list_windows_line);
        return COMMAND_OK;
    }
    struct session **list = cmd_sessions_by_name(NULL);
    for (size_t i = 0; list[i] != NULL; i++)
        list_session_windows(item, args, list[i], line != NULL ? line : list_all_windows_line);
    free(list);
    return COMMAND_OK;
}
