// #(command) in formats: shell commands run beside the loop, and the last line each printed.
#ifndef AMUX_SERVER_PUSH_STATUS_JOBS_H
#define AMUX_SERVER_PUSH_STATUS_JOBS_H

#include <stdbool.h>

// Begins to serve #(command) in formats. Once; further calls do nothing.
void status_jobs_init(void);
// Whether a format asked for a command since the last call.
bool status_jobs_were_asked(void);

#endif
