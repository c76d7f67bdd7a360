// Regular files read and written in slices by a job.
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/jobs.h"
#include "common/util.h"
#include "server/command/file_slices.h"
#include "server/server.h"

#define SLICE_BYTES (128u << 10)

struct file_slices {
    int fd;
    bool is_write;
    char *data; // writing: all of it
    size_t size, at, max;
    struct strbuf read;
    const char *error; // static, or errno's text
    file_slices_fn fn;
    void *arg;
    struct job *job;
};

static void finish(struct file_slices *f)
{
    file_slices_fn fn = f->fn;
    void *arg = f->arg;
    const char *error = f->error;
    size_t size = f->read.len;
    char *data = NULL;

    // A write that fails late (a full disk, a network file) says so at the close.
    if (f->fd >= 0 && close(f->fd) != 0 && f->is_write && error == NULL)
        error = strerror(errno);
    if (!f->is_write && error == NULL)
        data = strbuf_take(&f->read);
    strbuf_free(&f->read);
    free(f->data);
    job_remove(f->job);
    free(f);
    server_descriptor_freed();
    fn(arg, data, size, error);
}

static struct due slices_due(const void *state, int64_t now_us)
{
    (void)state;
    return due_at(now_us);
}

static bool read_slice(struct file_slices *f)
{
    char *to = strbuf_reserve(&f->read, SLICE_BYTES + 1);
    to[0] = '\0'; // an empty file is an empty text
    ssize_t n = read(f->fd, to, SLICE_BYTES);

    if (n < 0 && errno == EINTR)
        return true;
    if (n < 0)
        f->error = strerror(errno);
    if (n <= 0)
        return false;
    f->read.len += (size_t)n;
    f->read.data[f->read.len] = '\0';
    // It may have grown since it was opened.
    if (f->read.len > f->max) {
        f->error = "file is too large";
        return false;
    }
    return true;
}

static bool write_slice(struct file_slices *f)
{
    ssize_t n = write(f->fd, f->data + f->at, MIN_OF(f->size - f->at, (size_t)SLICE_BYTES));

    if (n < 0 && errno == EINTR)
        return true;
    if (n < 0) {
        f->error = strerror(errno);
        return false;
    }
    f->at += (size_t)n;
    return f->at < f->size;
}

static void slices_run(void *state)
{
    struct file_slices *f = state;
    bool goes_on = false;

    if (f->error == NULL && !f->is_write)
        goes_on = read_slice(f);
    else if (f->error == NULL && f->size != 0)
        goes_on = write_slice(f);
    if (goes_on)
        job_ask(f->job);
    else
        finish(f);
}

static const struct job_spec slices_job = {"files", slices_due, slices_run};

static struct file_slices *begin(const char *path, int flags, file_slices_fn fn, void *arg)
{
    struct file_slices *f = xcalloc(1, sizeof *f);
    struct stat st;

    f->fn = fn;
    f->arg = arg;
    // Without O_NONBLOCK the open of a pipe would wait for its other end.
    f->fd = open(path, flags | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0600);
    if (f->fd < 0)
        f->error = strerror(errno);
    else if (fstat(f->fd, &st) != 0)
        f->error = strerror(errno);
    else if (!S_ISREG(st.st_mode) && strcmp(path, "/dev/null") != 0) // which is how one says "no file"
        f->error = S_ISDIR(st.st_mode) ? "Is a directory" : "not a regular file";
    f->job = job_add(server_jobs(), &slices_job, f);
    return f;
}

struct file_slices *file_slices_read(const char *path, size_t max_bytes, file_slices_fn fn,
                                     void *arg)
{
    struct file_slices *f = begin(path, O_RDONLY, fn, arg);

    f->max = max_bytes;
    job_ask(f->job);
    return f;
}

struct file_slices *file_slices_write(const char *path, bool appends, char *data, size_t size,
                                      file_slices_fn fn, void *arg)
{
    // Truncated only once it is known to be a regular file.
    struct file_slices *f = begin(path, O_WRONLY | O_CREAT | (appends ? O_APPEND : 0), fn, arg);

    f->is_write = true;
    f->data = data;
    f->size = size;
    if (f->error == NULL && !appends && ftruncate(f->fd, 0) != 0)
        f->error = strerror(errno);
    job_ask(f->job);
    return f;
}
