// Tables that cells point into: styles, clusters and links of one terminal. Numbers are stable
// until a sweep, which keeps every number that is marked and makes the others free again.
#ifndef AMUX_SERVER_GRID_TABLES_H
#define AMUX_SERVER_GRID_TABLES_H

#include "common/cell.h"
#include "common/util.h"

#define TABLE_FULL UINT32_MAX

struct style_table {
    struct style *items; // 0 is the default
    uint32_t n, limit;   // in use at most; a sweep is due when n reaches limit
    uint32_t *free_list; // numbers below n that are free
    uint32_t n_free;
    uint32_t *hash; // number + 1
    uint32_t hash_mask;
};
void style_table_init(struct style_table *t);
void style_table_free(struct style_table *t);
// The number of a style, new if needed. TABLE_FULL: sweep first, then ask again.
uint32_t style_table_get(struct style_table *t, const struct style *s);
// Frees every number whose byte in marks (n of them) is 0; makes room for more if few were free.
void style_table_sweep(struct style_table *t, const uint8_t *marks);
void style_table_grow(struct style_table *t); // room without a sweep

struct cluster {
    uint32_t hash;
    uint8_t len;
    char text[]; // UTF-8, not NUL-terminated
};
struct cluster_table {
    struct cluster **items; // NULL: free
    uint32_t n, limit;
    uint32_t *free_list;
    uint32_t n_free;
    uint32_t *hash;
    uint32_t hash_mask;
};
void cluster_table_init(struct cluster_table *t);
void cluster_table_free(struct cluster_table *t);
uint32_t cluster_table_get(struct cluster_table *t, const char *text, size_t len);
void cluster_table_sweep(struct cluster_table *t, const uint8_t *marks);
void cluster_table_grow(struct cluster_table *t);

// OSC 8 links as "id;uri". Few and long: searched by their hashes, from the newest.
#define LINKS_MAX 4096u
struct link_table {
    char **items; // 0 is unused; NULL: free
    uint32_t *hashes;
    uint32_t n;
    uint32_t free_from; // no number below is free
    uint32_t refusals;  // new links to be refused before another sweep is worth its time
};
void link_table_free(struct link_table *t);
// 0 if there is no room (sweep first).
uint16_t link_table_get(struct link_table *t, const char *text, size_t len);
// Returns how many it freed.
uint32_t link_table_sweep(struct link_table *t, const uint8_t *marks);

#endif
