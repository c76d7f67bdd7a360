// View mode: the output of a command, in the active pane, to be read and copied from as in copy
// mode.
//
// The lines go to a terminal of their own, in visible form: whatever bytes they hold, none acts.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "server/mode/copy.h"
#include "server/model/model.h"
#include "server/vt/vt.h"

#define VIEW_MAX_ROWS  50000u
#define VIEW_MAX_BYTES (8u << 20)

static bool enter(struct pane_mode_entry *e, const struct args *args, char **cause)
{
    (void)args;
    (void)cause;
    struct vt_limits limits = {VIEW_MAX_ROWS, VIEW_MAX_BYTES};
    struct vt *vt = vt_new(MAX_OF(e->pane->cols, 1), MAX_OF(e->pane->rows, 1), &limits, NULL, NULL);
    copy_new(e, vt, true);
    return true;
}

const struct pane_mode view_mode = {
    .name = "view-mode",
    .enter = enter,
    .leave = copy_mode_leave,
    .resize = copy_mode_resize,
    .view = copy_mode_view,
    .key_table = copy_mode_key_table,
    .command = copy_mode_command,
    .mouse = copy_mode_mouse,
    .variable = copy_mode_variable,
    .point = copy_mode_point,
};

static void add_line(struct copy *c, const char *line, size_t len)
{
    struct view view;
    vt_view(c->vt, &view);
    // The newline comes before a line, not behind it, so that the last one leaves no empty row.
    if (vt_history_rows(c->vt) > 0 || view.cursor.y > 0 || view.cursor.x > 0 || c->has_text)
        vt_feed(c->vt, "\r\n", 2);
    c->has_text = true;
    char *copy = xstrndup(line, len);
    char *visible = text_visible(copy);
    vt_feed(c->vt, visible, strlen(visible));
    free(visible);
    free(copy);
}

void view_mode_add(struct pane *p, const void *text, size_t len)
{
    char *cause = NULL;
    if (p->mode == NULL || p->mode->mode != &view_mode) {
        if (!mode_push(p, &view_mode, NULL, &cause)) {
            free(cause);
            return;
        }
    }
    struct copy *c = p->mode->data;
    if (!c->is_stale)
        c->stale_top = copy_top(c); // what is read stays where it is: output is read from its top
    const char *at = text, *end = at + len;
    while (at < end) {
        const char *nl = memchr(at, '\n', (size_t)(end - at));
        const char *line_end = nl == NULL ? end : nl;
        add_line(c, at, (size_t)(line_end - at));
        at = line_end + 1;
    }
    c->is_stale = true;
    copy_changed(c);
}
