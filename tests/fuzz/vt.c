// Fuzz target of the terminal: any bytes, cut anywhere, with sizes changing between them. What must
// hold at all times is checked after every piece.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/vt/state.h"
#include "tests/fuzz/vt.h"

#define MUST(what)                                                                                 \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #what);                   \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static void check_row(const struct vt *vt, const struct grid_row *row)
{
    MUST(row->used <= vt->cols);
    for (unsigned x = 0; x < vt->cols; x++) {
        const struct cell *c = &row->cells[x];
        bool is_tail = (c->style_flags & CELL_WIDE_TAIL) != 0;

        if (x >= row->used)
            MUST(c->glyph == 0 && c->style_flags == 0);
        MUST(cell_style_index(c) < vt->grid.styles.n);
        if (c->style_flags & CELL_WIDE)
            MUST(x + 1 < vt->cols && (c[1].style_flags & CELL_WIDE_TAIL));
        if (is_tail)
            MUST(x > 0 && (c[-1].style_flags & CELL_WIDE) && c->glyph == 0);
        if (c->glyph & GLYPH_CLUSTER)
            MUST((c->glyph & ~GLYPH_CLUSTER) < vt->grid.clusters.n &&
                 vt->grid.clusters.items[c->glyph & ~GLYPH_CLUSTER] != NULL);
    }
}

static void check(const struct vt *vt)
{
    const struct grid *g = &vt->grid;

    MUST(vt->x < vt->cols && vt->y < vt->rows && vt->cols == g->cols && vt->rows == g->rows);
    MUST(vt->top <= vt->bottom && vt->bottom < vt->rows);
    MUST(vt->left <= vt->right && vt->right < vt->cols);
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned y = 0; y < vt->rows; y++)
            check_row(vt, grid_screen_row(g, &g->screens[i], y));
    }
}

static void read_all(const struct vt *vt)
{
    struct strbuf out = {0};
    struct row_reader r;
    struct row_cell c;
    struct view v;

    vt_view(vt, &v);
    MUST(v.cursor.x < v.cols && v.cursor.y < v.rows);
    for (unsigned y = 0; y < v.rows; y++) {
        strbuf_clear(&out);
        v.ops->pack(&v, y, &out);
        MUST(row_reader_init(&r, out.data, out.len));
        while (row_reader_next(&r, &c))
            ;
        MUST(r.cols == 0);
    }
    strbuf_clear(&out);
    vt_capture(vt, 0, vt_history_rows(vt) + vt_rows(vt) - 1, VT_CAPTURE_STYLES | VT_CAPTURE_JOIN,
               &out);
    strbuf_free(&out);
}

static void on_text(void *arg, const char *text)
{
    (void)arg;
    MUST(utf8_is_valid(text, strlen(text)));
    for (; *text != '\0'; text++)
        MUST((uint8_t)*text >= 0x20 && *text != 0x7f);
}

static void on_reply(void *arg, const void *data, size_t len)
{
    (void)arg;
    MUST(len > 0 && data != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct vt_callbacks callbacks = {
        .reply = on_reply,
        .title = on_text,
        .icon = on_text,
        .rename = on_text,
        .cwd = on_text,
    };
    struct vt_limits limits = {200, 20000};
    struct vt *vt;
    size_t from = 2;

    if (size < 3)
        return 0;
    vt = vt_new(1 + data[0] % 40, 1 + data[1] % 12, &limits, &callbacks, NULL);
    for (size_t i = 2; i <= size; i++) {
        // 0xff is in no UTF-8: it ends a piece and the byte after it says what comes between.
        if (i < size && data[i] != 0xff)
            continue;
        vt_feed(vt, data + from, i - from);
        check(vt);
        if (i + 1 >= size)
            break;
        from = i + 2;
        switch (data[i + 1] % 8) {
        case 0:
            if (i + 3 < size) {
                vt_resize(vt, 1 + data[i + 2] % 40, 1 + data[i + 3] % 12);
                from += 2;
            }
            break;
        case 1:
            read_all(vt);
            break;
        case 2:
            vt_sync_release(vt);
            break;
        case 3:
            vt_soft_reset(vt);
            break;
        case 4:
            vt_resize(vt, 1, 1);
            check(vt);
            vt_resize(vt, 20, 5);
            break;
        default:
            break; // only the cut
        }
        check(vt);
        i = from - 1;
    }
    read_all(vt);
    vt_free(vt);
    return 0;
}
