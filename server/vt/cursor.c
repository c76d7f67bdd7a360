// Where the cursor goes: movement, margins, tabs, and the scrolling that line feeds bring.
#include "server/vt/state.h"

static bool is_in_side_margins(const struct vt *vt)
{
    return vt->x >= vt->left && vt->x <= vt->right;
}

void vt_cursor_address(struct vt *vt, long row, long col)
{
    unsigned min_x = 0, min_y = 0, max_x = vt->cols - 1, max_y = vt->rows - 1;
    unsigned long x, y;

    if (vt_has_mode(vt, VT_MODE_ORIGIN)) {
        min_x = vt->left;
        max_x = vt->right;
        min_y = vt->top;
        max_y = vt->bottom;
    }
    x = (unsigned long)(col > 0 ? col - 1 : 0) + min_x;
    y = (unsigned long)(row > 0 ? row - 1 : 0) + min_y;
    vt_move_to(vt, (unsigned)MIN_OF(x, (unsigned long)max_x),
               (unsigned)MIN_OF(y, (unsigned long)max_y));
}

void vt_cursor_up(struct vt *vt, unsigned n)
{
    unsigned limit = vt->y >= vt->top ? vt->top : 0;

    vt_move_to(vt, vt->x, vt->y - MIN_OF(n, vt->y - limit));
}

void vt_cursor_down(struct vt *vt, unsigned n)
{
    unsigned limit = vt->y <= vt->bottom ? vt->bottom : vt->rows - 1;

    vt_move_to(vt, vt->x, vt->y + MIN_OF(n, limit - vt->y));
}

void vt_cursor_left(struct vt *vt, unsigned n)
{
    unsigned limit = vt->x >= vt->left ? vt->left : 0;

    vt_move_to(vt, vt->x - MIN_OF(n, vt->x - limit), vt->y);
}

void vt_cursor_right(struct vt *vt, unsigned n)
{
    unsigned limit = vt->x <= vt->right ? vt->right : vt->cols - 1;

    vt_move_to(vt, vt->x + MIN_OF(n, limit - vt->x), vt->y);
}

void vt_carriage_return(struct vt *vt)
{
    vt_move_to(vt, vt->x >= vt->left ? vt->left : 0, vt->y);
}

static void scroll_up(struct vt *vt, unsigned n)
{
    if (vt->left == 0 && vt->right == vt->cols - 1)
        grid_scroll_up(&vt->grid, vt->top, vt->bottom, n, vt->top == 0 && grid_is_main(&vt->grid),
                       vt_blank(vt));
    else
        grid_scroll_rect_up(&vt->grid, vt->top, vt->bottom, vt->left, vt->right, n, vt_blank(vt));
}

static void scroll_down(struct vt *vt, unsigned n)
{
    if (vt->left == 0 && vt->right == vt->cols - 1)
        grid_scroll_down(&vt->grid, vt->top, vt->bottom, n, vt_blank(vt));
    else
        grid_scroll_rect_down(&vt->grid, vt->top, vt->bottom, vt->left, vt->right, n, vt_blank(vt));
}

void vt_line_feed(struct vt *vt)
{
    vt->is_pending = false;
    vt->grid.change++;
    if (vt->y == vt->bottom) {
        if (is_in_side_margins(vt))
            scroll_up(vt, 1);
    } else if (vt->y < vt->rows - 1) {
        vt->y++;
    }
}

void vt_reverse_line_feed(struct vt *vt)
{
    vt->is_pending = false;
    vt->grid.change++;
    if (vt->y == vt->top) {
        if (is_in_side_margins(vt))
            scroll_down(vt, 1);
    } else if (vt->y > 0) {
        vt->y--;
    }
}

void vt_backspace(struct vt *vt)
{
    unsigned limit = vt->x >= vt->left ? vt->left : 0;

    if (vt->x > limit) {
        vt_move_to(vt, vt->x - 1, vt->y);
    } else if (vt_has_private(vt, PRIVATE_REVERSE_WRAP) && vt_has_mode(vt, VT_MODE_WRAP) &&
               vt->y > vt->top && (grid_row(&vt->grid, vt->y - 1)->flags & ROW_WRAPPED)) {
        vt_move_to(vt, vt->right, vt->y - 1);
    }
}

void vt_tab(struct vt *vt, unsigned n)
{
    unsigned limit = vt->x <= vt->right ? vt->right : vt->cols - 1;
    unsigned x = vt->x;

    if (x >= limit)
        return; // a pending wrap stays
    for (; n > 0 && x < limit; n--) {
        do
            x++;
        while (x < limit && !vt->tabs[x]);
    }
    vt_move_to(vt, x, vt->y);
}

void vt_back_tab(struct vt *vt, unsigned n)
{
    unsigned limit = vt_has_mode(vt, VT_MODE_ORIGIN) && vt->x >= vt->left ? vt->left : 0;
    unsigned x = vt->x;

    for (; n > 0 && x > limit; n--) {
        do
            x--;
        while (x > limit && !vt->tabs[x]);
    }
    vt_move_to(vt, x, vt->y);
}

void vt_set_margins(struct vt *vt, long top, long bottom)
{
    if (top <= 0)
        top = 1;
    if (bottom <= 0 || bottom > (long)vt->rows)
        bottom = (long)vt->rows;
    if (top >= bottom && vt->rows > 1)
        return;
    if (top > bottom)
        return;
    vt->top = (unsigned)top - 1;
    vt->bottom = (unsigned)bottom - 1;
    vt_cursor_address(vt, 1, 1);
}

void vt_set_side_margins(struct vt *vt, long left, long right)
{
    if (left <= 0)
        left = 1;
    if (right <= 0 || right > (long)vt->cols)
        right = (long)vt->cols;
    if (left >= right)
        return;
    vt->left = (unsigned)left - 1;
    vt->right = (unsigned)right - 1;
    vt_cursor_address(vt, 1, 1);
}

static bool is_in_margins(const struct vt *vt)
{
    return vt->y >= vt->top && vt->y <= vt->bottom && is_in_side_margins(vt);
}

void vt_scroll_up(struct vt *vt, unsigned n)
{
    scroll_up(vt, MIN_OF(n, vt->rows));
}

void vt_scroll_down(struct vt *vt, unsigned n)
{
    scroll_down(vt, MIN_OF(n, vt->rows));
}

void vt_insert_lines(struct vt *vt, unsigned n)
{
    unsigned top = vt->top;

    if (!is_in_margins(vt))
        return;
    vt->is_pending = false;
    vt->top = vt->y;
    scroll_down(vt, MIN_OF(n, vt->rows));
    vt->top = top;
}

void vt_delete_lines(struct vt *vt, unsigned n)
{
    if (!is_in_margins(vt))
        return;
    vt->is_pending = false;
    // Deleted lines are gone: they never go to history.
    if (vt->left == 0 && vt->right == vt->cols - 1)
        grid_scroll_up(&vt->grid, vt->y, vt->bottom, MIN_OF(n, vt->rows), false, vt_blank(vt));
    else
        grid_scroll_rect_up(&vt->grid, vt->y, vt->bottom, vt->left, vt->right, n, vt_blank(vt));
}

// Columns [from, right margin] of the rows in the region move.
static void shift_columns(struct vt *vt, unsigned from, unsigned n, bool inserts)
{
    unsigned width = vt->right - from + 1;
    struct cell blank = vt_blank(vt);

    n = MIN_OF(n, width);
    for (unsigned y = vt->top; y <= vt->bottom; y++) {
        struct grid_row *row = grid_touch(&vt->grid, y);
        struct cell *cells = &row->cells[from];

        grid_split_wide(&vt->grid, row, from);
        grid_split_wide(&vt->grid, row, inserts ? vt->right + 1 - n : from + n);
        grid_split_wide(&vt->grid, row, vt->right + 1);
        if (inserts)
            memmove(cells + n, cells, (width - n) * sizeof *cells);
        else
            memmove(cells, cells + n, (width - n) * sizeof *cells);
        row->used = MAX_OF(row->used, vt->right + 1);
        grid_fill(row, inserts ? from : vt->right + 1 - n, n, blank);
        row->flags &= ~(unsigned)ROW_WRAPPED;
    }
}

void vt_insert_columns(struct vt *vt, unsigned n)
{
    if (!is_in_margins(vt))
        return;
    vt->is_pending = false;
    shift_columns(vt, vt->x, n, true);
}

void vt_delete_columns(struct vt *vt, unsigned n)
{
    if (!is_in_margins(vt))
        return;
    vt->is_pending = false;
    shift_columns(vt, vt->x, n, false);
}

void vt_column_back(struct vt *vt)
{
    if (vt->x != vt->left)
        vt_cursor_left(vt, 1);
    else if (is_in_margins(vt))
        shift_columns(vt, vt->left, 1, true);
}

void vt_column_forward(struct vt *vt)
{
    if (vt->x != vt->right)
        vt_cursor_right(vt, 1);
    else if (is_in_margins(vt))
        shift_columns(vt, vt->left, 1, false);
}
