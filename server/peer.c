// Bytes of a connection: frames in and out, checked and bounded. What they mean is the client's
// (model/client_messages.c).
#include "config.h"

#include <errno.h>
#include <event2/buffer.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/log.h"
#include "server/model/client.h"
#include "server/server.h"

#define READ_BYTES 65536
// Command output that its reader does not take; beyond it the client is dropped. Frames stay far
// below, as they are built by credit.
#define UNSENT_MOST (64u << 20)
#define HANDSHAKE_US 10000000
#define CLOSING_US 10000000 // for the other end to take what was sent and close

struct peer {
    int fd;
    struct io *io;
    struct client *client;
    struct strbuf in;
    struct strbuf frame; // scratch of encoding
    struct evbuffer *out;
    bool is_greeted;
    bool is_closing;  // nothing more is read from or given to the client
    bool is_shut;     // what was queued has gone, its end was told
    bool is_lost;     // to be freed by the job, as the caller may still use it
    int64_t due_us;   // handshake or closing deadline; 0: none
    struct job *job;
    struct job *send_job;
    bool is_blocked;  // the socket took only a part: it says when it takes more
    void (*drain_fn)(void *arg);
    void *drain_arg;
};

static struct due peer_due(const void *state, int64_t now_us)
{
    const struct peer *p = state;
    if (p->is_lost)
        return due_at(now_us);
    return p->due_us == 0 ? due_never() : due_at(p->due_us);
}

static void peer_drop(struct peer *p)
{
    client_lost(p->client); // frees p
}

static void peer_run(void *state)
{
    struct peer *p = state;
    if (!p->is_lost)
        log_debug("connection of pid %ld: time is over", (long)p->client->pid);
    peer_drop(p);
}

static const struct job_spec peer_spec = {"connection", peer_due, peer_run};

static void peer_lose(struct peer *p)
{
    p->is_lost = true;
    io_set(p->io, 0);
    job_ask(p->job);
}

static void peer_update(struct peer *p)
{
    if (p->is_lost)
        return;
    io_set(p->io, IO_READ | (p->is_blocked ? IO_WRITE : 0));
    job_ask(p->send_job);
}

static void peer_write(struct peer *p);

// What was queued in a turn goes at its end in one write, without asking the kernel first whether
// the socket takes it: it nearly always does, and a key's echo waits for it.
static struct due send_due(const void *state, int64_t now_us)
{
    const struct peer *p = state;
    bool can_send = evbuffer_get_length(p->out) > 0 && !p->is_blocked && !p->is_lost;
    return can_send ? due_at(now_us) : due_never();
}

static void send_run(void *state)
{
    struct peer *p = state;
    peer_write(p);
    if (!p->is_lost)
        io_set(p->io, IO_READ | (p->is_blocked ? IO_WRITE : 0));
}

static const struct job_spec send_spec = {"send", send_due, send_run};

static void refuse(struct peer *p, const char *why)
{
    struct msg_REFUSED m = {protocol_version_min, protocol_version, "amux " PACKAGE_VERSION, why};
    log_debug("connection of pid %ld refused: %s", (long)p->client->pid, why);
    peer_send(p, MSG_REFUSED, &m);
    peer_close_when_sent(p);
}

static bool hello(struct peer *p, const struct message *m)
{
    if (m->type != MSG_HELLO) {
        refuse(p, "the first message was not a greeting");
        return false;
    }
    const struct msg_HELLO *h = &m->u.HELLO;
    uint32_t version = MIN_OF(h->version_max, protocol_version);
    if (h->version_min > h->version_max || version < h->version_min ||
        version < protocol_version_min) {
        char *program = text_visible(h->program);
        char *why =
            xasprintf("server is amux %s (protocol %u to %u), this is %.64s (protocol %u to %u): "
                      "the %s is older; "
                      "its sessions can be reached with the server's own binary, /proc/%ld/exe",
                      PACKAGE_VERSION, protocol_version_min, protocol_version, program,
                      h->version_min, h->version_max,
                      h->version_max < protocol_version_min ? "client" : "server", (long)getpid());
        refuse(p, why);
        free(why);
        free(program);
        return false;
    }
    struct msg_WELCOME w = {version, "amux " PACKAGE_VERSION, server_socket_path()};
    p->is_greeted = true;
    p->due_us = 0;
    job_ask(p->job);
    return peer_send(p, MSG_WELCOME, &w);
}

// False: the connection is closing and nothing more is to be decoded.
static bool receive(struct peer *p, const struct message *m)
{
    const char *cause = "message not expected";
    if (!p->is_greeted && !hello(p, m))
        return false;
    if (client_receive(p->client, m, &cause))
        return !p->is_closing && !p->is_lost;
    refuse(p, cause);
    return false;
}

static void decode_all(struct peer *p)
{
    size_t at = 0;
    while (!p->is_closing && !p->is_lost && at < p->in.len) {
        struct message m;
        size_t used = 0;
        const char *cause = "damaged message";
        enum decode_result result =
            protocol_decode(p->in.data + at, p->in.len - at, FROM_CLIENT, &m, &used, &cause);
        if (result == DECODE_MORE)
            break;
        if (result == DECODE_BAD) {
            refuse(p, cause);
            break;
        }
        at += used;
        bool goes_on = receive(p, &m);
        message_free(&m);
        if (!goes_on)
            break;
    }
    if (p->is_closing || p->is_lost || at == p->in.len) {
        if (p->in.cap > READ_BYTES * 2)
            strbuf_free(&p->in); // one large command must not keep its memory
        else
            strbuf_clear(&p->in);
    } else if (at > 0) {
        memmove(p->in.data, p->in.data + at, p->in.len - at);
        p->in.len -= at;
    }
}

static void peer_read(struct peer *p)
{
    char *to = strbuf_reserve(&p->in, READ_BYTES);
    ssize_t n = recv(p->fd, to, READ_BYTES, 0);
    if (n > 0) {
        if (p->is_closing)
            return;
        p->in.len += (size_t)n;
        p->client->burst_keys = 0; // a burst arrives in one piece
        decode_all(p);
    } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
        peer_lose(p);
    }
}

static void peer_sent(struct peer *p)
{
    if (p->is_closing && !p->is_shut) {
        // The other end still reads what is under way; it closes, then so do we.
        p->is_shut = true;
        shutdown(p->fd, SHUT_WR);
    }
    if (p->drain_fn != NULL && !p->is_closing)
        p->drain_fn(p->drain_arg);
}

static void peer_write(struct peer *p)
{
    if (evbuffer_get_length(p->out) > 0) {
        int n = evbuffer_write(p->out, p->fd);
        if (n > 0)
            p->client->bytes_written += (uint64_t)n;
        else if (n < 0 && errno != EAGAIN && errno != EINTR) {
            peer_lose(p);
            return;
        }
    }
    p->is_blocked = evbuffer_get_length(p->out) > 0;
    if (!p->is_blocked)
        peer_sent(p);
}

static void on_io(int fd, unsigned events, void *arg)
{
    struct peer *p = arg;
    (void)fd;
    if ((events & IO_READ) && !p->is_lost)
        peer_read(p);
    if ((events & IO_WRITE) && !p->is_lost)
        peer_write(p);
    if (p->is_lost)
        peer_drop(p);
    else
        peer_update(p);
}

static bool is_allowed(struct peer *p, struct client *c)
{
    struct ucred cred;
    socklen_t len = sizeof cred;
    if (getsockopt(p->fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) != 0 || len != sizeof cred)
        return false;
    c->uid = cred.uid;
    c->pid = cred.pid;
    return cred.uid == geteuid() || cred.uid == 0;
}

struct peer *peer_new(int fd)
{
    struct peer *p = xcalloc(1, sizeof *p);
    p->fd = fd;
    p->out = evbuffer_new();
    if (p->out == NULL)
        fatal("no memory for a connection");
    p->client = client_new(p);
    p->due_us = clock_monotonic_us() + HANDSHAKE_US;
    p->job = job_add(server_jobs(), &peer_spec, p);
    p->send_job = job_add(server_jobs(), &send_spec, p);
    p->io = io_add(server_jobs(), fd, IO_READ, "connection", on_io, p);
    io_set_urgent(p->io);
    if (!is_allowed(p, p->client))
        refuse(p, "this server belongs to another user");
    return p;
}

void peer_free(struct peer *p)
{
    if (p == NULL)
        return;
    io_remove(p->io);
    job_remove(p->job);
    job_remove(p->send_job);
    close(p->fd);
    server_descriptor_freed();
    evbuffer_free(p->out);
    strbuf_free(&p->in);
    strbuf_free(&p->frame);
    free(p);
}

bool peer_send(struct peer *p, enum message_type type, const void *msg)
{
    if (p->is_closing || p->is_lost)
        return false;
    strbuf_clear(&p->frame);
    if (!protocol_encode(&p->frame, type, msg)) {
        log_debug("message %s for pid %ld is too large and was not sent", message_name(type),
                  (long)p->client->pid);
        return false;
    }
    if (evbuffer_get_length(p->out) + p->frame.len > UNSENT_MOST) {
        log_debug("pid %ld does not read: dropped", (long)p->client->pid);
        p->client->bytes_discarded += evbuffer_get_length(p->out);
        peer_lose(p);
        return false;
    }
    bool was_empty = evbuffer_get_length(p->out) == 0;
    evbuffer_add(p->out, p->frame.data, p->frame.len);
    if (p->frame.cap > READ_BYTES * 4)
        strbuf_free(&p->frame);
    if (was_empty)
        job_ask(p->send_job);
    return true;
}

size_t peer_unsent(const struct peer *p)
{
    return evbuffer_get_length(p->out);
}

void peer_close_when_sent(struct peer *p)
{
    if (p->is_closing)
        return;
    p->is_closing = true;
    p->due_us = clock_monotonic_us() + CLOSING_US;
    job_ask(p->job);
    if (evbuffer_get_length(p->out) == 0)
        peer_sent(p);
}

void peer_on_drain(struct peer *p, void (*fn)(void *arg), void *arg)
{
    p->drain_fn = fn;
    p->drain_arg = arg;
}
