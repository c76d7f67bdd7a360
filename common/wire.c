// The bounded reader and writer of a frame's fields.
#include "config.h"

#include "common/wire.h"

static const uint8_t *take(struct wire_reader *r, size_t n)
{
    if (r->failed || n > r->len - r->at) {
        r->failed = true;
        return NULL;
    }
    const uint8_t *p = r->data + r->at;
    r->at += n;
    return p;
}

static uint64_t take_number(struct wire_reader *r, size_t n)
{
    const uint8_t *p = take(r, n);
    uint64_t v = 0;
    for (size_t i = 0; p != NULL && i < n; i++)
        v |= (uint64_t)p[i] << (8 * i);
    return v;
}

uint8_t wire_u8(struct wire_reader *r)
{
    return (uint8_t)take_number(r, 1);
}

uint16_t wire_u16(struct wire_reader *r)
{
    return (uint16_t)take_number(r, 2);
}

uint32_t wire_u32(struct wire_reader *r)
{
    return (uint32_t)take_number(r, 4);
}

uint64_t wire_u64(struct wire_reader *r)
{
    return take_number(r, 8);
}

const void *wire_bytes(struct wire_reader *r, uint32_t *len)
{
    *len = wire_u32(r);
    const void *p = take(r, *len);
    if (p == NULL)
        *len = 0;
    return p;
}

static void put_number(struct strbuf *b, uint64_t v, size_t n)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)(v >> (8 * i));
    strbuf_add(b, bytes, n);
}

void wire_put_u8(struct strbuf *b, uint8_t v)
{
    put_number(b, v, 1);
}

void wire_put_u16(struct strbuf *b, uint16_t v)
{
    put_number(b, v, 2);
}

void wire_put_u32(struct strbuf *b, uint32_t v)
{
    put_number(b, v, 4);
}

void wire_put_u64(struct strbuf *b, uint64_t v)
{
    put_number(b, v, 8);
}

void wire_put_bytes(struct strbuf *b, const void *data, size_t len)
{
    put_number(b, len, 4);
    strbuf_add(b, data, len);
}
