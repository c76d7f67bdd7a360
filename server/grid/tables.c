// Tables that cells point into: hashed, with free lists, swept when they fill.
#include "server/grid/tables.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_LIMIT  1024u
#define STYLES_MAX   CELL_STYLE_MASK
#define CLUSTERS_MAX 0x00FFFFFFu

void style_table_init(struct style_table *t)
{
    memset(t, 0, sizeof *t);
    t->limit = FIRST_LIMIT;
    t->items = xcalloc(t->limit, sizeof *t->items);
    t->free_list = xcalloc(t->limit, sizeof *t->free_list);
    t->n = 1;
    t->hash_mask = t->limit * 2 - 1;
    t->hash = xcalloc(t->hash_mask + 1, sizeof *t->hash);
}

void style_table_free(struct style_table *t)
{
    free(t->items);
    free(t->free_list);
    free(t->hash);
    memset(t, 0, sizeof *t);
}

static void style_insert(struct style_table *t, uint32_t number)
{
    uint32_t at = style_hash(&t->items[number]) & t->hash_mask;

    while (t->hash[at] != 0)
        at = (at + 1) & t->hash_mask;
    t->hash[at] = number + 1;
}

uint32_t style_table_get(struct style_table *t, const struct style *s)
{
    uint32_t at, number;

    if (s->fg == 0 && s->bg == 0 && s->ul == 0 && s->attrs == 0 && s->link == 0)
        return 0;
    at = style_hash(s) & t->hash_mask;
    while (t->hash[at] != 0) {
        number = t->hash[at] - 1;
        if (style_equal(&t->items[number], s))
            return number;
        at = (at + 1) & t->hash_mask;
    }
    if (t->n_free > 0)
        number = t->free_list[--t->n_free];
    else if (t->n < t->limit)
        number = t->n++;
    else
        return TABLE_FULL;
    t->items[number] = *s;
    t->hash[at] = number + 1;
    return number;
}

static void style_rehash(struct style_table *t, const uint8_t *marks)
{
    memset(t->hash, 0, ((size_t)t->hash_mask + 1) * sizeof *t->hash);
    for (uint32_t i = 1; i < t->n; i++) {
        if (marks == NULL || marks[i])
            style_insert(t, i);
    }
}

void style_table_grow(struct style_table *t)
{
    uint8_t *used;

    if (t->limit >= STYLES_MAX)
        return;
    // Numbers on the free list are in no hash chain: keep them out when it is built again.
    used = xmalloc(t->n);
    memset(used, 1, t->n);
    for (uint32_t i = 0; i < t->n_free; i++)
        used[t->free_list[i]] = 0;
    t->limit = MIN_OF(t->limit * 2, STYLES_MAX);
    t->items = xreallocarray(t->items, t->limit, sizeof *t->items);
    t->free_list = xreallocarray(t->free_list, t->limit, sizeof *t->free_list);
    free(t->hash);
    while (t->hash_mask + 1 < t->limit * 2)
        t->hash_mask = t->hash_mask * 2 + 1;
    t->hash = xcalloc((size_t)t->hash_mask + 1, sizeof *t->hash);
    style_rehash(t, used);
    free(used);
}

void style_table_sweep(struct style_table *t, const uint8_t *marks)
{
    t->n_free = 0;
    for (uint32_t i = t->n; i-- > 1;) {
        if (!marks[i])
            t->free_list[t->n_free++] = i;
    }
    style_rehash(t, marks);
    // A sweep may come before the table is full (for links): numbers never given out are room too.
    if (t->n_free + (t->limit - t->n) < t->limit / 2)
        style_table_grow(t);
}

static uint32_t text_hash(const char *text, size_t len)
{
    uint32_t h = 2166136261u;

    for (size_t i = 0; i < len; i++)
        h = (h ^ (uint8_t)text[i]) * 16777619u;
    return h ^ (h >> 15);
}

void cluster_table_init(struct cluster_table *t)
{
    memset(t, 0, sizeof *t);
    t->limit = 64;
    t->items = xcalloc(t->limit, sizeof *t->items);
    t->free_list = xcalloc(t->limit, sizeof *t->free_list);
    t->hash_mask = t->limit * 2 - 1;
    t->hash = xcalloc(t->hash_mask + 1, sizeof *t->hash);
}

void cluster_table_free(struct cluster_table *t)
{
    for (uint32_t i = 0; i < t->n; i++)
        free(t->items[i]);
    free(t->items);
    free(t->free_list);
    free(t->hash);
    memset(t, 0, sizeof *t);
}

uint32_t cluster_table_get(struct cluster_table *t, const char *text, size_t len)
{
    uint32_t hash = text_hash(text, len), at = hash & t->hash_mask, number;
    struct cluster *c;

    while (t->hash[at] != 0) {
        number = t->hash[at] - 1;
        c = t->items[number];
        if (c->hash == hash && c->len == len && memcmp(c->text, text, len) == 0)
            return number;
        at = (at + 1) & t->hash_mask;
    }
    if (t->n_free > 0)
        number = t->free_list[--t->n_free];
    else if (t->n < t->limit)
        number = t->n++;
    else
        return TABLE_FULL;
    c = xmalloc(sizeof *c + len);
    c->hash = hash;
    c->len = (uint8_t)len;
    memcpy(c->text, text, len);
    t->items[number] = c;
    t->hash[at] = number + 1;
    return number;
}

static void cluster_rehash(struct cluster_table *t)
{
    memset(t->hash, 0, ((size_t)t->hash_mask + 1) * sizeof *t->hash);
    for (uint32_t i = 0; i < t->n; i++) {
        uint32_t at;

        if (t->items[i] == NULL)
            continue;
        at = t->items[i]->hash & t->hash_mask;
        while (t->hash[at] != 0)
            at = (at + 1) & t->hash_mask;
        t->hash[at] = i + 1;
    }
}

void cluster_table_grow(struct cluster_table *t)
{
    if (t->limit >= CLUSTERS_MAX)
        return;
    t->limit *= 2;
    t->items = xreallocarray(t->items, t->limit, sizeof *t->items);
    t->free_list = xreallocarray(t->free_list, t->limit, sizeof *t->free_list);
    free(t->hash);
    t->hash_mask = t->hash_mask * 2 + 1;
    t->hash = xcalloc((size_t)t->hash_mask + 1, sizeof *t->hash);
    cluster_rehash(t);
}

void cluster_table_sweep(struct cluster_table *t, const uint8_t *marks)
{
    t->n_free = 0;
    for (uint32_t i = t->n; i-- > 0;) {
        if (!marks[i]) {
            free(t->items[i]);
            t->items[i] = NULL;
            t->free_list[t->n_free++] = i;
        }
    }
    cluster_rehash(t);
    if (t->n_free + (t->limit - t->n) < t->limit / 2)
        cluster_table_grow(t);
}

void link_table_free(struct link_table *t)
{
    for (uint32_t i = 1; i < t->n; i++)
        free(t->items[i]);
    free(t->items);
    free(t->hashes);
    memset(t, 0, sizeof *t);
}

uint16_t link_table_get(struct link_table *t, const char *text, size_t len)
{
    uint32_t hash = text_hash(text, len), room = 0;

    for (uint32_t i = t->n; i-- > 1;) {
        if (t->hashes[i] == hash && t->items[i] != NULL && strncmp(t->items[i], text, len) == 0 &&
            t->items[i][len] == '\0')
            return (uint16_t)i;
    }
    for (; t->free_from < t->n && room == 0; t->free_from++) {
        if (t->free_from > 0 && t->items[t->free_from] == NULL)
            room = t->free_from;
    }
    if (room == 0) {
        if (t->n >= LINKS_MAX)
            return 0;
        if (t->items == NULL) {
            t->items = xcalloc(LINKS_MAX, sizeof *t->items);
            t->hashes = xcalloc(LINKS_MAX, sizeof *t->hashes);
            t->n = 1;
        }
        room = t->n++;
        t->free_from = t->n;
    }
    t->items[room] = xstrndup(text, len);
    t->hashes[room] = hash;
    return (uint16_t)room;
}

uint32_t link_table_sweep(struct link_table *t, const uint8_t *marks)
{
    uint32_t freed = 0;

    for (uint32_t i = 1; i < t->n; i++) {
        if (!marks[i] && t->items[i] != NULL) {
            free(t->items[i]);
            t->items[i] = NULL;
            freed++;
        }
    }
    t->free_from = 1;
    return freed;
}
