// Cells and styles of a screen: what emulation writes, packed rows carry, and the client draws.
#ifndef AMUX_COMMON_CELL_H
#define AMUX_COMMON_CELL_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A colour: the kind in the top byte, the value below.
typedef uint32_t colour_t;
#define COLOUR_DEFAULT 0u
#define COLOUR_INDEXED 0x01000000u // low byte: 0 to 255
#define COLOUR_RGB 0x02000000u     // 0xRRGGBB
#define COLOUR_TERMINAL 0x03000000u // in options only: the terminal's own default ("terminal")
#define colour_kind(c) ((c) & 0xFF000000u)
#define colour_indexed(n) (COLOUR_INDEXED | (uint32_t)((n)&0xFF))
#define colour_rgb(r, g, b) (COLOUR_RGB | ((uint32_t)(r) << 16) | ((uint32_t)(g) << 8) | (uint32_t)(b))

enum style_attr {
    ATTR_BOLD = 1 << 0,
    ATTR_DIM = 1 << 1,
    ATTR_ITALIC = 1 << 2,
    ATTR_UNDERLINE = 1 << 3,   // single; the next four exclude it and each other
    ATTR_UNDERLINE_2 = 1 << 4, // double
    ATTR_UNDERLINE_CURLY = 1 << 5,
    ATTR_UNDERLINE_DOTTED = 1 << 6,
    ATTR_UNDERLINE_DASHED = 1 << 7,
    ATTR_BLINK = 1 << 8,
    ATTR_REVERSE = 1 << 9,
    ATTR_HIDDEN = 1 << 10,
    ATTR_STRIKE = 1 << 11,
    ATTR_OVERLINE = 1 << 12,
};
#define ATTR_ANY_UNDERLINE \
    (ATTR_UNDERLINE | ATTR_UNDERLINE_2 | ATTR_UNDERLINE_CURLY | ATTR_UNDERLINE_DOTTED | \
     ATTR_UNDERLINE_DASHED)

// What a cell looks like. All zero is the terminal's default.
struct style {
    colour_t fg;
    colour_t bg;
    colour_t ul;    // underline colour (SGR 58)
    uint16_t attrs; // enum style_attr
    uint16_t link;  // index in the owner's table of OSC 8 links; 0: none
};
static inline bool style_equal(const struct style *a, const struct style *b)
{
    return a->fg == b->fg && a->bg == b->bg && a->ul == b->ul && a->attrs == b->attrs &&
           a->link == b->link;
}
uint32_t style_hash(const struct style *s);

// A screen cell, 8 bytes, so that a row of 200 columns is 1600 bytes and runs fill with wide stores.
//
// glyph: a code point; or, with GLYPH_CLUSTER set, an index in the owner's table of clusters (a
// base with combining marks, a ZWJ sequence ...); 0: blank, never written or erased.
// style_flags: the owner's style number in the low 24 bits, enum cell_flag above.
struct cell {
    uint32_t glyph;
    uint32_t style_flags;
};
static_assert(sizeof(struct cell) == 8, "runs of cells are filled as 64-bit values");
#define GLYPH_CLUSTER 0x80000000u
#define CELL_STYLE_MASK 0x00FFFFFFu
enum cell_flag {
    CELL_WIDE = 1u << 24,      // first column of a character two columns wide
    CELL_WIDE_TAIL = 1u << 25, // its second column; glyph is 0
    CELL_PROTECTED = 1u << 26, // DECSCA
};
#define cell_style_index(c) ((c)->style_flags & CELL_STYLE_MASK)

// The longest cluster kept, in bytes of UTF-8; further marks are dropped.
#define CLUSTER_MAX_BYTES 64

#endif
