// What the person's terminal can do: from its terminfo entry, its name, and its own answers.
#ifndef AMUX_CLIENT_CAPS_H
#define AMUX_CLIENT_CAPS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/key.h"

// Sequences that the terminal takes in the standard form (ECMA-48, xterm). A terminfo string that
// differs from it leaves the feature off.
enum feature {
    FEATURE_EL,     // CSI K
    FEATURE_EL1,    // CSI 1 K
    FEATURE_ED,     // CSI J
    FEATURE_ECH,    // CSI n X
    FEATURE_CSR,    // CSI t ; b r
    FEATURE_IND,    // LF at the bottom margin scrolls up
    FEATURE_INDN,   // CSI n S
    FEATURE_RI,     // ESC M at the top margin scrolls down
    FEATURE_RIN,    // CSI n T
    FEATURE_HPA,    // CSI n G
    FEATURE_VPA,    // CSI n d
    FEATURE_CUF,    // CSI n C
    FEATURE_CUB,    // CSI n D
    FEATURE_CUU,    // CSI n A
    FEATURE_CUD,    // CSI n B
    FEATURE_REP,    // CSI n b
    FEATURE_CIVIS,  // ?25
    FEATURE_BOLD,
    FEATURE_DIM,
    FEATURE_ITALIC,
    FEATURE_UNDERLINE,
    FEATURE_BLINK,
    FEATURE_REVERSE,
    FEATURE_HIDDEN,
    FEATURE_STRIKE,
    FEATURE_SGR_OFF,     // 22 to 29 switch single attributes off
    FEATURE_OP,          // 39 and 49
    FEATURE_UNDERLINES,  // 4:2 to 4:5
    FEATURE_UNDERLINE_COLOUR, // 58, 59
    FEATURE_OVERLINE,
    FEATURE_RGB,         // 38;2;r;g;b
    FEATURE_BCE,         // erasing paints the background colour
    FEATURE_AM,          // writing the last column wraps ...
    FEATURE_XENL,        // ... only with the next character
    FEATURE_MOUSE,
    FEATURE_FOCUS,
    FEATURE_PASTE,
    FEATURE_TITLE,       // OSC 0
    FEATURE_CLIPBOARD,   // OSC 52
    FEATURE_CURSOR_SHAPE,  // DECSCUSR
    FEATURE_CURSOR_COLOUR, // OSC 12, 112
    FEATURE_EXTENDED_KEYS, // CSI > 4 ; 1 m
    FEATURE_LINKS,         // OSC 8
    FEATURE_SYNC,          // ?2026
    FEATURE_QUERIES,       // DA, XTVERSION, OSC 10 and 11, DECRQM may be asked
    FEATURE_STATUS_REPORT, // DSR 5 is answered by CSI 0 n
    N_FEATURES,
};
static_assert(N_FEATURES <= 64, "a bit each in struct caps");

struct key_string {
    char *bytes;
    key_code key;
};
struct caps {
    char *name;      // TERM as it was given: what options' patterns are compared with
    char *term;      // the entry that was read
    uint64_t features;
    unsigned colours; // 0, 8, 16, 256
    // What stands behind these two: what is known, and what options add and take away.
    uint64_t known, added, removed;
    unsigned known_colours, added_colours;
    char *entry_smcup, *entry_rmcup;
    char *option_texts; // the options that hold now
    // Strings without padding; "" if the terminal has none.
    char *smcup, *rmcup, *smkx, *rmkx, *cnorm, *civis, *smacs, *rmacs, *enacs, *clear;
    char acs[128];   // by VT100 line drawing letter; 0: none
    struct key_string *keys;
    size_t n_keys;
};
static inline bool caps_has(const struct caps *c, enum feature f)
{
    return (c->features >> f) & 1;
}

// Reads the entry of `term` (NULL or "": unset). `fd` is the terminal's descriptor. NULL if it cannot
// be used, with one sentence in *cause (owned) that names the value and the way out. *note (owned) is
// set when another entry stands in for a name that has none here; else NULL.
struct caps *caps_load(const char *term, int fd, char **cause, char **note);
void caps_free(struct caps *c);
// The terminal said what it is (XTVERSION) or the environment does (COLORTERM): features that its
// kind is known to have are added.
void caps_add_kind(struct caps *c, const char *name);
void caps_add_feature(struct caps *c, enum feature f);
void caps_set_colours(struct caps *c, unsigned colours);
// terminal-features ("pattern:RGB:title,pattern:256") and terminal-overrides
// ("pattern:Tc:smcup@,pattern:RGB"), in place of those of the last call: they win over all that is
// known otherwise. "::" in an entry is a colon. Entries for other terminals, and capabilities that
// nothing here depends on, are passed over. False: nothing has changed.
bool caps_set_options(struct caps *c, const char *features, const char *overrides);

#endif
