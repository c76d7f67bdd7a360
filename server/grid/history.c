// History: blocks of packed rows.
#include "server/grid/history.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES     65536u
#define BLOCK_MAX_BYTES (BLOCK_BYTES * 4) // a block may grow to this to end with a line
#define BLOCK_ROWS      4096u

// Words, so that an entry is 20 bytes and a plain line of 80 columns stays below 120.
struct entry {
    uint32_t id[2], gen[2];
    uint32_t end; // where the row ends in the block's data
};
struct block {
    uint64_t start; // number of its row 0, counted from the first row ever
    uint32_t first; // rows before this one were dropped
    uint32_t n, cap;
    struct entry *entries;
    uint8_t *data;
    uint32_t len, data_cap;
    unsigned max_cols;
    bool has_wrapped;
};
struct history {
    unsigned max_rows;
    size_t max_bytes, bytes;
    struct block **blocks; // head .. head + count
    size_t head, count, cap;
    uint64_t first_row, next_row; // numbers of the oldest row, and of the next to come
    uint64_t dropped;
    bool newest_is_wrapped;
    unsigned reflow_cols;
    size_t reflow_left; // blocks from the oldest on that are not laid out for it yet
    uint64_t *next_id;
    struct row_packer *packer;
    struct strbuf scratch;
};

static uint64_t join(const uint32_t v[2])
{
    return (uint64_t)v[1] << 32 | v[0];
}

static void split(uint64_t n, uint32_t v[2])
{
    v[0] = (uint32_t)n;
    v[1] = (uint32_t)(n >> 32);
}

struct history *history_new(unsigned max_rows, size_t max_bytes)
{
    struct history *h = xcalloc(1, sizeof *h);

    h->max_rows = max_rows;
    h->max_bytes = max_bytes;
    return h;
}

static size_t block_size(const struct block *b)
{
    return sizeof *b + b->data_cap + (size_t)b->cap * sizeof *b->entries;
}

static void block_free(struct block *b)
{
    free(b->entries);
    free(b->data);
    free(b);
}

static struct block *newest(const struct history *h)
{
    return h->count == 0 ? NULL : h->blocks[h->head + h->count - 1];
}

void history_free(struct history *h)
{
    if (h == NULL)
        return;
    for (size_t i = 0; i < h->count; i++)
        block_free(h->blocks[h->head + i]);
    free(h->blocks);
    row_packer_free(h->packer);
    strbuf_free(&h->scratch);
    free(h);
}

static void drop_oldest_block(struct history *h)
{
    struct block *b = h->blocks[h->head++];

    h->count--;
    if (h->reflow_left > 0)
        h->reflow_left--;
    h->dropped += b->n - b->first;
    h->first_row = b->start + b->n;
    h->bytes -= block_size(b);
    block_free(b);
    if (h->count == 0) {
        h->head = 0;
        h->newest_is_wrapped = false;
    }
}

// Drops at most max_rows rows for being too many.
static void enforce_limits(struct history *h, uint64_t max_rows)
{
    // Bytes come back a block at a time; the newest stays, unless it alone is too much.
    while (h->count > 0 && h->bytes > h->max_bytes && (h->count > 1 || h->max_bytes == 0))
        drop_oldest_block(h);
    while (h->count > 0 && h->next_row - h->first_row > h->max_rows) {
        struct block *b = h->blocks[h->head];
        uint64_t extra = MIN_OF(h->next_row - h->first_row - h->max_rows, max_rows);
        uint32_t here = b->n - b->first;

        if (extra == 0)
            break;
        if (extra >= here) {
            drop_oldest_block(h);
            max_rows -= here;
        } else {
            max_rows -= extra;
            b->first += (uint32_t)extra;
            h->first_row += extra;
            h->dropped += extra;
        }
    }
}

void history_set_limits(struct history *h, unsigned max_rows, size_t max_bytes)
{
    h->max_rows = max_rows;
    h->max_bytes = max_bytes;
    enforce_limits(h, UINT64_MAX);
}

void history_clear(struct history *h)
{
    while (h->count > 0)
        drop_oldest_block(h);
}

static void block_shrink(struct history *h, struct block *b)
{
    h->bytes -= block_size(b);
    b->data_cap = MAX_OF(b->len, 1u);
    b->data = xrealloc(b->data, b->data_cap);
    b->cap = MAX_OF(b->n, 1u);
    b->entries = xreallocarray(b->entries, b->cap, sizeof *b->entries);
    h->bytes += block_size(b);
}

static struct block *block_new(struct history *h)
{
    struct block *b = xcalloc(1, sizeof *b);

    if (h->head + h->count == h->cap) {
        if (h->head > h->count) {
            memmove(h->blocks, h->blocks + h->head, h->count * sizeof *h->blocks);
            h->head = 0;
        } else {
            h->cap = h->cap * 2 + 16;
            h->blocks = xreallocarray(h->blocks, h->cap, sizeof *h->blocks);
        }
    }
    b->start = h->next_row;
    h->blocks[h->head + h->count++] = b;
    h->bytes += block_size(b);
    return b;
}

static void block_add(struct block *b, const void *data, size_t len, struct row_tag tag,
                      unsigned flags, unsigned cols)
{
    struct entry *e;

    if (b->n == b->cap) {
        b->cap = b->cap == 0 ? 32 : b->cap * 2;
        b->entries = xreallocarray(b->entries, b->cap, sizeof *b->entries);
    }
    if (b->data_cap - b->len < len) {
        b->data_cap = (uint32_t)MAX_OF((size_t)b->data_cap * 2, b->len + len + 2048);
        b->data = xrealloc(b->data, b->data_cap);
    }
    memcpy(b->data + b->len, data, len);
    b->len += (uint32_t)len;
    e = &b->entries[b->n++];
    split(tag.id, e->id);
    split(tag.gen, e->gen);
    e->end = b->len;
    if (cols > b->max_cols)
        b->max_cols = cols;
    if (flags & ROW_WRAPPED)
        b->has_wrapped = true;
}

void history_push(struct history *h, const void *data, size_t len, struct row_tag tag,
                  unsigned flags, unsigned cols)
{
    struct block *b = newest(h);
    size_t before;

    if (h->max_rows == 0 || h->max_bytes == 0) {
        h->dropped++;
        return;
    }
    if (b != NULL && (b->len + len > BLOCK_BYTES || b->n >= BLOCK_ROWS) &&
        (!h->newest_is_wrapped || b->len + len > BLOCK_MAX_BYTES)) {
        block_shrink(h, b);
        b = NULL;
    }
    if (b == NULL) {
        // After a full block the next will be full too: room for it at once spares the copying.
        uint32_t rows = h->count > 0 ? newest(h)->n : 0;

        b = block_new(h);
        if (rows > 0) {
            b->cap = MIN_OF(rows + 16, BLOCK_ROWS);
            b->entries = xreallocarray(NULL, b->cap, sizeof *b->entries);
            b->data_cap = BLOCK_BYTES;
            b->data = xmalloc(b->data_cap);
            h->bytes += b->data_cap + (size_t)b->cap * sizeof *b->entries;
        }
    }
    before = (size_t)b->data_cap + (size_t)b->cap * sizeof *b->entries;
    block_add(b, data, len, tag, flags, cols);
    h->bytes += (size_t)b->data_cap + (size_t)b->cap * sizeof *b->entries - before;
    h->next_row++;
    h->newest_is_wrapped = (flags & ROW_WRAPPED) != 0;
    if (h->next_row - h->first_row > h->max_rows || h->bytes > h->max_bytes)
        enforce_limits(h, 2); // two for one: what a narrow width added goes little by little
}

unsigned history_rows(const struct history *h)
{
    return (unsigned)(h->next_row - h->first_row);
}

size_t history_bytes(const struct history *h)
{
    return h->bytes;
}

uint64_t history_dropped(const struct history *h)
{
    return h->dropped;
}

static const void *block_get(const struct block *b, uint32_t i, size_t *len)
{
    uint32_t from = i == 0 ? 0 : b->entries[i - 1].end;

    *len = b->entries[i].end - from;
    return b->data + from;
}

const void *history_get(const struct history *h, unsigned n, size_t *len, struct row_tag *tag)
{
    uint64_t number = h->first_row + n;
    size_t low = 0, high = h->count;
    const struct block *b;
    uint32_t i;

    if (number >= h->next_row)
        return NULL;
    while (high - low > 1) {
        size_t mid = (low + high) / 2;

        if (h->blocks[h->head + mid]->start <= number)
            low = mid;
        else
            high = mid;
    }
    b = h->blocks[h->head + low];
    i = (uint32_t)(number - b->start);
    if (tag != NULL) {
        tag->id = join(b->entries[i].id);
        tag->gen = join(b->entries[i].gen);
    }
    return block_get(b, i, len);
}

bool history_newest_is_wrapped(const struct history *h)
{
    return h->newest_is_wrapped;
}

static bool row_is_wrapped(const void *data, size_t len)
{
    struct row_reader r;

    return row_reader_init(&r, data, len) && (r.flags & ROW_WRAPPED) != 0;
}

bool history_pop(struct history *h, struct strbuf *out)
{
    struct block *b = newest(h);
    const void *data;
    size_t len;

    if (b == NULL || h->next_row == h->first_row)
        return false;
    if (h->reflow_left == h->count) {
        history_reflow_step(h, 0);
        b = newest(h);
    }
    data = block_get(b, b->n - 1, &len);
    strbuf_add(out, data, len);
    b->n--;
    b->len -= (uint32_t)len;
    h->next_row--;
    if (b->n == b->first) {
        h->bytes -= block_size(b);
        block_free(b);
        h->count--;
        h->reflow_left = MIN_OF(h->reflow_left, h->count);
        if (h->count == 0)
            h->head = 0;
        b = newest(h);
    }
    h->newest_is_wrapped = false;
    if (b != NULL) {
        data = block_get(b, b->n - 1, &len);
        h->newest_is_wrapped = row_is_wrapped(data, len);
    }
    return true;
}

// Cells of a packed row up to the last that holds text.
static bool scan_row(const void *data, size_t len, unsigned *flags, unsigned *keep_cells,
                     unsigned *keep_cols)
{
    struct row_reader r;
    struct row_cell c;
    unsigned cells = 0, cols = 0;

    *keep_cells = *keep_cols = 0;
    if (!row_reader_init(&r, data, len))
        return false;
    *flags = r.flags;
    if (r.flags & ROW_ASCII) {
        cells = r.cols;
        while (cells > 0 && r.data[r.text_at + cells - 1] == 0)
            cells--;
        *keep_cells = *keep_cols = cells;
        return true;
    }
    while (row_reader_next(&r, &c)) {
        cells++;
        cols += c.is_wide ? 2 : 1;
        if (c.text_len > 0) {
            *keep_cells = cells;
            *keep_cols = cols;
        }
    }
    return true;
}

// A logical line being laid out anew.
struct reflow {
    struct history *h;
    struct block *to;
    unsigned width;
    unsigned first_flags; // of the next row to end
    uint64_t *next_id;
};

static void reflow_end_row(struct reflow *rf, unsigned flags)
{
    struct row_tag tag = {++*rf->next_id, 0};
    struct strbuf *out = &rf->h->scratch;
    unsigned cols = row_packer_cols(rf->h->packer);

    row_packer_set_flags(rf->h->packer, flags | rf->first_flags);
    rf->first_flags = 0;
    strbuf_clear(out);
    row_packer_end(rf->h->packer, out);
    block_add(rf->to, out->data, out->len, tag, flags, cols);
    row_packer_begin(rf->h->packer, 0);
}

static void reflow_row(struct reflow *rf, const void *data, size_t len, unsigned cells)
{
    struct row_reader r;
    struct row_cell c;
    char link[4097];

    if (!row_reader_init(&r, data, len))
        return;
    while (cells-- > 0 && row_reader_next(&r, &c)) {
        unsigned cols = c.is_wide ? 2 : 1;
        bool has_link = c.link != NULL && c.link_len < sizeof link;

        if (cols > rf->width)
            continue;
        if (row_packer_cols(rf->h->packer) + cols > rf->width)
            reflow_end_row(rf, ROW_WRAPPED);
        if (has_link) {
            memcpy(link, c.link, c.link_len);
            link[c.link_len] = '\0';
        }
        row_packer_cell(rf->h->packer, &c.style, has_link ? link : NULL, c.text, c.text_len,
                        c.is_wide);
    }
}

// Rows i to j of b are one logical line.
static void reflow_line(struct reflow *rf, const struct block *b, uint32_t i, uint32_t j)
{
    unsigned flags = 0, keep_cells, keep_cols;
    const void *data;
    size_t len;

    data = block_get(b, i, &len);
    if (!scan_row(data, len, &flags, &keep_cells, &keep_cols))
        return;
    if (i == j && keep_cols <= rf->width) {
        struct row_tag tag = {join(b->entries[i].id), join(b->entries[i].gen)};

        block_add(rf->to, data, len, tag, flags, keep_cols);
        return;
    }
    rf->first_flags = flags & ~(unsigned)(ROW_WRAPPED | ROW_ASCII);
    row_packer_begin(rf->h->packer, 0);
    for (; i <= j; i++) {
        data = block_get(b, i, &len);
        if (scan_row(data, len, &flags, &keep_cells, &keep_cols))
            reflow_row(rf, data, len, keep_cells);
    }
    reflow_end_row(rf, flags & ROW_WRAPPED);
}

static struct block *reflow_block(struct history *h, const struct block *b, unsigned cols,
                                  uint64_t *next_id)
{
    struct reflow rf = {.h = h, .to = xcalloc(1, sizeof *b), .width = cols, .next_id = next_id};
    uint32_t i = b->first, j;

    while (i < b->n) {
        for (j = i; j + 1 < b->n; j++) {
            size_t len;
            const void *data = block_get(b, j, &len);

            if (!row_is_wrapped(data, len))
                break;
        }
        reflow_line(&rf, b, i, j);
        i = j + 1;
    }
    return rf.to;
}

// Block starts and row numbers follow from the blocks' rows.
static void renumber(struct history *h)
{
    uint64_t number = h->first_row;

    for (size_t i = 0; i < h->count; i++) {
        struct block *b = h->blocks[h->head + i];

        b->start = number - b->first;
        number += b->n - b->first;
    }
    h->next_row = number;
}

void history_reflow_step(struct history *h, int64_t budget_us)
{
    int64_t until = clock_monotonic_us() + budget_us;

    if (h->packer == NULL)
        h->packer = row_packer_new();
    while (h->reflow_left > 0) {
        struct block *b = h->blocks[h->head + --h->reflow_left];

        // Short whole lines look the same at any width: most blocks need nothing.
        if (!b->has_wrapped && b->max_cols <= h->reflow_cols)
            continue;
        h->blocks[h->head + h->reflow_left] = reflow_block(h, b, h->reflow_cols, h->next_id);
        h->bytes += block_size(h->blocks[h->head + h->reflow_left]);
        h->bytes -= block_size(b);
        block_free(b);
        block_shrink(h, h->blocks[h->head + h->reflow_left]);
        if (clock_monotonic_us() >= until)
            break;
    }
    renumber(h);
}

bool history_needs_reflow(const struct history *h)
{
    return h->reflow_left > 0;
}

void history_reflow(struct history *h, unsigned cols, uint64_t *next_id)
{
    h->reflow_cols = cols;
    h->reflow_left = h->count;
    h->next_id = next_id;
    history_reflow_step(h, 1000);
}
