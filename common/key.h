// Keys as both ends name them: codes, modifiers, and tmux's names for them.
#ifndef AMUX_COMMON_KEY_H
#define AMUX_COMMON_KEY_H

#include <stdbool.h>
#include <stdint.h>

// The low 21 bits are a Unicode code point (for control keys of the letters: the letter, with
// KEY_CTRL), or KEY_BASE + one of enum key_special. Modifiers stand above.
typedef uint64_t key_code;
#define KEY_MASK 0x00000000003FFFFFull
#define KEY_BASE 0x0000000000200000ull
#define KEY_META 0x0000000001000000ull
#define KEY_CTRL 0x0000000002000000ull
#define KEY_SHIFT 0x0000000004000000ull
#define KEY_SUPER 0x0000000008000000ull
#define KEY_KEYPAD 0x0000000010000000ull // came from the numeric keypad
#define KEY_MODIFIERS (KEY_META | KEY_CTRL | KEY_SHIFT | KEY_SUPER)
#define KEY_NONE (0x0000000000FFFFFFull << 32)
#define KEY_UNKNOWN KEY_NONE

enum key_special {
    KS_BSPACE, // named BSpace; sent as 0x7f or 0x08 by option
    KS_TAB, KS_BTAB, KS_ENTER, KS_ESCAPE, // Tab, Enter, Escape keep specials so that C-i differs
    KS_F1, KS_F2, KS_F3, KS_F4, KS_F5, KS_F6, KS_F7, KS_F8, KS_F9, KS_F10, KS_F11, KS_F12,
    KS_F13, KS_F14, KS_F15, KS_F16, KS_F17, KS_F18, KS_F19, KS_F20,
    KS_IC, KS_DC, KS_HOME, KS_END, KS_NPAGE, KS_PPAGE,
    KS_UP, KS_DOWN, KS_LEFT, KS_RIGHT,
    KS_KP_SLASH, KS_KP_STAR, KS_KP_MINUS, KS_KP_7, KS_KP_8, KS_KP_9, KS_KP_PLUS, KS_KP_4, KS_KP_5,
    KS_KP_6, KS_KP_1, KS_KP_2, KS_KP_3, KS_KP_ENTER, KS_KP_0, KS_KP_PERIOD,
    KS_ANY,             // "Any" in a key table
    KS_FOCUS_IN, KS_FOCUS_OUT, KS_PASTE_START, KS_PASTE_END,
    KS_USER0,           // user-keys[0..99]
    KS_USER_LAST = KS_USER0 + 99,
    // Mouse keys of bindings: (event kind, button, place) follow in order; see key_mouse().
    KS_MOUSE,
    KS_MOUSE_LAST = KS_MOUSE + 1023,
};
#define key_special(ks) (KEY_BASE + (key_code)(ks))
#define key_is_special(k) (((k)&KEY_MASK) >= KEY_BASE)
#define key_is_mouse(k) \
    (((k)&KEY_MASK) >= key_special(KS_MOUSE) && ((k)&KEY_MASK) <= key_special(KS_MOUSE_LAST))

enum mouse_kind {
    MOUSE_MOVE, MOUSE_DOWN, MOUSE_UP, MOUSE_DRAG, MOUSE_DRAG_END,
    MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN, MOUSE_SECOND_CLICK, MOUSE_DOUBLE_CLICK, MOUSE_TRIPLE_CLICK,
    MOUSE_KINDS,
};
enum mouse_place {
    PLACE_PANE, PLACE_STATUS, PLACE_STATUS_LEFT, PLACE_STATUS_RIGHT, PLACE_STATUS_DEFAULT,
    PLACE_BORDER, MOUSE_PLACES,
};
// Button 1 to 11 (6 to 11 are the extra ones); 0 for moves and wheels. E.g. MouseDown1Pane.
key_code key_mouse(enum mouse_kind kind, unsigned button, enum mouse_place place);
bool key_mouse_parts(key_code key, enum mouse_kind *kind, unsigned *button, enum mouse_place *place);

// tmux's key names: "C-b", "M-Left", "F5", "Space", "é", "0x1b", "User3", "MouseDown1Pane".
// Unknown: KEY_UNKNOWN. "C-a" is KEY_CTRL|'a'; "^A" likewise; "C-Space" KEY_CTRL|' '.
key_code key_from_name(const char *name);
// Static buffer of 64 bytes, overwritten by the next call.
const char *key_to_name(key_code key);

#endif
