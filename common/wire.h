// Frames on the socket: a length, a type, fields; and the bounded reader and writer of fields.
//
// A frame is a little-endian u32 (bytes that follow), a u16 type, and the fields of the type's row
// in messages.def, in order: integers little-endian, strings and bytes with a u32 length, vectors
// of strings with a u32 count.
#ifndef AMUX_COMMON_WIRE_H
#define AMUX_COMMON_WIRE_H

#include "common/util.h"

#define WIRE_HEADER_BYTES 6
#define WIRE_MAX_FRAME (16u << 20) // no frame of any type is larger
#define WIRE_MAX_STRINGS 65536u    // in one vector

struct wire_reader {
    const uint8_t *data;
    size_t len;
    size_t at;
    bool failed; // sticky: a read beyond the end gives 0 and sets it
};
uint8_t wire_u8(struct wire_reader *r);
uint16_t wire_u16(struct wire_reader *r);
uint32_t wire_u32(struct wire_reader *r);
uint64_t wire_u64(struct wire_reader *r);
const void *wire_bytes(struct wire_reader *r, uint32_t *len); // borrowed from data

void wire_put_u8(struct strbuf *b, uint8_t v);
void wire_put_u16(struct strbuf *b, uint16_t v);
void wire_put_u32(struct strbuf *b, uint32_t v);
void wire_put_u64(struct strbuf *b, uint64_t v);
void wire_put_bytes(struct strbuf *b, const void *data, size_t len);

#endif
