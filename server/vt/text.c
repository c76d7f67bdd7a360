// Printing: text becomes cells. Runs of ASCII are filled in one go; clusters are put together.
#include "server/vt/state.h"

// Length of the run of printable ASCII at p.
static size_t ascii_run(const char *p, size_t len)
{
    size_t n = 0;

    while (n + 8 <= len) {
        uint64_t v, odd;

        memcpy(&v, p + n, 8);
        // A byte's top bit is set by: being below 0x20, being 0x7f, being above. Carries only
        // disturb bytes behind the first odd one.
        odd =
            (v | (v - 0x2020202020202020ull) | (v + 0x0101010101010101ull)) & 0x8080808080808080ull;
        if (odd != 0) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
            return n + (size_t)__builtin_ctzll(odd) / 8;
#else
            break;
#endif
        }
        n += 8;
    }
    while (n < len && (uint8_t)p[n] >= 0x20 && (uint8_t)p[n] < 0x7f)
        n++;
    return n;
}

// Column after the last that text may be put in, in the cursor's row.
static unsigned line_end(const struct vt *vt)
{
    return vt->x <= vt->right ? vt->right + 1 : vt->cols;
}

static void wrap_line(struct vt *vt)
{
    if (vt->right == vt->cols - 1 && vt->left == 0)
        grid_touch(&vt->grid, vt->y)->flags |= ROW_WRAPPED;
    vt->x = vt->x <= vt->right ? vt->left : 0;
    vt->is_pending = false;
    vt_line_feed(vt);
}

// The cursor goes past n columns just written, of which the last may be the line's last.
static inline void advance(struct vt *vt, struct grid_row *row, unsigned n, unsigned end)
{
    if (vt->x + n < end) {
        vt->x += n;
        return;
    }
    vt->x = end - 1;
    vt->is_pending = vt_has_mode(vt, VT_MODE_WRAP);
    if (end == vt->cols)
        row->flags &= ~(unsigned)ROW_WRAPPED; // set again when the text goes on
}

static void fill_ascii(struct vt *vt, const char *p, size_t len)
{
    while (len > 0) {
        struct grid_row *row;
        struct cell *cells;
        unsigned end, n;
        uint32_t flags;

        if (vt->is_pending)
            wrap_line(vt);
        end = line_end(vt);
        n = (unsigned)MIN_OF(len, (size_t)(end - vt->x));
        row = grid_touch(&vt->grid, vt->y);
        cells = &row->cells[vt->x];
        flags = vt->pen_flags;
        grid_split_wide(&vt->grid, row, vt->x);
        grid_split_wide(&vt->grid, row, vt->x + n);
        for (unsigned i = 0; i < n; i++) {
            uint64_t v = (uint64_t)flags << 32 | (uint8_t)p[i];

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
            memcpy(&cells[i], &v, 8);
#else
            cells[i].glyph = (uint32_t)v;
            cells[i].style_flags = flags;
#endif
        }
        if (vt->x + n > row->used)
            row->used = vt->x + n;
        advance(vt, row, n, end);
        p += n;
        len -= n;
        if (len > 0 && !vt->is_pending) {
            // No autowrap: the rest overwrites the last column, of which the last byte remains.
            p += len - 1;
            len = 1;
            row->cells[end - 1].glyph = (uint8_t)*p;
            break;
        }
    }
}

static void put_wide_or_narrow(struct vt *vt, uint32_t glyph, unsigned width)
{
    struct grid_row *row;
    unsigned end;

    vt_ready_pen(vt);
    if (vt->is_pending)
        wrap_line(vt);
    end = line_end(vt);
    if (width == 2 && vt->x + 2 > end) {
        unsigned first = vt->x <= vt->right ? vt->left : 0;

        if (end - first < 2)
            return; // nowhere in this line
        if (vt_has_mode(vt, VT_MODE_WRAP)) {
            row = grid_touch(&vt->grid, vt->y);
            grid_split_wide(&vt->grid, row, vt->x);
            grid_fill(row, vt->x, 1, vt_blank(vt));
            wrap_line(vt);
            end = line_end(vt);
        } else {
            vt->x = end - 2;
        }
    }
    if (vt_has_mode(vt, VT_MODE_INSERT))
        vt_open_gap(vt, width);
    row = grid_touch(&vt->grid, vt->y);
    grid_split_wide(&vt->grid, row, vt->x);
    grid_split_wide(&vt->grid, row, vt->x + width);
    row->cells[vt->x].glyph = glyph;
    row->cells[vt->x].style_flags = vt->pen_flags;
    if (width == 2) {
        row->cells[vt->x].style_flags |= CELL_WIDE;
        row->cells[vt->x + 1].glyph = 0;
        row->cells[vt->x + 1].style_flags = vt->pen_flags | CELL_WIDE_TAIL;
    }
    if (vt->x + width > row->used)
        row->used = vt->x + width;
    advance(vt, row, width, end);
}

// The column of the cluster before the cursor, which a mark would join. False: there is none.
static bool find_cluster(const struct vt *vt, unsigned *at)
{
    const struct grid_row *row = grid_row(&vt->grid, vt->y);
    unsigned x = vt->x;

    if (!vt->is_pending) {
        // Without autowrap the last column stays under the cursor.
        bool stays = vt->has_cluster && !vt_has_mode(vt, VT_MODE_WRAP) && x == line_end(vt) - 1 &&
                     row->cells[x].glyph == vt->last_glyph && vt->last_glyph == vt->cluster_prev;

        if (!stays) {
            if (x == 0)
                return false;
            x--;
        }
    }
    if ((row->cells[x].style_flags & CELL_WIDE_TAIL) && x > 0)
        x--;
    *at = x;
    return true;
}

// Last code point of the cluster, and the break state after it.
static uint32_t cluster_state_of(const char *text, size_t len, int32_t *state)
{
    uint32_t prev, cp;
    size_t at = utf8_next(text, len, &prev);

    *state = 0;
    while (at < len) {
        at += utf8_next(text + at, len - at, &cp);
        utf8_is_extending(prev, cp, state);
        prev = cp;
    }
    return prev;
}

static void widen_cluster(struct vt *vt, struct grid_row *row, unsigned x)
{
    unsigned end = line_end(vt);
    struct cell c = row->cells[x];

    if (x + 2 <= end) {
        grid_split_wide(&vt->grid, row, x + 2);
        row->cells[x].style_flags |= CELL_WIDE;
        row->cells[x + 1].glyph = 0;
        row->cells[x + 1].style_flags = c.style_flags | CELL_WIDE_TAIL;
        if (x + 2 > row->used)
            row->used = x + 2;
        vt->x = x;
        vt->is_pending = false;
        advance(vt, row, 2, end);
        return;
    }
    if (!vt_has_mode(vt, VT_MODE_WRAP) || vt->cols < 2 || end < 2)
        return;
    // It became too wide for the end of the line: it goes to the next.
    grid_fill(row, x, 1, (struct cell){0, 0});
    put_wide_or_narrow(vt, c.glyph, 2);
}

// Adds cp to the cluster before the cursor if it belongs there.
static bool extend_cluster(struct vt *vt, uint32_t cp, bool is_zero_width)
{
    char text[CLUSTER_MAX_BYTES];
    struct grid_row *row;
    struct cell *cell;
    uint32_t base, prev;
    int32_t state;
    size_t len;
    unsigned x;
    int width, new_width;

    if (!vt->has_cluster && !is_zero_width)
        return false;
    if (!find_cluster(vt, &x))
        return false;
    cell = &grid_row(&vt->grid, vt->y)->cells[x];
    len = grid_cell_text(&vt->grid, cell, text);
    if (len == 0) {
        if (!is_zero_width)
            return false;
        text[len++] = ' ';
    }
    if (vt->has_cluster) {
        prev = vt->cluster_prev;
        state = vt->cluster_state;
    } else {
        prev = cluster_state_of(text, len, &state);
    }
    if (!utf8_is_extending(prev, cp, &state))
        return false;
    vt->has_cluster = true;
    vt->cluster_prev = cp;
    vt->cluster_state = state;
    if (len + UTF8_MAX_BYTES > sizeof text)
        return true; // full: further marks are dropped
    utf8_next(text, len, &base);
    len += utf8_encode(cp, text + len);
    row = grid_touch(&vt->grid, vt->y);
    cell->glyph = grid_cluster(&vt->grid, text, len) | GLYPH_CLUSTER;
    if (x + 1 > row->used)
        row->used = x + 1;
    memcpy(vt->last_cluster, text, len);
    vt->last_cluster_len = (uint8_t)len;
    width = cell->style_flags & CELL_WIDE ? 2 : 1;
    new_width = utf8_cluster_width(width, base, cp);
    if (new_width > width)
        widen_cluster(vt, row, x);
    return true;
}

// Characters that never join what is before them, so that their way is short.
static inline bool is_plain(const struct vt *vt, uint32_t cp)
{
    if (cp < 0x300)
        return true;
    if ((cp >= 0x4E00 && cp <= 0x9FFF) || (cp >= 0x3400 && cp <= 0x4DBF) ||
        (cp >= 0x2500 && cp <= 0x25A9) || (cp >= 0x3041 && cp <= 0x3096) ||
        (cp >= 0x30A1 && cp <= 0x30FF))
        return true;
    // A syllable joins only a leading jamo.
    return cp >= 0xAC00 && cp <= 0xD7A3 &&
           !(vt->cluster_prev >= 0x1100 && vt->cluster_prev <= 0x11FF);
}

static void put_codepoint(struct vt *vt, uint32_t cp)
{
    int width;

    if (cp >= 0x80 && cp < 0xA0)
        return; // C1 controls as text: nothing
    if (vt->single_shift != 0 || vt->charsets[vt->gl] != CHARSET_ASCII) {
        uint8_t set = vt->charsets[vt->single_shift != 0 ? vt->single_shift : vt->gl];

        vt->single_shift = 0;
        if (set == CHARSET_GRAPHICS && cp >= 0x5f && cp < 0x7f)
            cp = vt_graphics[cp - 0x5f];
        else if (set == CHARSET_UK && cp == '#')
            cp = 0xA3;
    }
    width = utf8_width(cp);
    if (!is_plain(vt, cp) && extend_cluster(vt, cp, width == 0))
        return;
    if (width == 0)
        return; // nothing to join
    put_wide_or_narrow(vt, cp, (unsigned)width);
    vt->last_glyph = cp;
    vt->last_cluster_len = 0;
    vt->has_cluster = true;
    vt->cluster_prev = cp;
    vt->cluster_state = 0;
}

static void put_ascii(struct vt *vt, const char *p, size_t len)
{
    if (vt->single_shift != 0 || vt->charsets[vt->gl] != CHARSET_ASCII ||
        vt_has_mode(vt, VT_MODE_INSERT)) {
        for (size_t i = 0; i < len; i++)
            put_codepoint(vt, (uint8_t)p[i]);
        return;
    }
    vt_ready_pen(vt);
    fill_ascii(vt, p, len);
    vt->last_glyph = vt->cluster_prev = (uint8_t)p[len - 1];
    vt->last_cluster_len = 0;
    vt->has_cluster = true;
    vt->cluster_state = 0;
}

// The ideograph (U+4E00 to U+9FFF) at p, or 0.
static inline uint32_t ideograph(const char *p)
{
    uint8_t a = (uint8_t)p[0], b = (uint8_t)p[1], c = (uint8_t)p[2];
    uint32_t cp = (uint32_t)(a & 0x0F) << 12 | (uint32_t)(b & 0x3F) << 6 | (c & 0x3Fu);

    return a >= 0xE4 && a <= 0xE9 && (b & 0xC0) == 0x80 && (c & 0xC0) == 0x80 && cp >= 0x4E00 ? cp
                                                                                              : 0;
}

// Puts the run of ideographs at p, which is never part of a cluster. Returns the bytes used.
static size_t put_ideographs(struct vt *vt, const char *p, size_t len)
{
    size_t at = 0;
    uint32_t cp = 0, last = 0;

    vt_ready_pen(vt);
    while (at + 3 <= len && (cp = ideograph(p + at)) != 0) {
        struct grid_row *row;
        unsigned end = line_end(vt), x = vt->x;

        last = cp;
        if (vt->is_pending || x + 2 > end) {
            put_wide_or_narrow(vt, cp, 2); // it knows about edges
            at += 3;
            continue;
        }
        row = grid_touch(&vt->grid, vt->y);
        grid_split_wide(&vt->grid, row, x);
        do {
            struct cell *c = &row->cells[x];

            if (x + 2 < vt->cols && (c[2].style_flags & CELL_WIDE_TAIL)) {
                c[2].glyph = ' '; // its first half goes now
                c[2].style_flags &= ~(uint32_t)CELL_WIDE_TAIL;
            }
            c[0] = (struct cell){cp, vt->pen_flags | CELL_WIDE};
            c[1] = (struct cell){0, vt->pen_flags | CELL_WIDE_TAIL};
            last = cp;
            x += 2;
            at += 3;
        } while (x + 2 <= end && at + 3 <= len && (cp = ideograph(p + at)) != 0);
        if (x > row->used)
            row->used = x;
        advance(vt, row, x - vt->x, end);
    }
    if (last != 0) {
        vt->last_glyph = vt->cluster_prev = last;
        vt->last_cluster_len = 0;
        vt->has_cluster = true;
        vt->cluster_state = 0;
    }
    return at;
}

size_t vt_put_text(struct vt *vt, const char *bytes, size_t len)
{
    size_t at = 0;
    uint32_t cp;

    while (at < len) {
        uint8_t c = (uint8_t)bytes[at];

        if (vt->utf8.need == 0) {
            if (c < 0x80) {
                size_t n = ascii_run(bytes + at, len - at);

                if (n == 0)
                    break;
                put_ascii(vt, bytes + at, n);
                at += n;
                continue;
            }
            if (c >= 0xC2 && c < 0xE0 && at + 1 < len && ((uint8_t)bytes[at + 1] & 0xC0) == 0x80) {
                put_codepoint(vt, (uint32_t)(c & 0x1F) << 6 | ((uint8_t)bytes[at + 1] & 0x3Fu));
                at += 2;
                continue;
            }
            if (c >= 0xE4 && c <= 0xE9 && vt->single_shift == 0 &&
                !vt_has_mode(vt, VT_MODE_INSERT)) {
                size_t n = put_ideographs(vt, bytes + at, len - at);

                at += n;
                if (n > 0)
                    continue;
            }
        } else if (c < 0x20 || c == 0x7f) {
            break;
        }
        switch (utf8_decode(&vt->utf8, c, &cp)) {
        case UTF8_MORE:
            at++;
            break;
        case UTF8_DONE:
        case UTF8_INVALID:
            at++;
            put_codepoint(vt, cp);
            break;
        case UTF8_INVALID_AGAIN:
            put_codepoint(vt, cp);
            break;
        }
    }
    return at;
}

void vt_flush_text(struct vt *vt)
{
    if (vt->utf8.need != 0) {
        vt->utf8.need = 0;
        put_codepoint(vt, UTF8_REPLACEMENT);
    }
    vt->has_cluster = false;
}

// Bounded at two lines: programs fill at most the rest of one (tmux stops there, xterm wraps), and
// six bytes must not cost what a screen full of text does.
void vt_repeat(struct vt *vt, unsigned n)
{
    uint32_t glyph = vt->last_glyph;
    unsigned width;

    if (glyph == 0)
        return;
    if (vt->last_cluster_len > 0) {
        char text[CLUSTER_MAX_BYTES + 1];

        memcpy(text, vt->last_cluster, vt->last_cluster_len);
        text[vt->last_cluster_len] = '\0';
        width = MIN_OF(utf8_string_width(text), 2u);
        vt_ready_pen(vt);
        glyph = grid_cluster(&vt->grid, text, vt->last_cluster_len) | GLYPH_CLUSTER;
    } else {
        width = (unsigned)utf8_width(glyph);
    }
    n = MIN_OF(n, vt->cols * 2);
    for (unsigned i = 0; i < n; i++)
        put_wide_or_narrow(vt, glyph, MAX_OF(width, 1u));
    vt->has_cluster = false;
}
