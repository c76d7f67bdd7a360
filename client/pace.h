// When a frame counts as shown: the terminal is asked (DSR 5) behind larger ones, and its answers, or
// where it gives none what its device takes, decide what the server is told. Pure state: times are
// monotonic microseconds, positions are bytes of the terminal's output.
#ifndef AMUX_CLIENT_PACE_H
#define AMUX_CLIENT_PACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/jobs.h"

#define PACE_FRAMES 64u
#define PACE_QUESTIONS 16u
// After so many bytes the terminal is asked whether it has come so far.
#define PACE_ASK_BYTES 4096u
// No answer for so long (or four round trips): the terminal is silent.
#define PACE_ANSWER_LIMIT_US 2000000
// A silent terminal is given so many bytes a second, with 50 ms' worth at once; it is asked again
// now and then.
#define PACE_SILENT_RATE 100000
#define PACE_SILENT_BURST_US 50000
#define PACE_PROBE_US 10000000

struct pace_frame {
    uint32_t seq, bytes;
    uint32_t question; // the one asked behind it; 0: none
    uint64_t end;      // position after it
    int64_t since_us;  // when it was queued
    int64_t not_before_us;
};
struct pace_question {
    uint64_t end;
    int64_t written_us; // 0: the device has not taken it yet
};
struct pace {
    bool may_ask;   // the terminal is of a kind that answers
    bool is_silent; // it did not
    bool has_answered;
    struct pace_frame frames[PACE_FRAMES]; // oldest first
    size_t n;
    size_t unasked_bytes;
    uint32_t asked, answered; // numbers of the newest question and of the newest that has its answer
    struct pace_question questions[PACE_QUESTIONS]; // by number
    int64_t asked_us;  // when the newest was asked
    int64_t rtt_us;    // to the terminal and back; 0: never measured
    int64_t taken_us;  // when a silent terminal will have taken what it was given
};
struct pace_ack {
    uint32_t seq, bytes, rtt_us; // as in the message ACK
};

void pace_init(struct pace *p, bool may_ask);
// A frame of `bytes` bytes is about to be queued: whether to ask behind it.
bool pace_wants_question(const struct pace *p, size_t bytes, int64_t now_us);
// It was queued, up to position `end` (its question included).
void pace_add(struct pace *p, uint32_t seq, size_t bytes, bool is_asked, uint64_t end,
              int64_t now_us);
// The device has taken everything up to `written`.
void pace_written(struct pace *p, uint64_t written, int64_t now_us);
// The terminal answered. An answer that nothing asked for is passed over.
void pace_answered(struct pace *p, uint64_t written, int64_t now_us);
// Another question that it answered took so long.
void pace_measured(struct pace *p, int64_t took_us);
// The next acknowledgement to be sent; false: none now.
bool pace_next(struct pace *p, uint64_t written, int64_t now_us, struct pace_ack *out);
// When pace_expire() and pace_next() are to be called though nothing came.
struct due pace_due(const struct pace *p, uint64_t written);
void pace_expire(struct pace *p, int64_t now_us);
// How long answers are to be waited for before the terminal is given back, at most; 0: none are
// expected.
int64_t pace_leave_wait_us(const struct pace *p, bool has_other_questions);
// How long an Escape waits for the rest of a sequence, where escape-time says `wanted_us`: a slow link
// may cut one in two, so longer there, but never beyond 50 ms. 0 stays 0.
int64_t pace_escape_wait_us(const struct pace *p, int64_t wanted_us);

#endif
