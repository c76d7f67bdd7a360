// Input that waits for commands: what is typed behind a bound key, in one burst, means what it
// would mean typed slowly. "C-b % ls" types into the new pane, "C-b : kill" into the prompt.
//
// While a client's queue has commands, its input is held in order; an open prompt takes it all the
// same. A command that waits for long does not hold it for ever.
#include "server/input.h"

#include <stdlib.h>
#include <string.h>

#include "server/command/command.h"
#include "server/server.h"

#define HOLD_LIMIT_US  500000
#define HOLD_MAX_BYTES (1u << 20) // beyond it nothing waits any more

struct held {
    enum message_type type;
    union {
        struct msg_KEY key;
        struct msg_MOUSE mouse;
        struct msg_PASTE paste;
    } u;
    TAILQ_ENTRY(held) entry;
    size_t len;
    char data[]; // raw bytes of the key or the paste
};
struct input_hold {
    TAILQ_HEAD(, held) events;
    size_t size_bytes;
    int64_t since_us; // when the oldest was held
    bool is_over;     // not before the queue has been empty once
    bool is_resuming;
    struct job *job;
};

static struct due hold_due(const void *state, int64_t now_us)
{
    (void)now_us;
    const struct client *c = state;
    const struct input_hold *h = c->hold;
    return TAILQ_EMPTY(&h->events) || h->is_over ? due_never()
                                                 : due_at(h->since_us + HOLD_LIMIT_US);
}

static void hold_run(void *state)
{
    struct client *c = state;
    c->hold->is_over = true;
    input_resume(c);
}

static const struct job_spec hold_job = {"held input", hold_due, hold_run};

static bool must_hold(struct client *c)
{
    if (c->prompt != NULL)
        return false;
    if (cmdq_is_empty(c)) {
        if (c->hold != NULL)
            c->hold->is_over = false;
        return false;
    }
    return c->hold == NULL || !c->hold->is_over;
}

// True if the event waits (also because another does).
static bool hold(struct client *c, enum message_type type, const void *msg, const void *data,
                 size_t len)
{
    struct input_hold *h = c->hold;
    bool has_waiting = h != NULL && !TAILQ_EMPTY(&h->events);
    if (!c->is_attached || (!has_waiting && !must_hold(c)))
        return false;
    if (h == NULL) {
        h = c->hold = xcalloc(1, sizeof *h);
        TAILQ_INIT(&h->events);
        h->job = job_add(server_jobs(), &hold_job, c);
    }
    struct held *e = xcalloc(1, sizeof *e + len);
    e->type = type;
    e->len = len;
    if (len > 0)
        memcpy(e->data, data, len);
    if (type == MSG_KEY)
        e->u.key = *(const struct msg_KEY *)msg;
    else if (type == MSG_MOUSE)
        e->u.mouse = *(const struct msg_MOUSE *)msg;
    else
        e->u.paste = *(const struct msg_PASTE *)msg;
    if (!has_waiting)
        h->since_us = clock_monotonic_us();
    TAILQ_INSERT_TAIL(&h->events, e, entry);
    h->size_bytes += sizeof *e + len;
    if (h->size_bytes > HOLD_MAX_BYTES) {
        h->is_over = true;
        input_resume(c);
    } else {
        job_ask(h->job);
    }
    return true;
}

static void do_now(struct client *c, struct held *e)
{
    switch ((int)e->type) {
    case MSG_KEY:
        input_key_now(c, e->u.key.key, e->data, e->len);
        break;
    case MSG_MOUSE:
        input_mouse_now(c, &e->u.mouse);
        break;
    case MSG_PASTE:
        e->u.paste.data = (struct wire_span){e->len > 0 ? e->data : NULL, (uint32_t)e->len};
        input_paste_now(c, &e->u.paste);
        break;
    }
}

void input_resume(struct client *c)
{
    struct input_hold *h = c->hold;
    struct held *e;
    if (h == NULL || h->is_resuming)
        return;
    h->is_resuming = true;
    while ((e = TAILQ_FIRST(&h->events)) != NULL && !must_hold(c)) {
        TAILQ_REMOVE(&h->events, e, entry);
        h->size_bytes -= sizeof *e + e->len;
        h->since_us = clock_monotonic_us();
        c->burst_keys = 0; // it is the waiting that brings them so close together
        do_now(c, e);
        free(e);
        if (c->hold != h)
            return; // it was detached by that
    }
    h->is_resuming = false;
    job_ask(h->job);
}

void input_key(struct client *c, key_code key, const void *raw, size_t raw_len)
{
    struct msg_KEY m = {.key = key};
    if (!hold(c, MSG_KEY, &m, raw, raw_len))
        input_key_now(c, key, raw, raw_len);
}

void input_mouse(struct client *c, const struct msg_MOUSE *m)
{
    if (!hold(c, MSG_MOUSE, m, NULL, 0))
        input_mouse_now(c, m);
}

void input_paste(struct client *c, const struct msg_PASTE *m)
{
    if (!hold(c, MSG_PASTE, m, m->data.data, m->data.len))
        input_paste_now(c, m);
}

void input_hold_stop(struct client *c)
{
    struct input_hold *h = c->hold;
    struct held *e;
    if (h == NULL)
        return;
    while ((e = TAILQ_FIRST(&h->events)) != NULL) {
        TAILQ_REMOVE(&h->events, e, entry);
        free(e);
    }
    job_remove(h->job);
    free(h);
    c->hold = NULL;
}
