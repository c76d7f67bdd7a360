// Style strings: "fg=red,bold,bg=#202020", and #[...] markup inside a line, as in tmux.
#ifndef AMUX_COMMON_STYLE_H
#define AMUX_COMMON_STYLE_H

#include "common/cell.h"

enum style_align { ALIGN_DEFAULT, ALIGN_LEFT, ALIGN_CENTRE, ALIGN_RIGHT, ALIGN_ABSOLUTE_CENTRE };
enum style_list { LIST_OFF, LIST_ON, LIST_FOCUS, LIST_LEFT_MARKER, LIST_RIGHT_MARKER };
enum style_range { RANGE_NONE, RANGE_LEFT, RANGE_RIGHT, RANGE_PANE, RANGE_WINDOW, RANGE_SESSION, RANGE_USER };
enum style_default { DEFAULT_NONE, DEFAULT_BASE, DEFAULT_PUSH, DEFAULT_POP };

struct markup {
    struct style style;
    bool has_fill; colour_t fill;
    enum style_align align;
    enum style_list list;
    enum style_range range; uint32_t range_arg; char range_user[16];
    enum style_default dflt; // set by the words "default", "push-default", "pop-default"
    bool ignore;             // "ignore"
};

// "red", "brightblue", "colour123", "#rrggbb", "default", "terminal". False: not a colour.
bool colour_from_name(const char *name, colour_t *out);
const char *colour_to_name(colour_t c); // static buffer, overwritten by the next call

// Applies the words of `words` (commas or spaces between) to *m; `base` is what "default" and
// "none" go back to. Returns false, with *m unchanged, if a word is not known.
bool markup_parse(struct markup *m, const struct style *base, const char *words);
// A style only (for options such as status-style).
bool style_parse(struct style *s, const struct style *base, const char *words);
// Text of a style as the option shows it ("fg=red,bold"; "default"). Static buffer.
const char *style_to_text(const struct style *s);

// A time field in a status line that the client expands: STATUS_TIME, strftime format, then
// STATUS_TIME_END. The server strips both bytes from everything else.
#define STATUS_TIME '\x0e'
#define STATUS_TIME_END '\x0f'

#endif
