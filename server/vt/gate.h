// The gate before libvterm's parser: what passes is bounded, whatever a program prints.
//
// Plain bytes and well-formed control sequences pass as they are. A CSI has at most 16 parameters
// of at most 5 digits (longer SGRs are passed as several); OSC, DCS, APC, PM, SOS and title strings
// never pass: they are collected here, over any number of reads, and handed out whole.
#ifndef AMUX_SERVER_VT_GATE_H
#define AMUX_SERVER_VT_GATE_H

#include <stdbool.h>
#include <stddef.h>

struct gate;

enum gate_string {
    GATE_OSC,   // ESC ]
    GATE_DCS,   // ESC P
    GATE_TITLE, // ESC k, screen's
    GATE_OTHER, // APC, PM, SOS: swallowed, never handed out
};
struct gate_output {
    // Bytes for the parser.
    void (*pass)(void *arg, const char *data, size_t len);
    // A whole string without its introducer and terminator; data[len] is NUL.
    void (*string)(void *arg, enum gate_string kind, const char *data, size_t len,
                   bool ends_in_bel);
};

// A string longer than its limit is swallowed whole.
#define GATE_OSC_MAX_BYTES   (2u << 20) // a clipboard of 1 MB in base64 and some
#define GATE_DCS_MAX_BYTES   (64u << 10)
#define GATE_TITLE_MAX_BYTES (4u << 10)
#define GATE_CSI_MAX_PARAMS  16u // what libvterm's parser has room for
#define GATE_SGR_MAX_PARAMS  64u
#define GATE_CSI_MAX_BYTES   1024u // parameters and intermediates; longer ones are dropped

struct gate *gate_new(const struct gate_output *output, void *arg);
void gate_free(struct gate *g);
void gate_feed(struct gate *g, const char *data, size_t len);
void gate_reset(struct gate *g); // forgets a sequence that is not finished

#endif
