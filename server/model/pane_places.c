// The order of a window's panes: a new one's place, two that are swapped, all that move round.
#include "config.h"

#include <stdlib.h>

#include "server/model/model.h"
#include "server/options/options.h"

static void put_in_cell(struct pane *p, struct window *w, struct layout_cell *cell)
{
    p->window = w;
    p->cell = cell;
    cell->pane = p;
}

static void leave_last(struct pane *p)
{
    if (p->is_in_last)
        TAILQ_REMOVE(&p->window->last_panes, p, in_last);
    p->is_in_last = false;
}

void window_swap_panes(struct pane *a, struct pane *b)
{
    struct window *wa = a->window, *wb = b->window;
    struct layout_cell *ca = a->cell, *cb = b->cell;
    struct pane marker; // only a place in the list

    if (a == b)
        return;
    TAILQ_INSERT_BEFORE(a, &marker, entry);
    TAILQ_REMOVE(&wa->panes, a, entry);
    TAILQ_INSERT_BEFORE(b, a, entry);
    TAILQ_REMOVE(&wb->panes, b, entry);
    TAILQ_INSERT_BEFORE(&marker, b, entry);
    TAILQ_REMOVE(&wa->panes, &marker, entry);
    if (wa != wb) {
        leave_last(a);
        leave_last(b);
        put_in_cell(a, wb, cb);
        put_in_cell(b, wa, ca);
        options_set_parent(a->options, wb->options);
        options_set_parent(b->options, wa->options);
        if (wa->active == a)
            wa->active = b;
        if (wb->active == b)
            wb->active = a;
        layout_apply(wb);
    } else {
        put_in_cell(a, wa, cb);
        put_in_cell(b, wa, ca);
    }
    layout_apply(wa);
}

void window_place_pane(struct pane *p, struct pane *beside, bool is_before)
{
    struct window_panes *panes = &p->window->panes;

    TAILQ_REMOVE(panes, p, entry);
    if (beside == NULL && is_before)
        TAILQ_INSERT_HEAD(panes, p, entry);
    else if (beside == NULL)
        TAILQ_INSERT_TAIL(panes, p, entry);
    else if (is_before)
        TAILQ_INSERT_BEFORE(beside, p, entry);
    else
        TAILQ_INSERT_AFTER(panes, beside, p, entry);
}

void window_rotate(struct window *w, bool is_down)
{
    size_t n = window_count_panes(w), active = 0, i = 0;
    struct pane *p;

    if (n < 2)
        return;
    struct pane **panes = xcalloc(n, sizeof *panes);
    struct layout_cell **cells = xcalloc(n, sizeof *cells);
    TAILQ_FOREACH (p, &w->panes, entry) {
        if (p == w->active)
            active = i;
        panes[i] = p;
        cells[i++] = p->cell;
    }
    TAILQ_INIT(&w->panes);
    for (i = 0; i < n; i++) {
        p = panes[is_down ? (i + n - 1) % n : (i + 1) % n];
        TAILQ_INSERT_TAIL(&w->panes, p, entry);
        put_in_cell(p, w, cells[i]);
    }
    // The place stays active, not the pane that left it.
    window_set_active(w, panes[is_down ? (active + n - 1) % n : (active + 1) % n]);
    layout_apply(w);
    free(panes);
    free(cells);
}
