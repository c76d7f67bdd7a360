// The protocol between client and server: typed messages from messages.def, checked both ways.
#ifndef AMUX_COMMON_PROTOCOL_H
#define AMUX_COMMON_PROTOCOL_H

#include "common/version.h"
#include "common/wire.h"

enum message_type {
#define MESSAGE(name, number, from, max, fields) MSG_##name = number,
#include "common/messages.def"
#undef MESSAGE
};

struct wire_span { // borrowed bytes; data is NULL when len is 0
    const void *data;
    uint32_t len;
};

// One struct a message: struct msg_hello { uint32_t version_min; ... }. Strings are borrowed:
// encoding reads them, decoding points into the message; NULL encodes as "" and decoding never
// gives NULL. Vectors are NULL-terminated; decoded ones live as long as the struct message.
#define U8(n) uint8_t n;
#define U16(n) uint16_t n;
#define U32(n) uint32_t n;
#define U64(n) uint64_t n;
#define I32(n) int32_t n;
#define STR(n) const char *n;
#define BYTES(n) struct wire_span n;
#define STRV(n) const char *const *n;
#define MESSAGE(name, number, from, max, fields) struct msg_##name { fields };
#include "common/messages.def"
#undef MESSAGE
#undef U8
#undef U16
#undef U32
#undef U64
#undef I32
#undef STR
#undef BYTES
#undef STRV

// A decoded message. `u` is the member for `type` (message->u.KEY ...).
struct message {
    enum message_type type;
    union {
#define MESSAGE(name, number, from, max, fields) struct msg_##name name;
#include "common/messages.def"
#undef MESSAGE
    } u;
    void *owned; // storage of strings and vectors
};

enum protocol_side { FROM_CLIENT, FROM_SERVER };

// Appends a whole frame. `msg` is the struct of `type`. False if it would exceed the type's limit
// (nothing is appended).
bool protocol_encode(struct strbuf *out, enum message_type type, const void *msg);

enum decode_result {
    DECODE_OK,
    DECODE_MORE, // not a whole frame yet; *used is 0, *need the bytes wanted (0: unknown)
    DECODE_BAD,  // damaged, too large, of the wrong side or an unknown type; *cause says which
};
// Decodes the first frame of data. An unknown type below 0x8000 is DECODE_BAD; at or above it is
// skipped (room for optional messages). message_free() afterwards, also when the type had no strings.
enum decode_result protocol_decode(const void *data, size_t len, enum protocol_side from,
                                   struct message *msg, size_t *used, const char **cause);
void message_free(struct message *msg);
const char *message_name(enum message_type type);

// The largest terminal that either side believes in: a side, and cells in all (a window size is two
// numbers from outside, and both sides keep memory for each cell).
#define TERMINAL_MAX_SIDE 10000u
#define TERMINAL_MAX_CELLS (2u << 20)
static inline void terminal_size_clamp(unsigned *cols, unsigned *rows)
{
    *cols = MIN_OF(*cols, TERMINAL_MAX_SIDE);
    *rows = MIN_OF(*rows, TERMINAL_MAX_SIDE);
    if (*cols > 0 && *rows > TERMINAL_MAX_CELLS / *cols)
        *rows = TERMINAL_MAX_CELLS / *cols;
}

// HELLO flags.
enum hello_flag {
    HELLO_UTF8 = 1 << 0,
    HELLO_CONTROL = 1 << 1,      // -C (refused for now)
    HELLO_HAS_TERMINAL = 1 << 2, // stdin is a terminal (whether it can be used: terminal_cause)
    HELLO_NESTED = 1 << 3,       // AMUX of this kind of server is set in the environment
    HELLO_STDIN_TTY = 1 << 4,
    HELLO_256 = 1 << 5,
    HELLO_RGB = 1 << 6,
    HELLO_STARTED_SERVER = 1 << 7,
};
enum detach_reason {
    DETACH_DETACHED,     // [detached (from session NAME)]
    DETACH_HUP,          // detach-client -P: also hang up the parent
    DETACH_EXITED,       // [exited]
    DETACH_SERVER_EXIT,  // [server exited]
    DETACH_TERMINATED,   // [terminated]
    DETACH_LOST_TTY,     // [lost tty]
    DETACH_MESSAGE,      // code and `session` holds the text to print
    DETACH_SWITCHED,     // another client took the session (-d): [detached (from session NAME)]
};
enum options_flag { // what the client does with its terminal
    OPTIONS_MOUSE = 1 << 0,
    OPTIONS_FOCUS = 1 << 1,
    OPTIONS_SET_TITLES = 1 << 2,
    OPTIONS_EXTENDED_KEYS = 1 << 3,
    OPTIONS_CLIPBOARD = 1 << 4,
};
enum scene_flag {
    SCENE_ZOOMED = 1 << 0,
    SCENE_LOCKED = 1 << 1,
    SCENE_REDRAW = 1 << 2, // what the terminal shows is in doubt: draw all of it (refresh-client)
};
enum pane_flag {
    PANE_ACTIVE = 1 << 0,
    PANE_MARKED = 1 << 1,
    PANE_IN_MODE = 1 << 2,
    PANE_DEAD = 1 << 3,
};
enum mode_flag { // what the active pane's program asked of the terminal
    MODE_MOUSE_BUTTONS = 1 << 0, // 1000
    MODE_MOUSE_DRAG = 1 << 1,    // 1002
    MODE_MOUSE_ALL = 1 << 2,     // 1003
    MODE_PASTE = 1 << 3,         // 2004
    MODE_FOCUS = 1 << 4,         // 1004
};
enum cursor_shape { // as DECSCUSR
    CURSOR_DEFAULT, CURSOR_BLOCK_BLINK, CURSOR_BLOCK, CURSOR_UNDERLINE_BLINK, CURSOR_UNDERLINE,
    CURSOR_BAR_BLINK, CURSOR_BAR,
};

#endif
