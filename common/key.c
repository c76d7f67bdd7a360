// Names of keys: the table both directions of the translation read.
#include "common/key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/utf8.h"
#include "common/util.h"

// The first row of a key is the name it is shown by; further rows are other names it is known by.
static const struct key_name {
    const char *name;
    key_code key;
} key_names[] = {
    {"BSpace", key_special(KS_BSPACE)},
    {"Tab", key_special(KS_TAB)},
    {"BTab", key_special(KS_BTAB)},
    {"Enter", key_special(KS_ENTER)},
    {"Escape", key_special(KS_ESCAPE)},
    {"F1", key_special(KS_F1)},
    {"F2", key_special(KS_F2)},
    {"F3", key_special(KS_F3)},
    {"F4", key_special(KS_F4)},
    {"F5", key_special(KS_F5)},
    {"F6", key_special(KS_F6)},
    {"F7", key_special(KS_F7)},
    {"F8", key_special(KS_F8)},
    {"F9", key_special(KS_F9)},
    {"F10", key_special(KS_F10)},
    {"F11", key_special(KS_F11)},
    {"F12", key_special(KS_F12)},
    {"F13", key_special(KS_F13)},
    {"F14", key_special(KS_F14)},
    {"F15", key_special(KS_F15)},
    {"F16", key_special(KS_F16)},
    {"F17", key_special(KS_F17)},
    {"F18", key_special(KS_F18)},
    {"F19", key_special(KS_F19)},
    {"F20", key_special(KS_F20)},
    {"IC", key_special(KS_IC)},
    {"Insert", key_special(KS_IC)},
    {"DC", key_special(KS_DC)},
    {"Delete", key_special(KS_DC)},
    {"Home", key_special(KS_HOME)},
    {"End", key_special(KS_END)},
    {"NPage", key_special(KS_NPAGE)},
    {"PageDown", key_special(KS_NPAGE)},
    {"PgDn", key_special(KS_NPAGE)},
    {"PPage", key_special(KS_PPAGE)},
    {"PageUp", key_special(KS_PPAGE)},
    {"PgUp", key_special(KS_PPAGE)},
    {"Up", key_special(KS_UP)},
    {"Down", key_special(KS_DOWN)},
    {"Left", key_special(KS_LEFT)},
    {"Right", key_special(KS_RIGHT)},
    {"KP/", key_special(KS_KP_SLASH)},
    {"KP*", key_special(KS_KP_STAR)},
    {"KP-", key_special(KS_KP_MINUS)},
    {"KP7", key_special(KS_KP_7)},
    {"KP8", key_special(KS_KP_8)},
    {"KP9", key_special(KS_KP_9)},
    {"KP+", key_special(KS_KP_PLUS)},
    {"KP4", key_special(KS_KP_4)},
    {"KP5", key_special(KS_KP_5)},
    {"KP6", key_special(KS_KP_6)},
    {"KP1", key_special(KS_KP_1)},
    {"KP2", key_special(KS_KP_2)},
    {"KP3", key_special(KS_KP_3)},
    {"KPEnter", key_special(KS_KP_ENTER)},
    {"KP0", key_special(KS_KP_0)},
    {"KP.", key_special(KS_KP_PERIOD)},
    {"Any", key_special(KS_ANY)},
    {"FocusIn", key_special(KS_FOCUS_IN)},
    {"FocusOut", key_special(KS_FOCUS_OUT)},
    {"PasteStart", key_special(KS_PASTE_START)},
    {"PasteEnd", key_special(KS_PASTE_END)},
    {"Space", ' '},
};

// Parts of a mouse key's name, in the order of their enums. A kind's name is followed by the
// button's number where it has one, then the place.
static const struct {
    const char *name;
    bool has_button;
} mouse_kinds[MOUSE_KINDS] = {
    [MOUSE_MOVE] = {"MouseMove", false},
    [MOUSE_DOWN] = {"MouseDown", true},
    [MOUSE_UP] = {"MouseUp", true},
    [MOUSE_DRAG] = {"MouseDrag", true},
    [MOUSE_DRAG_END] = {"MouseDragEnd", true},
    [MOUSE_WHEEL_UP] = {"WheelUp", false},
    [MOUSE_WHEEL_DOWN] = {"WheelDown", false},
    [MOUSE_SECOND_CLICK] = {"SecondClick", true},
    [MOUSE_DOUBLE_CLICK] = {"DoubleClick", true},
    [MOUSE_TRIPLE_CLICK] = {"TripleClick", true},
};
static const char *const mouse_places[MOUSE_PLACES] = {
    [PLACE_PANE] = "Pane",
    [PLACE_STATUS] = "Status",
    [PLACE_STATUS_LEFT] = "StatusLeft",
    [PLACE_STATUS_RIGHT] = "StatusRight",
    [PLACE_STATUS_DEFAULT] = "StatusDefault",
    [PLACE_BORDER] = "Border",
};
#define MOUSE_BUTTONS 12u

key_code key_mouse(enum mouse_kind kind, unsigned button, enum mouse_place place)
{
    if (kind >= MOUSE_KINDS || place >= MOUSE_PLACES)
        return KEY_UNKNOWN;
    if (!mouse_kinds[kind].has_button || button >= MOUSE_BUTTONS)
        button = 0;
    unsigned n = ((unsigned)kind * MOUSE_BUTTONS + button) * MOUSE_PLACES + (unsigned)place;
    return key_special(KS_MOUSE + n);
}

bool key_mouse_parts(key_code key, enum mouse_kind *kind, unsigned *button, enum mouse_place *place)
{
    if (!key_is_mouse(key))
        return false;
    unsigned n = (unsigned)((key & KEY_MASK) - key_special(KS_MOUSE));
    if (n / MOUSE_PLACES / MOUSE_BUTTONS >= MOUSE_KINDS)
        return false;
    *place = n % MOUSE_PLACES;
    *button = n / MOUSE_PLACES % MOUSE_BUTTONS;
    *kind = n / MOUSE_PLACES / MOUSE_BUTTONS;
    return true;
}

static key_code mouse_from_name(const char *name)
{
    // The longest kind that fits: MouseDragEnd1 is not MouseDrag followed by End1.
    size_t best = MOUSE_KINDS, best_len = 0;
    for (size_t i = 0; i < MOUSE_KINDS; i++) {
        size_t len = strlen(mouse_kinds[i].name);
        if (len > best_len && strncasecmp(name, mouse_kinds[i].name, len) == 0) {
            best = i;
            best_len = len;
        }
    }
    if (best == MOUSE_KINDS)
        return KEY_UNKNOWN;
    const char *rest = name + best_len;
    unsigned button = 0;
    if (mouse_kinds[best].has_button) {
        while (*rest >= '0' && *rest <= '9' && button < MOUSE_BUTTONS)
            button = button * 10 + (unsigned)(*rest++ - '0');
        // 4 and 5 are the wheel.
        if (button == 0 || button == 4 || button == 5 || button >= MOUSE_BUTTONS)
            return KEY_UNKNOWN;
    }
    for (size_t i = 0; i < MOUSE_PLACES; i++) {
        if (strcasecmp(rest, mouse_places[i]) == 0)
            return key_mouse((enum mouse_kind)best, button, (enum mouse_place)i);
    }
    return KEY_UNKNOWN;
}

// The key of a code point given by itself: control bytes become the keys that send them.
static key_code key_from_code_point(uint32_t cp)
{
    switch (cp) {
    case 0x00:
        return KEY_CTRL | ' ';
    case 0x09:
        return key_special(KS_TAB);
    case 0x0d:
        return key_special(KS_ENTER);
    case 0x1b:
        return key_special(KS_ESCAPE);
    case 0x7f:
        return key_special(KS_BSPACE);
    }
    if (cp < 0x1b)
        return KEY_CTRL | (cp + 'a' - 1);
    if (cp < 0x20)
        return KEY_CTRL | (cp + '@');
    return cp;
}

static key_code base_from_name(const char *s)
{
    size_t len = strlen(s);
    uint32_t cp;
    if (utf8_next(s, len, &cp) == len)
        return utf8_is_valid(s, len) ? key_from_code_point(cp) : KEY_UNKNOWN;
    for (size_t i = 0; i < ARRAY_LEN(key_names); i++) {
        if (strcasecmp(s, key_names[i].name) == 0)
            return key_names[i].key;
    }
    if (strncasecmp(s, "User", 4) == 0) {
        long long n;
        const char *cause;
        if (parse_number(s + 4, 0, KS_USER_LAST - KS_USER0, &n, &cause))
            return key_special(KS_USER0 + n);
        return KEY_UNKNOWN;
    }
    if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
        char *end;
        if (len > 8 || strspn(s + 2, "0123456789abcdefABCDEF") != len - 2 || len == 2)
            return KEY_UNKNOWN;
        unsigned long n = strtoul(s + 2, &end, 16);
        if (n > 0x10FFFF || (n >= 0xD800 && n <= 0xDFFF))
            return KEY_UNKNOWN;
        return key_from_code_point((uint32_t)n);
    }
    return mouse_from_name(s);
}

key_code key_from_name(const char *name)
{
    key_code modifiers = 0;
    const char *s = name;

    if (strcasecmp(s, "None") == 0)
        return KEY_NONE;
    for (;;) {
        if (s[0] == '^' && s[1] != '\0') {
            modifiers |= KEY_CTRL;
            s++;
        } else if (s[0] != '\0' && s[1] == '-') {
            if (s[0] == 'C' || s[0] == 'c')
                modifiers |= KEY_CTRL;
            else if (s[0] == 'M' || s[0] == 'm')
                modifiers |= KEY_META;
            else if (s[0] == 'S' || s[0] == 's')
                modifiers |= KEY_SHIFT;
            else
                return KEY_UNKNOWN;
            s += 2;
        } else {
            break;
        }
    }
    if (*s == '\0')
        return KEY_UNKNOWN;
    key_code key = base_from_name(s);
    if (key == KEY_UNKNOWN)
        return key;
    // What a keyboard cannot tell apart has one code.
    if ((modifiers & KEY_CTRL) && (key & ~KEY_MASK) == 0) {
        if (key >= 'A' && key <= 'Z')
            key += 'a' - 'A';
        else if (key == '@')
            key = ' ';
    }
    if ((modifiers & KEY_SHIFT) && key == key_special(KS_TAB)) {
        modifiers &= ~KEY_SHIFT;
        key = key_special(KS_BTAB);
    }
    return key | modifiers;
}

const char *key_to_name(key_code key)
{
    static char out[64];

    if (key == KEY_NONE)
        return "None";
    size_t n = 0;
    if (key & KEY_CTRL)
        n += (size_t)snprintf(out + n, sizeof out - n, "C-");
    if (key & KEY_META)
        n += (size_t)snprintf(out + n, sizeof out - n, "M-");
    if (key & KEY_SHIFT)
        n += (size_t)snprintf(out + n, sizeof out - n, "S-");
    char *rest = out + n;
    size_t room = sizeof out - n;

    key_code base = key & KEY_MASK;
    for (size_t i = 0; i < ARRAY_LEN(key_names); i++) {
        if (key_names[i].key == base) {
            snprintf(rest, room, "%s", key_names[i].name);
            return out;
        }
    }
    enum mouse_kind kind;
    enum mouse_place place;
    unsigned button;
    if (base >= key_special(KS_USER0) && base <= key_special(KS_USER_LAST)) {
        snprintf(rest, room, "User%u", (unsigned)(base - key_special(KS_USER0)));
    } else if (key_mouse_parts(base, &kind, &button, &place)) {
        if (mouse_kinds[kind].has_button)
            snprintf(rest, room, "%s%u%s", mouse_kinds[kind].name, button, mouse_places[place]);
        else
            snprintf(rest, room, "%s%s", mouse_kinds[kind].name, mouse_places[place]);
    } else if (key_is_special(base)) {
        snprintf(rest, room, "Unknown");
    } else if (base < 0x20 || base == 0x7f || (base >= 0x80 && base < 0xa0)) {
        // Not a key by itself, but a name must not carry control characters.
        snprintf(rest, room, "0x%02x", (unsigned)base);
    } else {
        char text[UTF8_MAX_BYTES + 1];
        text[utf8_encode((uint32_t)base, text)] = '\0';
        snprintf(rest, room, "%s", text);
    }
    return out;
}
