// Styles as a terminal can show them: fewer colours, and SGR sequences between two styles.
#include "config.h"

#include "client/render.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
    uint16_t attr;
    enum feature feature;
    const char *on, *off;
} attr_rows[] = {
    {ATTR_BOLD, FEATURE_BOLD, "1", "22"},
    {ATTR_DIM, FEATURE_DIM, "2", "22"},
    {ATTR_ITALIC, FEATURE_ITALIC, "3", "23"},
    {ATTR_UNDERLINE, FEATURE_UNDERLINE, "4", "24"},
    {ATTR_UNDERLINE_2, FEATURE_UNDERLINES, "4:2", "24"},
    {ATTR_UNDERLINE_CURLY, FEATURE_UNDERLINES, "4:3", "24"},
    {ATTR_UNDERLINE_DOTTED, FEATURE_UNDERLINES, "4:4", "24"},
    {ATTR_UNDERLINE_DASHED, FEATURE_UNDERLINES, "4:5", "24"},
    {ATTR_BLINK, FEATURE_BLINK, "5", "25"},
    {ATTR_REVERSE, FEATURE_REVERSE, "7", "27"},
    {ATTR_HIDDEN, FEATURE_HIDDEN, "8", "28"},
    {ATTR_STRIKE, FEATURE_STRIKE, "9", "29"},
    {ATTR_OVERLINE, FEATURE_OVERLINE, "53", "55"},
};

// xterm's default colours of the first sixteen.
static const uint32_t basic_rgb[16] = {
    0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
    0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
};
static const unsigned cube_levels[6] = {0, 95, 135, 175, 215, 255};

static uint32_t indexed_to_rgb(unsigned n)
{
    if (n < 16)
        return basic_rgb[n];
    if (n >= 232) {
        unsigned level = 8 + (n - 232) * 10;
        return level << 16 | level << 8 | level;
    }
    n -= 16;
    return cube_levels[n / 36] << 16 | cube_levels[n / 6 % 6] << 8 | cube_levels[n % 6];
}

static unsigned distance(uint32_t a, uint32_t b)
{
    int r = (int)(a >> 16 & 0xFF) - (int)(b >> 16 & 0xFF);
    int g = (int)(a >> 8 & 0xFF) - (int)(b >> 8 & 0xFF);
    int bl = (int)(a & 0xFF) - (int)(b & 0xFF);
    return (unsigned)(r * r * 3 + g * g * 4 + bl * bl * 2); // the eye sees green best
}

static unsigned nearest_level(unsigned v)
{
    unsigned best = 0;
    for (unsigned i = 1; i < 6; i++) {
        if (abs((int)cube_levels[i] - (int)v) < abs((int)cube_levels[best] - (int)v))
            best = i;
    }
    return best;
}

static unsigned rgb_to_256(uint32_t rgb)
{
    unsigned r = rgb >> 16 & 0xFF, g = rgb >> 8 & 0xFF, b = rgb & 0xFF;
    unsigned cube = 16 + 36 * nearest_level(r) + 6 * nearest_level(g) + nearest_level(b);
    unsigned grey = (r + g + b) / 3;
    unsigned step = grey < 8 ? 0 : MIN_OF((grey - 3) / 10, 23u);
    return distance(indexed_to_rgb(232 + step), rgb) < distance(indexed_to_rgb(cube), rgb)
               ? 232 + step
               : cube;
}

static unsigned rgb_to_basic(uint32_t rgb, unsigned n_colours)
{
    unsigned best = 0;
    for (unsigned i = 1; i < n_colours; i++) {
        if (distance(basic_rgb[i], rgb) < distance(basic_rgb[best], rgb))
            best = i;
    }
    return best;
}

colour_t colour_reduce(colour_t c, unsigned n_colours)
{
    if (colour_kind(c) == COLOUR_TERMINAL || n_colours == 0)
        return COLOUR_DEFAULT;
    if (colour_kind(c) == COLOUR_DEFAULT)
        return c;
    if (colour_kind(c) == COLOUR_RGB) {
        if (n_colours >= 256)
            return colour_indexed(rgb_to_256(c & 0xFFFFFF));
        return colour_indexed(rgb_to_basic(c & 0xFFFFFF, n_colours));
    }
    unsigned n = c & 0xFF;
    if (n < n_colours)
        return c;
    if (n < 16)
        return colour_indexed(n - 8);
    return colour_indexed(rgb_to_basic(indexed_to_rgb(n), n_colours));
}

struct style sgr_reduce(const struct caps *caps, const struct style *style)
{
    struct style s = style_for_drawing(style);

    if (s.attrs != 0) {
        uint16_t kept = 0;
        for (size_t i = 0; i < ARRAY_LEN(attr_rows); i++) {
            if ((s.attrs & attr_rows[i].attr) && caps_has(caps, attr_rows[i].feature))
                kept |= attr_rows[i].attr;
        }
        // Any underline is better shown as a single one than not at all.
        if ((s.attrs & ATTR_ANY_UNDERLINE) && !(kept & ATTR_ANY_UNDERLINE) &&
            caps_has(caps, FEATURE_UNDERLINE))
            kept |= ATTR_UNDERLINE;
        s.attrs = kept;
    }
    bool has_rgb = caps_has(caps, FEATURE_RGB);
    if (!has_rgb || colour_kind(s.fg) == COLOUR_INDEXED) {
        // A bright foreground that the terminal lacks is shown as bold.
        if (colour_kind(s.fg) == COLOUR_INDEXED && caps->colours == 8 && (s.fg & 0xFF) >= 8 &&
            (s.fg & 0xFF) < 16 && caps_has(caps, FEATURE_BOLD))
            s.attrs |= ATTR_BOLD;
        s.fg = colour_reduce(s.fg, caps->colours);
    }
    if (!has_rgb || colour_kind(s.bg) == COLOUR_INDEXED)
        s.bg = colour_reduce(s.bg, caps->colours);
    if (!caps_has(caps, FEATURE_UNDERLINE_COLOUR) || (s.attrs & ATTR_ANY_UNDERLINE) == 0)
        s.ul = COLOUR_DEFAULT;
    else if (!has_rgb || colour_kind(s.ul) == COLOUR_INDEXED)
        s.ul = colour_reduce(s.ul, caps->colours);
    if (!caps_has(caps, FEATURE_LINKS))
        s.link = 0;
    return s;
}

// Terminals keep 16 parameters of a sequence, and some crash beyond: long ones are cut in two.
#define PARAMS_MAX 15u

static unsigned params_in(const char *text)
{
    unsigned n = 1;
    for (; *text != '\0'; text++) {
        if (*text == 'm')
            n = 0;
        n += *text == ';' || *text == ':' || *text == '[';
    }
    return n;
}

static void param(struct strbuf *b, const char *text)
{
    if (b->len > 0 && params_in(b->data) + params_in(text) > PARAMS_MAX)
        strbuf_add_str(b, "m\033[");
    else if (b->len > 0)
        strbuf_add_char(b, ';');
    strbuf_add_str(b, text);
}

// `base` is 30 for the foreground, 40 for the background.
static void colour_param(struct strbuf *b, colour_t c, unsigned base)
{
    char text[32];
    unsigned n = c & 0xFF;
    if (colour_kind(c) == COLOUR_DEFAULT)
        snprintf(text, sizeof text, "%u", base + 9);
    else if (colour_kind(c) == COLOUR_RGB)
        snprintf(text, sizeof text, "%u;2;%u;%u;%u", base + 8, (unsigned)(c >> 16 & 0xFF),
                 (unsigned)(c >> 8 & 0xFF), n);
    else if (n < 8)
        snprintf(text, sizeof text, "%u", base + n);
    else if (n < 16)
        snprintf(text, sizeof text, "%u", base + 60 + n - 8);
    else
        snprintf(text, sizeof text, "%u;5;%u", base + 8, n);
    param(b, text);
}

static void underline_colour_param(struct strbuf *b, colour_t c)
{
    char text[32];
    if (colour_kind(c) == COLOUR_DEFAULT)
        snprintf(text, sizeof text, "59");
    else if (colour_kind(c) == COLOUR_RGB)
        snprintf(text, sizeof text, "58:2::%u:%u:%u", (unsigned)(c >> 16 & 0xFF),
                 (unsigned)(c >> 8 & 0xFF), (unsigned)(c & 0xFF));
    else
        snprintf(text, sizeof text, "58:5:%u", (unsigned)(c & 0xFF));
    param(b, text);
}

// The parameters that lead from one style to another without a reset.
static void params_between(const struct style *from, const struct style *to, struct strbuf *b)
{
    uint16_t have = from->attrs;
    uint16_t removed = have & (uint16_t)~to->attrs;
    for (size_t i = 0; i < ARRAY_LEN(attr_rows); i++) {
        if (!(removed & attr_rows[i].attr))
            continue;
        // One code switches several off; those that stay are set again below. An underline is
        // replaced by another without being switched off.
        uint16_t off = attr_rows[i].attr;
        if (off & (ATTR_BOLD | ATTR_DIM))
            off = ATTR_BOLD | ATTR_DIM;
        if ((off & ATTR_ANY_UNDERLINE) && (to->attrs & ATTR_ANY_UNDERLINE))
            continue;
        param(b, attr_rows[i].off);
        have &= (uint16_t)~off;
        removed &= (uint16_t)~off;
    }
    for (size_t i = 0; i < ARRAY_LEN(attr_rows); i++) {
        if ((to->attrs & attr_rows[i].attr) && !(have & attr_rows[i].attr))
            param(b, attr_rows[i].on);
    }
    if (from->fg != to->fg)
        colour_param(b, to->fg, 30);
    if (from->bg != to->bg)
        colour_param(b, to->bg, 40);
    if (from->ul != to->ul)
        underline_colour_param(b, to->ul);
}

void sgr_change(const struct caps *caps, const struct style *from, const struct style *to,
                struct strbuf *out)
{
    static const struct style plain;
    // Kept between calls: this runs for every change of style on the screen.
    static struct strbuf step, whole;

    if (from->fg == to->fg && from->bg == to->bg && from->ul == to->ul && from->attrs == to->attrs)
        return;
    strbuf_clear(&whole);
    params_between(&plain, to, &whole);
    bool removes_attrs = (from->attrs & ~to->attrs) != 0;
    bool removes_colours = (from->fg != to->fg && to->fg == COLOUR_DEFAULT) ||
                           (from->bg != to->bg && to->bg == COLOUR_DEFAULT);
    bool can_step = (!removes_attrs || caps_has(caps, FEATURE_SGR_OFF)) &&
                    (!removes_colours || caps_has(caps, FEATURE_OP));
    strbuf_clear(&step);
    if (can_step)
        params_between(from, to, &step);
    strbuf_add_str(out, "\033[");
    size_t whole_len = whole.len > 0 ? whole.len + 2 : 0; // "0;" before it
    if (can_step && step.len <= whole_len) {
        strbuf_add(out, step.data, step.len);
    } else if (whole.len > 0) {
        strbuf_add_str(out, "0;");
        strbuf_add(out, whole.data, whole.len);
    }
    strbuf_add_char(out, 'm');
}
