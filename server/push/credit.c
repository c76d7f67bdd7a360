// Credit of a client in bytes: delivery rate times lowest round trip, and 50 ms' worth on top.
#include "server/push/credit.h"

#include "common/util.h"

static void best_add(struct credit_best *b, uint64_t value, bool is_lower_better, int64_t now_us)
{
    if (now_us - b->since_us > CREDIT_WINDOW_US) {
        // Older than two windows: nothing of it counts any more.
        b->before = now_us - b->since_us > 2 * (int64_t)CREDIT_WINDOW_US ? 0 : b->now;
        b->now = 0;
        b->since_us = now_us;
    }
    if (b->now == 0 || (is_lower_better ? value < b->now : value > b->now))
        b->now = value;
}

static uint64_t best_get(const struct credit_best *b, bool is_lower_better)
{
    if (b->now == 0 || b->before == 0)
        return b->now != 0 ? b->now : b->before;
    return is_lower_better ? MIN_OF(b->now, b->before) : MAX_OF(b->now, b->before);
}

void credit_sent(struct credit *cr, uint32_t seq, size_t bytes, int64_t now_us)
{
    if (cr->sent == cr->delivered)
        cr->delivered_us = now_us; // nothing was under way: the clock starts with this frame
    cr->sent += bytes;
    if (cr->n == CREDIT_FRAMES) {
        // Frames that input granted on top: the oldest is covered by any later answer.
        cr->first = (cr->first + 1) % CREDIT_FRAMES;
        cr->n--;
    }
    cr->frames[(cr->first + cr->n) % CREDIT_FRAMES] = (struct credit_frame){
        .seq = seq,
        .end = cr->sent,
        .delivered = cr->delivered,
        .delivered_us = cr->delivered_us,
        .sent_us = now_us,
        .is_limited = cr->was_used_up,
    };
    cr->n++;
    cr->was_used_up = false;
}

void credit_acked(struct credit *cr, uint32_t seq, uint32_t rtt_us, int64_t now_us)
{
    unsigned at;
    for (at = 0; at < cr->n; at++)
        if (cr->frames[(cr->first + at) % CREDIT_FRAMES].seq == seq)
            break;
    if (at == cr->n)
        return; // answered already, or never sent: says nothing
    struct credit_frame f = cr->frames[(cr->first + at) % CREDIT_FRAMES];
    // The frame that had to wait and the one that is measured may be neighbours.
    for (unsigned i = 0; i <= at; i++)
        cr->was_limited = cr->was_limited || cr->frames[(cr->first + i) % CREDIT_FRAMES].is_limited;
    cr->first = (cr->first + at + 1) % CREDIT_FRAMES;
    cr->n -= at + 1;
    cr->delivered = f.end;
    cr->delivered_us = now_us;

    int64_t took_us = MAX_OF(now_us - f.sent_us, 1);
    if (rtt_us != 0 && cr->was_limited)
        cr->limited_us = now_us;
    cr->is_slow = cr->limited_us != 0 && now_us - cr->limited_us < 2 * (int64_t)CREDIT_WINDOW_US;
    if (rtt_us == 0)
        return;
    cr->was_limited = false;
    // The whole way counts, not only the terminal's part of it.
    best_add(&cr->rtt_us, (uint64_t)took_us, true, now_us);
    // Since the answer before it was sent: an answer that came late must not make what it covered
    // look quick.
    uint64_t rate =
        (f.end - f.delivered) * 1000000u / (uint64_t)MAX_OF(now_us - f.delivered_us, took_us);
    best_add(&cr->rate, MAX_OF(rate, 1u), false, now_us);
}

uint64_t credit_outstanding(const struct credit *cr)
{
    return cr->sent - cr->delivered;
}

uint64_t credit_limit(const struct credit *cr)
{
    uint64_t least = cr->is_slow ? CREDIT_SLOW_FLOOR_BYTES : CREDIT_FLOOR_BYTES;
    uint64_t rate = MIN_OF(best_get(&cr->rate, false), (uint64_t)1 << 32);
    uint64_t span_us = MIN_OF(best_get(&cr->rtt_us, true), (uint64_t)10000000) + CREDIT_EXTRA_US;
    uint64_t limit = rate * span_us / 1000000u;
    return MIN_OF(MAX_OF(limit, least), (uint64_t)CREDIT_MAX_BYTES);
}

bool credit_is_used_up(const struct credit *cr)
{
    return cr->n == CREDIT_FRAMES || credit_outstanding(cr) >= credit_limit(cr);
}
