// Bringing the terminal from what it shows to what it shall show, in few bytes.
#ifndef AMUX_CLIENT_RENDER_H
#define AMUX_CLIENT_RENDER_H

#include "client/canvas.h"
#include "client/caps.h"
#include "common/util.h"

struct renderer;

// A region of whole terminal rows whose content moved; a hint, used where it saves bytes.
struct scroll_hint {
    unsigned top, bottom; // terminal rows, both inclusive
    int lines;            // up; down if negative
};

// `caps` and `texts` are borrowed and may gain features and texts. Nothing is known of the terminal.
struct renderer *renderer_new(const struct caps *caps, bool is_utf8, const struct text_tables *texts);
void renderer_free(struct renderer *r);
// What the terminal shows is not known any more: the next draw clears it.
void renderer_forget(struct renderer *r);
// Appends to `out` what makes the terminal show `next`. A change of size is a clear.
void renderer_draw(struct renderer *r, const struct canvas *next, const struct scroll_hint *hints,
                   size_t n_hints, struct strbuf *out);
// Appends what puts style, charset, margins, links and the cursor's looks back to their defaults.
void renderer_reset(struct renderer *r, struct strbuf *out);
// What the terminal shows now. For sweeping texts, and for tests.
const struct canvas *renderer_shown(const struct renderer *r);

// --- sgr.c
// What of a style the terminal can show: colours brought down to those it has, attributes that it
// lacks left out.
struct style sgr_reduce(const struct caps *caps, const struct style *style);
// Appends the shortest sequence from one reduced style to another (links apart).
void sgr_change(const struct caps *caps, const struct style *from, const struct style *to,
                struct strbuf *out);
// A colour as one of 256, 16 or 8 (n_colours).
colour_t colour_reduce(colour_t c, unsigned n_colours);

#endif
