// The layout of a window: a tree of cells whose leaves are panes.
//
// Invariant: the children of a left-right cell have its height, and their widths and the one-cell
// borders between them add up to its width; top-bottom likewise. A window made smaller than its
// panes' least sizes keeps a layout larger than itself.
#include "config.h"

#include <stdlib.h>

#include "server/model/model.h"

static struct layout_cell *cell_new(struct layout_cell *parent, enum layout_type type)
{
    struct layout_cell *c = xcalloc(1, sizeof *c);
    c->type = type;
    c->parent = parent;
    TAILQ_INIT(&c->children);
    return c;
}

static void cell_free(struct layout_cell *c)
{
    struct layout_cell *child;
    while ((child = TAILQ_FIRST(&c->children)) != NULL) {
        TAILQ_REMOVE(&c->children, child, entry);
        cell_free(child);
    }
    if (c->pane != NULL && c->pane->cell == c)
        c->pane->cell = NULL;
    free(c);
}

static unsigned cell_size(const struct layout_cell *c, enum layout_type type)
{
    return type == LAYOUT_LEFT_RIGHT ? c->cols : c->rows;
}

static void cell_set_size(struct layout_cell *c, enum layout_type type, unsigned size)
{
    if (type == LAYOUT_LEFT_RIGHT)
        c->cols = size;
    else
        c->rows = size;
}

static unsigned cell_min(enum layout_type type)
{
    return type == LAYOUT_LEFT_RIGHT ? PANE_MIN_COLS : PANE_MIN_ROWS;
}

// By how much the cell can shrink along `type`.
static unsigned cell_spare(const struct layout_cell *c, enum layout_type type)
{
    const struct layout_cell *child;
    if (c->type == LAYOUT_PANE) {
        unsigned size = cell_size(c, type);
        return size > cell_min(type) ? size - cell_min(type) : 0;
    }
    if (c->type == type) {
        unsigned sum = 0;
        TAILQ_FOREACH(child, &c->children, entry)
            sum += cell_spare(child, type);
        return sum;
    }
    unsigned least = UINT32_MAX;
    TAILQ_FOREACH(child, &c->children, entry) {
        unsigned spare = cell_spare(child, type);
        least = MIN_OF(least, spare);
    }
    return least;
}

// Changes a cell's size along `type` and its children's with it, a cell at a time in turn. A
// shrink must be at most cell_spare().
static void cell_adjust(struct layout_cell *c, enum layout_type type, int change)
{
    struct layout_cell *child;
    cell_set_size(c, type, (unsigned)((int)cell_size(c, type) + change));
    if (c->type == LAYOUT_PANE)
        return;
    if (c->type != type) {
        TAILQ_FOREACH(child, &c->children, entry)
            cell_adjust(child, type, change);
        return;
    }
    while (change != 0) {
        bool has_moved = false;
        TAILQ_FOREACH(child, &c->children, entry) {
            if (change == 0)
                break;
            int step = change > 0 ? 1 : -1;
            if (step < 0 && cell_spare(child, type) == 0)
                continue;
            cell_adjust(child, type, step);
            change -= step;
            has_moved = true;
        }
        if (!has_moved)
            break;
    }
}

// Positions from sizes.
static void cell_place(struct layout_cell *c, unsigned x, unsigned y)
{
    struct layout_cell *child;
    c->x = x;
    c->y = y;
    TAILQ_FOREACH(child, &c->children, entry) {
        cell_place(child, x, y);
        if (c->type == LAYOUT_LEFT_RIGHT)
            x += child->cols + 1;
        else
            y += child->rows + 1;
    }
}

static void apply_cell(struct layout_cell *c)
{
    struct layout_cell *child;
    if (c->type == LAYOUT_PANE && c->pane != NULL) {
        c->pane->x = c->x;
        c->pane->y = c->y;
        pane_resize(c->pane, c->cols, c->rows);
        return;
    }
    TAILQ_FOREACH(child, &c->children, entry)
        apply_cell(child);
}

void layout_apply(struct window *w)
{
    if (w->layout == NULL)
        return;
    cell_place(w->layout, 0, 0);
    apply_cell(w->layout);
}

void layout_init(struct window *w, struct pane *p)
{
    w->layout = cell_new(NULL, LAYOUT_PANE);
    w->layout->cols = w->cols;
    w->layout->rows = w->rows;
    layout_assign(w->layout, p);
    layout_apply(w);
}

void layout_assign(struct layout_cell *cell, struct pane *p)
{
    cell->type = LAYOUT_PANE;
    cell->pane = p;
    p->cell = cell;
}

void layout_free(struct window *w)
{
    if (w->layout != NULL)
        cell_free(w->layout);
    if (w->saved_layout != NULL)
        cell_free(w->saved_layout);
    w->layout = w->saved_layout = NULL;
}

// --- splitting

// Spreads a cell's own size over its children in proportion to what they had.
static void spread_children(struct layout_cell *c)
{
    struct layout_cell *child;
    enum layout_type type = c->type;
    if (type == LAYOUT_PANE)
        return;
    unsigned n = 0, previous = 0;
    TAILQ_FOREACH(child, &c->children, entry) {
        n++;
        previous += cell_size(child, type);
    }
    previous += n - 1;
    unsigned whole = cell_size(c, type), left = whole, keep = 0;
    enum layout_type across = type == LAYOUT_LEFT_RIGHT ? LAYOUT_TOP_BOTTOM : LAYOUT_LEFT_RIGHT;
    TAILQ_FOREACH(child, &c->children, entry)
        keep += cell_size(child, type) - cell_spare(child, type) + 1;
    TAILQ_FOREACH(child, &c->children, entry) {
        unsigned had = cell_size(child, type), least = had - cell_spare(child, type);
        unsigned size = left;
        keep -= least + 1; // what those after it need, with their borders
        if (n > 1) {
            size = previous == 0 ? had : (unsigned)((uint64_t)had * whole / previous);
            unsigned most = left > keep ? left - keep : 0;
            size = MIN_OF(size, most);
            size = MAX_OF(size, least);
        }
        cell_set_size(child, type, size);
        cell_set_size(child, across, cell_size(c, across));
        left = left > size + 1 ? left - size - 1 : 0;
        n--;
        spread_children(child);
    }
}

// Whether the cell's children could be squeezed into `size`.
static bool can_squeeze(const struct layout_cell *c, enum layout_type type, unsigned size)
{
    return size >= cell_size(c, type) - cell_spare(c, type);
}

static void split_sizes(unsigned whole, enum layout_type type, int size, bool is_before,
                        unsigned *first, unsigned *second)
{
    unsigned min = cell_min(type);
    int64_t wanted;
    if (size < 0)
        wanted = (int64_t)(whole + 1) / 2 - 1;
    else if (is_before)
        wanted = (int64_t)whole - size - 1;
    else
        wanted = size;
    int64_t most = (int64_t)whole - 1 - min;
    wanted = MAX_OF(wanted, (int64_t)min);
    wanted = MIN_OF(wanted, most);
    *second = (unsigned)wanted;
    *first = whole - 1 - *second;
}

struct layout_cell *layout_split(struct pane *p, enum layout_type type, int size, bool is_before,
                                 bool is_full)
{
    struct window *w = p->window;
    struct layout_cell *at = is_full ? w->layout : p->cell;
    if (at == NULL || cell_size(at, type) < cell_min(type) * 2 + 1)
        return NULL;
    unsigned whole = cell_size(at, type), first, second;
    split_sizes(whole, type, size, is_before, &first, &second);
    unsigned old_size = is_before ? second : first, new_size = is_before ? first : second;
    if (at->type != LAYOUT_PANE && !can_squeeze(at, type, old_size))
        return NULL;

    struct layout_cell *cell;
    struct layout_cell *parent = at->parent;
    if (at->type != LAYOUT_PANE && at->type == type) {
        // The whole window, split the same way already: one more beside its children.
        cell_set_size(at, type, old_size);
        spread_children(at);
        cell_set_size(at, type, whole);
        cell = cell_new(at, LAYOUT_PANE);
        parent = at;
        if (is_before)
            TAILQ_INSERT_HEAD(&at->children, cell, entry);
        else
            TAILQ_INSERT_TAIL(&at->children, cell, entry);
    } else {
        if (parent == NULL || parent->type != type) {
            struct layout_cell *box = cell_new(parent, type);
            box->cols = at->cols;
            box->rows = at->rows;
            if (parent == NULL) {
                w->layout = box;
            } else {
                TAILQ_INSERT_BEFORE(at, box, entry);
                TAILQ_REMOVE(&parent->children, at, entry);
            }
            TAILQ_INSERT_HEAD(&box->children, at, entry);
            at->parent = parent = box;
        }
        cell_set_size(at, type, old_size);
        spread_children(at);
        cell = cell_new(parent, LAYOUT_PANE);
        if (is_before)
            TAILQ_INSERT_BEFORE(at, cell, entry);
        else
            TAILQ_INSERT_AFTER(&parent->children, at, cell, entry);
    }
    cell->cols = parent->cols;
    cell->rows = parent->rows;
    cell_set_size(cell, type, new_size);
    cell_place(w->layout, 0, 0);
    return cell;
}

// --- closing

// A cell with one child is that child.
static void collapse(struct window *w, struct layout_cell *parent)
{
    struct layout_cell *only = TAILQ_FIRST(&parent->children);
    if (only == NULL || TAILQ_NEXT(only, entry) != NULL)
        return;
    TAILQ_REMOVE(&parent->children, only, entry);
    only->parent = parent->parent;
    if (only->parent == NULL) {
        w->layout = only;
    } else {
        TAILQ_INSERT_BEFORE(parent, only, entry);
        TAILQ_REMOVE(&only->parent->children, parent, entry);
    }
    free(parent);
}

void layout_close(struct pane *p)
{
    struct window *w = p->window;
    struct layout_cell *cell = p->cell;
    if (cell == NULL)
        return;
    struct layout_cell *parent = cell->parent;
    if (parent == NULL) {
        w->layout = NULL;
        cell_free(cell);
        return;
    }
    struct layout_cell *heir = cell == TAILQ_FIRST(&parent->children)
                                   ? TAILQ_NEXT(cell, entry)
                                   : TAILQ_PREV(cell, layout_cells, entry);
    if (heir != NULL)
        cell_adjust(heir, parent->type, (int)cell_size(cell, parent->type) + 1);
    TAILQ_REMOVE(&parent->children, cell, entry);
    cell_free(cell);
    collapse(w, parent);
    layout_apply(w);
}

// --- resizing

static void resize_root(struct layout_cell *root, enum layout_type type, unsigned size)
{
    int change = (int)size - (int)cell_size(root, type);
    int spare = (int)cell_spare(root, type);
    if (change < -spare)
        change = -spare; // the layout stays larger than the window
    if (change != 0)
        cell_adjust(root, type, change);
}

void layout_resize_window(struct window *w, unsigned cols, unsigned rows)
{
    if (w->layout == NULL)
        return;
    resize_root(w->layout, LAYOUT_LEFT_RIGHT, cols);
    resize_root(w->layout, LAYOUT_TOP_BOTTOM, rows);
    layout_apply(w);
}

// Grows `cell` at the cost of those after it, else of those before it. Returns by how much.
static unsigned grow_cell(struct layout_cell *cell, enum layout_type type, unsigned wanted)
{
    struct layout_cell *from = TAILQ_NEXT(cell, entry);
    while (from != NULL && cell_spare(from, type) == 0)
        from = TAILQ_NEXT(from, entry);
    if (from == NULL) {
        from = TAILQ_PREV(cell, layout_cells, entry);
        while (from != NULL && cell_spare(from, type) == 0)
            from = TAILQ_PREV(from, layout_cells, entry);
    }
    if (from == NULL)
        return 0;
    unsigned spare = cell_spare(from, type), size = MIN_OF(spare, wanted);
    cell_adjust(cell, type, (int)size);
    cell_adjust(from, type, -(int)size);
    return size;
}

// Moves the edge after `cell` back: it, or one before it, shrinks and the next one grows.
static unsigned shrink_cell(struct layout_cell *cell, enum layout_type type, unsigned wanted)
{
    struct layout_cell *from = cell, *to = TAILQ_NEXT(cell, entry);
    while (from != NULL && cell_spare(from, type) == 0)
        from = TAILQ_PREV(from, layout_cells, entry);
    if (from == NULL || to == NULL)
        return 0;
    unsigned spare = cell_spare(from, type), size = MIN_OF(spare, wanted);
    cell_adjust(to, type, (int)size);
    cell_adjust(from, type, -(int)size);
    return size;
}

// The nearest cell around p that stands in a row of the given direction.
static struct layout_cell *cell_along(struct pane *p, enum layout_type type)
{
    struct layout_cell *c = p->cell;
    while (c != NULL && c->parent != NULL && c->parent->type != type)
        c = c->parent;
    return c == NULL || c->parent == NULL ? NULL : c;
}

void layout_resize_pane(struct pane *p, enum layout_type type, int change)
{
    struct layout_cell *c = cell_along(p, type);
    if (c == NULL)
        return;
    if (TAILQ_NEXT(c, entry) == NULL) // the last has no edge after it: the one before it has
        c = TAILQ_PREV(c, layout_cells, entry);
    if (c == NULL)
        return;
    while (change != 0) {
        unsigned moved = change > 0 ? grow_cell(c, type, (unsigned)change)
                                    : shrink_cell(c, type, (unsigned)-change);
        if (moved == 0)
            break;
        change += change > 0 ? -(int)moved : (int)moved;
    }
    layout_apply(p->window);
}

void layout_resize_pane_to(struct pane *p, enum layout_type type, unsigned size)
{
    struct layout_cell *c = cell_along(p, type);
    if (c == NULL)
        return;
    int change = (int)MIN_OF(size, 100000u) - (int)cell_size(c, type);
    layout_resize_pane(p, type, TAILQ_NEXT(c, entry) == NULL ? -change : change);
}

// --- the dumped form

static void dump_cell(const struct layout_cell *c, struct strbuf *out)
{
    const struct layout_cell *child;
    strbuf_addf(out, "%ux%u,%u,%u", c->cols, c->rows, c->x, c->y);
    if (c->type == LAYOUT_PANE) {
        if (c->pane != NULL)
            strbuf_addf(out, ",%u", c->pane->id);
        return;
    }
    const char *brackets = c->type == LAYOUT_LEFT_RIGHT ? "{}" : "[]";
    strbuf_add_char(out, brackets[0]);
    TAILQ_FOREACH(child, &c->children, entry) {
        if (child != TAILQ_FIRST(&c->children))
            strbuf_add_char(out, ',');
        dump_cell(child, out);
    }
    strbuf_add_char(out, brackets[1]);
}

char *layout_dump(const struct window *w, const struct layout_cell *root)
{
    struct strbuf text = {0};
    if (root == NULL)
        root = w->layout;
    if (root == NULL)
        return xstrdup("");
    dump_cell(root, &text);
    // A 16-bit sum that is rotated right by one before each byte is added.
    uint16_t sum = 0;
    for (size_t i = 0; i < text.len; i++)
        sum = (uint16_t)((uint16_t)(sum >> 1 | sum << 15) + (uint8_t)text.data[i]);
    char *result = xasprintf("%04x,%s", sum, text.data);
    strbuf_free(&text);
    return result;
}
