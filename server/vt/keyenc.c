// Keys, mouse events, pastes and focus as the bytes a program expects, by the modes that it set.
#include <stdio.h>
#include <stdlib.h>

#include "server/vt/state.h"

// What a paste carries from one piece to the next: a character that was cut.
struct paste_state {
    struct utf8_state utf8;
    char bytes[UTF8_MAX_BYTES];
    unsigned n;
};

struct paste_state *vt_paste_state_new(void)
{
    return xcalloc(1, sizeof(struct paste_state));
}

// 1 for none, plus 1 Shift, 2 Meta, 4 Ctrl, 8 Super (xterm).
static unsigned modifier_number(key_code key)
{
    return 1 + (key & KEY_SHIFT ? 1 : 0) + (key & KEY_META ? 2 : 0) + (key & KEY_CTRL ? 4 : 0) +
           (key & KEY_SUPER ? 8 : 0);
}

// Keys of the form CSI number ~ and CSI letter; SS3 letter in application mode.
static const struct special {
    uint8_t number; // 0: by letter
    char letter;
    bool is_cursor; // SS3 by DECCKM; else SS3 always (F1 to F4)
    uint8_t shift;  // modifier that belongs to it (F13 and on are shifted F1 and on)
} specials[] = {
    [KS_F1] = {0, 'P', false, 0},  [KS_F2] = {0, 'Q', false, 0},  [KS_F3] = {0, 'R', false, 0},
    [KS_F4] = {0, 'S', false, 0},  [KS_F5] = {15, 0, false, 0},   [KS_F6] = {17, 0, false, 0},
    [KS_F7] = {18, 0, false, 0},   [KS_F8] = {19, 0, false, 0},   [KS_F9] = {20, 0, false, 0},
    [KS_F10] = {21, 0, false, 0},  [KS_F11] = {23, 0, false, 0},  [KS_F12] = {24, 0, false, 0},
    [KS_F13] = {0, 'P', false, 1}, [KS_F14] = {0, 'Q', false, 1}, [KS_F15] = {0, 'R', false, 1},
    [KS_F16] = {0, 'S', false, 1}, [KS_F17] = {15, 0, false, 1},  [KS_F18] = {17, 0, false, 1},
    [KS_F19] = {18, 0, false, 1},  [KS_F20] = {19, 0, false, 1},  [KS_IC] = {2, 0, false, 0},
    [KS_DC] = {3, 0, false, 0},    [KS_HOME] = {0, 'H', true, 0}, [KS_END] = {0, 'F', true, 0},
    [KS_NPAGE] = {6, 0, false, 0}, [KS_PPAGE] = {5, 0, false, 0}, [KS_UP] = {0, 'A', true, 0},
    [KS_DOWN] = {0, 'B', true, 0}, [KS_LEFT] = {0, 'D', true, 0}, [KS_RIGHT] = {0, 'C', true, 0},
};

// The numeric keypad: what it types, and its letter after SS3 in application mode.
static const struct {
    char text, letter;
} keypad[] = {
    {'/', 'o'}, {'*', 'j'}, {'-', 'm'}, {'7', 'w'}, {'8', 'x'}, {'9', 'y'},  {'+', 'k'}, {'4', 't'},
    {'5', 'u'}, {'6', 'v'}, {'1', 'q'}, {'2', 'r'}, {'3', 's'}, {'\r', 'M'}, {'0', 'p'}, {'.', 'n'},
};

static void encode_special(const struct vt *vt, const struct special *s, key_code key,
                           struct strbuf *out)
{
    unsigned modifiers = modifier_number(key);

    if (s->shift != 0)
        modifiers = ((modifiers - 1) | s->shift) + 1;
    if (s->number != 0 && modifiers == 1)
        strbuf_addf(out, "\033[%u~", s->number);
    else if (s->number != 0)
        strbuf_addf(out, "\033[%u;%u~", s->number, modifiers);
    else if (modifiers != 1)
        strbuf_addf(out, "\033[1;%u%c", modifiers, s->letter);
    else if (!s->is_cursor || vt_has_mode(vt, VT_MODE_APP_CURSOR))
        strbuf_addf(out, "\033O%c", s->letter);
    else
        strbuf_addf(out, "\033[%c", s->letter);
}

// The control character of Ctrl and a printable one; false: there is none.
static bool control_of(uint32_t c, char *out)
{
    static const char digits[] = "\0\033\034\035\036\037\177"; // 2 to 8

    if ((c >= 'a' && c <= 'z') || (c >= '@' && c <= '_'))
        *out = (char)(c & 0x1f);
    else if (c == ' ' || c == '`')
        *out = 0;
    else if (c >= '2' && c <= '8')
        *out = digits[c - '2'];
    else if (c == '/' || c == '-')
        *out = 0x1f;
    else if (c == '?')
        *out = 0x7f;
    else if (c == '~')
        *out = 0x1e;
    else
        return false;
    return true;
}

// xterm's form for keys that have no byte of their own (modifyOtherKeys).
static void encode_other(uint32_t code, key_code key, struct strbuf *out)
{
    strbuf_addf(out, "\033[27;%u;%u~", modifier_number(key), code);
}

static void encode_character(const struct vt *vt, uint32_t c, key_code key, struct strbuf *out)
{
    bool has_ctrl = (key & KEY_CTRL) != 0, has_meta = (key & KEY_META) != 0;
    char byte, text[UTF8_MAX_BYTES];

    if (has_ctrl && vt->key_level >= 1 &&
        (vt->key_level >= 2 || (key & KEY_SHIFT) || !control_of(c, &byte))) {
        encode_other(c, key, out);
        return;
    }
    if (has_meta && vt->key_level >= 2) {
        encode_other(c, key, out);
        return;
    }
    if (has_meta)
        strbuf_add_char(out, '\033');
    if (has_ctrl && control_of(c, &byte))
        strbuf_add_char(out, byte);
    else
        strbuf_add(out, text, utf8_encode(c, text));
}

// Tab, Enter, Escape, BSpace: the byte they always had; with modifiers by xterm's form if asked.
static void encode_old(const struct vt *vt, uint32_t code, key_code key, struct strbuf *out)
{
    bool is_modified =
        (key & (KEY_CTRL | KEY_SHIFT)) != 0 || ((key & KEY_META) && vt->key_level >= 2);

    if (is_modified && vt->key_level >= 1) {
        encode_other(code, key, out);
        return;
    }
    if (key & KEY_META)
        strbuf_add_char(out, '\033');
    if (code == 0x7f) {
        bool is_bs = vt_has_mode(vt, VT_MODE_BACKSPACE);

        if (key & KEY_CTRL)
            is_bs = !is_bs;
        strbuf_add_char(out, is_bs ? 0x08 : 0x7f);
        return;
    }
    strbuf_add_char(out, (char)code);
    if (code == '\r' && vt_has_mode(vt, VT_MODE_NEWLINE))
        strbuf_add_char(out, '\n');
}

void vt_encode_key(const struct vt *vt, key_code key, struct strbuf *out)
{
    uint64_t code = key & KEY_MASK;
    unsigned ks;

    if (key == KEY_NONE)
        return;
    if (code < KEY_BASE) {
        encode_character(vt, (uint32_t)code, key, out);
        return;
    }
    ks = (unsigned)(code - KEY_BASE);
    switch (ks) {
    case KS_BSPACE:
        encode_old(vt, 0x7f, key, out);
        return;
    case KS_TAB:
        if (key & KEY_SHIFT)
            strbuf_add_str(out, key & KEY_META ? "\033\033[Z" : "\033[Z");
        else
            encode_old(vt, '\t', key, out);
        return;
    case KS_BTAB:
        strbuf_add_str(out, key & KEY_META ? "\033\033[Z" : "\033[Z");
        return;
    case KS_ENTER:
        encode_old(vt, '\r', key, out);
        return;
    case KS_ESCAPE:
        encode_old(vt, 0x1b, key, out);
        return;
    default:
        break;
    }
    if (ks >= KS_KP_SLASH && ks <= KS_KP_PERIOD) {
        unsigned i = ks - KS_KP_SLASH;

        if (key & KEY_META)
            strbuf_add_char(out, '\033');
        if (vt_has_mode(vt, VT_MODE_APP_KEYPAD))
            strbuf_addf(out, "\033O%c", keypad[i].letter);
        else
            strbuf_add_char(out, keypad[i].text);
        return;
    }
    if (ks < ARRAY_LEN(specials) && (specials[ks].number != 0 || specials[ks].letter != 0))
        encode_special(vt, &specials[ks], key, out);
}

bool vt_wants_mouse(const struct vt *vt, const struct vt_mouse *m)
{
    switch (m->kind) {
    case MOUSE_DOWN:
        return vt_has_mode(vt, VT_MODE_MOUSE_X10 | VT_MODE_MOUSE_BUTTONS | VT_MODE_MOUSE_DRAG |
                                   VT_MODE_MOUSE_ALL);
    case MOUSE_UP:
    case MOUSE_WHEEL_UP:
    case MOUSE_WHEEL_DOWN:
        return vt_has_mode(vt, VT_MODE_MOUSE_BUTTONS | VT_MODE_MOUSE_DRAG | VT_MODE_MOUSE_ALL);
    case MOUSE_DRAG:
        return vt_has_mode(vt, VT_MODE_MOUSE_DRAG | VT_MODE_MOUSE_ALL);
    case MOUSE_MOVE:
        return vt_has_mode(vt, VT_MODE_MOUSE_ALL);
    default:
        return false;
    }
}

static unsigned button_code(const struct vt *vt, const struct vt_mouse *m)
{
    unsigned b = m->button == 0 ? 1 : m->button, code;

    if (m->kind == MOUSE_WHEEL_UP || m->kind == MOUSE_WHEEL_DOWN)
        code = m->kind == MOUSE_WHEEL_UP ? 64 : 65;
    else if (m->kind == MOUSE_MOVE)
        code = 35;
    else if (b <= 3)
        code = b - 1;
    else if (b <= 7)
        code = 64 + b - 4;
    else
        code = 128 + MIN_OF(b, 11u) - 8;
    if (m->kind == MOUSE_DRAG)
        code += 32;
    if (m->kind == MOUSE_UP && !vt_has_mode(vt, VT_MODE_MOUSE_SGR))
        code = 3;
    if (vt_has_mode(vt, VT_MODE_MOUSE_X10))
        return code;
    return code + (m->modifiers & KEY_SHIFT ? 4 : 0) + (m->modifiers & KEY_META ? 8 : 0) +
           (m->modifiers & KEY_CTRL ? 16 : 0);
}

void vt_encode_mouse(const struct vt *vt, const struct vt_mouse *m, struct strbuf *out)
{
    unsigned b, x = m->x + 1, y = m->y + 1;

    if (!vt_wants_mouse(vt, m))
        return;
    b = button_code(vt, m);
    if (vt_has_mode(vt, VT_MODE_MOUSE_SGR)) {
        strbuf_addf(out, "\033[<%u;%u;%u%c", b, x, y, m->kind == MOUSE_UP ? 'm' : 'M');
    } else if (vt_has_mode(vt, VT_MODE_MOUSE_URXVT)) {
        strbuf_addf(out, "\033[%u;%u;%uM", b + 32, x, y);
    } else if (vt_has_mode(vt, VT_MODE_MOUSE_UTF8)) {
        char text[UTF8_MAX_BYTES];

        if (x > 2015 || y > 2015)
            return; // two bytes of UTF-8 are all there is
        strbuf_add_str(out, "\033[M");
        strbuf_add(out, text, utf8_encode(b + 32, text));
        strbuf_add(out, text, utf8_encode(x + 32, text));
        strbuf_add(out, text, utf8_encode(y + 32, text));
    } else if (x <= 223 && y <= 223) { // beyond, a byte has no room: no report
        char text[3] = {(char)(b + 32), (char)(x + 32), (char)(y + 32)};

        strbuf_add_str(out, "\033[M");
        strbuf_add(out, text, 3);
    }
}

// Bytes that are no UTF-8: what would be a C1 control goes.
static void paste_raw(const char *bytes, unsigned n, struct strbuf *out)
{
    for (unsigned i = 0; i < n; i++) {
        if ((uint8_t)bytes[i] < 0x80 || (uint8_t)bytes[i] > 0x9F)
            strbuf_add_char(out, bytes[i]);
    }
}

static void paste_harmless(struct paste_state *s, const char *data, size_t len, struct strbuf *out)
{
    for (size_t i = 0; i < len; i++) {
        uint32_t cp;

        switch (utf8_decode(&s->utf8, (uint8_t)data[i], &cp)) {
        case UTF8_MORE:
            s->bytes[s->n++] = data[i];
            break;
        case UTF8_DONE:
            s->bytes[s->n++] = data[i];
            if (cp == '\n')
                strbuf_add_char(out, '\r');
            else if (cp != 0x1b && (cp < 0x80 || cp > 0x9F))
                strbuf_add(out, s->bytes, s->n);
            s->n = 0;
            break;
        case UTF8_INVALID:
            paste_raw(&data[i], 1, out);
            break;
        case UTF8_INVALID_AGAIN:
            paste_raw(s->bytes, s->n, out);
            s->n = 0;
            i--;
            break;
        }
    }
}

void vt_encode_paste(const struct vt *vt, bool is_first, bool is_last, const void *data, size_t len,
                     struct strbuf *out)
{
    bool has_brackets = vt_has_mode(vt, VT_MODE_PASTE);
    const char *text = data;

    if (is_first)
        memset(vt->paste, 0, sizeof *vt->paste);
    if (!has_brackets) {
        for (size_t i = 0; i < len; i++)
            strbuf_add_char(out, text[i] == '\n' ? '\r' : text[i]);
        return;
    }
    if (is_first)
        strbuf_add_str(out, "\033[200~");
    paste_harmless(vt->paste, text, len, out);
    if (is_last) {
        paste_raw(vt->paste->bytes, vt->paste->n, out);
        memset(vt->paste, 0, sizeof *vt->paste);
        strbuf_add_str(out, "\033[201~");
    }
}

void vt_encode_focus(const struct vt *vt, bool is_in, struct strbuf *out)
{
    if (vt_has_mode(vt, VT_MODE_FOCUS))
        strbuf_add_str(out, is_in ? "\033[I" : "\033[O");
}
