// Programs that were told to end: SIGHUP, a grace time, SIGKILL.
#include "config.h"

#include "server/model/ending.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/queue.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/jobs.h"
#include "common/log.h"
#include "common/util.h"

struct ending {
    pid_t pid;
    bool is_reaped;
    pid_t foreground;
    int foreground_fd; // pidfd of its leader; -1: none
    int64_t due_us;
    TAILQ_ENTRY(ending) entry; // by due time, as the grace is the same for all
};
static TAILQ_HEAD(, ending) endings = TAILQ_HEAD_INITIALIZER(endings);
static struct job *kill_job;
static void (*empty_fn)(void);

static struct due kill_due(const void *state, int64_t now_us)
{
    (void)state, (void)now_us;
    const struct ending *e = TAILQ_FIRST(&endings);
    return e == NULL ? due_never() : due_at(e->due_us);
}

static bool is_there(int pidfd)
{
    struct pollfd p = {.fd = pidfd, .events = POLLIN};
    return poll(&p, 1, 0) == 0; // a pidfd becomes readable when its process ends
}

static void ending_free(struct ending *e)
{
    TAILQ_REMOVE(&endings, e, entry);
    if (e->foreground_fd != -1)
        close(e->foreground_fd);
    free(e);
    if (TAILQ_EMPTY(&endings) && empty_fn != NULL)
        empty_fn();
}

static void kill_run(void *state)
{
    (void)state;
    int64_t now = clock_monotonic_us();
    struct ending *e;
    while ((e = TAILQ_FIRST(&endings)) != NULL && e->due_us <= now) {
        if (e->foreground_fd != -1 && is_there(e->foreground_fd) &&
            getpgid(e->foreground) == e->foreground)
            kill(-e->foreground, SIGKILL);
        if (!e->is_reaped) {
            log_debug("process %ld did not end by itself: killed", (long)e->pid);
            if (kill(-e->pid, SIGKILL) != 0)
                kill(e->pid, SIGKILL);
        }
        ending_free(e);
    }
}

static const struct job_spec kill_spec = {"kill grace", kill_due, kill_run};

void ending_begin(struct job_queue *q, pid_t pid, pid_t foreground)
{
    if (pid <= 1)
        return;
    struct ending *e = xcalloc(1, sizeof *e);
    e->pid = pid;
    e->foreground = foreground > 1 && foreground != pid ? foreground : -1;
    e->foreground_fd = -1;
#ifdef SYS_pidfd_open
    if (e->foreground != -1)
        e->foreground_fd = (int)syscall(SYS_pidfd_open, e->foreground, 0);
#endif
    // Until the child has made its own group (it may not have run yet) there is only the process.
    if (kill(-pid, SIGHUP) != 0)
        kill(pid, SIGHUP);
    kill(-pid, SIGCONT); // a stopped program cannot act on the hang-up
    if (e->foreground != -1) {
        kill(-e->foreground, SIGHUP);
        kill(-e->foreground, SIGCONT);
    }
    e->due_us = clock_monotonic_us() + ENDING_GRACE_US;
    TAILQ_INSERT_TAIL(&endings, e, entry);
    if (kill_job == NULL)
        kill_job = job_add(q, &kill_spec, NULL);
    else
        job_ask(kill_job);
}

void ending_reaped(pid_t pid)
{
    struct ending *e, *next;
    for (e = TAILQ_FIRST(&endings); e != NULL; e = next) {
        next = TAILQ_NEXT(e, entry);
        if (e->is_reaped || e->pid != pid)
            continue;
        e->is_reaped = true;
        // The leader is gone; a foreground program that outlives it keeps its own deadline.
        if (e->foreground_fd == -1 || !is_there(e->foreground_fd))
            ending_free(e);
    }
    job_ask(kill_job);
}

bool ending_is_waiting(void)
{
    return !TAILQ_EMPTY(&endings);
}

void ending_on_empty(void (*fn)(void))
{
    empty_fn = fn;
}
