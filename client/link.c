// The client's end of the socket: buffers both ways, frames checked as they come.
#include "config.h"

#include "client/link.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/log.h"

struct link {
    bool is_corked;
    int fd;
    struct io *io;
    const struct link_events *events;
    void *arg;
    struct strbuf in, out;
    size_t out_at;
    bool was_greeted, is_closed, has_stopped;
};
#define READ_BYTES 65536u

static void link_close(struct link *l, const char *why)
{
    if (l->is_closed)
        return;
    l->is_closed = true;
    io_set(l->io, 0);
    l->events->closed(l->arg, why, l->was_greeted);
}

static void link_update_io(struct link *l)
{
    if (l->is_closed)
        return;
    io_set(l->io, (l->has_stopped ? 0u : IO_READ) | (l->out_at < l->out.len ? IO_WRITE : 0u));
}

static void link_write(struct link *l)
{
    while (l->out_at < l->out.len) {
        ssize_t n = write(l->fd, l->out.data + l->out_at, l->out.len - l->out_at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            break;
        if (n <= 0) {
            // What the other end said before it went is still read.
            strbuf_clear(&l->out);
            l->out_at = 0;
            break;
        }
        l->out_at += (size_t)n;
    }
    if (l->out_at >= l->out.len) {
        strbuf_clear(&l->out);
        l->out_at = 0;
    }
    link_update_io(l);
}

static void link_continue(struct link *l)
{
    link_write(l);
    if (l->out_at >= l->out.len && l->events->drained != NULL)
        l->events->drained(l->arg);
}

static void link_take_messages(struct link *l)
{
    size_t at = 0;
    const char *cause = NULL;
    while (!l->is_closed) {
        struct message m;
        size_t used;
        enum decode_result result =
            protocol_decode(l->in.data + at, l->in.len - at, FROM_SERVER, &m, &used, &cause);
        if (result == DECODE_MORE)
            break;
        if (result == DECODE_BAD) {
            link_close(l, cause != NULL ? cause : "damaged message");
            return;
        }
        at += used;
        l->events->message(l->arg, &m);
        l->was_greeted = true;
        message_free(&m);
    }
    l->in.len -= at;
    if (l->in.len > 0 && at > 0)
        memmove(l->in.data, l->in.data + at, l->in.len);
    if (!l->is_closed)
        l->events->batch_end(l->arg);
}

static void link_io(int fd, unsigned events, void *arg)
{
    struct link *l = arg;

    if (events & IO_WRITE)
        link_continue(l);
    if (!(events & IO_READ) || l->has_stopped)
        return;
    ssize_t n = read(fd, strbuf_reserve(&l->in, READ_BYTES), READ_BYTES);
    if (n < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK))
        return;
    if (n <= 0) {
        link_close(l, NULL);
        return;
    }
    l->in.len += (size_t)n;
    link_take_messages(l);
}

struct link *link_new(struct job_queue *q, int fd, const struct link_events *events, void *arg)
{
    struct link *l = xcalloc(1, sizeof *l);
    l->fd = fd;
    l->events = events;
    l->arg = arg;
    fd_set_nonblocking(fd);
    l->io = io_add(q, fd, IO_READ, "server", link_io, l);
    return l;
}

void link_free(struct link *l)
{
    if (l == NULL)
        return;
    if (!l->is_closed)
        link_write(l);
    io_remove(l->io);
    close(l->fd);
    strbuf_free(&l->in);
    strbuf_free(&l->out);
    free(l);
}

bool link_send(struct link *l, enum message_type type, const void *msg)
{
    if (l->is_closed)
        return false;
    if (l->out_at > READ_BYTES) {
        memmove(l->out.data, l->out.data + l->out_at, l->out.len - l->out_at);
        l->out.len -= l->out_at;
        l->out_at = 0;
    }
    bool was_empty = l->out_at >= l->out.len;
    if (!protocol_encode(&l->out, type, msg)) {
        log_debug("message %s is too large to be sent", message_name(type));
        return false;
    }
    if (was_empty && !l->is_corked)
        link_write(l);
    return true;
}

void link_cork(struct link *l)
{
    l->is_corked = true;
}

void link_uncork(struct link *l)
{
    l->is_corked = false;
    if (!l->is_closed && l->out_at < l->out.len)
        link_write(l);
}

void link_stop_reading(struct link *l)
{
    l->has_stopped = true;
    link_update_io(l);
}

size_t link_queued(const struct link *l)
{
    return l->out.len - l->out_at;
}

bool link_is_drained(const struct link *l)
{
    return l->is_closed || l->out_at >= l->out.len;
}
