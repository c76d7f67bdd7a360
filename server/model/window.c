// Windows: their panes, the active one, zoom, and their end.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "server/model/client.h"
#include "server/model/internal.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/server.h"

#define WINDOW_MOST 10000u

struct windows all_windows = TAILQ_HEAD_INITIALIZER(all_windows);
static unsigned next_window_id;

struct window *window_new(unsigned cols, unsigned rows)
{
    struct window *w = xcalloc(1, sizeof *w);
    w->id = next_window_id++;
    w->name = xstrdup("");
    TAILQ_INIT(&w->winlinks);
    TAILQ_INIT(&w->panes);
    TAILQ_INIT(&w->last_panes);
    w->cols = MIN_OF(MAX_OF(cols, 1u), WINDOW_MOST);
    w->rows = MIN_OF(MAX_OF(rows, 1u), WINDOW_MOST);
    w->manual_cols = w->cols;
    w->manual_rows = w->rows;
    w->created_us = w->activity_us = clock_wall_us();
    w->options = options_new(server_window_options());
    TAILQ_INSERT_TAIL(&all_windows, w, entry);
    return w;
}

struct window *window_by_id(unsigned id)
{
    struct window *w;
    TAILQ_FOREACH(w, &all_windows, entry)
        if (w->id == id)
            return w;
    return NULL;
}

// The sessions that hold the window show its name.
static void redraw_status_of(struct window *w)
{
    struct winlink *wl;
    TAILQ_FOREACH(wl, &w->winlinks, in_window)
        redraw_session(wl->session, REDRAW_STATUS);
}

void window_set_name(struct window *w, const char *name)
{
    char *visible = text_visible(name);
    if (strcmp(w->name, visible) == 0) {
        free(visible);
        return;
    }
    free(w->name);
    w->name = visible;
    redraw_status_of(w);
}

bool window_set_active(struct window *w, struct pane *p)
{
    if (p == NULL || p == w->active || p->window != w)
        return false;
    if (w->is_zoomed)
        window_unzoom(w);
    if (p->is_in_last) {
        TAILQ_REMOVE(&w->last_panes, p, in_last);
        p->is_in_last = false;
    }
    if (w->active != NULL && !w->active->is_in_last) {
        TAILQ_INSERT_HEAD(&w->last_panes, w->active, in_last);
        w->active->is_in_last = true;
    }
    w->active = p;
    names_pane_changed(p);
    redraw_window(w, REDRAW_BORDERS | REDRAW_MODES | REDRAW_STATUS);
    return true;
}

struct pane *window_pane_at_index(const struct window *w, unsigned index)
{
    struct pane *p;
    TAILQ_FOREACH(p, &w->panes, entry)
        if (index-- == 0)
            return p;
    return NULL;
}

unsigned window_pane_index(const struct window *w, const struct pane *p)
{
    struct pane *other;
    unsigned n = 0;
    TAILQ_FOREACH(other, &w->panes, entry) {
        if (other == p)
            return n;
        n++;
    }
    return 0;
}

unsigned window_count_panes(const struct window *w)
{
    struct pane *p;
    unsigned n = 0;
    TAILQ_FOREACH(p, &w->panes, entry)
        n++;
    return n;
}

// --- zoom

void window_zoom(struct window *w, struct pane *p)
{
    if (w->is_zoomed || p->window != w || window_count_panes(w) < 2)
        return;
    window_set_active(w, p);
    struct pane *other;
    TAILQ_FOREACH(other, &w->panes, entry)
        other->cell = NULL; // the saved layout's leaves still name their panes
    w->saved_layout = w->layout;
    w->layout = NULL;
    w->is_zoomed = true;
    layout_init(w, p);
    redraw_window(w, REDRAW_ALL);
}

static void take_cells(struct layout_cell *c)
{
    struct layout_cell *child;
    if (c->type == LAYOUT_PANE && c->pane != NULL)
        c->pane->cell = c;
    TAILQ_FOREACH(child, &c->children, entry)
        take_cells(child);
}

void window_unzoom(struct window *w)
{
    if (!w->is_zoomed)
        return;
    struct layout_cell *saved = w->saved_layout;
    w->saved_layout = NULL;
    layout_free(w);
    w->layout = saved;
    w->is_zoomed = false;
    take_cells(saved);
    layout_resize_window(w, w->cols, w->rows);
    redraw_window(w, REDRAW_ALL);
}

void window_resize(struct window *w, unsigned cols, unsigned rows)
{
    cols = MIN_OF(MAX_OF(cols, 1u), WINDOW_MOST);
    rows = MIN_OF(MAX_OF(rows, 1u), WINDOW_MOST);
    if (w->cols == cols && w->rows == rows)
        return;
    w->cols = cols;
    w->rows = rows;
    // While zoomed only the zoomed pane follows; the others do when they are shown again.
    layout_resize_window(w, cols, rows);
    redraw_window(w, REDRAW_ALL);
}

// --- neighbours

static bool spans_meet(unsigned a, unsigned a_len, unsigned b, unsigned b_len)
{
    return a < b + b_len && b < a + a_len;
}

static bool is_beside(const struct window *w, const struct pane *from, const struct pane *p,
                      enum layout_direction dir)
{
    switch (dir) {
    case TO_UP:
        return p->y + p->rows + 1 == (from->y == 0 ? w->rows + 1 : from->y) &&
               spans_meet(p->x, p->cols, from->x, from->cols);
    case TO_DOWN: {
        unsigned edge = from->y + from->rows + 1;
        return p->y == (edge >= w->rows ? 0 : edge) &&
               spans_meet(p->x, p->cols, from->x, from->cols);
    }
    case TO_LEFT:
        return p->x + p->cols + 1 == (from->x == 0 ? w->cols + 1 : from->x) &&
               spans_meet(p->y, p->rows, from->y, from->rows);
    case TO_RIGHT: {
        unsigned edge = from->x + from->cols + 1;
        return p->x == (edge >= w->cols ? 0 : edge) &&
               spans_meet(p->y, p->rows, from->y, from->rows);
    }
    }
    return false;
}

struct pane *window_find_pane(struct window *w, struct pane *from, enum layout_direction dir)
{
    struct pane *p;
    if (w->is_zoomed)
        window_unzoom(w);
    TAILQ_FOREACH(p, &w->last_panes, in_last)
        if (p != from && is_beside(w, from, p, dir))
            return p;
    TAILQ_FOREACH(p, &w->panes, entry)
        if (p != from && is_beside(w, from, p, dir))
            return p;
    return NULL;
}

// --- the end

static void window_free(struct window *w)
{
    TAILQ_REMOVE(&all_windows, w, entry);
    layout_free(w);
    options_free(w->options);
    free(w->name);
    free(w);
}

// Called by session.c when the last link went: nobody can reach it any more.
void window_unlinked(struct window *w)
{
    struct pane *p;
    if (!TAILQ_EMPTY(&w->winlinks))
        return;
    if (w->is_zoomed)
        window_unzoom(w);
    while ((p = TAILQ_FIRST(&w->panes)) != NULL)
        pane_end(p);
    window_free(w);
}

void window_kill(struct window *w)
{
    unsigned id = w->id;
    if (TAILQ_EMPTY(&w->winlinks)) {
        window_unlinked(w);
        return;
    }
    // One detach can take it out of a whole group of sessions and free it.
    while (window_by_id(id) == w) {
        struct winlink *wl = TAILQ_FIRST(&w->winlinks);
        session_detach_window(wl->session, wl);
    }
}
