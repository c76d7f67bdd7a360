// Sizes of windows: which client decides, by window-size.
#include "config.h"

#include <stdio.h>

#include "server/model/client.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/push/push.h"
#include "server/server.h"

#define SIZE_MOST 10000u

static bool counts_for_size(const struct client *c)
{
    return c->is_attached && !c->is_exiting && !c->is_suspended && !c->ignores_size &&
           c->session != NULL && c->session->current != NULL;
}

// Whether c has a say in w's size: it shows w, or (without aggressive-resize) could.
static bool has_window(const struct client *c, const struct window *w, bool only_current)
{
    if (only_current)
        return c->session->current->window == w;
    return winlink_by_window(c->session, w) != NULL;
}

struct sizes {
    unsigned cols, rows, xpixel, ypixel, n;
};

static void sizes_add(struct sizes *sizes, const struct client *c, bool is_largest)
{
    unsigned cols, rows;
    frame_window_area(c, &cols, &rows);
    if (sizes->n++ == 0) {
        sizes->cols = cols;
        sizes->rows = rows;
    } else if (is_largest) {
        sizes->cols = MAX_OF(sizes->cols, cols);
        sizes->rows = MAX_OF(sizes->rows, rows);
    } else {
        sizes->cols = MIN_OF(sizes->cols, cols);
        sizes->rows = MIN_OF(sizes->rows, rows);
    }
    if (c->xpixel != 0 && c->ypixel != 0 && c->cols != 0 && c->rows != 0) {
        sizes->xpixel = MAX_OF(sizes->xpixel, c->xpixel / c->cols);
        sizes->ypixel = MAX_OF(sizes->ypixel, c->ypixel / c->rows);
    }
}

static struct sizes sizes_of_window(const struct window *w)
{
    struct sizes sizes = {0};
    const struct client *c;
    enum window_size_policy policy =
        (enum window_size_policy)options_number(w->options, "window-size");
    bool only_current = options_number(w->options, "aggressive-resize") != 0;
    unsigned n = 0;
    bool has_latest = false;

    TAILQ_FOREACH(c, &all_clients, entry)
        if (counts_for_size(c) && has_window(c, w, only_current)) {
            n++;
            has_latest = has_latest || c == w->latest;
        }
    TAILQ_FOREACH(c, &all_clients, entry) {
        if (!counts_for_size(c) || !has_window(c, w, only_current))
            continue;
        // With several, the one that typed last decides; before any has, the smallest fits all.
        if (policy == WINDOW_SIZE_LATEST && n > 1 && has_latest && c != w->latest)
            continue;
        sizes_add(&sizes, c, policy == WINDOW_SIZE_LARGEST);
    }
    return sizes;
}

static void resize_one(struct window *w)
{
    struct sizes sizes = sizes_of_window(w);
    if (sizes.n > 0 && sizes.xpixel != 0) {
        w->xpixel = sizes.xpixel;
        w->ypixel = sizes.ypixel;
    }
    if (w->has_manual_size || options_number(w->options, "window-size") == WINDOW_SIZE_MANUAL)
        window_resize(w, w->manual_cols, w->manual_rows);
    else if (sizes.n > 0)
        window_resize(w, sizes.cols, sizes.rows);
    // Without clients it keeps the size it has.
}

void resize_window_by_clients(struct window *w)
{
    if (server_is_shutting_down())
        return;
    if (w != NULL) {
        resize_one(w);
        return;
    }
    TAILQ_FOREACH(w, &all_windows, entry)
        resize_one(w);
}

void resize_default_size(struct client *c, struct session *s, unsigned *cols, unsigned *rows)
{
    struct options *o = s != NULL ? s->options : server_session_options();
    enum window_size_policy policy =
        (enum window_size_policy)options_number(server_window_options(), "window-size");
    struct sizes sizes = {0};
    struct client *other = NULL;

    *cols = 80;
    *rows = 24;
    unsigned x, y;
    if (sscanf(options_string(o, "default-size"), "%ux%u", &x, &y) == 2 && x > 0 && y > 0) {
        *cols = MIN_OF(x, SIZE_MOST);
        *rows = MIN_OF(y, SIZE_MOST);
    }
    if (policy == WINDOW_SIZE_MANUAL)
        return;
    // A client that is about to show it, else those that show the session.
    bool can_show = c != NULL && !c->ignores_size && (c->hello_flags & HELLO_HAS_TERMINAL);
    if (can_show && (s == NULL || (c->session == s && policy == WINDOW_SIZE_LATEST))) {
        sizes_add(&sizes, c, false);
    } else if (s != NULL) {
        while ((other = client_next_in_session(s, other)) != NULL)
            if (counts_for_size(other))
                sizes_add(&sizes, other, policy == WINDOW_SIZE_LARGEST);
    }
    if (sizes.n > 0) {
        *cols = MAX_OF(sizes.cols, 1u);
        *rows = MAX_OF(sizes.rows, 1u);
    }
}
