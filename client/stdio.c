// Output that waits for its reader without stopping the loop, and input in pieces.
#include "config.h"

#include "client/stdio.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct stream {
    struct stdio *owner;
    int fd;
    struct io *io;      // NULL for what cannot be waited for (files)
    struct strbuf out;
    size_t at;
    bool is_dead;       // its reader went away: what is printed is dropped
    int error;          // why it could not be written, other than that
};
struct stdio {
    struct job_queue *q;
    void (*drained)(void *arg);
    void (*input)(void *arg, const void *data, size_t len);
    void *arg;
    struct stream streams[2];
    struct io *input_io;
};
#define INPUT_BYTES 65536u

// Files and the like are always ready, and the loop cannot watch them.
static bool can_be_watched(int fd)
{
    struct stat st;
    return fstat(fd, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) || isatty(fd));
}

static void stream_write(struct stream *s)
{
    while (s->at < s->out.len && !s->is_dead) {
        size_t n = s->out.len - s->at;
        // The descriptor is shared with others and stays a blocking one: a watched one takes this
        // much without waiting once it is ready.
        if (s->io != NULL)
            n = MIN_OF(n, (size_t)PIPE_BUF);
        ssize_t put = write(s->fd, s->out.data + s->at, n);
        if (put > 0)
            s->at += (size_t)put;
        else if (put < 0 && (errno == EAGAIN || errno == EINTR))
            break;
        else {
            s->is_dead = true;
            s->error = errno == EPIPE || errno == EBADF ? 0 : errno;
        }
        if (s->io != NULL)
            break;
    }
    if (s->is_dead || s->at >= s->out.len) {
        strbuf_clear(&s->out);
        s->at = 0;
    }
    if (s->io != NULL)
        io_set(s->io, s->out.len > 0 ? IO_WRITE : 0);
    if (stdio_is_drained(s->owner))
        s->owner->drained(s->owner->arg);
}

static void stream_io(int fd, unsigned events, void *arg)
{
    (void)fd;
    (void)events;
    stream_write(arg);
}

static void input_io(int fd, unsigned events, void *arg)
{
    struct stdio *s = arg;
    static char buffer[INPUT_BYTES];
    (void)events;
    ssize_t n = read(fd, buffer, sizeof buffer);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n <= 0) {
        io_remove(s->input_io);
        s->input_io = NULL;
        n = 0;
    }
    s->input(s->arg, buffer, (size_t)n);
}

struct stdio *stdio_new(struct job_queue *q, void (*drained)(void *arg),
                        void (*input)(void *arg, const void *data, size_t len), void *arg)
{
    struct stdio *s = xcalloc(1, sizeof *s);
    s->q = q;
    s->drained = drained;
    s->input = input;
    s->arg = arg;
    for (int i = 0; i < 2; i++) {
        s->streams[i].owner = s;
        s->streams[i].fd = i + 1;
    }
    return s;
}

void stdio_free(struct stdio *s)
{
    if (s == NULL)
        return;
    for (int i = 0; i < 2; i++) {
        io_remove(s->streams[i].io);
        strbuf_free(&s->streams[i].out);
    }
    io_remove(s->input_io);
    free(s);
}

void stdio_print(struct stdio *s, int stream, const void *data, size_t len)
{
    struct stream *out = &s->streams[stream == 2 ? 1 : 0];
    if (out->is_dead || len == 0)
        return;
    strbuf_add(&out->out, data, len);
    if (out->io == NULL && can_be_watched(out->fd)) {
        out->io = io_add(s->q, out->fd, IO_WRITE, out->fd == 1 ? "stdout" : "stderr", stream_io, out);
        return;
    }
    if (out->io != NULL)
        io_set(out->io, IO_WRITE);
    else
        stream_write(out);
}

bool stdio_is_drained(const struct stdio *s)
{
    return s->streams[0].out.len == 0 && s->streams[1].out.len == 0;
}

int stdio_error(const struct stdio *s)
{
    return s->streams[0].error;
}

void stdio_read_input(struct stdio *s)
{
    if (s->input_io != NULL)
        return;
    if (can_be_watched(STDIN_FILENO)) {
        s->input_io = io_add(s->q, STDIN_FILENO, IO_READ, "stdin", input_io, s);
        return;
    }
    // A file is read to its end at once.
    static char buffer[INPUT_BYTES];
    for (;;) {
        ssize_t n = read(STDIN_FILENO, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR)
            continue;
        s->input(s->arg, buffer, n > 0 ? (size_t)n : 0);
        if (n <= 0)
            return;
    }
}
