// The jobs and the loop of a process as JSON, as show-jobs -J prints them.
#ifndef AMUX_COMMON_JOBS_REPORT_H
#define AMUX_COMMON_JOBS_REPORT_H

#include <jansson.h>

struct job_queue;

// {"jobs": [{name, instances, armed, due_in_us, runs, longest_us}], "loop": {wakeups,
// timer_wakeups, clock_changes, longest_turn_us, longest_whose, stuck, stuck_whose}}. Owned by the
// caller.
json_t *jobs_report(struct job_queue *q);

#endif
