// Bytes from the person's terminal into keys, mouse reports, pastes, focus and answers.
#ifndef AMUX_CLIENT_INPUT_H
#define AMUX_CLIENT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/key.h"

struct input;

struct input_mouse {
    enum mouse_kind kind; // MOUSE_MOVE, _DOWN, _UP, _DRAG, _WHEEL_UP, _WHEEL_DOWN
    unsigned button;      // 1 to 11; 0 for moves and wheels
    unsigned x, y;        // from 0
    key_code modifiers;
};
// What was decoded. Data is valid during the call only. None may be NULL.
struct input_events {
    void (*key)(void *arg, key_code key, const void *raw, size_t raw_len);
    void (*mouse)(void *arg, const struct input_mouse *m);
    // A bracketed paste in pieces, without its markers; the first and last may be one.
    void (*paste)(void *arg, bool is_first, bool is_last, const void *data, size_t len);
    void (*focus)(void *arg, bool is_in);
    // An answer to a query: "da1", "dsr", "mode" (DECRPM: "2026;2"), "xtversion", "fg", "bg".
    void (*answer)(void *arg, const char *name, const char *value);
};
struct input *input_new(const struct input_events *events, void *arg);
void input_free(struct input *in);
void input_set_utf8(struct input *in, bool is_utf8); // off: bytes above 0x7f are code points
void input_set_erase_byte(struct input *in, uint8_t byte); // sends BSpace besides 0x7f
// A key's bytes from terminfo. They win over the standard forms.
void input_add_key(struct input *in, const char *bytes, key_code key);

// User0 and so on, in place of those of the last call: keys[i] are the bytes of the i-th; NULL ends
// them. They begin with ESC; others and empty ones are passed over. They win over all else.
void input_set_user_keys(struct input *in, const char *const *keys);

// now_us is monotonic; it tells a report that was cut from what is typed long after.
void input_feed(struct input *in, const void *data, size_t len, int64_t now_us);
// Since when bytes wait that may be keys by themselves (ESC, ESC [ ...): after the escape time they
// are given by input_expire(). 0: none. What can only be the beginning of a report waits without a
// time.
int64_t input_waiting_since_us(const struct input *in);
void input_expire(struct input *in);
// When the last bytes of an unfinished paste came; 0: there is none. One whose end marker was lost must
// not take what is typed for ever: after a while of silence it is ended by input_end_paste(), which
// gives what was held back as its last piece.
int64_t input_paste_since_us(const struct input *in);
void input_end_paste(struct input *in);
// Drops what waits, and leaves a paste (the terminal was given away meanwhile).
void input_reset(struct input *in);

#endif
