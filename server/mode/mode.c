// The stack of modes of a pane: push, pop, resize, and what a pane's mode draws.
#include "config.h"

#include <stdlib.h>

#include "server/mode/mode.h"
#include "server/model/client.h"
#include "server/model/model.h"
#include "server/push/push.h"

void mode_changed(struct pane *p)
{
    frame_pane_changed(p);
}

// Another mode is on top, or none: names and status lines may say so.
static void stack_changed(struct pane *p)
{
    mode_changed(p);
    names_pane_changed(p);
    redraw_window(p->window, REDRAW_STATUS);
}

bool mode_push(struct pane *p, const struct pane_mode *mode, const struct args *args, char **cause)
{
    if (p->mode != NULL && p->mode->mode == mode)
        return true;
    struct pane_mode_entry *e = xcalloc(1, sizeof *e);
    e->pane = p;
    e->mode = mode;
    e->below = p->mode;
    if (!mode->enter(e, args, cause)) {
        free(e);
        return false;
    }
    p->mode = e;
    stack_changed(p);
    return true;
}

void mode_pop(struct pane *p)
{
    struct pane_mode_entry *e = p->mode;
    if (e == NULL)
        return;
    p->mode = e->below;
    e->mode->leave(e);
    free(e);
    // The one below may have been entered at another size.
    if (p->mode != NULL && p->mode->mode->resize != NULL)
        p->mode->mode->resize(p->mode, p->cols, p->rows);
    stack_changed(p);
}

void mode_pop_all(struct pane *p)
{
    while (p->mode != NULL)
        mode_pop(p);
}
