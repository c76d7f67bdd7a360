// The gate before libvterm's parser: bounds control sequences, collects strings.
#include "server/vt/gate.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/util.h"

#define MAX_DIGITS 5
#define MAX_VALUE  99999u
#define ESC        0x1b
#define CAN        0x18
#define SUB        0x1a
#define BEL        0x07

enum gate_state {
    GROUND,
    ESCAPE,     // after ESC and perhaps intermediates
    CSI,        // after ESC [
    CSI_IGNORE, // a malformed one: to its final byte
    STRING,
    STRING_ESC, // ESC inside a string
};
struct gate {
    struct gate_output output;
    void *arg;
    enum gate_state state;
    char buf[GATE_CSI_MAX_BYTES]; // of ESCAPE and CSI
    size_t len;
    enum gate_string kind;
    struct strbuf string;
    bool is_too_long;
};

struct gate *gate_new(const struct gate_output *output, void *arg)
{
    struct gate *g = xcalloc(1, sizeof *g);

    g->output = *output;
    g->arg = arg;
    return g;
}

void gate_free(struct gate *g)
{
    if (g == NULL)
        return;
    strbuf_free(&g->string);
    free(g);
}

void gate_reset(struct gate *g)
{
    g->state = GROUND;
    g->len = 0;
    strbuf_free(&g->string);
}

static void pass(struct gate *g, const char *from, const char *to)
{
    if (to > from)
        g->output.pass(g->arg, from, (size_t)(to - from));
}

static bool is_string_introducer(uint8_t c)
{
    return c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_' || c == 'k';
}

static void string_begin(struct gate *g, uint8_t c)
{
    g->kind = c == ']' ? GATE_OSC : c == 'P' ? GATE_DCS : c == 'k' ? GATE_TITLE : GATE_OTHER;
    strbuf_clear(&g->string);
    g->is_too_long = false;
    g->state = STRING;
}

static void string_add(struct gate *g, const char *from, size_t n)
{
    size_t limit = g->kind == GATE_OSC     ? GATE_OSC_MAX_BYTES
                   : g->kind == GATE_DCS   ? GATE_DCS_MAX_BYTES
                   : g->kind == GATE_TITLE ? GATE_TITLE_MAX_BYTES
                                           : 0;

    if (n == 0 || g->is_too_long)
        return;
    if (n > limit - g->string.len) {
        g->is_too_long = true;
        strbuf_free(&g->string);
        return;
    }
    strbuf_add(&g->string, from, n);
}

static void string_end(struct gate *g, bool is_complete, bool ends_in_bel)
{
    g->state = GROUND;
    if (is_complete && !g->is_too_long && g->kind != GATE_OTHER)
        g->output.string(g->arg, g->kind, g->string.data != NULL ? g->string.data : "",
                         g->string.len, ends_in_bel);
    if (g->string.cap > 65536)
        strbuf_free(&g->string);
}

// A string wrapped for another multiplexer holds strings of its own, each with a BEL.
static bool is_passthrough(const struct gate *g)
{
    return g->kind == GATE_DCS && g->string.len >= 5 && memcmp(g->string.data, "tmux;", 5) == 0;
}

// The string goes on at p; returns where it ended (or end).
static const char *string_feed(struct gate *g, const char *p, const char *end)
{
    while (p < end) {
        const char *from = p;

        while (p < end && (uint8_t)*p >= 0x20)
            p++;
        string_add(g, from, (size_t)(p - from));
        if (p == end)
            break;
        switch (*p++) {
        case BEL:
            if (!is_passthrough(g)) {
                string_end(g, true, true);
                return p;
            }
            break;
        case ESC:
            g->state = STRING_ESC;
            return p;
        case CAN:
        case SUB:
            string_end(g, false, false);
            return p;
        default:
            break; // other controls have no place in a string
        }
    }
    return end;
}

struct param {
    uint32_t value;
    bool is_missing;
    bool has_more; // a colon follows
};

// Parameters of one SGR group: what belongs to one attribute and must not be cut.
static unsigned sgr_group(const struct param *p, unsigned n)
{
    unsigned i = 0;

    if (p[0].has_more) {
        while (i < n && p[i].has_more)
            i++;
        return i + 1; // more than n if the text was cut inside the group
    }
    if (p[0].value == 38 || p[0].value == 48 || p[0].value == 58) {
        if (n > 1 && p[1].value == 5)
            return 3;
        if (n > 1 && p[1].value == 2)
            return 5;
    }
    return 1;
}

static void csi_pass(struct gate *g, const char *leader, const struct param *params, unsigned n,
                     const char *intermediates, size_t n_intermediates, char final)
{
    char out[32 + GATE_CSI_MAX_PARAMS * (MAX_DIGITS + 1)];
    size_t at = 0;

    out[at++] = ESC;
    out[at++] = '[';
    if (*leader != '\0')
        out[at++] = *leader;
    for (unsigned i = 0; i < n; i++) {
        if (!params[i].is_missing) {
            char digits[MAX_DIGITS];
            unsigned d = 0;
            uint32_t v = params[i].value;

            do {
                digits[d++] = (char)('0' + v % 10);
                v /= 10;
            } while (v > 0);
            while (d > 0)
                out[at++] = digits[--d];
        }
        if (i + 1 < n)
            out[at++] = params[i].has_more ? ':' : ';';
    }
    memcpy(out + at, intermediates, n_intermediates);
    at += n_intermediates;
    out[at++] = final;
    pass(g, out, out + at);
}

// The control sequence in buf ended with `final`.
static void csi_end(struct gate *g, char final)
{
    struct param params[GATE_SGR_MAX_PARAMS];
    const char *p = g->buf, *end = g->buf + g->len, *intermediates;
    char leader[2] = "";
    unsigned n = 1, max, i = 0, start = 0;
    bool is_sgr;

    g->state = GROUND;
    if (p < end && *p >= 0x3c && *p <= 0x3f)
        leader[0] = *p++;
    for (intermediates = p; intermediates < end && *intermediates >= 0x30; intermediates++)
        ;
    if (end - intermediates > 2)
        return;
    is_sgr = final == 'm' && leader[0] == '\0' && intermediates == end;
    max = is_sgr ? GATE_SGR_MAX_PARAMS : GATE_CSI_MAX_PARAMS;
    params[0] = (struct param){0, true, false};
    for (; p < intermediates; p++) {
        struct param *last = &params[n - 1];

        if (*p == ';' || *p == ':') {
            last->has_more = *p == ':';
            if (n == max)
                break;
            params[n++] = (struct param){0, true, false};
        } else {
            last->is_missing = false;
            last->value = MIN_OF(last->value * 10 + (uint32_t)(*p - '0'), MAX_VALUE);
        }
    }
    if (!is_sgr || n <= GATE_CSI_MAX_PARAMS) {
        params[n - 1].has_more = false;
        csi_pass(g, leader, params, n, intermediates, (size_t)(end - intermediates), final);
        return;
    }
    while (i < n) {
        unsigned group = sgr_group(&params[i], n - i);

        if (group > n - i)
            break; // cut by the limit: half a colour is none
        if (i - start + group > GATE_CSI_MAX_PARAMS) {
            if (i > start)
                csi_pass(g, "", &params[start], i - start, "", 0, 'm');
            start = i;
        }
        i += group;
        if (group > GATE_CSI_MAX_PARAMS)
            start = i; // no attribute has that many parts
    }
    if (i > start)
        csi_pass(g, "", &params[start], i - start, "", 0, 'm');
}

// One byte of a sequence that is collected. False: the byte was not taken (text begins).
static bool sequence_byte(struct gate *g, uint8_t c)
{
    char byte = (char)c;

    if (c == ESC) {
        g->state = ESCAPE;
        g->len = 0;
        return true;
    }
    if (c == CAN || c == SUB) {
        g->state = GROUND;
        return true;
    }
    if (c < 0x20) {
        // A control inside a sequence is executed at once (as on a VT); the parser is idle.
        g->output.pass(g->arg, &byte, 1);
        return true;
    }
    if (c == 0x7f)
        return true;
    if (c >= 0x80) {
        g->state = GROUND;
        return false;
    }
    if (g->state == ESCAPE) {
        if (c < 0x30) {
            if (g->len < 3)
                g->buf[g->len++] = byte;
        } else if (g->len == 0 && c == '[') {
            g->state = CSI;
        } else if (g->len == 0 && is_string_introducer(c)) {
            string_begin(g, c);
        } else {
            char out[6] = {ESC};

            memcpy(out + 1, g->buf, g->len);
            out[1 + g->len] = byte;
            g->state = GROUND;
            // More intermediates than any sequence has: swallowed.
            if (g->len < 3)
                pass(g, out, out + 2 + g->len);
        }
        return true;
    }
    if (c >= 0x40) {
        if (g->state == CSI)
            csi_end(g, byte);
        g->state = GROUND;
        return true;
    }
    if (g->state == CSI) {
        bool is_late_leader = c >= 0x3c && g->len > 0;
        bool is_late_param = c >= 0x30 && g->len > 0 && (uint8_t)g->buf[g->len - 1] < 0x30;

        if (is_late_leader || is_late_param || g->len == sizeof g->buf)
            g->state = CSI_IGNORE;
        else
            g->buf[g->len++] = byte;
    }
    return true;
}

// A sequence that is whole, usual and within bounds: returns its end. NULL: look at each byte.
static const char *whole_csi(const char *p, const char *end)
{
    unsigned params = 1, digits = 0;

    if (p < end && *p >= 0x3c && *p <= 0x3f)
        p++;
    for (; p < end; p++) {
        uint8_t c = (uint8_t)*p;

        if (c >= '0' && c <= '9') {
            if (++digits > MAX_DIGITS)
                return NULL;
        } else if (c == ';' || c == ':') {
            if (++params > GATE_CSI_MAX_PARAMS)
                return NULL;
            digits = 0;
        } else {
            break;
        }
    }
    if (p < end && *p >= 0x20 && *p < 0x30)
        p++;
    if (p < end && *p >= 0x40 && *p < 0x7f)
        return p + 1;
    return NULL;
}

static const char *whole_escape(const char *p, const char *end)
{
    if (p < end && *p >= 0x20 && *p < 0x30) {
        p++;
        return p < end && *p >= 0x30 && *p < 0x7f ? p + 1 : NULL;
    }
    if (p < end && *p >= 0x30 && *p < 0x7f && *p != '[' && !is_string_introducer((uint8_t)*p))
        return p + 1;
    return NULL;
}

void gate_feed(struct gate *g, const char *data, size_t len)
{
    const char *p = data, *end = data + len, *run = data;

    while (p < end) {
        const char *esc, *next;

        if (g->state == STRING) {
            run = p = string_feed(g, p, end);
            continue;
        }
        if (g->state == STRING_ESC) {
            if (*p == '\\') {
                string_end(g, true, false);
                p++;
            } else if (g->kind == GATE_DCS) {
                g->state = STRING; // an escape doubled for passing through
                if (*p == ESC)
                    p++;
            } else {
                string_end(g, false, false);
                g->state = ESCAPE;
                g->len = 0;
            }
            run = p;
            continue;
        }
        if (g->state != GROUND) {
            if (sequence_byte(g, (uint8_t)*p))
                p++;
            run = p;
            continue;
        }
        esc = memchr(p, ESC, (size_t)(end - p));
        if (esc == NULL)
            break;
        next =
            esc + 1 < end && esc[1] == '[' ? whole_csi(esc + 2, end) : whole_escape(esc + 1, end);
        if (next != NULL) {
            p = next;
            continue;
        }
        pass(g, run, esc);
        g->state = ESCAPE;
        g->len = 0;
        run = p = esc + 1;
    }
    if (g->state == GROUND)
        pass(g, run, end);
}
