// Lines of markup as cells: the status line with its parts, notices; and the time in them.
#ifndef AMUX_CLIENT_STATUS_H
#define AMUX_CLIENT_STATUS_H

#include "client/canvas.h"

// Draws a status line over a whole row: #[...] markup, parts to the left, centre and right, the
// window list cut around its focus, time fields as of now_wall_us.
void status_draw(struct draw_cell *row, unsigned cols, const char *line, const struct style *base,
                 struct texts *clusters, int64_t now_wall_us);
// Draws a notice over a whole row: markup too, but "##" is text.
void status_draw_notice(struct draw_cell *row, unsigned cols, const char *text,
                        const struct style *base, struct texts *clusters);
// A prompt: markup in which "##" is a "#".
void status_draw_prompt(struct draw_cell *row, unsigned cols, const char *text,
                        const struct style *base, struct texts *clusters);

// The wall time at which the time fields of a line show something else; 0: it has none.
int64_t status_next_change_us(const char *line, int64_t now_wall_us);

#endif
