// UTF-8 decoding and the width of characters and graphemes, by utf8proc's tables.
#ifndef AMUX_COMMON_UTF8_H
#define AMUX_COMMON_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_REPLACEMENT 0xFFFDu
#define UTF8_MAX_BYTES 4

// Streaming decoder: maximal-subpart replacement as in the Unicode standard (3.9, U+FFFD
// substitution). Zero-initialise.
struct utf8_state {
    uint32_t value;
    uint8_t need;  // continuation bytes still to come
    uint8_t lower; // bounds of the next continuation byte
    uint8_t upper;
};
enum utf8_result {
    UTF8_MORE,          // byte taken, more to come
    UTF8_DONE,          // byte taken, *cp is set
    UTF8_INVALID,       // byte taken, *cp is U+FFFD
    UTF8_INVALID_AGAIN, // what came before is U+FFFD; the byte was not taken: give it again
};
enum utf8_result utf8_decode(struct utf8_state *st, uint8_t byte, uint32_t *cp);

// One code point of a string of `len` bytes (len > 0): bytes used (at least 1); *cp is U+FFFD if
// malformed.
size_t utf8_next(const char *s, size_t len, uint32_t *cp);
// Writes up to 4 bytes, no NUL; returns how many.
size_t utf8_encode(uint32_t cp, char out[UTF8_MAX_BYTES]);
bool utf8_is_valid(const char *s, size_t len);

// Columns of one code point: 0 (combining, controls), 1 or 2. Ambiguous ones are 1.
int utf8_width(uint32_t cp);
// True if `cp` belongs to the same grapheme as `prev` (combining marks, ZWJ sequences, VS16, skin
// tones, flags by pairs). *state is utf8proc's break state, 0 at the start of a cluster.
bool utf8_is_extending(uint32_t prev, uint32_t cp, int32_t *state);
// Columns of a cluster of `width` columns that begins with `base`, once `cp` was added to it: emoji
// presentation (VS16), flags, skin tones and joined emoji are two columns wide.
int utf8_cluster_width(int width, uint32_t base, uint32_t cp);
// True if VS16 makes `base` an emoji.
bool utf8_widens_with_vs16(uint32_t base);
// Length in bytes of the first grapheme of s (len > 0); its columns go to *width, 0 for controls and
// for marks without a base.
size_t utf8_cluster_next(const char *s, size_t len, unsigned *width);
// Columns of a NUL-terminated string by graphemes, control characters counting 0.
unsigned utf8_string_width(const char *s);
// The longest prefix of `s` that fits `max_cols`; returns its length in bytes.
size_t utf8_prefix(const char *s, unsigned max_cols);

#endif
