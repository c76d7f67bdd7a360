// The loop of a process: descriptors it watches, jobs with due times, latches, and one timer.
//
// A job is a row: name, due() and run(). The queue keeps the earliest due time and arms one
// timerfd for it; with nothing due no timer is armed and the process sleeps until a descriptor
// speaks. Nothing outside jobs.c arms a timer, in any form.
//
// A latch is a flag with an edge. Raising it while it is up costs one load and one branch; going
// up asks its job for a due time again. The job lowers it *before* reading what changed.
#ifndef AMUX_COMMON_JOBS_H
#define AMUX_COMMON_JOBS_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

struct event_base;
struct job_queue;
struct job;
struct io;

enum due_clock {
    DUE_NEVER,
    DUE_MONOTONIC, // at_us counts CLOCK_MONOTONIC
    DUE_WALL,      // at_us counts CLOCK_REALTIME: follows the clock when it is set
};
struct due {
    enum due_clock clock;
    int64_t at_us;
};
#define due_never() ((struct due){DUE_NEVER, 0})
#define due_at(us) ((struct due){DUE_MONOTONIC, (us)})
#define due_at_wall(us) ((struct due){DUE_WALL, (us)})

// One row of a process's job table. Static data. due() is pure and cheap; it may be called at any
// moment. now_us is monotonic. run() is called from the loop, never from job_ask().
struct job_spec {
    const char *name;
    struct due (*due)(const void *state, int64_t now_us);
    void (*run)(void *state);
};

// The process's queue; one a process. It owns the event base and the timer.
struct job_queue *jobs_new(void);
void jobs_free(struct job_queue *q);
struct event_base *jobs_event_base(struct job_queue *q);

// An instance of a row for one object (a pane, a client, the server). `state` is passed to due and
// run and must outlive the job. `spec` is static.
struct job *job_add(struct job_queue *q, const struct job_spec *spec, void *state);
void job_remove(struct job *job); // NULL is allowed; safe from inside its own run()
// Calls due() again and re-arms. To be called whenever what due() looks at may have changed.
void job_ask(struct job *job);

struct latch {
    bool is_up;
    struct job *job; // asked when the latch goes up; may be NULL
};
void latch_went_up(struct latch *l);
static inline void latch_raise(struct latch *l)
{
    if (!l->is_up)
        latch_went_up(l);
}
// Lowers the latch and returns whether it was up.
static inline bool latch_lower(struct latch *l)
{
    bool was_up = l->is_up;
    l->is_up = false;
    return was_up;
}

// A watched descriptor. `name` (static text) is whose turn it was in the statistics.
enum io_events { IO_READ = 1, IO_WRITE = 2 };
typedef void (*io_fn)(int fd, unsigned events, void *arg);
struct io *io_add(struct job_queue *q, int fd, unsigned events, const char *name, io_fn fn, void *arg);
void io_set(struct io *io, unsigned events); // 0 pauses it; cheap when nothing changes
unsigned io_get(const struct io *io);
// Input that must be read before everything else in a turn (clients' keys).
void io_set_urgent(struct io *io);
void io_remove(struct io *io); // NULL is allowed; safe from inside its own callback; does not close
// Signals as loop events.
struct io *io_add_signal(struct job_queue *q, int signo, const char *name, io_fn fn, void *arg);

// Runs until jobs_stop(). Each turn: descriptors that are ready, then jobs that are due. Jobs that
// stay due run again in the next turn, which then does not sleep.
void jobs_loop(struct job_queue *q);
void jobs_stop(struct job_queue *q);
// After fork in a child that goes on using the queue (the server when it daemonises).
void jobs_reinit_after_fork(struct job_queue *q);

struct job_stats {
    const char *name;
    bool is_armed;
    int64_t due_in_us; // when armed; may be negative
    uint64_t runs;
    unsigned instances;
    int64_t longest_us;
};
struct loop_stats {
    uint64_t wakeups;        // returns from a wait that slept
    uint64_t timer_wakeups;
    uint64_t clock_changes;  // timer reads that said the wall clock was set
    int64_t longest_turn_us;
    const char *longest_whose;
    // Found by the watcher (AMUX_DEBUG_JOBS=1): jobs whose due() asked for an earlier time than was
    // armed, three looks in a row; and the name of the last.
    uint64_t stuck;
    const char *stuck_whose;
};
// One entry a row name (instances added up; the earliest due shown). Returns how many were filled.
size_t jobs_stats(struct job_queue *q, struct job_stats *out, size_t max);
void loop_stats(struct job_queue *q, struct loop_stats *out);
void loop_stats_reset(struct job_queue *q);
// The wakeup that the caller's own request caused is taken back (show-jobs asks so).
void loop_stats_uncount_wakeup(struct job_queue *q);
// Microseconds since this turn began: slices ask it to stay under TURN_LIMIT_US.
int64_t loop_turn_us(struct job_queue *q);
#define TURN_LIMIT_US 5000

#endif
