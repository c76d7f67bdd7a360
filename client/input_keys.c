// Tables of the sequences that keys send: CSI with a letter, a number and ~, or u; SS3.
#include "config.h"

#include "client/input_keys.h"

#include <string.h>

#include "common/util.h"

#define NUMBER_MAX 0x1FFFFFu

void csi_parse(struct csi *csi, const uint8_t *params, size_t len)
{
    memset(csi, 0, sizeof *csi);
    size_t i = 0;
    if (len > 0 && params[0] >= '<' && params[0] <= '?') {
        csi->mark = params[0];
        i = 1;
    }
    bool is_sub = false;
    if (i < len && params[i] >= 0x30)
        csi->n = 1;
    for (; i < len; i++) {
        uint8_t c = params[i];
        if (c < 0x30 || csi->has_intermediate) {
            csi->has_intermediate = true; // what follows one is no parameter
        } else if (c == ';') {
            is_sub = false;
            if (csi->n < CSI_MAX_PARAMS)
                csi->n++;
            else
                is_sub = true; // beyond what is kept
        } else if (c == ':') {
            is_sub = true;
        } else if (c <= '9' && !is_sub) {
            unsigned *v = &csi->value[csi->n - 1];
            *v = MIN_OF(*v * 10 + (c - '0'), NUMBER_MAX);
        }
    }
}

// xterm's modifier parameter: 1 and a bit each for Shift, Alt, Control, Meta.
static key_code modifiers_of(unsigned param)
{
    unsigned bits = param > 0 ? param - 1 : 0;
    key_code m = 0;
    if (bits & 1)
        m |= KEY_SHIFT;
    if (bits & (2 | 8))
        m |= KEY_META;
    if (bits & 4)
        m |= KEY_CTRL;
    return m;
}

static const struct {
    uint8_t final;
    key_code key;
} letter_keys[] = {
    {'A', key_special(KS_UP)},    {'B', key_special(KS_DOWN)}, {'C', key_special(KS_RIGHT)},
    {'D', key_special(KS_LEFT)},  {'E', key_special(KS_KP_5)}, {'F', key_special(KS_END)},
    {'H', key_special(KS_HOME)},  {'P', key_special(KS_F1)},   {'Q', key_special(KS_F2)},
    {'R', key_special(KS_F3)},    {'S', key_special(KS_F4)},   {'Z', key_special(KS_BTAB)},
};

static const struct {
    unsigned number;
    key_code key;
} tilde_keys[] = {
    {1, key_special(KS_HOME)},  {2, key_special(KS_IC)},    {3, key_special(KS_DC)},
    {4, key_special(KS_END)},   {5, key_special(KS_PPAGE)}, {6, key_special(KS_NPAGE)},
    {7, key_special(KS_HOME)},  {8, key_special(KS_END)},   {11, key_special(KS_F1)},
    {12, key_special(KS_F2)},   {13, key_special(KS_F3)},   {14, key_special(KS_F4)},
    {15, key_special(KS_F5)},   {17, key_special(KS_F6)},   {18, key_special(KS_F7)},
    {19, key_special(KS_F8)},   {20, key_special(KS_F9)},   {21, key_special(KS_F10)},
    {23, key_special(KS_F11)},  {24, key_special(KS_F12)},  {25, key_special(KS_F13)},
    {26, key_special(KS_F14)},  {28, key_special(KS_F15)},  {29, key_special(KS_F16)},
    {31, key_special(KS_F17)},  {32, key_special(KS_F18)},  {33, key_special(KS_F19)},
    {34, key_special(KS_F20)},
};

static const struct {
    uint8_t final;
    key_code key;
} ss3_keys[] = {
    {'A', key_special(KS_UP)},
    {'B', key_special(KS_DOWN)},
    {'C', key_special(KS_RIGHT)},
    {'D', key_special(KS_LEFT)},
    {'E', key_special(KS_KP_5)},
    {'F', key_special(KS_END)},
    {'H', key_special(KS_HOME)},
    {'P', key_special(KS_F1)},
    {'Q', key_special(KS_F2)},
    {'R', key_special(KS_F3)},
    {'S', key_special(KS_F4)},
    {'M', key_special(KS_KP_ENTER) | KEY_KEYPAD},
    {'j', key_special(KS_KP_STAR) | KEY_KEYPAD},
    {'k', key_special(KS_KP_PLUS) | KEY_KEYPAD},
    {'m', key_special(KS_KP_MINUS) | KEY_KEYPAD},
    {'n', key_special(KS_KP_PERIOD) | KEY_KEYPAD},
    {'o', key_special(KS_KP_SLASH) | KEY_KEYPAD},
    {'p', key_special(KS_KP_0) | KEY_KEYPAD},
    {'q', key_special(KS_KP_1) | KEY_KEYPAD},
    {'r', key_special(KS_KP_2) | KEY_KEYPAD},
    {'s', key_special(KS_KP_3) | KEY_KEYPAD},
    {'t', key_special(KS_KP_4) | KEY_KEYPAD},
    {'u', key_special(KS_KP_5) | KEY_KEYPAD},
    {'v', key_special(KS_KP_6) | KEY_KEYPAD},
    {'w', key_special(KS_KP_7) | KEY_KEYPAD},
    {'x', key_special(KS_KP_8) | KEY_KEYPAD},
    {'y', key_special(KS_KP_9) | KEY_KEYPAD},
};

key_code ss3_to_key(uint8_t final)
{
    for (size_t i = 0; i < ARRAY_LEN(ss3_keys); i++) {
        if (ss3_keys[i].final == final)
            return ss3_keys[i].key;
    }
    return KEY_UNKNOWN;
}

// A key given as a code point with modifiers (CSI u, CSI 27).
static key_code key_of_code(unsigned code, key_code modifiers)
{
    key_code key;
    switch (code) {
    case 8:
    case 127:
        key = key_special(KS_BSPACE);
        break;
    case 9:
        if (modifiers & KEY_SHIFT)
            return (modifiers & ~KEY_SHIFT) | key_special(KS_BTAB);
        key = key_special(KS_TAB);
        break;
    case 13:
        key = key_special(KS_ENTER);
        break;
    case 27:
        key = key_special(KS_ESCAPE);
        break;
    default:
        // Controls by themselves, surrogates, and the keys of the kitty protocol's private range
        // that have no name here.
        if (code < 0x20 || (code >= 0x80 && code < 0xa0) || (code >= 0xD800 && code < 0xE000) ||
            (code >= 57344 && code <= 63743) || code > 0x10FFFF)
            return KEY_UNKNOWN;
        key = code;
        break;
    }
    if (!key_is_special(key)) {
        bool is_upper = key >= 'A' && key <= 'Z', is_lower = key >= 'a' && key <= 'z';
        if (modifiers & KEY_CTRL) {
            // Control takes the small letter; Shift stays, so that C-S-a differs from C-a.
            if (is_upper)
                key += 'a' - 'A';
            else if (!is_lower)
                modifiers &= ~KEY_SHIFT; // it made the character
        } else if (modifiers & KEY_SHIFT) {
            if (is_lower)
                key -= 'a' - 'A';
            if (key != ' ')
                modifiers &= ~KEY_SHIFT;
        }
        if ((modifiers & KEY_CTRL) && key == '@')
            key = ' ';
    }
    return key | modifiers;
}

key_code csi_to_key(const struct csi *csi, uint8_t final)
{
    const unsigned *v = csi->value;

    if (final == 'u')
        return csi->n >= 1 ? key_of_code(v[0], modifiers_of(csi->n >= 2 ? v[1] : 1)) : KEY_UNKNOWN;
    if (final == '~' && csi->n >= 3 && v[0] == 27)
        return key_of_code(v[2], modifiers_of(v[1]));
    if (final == '~' || final == '^' || final == '@') {
        // rxvt marks modifiers by the final byte.
        key_code modifiers = modifiers_of(csi->n >= 2 ? v[1] : 1);
        if (final == '^' || final == '@')
            modifiers |= KEY_CTRL;
        if (final == '@')
            modifiers |= KEY_SHIFT;
        for (size_t i = 0; i < ARRAY_LEN(tilde_keys); i++) {
            if (csi->n >= 1 && tilde_keys[i].number == v[0])
                return tilde_keys[i].key | modifiers;
        }
        return KEY_UNKNOWN;
    }
    for (size_t i = 0; i < ARRAY_LEN(letter_keys); i++) {
        if (letter_keys[i].final != final)
            continue;
        key_code modifiers = modifiers_of(csi->n >= 2 ? v[1] : 1);
        if (final == 'Z')
            modifiers &= ~KEY_SHIFT;
        return letter_keys[i].key | modifiers;
    }
    return KEY_UNKNOWN;
}
