// libvterm's parser behind the gate: what it finds goes to the emulation.
#ifndef AMUX_SERVER_VT_PARSER_H
#define AMUX_SERVER_VT_PARSER_H

#include <stddef.h>

struct parser;
struct vt;

struct parser *parser_new(struct vt *vt);
void parser_free(struct parser *p);
// Bytes that came through the gate, and nothing else.
void parser_feed(struct parser *p, const char *data, size_t len);

#endif
