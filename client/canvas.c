// Cells of the client's screens: interned texts, and putting glyphs where wide ones may stand.
#include "config.h"

#include "client/canvas.h"

#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "common/util.h"

struct text_slot {
    char *text; // NULL: free
    uint32_t hash;
    uint32_t next; // in its bucket; or of the free list
    bool is_marked;
};
struct texts {
    struct text_slot *slots; // by number; 0 is not used
    uint32_t n_slots, used, free_head, max, sweep_at;
    uint32_t *buckets;
    uint32_t n_buckets;
};
#define TEXTS_SWEEP_LEAST 1024u

struct texts *texts_new(uint32_t max_texts)
{
    struct texts *t = xcalloc(1, sizeof *t);
    t->max = max_texts;
    t->n_slots = 1;
    t->slots = xcalloc(1, sizeof *t->slots);
    t->n_buckets = 256;
    t->buckets = xcalloc(t->n_buckets, sizeof *t->buckets);
    t->sweep_at = MIN_OF(TEXTS_SWEEP_LEAST, max_texts / 2);
    return t;
}

void texts_free(struct texts *t)
{
    if (t == NULL)
        return;
    for (uint32_t i = 1; i < t->n_slots; i++)
        free(t->slots[i].text);
    free(t->slots);
    free(t->buckets);
    free(t);
}

static uint32_t hash_bytes(const char *text, size_t len)
{
    uint32_t h = 2166136261u; // FNV-1a
    for (size_t i = 0; i < len; i++)
        h = (h ^ (uint8_t)text[i]) * 16777619u;
    return h;
}

static void texts_rehash(struct texts *t)
{
    while (t->n_buckets < t->used)
        t->n_buckets *= 2;
    free(t->buckets);
    t->buckets = xcalloc(t->n_buckets, sizeof *t->buckets);
    for (uint32_t i = 1; i < t->n_slots; i++) {
        if (t->slots[i].text == NULL)
            continue;
        uint32_t *bucket = &t->buckets[t->slots[i].hash & (t->n_buckets - 1)];
        t->slots[i].next = *bucket;
        *bucket = i;
    }
}

uint32_t texts_number(struct texts *t, const char *text, size_t len)
{
    uint32_t hash = hash_bytes(text, len);
    for (uint32_t i = t->buckets[hash & (t->n_buckets - 1)]; i != 0; i = t->slots[i].next) {
        const struct text_slot *slot = &t->slots[i];
        if (slot->hash == hash && strncmp(slot->text, text, len) == 0 && slot->text[len] == '\0')
            return i;
    }
    if (t->used >= t->max)
        return 0;
    uint32_t number = t->free_head;
    if (number != 0) {
        t->free_head = t->slots[number].next;
    } else {
        number = t->n_slots++;
        t->slots = xreallocarray(t->slots, t->n_slots, sizeof *t->slots);
    }
    t->slots[number] = (struct text_slot){.text = xstrndup(text, len), .hash = hash};
    t->used++;
    if (t->used > t->n_buckets) {
        texts_rehash(t);
    } else {
        uint32_t *bucket = &t->buckets[hash & (t->n_buckets - 1)];
        t->slots[number].next = *bucket;
        *bucket = number;
    }
    return number;
}

const char *texts_get(const struct texts *t, uint32_t number)
{
    return number > 0 && number < t->n_slots ? t->slots[number].text : NULL;
}

bool texts_wants_sweep(const struct texts *t)
{
    return t->used > t->sweep_at;
}

void texts_mark(struct texts *t, uint32_t number)
{
    if (number > 0 && number < t->n_slots)
        t->slots[number].is_marked = true;
}

void texts_sweep(struct texts *t)
{
    for (uint32_t i = 1; i < t->n_slots; i++) {
        struct text_slot *slot = &t->slots[i];
        if (slot->text != NULL && !slot->is_marked) {
            free(slot->text);
            *slot = (struct text_slot){.next = 0};
            t->used--;
        }
        slot->is_marked = false;
    }
    t->free_head = 0;
    for (uint32_t i = t->n_slots - 1; i > 0; i--) {
        if (t->slots[i].text == NULL) {
            t->slots[i].next = t->free_head;
            t->free_head = i;
        }
    }
    texts_rehash(t);
    t->sweep_at = MIN_OF(MAX_OF(t->used * 2, TEXTS_SWEEP_LEAST), t->max - 1);
}

struct style style_for_drawing(const struct style *style)
{
    struct style s = *style;
    if (colour_kind(s.fg) == COLOUR_TERMINAL)
        s.fg = COLOUR_DEFAULT;
    if (colour_kind(s.bg) == COLOUR_TERMINAL)
        s.bg = COLOUR_DEFAULT;
    if (colour_kind(s.ul) == COLOUR_TERMINAL)
        s.ul = COLOUR_DEFAULT;
    return s;
}

void draw_cell_make_blank(struct draw_cell *cell, const struct style *style)
{
    memset(cell, 0, sizeof *cell);
    cell->style = *style;
    if ((style->attrs & ATTR_ON_BLANKS) == 0) {
        cell->style.fg = COLOUR_DEFAULT;
        cell->style.ul = COLOUR_DEFAULT;
        cell->style.attrs = 0;
    }
}

void canvas_resize(struct canvas *c, unsigned cols, unsigned rows)
{
    c->cols = MAX_OF(cols, 1u);
    c->rows = MAX_OF(rows, 1u);
    free(c->cells);
    c->cells = xcalloc((size_t)c->cols * c->rows, sizeof *c->cells);
    c->cursor_x = c->cursor_y = 0;
}

void canvas_free(struct canvas *c)
{
    free(c->cells);
    memset(c, 0, sizeof *c);
}

// Makes the other half of a wide character blank that loses the half at x.
static void cells_break_wide(struct draw_cell *row, unsigned cols, unsigned x)
{
    if ((row[x].flags & CELL_WIDE_TAIL) && x > 0)
        draw_cell_make_blank(&row[x - 1], &row[x - 1].style);
    if ((row[x].flags & CELL_WIDE) && x + 1 < cols)
        draw_cell_make_blank(&row[x + 1], &row[x + 1].style);
}

void cells_blank(struct draw_cell *row, unsigned cols, unsigned x, unsigned end,
                 const struct style *style)
{
    end = MIN_OF(end, cols);
    if (x >= end)
        return;
    cells_break_wide(row, cols, x);
    cells_break_wide(row, cols, end - 1);
    for (; x < end; x++)
        draw_cell_make_blank(&row[x], style);
}

void cells_put(struct draw_cell *row, unsigned cols, unsigned x, uint32_t glyph, unsigned width,
               const struct style *style)
{
    if (x >= cols)
        return;
    if (width == 2 && x + 1 >= cols) {
        glyph = 0;
        width = 1;
    }
    if (glyph == ' ')
        glyph = 0;
    if (row[x].flags != 0)
        cells_break_wide(row, cols, x);
    if (width == 2 && row[x + 1].flags != 0)
        cells_break_wide(row, cols, x + 1);
    if (glyph == 0) {
        for (unsigned i = 0; i < width; i++)
            draw_cell_make_blank(&row[x + i], style);
        return;
    }
    row[x] = (struct draw_cell){.style = *style, .glyph = glyph};
    if (width == 2) {
        row[x].flags = CELL_WIDE;
        row[x + 1] = (struct draw_cell){.style = *style, .flags = CELL_WIDE_TAIL};
    }
}

static bool is_control(uint32_t cp)
{
    return cp < 0x20 || (cp >= 0x7f && cp < 0xa0);
}

size_t glyph_next(const char *text, size_t len, struct texts *clusters, uint32_t *glyph,
                  unsigned *width)
{
    uint32_t cp;
    size_t used = utf8_next(text, len, &cp);

    if (is_control(cp)) {
        *glyph = 0;
        *width = 1;
        return used;
    }
    // Plain text does not need the tables of graphemes.
    if (cp < 0x80 && (used == len || (uint8_t)text[used] < 0x80)) {
        *glyph = cp == ' ' ? 0 : cp;
        *width = 1;
        return used;
    }
    uint32_t prev = cp, next;
    int32_t state = 0;
    size_t first = used;
    while (used < len) {
        size_t n = utf8_next(text + used, len - used, &next);
        if (is_control(next) || !utf8_is_extending(prev, next, &state))
            break;
        prev = next;
        used += n;
    }
    *glyph = cp == ' ' ? 0 : cp;
    if (used == first) {
        *width = (unsigned)MAX_OF(utf8_width(cp), 0);
        return used;
    }
    char cluster[CLUSTER_MAX_BYTES + 1];
    size_t kept = MIN_OF(used, (size_t)CLUSTER_MAX_BYTES);
    while (kept > 0 && kept < used && ((uint8_t)text[kept] & 0xC0) == 0x80)
        kept--; // not in the middle of a code point
    memcpy(cluster, text, kept);
    cluster[kept] = '\0';
    *width = MIN_OF(utf8_string_width(cluster), 2u);
    if (utf8_is_valid(cluster, kept)) {
        uint32_t number = texts_number(clusters, cluster, kept);
        if (number != 0)
            *glyph = GLYPH_CLUSTER | number;
    }
    return used;
}
