// automatic-rename: windows called after what runs in them.
#include "config.h"

#include <stdlib.h>

#include "server/format/format.h"
#include "server/model/client.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/server.h"

#define LOOK_INTERVAL_US 500000

static struct job *names_job;

// The earliest look that is wanted. Few windows change at once, and only those are in the list.
static int64_t next_due_us(void)
{
    const struct window *w;
    int64_t due = 0;
    TAILQ_FOREACH(w, &all_windows, entry)
        if (w->name_due_us != 0 && (due == 0 || w->name_due_us < due))
            due = w->name_due_us;
    return due;
}

static struct due names_due(const void *state, int64_t now_us)
{
    (void)state, (void)now_us;
    int64_t due = next_due_us();
    return due == 0 ? due_never() : due_at(due);
}

static void names_run(void *state)
{
    struct window *w;
    (void)state;
    int64_t now = clock_monotonic_us();
    TAILQ_FOREACH(w, &all_windows, entry) {
        if (w->name_due_us == 0 || w->name_due_us > now)
            continue;
        w->name_due_us = 0;
        w->named_us = now;
        window_update_name(w);
    }
}

static const struct job_spec names_spec = {"window names", names_due, names_run};

void names_pane_changed(struct pane *p)
{
    struct window *w = p->window;
    if (w->name_due_us != 0 || w->active != p)
        return;
    int64_t now = clock_monotonic_us();
    w->name_due_us = MAX_OF(now, w->named_us + LOOK_INTERVAL_US);
    if (names_job == NULL)
        names_job = job_add(server_jobs(), &names_spec, NULL);
    else
        job_ask(names_job);
}

void window_update_name(struct window *w)
{
    if (w->active == NULL || !options_number(w->options, "automatic-rename"))
        return;
    struct format_context ctx = {
        .window = w, .pane = w->active, .winlink = TAILQ_FIRST(&w->winlinks)};
    if (ctx.winlink != NULL)
        ctx.session = ctx.winlink->session;
    char *name = format_expand(&ctx, options_string(w->options, "automatic-rename-format"));
    if (*name != '\0')
        window_set_name(w, name);
    free(name);
}
