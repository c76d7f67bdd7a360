// Showing a session in the person's terminal: what the server sends is drawn, what is typed is sent.
#ifndef AMUX_CLIENT_ATTACH_H
#define AMUX_CLIENT_ATTACH_H

#include "client/caps.h"
#include "client/link.h"
#include "common/jobs.h"

struct attach;

struct attach_setup {
    struct job_queue *jobs;
    struct link *link;  // borrowed
    struct caps *caps;  // borrowed; learns from the terminal's answers
    bool is_utf8;
    unsigned cols, rows; // the size that the server was told
    const char *note;   // said once in the status line; NULL: nothing
    void (*left)(void *arg); // the terminal is as it was before
    void (*lost)(void *arg); // the terminal hung up
    void *arg;
};
// Takes the terminal over. NULL: *cause (owned).
struct attach *attach_new(const struct attach_setup *setup, char **cause);
void attach_free(struct attach *a); // NULL is allowed; gives the terminal back at once
// Messages of the server; those that are not an attached client's are passed over.
void attach_message(struct attach *a, const struct message *m);
void attach_batch_end(struct attach *a);
// What was queued for the server is sent.
void attach_sent(struct attach *a);
// Begins to leave: the terminal is put back, answers still under way are swallowed, then left() is
// called.
void attach_leave(struct attach *a);

#endif
