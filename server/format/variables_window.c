// Variables of windows and of their links in sessions.
#include "server/format/internal.h"

#include <stdlib.h>
#include <string.h>

#include "server/model/client.h"
#include "server/model/model.h"
#include "server/push/push.h"

static char *number(unsigned long long n)
{
    return xasprintf("%llu", n);
}

#define WINDOW(st, w)                      \
    struct window *w = (st)->ctx.window;   \
    (void)name;                            \
    if (w == NULL)                         \
        return NULL
#define WINLINK(st, wl)                     \
    struct winlink *wl = (st)->ctx.winlink; \
    (void)name;                             \
    if (wl == NULL)                         \
        return NULL

static char *get_active(const struct format_state *st, const char *name)
{
    WINLINK(st, wl);
    return format_bool(wl == wl->session->current);
}

// window_active_clients, window_active_sessions, and their _list.
static char *get_viewers(const struct format_state *st, const char *name)
{
    WINDOW(st, w);
    struct strbuf list = {0};
    unsigned n = 0;
    if (strstr(name, "clients") != NULL) {
        struct client *c;
        TAILQ_FOREACH(c, &all_clients, entry) {
            if (c->is_attached && c->session != NULL && c->session->current != NULL &&
                c->session->current->window == w)
                strbuf_addf(&list, "%s%s", n++ > 0 ? "," : "", c->name);
        }
    } else {
        struct winlink *wl;
        TAILQ_FOREACH(wl, &w->winlinks, in_window) {
            if (wl->session->current == wl)
                strbuf_addf(&list, "%s%s", n++ > 0 ? "," : "", wl->session->name);
        }
    }
    char *text = strbuf_take(&list);
    if (strstr(name, "_list") != NULL)
        return text;
    free(text);
    return number(n);
}

static char *get_linked(const struct format_state *st, const char *name)
{
    WINDOW(st, w);
    struct strbuf list = {0};
    struct winlink *wl;
    unsigned n = 0;
    TAILQ_FOREACH(wl, &w->winlinks, in_window)
        strbuf_addf(&list, "%s%s", n++ > 0 ? "," : "", wl->session->name);
    char *text = strbuf_take(&list);
    if (strstr(name, "_list") != NULL)
        return text;
    free(text);
    return strcmp(name, "window_linked") == 0 ? format_bool(n > 1) : number(n);
}

static char *get_activity(const struct format_state *st, const char *name)
{
    WINDOW(st, w);
    return xasprintf("%lld", (long long)(w->activity_us / 1000000));
}

static char *get_alert(const struct format_state *st, const char *name)
{
    WINLINK(st, wl);
    if (strcmp(name, "window_bell_flag") == 0)
        return format_bool(wl->alerts & ALERT_BELL);
    if (strcmp(name, "window_activity_flag") == 0)
        return format_bool(wl->alerts & ALERT_ACTIVITY);
    return format_bool(wl->alerts & ALERT_SILENCE);
}

static char *get_bigger(const struct format_state *st, const char *name)
{
    WINDOW(st, w);
    const struct client *c = st->ctx.client;
    unsigned cols, rows, x, y;
    if (c == NULL || !c->is_attached || c->session == NULL)
        return NULL;
    frame_window_area(c, &cols, &rows);
    bool is_bigger = w->cols > cols || w->rows > rows;
    if (strcmp(name, "window_bigger") == 0)
        return format_bool(is_bigger);
    if (!is_bigger)
        return NULL;
    frame_window_offset(c, &x, &y);
    return number(strcmp(name, "window_offset_x") == 0 ? x : y);
}

static char *get_size(const struct format_state *st, const char *name)
{
    WINDOW(st, w);
    if (strcmp(name, "window_width") == 0)
        return number(w->cols);
    if (strcmp(name, "window_height") == 0)
        return number(w->rows);
    return number(strcmp(name, "window_cell_width") == 0 ? w->xpixel : w->ypixel);
}

static char *get_edge(const struct format_state *st, const char *name)
{
    WINLINK(st, wl);
    if (strcmp(name, "window_end_flag") == 0)
        return format_bool(TAILQ_NEXT(wl, entry) == NULL);
    return format_bool(wl == TAILQ_FIRST(&wl->session->winlinks));
}

static bool has_marked(const struct window *w)
{
    return marked_pane != NULL && marked_pane->window == w;
}

static char *get_flags(const struct format_state *st, const char *name)
{
    WINLINK(st, wl);
    struct strbuf b = {0};
    if (wl->alerts & ALERT_ACTIVITY)
        strbuf_add_str(&b, strcmp(name, "window_raw_flags") == 0 ? "#" : "##");
    if (wl->alerts & ALERT_BELL)
        strbuf_add_char(&b, '!');
    if (wl->alerts & ALERT_SILENCE)
        strbuf_add_char(&b, '~');
    if (wl == wl->session->current)
        strbuf_add_char(&b, '*');
    if (wl == TAILQ_FIRST(&wl->session->last_winlinks))
        strbuf_add_char(&b, '-');
    if (has_marked(wl->window))
        strbuf_add_char(&b, 'M');
    if (wl->window->is_zoomed)
        strbuf_add_char(&b, 'Z');
    return strbuf_take(&b);
}

static char *get_format(const struct format_state *st, const char *name)
{
    (void)name;
    return format_bool(st->type == FORMAT_OF_WINDOW);
}

static char *get_id(const struct format_state *st, const char *name)
{
    WINDOW(st, w);
    return xasprintf("@%u", w->id);
}

static char *get_index(const struct format_state *st, const char *name)
{
    WINLINK(st, wl);
    return xasprintf("%d", wl->index);
}

static char *get_last(const struct format_state *st, const char *name)
{
    WINLINK(st, wl);
    return format_bool(wl == TAILQ_FIRST(&wl->session->last_winlinks));
}

static char *get_layout(const struct format_state *st, const char *name)
{
    WINDOW(st, w);
    bool is_visible = strcmp(name, "window_visible_layout") == 0;
    const struct layout_cell *root =
        w->saved_layout != NULL && !is_visible ? w->saved_layout : w->layout;
    return root == NULL ? NULL : layout_dump(w, root);
}

static char *get_marked(const struct format_state *st, const char *name)
{
    WINLINK(st, wl);
    return format_bool(has_marked(wl->window));
}

static char *get_name(const struct format_state *st, const char *name)
{
    WINDOW(st, w);
    return w->name == NULL ? NULL : xstrdup(w->name);
}

static char *get_panes(const struct format_state *st, const char *name)
{
    WINDOW(st, w);
    return number(window_count_panes(w));
}

static char *get_stack_index(const struct format_state *st, const char *name)
{
    WINLINK(st, wl);
    const struct winlink *at;
    unsigned n = 0;
    // 0 is the current one, and one that was never it.
    TAILQ_FOREACH(at, &wl->session->last_winlinks, in_stack) {
        n++;
        if (at == wl)
            return number(n);
    }
    return number(0);
}

static char *get_zoomed(const struct format_state *st, const char *name)
{
    WINDOW(st, w);
    return format_bool(w->is_zoomed);
}

const struct format_variable format_window_variables[] = {
    {"window_active", get_active, 0, "1 if the window is the current one of its session."},
    {"window_active_clients", get_viewers, 0, "How many clients show the window."},
    {"window_active_clients_list", get_viewers, VARIABLE_FOREIGN, "The clients that show the window."},
    {"window_active_sessions", get_viewers, 0, "In how many sessions the window is the current one."},
    {"window_active_sessions_list", get_viewers, 0, "Sessions in which the window is the current one."},
    {"window_activity", get_activity, 0, "When the window last had output."},
    {"window_activity_flag", get_alert, 0, "1 if the window had activity."},
    {"window_bell_flag", get_alert, 0, "1 if the window rang a bell."},
    {"window_bigger", get_bigger, 0, "1 if the window is larger than the client."},
    {"window_cell_height", get_size, 0, "Height of a cell in pixels."},
    {"window_cell_width", get_size, 0, "Width of a cell in pixels."},
    {"window_end_flag", get_edge, 0, "1 if the window is the last of its session."},
    {"window_flags", get_flags, 0, "Flags of the window, # written as ## (alias #F)."},
    {"window_format", get_format, 0, "1 if the format is for a window."},
    {"window_height", get_size, 0, "Rows of the window."},
    {"window_id", get_id, 0, "Id of the window."},
    {"window_index", get_index, 0, "Number of the window (alias #I)."},
    {"window_last_flag", get_last, 0, "1 if the window was the current one before."},
    {"window_layout", get_layout, 0, "Layout of the window, whether or not a pane is zoomed."},
    {"window_linked", get_linked, 0, "1 if the window is in several sessions."},
    {"window_linked_sessions", get_linked, 0, "In how many sessions the window is."},
    {"window_linked_sessions_list", get_linked, 0, "Sessions that the window is in."},
    {"window_marked_flag", get_marked, 0, "1 if the window has the marked pane."},
    {"window_name", get_name, VARIABLE_FOREIGN, "Name of the window (alias #W)."},
    {"window_offset_x", get_bigger, 0, "First column that the client shows of a larger window."},
    {"window_offset_y", get_bigger, 0, "First row that the client shows of a larger window."},
    {"window_panes", get_panes, 0, "Number of panes in the window."},
    {"window_raw_flags", get_flags, 0, "Flags of the window."},
    {"window_silence_flag", get_alert, 0, "1 if the window was silent."},
    {"window_stack_index", get_stack_index, 0, "How many windows were the current one since; 0 also if it never was."},
    {"window_start_flag", get_edge, 0, "1 if the window is the first of its session."},
    {"window_visible_layout", get_layout, 0, "Layout of the window as it is shown."},
    {"window_width", get_size, 0, "Columns of the window."},
    {"window_zoomed_flag", get_zoomed, 0, "1 if a pane of the window is zoomed."},
    {NULL, NULL, 0, NULL},
};
