// Standard input and output of a command: what it prints, and what it reads.
#ifndef AMUX_CLIENT_STDIO_H
#define AMUX_CLIENT_STDIO_H

#include "common/jobs.h"
#include "common/util.h"

struct stdio;

// drained(arg): all output has been written, or nobody reads it any more.
// input(arg, data, len): a piece of standard input; len 0: its end.
struct stdio *stdio_new(struct job_queue *q, void (*drained)(void *arg),
                        void (*input)(void *arg, const void *data, size_t len), void *arg);
void stdio_free(struct stdio *s);
// stream 1 or 2.
void stdio_print(struct stdio *s, int stream, const void *data, size_t len);
bool stdio_is_drained(const struct stdio *s);
void stdio_read_input(struct stdio *s);
// errno of standard output that was lost (a full disk); 0 also if its reader closed it.
int stdio_error(const struct stdio *s);

#endif
