// Jobs, latches and the loop.
#include "config.h"

#include <check.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/jobs.h"
#include "common/util.h"

struct counter {
    struct job_queue *q;
    struct job *job;
    struct latch latch;
    int64_t due_us; // 0: never
    unsigned runs, asks, stop_after;
    bool stays_due;
};

static struct due counter_due(const void *state, int64_t now)
{
    const struct counter *c = state;
    (void)now;
    ((struct counter *)(uintptr_t)c)->asks++;
    return c->due_us == 0 && !c->latch.is_up ? due_never() : due_at(c->due_us);
}

static void counter_run(void *state)
{
    struct counter *c = state;
    c->runs++;
    latch_lower(&c->latch);
    if (!c->stays_due)
        c->due_us = 0;
    if (c->runs >= c->stop_after)
        jobs_stop(c->q);
}

static const struct job_spec counter_spec = {"counter", counter_due, counter_run};

START_TEST(a_due_job_runs_once_and_not_before_its_time)
{
    struct counter c = {.q = jobs_new(), .stop_after = 1};
    int64_t start = clock_monotonic_us();
    c.due_us = start + 20000;
    c.job = job_add(c.q, &counter_spec, &c);
    jobs_loop(c.q);
    ck_assert_int_ge(clock_monotonic_us(), start + 20000);
    ck_assert_uint_eq(c.runs, 1);
    struct loop_stats st;
    loop_stats(c.q, &st);
    ck_assert_uint_eq(st.timer_wakeups, 1);
    jobs_free(c.q);
}
END_TEST

START_TEST(jobs_run_in_the_order_of_their_due_times)
{
    struct job_queue *q = jobs_new();
    struct counter c[50];
    int64_t now = clock_monotonic_us();
    for (unsigned i = 0; i < 50; i++) {
        c[i] = (struct counter){.q = q, .stop_after = i == 49 ? 1 : 100};
        c[i].due_us = now + 1000 + (int64_t)((i * 37) % 50) * 100 + (i == 49 ? 20000 : 0);
        c[i].job = job_add(q, &counter_spec, &c[i]);
    }
    for (unsigned i = 0; i < 49; i += 2) // taken out of the middle of the heap
        job_remove(c[i].job);
    jobs_loop(q);
    for (unsigned i = 0; i < 50; i++)
        ck_assert_uint_eq(c[i].runs, i % 2);
    jobs_free(q);
}
END_TEST

START_TEST(raising_a_latch_that_is_up_asks_nobody)
{
    struct counter c = {.q = jobs_new(), .stop_after = 1};
    c.job = job_add(c.q, &counter_spec, &c);
    c.latch.job = c.job;
    unsigned asks = c.asks;
    for (unsigned i = 0; i < 1000; i++)
        latch_raise(&c.latch);
    ck_assert_uint_eq(c.asks, asks + 1);
    jobs_loop(c.q);
    ck_assert(!c.latch.is_up);
    jobs_free(c.q);
}
END_TEST

START_TEST(a_job_that_stays_due_does_not_starve_the_others)
{
    struct job_queue *q = jobs_new();
    struct counter busy = {.q = q, .stop_after = 1000000, .stays_due = true, .due_us = 1};
    struct counter other = {.q = q, .stop_after = 1, .due_us = clock_monotonic_us() + 3000};
    busy.job = job_add(q, &counter_spec, &busy);
    other.job = job_add(q, &counter_spec, &other);
    jobs_loop(q);
    ck_assert_uint_eq(other.runs, 1);
    ck_assert_uint_gt(busy.runs, 10);
    jobs_free(q);
}
END_TEST

static void remove_self(void *state)
{
    struct counter *c = state;
    c->runs++;
    job_remove(c->job);
    jobs_stop(c->q);
}

START_TEST(a_job_may_remove_itself_while_it_runs)
{
    static const struct job_spec spec = {"gone", counter_due, remove_self};
    struct counter c = {.q = jobs_new(), .due_us = 1};
    c.job = job_add(c.q, &spec, &c);
    jobs_loop(c.q);
    ck_assert_uint_eq(c.runs, 1);
    struct job_stats st[4];
    ck_assert_uint_eq(jobs_stats(c.q, st, 4), 1);
    ck_assert_uint_eq(st[0].instances, 0);
    ck_assert_uint_eq(st[0].runs, 1);
    jobs_free(c.q);
}
END_TEST

static void on_pipe(int fd, unsigned events, void *arg)
{
    struct counter *c = arg;
    char buf[16];
    ck_assert_uint_eq(events, IO_READ);
    ck_assert_int_eq(read(fd, buf, sizeof buf), 1);
    if (++c->runs == 3)
        jobs_stop(c->q);
}

START_TEST(an_idle_loop_wakes_only_for_its_descriptors)
{
    struct counter c = {.q = jobs_new()}, idle = {.q = c.q};
    int fds[2];
    ck_assert_int_eq(pipe(fds), 0);
    struct io *io = io_add(c.q, fds[0], IO_READ, "pipe", on_pipe, &c);
    idle.job = job_add(c.q, &counter_spec, &idle);
    pid_t pid = fork();
    if (pid == 0) {
        for (unsigned i = 0; i < 3; i++) {
            usleep(20000);
            if (write(fds[1], "x", 1) != 1)
                _exit(1);
        }
        _exit(0);
    }
    jobs_loop(c.q);
    struct loop_stats st;
    loop_stats(c.q, &st);
    ck_assert_uint_eq(st.wakeups, 3);
    ck_assert_uint_eq(st.timer_wakeups, 0);
    ck_assert_uint_eq(idle.runs, 0);
    io_remove(io);
    jobs_free(c.q);
}
END_TEST

static struct due wall_due(const void *state, int64_t now)
{
    const struct counter *c = state;
    (void)now;
    return c->due_us == 0 ? due_never() : due_at_wall(c->due_us);
}

START_TEST(wall_clock_times_are_kept)
{
    static const struct job_spec spec = {"wall", wall_due, counter_run};
    struct counter c = {.q = jobs_new(), .stop_after = 1};
    c.due_us = clock_wall_us() + 15000;
    int64_t due = c.due_us;
    c.job = job_add(c.q, &spec, &c);
    jobs_loop(c.q);
    ck_assert_int_ge(clock_wall_us(), due);
    jobs_free(c.q);
}
END_TEST

START_TEST(the_watcher_finds_a_job_that_nobody_asked_again)
{
    setenv("AMUX_DEBUG_JOBS", "1", 1);
    struct job_queue *q = jobs_new();
    unsetenv("AMUX_DEBUG_JOBS");
    struct counter forgotten = {.q = q, .stop_after = 100};
    struct counter end = {.q = q, .stop_after = 1, .due_us = clock_monotonic_us() + 600000};
    forgotten.job = job_add(q, &counter_spec, &forgotten);
    end.job = job_add(q, &counter_spec, &end);
    forgotten.due_us = 1; // changed without job_ask
    jobs_loop(q);
    struct loop_stats st;
    loop_stats(q, &st);
    ck_assert_uint_eq(st.stuck, 1);
    ck_assert_str_eq(st.stuck_whose, "counter");
    jobs_free(q);
}
END_TEST

int main(void)
{
    unsetenv("AMUX_DEBUG_JOBS"); // the watcher would wake the loops under test
    Suite *s = suite_create("jobs");
    TCase *t = tcase_create("jobs");
    tcase_add_test(t, a_due_job_runs_once_and_not_before_its_time);
    tcase_add_test(t, jobs_run_in_the_order_of_their_due_times);
    tcase_add_test(t, raising_a_latch_that_is_up_asks_nobody);
    tcase_add_test(t, a_job_that_stays_due_does_not_starve_the_others);
    tcase_add_test(t, a_job_may_remove_itself_while_it_runs);
    tcase_add_test(t, an_idle_loop_wakes_only_for_its_descriptors);
    tcase_add_test(t, wall_clock_times_are_kept);
    tcase_add_test(t, the_watcher_finds_a_job_that_nobody_asked_again);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
