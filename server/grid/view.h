// A rectangle of rows to be shown: a pane's live screen, or what a mode draws in its place. It is
// how frames are built without knowing where the rows come from.
#ifndef AMUX_SERVER_GRID_VIEW_H
#define AMUX_SERVER_GRID_VIEW_H

#include <stdbool.h>
#include <stdint.h>

struct row_packer;
struct strbuf;

// Which row stands at a place (id: moves with the row when it scrolls) and which state of it (gen:
// changes whenever its cells, flags or styles change). Equal tags mean equal packed rows.
struct row_tag {
    uint64_t id;
    uint64_t gen;
};
struct view_cursor {
    unsigned x, y; // from 0; x may equal cols - 1 in pending wrap
    bool is_visible;
    uint8_t shape;   // enum cursor_shape
    uint32_t colour; // 0x00RRGGBB | 1 << 24, 0: the terminal's
};
struct view;
struct view_ops {
    struct row_tag (*tag)(const struct view *v, unsigned y);
    // Appends the packed row (common/row.h).
    void (*pack)(const struct view *v, unsigned y, struct strbuf *out);
};
// Filled by vt_view() or a mode; valid until the screen or mode is next changed.
struct view {
    unsigned cols, rows;
    struct view_cursor cursor;
    const struct view_ops *ops;
    const void *arg;
};

#endif
