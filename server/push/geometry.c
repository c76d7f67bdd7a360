// Where things lie in a client's terminal: status lines, the view of the window, panes and borders.
#include "server/push/push.h"

#include "common/style.h"
#include "common/util.h"
#include "server/grid/view.h"
#include "server/model/client.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/push/frame_state.h"

#define STATUS_ROWS_MAX 5

unsigned status_rows(const struct session *s)
{
    if (s == NULL || s->options == NULL)
        return 0;
    // The choices are off, on, 2, 3, 4, 5: the index is the number of rows.
    long long n = options_number(s->options, "status");
    return n < 0 ? 0 : (unsigned)MIN_OF(n, STATUS_ROWS_MAX);
}

static unsigned client_status_rows(const struct client *c)
{
    unsigned n = status_rows(c->session);
    return c->rows > n ? n : c->rows > 1 ? c->rows - 1 : 0; // a row is always left for the window
}

static bool status_is_at_top(const struct client *c)
{
    return options_number(c->session->options, "status-position") == 0;
}

void frame_window_area(const struct client *c, unsigned *cols, unsigned *rows)
{
    *cols = MAX_OF(c->cols, 1u);
    *rows = MAX_OF(c->rows, 1u) - client_status_rows(c);
}

void frame_window_offset(const struct client *c, unsigned *x, unsigned *y)
{
    bool has_scene = c->frame != NULL && c->frame->has_scene;
    *x = has_scene ? c->frame->scene.offset_x : 0;
    *y = has_scene ? c->frame->scene.offset_y : 0;
}

unsigned frame_status_row(struct client *c, bool *has_status)
{
    unsigned n = client_status_rows(c);
    *has_status = n > 0;
    if (n == 0 || status_is_at_top(c))
        return 0;
    return c->rows - n;
}

unsigned geometry_offset(unsigned old, unsigned at, unsigned whole, unsigned shown)
{
    if (whole <= shown)
        return 0;
    unsigned most = whole - shown;
    if (old <= most && at >= old && at < old + shown)
        return old;
    unsigned half = shown / 2;
    unsigned offset = at > half ? at - half : 0;
    return MIN_OF(offset, most);
}

// How far a window may be moved under the terminal.
static unsigned most_offset(unsigned whole, unsigned shown)
{
    return whole > shown ? whole - shown : 0;
}

static unsigned moved(unsigned from, int by, unsigned most)
{
    long long to = (long long)from + by;
    return to < 0 ? 0 : to > most ? most : (unsigned)to;
}

void frame_pan(struct client *c, int cols, int rows)
{
    struct msg_SCENE scene;
    struct window *w = geometry_scene(c, &scene);
    unsigned shown_cols, shown_rows;

    if (w == NULL)
        return;
    frame_window_area(c, &shown_cols, &shown_rows);
    c->is_panned = true;
    c->pan_window_id = w->id;
    c->pan_x = moved(scene.offset_x, cols, most_offset(w->cols, shown_cols));
    c->pan_y = moved(scene.offset_y, rows, most_offset(w->rows, shown_rows));
    client_redraw(c, REDRAW_ALL);
}

void frame_pan_stop(struct client *c)
{
    c->is_panned = false;
    client_redraw(c, REDRAW_ALL);
}

struct window *geometry_scene(struct client *c, struct msg_SCENE *out)
{
    if (c->session == NULL || c->session->current == NULL)
        return NULL;
    struct window *w = c->session->current->window;
    if (w->active == NULL)
        return NULL;

    unsigned cols, rows;
    frame_window_area(c, &cols, &rows);
    unsigned cursor_x = w->active->x, cursor_y = w->active->y;
    if (w->cols > cols || w->rows > rows) {
        struct view view;
        pane_view(w->active, &view);
        cursor_x += view.cursor.x;
        cursor_y += view.cursor.y;
    }
    const struct msg_SCENE *old = c->frame != NULL ? &c->frame->scene : NULL;
    *out = (struct msg_SCENE){
        .cols = (uint16_t)MIN_OF(w->cols, UINT16_MAX),
        .rows = (uint16_t)MIN_OF(w->rows, UINT16_MAX),
        .offset_x =
            (uint16_t)geometry_offset(old != NULL ? old->offset_x : 0, cursor_x, w->cols, cols),
        .offset_y =
            (uint16_t)geometry_offset(old != NULL ? old->offset_y : 0, cursor_y, w->rows, rows),
        .view_y = (uint16_t)(status_is_at_top(c) ? client_status_rows(c) : 0),
        .view_rows = (uint16_t)MIN_OF(rows, UINT16_MAX),
        .active = w->active->id,
        .flags = w->is_zoomed ? SCENE_ZOOMED : 0,
    };
    if (c->is_panned && c->pan_window_id == w->id) {
        out->offset_x = (uint16_t)MIN_OF(c->pan_x, most_offset(w->cols, cols));
        out->offset_y = (uint16_t)MIN_OF(c->pan_y, most_offset(w->rows, rows));
    }
    return w;
}

// The terminal's cell as a cell of the window; false: outside of it.
static bool window_cell_at(struct client *c, unsigned x, unsigned y, struct window **w,
                           unsigned *wx, unsigned *wy)
{
    struct msg_SCENE scene;
    *w = geometry_scene(c, &scene);
    if (*w == NULL || y < scene.view_y || y >= (unsigned)scene.view_y + scene.view_rows)
        return false;
    *wx = x + scene.offset_x;
    *wy = y - scene.view_y + scene.offset_y;
    return *wx < (*w)->cols && *wy < (*w)->rows;
}

static bool pane_is_shown(const struct window *w, const struct pane *p)
{
    return !w->is_zoomed || p == w->active;
}

struct pane *frame_pane_at(struct client *c, unsigned x, unsigned y, unsigned *px, unsigned *py)
{
    struct window *w;
    unsigned wx, wy;
    if (!window_cell_at(c, x, y, &w, &wx, &wy))
        return NULL;
    struct pane *p;
    TAILQ_FOREACH (p, &w->panes, entry) {
        if (pane_is_shown(w, p) && wx >= p->x && wx < p->x + p->cols && wy >= p->y &&
            wy < p->y + p->rows) {
            *px = wx - p->x;
            *py = wy - p->y;
            return p;
        }
    }
    return NULL;
}

bool frame_is_border_at(struct client *c, unsigned x, unsigned y, struct pane **left_or_top,
                        bool *is_vertical)
{
    struct window *w;
    unsigned wx, wy;
    if (!window_cell_at(c, x, y, &w, &wx, &wy) || w->is_zoomed)
        return false;
    struct pane *p;
    TAILQ_FOREACH (p, &w->panes, entry) {
        bool is_right = wx == p->x + p->cols && wy >= p->y && wy < p->y + p->rows;
        bool is_below = wy == p->y + p->rows && wx >= p->x && wx < p->x + p->cols;
        if (is_right || is_below) {
            *left_or_top = p;
            *is_vertical = is_right;
            return true;
        }
    }
    return false; // a corner where only lines meet, or nothing
}

void frame_pane_nearest(struct client *c, const struct pane *p, unsigned x, unsigned y,
                        unsigned *px, unsigned *py)
{
    struct msg_SCENE scene = {0};
    geometry_scene(c, &scene);
    unsigned wx = x + scene.offset_x;
    unsigned wy = (y > scene.view_y ? y - scene.view_y : 0) + scene.offset_y;
    *px = wx > p->x ? MIN_OF(wx - p->x, p->cols - 1) : 0;
    *py = wy > p->y ? MIN_OF(wy - p->y, p->rows - 1) : 0;
}
