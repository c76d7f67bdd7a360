// split-window: a pane beside another one, with a program or with what standard input says.
#include "config.h"

#include <limits.h>
#include <stdlib.h>

#include "server/command/cmd_common.h"
#include "server/environ.h"
#include "server/vt/vt.h"

// -I: what the client reads on its standard input is shown in a pane without a program.
struct stdin_pane {
    unsigned pane_id;
    struct cmdq_item *item; // NULL: its queue died first
};

static void stdin_pane_cancelled(void *arg)
{
    struct stdin_pane *feed = arg;

    feed->item = NULL;
}

static void stdin_pane_data(struct client *c, const void *data, size_t len, bool is_end, void *arg)
{
    struct stdin_pane *feed = arg;
    struct pane *p = pane_by_id(feed->pane_id);

    (void)c;
    if (p != NULL && p->pid < 0 && p->vt != NULL && len != 0) {
        const char *bytes = data;
        // Lines of a file end with a line feed only.
        for (size_t at = 0; at < len;) {
            size_t end = at;
            while (end < len && bytes[end] != '\n')
                end++;
            vt_feed(p->vt, bytes + at, end - at);
            if (end < len)
                vt_feed(p->vt, "\r\n", 2);
            at = end + 1;
        }
        latch_raise(&p->changed);
    }
    if (!is_end)
        return;
    struct cmdq_item *item = feed->item;
    free(feed);
    if (item != NULL)
        cmdq_continue(item, COMMAND_OK);
}

enum command_result cmd_feed_from_stdin(struct cmdq_item *item, struct pane *p)
{
    struct client *c = cmdq_client(item);

    if (c == NULL || c->is_attached)
        return COMMAND_OK;
    struct stdin_pane *feed = xcalloc(1, sizeof *feed);
    feed->pane_id = p->id;
    feed->item = item;
    cmdq_on_cancel(item, stdin_pane_cancelled, feed);
    client_read_stdin(c, stdin_pane_data, feed);
    return COMMAND_WAIT;
}

// The size of the new pane by -l or -p; -1: half. False: the error was said.
static bool split_size(const struct args *args, struct cmdq_item *item, const struct pane *p,
                       enum layout_type type, int *size)
{
    const struct window *w = p->window;
    long long whole = type == LAYOUT_TOP_BOTTOM ? p->rows : p->cols, n;
    char *cause = NULL;

    *size = -1;
    if (args_has(args, 'f'))
        whole = type == LAYOUT_TOP_BOTTOM ? w->rows : w->cols;
    if (args_has(args, 'l')) {
        if (!args_percentage(args_get(args, 'l'), 0, INT_MAX, whole, &n, &cause, "lines")) {
            cmd_fail(item, cause);
            return false;
        }
        *size = (int)MIN_OF(n, 100000);
    } else if (args_has(args, 'p')) {
        if (!args_number(args, 'p', 0, INT_MAX, &n, &cause, "-p")) {
            cmdq_error(item, "create pane failed: %s", cause);
            free(cause);
            return false;
        }
        *size = (int)(whole * MIN_OF(n, 100000) / 100);
    }
    if (*size == 0)
        *size = 1;
    return true;
}

enum command_result cmd_exec_SPLIT_WINDOW(const struct args *args, struct cmdq_item *item)
{
    struct target *t = cmdq_target(item);
    struct window *w = t->pane->window;
    enum layout_type type = args_has(args, 'h') ? LAYOUT_LEFT_RIGHT : LAYOUT_TOP_BOTTOM;
    bool is_empty = args_has(args, 'I') || (args_count(args) == 1 && *args_at(args, 0) == '\0');
    struct pane_zoom zoom;
    int size;

    // Sizes are those of the pane in the whole layout.
    cmd_push_zoom(w, &zoom);
    if (!split_size(args, item, t->pane, type, &size)) {
        cmd_pop_zoom(w, &zoom, true);
        return COMMAND_ERROR;
    }
    struct layout_cell *cell =
        layout_split(t->pane, type, size, args_has(args, 'b'), args_has(args, 'f'));
    if (cell == NULL) {
        cmd_pop_zoom(w, &zoom, true);
        cmdq_error(item, "no space for new pane");
        return COMMAND_ERROR;
    }
    struct pane *p = pane_new(w, cell->cols, cell->rows);
    layout_assign(cell, p);
    window_place_pane(p, args_has(args, 'f') ? NULL : t->pane, args_has(args, 'b'));
    layout_apply(w);
    if (!args_has(args, 'd'))
        window_set_active(w, p);
    cmd_pop_zoom(w, &zoom, args_has(args, 'Z'));
    if (args_has(args, 'Z') && !zoom.was_zoomed)
        window_zoom(w, w->active);
    if (!args_has(args, 'd')) {
        target_from_winlink(cmdq_current(item), t->winlink);
        cmdq_current(item)->pane = p;
    }
    redraw_window(w, REDRAW_ALL);
    redraw_all(REDRAW_STATUS);
    const char *line = NULL;
    if (args_has(args, 'P'))
        line = args_has(args, 'F') ? args_get(args, 'F')
                                   : "#{session_name}:#{window_index}.#{pane_index}";
    if (is_empty) {
        if (line != NULL)
            cmd_print_over(item, line, t->session, t->winlink, p);
        return args_has(args, 'I') ? cmd_feed_from_stdin(item, p) : COMMAND_OK;
    }
    struct environ *env = cmd_extra_environ(args);
    char *cwd = cmd_start_dir(args, item, t->session);
    struct cmd_start start = {
        .pane = p,
        .session = t->session,
        .argv = args_count(args) != 0 ? args_rest(args, 0) : NULL,
        .cwd = cwd,
        .environ = env,
        .error_prefix = "create pane failed: ",
        .print_format = line,
    };
    enum command_result result = cmd_start_pane(item, &start);
    free(cwd);
    environ_free(env);
    return result;
}
