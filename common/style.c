// Style strings and the words of #[...] markup, read and written from one set of tables.
#include "common/style.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util.h"

// The sixteen colours with names of their own, by index.
static const char *const basic_colours[] = {
    "black",       "red",       "green",       "yellow",       "blue",
    "magenta",     "cyan",      "white",       "brightblack",  "brightred",
    "brightgreen", "brightyellow", "brightblue", "brightmagenta", "brightcyan",
    "brightwhite",
};

// Names from X11's rgb.txt that people write in configurations. Shades of grey ("grey35") are
// computed.
static const struct {
    const char *name;
    uint32_t rgb;
} named_colours[] = {
    {"AliceBlue", 0xF0F8FF},      {"AntiqueWhite", 0xFAEBD7},   {"aquamarine", 0x7FFFD4},
    {"azure", 0xF0FFFF},          {"beige", 0xF5F5DC},          {"bisque", 0xFFE4C4},
    {"BlanchedAlmond", 0xFFEBCD}, {"BlueViolet", 0x8A2BE2},     {"brown", 0xA52A2A},
    {"burlywood", 0xDEB887},      {"CadetBlue", 0x5F9EA0},      {"chartreuse", 0x7FFF00},
    {"chocolate", 0xD2691E},      {"coral", 0xFF7F50},          {"CornflowerBlue", 0x6495ED},
    {"cornsilk", 0xFFF8DC},       {"crimson", 0xDC143C},        {"DarkBlue", 0x00008B},
    {"DarkCyan", 0x008B8B},       {"DarkGoldenrod", 0xB8860B},  {"DarkGray", 0xA9A9A9},
    {"DarkGreen", 0x006400},      {"DarkGrey", 0xA9A9A9},       {"DarkKhaki", 0xBDB76B},
    {"DarkMagenta", 0x8B008B},    {"DarkOliveGreen", 0x556B2F}, {"DarkOrange", 0xFF8C00},
    {"DarkOrchid", 0x9932CC},     {"DarkRed", 0x8B0000},        {"DarkSalmon", 0xE9967A},
    {"DarkSeaGreen", 0x8FBC8F},   {"DarkSlateBlue", 0x483D8B},  {"DarkSlateGray", 0x2F4F4F},
    {"DarkSlateGrey", 0x2F4F4F},  {"DarkTurquoise", 0x00CED1},  {"DarkViolet", 0x9400D3},
    {"DeepPink", 0xFF1493},       {"DeepSkyBlue", 0x00BFFF},    {"DimGray", 0x696969},
    {"DimGrey", 0x696969},        {"DodgerBlue", 0x1E90FF},     {"firebrick", 0xB22222},
    {"FloralWhite", 0xFFFAF0},    {"ForestGreen", 0x228B22},    {"gainsboro", 0xDCDCDC},
    {"GhostWhite", 0xF8F8FF},     {"gold", 0xFFD700},           {"goldenrod", 0xDAA520},
    {"gray", 0xBEBEBE},           {"GreenYellow", 0xADFF2F},    {"grey", 0xBEBEBE},
    {"honeydew", 0xF0FFF0},       {"HotPink", 0xFF69B4},        {"IndianRed", 0xCD5C5C},
    {"indigo", 0x4B0082},         {"ivory", 0xFFFFF0},          {"khaki", 0xF0E68C},
    {"lavender", 0xE6E6FA},       {"LavenderBlush", 0xFFF0F5},  {"LawnGreen", 0x7CFC00},
    {"LemonChiffon", 0xFFFACD},   {"LightBlue", 0xADD8E6},      {"LightCoral", 0xF08080},
    {"LightCyan", 0xE0FFFF},      {"LightGoldenrod", 0xEEDD82}, {"LightGray", 0xD3D3D3},
    {"LightGreen", 0x90EE90},     {"LightGrey", 0xD3D3D3},      {"LightPink", 0xFFB6C1},
    {"LightSalmon", 0xFFA07A},    {"LightSeaGreen", 0x20B2AA},  {"LightSkyBlue", 0x87CEFA},
    {"LightSlateBlue", 0x8470FF}, {"LightSlateGray", 0x778899}, {"LightSteelBlue", 0xB0C4DE},
    {"LightYellow", 0xFFFFE0},    {"LimeGreen", 0x32CD32},      {"linen", 0xFAF0E6},
    {"maroon", 0xB03060},         {"MediumAquamarine", 0x66CDAA}, {"MediumBlue", 0x0000CD},
    {"MediumOrchid", 0xBA55D3},   {"MediumPurple", 0x9370DB},   {"MediumSeaGreen", 0x3CB371},
    {"MediumSlateBlue", 0x7B68EE}, {"MediumSpringGreen", 0x00FA9A}, {"MediumTurquoise", 0x48D1CC},
    {"MediumVioletRed", 0xC71585}, {"MidnightBlue", 0x191970},  {"MintCream", 0xF5FFFA},
    {"MistyRose", 0xFFE4E1},      {"moccasin", 0xFFE4B5},       {"NavajoWhite", 0xFFDEAD},
    {"navy", 0x000080},           {"NavyBlue", 0x000080},       {"OldLace", 0xFDF5E6},
    {"olive", 0x808000},          {"OliveDrab", 0x6B8E23},      {"orange", 0xFFA500},
    {"OrangeRed", 0xFF4500},      {"orchid", 0xDA70D6},         {"PaleGoldenrod", 0xEEE8AA},
    {"PaleGreen", 0x98FB98},      {"PaleTurquoise", 0xAFEEEE},  {"PaleVioletRed", 0xDB7093},
    {"PapayaWhip", 0xFFEFD5},     {"PeachPuff", 0xFFDAB9},      {"peru", 0xCD853F},
    {"pink", 0xFFC0CB},           {"plum", 0xDDA0DD},           {"PowderBlue", 0xB0E0E6},
    {"purple", 0xA020F0},         {"RebeccaPurple", 0x663399},  {"RosyBrown", 0xBC8F8F},
    {"RoyalBlue", 0x4169E1},      {"SaddleBrown", 0x8B4513},    {"salmon", 0xFA8072},
    {"SandyBrown", 0xF4A460},     {"SeaGreen", 0x2E8B57},       {"seashell", 0xFFF5EE},
    {"sienna", 0xA0522D},         {"silver", 0xC0C0C0},         {"SkyBlue", 0x87CEEB},
    {"SlateBlue", 0x6A5ACD},      {"SlateGray", 0x708090},      {"SlateGrey", 0x708090},
    {"snow", 0xFFFAFA},           {"SpringGreen", 0x00FF7F},    {"SteelBlue", 0x4682B4},
    {"tan", 0xD2B48C},            {"teal", 0x008080},           {"thistle", 0xD8BFD8},
    {"tomato", 0xFF6347},         {"turquoise", 0x40E0D0},      {"violet", 0xEE82EE},
    {"VioletRed", 0xD02090},      {"wheat", 0xF5DEB3},          {"WhiteSmoke", 0xF5F5F5},
    {"YellowGreen", 0x9ACD32},
};

// The first name of an attribute is the one it is shown by.
static const struct {
    const char *name;
    uint16_t attr;
} attr_names[] = {
    {"bright", ATTR_BOLD},
    {"bold", ATTR_BOLD},
    {"dim", ATTR_DIM},
    {"underscore", ATTR_UNDERLINE},
    {"underline", ATTR_UNDERLINE},
    {"blink", ATTR_BLINK},
    {"reverse", ATTR_REVERSE},
    {"hidden", ATTR_HIDDEN},
    {"italics", ATTR_ITALIC},
    {"italic", ATTR_ITALIC},
    {"strikethrough", ATTR_STRIKE},
    {"double-underscore", ATTR_UNDERLINE_2},
    {"curly-underscore", ATTR_UNDERLINE_CURLY},
    {"dotted-underscore", ATTR_UNDERLINE_DOTTED},
    {"dashed-underscore", ATTR_UNDERLINE_DASHED},
    {"overline", ATTR_OVERLINE},
};

static bool grey_from_name(const char *name, colour_t *out)
{
    if (strncasecmp(name, "grey", 4) != 0 && strncasecmp(name, "gray", 4) != 0)
        return false;
    long long n;
    const char *cause;
    if (!parse_number(name + 4, 0, 100, &n, &cause))
        return false;
    unsigned level = (unsigned)(n * 255 + 50) / 100;
    *out = colour_rgb(level, level, level);
    return true;
}

bool colour_from_name(const char *name, colour_t *out)
{
    long long n;
    const char *cause;

    if (name[0] == '#') {
        if (strlen(name) != 7 || strspn(name + 1, "0123456789abcdefABCDEF") != 6)
            return false;
        *out = COLOUR_RGB | (uint32_t)strtoul(name + 1, NULL, 16);
        return true;
    }
    if (strncasecmp(name, "colour", 6) == 0 || strncasecmp(name, "color", 5) == 0) {
        const char *digits = name + (strncasecmp(name, "colour", 6) == 0 ? 6 : 5);
        if (!parse_number(digits, 0, 255, &n, &cause))
            return false;
        *out = colour_indexed(n);
        return true;
    }
    if (strcasecmp(name, "default") == 0) {
        *out = COLOUR_DEFAULT;
        return true;
    }
    if (strcasecmp(name, "terminal") == 0) {
        *out = COLOUR_TERMINAL;
        return true;
    }
    for (size_t i = 0; i < ARRAY_LEN(basic_colours); i++) {
        if (strcasecmp(name, basic_colours[i]) == 0) {
            *out = colour_indexed(i);
            return true;
        }
    }
    // The numbers of SGR: 0 to 7 and 90 to 97.
    if (parse_number(name, 0, 97, &n, &cause) && (n < 8 || n >= 90)) {
        *out = colour_indexed(n < 8 ? n : n - 90 + 8);
        return true;
    }
    for (size_t i = 0; i < ARRAY_LEN(named_colours); i++) {
        if (strcasecmp(name, named_colours[i].name) == 0) {
            *out = COLOUR_RGB | named_colours[i].rgb;
            return true;
        }
    }
    return grey_from_name(name, out);
}

const char *colour_to_name(colour_t c)
{
    static char out[16];

    switch (colour_kind(c)) {
    case COLOUR_DEFAULT:
        return "default";
    case COLOUR_TERMINAL:
        return "terminal";
    case COLOUR_RGB:
        snprintf(out, sizeof out, "#%06x", (unsigned)(c & 0xFFFFFF));
        return out;
    }
    unsigned n = c & 0xFF;
    if (n < ARRAY_LEN(basic_colours))
        return basic_colours[n];
    snprintf(out, sizeof out, "colour%u", n);
    return out;
}

static const uint16_t *attr_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(attr_names); i++) {
        if (strcasecmp(name, attr_names[i].name) == 0)
            return &attr_names[i].attr;
    }
    return NULL;
}

// "range=" with what follows it: "left", "window|3", "user|name" ...
static bool range_parse(struct markup *m, const char *value)
{
    static const struct {
        const char *name;
        enum style_range range;
        char id; // sign before the number; 0: none
        bool has_arg;
    } ranges[] = {
        {"left", RANGE_LEFT, 0, false},      {"right", RANGE_RIGHT, 0, false},
        {"pane", RANGE_PANE, '%', true},     {"window", RANGE_WINDOW, 0, true},
        {"session", RANGE_SESSION, '$', true}, {"user", RANGE_USER, 0, true},
    };
    const char *bar = strchr(value, '|');
    size_t len = bar != NULL ? (size_t)(bar - value) : strlen(value);
    for (size_t i = 0; i < ARRAY_LEN(ranges); i++) {
        if (strlen(ranges[i].name) != len || strncasecmp(value, ranges[i].name, len) != 0)
            continue;
        if (ranges[i].has_arg != (bar != NULL))
            return false;
        m->range_arg = 0;
        m->range_user[0] = '\0';
        if (ranges[i].range == RANGE_USER) {
            snprintf(m->range_user, sizeof m->range_user, "%s", bar + 1);
        } else if (bar != NULL) {
            const char *digits = bar + 1, *cause;
            if (ranges[i].id != 0 && *digits++ != ranges[i].id)
                return false;
            long long n;
            if (!parse_number(digits, 0, UINT32_MAX, &n, &cause))
                return false;
            m->range_arg = (uint32_t)n;
        }
        m->range = ranges[i].range;
        return true;
    }
    return false;
}

// A word of the form name=value where the value is one of a few.
static bool word_lookup(const char *value, const char *const *names, size_t n, int *out)
{
    for (size_t i = 0; i < n; i++) {
        if (names[i] != NULL && strcasecmp(value, names[i]) == 0) {
            *out = (int)i;
            return true;
        }
    }
    return false;
}

static bool colour_word(const char *value, colour_t base, colour_t *out)
{
    colour_t c;
    if (!colour_from_name(value, &c))
        return false;
    *out = c == COLOUR_DEFAULT ? base : c;
    return true;
}

static bool word_parse(struct markup *m, const struct style *base, const char *word)
{
    static const char *const aligns[] = {[ALIGN_LEFT] = "left",
                                         [ALIGN_CENTRE] = "centre",
                                         [ALIGN_RIGHT] = "right",
                                         [ALIGN_ABSOLUTE_CENTRE] = "absolute-centre"};
    static const char *const lists[] = {[LIST_ON] = "on",
                                        [LIST_FOCUS] = "focus",
                                        [LIST_LEFT_MARKER] = "left-marker",
                                        [LIST_RIGHT_MARKER] = "right-marker"};
    int n;

    if (strncasecmp(word, "fg=", 3) == 0)
        return colour_word(word + 3, base->fg, &m->style.fg);
    if (strncasecmp(word, "bg=", 3) == 0)
        return colour_word(word + 3, base->bg, &m->style.bg);
    if (strncasecmp(word, "us=", 3) == 0)
        return colour_word(word + 3, base->ul, &m->style.ul);
    if (strncasecmp(word, "fill=", 5) == 0) {
        if (!colour_from_name(word + 5, &m->fill))
            return false;
        m->has_fill = true;
        return true;
    }
    if (strncasecmp(word, "align=", 6) == 0) {
        if (!word_lookup(word + 6, aligns, ARRAY_LEN(aligns), &n))
            return false;
        m->align = (enum style_align)n;
        return true;
    }
    if (strncasecmp(word, "list=", 5) == 0) {
        if (!word_lookup(word + 5, lists, ARRAY_LEN(lists), &n))
            return false;
        m->list = (enum style_list)n;
        return true;
    }
    if (strncasecmp(word, "range=", 6) == 0)
        return range_parse(m, word + 6);

    if (strcasecmp(word, "default") == 0) {
        uint16_t link = m->style.link;
        m->style = *base;
        m->style.link = link;
        m->dflt = DEFAULT_BASE;
    } else if (strcasecmp(word, "push-default") == 0) {
        m->dflt = DEFAULT_PUSH;
    } else if (strcasecmp(word, "pop-default") == 0) {
        m->dflt = DEFAULT_POP;
    } else if (strcasecmp(word, "ignore") == 0) {
        m->ignore = true;
    } else if (strcasecmp(word, "noignore") == 0) {
        m->ignore = false;
    } else if (strcasecmp(word, "noalign") == 0) {
        m->align = ALIGN_DEFAULT;
    } else if (strcasecmp(word, "nolist") == 0) {
        m->list = LIST_OFF;
    } else if (strcasecmp(word, "norange") == 0) {
        m->range = RANGE_NONE;
        m->range_arg = 0;
        m->range_user[0] = '\0';
    } else if (strcasecmp(word, "none") == 0 || strcasecmp(word, "noattr") == 0) {
        m->style.attrs = 0;
    } else {
        bool is_off = strncasecmp(word, "no", 2) == 0;
        const uint16_t *attr = attr_find(is_off ? word + 2 : word);
        if (attr == NULL)
            return false;
        if (is_off) {
            m->style.attrs &= (uint16_t)~*attr;
        } else {
            if (*attr & ATTR_ANY_UNDERLINE)
                m->style.attrs &= (uint16_t)~ATTR_ANY_UNDERLINE;
            m->style.attrs |= *attr;
        }
    }
    return true;
}

bool markup_parse(struct markup *m, const struct style *base, const char *words)
{
    static const char delimiters[] = " ,\n";
    struct markup parsed = *m;
    const char *at = words;

    parsed.dflt = DEFAULT_NONE;
    for (;;) {
        at += strspn(at, delimiters);
        if (*at == '\0')
            break;
        size_t len = strcspn(at, delimiters);
        char word[256];
        if (len >= sizeof word)
            return false;
        memcpy(word, at, len);
        word[len] = '\0';
        if (!word_parse(&parsed, base, word))
            return false;
        at += len;
    }
    *m = parsed;
    return true;
}

bool style_parse(struct style *s, const struct style *base, const char *words)
{
    struct markup m = {.style = *s};
    if (!markup_parse(&m, base, words))
        return false;
    *s = m.style;
    return true;
}

const char *style_to_text(const struct style *s)
{
    static char out[512];
    size_t n = 0;

    out[0] = '\0';
#define ADD(...) \
    n += (size_t)snprintf(out + n, sizeof out - n, "%s", n > 0 ? "," : ""); \
    n += (size_t)snprintf(out + n, sizeof out - n, __VA_ARGS__)
    if (s->fg != COLOUR_DEFAULT) {
        ADD("fg=%s", colour_to_name(s->fg));
    }
    if (s->bg != COLOUR_DEFAULT) {
        ADD("bg=%s", colour_to_name(s->bg));
    }
    if (s->ul != COLOUR_DEFAULT) {
        ADD("us=%s", colour_to_name(s->ul));
    }
    uint16_t shown = 0;
    for (size_t i = 0; i < ARRAY_LEN(attr_names); i++) {
        if ((s->attrs & attr_names[i].attr) && !(shown & attr_names[i].attr)) {
            ADD("%s", attr_names[i].name);
            shown |= attr_names[i].attr;
        }
    }
#undef ADD
    return n > 0 ? out : "default";
}
