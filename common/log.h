// Logging to amux-{client,server}-PID.log in the start directory, on with -v; and fatal().
#ifndef AMUX_COMMON_LOG_H
#define AMUX_COMMON_LOG_H

#include "common/util.h"

void log_open(const char *role, int level); // level 0: nothing is opened
int log_level(void);
void log_close(void);
void log_debug(const char *fmt, ...) PRINTF_LIKE(1, 2);
// A broken invariant at start: prints (and logs) the message and exits with 1. Not for a running
// server's trouble with one client, pane or file.
void fatal(const char *fmt, ...) PRINTF_LIKE(1, 2) __attribute__((noreturn));

#endif
