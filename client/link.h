// The connection to the server: frames out, messages in, never blocking.
#ifndef AMUX_CLIENT_LINK_H
#define AMUX_CLIENT_LINK_H

#include "common/jobs.h"
#include "common/protocol.h"

struct link;

struct link_events {
    // A message came; it may call link_stop_reading().
    void (*message)(void *arg, const struct message *m);
    // All messages of one read were given.
    void (*batch_end)(void *arg);
    // The connection is over: `why` is NULL when the other end closed it, else what was wrong.
    // `was_greeted`: a whole message had come before.
    void (*closed)(void *arg, const char *why, bool was_greeted);
    // What was queued is sent. May be NULL.
    void (*drained)(void *arg);
};
// Takes over fd (a connected socket).
struct link *link_new(struct job_queue *q, int fd, const struct link_events *events, void *arg);
void link_free(struct link *l); // closes it; what is queued and fits goes out first
bool link_send(struct link *l, enum message_type type, const void *msg);
// Between the two, messages are only queued; the second writes them in one piece, so that what was
// typed in one piece arrives in one.
void link_cork(struct link *l);
void link_uncork(struct link *l);
// Nothing more is read; messages already read are still given.
void link_stop_reading(struct link *l);
// Bytes that are queued.
size_t link_queued(const struct link *l);
// Nothing queued any more.
bool link_is_drained(const struct link *l);

#endif
