// history-bytes-total: the histories of all panes together stay below it, the largest ones being
// shortened. A level is found below which the sum fits, and no pane keeps more than that.
#include "config.h"

#include <stdlib.h>

#include "server/model/internal.h"
#include "server/options/options.h"
#include "server/server.h"
#include "server/vt/vt.h"

static size_t total;
static size_t level = SIZE_MAX; // most a pane may keep; SIZE_MAX: as much as its own limit allows
static struct latch is_over;

static size_t most(void)
{
    return (size_t)options_number(server_options(), "history-bytes-total");
}

static int compare_sizes(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

// The level that fills `room` when the smaller histories stay whole.
static size_t find_level(size_t room)
{
    size_t n = 0, i = 0;
    struct pane *p;
    TAILQ_FOREACH(p, &all_panes, all_entry)
        n++;
    size_t *sizes = xcalloc(n, sizeof *sizes);
    TAILQ_FOREACH(p, &all_panes, all_entry)
        sizes[i++] = p->history_counted;
    qsort(sizes, n, sizeof *sizes, compare_sizes);
    size_t found = SIZE_MAX;
    for (i = 0; i < n; i++) {
        size_t share = room / (n - i);
        if (sizes[i] > share) {
            found = share;
            break;
        }
        room -= sizes[i];
    }
    free(sizes);
    return found;
}

static struct due total_due(const void *state, int64_t now_us)
{
    (void)state;
    return is_over.is_up ? due_at(now_us) : due_never();
}

static void total_run(void *state)
{
    (void)state;
    latch_lower(&is_over);
    size_t limit = most();
    // A sixteenth of room is made at once, so that this is not done again for each line.
    level = total > limit ? find_level(limit - limit / 16) : SIZE_MAX;
    struct pane *p;
    TAILQ_FOREACH(p, &all_panes, all_entry) {
        pane_apply_limits(p);
        size_t now = vt_history_bytes(p->vt);
        total = total - p->history_counted + now;
        p->history_counted = now;
    }
}

static const struct job_spec total_spec = {"history total", total_due, total_run};

static void recompute(void)
{
    if (is_over.job == NULL)
        is_over.job = job_add(server_jobs(), &total_spec, NULL);
    latch_raise(&is_over);
}

size_t history_total_level(void)
{
    return level;
}

void history_total_note(struct pane *p)
{
    size_t now = vt_history_bytes(p->vt);
    if (now == p->history_counted)
        return;
    total = total - p->history_counted + now;
    p->history_counted = now;
    if (total > most())
        recompute();
}

void history_total_forget(struct pane *p)
{
    total -= p->history_counted;
    p->history_counted = 0;
    if (level != SIZE_MAX)
        recompute();
}

void history_total_changed(void)
{
    if (level != SIZE_MAX || total > most())
        recompute();
}
