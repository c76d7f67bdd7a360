// Where the parts of a line of markup come to lie: what the client draws and where the server finds
// clicks are one layout. Pure functions over text.
#ifndef AMUX_COMMON_STATUS_LAYOUT_H
#define AMUX_COMMON_STATUS_LAYOUT_H

#include "common/style.h"
#include "common/util.h"

struct status_range { // #[range=...]
    enum style_range type;
    uint32_t arg; // window index, pane or session id
};
// A column of the line. Its cluster is `len` bytes at `at` in the layout's text; len 0 is a blank,
// or (width 0) the second column of the wide cluster before it.
struct status_cell {
    struct style style;
    struct status_range range;
    uint32_t at;
    uint16_t len;
    uint8_t width; // 1 or 2; 0
};
struct status_layout {
    struct status_cell *cells; // `cols` of them
    unsigned cols;
    struct strbuf text;
};
enum status_layout_flag {
    STATUS_LAYOUT_NOTICE = 1 << 0, // "##" is text, not an escaped "#"
};

// Lays out `line` for a width: left, centre and right, the window list cut around its focus with
// its markers where something is left out, as in tmux. Time fields show now_wall_us in this
// process's time zone. `base` is what #[default] goes back to. status_layout_free() afterwards.
void status_layout_build(struct status_layout *l, const char *line, unsigned cols,
                         const struct style *base, int64_t now_wall_us, unsigned flags);
void status_layout_free(struct status_layout *l);

// The range at column x of a line drawn `cols` columns wide now.
struct status_range status_layout_at(const char *line, unsigned cols, unsigned x);
// Length in bytes of the longest beginning that takes at most max_cols columns. Markup (#[...])
// takes none and is never cut; a time field takes what it takes now.
size_t status_layout_prefix(const char *text, unsigned max_cols);

#endif
