// Panes: their terminal, the bytes between it and the program, and their end.
#include "config.h"

#include <errno.h>
#include <event2/buffer.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "common/log.h"
#include "server/format/format.h"
#include "server/mode/mode.h"
#include "server/model/client.h"
#include "server/model/ending.h"
#include "server/model/internal.h"
#include "server/options/options.h"
#include "server/push/push.h"
#include "server/server.h"
#include "server/spawn.h"
#include "server/vt/vt.h"

#define READ_BYTES 65536
#define READ_TURN_US 1000
#define READ_SLOW_US 3000 // a read that took longer to work through makes the next one smaller
#define READ_LEAST_BYTES 64
#define TO_PTY_MOST (16u << 20) // input that the program does not take
#define RESIZE_SETTLE_US 100000
#define SYNC_HELD_US 1000000
// A program that ended while others keep its terminal open: what comes later than this is not its.
#define DRAIN_US 500000
// A terminal that was closed by a program that lives on.
#define EOF_US 1000000

struct all_panes all_panes = TAILQ_HEAD_INITIALIZER(all_panes);
struct pane *marked_pane;
static unsigned next_pane_id;

// --- jobs of a pane

static struct due resize_due(const void *state, int64_t now_us)
{
    const struct pane *p = state;
    (void)now_us;
    if (!p->needs_resize || p->fd == -1)
        return due_never();
    return due_at(p->resized_us + RESIZE_SETTLE_US);
}

static void resize_run(void *state)
{
    struct pane *p = state;
    p->needs_resize = false;
    if (p->fd == -1 || (p->pty_cols == p->cols && p->pty_rows == p->rows))
        return;
    struct window *w = p->window;
    struct winsize ws = {.ws_col = (unsigned short)p->cols,
                         .ws_row = (unsigned short)p->rows,
                         .ws_xpixel = (unsigned short)(p->cols * w->xpixel),
                         .ws_ypixel = (unsigned short)(p->rows * w->ypixel)};
    if (ioctl(p->fd, TIOCSWINSZ, &ws) != 0)
        log_debug("%%%u: TIOCSWINSZ: %s", p->id, strerror(errno));
    p->pty_cols = p->cols;
    p->pty_rows = p->rows;
    p->resized_us = clock_monotonic_us();
}

static const struct job_spec resize_spec = {"resize settle", resize_due, resize_run};

static struct due sync_due(const void *state, int64_t now_us)
{
    const struct pane *p = state;
    (void)now_us;
    int64_t since = vt_sync_since_us(p->vt);
    return since == 0 ? due_never() : due_at(since + SYNC_HELD_US);
}

static void sync_run(void *state)
{
    struct pane *p = state;
    vt_sync_release(p->vt);
    frame_pane_changed(p);
}

static const struct job_spec sync_spec = {"synchronized output", sync_due, sync_run};

// History takes a new width in slices: a turn is never longer for it.
#define REFLOW_SLICE_US 1500

static struct due reflow_due(const void *state, int64_t now_us)
{
    const struct pane *p = state;
    return vt_needs_reflow(p->vt) ? due_at(now_us) : due_never();
}

static void reflow_run(void *state)
{
    struct pane *p = state;
    vt_reflow_step(p->vt, REFLOW_SLICE_US);
    if (p->mode != NULL)
        frame_pane_changed(p);
}

static const struct job_spec reflow_spec = {"history reflow", reflow_due, reflow_run};

static struct due close_due(const void *state, int64_t now_us)
{
    const struct pane *p = state;
    (void)now_us;
    return p->close_due_us == 0 ? due_never() : due_at(p->close_due_us);
}

static void pane_finish(struct pane *p);

static void close_run(void *state)
{
    pane_finish(state);
}

static const struct job_spec close_spec = {"pane close", close_due, close_run};

// --- life

static void get_limits(const struct pane *p, struct vt_limits *limits)
{
    struct winlink *wl = TAILQ_FIRST(&p->window->winlinks);
    struct options *o = wl != NULL ? wl->session->options : server_session_options();
    // As in tmux a pane keeps the limit it was made with: a lower one never takes lines away.
    limits->history_rows = p->has_history_limit ? p->history_limit
                                                : (unsigned)options_number(o, "history-limit");
    limits->history_bytes = MIN_OF((size_t)options_number(o, "history-bytes"), history_total_level());
}

void pane_apply_limits(struct pane *p)
{
    struct vt_limits limits;
    get_limits(p, &limits);
    vt_set_history(p->vt, &limits);
    vt_set_alternate(p->vt, options_number(p->options, "alternate-screen") != 0);
}

struct pane *pane_new(struct window *w, unsigned cols, unsigned rows)
{
    struct pane *p = xcalloc(1, sizeof *p);
    p->id = next_pane_id++;
    p->window = w;
    p->cols = MAX_OF(cols, 1u);
    p->rows = MAX_OF(rows, 1u);
    p->fd = -1;
    p->pid = -1;
    p->argv = strv_copy(NULL, 0);
    p->shell = xstrdup("/bin/sh");
    p->cwd = xstrdup("/");
    char host[256];
    if (gethostname(host, sizeof host) != 0)
        host[0] = '\0';
    host[sizeof host - 1] = '\0';
    p->title = text_visible(host);
    p->options = options_new(w->options);
    p->to_pty = evbuffer_new();
    p->read_bytes = READ_BYTES;
    if (p->to_pty == NULL)
        fatal("no memory for a pane");
    struct vt_limits limits;
    get_limits(p, &limits);
    p->vt = pane_make_vt(p, &limits);
    p->activity_us = clock_wall_us();
    TAILQ_INSERT_TAIL(&w->panes, p, entry);
    TAILQ_INSERT_TAIL(&all_panes, p, all_entry);
    if (w->active == NULL)
        w->active = p;
    struct job_queue *q = server_jobs();
    p->resize_job = job_add(q, &resize_spec, p);
    p->sync_job = job_add(q, &sync_spec, p);
    p->reflow_job = job_add(q, &reflow_spec, p);
    p->close_job = job_add(q, &close_spec, p);
    return p;
}

struct pane *pane_by_id(unsigned id)
{
    struct pane *p;
    TAILQ_FOREACH(p, &all_panes, all_entry)
        if (p->id == id)
            return p;
    return NULL;
}

static void close_pty(struct pane *p)
{
    io_remove(p->io);
    p->io = NULL;
    if (p->fd != -1) {
        close(p->fd);
        server_descriptor_freed();
    }
    p->fd = -1;
    evbuffer_drain(p->to_pty, evbuffer_get_length(p->to_pty));
}

// Ends the program, if it runs, and closes the terminal.
static void end_program(struct pane *p)
{
    pane_cancel_start(p);
    if (p->pid > 0 && !p->has_status)
        ending_begin(server_jobs(), p->pid, p->fd == -1 ? -1 : tcgetpgrp(p->fd));
    else if (p->fd != -1) {
        // The leader is gone; what it left in the foreground still hears of it.
        pid_t group = tcgetpgrp(p->fd);
        if (group > 1 && group != getpgrp())
            kill(-group, SIGHUP);
    }
    close_pty(p);
}

static void forget_pane(struct pane *p)
{
    struct client *c;
    if (marked_pane == p)
        marked_pane = NULL;
    TAILQ_FOREACH(c, &all_clients, entry)
        if (c->drag_pane == p)
            c->drag_pane = NULL;
}

void pane_end(struct pane *p)
{
    struct window *w = p->window;
    if (w->is_zoomed)
        window_unzoom(w);
    end_program(p);
    mode_pop_all(p);
    if (p->is_in_last)
        TAILQ_REMOVE(&w->last_panes, p, in_last);
    if (w->active == p) {
        // The one active before it, else a neighbour.
        struct pane *next = TAILQ_FIRST(&w->last_panes);
        if (next == NULL)
            next = TAILQ_PREV(p, window_panes, entry);
        if (next == NULL)
            next = TAILQ_NEXT(p, entry);
        w->active = NULL;
        window_set_active(w, next);
    }
    layout_close(p);
    TAILQ_REMOVE(&w->panes, p, entry);
    TAILQ_REMOVE(&all_panes, p, all_entry);
    forget_pane(p);
    redraw_window(w, REDRAW_ALL);

    job_remove(p->resize_job);
    job_remove(p->sync_job);
    job_remove(p->reflow_job);
    job_remove(p->close_job);
    evbuffer_free(p->to_pty);
    history_total_forget(p);
    vt_free(p->vt);
    options_free(p->options);
    strv_free(p->argv);
    free(p->shell);
    free(p->cwd);
    free(p->osc_cwd);
    free(p->title);
    free(p);
}

void pane_kill(struct pane *p)
{
    struct window *w = p->window;
    if (TAILQ_FIRST(&w->panes) == p && TAILQ_NEXT(p, entry) == NULL)
        window_kill(w);
    else
        pane_end(p);
}

// --- the program ended

static bool keeps_dead(const struct pane *p)
{
    enum { REMAIN_OFF, REMAIN_ON, REMAIN_FAILED };
    switch (options_number(p->options, "remain-on-exit")) {
    case REMAIN_OFF:
        return false;
    case REMAIN_FAILED:
        return !p->has_status || !WIFEXITED(p->status) || WEXITSTATUS(p->status) != 0;
    default:
        return true;
    }
}

// The last line says what became of the program.
static void show_dead_line(struct pane *p)
{
    struct format_context ctx = {.pane = p};
    char *text = format_expand_time(&ctx, options_string(p->options, "remain-on-exit-format"));
    if (*text == '\0')
        goto out;
    struct strbuf out = {0};
    vt_sync_release(p->vt);
    strbuf_addf(&out, "\033[?6l\033[r\033[0m\033[%u;1H\n", p->rows);
    for (const char *s = text; *s != '\0'; s++)
        if ((unsigned char)*s >= ' ' && *s != 0x7f)
            strbuf_add_char(&out, *s);
    strbuf_add_str(&out, "\033[?25l");
    vt_feed(p->vt, out.data, out.len);
    strbuf_free(&out);
out:
    free(text);
}

static void pane_finish(struct pane *p)
{
    p->close_due_us = 0;
    if (p->is_dead)
        return;
    log_debug("%%%u ended, status 0x%x", p->id, (unsigned)p->status);
    if (!keeps_dead(p)) {
        pane_kill(p);
        return;
    }
    end_program(p);
    p->is_dead = true;
    p->dead_time_us = clock_wall_us();
    show_dead_line(p);
    job_ask(p->close_job);
    frame_pane_changed(p);
    redraw_window(p->window, REDRAW_STATUS | REDRAW_BORDERS);
}

// Both the terminal's end and the status are there, or neither comes any more.
static void set_close_due(struct pane *p, int64_t wait_us)
{
    if (p->close_due_us == 0)
        p->close_due_us = clock_monotonic_us() + wait_us;
    job_ask(p->close_job);
}

static bool pane_read(struct pane *p);

void pane_note_exit(struct pane *p, int status)
{
    p->has_status = true;
    p->status = status;
    if (p->is_dead)
        return;
    // What it wrote last is in the terminal: an empty read says that all of it was taken. More than
    // a turn's worth is read in the turns that follow.
    if (p->is_eof || !pane_read(p))
        pane_finish(p);
    else
        set_close_due(p, DRAIN_US);
}

void pane_exited(pid_t pid, int status)
{
    struct pane *p;
    TAILQ_FOREACH(p, &all_panes, all_entry)
        if (p->pid == pid && !p->has_status) {
            pane_note_exit(p, status);
            return;
        }
}

// --- reading

// Once a turn's bytes were taken, not for each chunk of them.
static void after_output(struct pane *p)
{
    p->activity_us = clock_wall_us();
    frame_pane_changed(p);
    job_ask(p->sync_job);
    names_pane_changed(p);
    alerts_activity(p);
    history_total_note(p);
    if (p->has_bell) {
        p->has_bell = false;
        alerts_bell(p);
    }
}

// One turn's worth. False: there is nothing more for now (or for ever: is_eof).
static bool pane_read(struct pane *p)
{
    static char buf[READ_BYTES];
    size_t total = 0;
    bool has_more = true;
    int64_t began = clock_monotonic_us(), before = began;
    while (p->fd != -1 && total < READ_BYTES) {
        ssize_t n = read(p->fd, buf, p->read_bytes);
        if (n > 0) {
            total += (size_t)n;
            vt_feed(p->vt, buf, (size_t)n);
            int64_t now = clock_monotonic_us();
            // A few bytes can ask for much ("fill the screen" in four); they are not taken as fast.
            if (now - before > READ_SLOW_US)
                p->read_bytes = MAX_OF((size_t)n / 2, (size_t)READ_LEAST_BYTES);
            else if (now - before < READ_TURN_US)
                p->read_bytes = MIN_OF(p->read_bytes * 2, (size_t)READ_BYTES);
            before = now;
            if (now - began >= READ_TURN_US)
                break;
            continue;
        }
        if (n == -1 && errno == EINTR)
            continue;
        has_more = false;
        if (n == 0 || errno != EAGAIN)
            p->is_eof = true; // EIO: nobody has the terminal open
        break;
    }
    if (total > 0) {
        p->bytes_read += total;
        after_output(p);
    }
    if (p->is_eof)
        close_pty(p);
    return has_more && p->fd != -1;
}

static void pane_flush(struct pane *p)
{
    while (evbuffer_get_length(p->to_pty) > 0) {
        int n = evbuffer_write(p->to_pty, p->fd);
        if (n > 0)
            continue;
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            evbuffer_drain(p->to_pty, evbuffer_get_length(p->to_pty));
        break;
    }
    if (evbuffer_get_length(p->to_pty) == 0)
        p->drops_input = false;
    if (p->io != NULL)
        io_set(p->io, evbuffer_get_length(p->to_pty) > 0 ? IO_READ | IO_WRITE : IO_READ);
}

static void on_pty(int fd, unsigned events, void *arg)
{
    struct pane *p = arg;
    (void)fd;
    if (events & IO_WRITE)
        pane_flush(p);
    if (!(events & IO_READ))
        return;
    bool has_more = pane_read(p);
    if (p->has_status && !has_more)
        pane_finish(p); // may free p
    else if (p->is_eof)
        set_close_due(p, EOF_US);
}

void pane_take_master(struct pane *p, int fd)
{
    p->fd = fd;
    p->is_eof = false;
    p->io = io_add(server_jobs(), fd, IO_READ, "pane", on_pty, p);
    pane_flush(p);
    p->needs_resize = p->pty_cols != p->cols || p->pty_rows != p->rows;
    job_ask(p->resize_job);
}

// --- writing

void pane_write(struct pane *p, const void *data, size_t len)
{
    // While it is being started what is typed waits for it.
    if (len == 0 || (p->fd == -1 && p->spawning == NULL))
        return;
    if (p->needs_resize)
        resize_run(p); // who typed this has seen the new size
    size_t waiting = evbuffer_get_length(p->to_pty);
    if (waiting + len > TO_PTY_MOST) {
        if (p->drops_input)
            return;
        p->drops_input = true;
        log_debug("%%%u does not read its input: %zu bytes dropped", p->id, len);
        struct client *c;
        TAILQ_FOREACH(c, &all_clients, entry)
            if (c->is_attached && c->session != NULL && pane_is_visible(p) &&
                c->session->current->window == p->window)
                client_message(c, -1, "%%%u does not read its input: %zu bytes dropped", p->id,
                               len);
        return;
    }
    if (waiting == 0 && p->fd != -1) {
        ssize_t n = write(p->fd, data, len);
        if (n == (ssize_t)len)
            return;
        if (n > 0) {
            data = (const char *)data + n;
            len -= (size_t)n;
        }
    }
    evbuffer_add(p->to_pty, data, len);
    if (p->io != NULL)
        io_set(p->io, IO_READ | IO_WRITE);
}

size_t pane_write_room(const struct pane *p)
{
    size_t waiting = evbuffer_get_length(p->to_pty);
    return waiting >= TO_PTY_MOST ? 0 : TO_PTY_MOST - waiting;
}

void pane_send_key(struct pane *p, key_code key)
{
    struct strbuf out = {0};
    vt_encode_key(p->vt, key, &out);
    pane_write(p, out.data, out.len);
    strbuf_free(&out);
}

// --- what is shown

void pane_view(struct pane *p, struct view *out)
{
    if (p->mode != NULL)
        p->mode->mode->view(p->mode, out);
    else
        vt_view(p->vt, out);
}

void pane_resize(struct pane *p, unsigned cols, unsigned rows)
{
    cols = MAX_OF(cols, 1u);
    rows = MAX_OF(rows, 1u);
    if (p->cols == cols && p->rows == rows)
        return;
    p->cols = cols;
    p->rows = rows;
    vt_resize(p->vt, cols, rows);
    vt_set_pixel_size(p->vt, cols * p->window->xpixel, rows * p->window->ypixel);
    for (struct pane_mode_entry *e = p->mode; e != NULL; e = e->below)
        if (e->mode->resize != NULL)
            e->mode->resize(e, cols, rows);
    p->needs_resize = true;
    job_ask(p->resize_job);
    job_ask(p->sync_job);
    job_ask(p->reflow_job);
    frame_pane_changed(p);
}

bool pane_is_visible(const struct pane *p)
{
    struct client *c;
    if (p->window->is_zoomed && p->window->active != p)
        return false;
    TAILQ_FOREACH(c, &all_clients, entry)
        if (c->is_attached && c->session != NULL && c->session->current != NULL &&
            c->session->current->window == p->window)
            return true;
    return false;
}
