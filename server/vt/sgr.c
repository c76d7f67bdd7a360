// SGR: attributes and colours of the pen, and a style as SGR parameters.
#include <stdio.h>
#include <vterm.h>

#include "server/vt/state.h"

static const uint16_t underlines[] = {
    0,
    ATTR_UNDERLINE,
    ATTR_UNDERLINE_2,
    ATTR_UNDERLINE_CURLY,
    ATTR_UNDERLINE_DOTTED,
    ATTR_UNDERLINE_DASHED,
};

static void set_underline(struct style *s, unsigned kind)
{
    if (kind < ARRAY_LEN(underlines))
        s->attrs = (uint16_t)((s->attrs & ~ATTR_ANY_UNDERLINE) | underlines[kind]);
}

static void set_attr(struct style *s, unsigned on, unsigned off)
{
    s->attrs = (uint16_t)((s->attrs & ~off) | on);
}

static uint32_t value(long a)
{
    return CSI_ARG_IS_MISSING(a) ? 0 : (uint32_t)CSI_ARG(a);
}

static colour_t clamp_rgb(uint32_t r, uint32_t g, uint32_t b)
{
    return colour_rgb(MIN_OF(r, 255u), MIN_OF(g, 255u), MIN_OF(b, 255u));
}

// The parts of 38, 48 or 58 with colons: n values behind it (ITU T.416: 2 may be followed by a
// colour space, which xterm's older form leaves out).
static bool colon_colour(const long *a, int n, colour_t *out)
{
    if (n >= 2 && value(a[0]) == 5) {
        if (value(a[1]) > 255)
            return false;
        *out = colour_indexed(value(a[1]));
        return true;
    }
    if (n >= 4 && value(a[0]) == 2) {
        int at = n >= 5 ? 2 : 1;

        *out = clamp_rgb(value(a[at]), value(a[at + 1]), value(a[at + 2]));
        return true;
    }
    return false;
}

static void set_colour(struct style *s, uint32_t which, colour_t c)
{
    if (which == 38)
        s->fg = c;
    else if (which == 48)
        s->bg = c;
    else
        s->ul = c;
}

// 38;5;n and 38;2;r;g;b. Returns how many parameters behind the first were used.
static int semicolon_colour(struct style *s, uint32_t which, const long *a, int n)
{
    if (n >= 2 && value(a[0]) == 5) {
        if (value(a[1]) <= 255)
            set_colour(s, which, colour_indexed(value(a[1])));
        return 2;
    }
    if (n >= 4 && value(a[0]) == 2) {
        set_colour(s, which, clamp_rgb(value(a[1]), value(a[2]), value(a[3])));
        return 4;
    }
    return n; // what follows would be read as attributes
}

static void one(struct style *s, uint32_t n)
{
    switch (n) {
    case 0:
        s->fg = s->bg = s->ul = COLOUR_DEFAULT;
        s->attrs = 0;
        break;
    case 1:
        set_attr(s, ATTR_BOLD, 0);
        break;
    case 2:
        set_attr(s, ATTR_DIM, 0);
        break;
    case 3:
        set_attr(s, ATTR_ITALIC, 0);
        break;
    case 4:
        set_underline(s, 1);
        break;
    case 5:
    case 6:
        set_attr(s, ATTR_BLINK, 0);
        break;
    case 7:
        set_attr(s, ATTR_REVERSE, 0);
        break;
    case 8:
        set_attr(s, ATTR_HIDDEN, 0);
        break;
    case 9:
        set_attr(s, ATTR_STRIKE, 0);
        break;
    case 21:
        set_underline(s, 2);
        break;
    case 22:
        set_attr(s, 0, ATTR_BOLD | ATTR_DIM);
        break;
    case 23:
        set_attr(s, 0, ATTR_ITALIC);
        break;
    case 24:
        set_underline(s, 0);
        break;
    case 25:
        set_attr(s, 0, ATTR_BLINK);
        break;
    case 27:
        set_attr(s, 0, ATTR_REVERSE);
        break;
    case 28:
        set_attr(s, 0, ATTR_HIDDEN);
        break;
    case 29:
        set_attr(s, 0, ATTR_STRIKE);
        break;
    case 39:
        s->fg = COLOUR_DEFAULT;
        break;
    case 49:
        s->bg = COLOUR_DEFAULT;
        break;
    case 53:
        set_attr(s, ATTR_OVERLINE, 0);
        break;
    case 55:
        set_attr(s, 0, ATTR_OVERLINE);
        break;
    case 59:
        s->ul = COLOUR_DEFAULT;
        break;
    default:
        if (n >= 30 && n <= 37)
            s->fg = colour_indexed(n - 30);
        else if (n >= 40 && n <= 47)
            s->bg = colour_indexed(n - 40);
        else if (n >= 90 && n <= 97)
            s->fg = colour_indexed(n - 90 + 8);
        else if (n >= 100 && n <= 107)
            s->bg = colour_indexed(n - 100 + 8);
        break;
    }
}

void vt_sgr(struct vt *vt, const struct csi *csi)
{
    struct style *s = &vt->pen.style;
    const long *a = csi->args;
    int n = csi->n_args;

    vt->is_pen_dirty = true;
    if (n == 0)
        one(s, 0);
    for (int i = 0; i < n; i++) {
        uint32_t first = value(a[i]);
        bool is_colour = first == 38 || first == 48 || first == 58;

        if (CSI_ARG_HAS_MORE(a[i])) {
            int from = i + 1, parts;
            colour_t c;

            while (i < n && CSI_ARG_HAS_MORE(a[i]))
                i++;
            parts = MIN_OF(i, n - 1) - from + 1;
            // Sub-parameters belong to the first: never attributes of their own.
            if (first == 4 && parts >= 1)
                set_underline(s, value(a[from]));
            else if (is_colour && parts >= 1 && colon_colour(a + from, parts, &c))
                set_colour(s, first, c);
        } else if (is_colour) {
            i += semicolon_colour(s, first, a + i + 1, n - i - 1);
        } else {
            one(s, first);
        }
    }
}

struct params {
    char *out;
    size_t at, size;
};

static void add(struct params *p, const char *text)
{
    int n = snprintf(p->out + p->at, p->size - p->at, "%s%s", p->at > 0 ? ";" : "", text);

    if (n > 0 && (size_t)n < p->size - p->at)
        p->at += (size_t)n;
}

static void add_colour(struct params *p, colour_t c, unsigned base, unsigned bright)
{
    char text[32];
    unsigned n = c & 0xFF;

    if (colour_kind(c) == COLOUR_RGB) {
        snprintf(text, sizeof text, "%u;2;%u;%u;%u", base + 8, (c >> 16) & 0xFF, (c >> 8) & 0xFF,
                 c & 0xFF);
    } else if (colour_kind(c) == COLOUR_INDEXED && (n >= 16 || bright == 0)) {
        snprintf(text, sizeof text, "%u;5;%u", base + 8, n);
    } else if (colour_kind(c) == COLOUR_INDEXED) {
        snprintf(text, sizeof text, "%u", n < 8 ? base + n : bright + n - 8);
    } else {
        return;
    }
    add(p, text);
}

size_t vt_sgr_text(const struct style *s, char *out, size_t size)
{
    static const struct {
        uint16_t attr;
        char text[4];
    } attrs[] = {
        {ATTR_BOLD, "1"},
        {ATTR_DIM, "2"},
        {ATTR_ITALIC, "3"},
        {ATTR_UNDERLINE, "4"},
        {ATTR_UNDERLINE_2, "4:2"},
        {ATTR_UNDERLINE_CURLY, "4:3"},
        {ATTR_UNDERLINE_DOTTED, "4:4"},
        {ATTR_UNDERLINE_DASHED, "4:5"},
        {ATTR_BLINK, "5"},
        {ATTR_REVERSE, "7"},
        {ATTR_HIDDEN, "8"},
        {ATTR_STRIKE, "9"},
        {ATTR_OVERLINE, "53"},
    };
    struct params p = {out, 0, size};

    out[0] = '\0';
    for (size_t i = 0; i < ARRAY_LEN(attrs); i++) {
        if (s->attrs & attrs[i].attr) {
            char text[8];

            snprintf(text, sizeof text, "%.3s", attrs[i].text);
            add(&p, text);
        }
    }
    add_colour(&p, s->fg, 30, 90);
    add_colour(&p, s->bg, 40, 100);
    add_colour(&p, s->ul, 50, 0);
    return p.at;
}
