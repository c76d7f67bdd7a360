// UTF-8: decoding with maximal-subpart replacement, and widths by utf8proc's tables.
#include "common/utf8.h"

#include <string.h>
#include <utf8proc.h>

enum utf8_result utf8_decode(struct utf8_state *st, uint8_t byte, uint32_t *cp)
{
    if (st->need == 0) {
        if (byte < 0x80) {
            *cp = byte;
            return UTF8_DONE;
        }
        // Bounds of the second byte leave out overlong forms, surrogates and what is beyond
        // U+10FFFF (Unicode, table 3-7).
        st->lower = 0x80;
        st->upper = 0xBF;
        if (byte >= 0xC2 && byte <= 0xDF) {
            st->need = 1;
            st->value = byte & 0x1Fu;
        } else if (byte >= 0xE0 && byte <= 0xEF) {
            st->need = 2;
            st->value = byte & 0x0Fu;
            if (byte == 0xE0)
                st->lower = 0xA0;
            else if (byte == 0xED)
                st->upper = 0x9F;
        } else if (byte >= 0xF0 && byte <= 0xF4) {
            st->need = 3;
            st->value = byte & 0x07u;
            if (byte == 0xF0)
                st->lower = 0x90;
            else if (byte == 0xF4)
                st->upper = 0x8F;
        } else {
            *cp = UTF8_REPLACEMENT;
            return UTF8_INVALID;
        }
        return UTF8_MORE;
    }
    if (byte < st->lower || byte > st->upper) {
        st->need = 0;
        *cp = UTF8_REPLACEMENT;
        return UTF8_INVALID_AGAIN;
    }
    st->lower = 0x80;
    st->upper = 0xBF;
    st->value = (st->value << 6) | (byte & 0x3Fu);
    if (--st->need > 0)
        return UTF8_MORE;
    *cp = st->value;
    return UTF8_DONE;
}

size_t utf8_next(const char *s, size_t len, uint32_t *cp)
{
    struct utf8_state st = {0};

    for (size_t i = 0; i < len; i++) {
        switch (utf8_decode(&st, (uint8_t)s[i], cp)) {
        case UTF8_MORE:
            break;
        case UTF8_DONE:
        case UTF8_INVALID:
            return i + 1;
        case UTF8_INVALID_AGAIN:
            return i;
        }
    }
    *cp = UTF8_REPLACEMENT; // cut at the end: one replacement for the whole subpart
    return len;
}

size_t utf8_encode(uint32_t cp, char out[UTF8_MAX_BYTES])
{
    if (cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
        cp = UTF8_REPLACEMENT;
    if (cp < 0x80) {
        out[0] = (char)cp;
        return 1;
    }
    if (cp < 0x800) {
        out[0] = (char)(0xC0 | (cp >> 6));
        out[1] = (char)(0x80 | (cp & 0x3F));
        return 2;
    }
    if (cp < 0x10000) {
        out[0] = (char)(0xE0 | (cp >> 12));
        out[1] = (char)(0x80 | ((cp >> 6) & 0x3F));
        out[2] = (char)(0x80 | (cp & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | (cp >> 18));
    out[1] = (char)(0x80 | ((cp >> 12) & 0x3F));
    out[2] = (char)(0x80 | ((cp >> 6) & 0x3F));
    out[3] = (char)(0x80 | (cp & 0x3F));
    return 4;
}

bool utf8_is_valid(const char *s, size_t len)
{
    struct utf8_state st = {0};
    uint32_t cp;

    for (size_t i = 0; i < len; i++) {
        enum utf8_result r = utf8_decode(&st, (uint8_t)s[i], &cp);

        if (r == UTF8_INVALID || r == UTF8_INVALID_AGAIN)
            return false;
    }
    return st.need == 0;
}

int utf8_width(uint32_t cp)
{
    const utf8proc_property_t *p;

    if (cp < 0x7F)
        return cp >= 0x20;
    if (cp < 0xA0)
        return 0;
    if (cp < 0x300)
        return 1; // U+00AD too: terminals show a soft hyphen
    if ((cp >= 0x4E00 && cp <= 0x9FFF) || (cp >= 0xAC00 && cp <= 0xD7A3))
        return 2;
    if (cp > 0x10FFFF)
        return 1;
    // Medial and final jamo join the syllable before them.
    if ((cp >= 0x1160 && cp <= 0x11FF) || (cp >= 0xD7B0 && cp <= 0xD7FF))
        return 0;
    // A lone regional indicator is one column, so that a pair is two whether or not the outer
    // terminal knows flags.
    if (cp >= 0x1F1E6 && cp <= 0x1F1FF)
        return 1;
    p = utf8proc_get_property((utf8proc_int32_t)cp);
    switch (p->category) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
        return 0;
    case UTF8PROC_CATEGORY_CF:
        // Arabic and other visible prepended signs have a width; joiners and marks have none.
        return p->boundclass == UTF8PROC_BOUNDCLASS_PREPEND ? 1 : 0;
    default:
        break;
    }
    return p->charwidth >= 2 ? 2 : 1;
}

bool utf8_is_extending(uint32_t prev, uint32_t cp, int32_t *state)
{
    // utf8proc takes the class of `prev` from the state only if one was carried along; without it
    // the first emoji or indicator of a cluster would not be known as such.
    if (*state == 0)
        *state = (int32_t)utf8proc_get_property((utf8proc_int32_t)prev)->boundclass;
    return !utf8proc_grapheme_break_stateful((utf8proc_int32_t)prev, (utf8proc_int32_t)cp, state);
}

bool utf8_widens_with_vs16(uint32_t base)
{
    if (base < 0x80)
        return (base >= '0' && base <= '9') || base == '#' || base == '*';
    return utf8proc_get_property((utf8proc_int32_t)base)->boundclass ==
           UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

int utf8_cluster_width(int width, uint32_t base, uint32_t cp)
{
    if (width >= 2)
        return width;
    if (cp == 0xFE0F)
        return utf8_widens_with_vs16(base) ? 2 : width;
    if (utf8_width(cp) == 0)
        return width;
    return 2; // a second indicator, a skin tone, a joined emoji, a spacing mark
}

size_t utf8_cluster_next(const char *s, size_t len, unsigned *width)
{
    uint32_t base, prev, cp;
    int32_t state = 0;
    size_t at = utf8_next(s, len, &base);

    int cols = utf8_width(base);
    prev = base;
    while (at < len) {
        size_t n;

        if ((uint8_t)s[at] < 0x80 || base < 0x20)
            break;
        n = utf8_next(s + at, len - at, &cp);
        if (!utf8_is_extending(prev, cp, &state))
            break;
        cols = utf8_cluster_width(cols, base, cp);
        prev = cp;
        at += n;
    }
    *width = cols > 0 ? (unsigned)cols : 0;
    return at;
}

unsigned utf8_string_width(const char *s)
{
    size_t len = strlen(s);
    unsigned total = 0;

    while (len > 0) {
        unsigned cols;
        size_t n = utf8_cluster_next(s, len, &cols);

        total += cols;
        s += n;
        len -= n;
    }
    return total;
}

size_t utf8_prefix(const char *s, unsigned max_cols)
{
    size_t len = strlen(s), at = 0;
    unsigned total = 0;

    while (at < len) {
        unsigned cols;
        size_t n = utf8_cluster_next(s + at, len - at, &cols);

        if (total + cols > max_cols)
            break;
        total += cols;
        at += n;
    }
    return at;
}
