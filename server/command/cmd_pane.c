// Panes: select-pane, last-pane, kill-pane, resize-pane, swap-pane and list-panes.
#include "config.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "server/command/cmd_common.h"
#include "server/mode/mode.h"
#include "server/options/options.h"
#include "server/push/push.h"

#define LIST_PANES_REST                                                                            \
    "#{pane_index}: [#{pane_width}x#{pane_height}] [history #{history_size}/#{history_limit}, "    \
    "#{history_bytes} bytes] #{pane_id}#{?pane_active, (active),}#{?pane_dead, (dead),}"

void cmd_push_zoom(struct window *w, struct pane_zoom *zoom)
{
    zoom->was_zoomed = w->is_zoomed;
    if (w->is_zoomed)
        window_unzoom(w);
}

void cmd_pop_zoom(struct window *w, const struct pane_zoom *zoom, bool keeps)
{
    if (zoom->was_zoomed && keeps && !w->is_zoomed && window_count_panes(w) > 1)
        window_zoom(w, w->active);
}

// Makes p its window's active pane. A zoomed window shows its active pane only, so going to another
// one unzooms; with keeps_zoom the other is zoomed instead.
static void go_to_pane(struct cmdq_item *item, struct winlink *wl, struct pane *p, bool keeps_zoom)
{
    struct window *w = wl->window;
    struct pane_zoom zoom;

    target_from_winlink(cmdq_current(item), wl);
    cmdq_current(item)->pane = p;
    if (p == w->active)
        return;
    cmd_push_zoom(w, &zoom);
    window_set_active(w, p);
    cmd_pop_zoom(w, &zoom, keeps_zoom);
    redraw_window(w, zoom.was_zoomed ? REDRAW_ALL : REDRAW_BORDERS | REDRAW_MODES);
    redraw_window(w, REDRAW_STATUS);
}

static enum command_result go_to_last(const struct args *args, struct cmdq_item *item)
{
    struct winlink *wl = cmdq_target(item)->winlink;
    struct pane *last = TAILQ_FIRST(&wl->window->last_panes);

    // With two panes and none left before, the other one is meant.
    if (last == NULL && window_count_panes(wl->window) == 2) {
        last = TAILQ_FIRST(&wl->window->panes);
        if (last == wl->window->active)
            last = TAILQ_NEXT(last, entry);
    }
    if (last == NULL) {
        cmdq_error(item, "no last pane");
        return COMMAND_ERROR;
    }
    if (args_has(args, 'e') || args_has(args, 'd'))
        last->is_input_off = args_has(args, 'd');
    else
        go_to_pane(item, wl, last, args_has(args, 'Z'));
    return COMMAND_OK;
}

enum command_result cmd_exec_LAST_PANE(const struct args *args, struct cmdq_item *item)
{
    return go_to_last(args, item);
}

static void mark_pane(struct pane *p)
{
    struct pane *before = marked_pane;

    marked_pane = p;
    if (before != NULL)
        redraw_window(before->window, REDRAW_BORDERS);
    if (p != NULL)
        redraw_window(p->window, REDRAW_BORDERS);
    redraw_all(REDRAW_STATUS);
}

static enum command_result set_pane_style(const struct args *args, struct cmdq_item *item,
                                          struct pane *p)
{
    char *cause = NULL;

    if (args_has(args, 'P')) {
        if (!options_set_text(p->options, "window-style", args_get(args, 'P'), 0, &cause))
            return cmd_fail(item, cause);
        if (!options_set_text(p->options, "window-active-style", args_get(args, 'P'), 0, &cause))
            return cmd_fail(item, cause);
        redraw_window(p->window, REDRAW_ALL);
    }
    if (args_has(args, 'g')) {
        char *style = options_get_text(p->options, "window-style", true);
        cmdq_print(item, "%s", style != NULL ? style : "default");
        free(style);
    }
    return COMMAND_OK;
}

enum command_result cmd_exec_SELECT_PANE(const struct args *args, struct cmdq_item *item)
{
    static const struct {
        char flag;
        enum layout_direction to;
    } directions[] = {{'L', TO_LEFT}, {'R', TO_RIGHT}, {'U', TO_UP}, {'D', TO_DOWN}};
    struct target *t = cmdq_target(item);
    struct winlink *wl = t->winlink;
    struct window *w = wl->window;
    struct pane *p = t->pane;

    if (args_has(args, 'l'))
        return go_to_last(args, item);
    if (args_has(args, 'm') || args_has(args, 'M')) {
        bool clears = args_has(args, 'M') || marked_pane == p;
        mark_pane(clears ? NULL : p);
        return COMMAND_OK;
    }
    if (args_has(args, 'P') || args_has(args, 'g'))
        return set_pane_style(args, item, p);
    for (size_t i = 0; i < ARRAY_LEN(directions); i++) {
        if (!args_has(args, directions[i].flag))
            continue;
        struct pane_zoom zoom;
        cmd_push_zoom(w, &zoom); // neighbours are those of the whole layout
        struct pane *beside = window_find_pane(w, p, directions[i].to);
        bool changes = beside != NULL && window_set_active(w, beside);
        cmd_pop_zoom(w, &zoom, args_has(args, 'Z') || !changes);
        target_from_winlink(cmdq_current(item), wl);
        if (changes) {
            redraw_window(w, zoom.was_zoomed ? REDRAW_ALL : REDRAW_BORDERS | REDRAW_MODES);
            redraw_window(w, REDRAW_STATUS);
        }
        return COMMAND_OK;
    }
    if (args_has(args, 'e') || args_has(args, 'd')) {
        p->is_input_off = args_has(args, 'd');
        return COMMAND_OK;
    }
    if (args_has(args, 'T')) {
        char *title = cmdq_expand(item, args_get(args, 'T'));
        char *shown = text_visible(title);
        free(title);
        free(p->title);
        p->title = shown;
        redraw_window(w, REDRAW_STATUS | REDRAW_BORDERS);
        return COMMAND_OK;
    }
    go_to_pane(item, wl, p, args_has(args, 'Z'));
    return COMMAND_OK;
}

enum command_result cmd_exec_KILL_PANE(const struct args *args, struct cmdq_item *item)
{
    struct target *t = cmdq_target(item);
    struct window *w = t->pane->window;
    struct pane *p, *next;

    if (!args_has(args, 'a')) {
        pane_kill(t->pane);
        return COMMAND_OK;
    }
    if (w->is_zoomed)
        window_unzoom(w);
    for (p = TAILQ_FIRST(&w->panes); p != NULL; p = next) {
        next = TAILQ_NEXT(p, entry);
        if (p != t->pane)
            pane_kill(p);
    }
    redraw_window(w, REDRAW_ALL);
    return COMMAND_OK;
}

// A border that is being dragged: the pane before it, and the column or row where the mouse was.
static struct {
    struct client *client;
    int64_t started_us; // when the button went down: tells one drag from the next
    unsigned pane_id;
    bool is_vertical;
    unsigned at;
} drag;

static enum command_result drag_border(struct cmdq_item *item)
{
    const struct key_event *ev = cmdq_key_event(item);
    struct client *c = cmdq_client(item);

    if (ev == NULL || !ev->is_mouse || c == NULL)
        return COMMAND_OK;
    if (drag.client != c || drag.started_us != c->last_click_us) {
        struct pane *before = NULL;
        bool is_vertical = false;
        if (!frame_is_border_at(c, c->last_click_x, c->last_click_y, &before, &is_vertical) ||
            before == NULL) {
            drag.client = NULL;
            return COMMAND_OK;
        }
        drag.client = c;
        drag.started_us = c->last_click_us;
        drag.pane_id = before->id;
        drag.is_vertical = is_vertical;
        drag.at = is_vertical ? c->last_click_x : c->last_click_y;
    }
    struct pane *p = pane_by_id(drag.pane_id);
    if (p == NULL || p->window->is_zoomed)
        return COMMAND_OK;
    unsigned now = drag.is_vertical ? ev->x : ev->y;
    int change = (int)now - (int)drag.at;
    if (change == 0)
        return COMMAND_OK;
    unsigned edge = drag.is_vertical ? p->x + p->cols : p->y + p->rows;
    layout_resize_pane(p, drag.is_vertical ? LAYOUT_LEFT_RIGHT : LAYOUT_TOP_BOTTOM, change);
    // What could not be moved is left for when the mouse comes back.
    unsigned new_edge = drag.is_vertical ? p->x + p->cols : p->y + p->rows;
    drag.at += new_edge - edge;
    redraw_window(p->window, REDRAW_ALL);
    return COMMAND_OK;
}

enum command_result cmd_exec_RESIZE_PANE(const struct args *args, struct cmdq_item *item)
{
    struct target *t = cmdq_target(item);
    struct pane *p = t->pane;
    struct window *w = p->window;
    long long n, adjust = 1;
    const char *why = NULL;
    char *cause = NULL;

    if (args_has(args, 'M'))
        return drag_border(item);
    if (args_has(args, 'Z')) {
        if (w->is_zoomed)
            window_unzoom(w);
        else
            window_zoom(w, p);
        redraw_window(w, REDRAW_ALL);
        redraw_window(w, REDRAW_STATUS);
        return COMMAND_OK;
    }
    if (w->is_zoomed)
        window_unzoom(w);
    if (args_count(args) != 0 && !parse_number(args_at(args, 0), 1, INT_MAX, &adjust, &why)) {
        cmdq_error(item, "adjustment %s", why);
        return COMMAND_ERROR;
    }
    adjust = MIN_OF(adjust, 100000);
    if (args_has(args, 'x')) {
        if (!args_percentage(args_get(args, 'x'), 0, INT_MAX, w->cols, &n, &cause, "width"))
            return cmd_fail(item, cause);
        layout_resize_pane_to(p, LAYOUT_LEFT_RIGHT, (unsigned)MIN_OF(n, 100000));
    }
    if (args_has(args, 'y')) {
        if (!args_percentage(args_get(args, 'y'), 0, INT_MAX, w->rows, &n, &cause, "height"))
            return cmd_fail(item, cause);
        layout_resize_pane_to(p, LAYOUT_TOP_BOTTOM, (unsigned)MIN_OF(n, 100000));
    }
    if (args_has(args, 'L'))
        layout_resize_pane(p, LAYOUT_LEFT_RIGHT, -(int)adjust);
    else if (args_has(args, 'R'))
        layout_resize_pane(p, LAYOUT_LEFT_RIGHT, (int)adjust);
    else if (args_has(args, 'U'))
        layout_resize_pane(p, LAYOUT_TOP_BOTTOM, -(int)adjust);
    else if (args_has(args, 'D'))
        layout_resize_pane(p, LAYOUT_TOP_BOTTOM, (int)adjust);
    redraw_window(w, REDRAW_ALL);
    return COMMAND_OK;
}

enum command_result cmd_exec_SWAP_PANE(const struct args *args, struct cmdq_item *item)
{
    struct target *dst = cmdq_target(item), src;
    struct pane *to = dst->pane, *from;
    struct window *w = dst->winlink->window;
    struct pane_zoom zoom, src_zoom = {false};

    if (args_has(args, 's')) {
        if (!cmd_find_source(args, 's', item, TARGET_PANE, 0, &src))
            return COMMAND_ERROR;
    } else if (args_has(args, 'U') || args_has(args, 'D')) {
        src = *dst;
    } else {
        // The marked pane, else the active one of where the command runs.
        struct target *current = cmdq_current(item);
        if (marked_pane != NULL)
            target_from_pane(&src, marked_pane);
        else
            src = current != NULL && current->pane != NULL ? *current : *dst;
    }
    cmd_push_zoom(w, &zoom);
    if (!args_has(args, 's') && args_has(args, 'D')) {
        from = TAILQ_NEXT(to, entry);
        if (from == NULL)
            from = TAILQ_FIRST(&w->panes);
    } else if (!args_has(args, 's') && args_has(args, 'U')) {
        from = TAILQ_PREV(to, window_panes, entry);
        if (from == NULL)
            from = TAILQ_LAST(&w->panes, window_panes);
    } else {
        from = src.pane;
    }
    struct window *from_window = from->window;
    if (from_window != w)
        cmd_push_zoom(from_window, &src_zoom);
    if (from != to) {
        struct pane *was_active = w->active;
        window_swap_panes(from, to);
        if (from_window == w) {
            // The pane given with -t is active; with -d a third one stays so, else the one of -s.
            bool is_third = was_active != from && was_active != to;
            if (!args_has(args, 'd'))
                window_set_active(w, to);
            else if (!is_third)
                window_set_active(w, from);
        } else if (!args_has(args, 'd')) {
            window_set_active(from_window, to);
            window_set_active(w, from);
        }
    }
    cmd_pop_zoom(w, &zoom, args_has(args, 'Z'));
    redraw_window(w, REDRAW_ALL);
    if (from_window != w) {
        cmd_pop_zoom(from_window, &src_zoom, args_has(args, 'Z'));
        redraw_window(from_window, REDRAW_ALL);
    }
    redraw_all(REDRAW_STATUS);
    return COMMAND_OK;
}

static void list_window_panes(struct cmdq_item *item, const struct args *args, struct session *s,
                              struct winlink *wl, const char *line)
{
    struct pane *p;

    TAILQ_FOREACH (p, &wl->window->panes, entry) {
        struct format_context ctx = {
            .client = cmdq_client(item),
            .session = s,
            .winlink = wl,
            .window = wl->window,
            .pane = p,
        };
        cmd_print_filtered(item, &ctx, args_get(args, 'f'), line);
    }
}

enum command_result cmd_exec_LIST_PANES(const struct args *args, struct cmdq_item *item)
{
    struct target *t = cmdq_target(item);
    const char *line = args_get(args, 'F');
    struct winlink *wl;

    if (args_has(args, 'a')) {
        struct session **list = cmd_sessions_by_name(NULL);
        if (line == NULL)
            line = "#{session_name}:#{window_index}." LIST_PANES_REST;
        for (size_t i = 0; list[i] != NULL; i++) {
            TAILQ_FOREACH (wl, &list[i]->winlinks, entry)
                list_window_panes(item, args, list[i], wl, line);
        }
        free(list);
    } else if (args_has(args, 's')) {
        if (line == NULL)
            line = "#{window_index}." LIST_PANES_REST;
        TAILQ_FOREACH (wl, &t->session->winlinks, entry)
            list_window_panes(item, args, t->session, wl, line);
    } else {
        list_window_panes(item, args, t->session, t->winlink,
                          line != NULL ? line : LIST_PANES_REST);
    }
    return COMMAND_OK;
}
