// Hashing of styles.
#include "common/cell.h"

uint32_t style_hash(const struct style *s)
{
    uint64_t a = (uint64_t)s->fg << 32 | s->bg;
    uint64_t b = (uint64_t)s->ul << 32 | (uint32_t)s->attrs << 16 | s->link;
    uint64_t h = a * 0x9E3779B97F4A7C15ull;

    h = (h ^ (h >> 29) ^ b) * 0xBF58476D1CE4E5B9ull;
    return (uint32_t)(h >> 32) ^ (uint32_t)h;
}
