// Printing what may be long: a slice each turn, so that megabytes for one client hold up nobody.
#include "config.h"

#include <stdlib.h>

#include "server/command/cmd_common.h"
#include "server/server.h"

#define SLICE_BYTES ((size_t)128 << 10)

struct printing {
    struct cmdq_item *item; // NULL: its queue died first
    char *data;
    size_t size, at;
    struct job *job;
};

static struct due printing_due(const void *state, int64_t now_us)
{
    (void)state;
    return due_at(now_us);
}

static void printing_run(void *state)
{
    struct printing *p = state;
    struct cmdq_item *item = p->item;

    if (item != NULL) {
        size_t n = MIN_OF(p->size - p->at, SLICE_BYTES);
        cmdq_print_bytes(item, p->data + p->at, n);
        p->at += n;
        if (p->at < p->size) {
            job_ask(p->job);
            return;
        }
    }
    job_remove(p->job);
    free(p->data);
    free(p);
    if (item != NULL)
        cmdq_continue(item, COMMAND_OK);
}

static const struct job_spec printing_job = {"command output", printing_due, printing_run};

static void printing_cancelled(void *arg)
{
    struct printing *p = arg;

    p->item = NULL;
}

enum command_result cmd_print_large(struct cmdq_item *item, char *data, size_t size)
{
    if (size <= SLICE_BYTES) {
        if (size != 0)
            cmdq_print_bytes(item, data, size);
        free(data);
        return COMMAND_OK;
    }
    struct printing *p = xcalloc(1, sizeof *p);
    p->item = item;
    p->data = data;
    p->size = size;
    p->job = job_add(server_jobs(), &printing_job, p);
    cmdq_on_cancel(item, printing_cancelled, p);
    job_ask(p->job);
    return COMMAND_WAIT;
}
