// The person's terminal as a device: raw mode, what is switched on in it and put back on every way
// out, and its output, which never blocks.
#ifndef AMUX_CLIENT_TERMINAL_H
#define AMUX_CLIENT_TERMINAL_H

#include "client/caps.h"
#include "common/jobs.h"
#include "common/util.h"

struct terminal;

struct terminal_events {
    void (*input)(void *arg, const void *data, size_t len);
    void (*drained)(void *arg); // all that was queued is written
    void (*lost)(void *arg);    // it hung up; nothing more is read or written
};

// Opens the terminal on standard input. `caps` is borrowed. NULL: *cause (owned) says why.
struct terminal *terminal_open(struct job_queue *q, const struct caps *caps,
                               const struct terminal_events *events, void *arg, char **cause);
void terminal_free(struct terminal *t); // NULL is allowed; restores what is still changed

// Raw mode, alternate screen, keypad, bracketed paste. Crashes restore the terminal from here on.
bool terminal_enter(struct terminal *t, char **cause);
// Queues what puts everything back on the screen's side; terminal_restore() when it is written.
// `before` is put in front of it (what the renderer has to put back).
void terminal_leave(struct terminal *t, const struct strbuf *before);
// Gives the line its modes back.
void terminal_restore(struct terminal *t);
bool terminal_is_entered(const struct terminal *t);

// Output: append to the buffer, then flush. What the device does not take now is written when it can.
struct strbuf *terminal_out(struct terminal *t);
void terminal_flush(struct terminal *t);
uint64_t terminal_queued(const struct terminal *t);  // bytes ever appended
uint64_t terminal_written(const struct terminal *t); // bytes ever taken by the device

// Stops reading what is typed, and goes on with it.
void terminal_hold_input(struct terminal *t, bool is_held);
// Bytes that have come and were not read yet; 0 while input is held.
size_t terminal_pending(const struct terminal *t);
// Reads them now, without waiting for the loop's turn.
void terminal_read_pending(struct terminal *t);

struct terminal_modes {
    unsigned mouse; // 0, 1000, 1002 or 1003
    bool wants_focus, wants_extended_keys;
};
void terminal_set_modes(struct terminal *t, const struct terminal_modes *modes);
// What the terminal can do was learnt anew: what a crash puts back follows.
void terminal_caps_changed(struct terminal *t);
void terminal_set_title(struct terminal *t, const char *title); // control characters are left out
void terminal_set_clipboard(struct terminal *t, const char *selection, const void *data, size_t len);
void terminal_bell(struct terminal *t);

struct terminal_size {
    unsigned cols, rows, xpixel, ypixel; // cols and rows at least 1; pixels 0 if unknown
};
// Of any descriptor; 80x24 if it has none.
struct terminal_size terminal_size_of(int fd);
// The character that the line's erase key sends (VERASE); 0x7f if unknown.
uint8_t terminal_erase_byte(const struct terminal *t);

#endif
