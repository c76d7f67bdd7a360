// Frames under way to the terminal, the questions behind them, and the rate of one that is silent.
#include "client/pace.h"

#include <string.h>

#include "common/util.h"

#define ESCAPE_SLOW_US 50000
#define LEAVE_LIMIT_US INT64_C(1000000)
#define LEAVE_LEAST_US INT64_C(50000)
#define RTT_MOST_US INT64_C(2500000) // what is believed of one measurement

void pace_init(struct pace *p, bool may_ask)
{
    memset(p, 0, sizeof *p);
    p->may_ask = may_ask;
}

static struct pace_question *question(const struct pace *p, uint32_t number)
{
    return (struct pace_question *)&p->questions[number % PACE_QUESTIONS];
}

bool pace_wants_question(const struct pace *p, size_t bytes, int64_t now_us)
{
    if (!p->may_ask || p->unasked_bytes + bytes <= PACE_ASK_BYTES ||
        p->asked - p->answered >= PACE_QUESTIONS)
        return false;
    return !p->is_silent || now_us - p->asked_us >= PACE_PROBE_US;
}

void pace_add(struct pace *p, uint32_t seq, size_t bytes, bool is_asked, uint64_t end,
              int64_t now_us)
{
    if (p->n == PACE_FRAMES) {
        // The server is far ahead of the terminal: the two oldest become one.
        p->frames[1].bytes += p->frames[0].bytes;
        p->n--;
        memmove(p->frames, p->frames + 1, p->n * sizeof *p->frames);
    }
    struct pace_frame *f = &p->frames[p->n++];
    *f = (struct pace_frame){.seq = seq, .bytes = (uint32_t)bytes, .end = end, .since_us = now_us};
    p->unasked_bytes += bytes;
    if (is_asked) {
        p->unasked_bytes = 0;
        p->asked++;
        p->asked_us = now_us;
        *question(p, p->asked) = (struct pace_question){.end = end};
        if (!p->is_silent)
            f->question = p->asked;
    }
    if (p->is_silent || !p->may_ask) {
        p->taken_us = MAX_OF(p->taken_us, now_us) + (int64_t)bytes * 1000000 / PACE_SILENT_RATE;
        f->not_before_us = p->taken_us - PACE_SILENT_BURST_US;
    }
}

void pace_written(struct pace *p, uint64_t written, int64_t now_us)
{
    for (uint32_t i = p->answered + 1; i != p->asked + 1; i++) {
        struct pace_question *q = question(p, i);
        if (q->written_us == 0 && q->end <= written)
            q->written_us = now_us;
    }
}

void pace_measured(struct pace *p, int64_t took_us)
{
    took_us = MIN_OF(MAX_OF(took_us, 1), RTT_MOST_US);
    // Longer ones are believed at once, shorter ones by and by.
    p->rtt_us = MAX_OF(took_us, (p->rtt_us * 7 + took_us) / 8);
}

void pace_answered(struct pace *p, uint64_t written, int64_t now_us)
{
    if (p->asked == p->answered)
        return;
    const struct pace_question *q = question(p, p->answered + 1);
    if (q->end > written)
        return; // it has not seen the question
    if (q->written_us != 0)
        pace_measured(p, now_us - q->written_us);
    p->answered++;
    p->has_answered = true;
    p->is_silent = false; // late, but it does
}

static bool question_is_open(const struct pace *p, uint32_t number)
{
    return number != 0 && (int32_t)(number - p->answered) > 0;
}

static bool frame_is_done(const struct pace *p, const struct pace_frame *f, uint64_t written,
                          int64_t now_us)
{
    return f->end <= written && !question_is_open(p, f->question) && f->not_before_us <= now_us;
}

bool pace_next(struct pace *p, uint64_t written, int64_t now_us, struct pace_ack *out)
{
    size_t done = 0;
    uint32_t bytes = 0;

    while (done < p->n && frame_is_done(p, &p->frames[done], written, now_us)) {
        const struct pace_frame *f = &p->frames[done++];
        bytes += f->bytes;
        // The newest speaks for those before it; one that the terminal answered speaks for itself,
        // as only that says how far away the terminal is: a device takes bytes into its buffers.
        bool is_last = done == p->n || !frame_is_done(p, &p->frames[done], written, now_us);
        bool is_measured = f->question != 0;
        if (!is_last && !is_measured)
            continue;
        int64_t took_us = is_measured ? MAX_OF(now_us - f->since_us, 1) : 0;
        *out = (struct pace_ack){f->seq, bytes, (uint32_t)MIN_OF(took_us, UINT32_MAX)};
        p->n -= done;
        memmove(p->frames, p->frames + done, p->n * sizeof *p->frames);
        return true;
    }
    return false;
}

static int64_t answer_limit_us(const struct pace *p)
{
    return MAX_OF(4 * p->rtt_us, PACE_ANSWER_LIMIT_US);
}

struct due pace_due(const struct pace *p, uint64_t written)
{
    struct due due = due_never();
    if (p->n > 0 && p->frames[0].not_before_us != 0 && p->frames[0].end <= written)
        due = due_at(p->frames[0].not_before_us);
    if (!p->is_silent && p->asked != p->answered) {
        // As long as the device has not taken the question, it cannot be answered.
        const struct pace_question *q = question(p, p->answered + 1);
        int64_t at_us = q->written_us + answer_limit_us(p);
        if (q->written_us != 0 && (due.clock == DUE_NEVER || at_us < due.at_us))
            due = due_at(at_us);
    }
    return due;
}

void pace_expire(struct pace *p, int64_t now_us)
{
    if (p->is_silent || p->asked == p->answered)
        return;
    const struct pace_question *q = question(p, p->answered + 1);
    if (q->written_us == 0 || now_us < q->written_us + answer_limit_us(p))
        return;
    p->is_silent = true;
    for (size_t i = 0; i < p->n; i++)
        p->frames[i].question = 0;
    // One that used to answer lost some: later answers must not be taken for those. One that never
    // did may be slow: its first answer belongs to the first question.
    if (p->has_answered)
        p->answered = p->asked;
}

int64_t pace_leave_wait_us(const struct pace *p, bool has_other_questions)
{
    bool is_open = p->asked != p->answered && !p->is_silent;
    if (!is_open && !has_other_questions)
        return 0;
    if (p->rtt_us == 0)
        return LEAVE_LIMIT_US;
    return MIN_OF(MAX_OF(2 * p->rtt_us, LEAVE_LEAST_US), LEAVE_LIMIT_US);
}

int64_t pace_escape_wait_us(const struct pace *p, int64_t wanted_us)
{
    return wanted_us == 0 ? 0 : MAX_OF(wanted_us, MIN_OF(p->rtt_us / 4, ESCAPE_SLOW_US));
}
