// Programs that were told to end: hung up now, killed after a grace time if they are still there.
#ifndef AMUX_SERVER_MODEL_ENDING_H
#define AMUX_SERVER_MODEL_ENDING_H

#include <stdbool.h>
#include <sys/types.h>

struct job_queue;

#define ENDING_GRACE_US 3000000

// Hangs up the session leader `pid` (a child of this process, not yet reaped) with its group, and
// the group `foreground` (0 or -1: none). What is left after ENDING_GRACE_US gets SIGKILL; a signal
// is only ever sent while the process it was meant for is known to be there, so that a number used
// again hits nobody.
void ending_begin(struct job_queue *q, pid_t pid, pid_t foreground);
// From SIGCHLD: pid was reaped.
void ending_reaped(pid_t pid);
// Whether programs are still awaited.
bool ending_is_waiting(void);
// Called whenever the last one has gone.
void ending_on_empty(void (*fn)(void));

#endif
