// OSC: titles, colours, links, directory, clipboard, notices, marks of the shell.
#include <stdio.h>
#include <stdlib.h>

#include "server/vt/state.h"

#define CWD_MAX_BYTES    4096u
#define LINK_MAX_BYTES   2083u // and its id: what browsers and other terminals take
#define NOTICE_MAX_BYTES 1024u

char *vt_clean_text(const char *data, size_t len, size_t max)
{
    struct strbuf out = {0};

    for (size_t at = 0; at < len;) {
        char text[UTF8_MAX_BYTES];
        uint32_t cp;
        size_t n;

        at += utf8_next(data + at, len - at, &cp);
        if (cp < 0x20 || (cp >= 0x7f && cp < 0xA0) || cp == 0x2028 || cp == 0x2029)
            continue;
        n = utf8_encode(cp, text);
        if (out.len + n > max)
            break;
        strbuf_add(&out, text, n);
    }
    return strbuf_take(&out);
}

void vt_set_title(struct vt *vt, const char *data, size_t len, bool title, bool icon)
{
    char *text = vt_clean_text(data, len, VT_TITLE_MAX_BYTES);

    if (icon) {
        free(vt->icon);
        vt->icon = xstrdup(text);
        if (vt->callbacks.icon != NULL)
            vt->callbacks.icon(vt->arg, vt->icon);
    }
    if (title) {
        free(vt->title);
        vt->title = xstrdup(text);
        if (vt->callbacks.title != NULL)
            vt->callbacks.title(vt->arg, vt->title);
    }
    free(text);
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

// A part of a colour of 1 to 4 hex digits, scaled to 8 bits. False if it is none.
static bool hex_part(const char **p, size_t max_digits, char end, uint32_t *out)
{
    uint32_t v = 0, max = 0;
    size_t n = 0;

    while (n < max_digits && hex_digit(**p) >= 0) {
        v = v << 4 | (uint32_t)hex_digit(**p);
        max = max << 4 | 15;
        (*p)++;
        n++;
    }
    if (n == 0 || (end != 1 && **p != end))
        return false;
    if (end > 1)
        (*p)++;
    *out = (v * 255 + max / 2) / max;
    return true;
}

// "#rgb" to "#rrrrggggbbbb", "rgb:r/g/b" (XParseColor).
static bool parse_colour(const char *s, uint32_t *rgb)
{
    uint32_t r, g, b;
    const char *p = s;

    if (*p == '#') {
        size_t n = strlen(++p);

        if (n % 3 != 0 || n == 0 || n > 12)
            return false;
        if (!hex_part(&p, n / 3, 1, &r) || !hex_part(&p, n / 3, 1, &g) ||
            !hex_part(&p, n / 3, 0, &b))
            return false;
    } else if (strncmp(p, "rgb:", 4) == 0) {
        p += 4;
        if (!hex_part(&p, 4, '/', &r) || !hex_part(&p, 4, '/', &g) || !hex_part(&p, 4, 0, &b))
            return false;
    } else {
        return false;
    }
    *rgb = r << 16 | g << 8 | b;
    return true;
}

uint32_t vt_palette_rgb(const struct vt *vt, unsigned n)
{
    static const uint32_t base[16] = {
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    };
    static const uint8_t steps[6] = {0, 95, 135, 175, 215, 255};

    if (vt->grid.palette.set[n / 32] >> (n & 31) & 1)
        return vt->grid.palette.rgb[n];
    if (n < 16)
        return base[n];
    if (n < 232) {
        n -= 16;
        return (uint32_t)steps[n / 36] << 16 | (uint32_t)steps[n / 6 % 6] << 8 | steps[n % 6];
    }
    return (8 + (n - 232) * 10) * 0x010101u;
}

static void reply_colour(struct vt *vt, const char *what, uint32_t rgb, bool ends_in_bel)
{
    unsigned r = rgb >> 16 & 0xFF, g = rgb >> 8 & 0xFF, b = rgb & 0xFF;

    vt_replyf(vt, "\033]%s;rgb:%02x%02x/%02x%02x/%02x%02x%s", what, r, r, g, g, b, b,
              ends_in_bel ? "\007" : "\033\\");
}

static void palette_changed(struct vt *vt)
{
    grid_palette_changed(&vt->grid);
    vt_tell(vt, vt->callbacks.palette_changed);
}

// Takes the next field of "a;b;c" out of *s (NULL after the last).
static char *next_field(char **s)
{
    char *field = *s, *end;

    if (field == NULL)
        return NULL;
    end = strchr(field, ';');
    *s = end == NULL ? NULL : end + 1;
    if (end != NULL)
        *end = '\0';
    return field;
}

static bool parse_index(const char *s, unsigned *n)
{
    unsigned v = 0;

    if (*s == '\0')
        return false;
    for (; *s != '\0'; s++) {
        if (*s < '0' || *s > '9' || (v = v * 10 + (unsigned)(*s - '0')) > 255)
            return false;
    }
    *n = v;
    return true;
}

static void osc_palette(struct vt *vt, char *rest, bool ends_in_bel)
{
    struct palette *p = &vt->grid.palette;
    char *number, *spec;
    bool changed = false;

    while ((number = next_field(&rest)) != NULL && (spec = next_field(&rest)) != NULL) {
        unsigned n;
        uint32_t rgb;
        char what[16];

        if (!parse_index(number, &n))
            continue;
        if (strcmp(spec, "?") == 0) {
            snprintf(what, sizeof what, "4;%u", n);
            reply_colour(vt, what, vt_palette_rgb(vt, n), ends_in_bel);
        } else if (parse_colour(spec, &rgb)) {
            p->set[n / 32] |= 1u << (n & 31);
            p->rgb[n] = rgb;
            changed = true;
        }
    }
    if (changed)
        palette_changed(vt);
}

static void osc_palette_reset(struct vt *vt, char *rest)
{
    struct palette *p = &vt->grid.palette;
    char *number;
    unsigned n;

    if (rest == NULL || *rest == '\0')
        memset(p->set, 0, sizeof p->set);
    else
        while ((number = next_field(&rest)) != NULL) {
            if (parse_index(number, &n))
                p->set[n / 32] &= ~(1u << (n & 31));
        }
    palette_changed(vt);
}

// OSC 10 to 12; more values in one go on with the next number.
static void osc_default_colour(struct vt *vt, unsigned which, char *rest, bool ends_in_bel)
{
    struct palette *p = &vt->grid.palette;
    char *spec;

    for (; which <= 12 && (spec = next_field(&rest)) != NULL; which++) {
        bool *has = which == 10 ? &p->has_fg : which == 11 ? &p->has_bg : &p->has_cursor;
        uint32_t *colour = which == 10 ? &p->fg : which == 11 ? &p->bg : &p->cursor;
        uint32_t rgb;
        char what[16];

        if (strcmp(spec, "?") == 0) {
            rgb = *has ? *colour : which == 11 ? vt->default_bg : vt->default_fg;
            snprintf(what, sizeof what, "%u", which);
            reply_colour(vt, what, rgb, ends_in_bel);
        } else if (parse_colour(spec, &rgb)) {
            *has = true;
            *colour = rgb;
            palette_changed(vt);
        }
    }
}

static void osc_default_colour_reset(struct vt *vt, unsigned which)
{
    struct palette *p = &vt->grid.palette;

    if (which == 110)
        p->has_fg = false;
    else if (which == 111)
        p->has_bg = false;
    else
        p->has_cursor = false;
    palette_changed(vt);
}

// file://HOST/PATH, percent-encoded. Which host it was is not ours to judge.
static void osc_cwd(struct vt *vt, const char *uri)
{
    char path[CWD_MAX_BYTES];
    const char *p = uri;
    size_t n = 0;

    if (strncmp(p, "file://", 7) == 0) {
        p = strchr(p + 7, '/');
    } else if (strncmp(p, "kitty-shell-cwd://", 18) == 0) {
        p = strchr(p + 18, '/');
    }
    if (p == NULL || *p != '/')
        return;
    for (; *p != '\0'; p++) {
        char c = *p;

        if (c == '%' && hex_digit(p[1]) >= 0 && hex_digit(p[2]) >= 0) {
            c = (char)(hex_digit(p[1]) << 4 | hex_digit(p[2]));
            p += 2;
        }
        if ((uint8_t)c < 0x20 || c == 0x7f || n == sizeof path - 1)
            return;
        path[n++] = c;
    }
    path[n] = '\0';
    if (utf8_is_valid(path, n) && vt->callbacks.cwd != NULL)
        vt->callbacks.cwd(vt->arg, path);
}

static void osc_link(struct vt *vt, const char *data)
{
    const char *uri = strchr(data, ';'), *id = data;
    size_t id_len = 0;
    struct strbuf text = {0};

    if (uri == NULL)
        return;
    uri++;
    vt->is_pen_dirty = true;
    vt->pen.style.link = 0;
    if (*uri == '\0' || strlen(uri) > LINK_MAX_BYTES)
        return;
    // Parameters are key=value, with colons between; only the id counts.
    while (id < uri - 1) {
        size_t n = strcspn(id, ":;");

        if (n > 3 && strncmp(id, "id=", 3) == 0) {
            id += 3;
            id_len = MIN_OF(n - 3, 250u);
            break;
        }
        id += n + 1;
    }
    strbuf_add(&text, id, id_len);
    strbuf_add_char(&text, ';');
    strbuf_add_str(&text, uri);
    if (utf8_is_valid(text.data, text.len)) {
        vt->grid.saved_pens[0] = vt->pen.style;
        vt->grid.saved_pens[1] = vt->saved[0].pen.style;
        vt->grid.saved_pens[2] = vt->saved[1].pen.style;
        vt->pen.style.link = grid_link(&vt->grid, text.data, text.len);
    }
    strbuf_free(&text);
}

static int base64_value(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// False if it is no base64; spaces are none.
static bool base64_decode(const char *s, size_t len, struct strbuf *out)
{
    uint32_t bits = 0;
    unsigned n = 0;
    size_t i = 0;

    for (; i < len && s[i] != '='; i++) {
        int v = base64_value(s[i]);

        if (v < 0)
            return false;
        bits = bits << 6 | (uint32_t)v;
        if (++n == 4) {
            char three[3] = {(char)(bits >> 16), (char)(bits >> 8), (char)bits};

            strbuf_add(out, three, 3);
            n = 0;
            bits = 0;
        }
    }
    for (; i < len; i++) {
        if (s[i] != '=')
            return false;
    }
    if (n == 1)
        return false;
    if (n >= 2) {
        char two[2] = {(char)(bits << (24 - n * 6) >> 16), (char)(bits << (24 - n * 6) >> 8)};

        strbuf_add(out, two, n - 1);
    }
    return true;
}

// Setting only: what is on the clipboard is never told to a program.
static void osc_clipboard(struct vt *vt, char *data)
{
    struct strbuf decoded = {0};
    char *encoded = strchr(data, ';');

    if (encoded == NULL || vt->callbacks.clipboard == NULL)
        return;
    *encoded++ = '\0';
    if (strcmp(encoded, "?") == 0 || strspn(data, "cpqs01234567") != strlen(data))
        return;
    if (base64_decode(encoded, strlen(encoded), &decoded))
        vt->callbacks.clipboard(vt->arg, data, decoded.data != NULL ? decoded.data : "",
                                decoded.len);
    strbuf_free(&decoded);
}

static void notify(struct vt *vt, const char *kind, const char *data, size_t len)
{
    char *text;

    if (vt->callbacks.notify == NULL)
        return;
    text = vt_clean_text(data, len, NOTICE_MAX_BYTES);
    if (*text != '\0')
        vt->callbacks.notify(vt->arg, kind, text);
    free(text);
}

static void osc_nine(struct vt *vt, char *data)
{
    unsigned state, percent = 0;
    char *rest = data, *field;

    if (strncmp(data, "4;", 2) != 0) {
        notify(vt, "9", data, strlen(data));
        return;
    }
    next_field(&rest);
    field = next_field(&rest);
    if (field == NULL || !parse_index(field, &state) || state > 4)
        return;
    field = next_field(&rest);
    if (field != NULL && *field != '\0' && !parse_index(field, &percent))
        return;
    if (vt->callbacks.progress != NULL)
        vt->callbacks.progress(vt->arg, (int)state, (int)MIN_OF(percent, 100u));
}

// kitty's: "key=value:key=value;payload".
static void osc_ninety_nine(struct vt *vt, const char *data)
{
    const char *payload = strchr(data, ';'), *p = data;
    bool is_encoded = false, is_text = true;

    if (payload == NULL)
        return;
    while (p < payload) {
        size_t n = strcspn(p, ":;");

        if (n == 3 && strncmp(p, "e=1", 3) == 0)
            is_encoded = true;
        if (n > 2 && strncmp(p, "p=", 2) == 0)
            is_text = strncmp(p + 2, "title", n - 2) == 0 || strncmp(p + 2, "body", n - 2) == 0;
        p += n + 1;
    }
    if (!is_text)
        return;
    payload++;
    if (is_encoded) {
        struct strbuf decoded = {0};

        if (base64_decode(payload, strlen(payload), &decoded) && decoded.len > 0)
            notify(vt, "99", decoded.data, decoded.len);
        strbuf_free(&decoded);
    } else {
        notify(vt, "99", payload, strlen(payload));
    }
}

static void osc_shell_mark(struct vt *vt, const char *data)
{
    if (data[0] == 'A' || data[0] == 'N')
        grid_touch(&vt->grid, vt->y)->flags |= ROW_PROMPT;
    else if (data[0] == 'C')
        grid_touch(&vt->grid, vt->y)->flags |= ROW_OUTPUT;
}

void vt_osc(struct vt *vt, const char *data, size_t len, bool ends_in_bel)
{
    unsigned number = 0;
    size_t at = 0;
    char *rest;

    while (at < len && at < 5 && data[at] >= '0' && data[at] <= '9')
        number = number * 10 + (unsigned)(data[at++] - '0');
    if (at == 0 || (at < len && data[at] != ';'))
        return;
    if (memchr(data, 0, len) != NULL)
        return;
    rest = xstrndup(at < len ? data + at + 1 : "", len);
    switch (number) {
    case 0:
        vt_set_title(vt, rest, strlen(rest), true, true);
        break;
    case 1:
        vt_set_title(vt, rest, strlen(rest), false, true);
        break;
    case 2:
        vt_set_title(vt, rest, strlen(rest), true, false);
        break;
    case 4:
        osc_palette(vt, rest, ends_in_bel);
        break;
    case 7:
        osc_cwd(vt, rest);
        break;
    case 8:
        osc_link(vt, rest);
        break;
    case 9:
        osc_nine(vt, rest);
        break;
    case 10:
    case 11:
    case 12:
        osc_default_colour(vt, number, rest, ends_in_bel);
        break;
    case 52:
        osc_clipboard(vt, rest);
        break;
    case 99:
        osc_ninety_nine(vt, rest);
        break;
    case 104:
        osc_palette_reset(vt, rest);
        break;
    case 110:
    case 111:
    case 112:
        osc_default_colour_reset(vt, number);
        break;
    case 133:
        osc_shell_mark(vt, rest);
        break;
    case 777:
        if (strncmp(rest, "notify;", 7) == 0)
            notify(vt, "777", rest + 7, strlen(rest + 7));
        break;
    default:
        break;
    }
    free(rest);
}

void vt_string(struct vt *vt, enum gate_string kind, const char *data, size_t len, bool ends_in_bel)
{
    char *name;

    vt_flush_text(vt);
    switch (kind) {
    case GATE_OSC:
        vt_osc(vt, data, len, ends_in_bel);
        break;
    case GATE_DCS:
        vt_dcs(vt, data, len);
        break;
    case GATE_TITLE:
        name = vt_clean_text(data, len, VT_TITLE_MAX_BYTES);
        if (vt->callbacks.rename != NULL)
            vt->callbacks.rename(vt->arg, name);
        free(name);
        break;
    case GATE_OTHER:
        break;
    }
}
