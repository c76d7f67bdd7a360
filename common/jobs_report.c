// The jobs and the loop of a process as JSON.
#include "config.h"

#include "common/jobs_report.h"

#include <stdlib.h>

#include "common/jobs.h"
#include "common/util.h"

#define ROWS_MAX 256u

static json_t *text_or_null(const char *text)
{
    return text != NULL ? json_string(text) : json_null();
}

json_t *jobs_report(struct job_queue *q)
{
    struct job_stats *stats = xcalloc(ROWS_MAX, sizeof *stats);
    size_t n = jobs_stats(q, stats, ROWS_MAX);
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *due = stats[i].is_armed ? json_integer(stats[i].due_in_us) : json_null();
        json_array_append_new(rows, json_pack("{s:s, s:i, s:b, s:o, s:I, s:I}", "name", stats[i].name,
                                              "instances", (int)stats[i].instances, "armed",
                                              stats[i].is_armed, "due_in_us", due, "runs",
                                              (json_int_t)stats[i].runs, "longest_us",
                                              (json_int_t)stats[i].longest_us));
    }
    free(stats);

    struct loop_stats loop;
    loop_stats(q, &loop);
    json_t *totals = json_object();
    json_object_set_new(totals, "wakeups", json_integer((json_int_t)loop.wakeups));
    json_object_set_new(totals, "timer_wakeups", json_integer((json_int_t)loop.timer_wakeups));
    json_object_set_new(totals, "clock_changes", json_integer((json_int_t)loop.clock_changes));
    json_object_set_new(totals, "longest_turn_us", json_integer(loop.longest_turn_us));
    json_object_set_new(totals, "longest_whose", text_or_null(loop.longest_whose));
    json_object_set_new(totals, "stuck", json_integer((json_int_t)loop.stuck));
    json_object_set_new(totals, "stuck_whose", text_or_null(loop.stuck_whose));

    json_t *root = json_object();
    json_object_set_new(root, "jobs", rows);
    json_object_set_new(root, "loop", totals);
    return root;
}
