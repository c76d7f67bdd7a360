// Starting the program of a new pane: the command is held until it runs or could not be started.
#include "config.h"

#include <stdlib.h>

#include "server/command/cmd_common.h"

struct waiting_start {
    struct cmdq_item *item; // NULL: its queue died first
    unsigned session_id;
    const char *error_prefix;
    char *print_format;
    char *cwd;
    enum command_result (*started)(struct cmdq_item *item, struct session *s, void *arg);
    void (*free_fn)(void *arg);
    void *arg;
};

static void waiting_start_free(struct waiting_start *w)
{
    if (w->free_fn != NULL)
        w->free_fn(w->arg);
    free(w->print_format);
    free(w->cwd);
    free(w);
}

static void waiting_start_cancelled(void *arg)
{
    struct waiting_start *w = arg;

    w->item = NULL;
}

static void print_started(struct waiting_start *w, struct session *s, struct pane *p)
{
    struct winlink *wl = s != NULL ? winlink_by_window(s, p->window) : NULL;

    cmd_print_over(w->item, w->print_format, s, wl, p);
}

static void pane_start_done(void *arg, struct pane *p, const char *error)
{
    struct waiting_start *w = arg;
    struct session *s = session_by_id(w->session_id);
    enum command_result result = COMMAND_OK;

    if (w->item == NULL) {
        waiting_start_free(w);
        return;
    }
    if (error != NULL) {
        cmdq_error(w->item, "%s%s", w->error_prefix != NULL ? w->error_prefix : "", error);
        result = COMMAND_ERROR;
    } else {
        if (w->started != NULL)
            result = w->started(w->item, s, w->arg);
        if (w->print_format != NULL && p != NULL)
            print_started(w, s, p);
        // Last: an attached client is told in its status line.
        if (p != NULL && p->is_cwd_missed)
            cmd_note(w->item, xasprintf("cannot enter %s: started in the home directory", w->cwd));
    }
    struct cmdq_item *item = w->item;
    waiting_start_free(w);
    cmdq_continue(item, result);
}

enum command_result cmd_start_pane(struct cmdq_item *item, const struct cmd_start *start)
{
    struct waiting_start *w = xcalloc(1, sizeof *w);

    w->item = item;
    w->session_id = start->session->id;
    w->error_prefix = start->error_prefix;
    w->print_format = start->print_format != NULL ? xstrdup(start->print_format) : NULL;
    w->cwd = xstrdup(start->cwd != NULL ? start->cwd : start->session->cwd);
    w->started = start->started;
    w->free_fn = start->free_fn;
    w->arg = start->arg;
    cmdq_on_cancel(item, waiting_start_cancelled, w);
    struct pane_start ps = {
        .argv = start->argv,
        .cwd = start->cwd,
        .environ = start->environ,
        .done = pane_start_done,
        .arg = w,
    };
    pane_start(start->pane, start->session, &ps);
    return COMMAND_WAIT;
}
