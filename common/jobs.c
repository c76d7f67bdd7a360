// The loop of a process: descriptors, jobs with due times, latches, and the one timer.
//
// The timer is a timerfd on the wall clock, absolute, cancelled by the kernel when that clock is
// set or the machine resumes: then every job is asked again, so times of day are right at once.
#include "config.h"

#include "common/jobs.h"

#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "common/log.h"
#include "common/util.h"

#define NOT_DUE INT64_MAX
#define WATCH_INTERVAL_US 100000
#define WATCH_LOOKS 3

enum { PRIORITY_URGENT, PRIORITY_NORMAL, N_PRIORITIES };

// Statistics of a row; they outlive its instances.
struct job_row {
    const struct job_spec *spec;
    uint64_t runs;
    int64_t longest_us;
};

struct job {
    struct job_queue *queue;
    const struct job_spec *spec;
    void *state;
    size_t row;
    int64_t due_us;      // monotonic; NOT_DUE
    size_t at;           // place in the heap
    uint64_t ran_in_turn;
    unsigned missed_looks;
};

struct io {
    struct job_queue *queue;
    struct event *event;
    const char *name;
    io_fn fn;
    void *arg;
    int fd;
    unsigned events;
    bool is_signal;
    bool is_urgent;
};

struct job_queue {
    struct event_base *base;
    struct event *timer_event;
    int timer_fd;
    int64_t armed_us; // monotonic due time the timer is set for; NOT_DUE: it is not armed
    struct job **heap; // earliest first
    size_t n_jobs, heap_cap;
    struct job_row *rows;
    size_t n_rows;
    struct job *running;
    bool is_stopped;
    bool is_watched;
    int64_t next_watch_us;
    uint64_t turn;
    int64_t turn_start_us; // 0: between turns
    int64_t turn_worst_us; // longest single callback of this turn, and whose
    const char *turn_whose;
    struct loop_stats stats;
};

// --- the heap

static void heap_place(struct job_queue *q, struct job *job, size_t at)
{
    q->heap[at] = job;
    job->at = at;
}

static void heap_sift(struct job_queue *q, struct job *job)
{
    size_t at = job->at;
    while (at > 0 && job->due_us < q->heap[(at - 1) / 2]->due_us) {
        heap_place(q, q->heap[(at - 1) / 2], at);
        at = (at - 1) / 2;
    }
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= q->n_jobs)
            break;
        if (child + 1 < q->n_jobs && q->heap[child + 1]->due_us < q->heap[child]->due_us)
            child++;
        if (job->due_us <= q->heap[child]->due_us)
            break;
        heap_place(q, q->heap[child], at);
        at = child;
    }
    heap_place(q, job, at);
}

static int64_t earliest_due(const struct job_queue *q)
{
    return q->n_jobs == 0 ? NOT_DUE : q->heap[0]->due_us;
}

// --- turns and their statistics

static void turn_enter(struct job_queue *q, int64_t now)
{
    if (q->turn_start_us == 0) {
        q->turn++;
        q->turn_start_us = now;
        q->turn_worst_us = -1;
    }
}

static void turn_note(struct job_queue *q, const char *whose, int64_t spent)
{
    if (spent > q->turn_worst_us) {
        q->turn_worst_us = spent;
        q->turn_whose = whose;
    }
}

static void turn_leave(struct job_queue *q)
{
    if (q->turn_start_us == 0)
        return;
    int64_t spent = clock_monotonic_us() - q->turn_start_us;
    if (spent > q->stats.longest_turn_us) {
        q->stats.longest_turn_us = spent;
        q->stats.longest_whose = q->turn_whose;
    }
    if (spent > TURN_LIMIT_US)
        log_debug("turn of %lld us, most of it in %s", (long long)spent, q->turn_whose);
    q->turn_start_us = 0;
}

int64_t loop_turn_us(struct job_queue *q)
{
    return q->turn_start_us == 0 ? 0 : clock_monotonic_us() - q->turn_start_us;
}

// --- jobs

static int64_t due_to_monotonic(struct due due, int64_t now)
{
    switch (due.clock) {
    case DUE_NEVER:
        break;
    case DUE_MONOTONIC:
        return due.at_us;
    case DUE_WALL:
        return now + (due.at_us - clock_wall_us());
    }
    return NOT_DUE;
}

void job_ask(struct job *job)
{
    if (job == NULL)
        return;
    int64_t now = clock_monotonic_us();
    job->due_us = due_to_monotonic(job->spec->due(job->state, now), now);
    job->missed_looks = 0;
    heap_sift(job->queue, job);
}

static size_t row_of(struct job_queue *q, const struct job_spec *spec)
{
    for (size_t i = 0; i < q->n_rows; i++)
        if (q->rows[i].spec == spec)
            return i;
    q->rows = xreallocarray(q->rows, q->n_rows + 1, sizeof *q->rows);
    q->rows[q->n_rows] = (struct job_row){.spec = spec};
    return q->n_rows++;
}

struct job *job_add(struct job_queue *q, const struct job_spec *spec, void *state)
{
    struct job *job = xcalloc(1, sizeof *job);
    *job = (struct job){.queue = q, .spec = spec, .state = state, .due_us = NOT_DUE};
    job->row = row_of(q, spec);
    if (q->n_jobs == q->heap_cap) {
        q->heap_cap = q->heap_cap == 0 ? 32 : q->heap_cap * 2;
        q->heap = xreallocarray(q->heap, q->heap_cap, sizeof *q->heap);
    }
    heap_place(q, job, q->n_jobs++);
    job_ask(job);
    return job;
}

void job_remove(struct job *job)
{
    if (job == NULL)
        return;
    struct job_queue *q = job->queue;
    struct job *last = q->heap[--q->n_jobs];
    if (last != job) {
        heap_place(q, last, job->at);
        heap_sift(q, last);
    }
    if (q->running == job)
        q->running = NULL;
    free(job);
}

void latch_went_up(struct latch *l)
{
    l->is_up = true;
    job_ask(l->job);
}

static void run_job(struct job_queue *q, struct job *job)
{
    struct job_row *row = &q->rows[job->row];
    const char *name = row->spec->name;
    size_t row_at = job->row;
    row->runs++;
    job->ran_in_turn = q->turn;
    q->running = job;
    int64_t before = clock_monotonic_us();
    job->spec->run(job->state);
    int64_t spent = clock_monotonic_us() - before;
    row = &q->rows[row_at]; // rows may have been added meanwhile
    row->longest_us = MAX_OF(row->longest_us, spent);
    turn_note(q, name, spent);
    if (q->running == job)
        job_ask(job);
    q->running = NULL;
}

// Runs what is due, each instance at most once a turn, until the turn is used up.
static void run_due_jobs(struct job_queue *q)
{
    int64_t now = clock_monotonic_us();
    while (!q->is_stopped && earliest_due(q) <= now) {
        turn_enter(q, now);
        struct job *job = q->heap[0];
        if (job->ran_in_turn == q->turn) {
            // It is due again already: others that are due come first, it runs in the next turn.
            struct job *other = NULL;
            for (size_t i = 1; i < q->n_jobs; i++)
                if (q->heap[i]->due_us <= now && q->heap[i]->ran_in_turn != q->turn &&
                    (other == NULL || q->heap[i]->due_us < other->due_us))
                    other = q->heap[i];
            if (other == NULL)
                break;
            job = other;
        }
        run_job(q, job);
        if (loop_turn_us(q) >= TURN_LIMIT_US)
            break;
        now = clock_monotonic_us();
    }
}

static void ask_all(struct job_queue *q)
{
    int64_t now = clock_monotonic_us();
    for (size_t i = 0; i < q->n_jobs; i++) {
        struct job *job = q->heap[i];
        job->due_us = due_to_monotonic(job->spec->due(job->state, now), now);
    }
    // Any order of sifting down from the last parent makes a heap.
    for (size_t i = q->n_jobs; i-- > 0;)
        heap_sift(q, q->heap[i]);
}

// A job that was not asked again after a change would sleep on: find it by asking everybody.
static void watch_jobs(struct job_queue *q, int64_t now)
{
    q->next_watch_us = now + WATCH_INTERVAL_US;
    for (size_t i = 0; i < q->n_jobs; i++) {
        struct job *job = q->heap[i];
        int64_t due = due_to_monotonic(job->spec->due(job->state, now), now);
        if (due >= job->due_us || job->due_us - due < 1000) {
            job->missed_looks = 0;
            continue;
        }
        if (++job->missed_looks == WATCH_LOOKS) {
            q->stats.stuck++;
            q->stats.stuck_whose = job->spec->name;
            log_debug("job %s is due %lld us earlier than it is armed for", job->spec->name,
                      (long long)(job->due_us == NOT_DUE ? -1 : job->due_us - due));
        }
    }
}

// --- the timer

static void timer_arm(struct job_queue *q)
{
    int64_t want = earliest_due(q);
    if (q->is_watched)
        want = MIN_OF(want, q->next_watch_us);
    if (want == q->armed_us)
        return;
    struct itimerspec spec = {0};
    if (want != NOT_DUE) {
        // A microsecond later, so that rounding never wakes the loop before the job is due.
        int64_t wall = clock_wall_us() + (want - clock_monotonic_us()) + 1;
        if (wall < 1)
            wall = 1;
        spec.it_value.tv_sec = (time_t)(wall / 1000000);
        spec.it_value.tv_nsec = (long)(wall % 1000000) * 1000;
    }
    if (timerfd_settime(q->timer_fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &spec, NULL) != 0)
        log_debug("timerfd_settime: %s", strerror(errno));
    q->armed_us = want;
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct job_queue *q = arg;
    (void)what;
    uint64_t expirations;
    turn_enter(q, clock_monotonic_us());
    q->stats.timer_wakeups++;
    q->armed_us = NOT_DUE;
    if (read(fd, &expirations, sizeof expirations) < 0 && errno == ECANCELED) {
        q->stats.clock_changes++;
        ask_all(q);
    }
}

static void timer_open(struct job_queue *q)
{
    q->timer_fd = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    if (q->timer_fd == -1)
        fatal("timerfd_create: %s", strerror(errno));
    q->armed_us = NOT_DUE;
    q->timer_event = event_new(q->base, q->timer_fd, EV_READ | EV_PERSIST, on_timer, q);
    if (q->timer_event == NULL || event_add(q->timer_event, NULL) != 0)
        fatal("cannot watch the timer");
}

// --- the queue

struct job_queue *jobs_new(void)
{
    struct job_queue *q = xcalloc(1, sizeof *q);
    struct event_config *config = event_config_new();
    // The loop's own clock is read where it is needed; libevent need not.
    event_config_set_flag(config, EVENT_BASE_FLAG_NO_CACHE_TIME);
    q->base = event_base_new_with_config(config);
    event_config_free(config);
    if (q->base == NULL)
        fatal("libevent: no event base");
    event_base_priority_init(q->base, N_PRIORITIES);
    const char *watched = getenv("AMUX_DEBUG_JOBS");
    q->is_watched = watched != NULL && strcmp(watched, "1") == 0;
    timer_open(q);
    return q;
}

void jobs_free(struct job_queue *q)
{
    if (q == NULL)
        return;
    while (q->n_jobs > 0)
        job_remove(q->heap[q->n_jobs - 1]);
    event_free(q->timer_event);
    close(q->timer_fd);
    event_base_free(q->base);
    free(q->heap);
    free(q->rows);
    free(q);
}

struct event_base *jobs_event_base(struct job_queue *q)
{
    return q->base;
}

void jobs_reinit_after_fork(struct job_queue *q)
{
    event_free(q->timer_event);
    close(q->timer_fd);
    if (event_reinit(q->base) != 0)
        fatal("libevent: cannot go on after fork");
    timer_open(q);
}

void jobs_stop(struct job_queue *q)
{
    q->is_stopped = true;
    event_base_loopbreak(q->base);
}

void jobs_loop(struct job_queue *q)
{
    q->is_stopped = false;
    while (!q->is_stopped) {
        int64_t now = clock_monotonic_us();
        if (q->is_watched && q->next_watch_us <= now)
            watch_jobs(q, now);
        bool sleeps = earliest_due(q) > now;
        if (sleeps)
            timer_arm(q);
        turn_leave(q);
        event_base_loop(q->base, EVLOOP_ONCE | (sleeps ? 0 : EVLOOP_NONBLOCK));
        if (sleeps)
            q->stats.wakeups++;
        run_due_jobs(q);
    }
    turn_leave(q);
}

// --- descriptors

static void on_io(evutil_socket_t fd, short what, void *arg)
{
    struct io *io = arg;
    struct job_queue *q = io->queue;
    const char *name = io->name;
    unsigned events = io->is_signal ? IO_READ : 0;
    if ((what & EV_READ) != 0)
        events |= IO_READ;
    if ((what & EV_WRITE) != 0)
        events |= IO_WRITE;
    int64_t before = clock_monotonic_us();
    turn_enter(q, before);
    io->fn((int)fd, events, io->arg); // may remove io
    turn_note(q, name, clock_monotonic_us() - before);
}

static void io_apply(struct io *io)
{
    if (event_initialized(io->event))
        event_del(io->event);
    short what = EV_PERSIST;
    if ((io->events & IO_READ) != 0)
        what |= EV_READ;
    if ((io->events & IO_WRITE) != 0)
        what |= EV_WRITE;
    event_assign(io->event, io->queue->base, io->fd, what, on_io, io);
    event_priority_set(io->event, io->is_urgent ? PRIORITY_URGENT : PRIORITY_NORMAL);
    if (io->events != 0 && event_add(io->event, NULL) != 0)
        log_debug("cannot watch descriptor %d (%s)", io->fd, io->name);
}

struct io *io_add(struct job_queue *q, int fd, unsigned events, const char *name, io_fn fn, void *arg)
{
    struct io *io = xcalloc(1, sizeof *io);
    *io = (struct io){.queue = q, .name = name, .fn = fn, .arg = arg, .fd = fd, .events = events};
    io->event = xcalloc(1, event_get_struct_event_size());
    io_apply(io);
    return io;
}

void io_set(struct io *io, unsigned events)
{
    if (io->events == events)
        return;
    io->events = events;
    io_apply(io);
}

unsigned io_get(const struct io *io)
{
    return io->events;
}

void io_set_urgent(struct io *io)
{
    io->is_urgent = true;
    io_apply(io);
}

struct io *io_add_signal(struct job_queue *q, int signo, const char *name, io_fn fn, void *arg)
{
    struct io *io = xcalloc(1, sizeof *io);
    *io = (struct io){.queue = q, .name = name, .fn = fn, .arg = arg, .fd = signo, .is_signal = true};
    io->event = xcalloc(1, event_get_struct_event_size());
    evsignal_assign(io->event, q->base, signo, on_io, io);
    if (event_add(io->event, NULL) != 0)
        fatal("cannot watch signal %d", signo);
    return io;
}

void io_remove(struct io *io)
{
    if (io == NULL)
        return;
    event_del(io->event);
    free(io->event);
    free(io);
}

// --- statistics

size_t jobs_stats(struct job_queue *q, struct job_stats *out, size_t max)
{
    int64_t now = clock_monotonic_us();
    size_t n = MIN_OF(q->n_rows, max);
    for (size_t i = 0; i < n; i++)
        out[i] = (struct job_stats){.name = q->rows[i].spec->name,
                                    .runs = q->rows[i].runs,
                                    .longest_us = q->rows[i].longest_us};
    for (size_t i = 0; i < q->n_jobs; i++) {
        const struct job *job = q->heap[i];
        if (job->row >= n)
            continue;
        struct job_stats *s = &out[job->row];
        s->instances++;
        if (job->due_us != NOT_DUE && (!s->is_armed || job->due_us - now < s->due_in_us)) {
            s->is_armed = true;
            s->due_in_us = job->due_us - now;
        }
    }
    return n;
}

void loop_stats(struct job_queue *q, struct loop_stats *out)
{
    *out = q->stats;
}

void loop_stats_reset(struct job_queue *q)
{
    q->stats = (struct loop_stats){0};
}

void loop_stats_uncount_wakeup(struct job_queue *q)
{
    if (q->stats.wakeups > 0)
        q->stats.wakeups--;
}
