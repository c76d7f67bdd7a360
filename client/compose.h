// The whole terminal screen from what the server told: panes, borders, status lines, overlays.
#ifndef AMUX_CLIENT_COMPOSE_H
#define AMUX_CLIENT_COMPOSE_H

#include "client/canvas.h"
#include "client/render.h"
#include "client/screen.h"

// Fills `out`, whose size is the terminal's. now_wall_us is what clocks show.
void compose_screen(const struct screen *s, int64_t now_wall_us, struct canvas *out);
// This frame's scrolls that moved whole rows of the terminal. Returns how many.
size_t compose_scrolls(const struct screen *s, const struct canvas *screen,
                       struct scroll_hint *out, size_t max);

// --- borders.c: lines between panes, and dots where no window is. Rows [view_y, view_y + rows).
void compose_borders(const struct screen *s, struct canvas *out, unsigned view_y, unsigned rows);

#endif
