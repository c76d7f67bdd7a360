// What modifiers do to a value: quoting, arithmetic, cutting and padding.
#include "server/format/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/style.h"
#include "common/utf8.h"

// The last component, as basename(3) has it; but of nothing, nothing.
char *format_basename(const char *s)
{
    size_t len = strlen(s);
    if (len == 0)
        return xstrdup("");
    while (len > 1 && s[len - 1] == '/')
        len--;
    size_t start = len;
    while (start > 0 && s[start - 1] != '/')
        start--;
    return start == len ? xstrdup("/") : xstrndup(s + start, len - start);
}

// What stands before it, as dirname(3) has it.
char *format_dirname(const char *s)
{
    size_t len = strlen(s);
    if (len == 0)
        return xstrdup("");
    while (len > 1 && s[len - 1] == '/')
        len--;
    while (len > 0 && s[len - 1] != '/')
        len--;
    if (len == 0)
        return xstrdup(".");
    while (len > 1 && s[len - 1] == '/')
        len--;
    return xstrndup(s, len);
}

char *format_quote_shell(const char *s)
{
    struct strbuf b = {0};
    for (; *s != '\0'; s++) {
        if (strchr("|&;<>()$`\\\"'*?[# =%", *s) != NULL)
            strbuf_add_char(&b, '\\');
        strbuf_add_char(&b, *s);
    }
    return strbuf_take(&b);
}

char *format_quote_style(const char *s)
{
    struct strbuf b = {0};
    for (; *s != '\0'; s++) {
        if (*s == '#')
            strbuf_add_char(&b, '#');
        strbuf_add_char(&b, *s);
    }
    return strbuf_take(&b);
}

char *format_ascii(const char *s)
{
    long long code;
    const char *why;
    if (!parse_number(s, 32, 126, &code, &why))
        return xstrdup("");
    return xasprintf("%c", (char)code);
}

// The usual palette: xterm's 16 colours (as tmux takes them), the 6x6x6 cube, the greys.
static uint32_t palette(unsigned n)
{
    static const uint32_t first[16] = {
        0x000000, 0x800000, 0x008000, 0x808000, 0x000080, 0x800080, 0x008080, 0xc0c0c0,
        0x808080, 0xff0000, 0x00ff00, 0xffff00, 0x0000ff, 0xff00ff, 0x00ffff, 0xffffff,
    };
    static const unsigned level[6] = {0x00, 0x5f, 0x87, 0xaf, 0xd7, 0xff};
    if (n < 16)
        return first[n];
    if (n >= 232)
        return (8 + 10 * (n - 232)) * 0x010101u;
    n -= 16;
    return level[n / 36] << 16 | level[n / 6 % 6] << 8 | level[n % 6];
}

char *format_colour_hex(const char *s)
{
    colour_t c;
    if (!colour_from_name(s, &c))
        return xstrdup("");
    if (colour_kind(c) == COLOUR_RGB)
        return xasprintf("%06x", c & 0xffffffu);
    if (colour_kind(c) == COLOUR_INDEXED)
        return xasprintf("%06x", palette(c & 0xff));
    return xstrdup("");
}

static bool parse_operand(const char *s, bool is_float, double *out)
{
    char *end;
    *out = strtod(s, &end); // nothing counts as 0
    if (*end != '\0' || isnan(*out))
        return false;
    if (!is_float)
        *out = trunc(*out);
    return true;
}

char *format_arithmetic(const struct format_modifier *m, const char *left, const char *right)
{
    const char *op = format_modifier_arg(m, 0);
    bool is_float = strchr(format_modifier_arg(m, 1), 'f') != NULL;
    long long decimals = is_float ? 2 : 0;
    const char *why;
    if (m->argc >= 3 && !parse_number(m->argv[2], 0, 30, &decimals, &why))
        return xstrdup("");
    double a, b, result;
    if (!parse_operand(left, is_float, &a) || !parse_operand(right, is_float, &b))
        return xstrdup("");

    if (strcmp(op, "+") == 0)
        result = a + b;
    else if (strcmp(op, "-") == 0)
        result = a - b;
    else if (strcmp(op, "*") == 0)
        result = a * b;
    else if (strcmp(op, "/") == 0)
        result = a / b;
    else if (strcmp(op, "m") == 0 || strcmp(op, "%") == 0 || strcmp(op, "%%") == 0)
        result = fmod(a, b);
    else if (strcmp(op, "==") == 0)
        result = fabs(a - b) < 1e-9;
    else if (strcmp(op, "!=") == 0)
        result = fabs(a - b) > 1e-9;
    else if (strcmp(op, "<") == 0)
        result = a < b;
    else if (strcmp(op, ">") == 0)
        result = a > b;
    else if (strcmp(op, "<=") == 0)
        result = a <= b;
    else if (strcmp(op, ">=") == 0)
        result = a >= b;
    else
        return xstrdup("");

    // Division by zero and what no number can hold have no value.
    if (!isfinite(result) || fabs(result) > (is_float ? 1e30 : 9.2e18))
        return xstrdup("");
    if (!is_float)
        result = trunc(result);
    return xasprintf("%.*f", (int)decimals, result == 0 ? 0.0 : result);
}

// --- Cutting and measuring, with markup in the text

// The piece at s: markup, a pair or single '#', or a run of other text. Returns its length in bytes.
enum piece { PIECE_MARKUP, PIECE_HASH, PIECE_TEXT };
static size_t next_piece(const char *s, enum piece *kind)
{
    if (*s != '#') {
        *kind = PIECE_TEXT;
        return strcspn(s, "#");
    }
    size_t hashes = strspn(s, "#");
    *kind = PIECE_HASH;
    if (hashes >= 2)
        return 2;
    const char *close = s[1] == '[' ? strchr(s + 2, ']') : NULL;
    if (close == NULL)
        return 1;
    *kind = PIECE_MARKUP;
    return (size_t)(close - s) + 1;
}

unsigned format_width(const char *s)
{
    unsigned width = 0;
    while (*s != '\0') {
        enum piece kind;
        size_t len = next_piece(s, &kind);
        if (kind == PIECE_HASH) {
            width++;
        } else if (kind == PIECE_TEXT) {
            char *text = xstrndup(s, len);
            width += utf8_string_width(text);
            free(text);
        }
        s += len;
    }
    return width;
}

static char *keep_left(const char *s, unsigned cols)
{
    struct strbuf b = {0};
    while (*s != '\0') {
        enum piece kind;
        size_t len = next_piece(s, &kind);
        if (kind == PIECE_MARKUP) {
            strbuf_add(&b, s, len);
        } else if (kind == PIECE_HASH) {
            if (cols > 0) {
                strbuf_add(&b, s, len);
                cols--;
            }
        } else if (cols > 0) {
            char *text = xstrndup(s, len);
            size_t fits = utf8_prefix(text, cols);
            text[fits] = '\0';
            strbuf_add(&b, text, fits);
            // What does not fit wholly ends the text: nothing behind it moves up.
            cols = fits < len ? 0 : cols - utf8_string_width(text);
            free(text);
        }
        s += len;
    }
    return strbuf_take(&b);
}

static char *drop_left(const char *s, unsigned cols)
{
    struct strbuf b = {0};
    while (*s != '\0') {
        enum piece kind;
        size_t len = next_piece(s, &kind);
        if (kind == PIECE_MARKUP || cols == 0) {
            strbuf_add(&b, s, len);
        } else if (kind == PIECE_HASH) {
            cols--;
        } else {
            char *text = xstrndup(s, len);
            size_t gone = utf8_prefix(text, cols);
            char kept = text[gone];
            text[gone] = '\0';
            unsigned width = utf8_string_width(text);
            text[gone] = kept;
            if (gone < len && width < cols)
                gone += utf8_prefix(text + gone, 2); // a wide character that is cut in two
            cols = gone < len ? 0 : cols - MIN_OF(width, cols);
            strbuf_add(&b, text + gone, len - gone);
            free(text);
        }
        s += len;
    }
    return strbuf_take(&b);
}

char *format_trim(const char *s, long cols, const char *marker)
{
    unsigned width = format_width(s);
    unsigned limit = (unsigned)(cols < 0 ? -cols : cols);
    if (width <= limit)
        return xstrdup(s);
    char *cut = cols < 0 ? drop_left(s, width - limit) : keep_left(s, limit);
    if (*marker == '\0')
        return cut;
    char *result = cols < 0 ? xasprintf("%s%s", marker, cut) : xasprintf("%s%s", cut, marker);
    free(cut);
    return result;
}

char *format_pad(const char *s, long cols)
{
    long width = (long)format_width(s);
    long wanted = cols < 0 ? -cols : cols;
    if (width >= wanted)
        return xstrdup(s);
    int blanks = (int)(wanted - width);
    return cols < 0 ? xasprintf("%*s%s", blanks, "", s) : xasprintf("%s%*s", s, blanks, "");
}
