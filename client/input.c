// Decoding of terminal input: a buffer with at most one unfinished sequence, across reads.
#include "config.h"

#include "client/input.h"

#include <stdlib.h>
#include <string.h>

#include "client/input_keys.h"
#include "common/utf8.h"
#include "common/util.h"

#define ESC 0x1b
// An unfinished sequence longer than this is no sequence that a terminal sends.
#define CSI_MAX_BYTES 128u
#define STRING_MAX_BYTES 4096u
// What is left of a report that never came to its end is dropped when input comes this much later.
#define STALE_US INT64_C(5000000)
#define PASTE_PIECE_BYTES 65536u

static const char paste_end[] = "\033[201~";
#define PASTE_END_BYTES (sizeof paste_end - 1)

struct key_bytes {
    char *bytes;
    size_t len;
    key_code key;
};
struct input {
    const struct input_events *events;
    void *arg;
    bool is_utf8;
    uint8_t erase_byte;
    struct key_bytes *keys;
    size_t n_keys;
    struct strbuf buffer; // undecoded: one unfinished sequence at most between calls
    int64_t since_us;     // when the last bytes came
    bool waits_for_escape;
    bool in_paste, paste_has_begun;
    bool in_string;       // dropping an over-long string up to its terminator
    bool string_saw_esc;
    unsigned pressed;     // mouse button that is down, for reports that do not name it
};

struct input *input_new(const struct input_events *events, void *arg)
{
    struct input *in = xcalloc(1, sizeof *in);
    in->events = events;
    in->arg = arg;
    in->is_utf8 = true;
    in->erase_byte = 0x7f;
    return in;
}

void input_free(struct input *in)
{
    if (in == NULL)
        return;
    for (size_t i = 0; i < in->n_keys; i++)
        free(in->keys[i].bytes);
    free(in->keys);
    strbuf_free(&in->buffer);
    free(in);
}

void input_set_utf8(struct input *in, bool is_utf8)
{
    in->is_utf8 = is_utf8;
}

void input_set_erase_byte(struct input *in, uint8_t byte)
{
    in->erase_byte = byte;
}

void input_add_key(struct input *in, const char *bytes, key_code key)
{
    if (bytes[0] == '\0')
        return;
    in->keys = xreallocarray(in->keys, in->n_keys + 1, sizeof *in->keys);
    in->keys[in->n_keys++] = (struct key_bytes){xstrdup(bytes), strlen(bytes), key};
}

static bool is_user_key(key_code key)
{
    return key >= key_special(KS_USER0) && key <= key_special(KS_USER_LAST);
}

void input_set_user_keys(struct input *in, const char *const *keys)
{
    size_t kept = 0, n = 0;
    for (size_t i = 0; i < in->n_keys; i++) {
        if (is_user_key(in->keys[i].key))
            free(in->keys[i].bytes);
        else
            in->keys[kept++] = in->keys[i];
    }
    while (keys[n] != NULL && n <= KS_USER_LAST - KS_USER0)
        n++;
    struct key_bytes *all = xcalloc(n + kept + 1, sizeof *all);
    size_t n_all = 0;
    for (size_t i = 0; i < n; i++) {
        if (keys[i][0] == ESC && keys[i][1] != '\0')
            all[n_all++] = (struct key_bytes){xstrdup(keys[i]), strlen(keys[i]),
                                              key_special(KS_USER0) + i};
    }
    if (kept > 0)
        memcpy(all + n_all, in->keys, kept * sizeof *all);
    free(in->keys);
    in->keys = all;
    in->n_keys = n_all + kept;
}

void input_reset(struct input *in)
{
    strbuf_clear(&in->buffer);
    in->in_paste = in->in_string = in->waits_for_escape = false;
    in->pressed = 0;
}

// --- single keys

static key_code key_of_byte(const struct input *in, uint8_t byte)
{
    if (byte == 0x7f || (byte == in->erase_byte && byte < 0x20 && byte != 0))
        return key_special(KS_BSPACE);
    switch (byte) {
    case 0x00:
        return KEY_CTRL | ' ';
    case 0x09:
        return key_special(KS_TAB);
    case 0x0d:
        return key_special(KS_ENTER);
    case ESC:
        return key_special(KS_ESCAPE);
    }
    if (byte < 0x1b)
        return KEY_CTRL | (key_code)(byte + 'a' - 1);
    if (byte < 0x20)
        return KEY_CTRL | (key_code)(byte + '@');
    return byte;
}

static void emit_key(struct input *in, key_code key, const uint8_t *raw, size_t len)
{
    in->events->key(in->arg, key, raw, len);
}

// One character at data (not ESC). Returns its bytes; 0 if more must come.
static size_t take_character(struct input *in, const uint8_t *data, size_t len, key_code modifiers,
                             const uint8_t *raw)
{
    size_t before = (size_t)(data - raw);
    if (data[0] < 0x80 || !in->is_utf8) {
        emit_key(in, modifiers | key_of_byte(in, data[0]), raw, before + 1);
        return 1;
    }
    struct utf8_state state = {0};
    for (size_t i = 0; i < len; i++) {
        uint32_t cp;
        switch (utf8_decode(&state, data[i], &cp)) {
        case UTF8_MORE:
            continue;
        case UTF8_DONE:
            emit_key(in, modifiers | cp, raw, before + i + 1);
            return i + 1;
        case UTF8_INVALID:
            emit_key(in, modifiers | UTF8_REPLACEMENT, raw, before + i + 1);
            return i + 1;
        case UTF8_INVALID_AGAIN:
            emit_key(in, modifiers | UTF8_REPLACEMENT, raw, before + i);
            return i;
        }
    }
    return 0;
}

// --- control sequences

static void emit_mouse(struct input *in, unsigned code, unsigned x, unsigned y, bool is_release)
{
    struct input_mouse m;
    memset(&m, 0, sizeof m);
    if (code > 255 || x == 0 || y == 0 || x > UINT16_MAX || y > UINT16_MAX)
        return;
    m.x = x - 1;
    m.y = y - 1;
    if (code & 4)
        m.modifiers |= KEY_SHIFT;
    if (code & 8)
        m.modifiers |= KEY_META;
    if (code & 16)
        m.modifiers |= KEY_CTRL;
    // The low two bits and the two highest name the button: 0 to 2, 3 none, 64 and 65 the wheel,
    // 66 and 67 its sides (6 and 7), 128 on the extra ones (8 to 11).
    unsigned button = (code & 3) | (code & 192) >> 4;
    unsigned number = button < 3 ? button + 1 : button;
    bool moves = code & 32;
    if (number > 11)
        return;
    if (button == 4 || button == 5) {
        if (is_release)
            return;
        m.kind = button == 4 ? MOUSE_WHEEL_UP : MOUSE_WHEEL_DOWN;
    } else if (moves) {
        m.kind = button == 3 ? MOUSE_MOVE : MOUSE_DRAG;
        m.button = button == 3 ? 0 : number;
    } else if (is_release || button == 3) {
        m.kind = MOUSE_UP;
        m.button = button == 3 ? in->pressed : number;
        in->pressed = 0;
        if (m.button == 0)
            return;
    } else {
        m.kind = MOUSE_DOWN;
        m.button = number;
        in->pressed = m.button;
    }
    in->events->mouse(in->arg, &m);
}

static void emit_answer(struct input *in, const char *name, const uint8_t *data, size_t len)
{
    char value[512];
    size_t n = 0;
    for (size_t i = 0; i < len && n + 1 < sizeof value; i++) {
        if (data[i] >= 0x20 && data[i] < 0x7f)
            value[n++] = (char)data[i];
    }
    value[n] = '\0';
    in->events->answer(in->arg, name, value);
}

// A whole control sequence: CSI with parameters [params, params + n), then intermediates, a final.
static void take_csi(struct input *in, const uint8_t *raw, size_t raw_len, key_code modifiers,
                     const uint8_t *params, size_t n, uint8_t final)
{
    struct csi csi;
    csi_parse(&csi, params, n);

    if (csi.mark == '<' && (final == 'M' || final == 'm')) {
        if (csi.n == 3)
            emit_mouse(in, csi.value[0], csi.value[1], csi.value[2], final == 'm');
        return;
    }
    if (csi.mark != 0) { // nothing that a key sends
        if (csi.mark == '?' && final == 'c')
            emit_answer(in, "da1", params + 1, n - 1);
        else if (csi.mark == '?' && final == 'y' && n > 1)
            emit_answer(in, "mode", params + 1, n - 1 - (params[n - 1] == '$'));
        return;
    }
    if (csi.has_intermediate)
        return;
    if (final == 'n') {
        emit_answer(in, "dsr", params, n);
        return;
    }
    if ((final == 'I' || final == 'O') && n == 0) {
        in->events->focus(in->arg, final == 'I');
        return;
    }
    if (final == '~' && csi.n == 1 && csi.value[0] == 200) {
        in->in_paste = true;
        in->paste_has_begun = false;
        return;
    }
    key_code key = csi_to_key(&csi, final);
    if (key != KEY_UNKNOWN)
        emit_key(in, key | modifiers, raw, raw_len);
}

// --- the decoder

enum { TAKE_MORE = 0 }; // the sequence is not whole yet

// Keys of terminfo. TAKE_MORE with *is_prefix when one may still come.
static size_t take_known_key(struct input *in, const uint8_t *data, size_t len, bool *is_prefix)
{
    *is_prefix = false;
    for (size_t i = 0; i < in->n_keys; i++) {
        const struct key_bytes *k = &in->keys[i];
        size_t n = MIN_OF(len, k->len);
        if (memcmp(data, k->bytes, n) != 0)
            continue;
        if (n == k->len) {
            emit_key(in, k->key, data, n);
            return n;
        }
        *is_prefix = true;
    }
    return TAKE_MORE;
}

static bool is_string_start(uint8_t kind, uint8_t next)
{
    // Without such a continuation they are Meta with a key.
    if (kind == ']')
        return next >= '0' && next <= '9';
    if (kind == 'P')
        return next == '>' || next == '!' || (next >= '0' && next <= '9');
    return false;
}

// OSC and DCS answers: data begins with ESC and ']' or 'P'.
static size_t take_string(struct input *in, const uint8_t *data, size_t len)
{
    size_t end = 2, used = 0;
    for (; end < len && used == 0; end++) {
        if (data[end] == 0x07)
            used = end + 1;
        else if (data[end] == ESC && end + 1 < len)
            used = data[end + 1] == '\\' ? end + 2 : end; // another ESC ends it as well
        if (used != 0)
            break;
    }
    if (used == 0) {
        if (len < STRING_MAX_BYTES)
            return TAKE_MORE;
        in->in_string = true;
        in->string_saw_esc = data[len - 1] == ESC;
        return len;
    }
    const uint8_t *text = data + 2;
    size_t n = end - 2;
    if (data[1] == ']' && n > 3 && memcmp(text, "10;", 3) == 0)
        emit_answer(in, "fg", text + 3, n - 3);
    else if (data[1] == ']' && n > 3 && memcmp(text, "11;", 3) == 0)
        emit_answer(in, "bg", text + 3, n - 3);
    else if (data[1] == 'P' && n > 2 && memcmp(text, ">|", 2) == 0)
        emit_answer(in, "xtversion", text + 2, n - 2);
    return used;
}

// Data begins with ESC [, perhaps with another ESC before (prefix bytes).
static size_t take_csi_bytes(struct input *in, const uint8_t *data, size_t len, size_t prefix,
                             bool *is_ambiguous)
{
    const uint8_t *csi = data + prefix;
    size_t n = len - prefix;
    key_code modifiers = prefix > 0 ? KEY_META : 0;

    *is_ambiguous = n <= 2; // ESC [ alone is Meta and a bracket
    if (n <= 2)
        return TAKE_MORE;
    if (csi[2] == 'M') { // X10 and normal mouse reports: three bytes follow
        if (n < 6)
            return TAKE_MORE;
        if (csi[3] >= 32)
            emit_mouse(in, csi[3] - 32u, csi[4] - 32u, csi[5] - 32u, false);
        return prefix + 6;
    }
    if (csi[2] == '[') { // the Linux console's F1 to F5
        if (n < 4)
            return TAKE_MORE;
        if (csi[3] >= 'A' && csi[3] <= 'E')
            emit_key(in, modifiers | key_special(KS_F1 + (csi[3] - 'A')), data, prefix + 4);
        return prefix + 4;
    }
    size_t i = 2;
    while (i < n && csi[i] >= 0x20 && csi[i] <= 0x3f)
        i++;
    if (i == n && n < CSI_MAX_BYTES)
        return TAKE_MORE;
    if (i == n)
        return len; // no terminal sends this
    if (csi[i] < 0x40 || csi[i] > 0x7e) {
        // Broken off. With parameters it was a report and is dropped; the byte is looked at anew.
        if (i > 2)
            return prefix + i;
        emit_key(in, KEY_META | '[', data, prefix + 2);
        return prefix + 2;
    }
    take_csi(in, data, prefix + i + 1, modifiers, csi + 2, i - 2, csi[i]);
    return prefix + i + 1;
}

static size_t take_escape(struct input *in, const uint8_t *data, size_t len, bool *is_ambiguous)
{
    bool is_prefix;

    *is_ambiguous = true;
    size_t used = take_known_key(in, data, len, &is_prefix);
    if (used != TAKE_MORE)
        return used;
    if (len == 1)
        return TAKE_MORE;

    // Meta before a sequence: rxvt and others send ESC twice.
    size_t prefix = data[1] == ESC ? 1 : 0;
    if (prefix == 1 && len == 2)
        return TAKE_MORE;
    if (prefix == 1 && data[2] != '[' && data[2] != 'O') {
        emit_key(in, key_special(KS_ESCAPE), data, 1);
        return 1;
    }
    const uint8_t *at = data + prefix;
    size_t n = len - prefix;
    switch (at[1]) {
    case '[':
        return take_csi_bytes(in, data, len, prefix, is_ambiguous);
    case 'O': {
        if (n == 2)
            return TAKE_MORE;
        key_code key = ss3_to_key(at[2]);
        if (key == KEY_UNKNOWN) {
            emit_key(in, KEY_META | 'O', data, prefix + 2);
            return prefix + 2;
        }
        emit_key(in, (prefix > 0 ? KEY_META : 0) | key, data, prefix + 3);
        return prefix + 3;
    }
    case ']':
    case 'P':
        if (n == 2)
            return TAKE_MORE;
        if (is_string_start(at[1], at[2])) {
            *is_ambiguous = false;
            return take_string(in, data, len);
        }
        break;
    }
    if (is_prefix)
        return TAKE_MORE;
    used = take_character(in, data + 1, len - 1, KEY_META, data);
    *is_ambiguous = used != TAKE_MORE;
    return used == TAKE_MORE ? TAKE_MORE : used + 1;
}

// A paste goes on until its end marker, whatever it holds.
static size_t take_paste(struct input *in, const uint8_t *data, size_t len)
{
    const uint8_t *end = memmem(data, len, paste_end, PASTE_END_BYTES);
    size_t n;
    if (end != NULL) {
        n = (size_t)(end - data);
    } else {
        // The last bytes may be the beginning of the marker.
        size_t held = MIN_OF(len, PASTE_END_BYTES - 1);
        while (held > 0 && memcmp(data + len - held, paste_end, held) != 0)
            held--;
        n = len - held;
    }
    size_t given = 0;
    while (n - given > PASTE_PIECE_BYTES || (end == NULL && given < n)) {
        size_t piece = MIN_OF(n - given, (size_t)PASTE_PIECE_BYTES);
        in->events->paste(in->arg, !in->paste_has_begun, false, data + given, piece);
        in->paste_has_begun = true;
        given += piece;
    }
    if (end == NULL)
        return n;
    in->events->paste(in->arg, !in->paste_has_begun, true, data + given, n - given);
    in->in_paste = false;
    return n + PASTE_END_BYTES;
}

static size_t take_dropped_string(struct input *in, const uint8_t *data, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (data[i] == 0x07 || (in->string_saw_esc && data[i] == '\\')) {
            in->in_string = false;
            return i + 1;
        }
        in->string_saw_esc = data[i] == ESC;
    }
    return len;
}

static size_t take_one(struct input *in, const uint8_t *data, size_t len)
{
    bool is_ambiguous = false;
    size_t used;

    if (in->in_paste)
        used = take_paste(in, data, len);
    else if (in->in_string)
        used = take_dropped_string(in, data, len);
    else if (data[0] == ESC)
        used = take_escape(in, data, len, &is_ambiguous);
    else
        used = take_character(in, data, len, 0, data);
    in->waits_for_escape = used == TAKE_MORE && is_ambiguous;
    return used;
}

static void take_all(struct input *in)
{
    size_t at = 0;
    while (at < in->buffer.len) {
        size_t used = take_one(in, (const uint8_t *)in->buffer.data + at, in->buffer.len - at);
        if (used == TAKE_MORE)
            break;
        at += used;
    }
    if (at >= in->buffer.len) {
        strbuf_clear(&in->buffer);
        in->waits_for_escape = false;
    } else if (at > 0) {
        in->buffer.len -= at;
        memmove(in->buffer.data, in->buffer.data + at, in->buffer.len);
    }
}

void input_feed(struct input *in, const void *data, size_t len, int64_t now_us)
{
    // The rest of a report that was cut long ago never comes: this is typed.
    if (in->buffer.len > 0 && !in->in_paste && now_us - in->since_us > STALE_US) {
        if (in->waits_for_escape)
            input_expire(in);
        strbuf_clear(&in->buffer);
        in->in_string = false;
    }
    in->since_us = now_us;
    strbuf_add(&in->buffer, data, len);
    take_all(in);
}

int64_t input_waiting_since_us(const struct input *in)
{
    return in->waits_for_escape ? in->since_us : 0;
}

int64_t input_paste_since_us(const struct input *in)
{
    return in->in_paste ? in->since_us : 0;
}

void input_end_paste(struct input *in)
{
    if (!in->in_paste)
        return;
    if (in->paste_has_begun || in->buffer.len > 0)
        in->events->paste(in->arg, !in->paste_has_begun, true, in->buffer.data, in->buffer.len);
    strbuf_clear(&in->buffer);
    in->in_paste = false;
}

void input_expire(struct input *in)
{
    if (!in->waits_for_escape)
        return;
    in->waits_for_escape = false;
    const uint8_t *data = (const uint8_t *)in->buffer.data;
    size_t len = in->buffer.len, at = 0;
    // ESC alone is Escape; with one key after it, Meta. What follows was typed by itself.
    while (at < len && data[at] == ESC) {
        if (at + 1 < len && data[at + 1] != ESC) {
            size_t used = take_character(in, data + at + 1, len - at - 1, KEY_META, data + at);
            at += used == TAKE_MORE ? len - at : used + 1;
        } else {
            emit_key(in, key_special(KS_ESCAPE), data + at, 1);
            at++;
        }
    }
    in->buffer.len -= at;
    memmove(in->buffer.data, in->buffer.data + at, in->buffer.len);
    take_all(in);
}
