// How many bytes may be under way to a client: learnt from its acknowledgements, so that a slow
// link is never given a queue that its next key would have to wait behind.
#ifndef AMUX_SERVER_PUSH_CREDIT_H
#define AMUX_SERVER_PUSH_CREDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CREDIT_FRAMES           64u    // frames under way at most
#define CREDIT_FLOOR_BYTES      16384u // before anything is known of the link
#define CREDIT_SLOW_FLOOR_BYTES 4096u  // once the link was seen to be what limits
#define CREDIT_MAX_BYTES        (1u << 20)
#define CREDIT_EXTRA_US         50000    // worth of the rate on top of one round trip
#define CREDIT_WINDOW_US        10000000 // how long a measure is believed

struct credit_frame {
    uint32_t seq;
    uint64_t end;                  // bytes sent in all when it ended
    uint64_t delivered;            // bytes acknowledged in all when it was sent
    int64_t sent_us, delivered_us; // when it was sent, and when the last answer before that came
    bool is_limited;               // credit was what held it back: its rate is the link's
};
// A best value of the last one to two windows.
struct credit_best {
    uint64_t now, before; // 0: none
    int64_t since_us;
};
struct credit {
    uint64_t sent, delivered;
    int64_t delivered_us;                      // of the last answer
    struct credit_frame frames[CREDIT_FRAMES]; // ring, oldest at `first`
    unsigned first, n;
    struct credit_best rate;   // bytes a second, highest
    struct credit_best rtt_us; // lowest
    int64_t limited_us;        // when the link was last seen to limit; 0: never
    bool is_slow;              // that was within two windows of the last answer
    bool was_limited; // a frame acknowledged since the last measured one had waited for credit
    bool was_used_up; // since the last frame somebody wanted to send and could not
};

// A frame of `bytes` bytes numbered seq was handed to the socket.
void credit_sent(struct credit *cr, uint32_t seq, size_t bytes, int64_t now_us);
// The client has drawn frame seq (and all before it). rtt_us is the round trip to its terminal as
// the client measured it; 0: not measured, then the answer says nothing about the link beyond it.
void credit_acked(struct credit *cr, uint32_t seq, uint32_t rtt_us, int64_t now_us);
uint64_t credit_outstanding(const struct credit *cr); // bytes sent and not acknowledged
// Neither moves with time alone, so that due times need no clock of their own.
uint64_t credit_limit(const struct credit *cr); // most bytes under way
bool credit_is_used_up(const struct credit *cr);

#endif
