// Where the parts of a status line's markup come to lie: the server's half of what the client
// draws, for mouse clicks. Pure functions over text.
#ifndef AMUX_SERVER_PUSH_STATUS_LAYOUT_H
#define AMUX_SERVER_PUSH_STATUS_LAYOUT_H

#include "common/style.h"

// The range (#[range=...]) at column x of a line drawn `cols` columns wide.
struct status_range {
    enum style_range type;
    uint32_t arg; // window index, pane or session id
};
struct status_range status_layout_at(const char *line, unsigned cols, unsigned x);
// Length in bytes of the longest beginning that takes at most max_cols columns. Markup (#[...])
// takes none and is never cut; a time field takes what it takes now.
size_t status_layout_prefix(const char *text, unsigned max_cols);

#endif
