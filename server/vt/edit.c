// Erasing, and inserting and deleting of characters.
#include "server/vt/state.h"

// Erases columns [from, to) of row y. Protected cells stay if `selective`.
static void erase_cells(struct vt *vt, unsigned y, unsigned from, unsigned to, bool selective)
{
    struct cell blank = vt_blank(vt);
    struct grid_row *row;

    if (from >= to)
        return;
    row = grid_touch(&vt->grid, y);
    grid_split_wide(&vt->grid, row, from);
    grid_split_wide(&vt->grid, row, to);
    if (!selective) {
        grid_fill(row, from, to - from, blank);
    } else {
        to = MIN_OF(to, row->used);
        for (unsigned x = from; x < to; x++) {
            if (!(row->cells[x].style_flags & CELL_PROTECTED)) {
                row->cells[x].glyph = 0;
                row->cells[x].style_flags &= CELL_STYLE_MASK;
            }
        }
    }
    if (to == vt->cols)
        row->flags &= ~(unsigned)ROW_WRAPPED;
}

static void erase_rows(struct vt *vt, unsigned from, unsigned to, bool selective)
{
    for (unsigned y = from; y < to; y++) {
        if (selective)
            erase_cells(vt, y, 0, vt->cols, true);
        else
            grid_clear_row(&vt->grid, grid_row(&vt->grid, y), vt_blank(vt));
    }
}

// Clearing the whole main screen keeps what stood there: down to its last used row it goes to
// history, as tmux does it with its scroll-on-clear.
static void clear_into_history(struct vt *vt)
{
    unsigned n = vt->rows;

    while (n > 0 && grid_row(&vt->grid, n - 1)->used == 0)
        n--;
    if (n > 0)
        grid_scroll_up(&vt->grid, 0, vt->rows - 1, n, true, vt_blank(vt));
    erase_rows(vt, 0, vt->rows - n, false);
}

void vt_erase_display(struct vt *vt, int how, bool selective)
{
    bool keeps = grid_is_main(&vt->grid) && vt->limits.history_rows > 0 && !selective;

    vt->grid.change++;
    switch (how) {
    case 0:
        if (keeps && vt->x == 0 && vt->y == 0 && !vt->is_pending) {
            clear_into_history(vt);
            break;
        }
        vt_erase_line(vt, 0, selective);
        erase_rows(vt, vt->y + 1, vt->rows, selective);
        break;
    case 1:
        erase_rows(vt, 0, vt->y, selective);
        vt_erase_line(vt, 1, selective);
        break;
    case 2:
        if (keeps)
            clear_into_history(vt);
        else
            erase_rows(vt, 0, vt->rows, selective);
        break;
    case 3:
        if (!selective)
            vt_clear_history(vt);
        break;
    default:
        break;
    }
}

void vt_erase_line(struct vt *vt, int how, bool selective)
{
    switch (how) {
    case 0:
        // With a wrap pending the cursor is behind the last column: what stands there stays.
        if (!vt->is_pending)
            erase_cells(vt, vt->y, vt->x, vt->cols, selective);
        break;
    case 1:
        erase_cells(vt, vt->y, 0, vt->x + 1, selective);
        break;
    case 2:
        erase_cells(vt, vt->y, 0, vt->cols, selective);
        break;
    default:
        break;
    }
}

void vt_erase_chars(struct vt *vt, unsigned n)
{
    unsigned to = vt->x + MIN_OF(n, vt->cols - vt->x);

    vt->is_pending = false;
    erase_cells(vt, vt->y, vt->x, to, false);
}

static unsigned row_end(const struct vt *vt)
{
    return vt->right + 1;
}

void vt_open_gap(struct vt *vt, unsigned n)
{
    unsigned end = row_end(vt), width;
    struct cell blank = vt_blank(vt);
    struct grid_row *row;

    if (vt->x < vt->left || vt->x >= end)
        return;
    width = end - vt->x;
    n = MIN_OF(n, width);
    row = grid_touch(&vt->grid, vt->y);
    grid_split_wide(&vt->grid, row, vt->x);
    grid_split_wide(&vt->grid, row, end - n);
    grid_split_wide(&vt->grid, row, end);
    memmove(&row->cells[vt->x + n], &row->cells[vt->x], (width - n) * sizeof row->cells[0]);
    row->used = MAX_OF(row->used, MIN_OF(row->used + n, end));
    if (row->used < vt->x)
        row->used = vt->x;
    grid_fill(row, vt->x, n, blank);
}

void vt_insert_chars(struct vt *vt, unsigned n)
{
    vt->is_pending = false;
    vt_open_gap(vt, n);
}

void vt_delete_chars(struct vt *vt, unsigned n)
{
    unsigned end = row_end(vt), width;
    struct cell blank = vt_blank(vt);
    struct grid_row *row;

    vt->is_pending = false;
    if (vt->x < vt->left || vt->x >= end)
        return;
    width = end - vt->x;
    n = MIN_OF(n, width);
    row = grid_touch(&vt->grid, vt->y);
    grid_split_wide(&vt->grid, row, vt->x);
    grid_split_wide(&vt->grid, row, vt->x + n);
    grid_split_wide(&vt->grid, row, end);
    memmove(&row->cells[vt->x], &row->cells[vt->x + n], (width - n) * sizeof row->cells[0]);
    grid_fill(row, end - n, n, blank);
    row->flags &= ~(unsigned)ROW_WRAPPED;
}

void vt_alignment_test(struct vt *vt)
{
    vt->top = 0;
    vt->bottom = vt->rows - 1;
    vt->left = 0;
    vt->right = vt->cols - 1;
    for (unsigned y = 0; y < vt->rows; y++) {
        struct grid_row *row = grid_touch(&vt->grid, y);

        grid_fill(row, 0, vt->cols, (struct cell){'E', 0});
        row->flags = 0;
    }
    vt_move_to(vt, 0, 0);
}
