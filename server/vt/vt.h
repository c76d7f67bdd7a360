// A terminal: bytes a program prints go in, a screen with history comes out.
//
// Inside: gate.c bounds what reaches libvterm's parser, parser.c adapts its callbacks, state*.c is
// the emulation, grid/ holds rows and history. Nothing here knows of panes, sessions or clients.
#ifndef AMUX_SERVER_VT_VT_H
#define AMUX_SERVER_VT_VT_H

#include "common/cell.h"
#include "common/key.h"
#include "common/util.h"
#include "server/grid/view.h"

struct vt;

enum vt_mode { // private and ANSI modes that others look at; enum mode_flag has the client's part
    VT_MODE_APP_CURSOR = 1 << 0,  // DECCKM
    VT_MODE_APP_KEYPAD = 1 << 1,  // DECKPAM
    VT_MODE_PASTE = 1 << 2,       // 2004
    VT_MODE_FOCUS = 1 << 3,       // 1004
    VT_MODE_MOUSE_X10 = 1 << 4,   // 9
    VT_MODE_MOUSE_BUTTONS = 1 << 5, // 1000
    VT_MODE_MOUSE_DRAG = 1 << 6,  // 1002
    VT_MODE_MOUSE_ALL = 1 << 7,   // 1003
    VT_MODE_MOUSE_UTF8 = 1 << 8,  // 1005
    VT_MODE_MOUSE_SGR = 1 << 9,   // 1006
    VT_MODE_ALTERNATE = 1 << 10,  // the alternate screen is shown
    VT_MODE_INSERT = 1 << 11,     // IRM
    VT_MODE_NEWLINE = 1 << 12,    // LNM
    VT_MODE_ORIGIN = 1 << 13,
    VT_MODE_WRAP = 1 << 14,
    VT_MODE_SYNC = 1 << 15,       // 2026 is held
    VT_MODE_BACKSPACE = 1 << 16,  // DECBKM: BSpace sends 0x08
    VT_MODE_ALT_SCROLL = 1 << 17, // 1007
    VT_MODE_REVERSE_SCREEN = 1 << 18, // DECSCNM
    VT_MODE_MOUSE_URXVT = 1 << 19, // 1015
};

// What the emulation tells its owner. Called from inside vt_feed(); none may free the vt. Any may
// be NULL. Texts are valid UTF-8 without control characters, bounded.
struct vt_callbacks {
    void (*reply)(void *arg, const void *data, size_t len); // answers to queries, to be written to the PTY
    void (*bell)(void *arg);
    void (*title)(void *arg, const char *title);   // OSC 0, 2
    void (*icon)(void *arg, const char *name);     // OSC 1
    void (*rename)(void *arg, const char *name);   // ESC k ... ST
    void (*cwd)(void *arg, const char *path);      // OSC 7, decoded, checked to be absolute
    void (*clipboard)(void *arg, const char *selection, const void *data, size_t len); // OSC 52 set, decoded
    void (*notify)(void *arg, const char *kind, const char *text); // OSC 9, 777, 99
    void (*progress)(void *arg, int state, int percent);           // OSC 9;4
    void (*mode_changed)(void *arg);  // vt_modes() differs
    void (*palette_changed)(void *arg);
};
struct vt_limits {
    unsigned history_rows;  // 0: no history
    size_t history_bytes;
};
// The configuration may change at any time with vt_set_*.
struct vt *vt_new(unsigned cols, unsigned rows, const struct vt_limits *limits,
                  const struct vt_callbacks *callbacks, void *arg);
void vt_free(struct vt *vt);
void vt_feed(struct vt *vt, const void *data, size_t len);
// Any size of at least 1x1; larger than VT_MAX_COLS x VT_MAX_ROWS is clamped.
#define VT_MAX_COLS 10000u
#define VT_MAX_ROWS 10000u
void vt_resize(struct vt *vt, unsigned cols, unsigned rows);
// A new width lays history out anew by steps, newest rows first: true while some are left. Each
// step takes about budget_us microseconds (at least one block of 64 kB of rows, less than 3 ms);
// row numbers shift with it. vt_feed() takes steps too.
bool vt_needs_reflow(const struct vt *vt);
void vt_reflow_step(struct vt *vt, int64_t budget_us);
void vt_set_pixel_size(struct vt *vt, unsigned xpixel, unsigned ypixel); // of the whole screen; 0: unknown
void vt_set_history(struct vt *vt, const struct vt_limits *limits);
// What colour queries are answered with where a client's real colours are known (0xRRGGBB).
void vt_set_default_colours(struct vt *vt, uint32_t fg, uint32_t bg);
// Whether programs may use the alternate screen (they may at first). One that does stays there.
void vt_set_alternate(struct vt *vt, bool is_allowed);
uint32_t vt_palette_rgb(const struct vt *vt, unsigned n); // 0xRRGGBB of colour n, as programs set it
void vt_set_terminal_name(struct vt *vt, const char *name_and_version); // XTVERSION
void vt_reset(struct vt *vt);       // RIS
void vt_soft_reset(struct vt *vt);  // the modes a dead program may have left (send-keys -R, AG-07)
void vt_clear_history(struct vt *vt);
// Synchronized output: time it has been held since (monotonic us), 0 if it is not; the owner's job
// releases it after a second.
int64_t vt_sync_since_us(const struct vt *vt);
void vt_sync_release(struct vt *vt);

unsigned vt_cols(const struct vt *vt);
unsigned vt_rows(const struct vt *vt);
unsigned vt_modes(const struct vt *vt); // enum vt_mode
const char *vt_title(const struct vt *vt);
bool vt_is_wrap_pending(const struct vt *vt);
// Scroll region and the like for formats, from 0.
unsigned vt_region_top(const struct vt *vt);
unsigned vt_region_bottom(const struct vt *vt);
// Text of one tab stop list ("8,16,24") for formats. Owned by the caller.
char *vt_tabs(const struct vt *vt);

// What clients are to see: the live screen, or the last complete frame while output is held.
void vt_view(const struct vt *vt, struct view *out);
// Changes whenever anything that a view shows may have changed; one load.
uint64_t vt_change_count(const struct vt *vt);

// History and screen as one list of rows: 0 is the oldest of history, vt_history_rows() the top of
// the screen. Numbers shift as rows drop off the old end: vt_history_dropped() counts those.
unsigned vt_history_rows(const struct vt *vt);
size_t vt_history_bytes(const struct vt *vt);
uint64_t vt_history_dropped(const struct vt *vt);
// Appends row `n` packed. False if there is none.
bool vt_row_pack(const struct vt *vt, unsigned n, struct strbuf *out);
struct row_tag vt_row_tag(const struct vt *vt, unsigned n);
// Rows of the screen that is not shown (capture-pane -a): false if none is kept.
bool vt_saved_row_pack(const struct vt *vt, unsigned y, struct strbuf *out);

// Lines `from` to `to` (as vt_row_pack numbers them) as text, as capture-pane gives them.
enum vt_capture_flag {
    VT_CAPTURE_STYLES = 1 << 0,      // -e: SGR and OSC 8
    VT_CAPTURE_JOIN = 1 << 1,        // -J: wrapped lines joined, trailing blanks kept
    VT_CAPTURE_KEEP_BLANKS = 1 << 2, // -N
    VT_CAPTURE_ESCAPE = 1 << 3,      // -C: octal
    VT_CAPTURE_SAVED = 1 << 4,       // -a
    VT_CAPTURE_NO_BLANK_CELLS = 1 << 5, // -T: positions beyond the last cell written are left out
};
void vt_capture(const struct vt *vt, unsigned from, unsigned to, unsigned flags, struct strbuf *out);

// keyenc.c: what a key, mouse event or paste is to a program, by the modes it set.
// Appends the bytes; nothing for a key that has none.
void vt_encode_key(const struct vt *vt, key_code key, struct strbuf *out);
struct vt_mouse {
    enum mouse_kind kind; // MOVE, DOWN, UP, DRAG, WHEEL_UP, WHEEL_DOWN
    unsigned button;      // 1 to 11
    unsigned x, y;        // in the pane, from 0
    key_code modifiers;
};
bool vt_wants_mouse(const struct vt *vt, const struct vt_mouse *m);
void vt_encode_mouse(const struct vt *vt, const struct vt_mouse *m, struct strbuf *out);
// Start and end of a paste, if the program asked for brackets; and the payload made harmless (ESC
// and C1 taken out where brackets are used). Newlines become CR.
void vt_encode_paste(const struct vt *vt, bool is_first, bool is_last, const void *data, size_t len,
                     struct strbuf *out);
void vt_encode_focus(const struct vt *vt, bool is_in, struct strbuf *out);

#endif
