// What others see of a terminal: the view for clients, and history and screen as one list of rows.
#include "server/vt/state.h"

static struct row_tag live_tag(const struct view *v, unsigned y)
{
    const struct vt *vt = v->arg;
    const struct grid_row *row = grid_row(&vt->grid, MIN_OF(y, vt->rows - 1));

    return (struct row_tag){row->id, row->gen};
}

// Packing uses the grid's packer, so it takes the grid as not const; what it holds stays the same.
static void pack_row(const struct vt *vt, const struct grid_row *row, struct strbuf *out)
{
    grid_pack((struct grid *)&vt->grid, row, out);
}

static void live_pack(const struct view *v, unsigned y, struct strbuf *out)
{
    const struct vt *vt = v->arg;

    pack_row(vt, grid_row(&vt->grid, MIN_OF(y, vt->rows - 1)), out);
}

static struct row_tag frozen_tag(const struct view *v, unsigned y)
{
    const struct vt *vt = v->arg;
    const struct grid_frozen *f = &vt->grid.frozen;

    return (struct row_tag){f->rows[MIN_OF(y, f->n_rows - 1)]->id,
                            f->rows[MIN_OF(y, f->n_rows - 1)]->gen};
}

static void frozen_pack(const struct view *v, unsigned y, struct strbuf *out)
{
    const struct vt *vt = v->arg;
    const struct grid_frozen *f = &vt->grid.frozen;

    pack_row(vt, f->rows[MIN_OF(y, f->n_rows - 1)], out);
}

static const struct view_ops live_ops = {live_tag, live_pack};
static const struct view_ops frozen_ops = {frozen_tag, frozen_pack};

void vt_view(const struct vt *vt, struct view *out)
{
    const struct palette *p = &vt->grid.palette;

    memset(out, 0, sizeof *out);
    out->arg = vt;
    if (vt->grid.frozen.n_rows > 0) {
        out->cols = vt->grid.frozen.cols;
        out->rows = vt->grid.frozen.n_rows;
        out->cursor = vt->frozen_cursor;
        out->ops = &frozen_ops;
        return;
    }
    out->cols = vt->cols;
    out->rows = vt->rows;
    out->cursor.x = vt->x;
    out->cursor.y = vt->y;
    out->cursor.is_visible = !vt_has_private(vt, PRIVATE_CURSOR_HIDDEN);
    out->cursor.shape = vt->cursor_shape;
    out->cursor.colour = p->has_cursor ? p->cursor | 1u << 24 : 0;
    out->ops = &live_ops;
}

uint64_t vt_change_count(const struct vt *vt)
{
    return vt->grid.change;
}

unsigned vt_history_rows(const struct vt *vt)
{
    return history_rows(vt->grid.history);
}

size_t vt_history_bytes(const struct vt *vt)
{
    return history_bytes(vt->grid.history);
}

uint64_t vt_history_dropped(const struct vt *vt)
{
    return history_dropped(vt->grid.history);
}

bool vt_row_pack(const struct vt *vt, unsigned n, struct strbuf *out)
{
    unsigned in_history = vt_history_rows(vt);

    if (n < in_history) {
        size_t len;
        const void *data = history_get(vt->grid.history, n, &len, NULL);

        strbuf_add(out, data, len);
        return true;
    }
    n -= in_history;
    if (n >= vt->rows)
        return false;
    pack_row(vt, grid_row(&vt->grid, n), out);
    return true;
}

struct row_tag vt_row_tag(const struct vt *vt, unsigned n)
{
    unsigned in_history = vt_history_rows(vt);
    struct row_tag tag = {0};

    if (n < in_history) {
        size_t len;

        history_get(vt->grid.history, n, &len, &tag);
    } else if (n - in_history < vt->rows) {
        const struct grid_row *row = grid_row(&vt->grid, n - in_history);

        tag = (struct row_tag){row->id, row->gen};
    }
    return tag;
}

bool vt_saved_row_pack(const struct vt *vt, unsigned y, struct strbuf *out)
{
    if (grid_is_main(&vt->grid) || y >= vt->rows)
        return false;
    pack_row(vt, grid_screen_row(&vt->grid, &vt->grid.screens[GRID_MAIN], y), out);
    return true;
}
