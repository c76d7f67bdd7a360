// The server's picture as cells: scenes, rows and scrolls applied as they come.
#include "config.h"

#include "client/screen.h"

#include <stdlib.h>
#include <string.h>

#include "common/row.h"
#include "common/style.h"
#include "common/utf8.h"
#include "common/util.h"

// Bounds on what a server can make this process keep.
#define PANES_MAX_CELLS (16u << 20) // of all panes
#define PANES_MAX 4096u
#define SCROLLS_MAX 64u
#define STATUS_LINES_MAX 8u

void screen_init(struct screen *s, const struct text_tables *texts)
{
    memset(s, 0, sizeof *s);
    s->texts = texts;
}

void screen_free(struct screen *s)
{
    for (size_t i = 0; i < s->n_panes; i++)
        free(s->panes[i].cells);
    free(s->panes);
    free(s->scrolls);
    strv_free(s->status);
    free(s->notice);
    free(s->prompt);
    memset(s, 0, sizeof *s);
}

static struct screen_pane *pane_find(struct screen *s, uint32_t id)
{
    for (size_t i = 0; i < s->n_panes; i++) {
        if (s->panes[i].id == id)
            return &s->panes[i];
    }
    return NULL;
}

const struct screen_pane *screen_pane_find(const struct screen *s, uint32_t id)
{
    for (size_t i = 0; i < s->n_panes; i++) {
        if (s->panes[i].id == id)
            return &s->panes[i];
    }
    return NULL;
}

static struct style style_of(const char *words)
{
    static const struct style plain;
    struct style s = plain;
    style_parse(&s, &plain, words);
    return s;
}

static void apply_scene(struct screen *s, const struct msg_SCENE *m)
{
    s->has_scene = true;
    s->cols = m->cols;
    s->rows = m->rows;
    s->offset_x = m->offset_x;
    s->offset_y = m->offset_y;
    s->view_y = m->view_y;
    s->view_rows = m->view_rows;
    s->active = m->active;
    for (size_t i = 0; i < s->n_panes; i++)
        s->panes[i].is_named = false;
}

static void apply_pane(struct screen *s, const struct msg_PANE *m)
{
    struct screen_pane *p = pane_find(s, m->pane);
    size_t cells = (size_t)m->cols * m->rows;
    if (cells == 0)
        return;
    for (size_t i = 0; i < s->n_panes; i++)
        cells += &s->panes[i] == p ? 0 : (size_t)s->panes[i].cols * s->panes[i].rows;
    if (cells > PANES_MAX_CELLS)
        return;
    if (p == NULL) {
        if (s->n_panes >= PANES_MAX)
            return;
        s->panes = xreallocarray(s->panes, s->n_panes + 1, sizeof *s->panes);
        p = &s->panes[s->n_panes++];
        memset(p, 0, sizeof *p);
        p->id = m->pane;
    }
    if (p->cols != m->cols || p->rows != m->rows) {
        free(p->cells);
        p->cols = m->cols;
        p->rows = m->rows;
        p->cells = xcalloc((size_t)p->cols * p->rows, sizeof *p->cells);
    }
    p->x = m->x;
    p->y = m->y;
    p->flags = m->flags;
    p->border_style = style_of(m->border_style);
    p->is_named = true;
}

static void apply_row(struct screen *s, const struct msg_ROW *m)
{
    struct screen_pane *p = pane_find(s, m->pane);
    struct row_reader r;
    struct row_cell cell;
    static const struct style plain;

    if (p == NULL || m->y >= p->rows || !row_reader_init(&r, m->row.data, m->row.len))
        return;
    struct draw_cell *row = p->cells + (size_t)m->y * p->cols;
    unsigned x = 0;
    while (x < p->cols && row_reader_next(&r, &cell)) {
        struct style style = style_for_drawing(&cell.style);
        style.link = 0;
        if (cell.link != NULL && cell.link_len > 0) {
            bool is_clean = utf8_is_valid(cell.link, cell.link_len);
            for (size_t i = 0; i < cell.link_len; i++)
                is_clean = is_clean && (uint8_t)cell.link[i] >= 0x20 && cell.link[i] != 0x7f;
            if (is_clean)
                style.link = (uint16_t)texts_number(s->texts->links, cell.link, cell.link_len);
        }
        uint32_t glyph = 0;
        unsigned width = 1;
        if (cell.text_len == 1 && (uint8_t)cell.text[0] < 0x80)
            glyph = (uint8_t)cell.text[0] >= 0x20 && cell.text[0] != 0x7f ? (uint8_t)cell.text[0] : 0;
        else if (cell.text_len > 0)
            glyph_next(cell.text, cell.text_len, s->texts->clusters, &glyph, &width);
        // The server's opinion of the width is the one that counts.
        width = cell.is_wide ? 2 : 1;
        cells_put(row, p->cols, x, glyph, width, &style);
        x += width;
    }
    cells_blank(row, p->cols, x, p->cols, &plain);
}

static void apply_scroll(struct screen *s, const struct msg_SCROLL *m)
{
    struct screen_pane *p = pane_find(s, m->pane);
    if (p == NULL || m->top > m->bottom || m->bottom >= p->rows || m->lines == 0)
        return;
    unsigned height = m->bottom - m->top + 1u;
    unsigned n = m->lines > 0 ? (unsigned)m->lines : 0u - (unsigned)m->lines;
    n = MIN_OF(n, height);
    struct draw_cell *top = p->cells + (size_t)m->top * p->cols;
    size_t moved = (size_t)(height - n) * p->cols, freed = (size_t)n * p->cols;
    if (m->lines > 0) {
        memmove(top, top + freed, moved * sizeof *top);
        memset(top + moved, 0, freed * sizeof *top);
    } else {
        memmove(top + freed, top, moved * sizeof *top);
        memset(top, 0, freed * sizeof *top);
    }
    // A hint for drawing only: beyond some it is cheaper to draw anew.
    if (s->n_scrolls < SCROLLS_MAX) {
        s->scrolls = xreallocarray(s->scrolls, s->n_scrolls + 1, sizeof *s->scrolls);
        s->scrolls[s->n_scrolls++] = (struct screen_scroll){m->pane, m->top, m->bottom, m->lines};
    }
}

static void apply_status(struct screen *s, const struct msg_STATUS *m)
{
    unsigned n = 0;
    while (m->lines[n] != NULL && n < STATUS_LINES_MAX)
        n++;
    strv_free(s->status);
    s->status = strv_copy((char *const *)m->lines, n);
    s->n_status = n;
    s->is_status_at_top = m->at_top != 0;
    s->status_style = style_of(m->style);
}

void screen_set_notice(struct screen *s, const char *text, uint32_t duration_ms,
                       const char *style, int64_t now_us)
{
    free(s->notice);
    s->notice = xstrdup(text);
    s->notice_style = style_of(style);
    s->notice_until_us = duration_ms > 0 ? now_us + (int64_t)duration_ms * 1000 : 0;
    s->has_changed = true;
}

void screen_clear_notice(struct screen *s)
{
    s->has_changed = s->has_changed || s->notice != NULL;
    free(s->notice);
    s->notice = NULL;
    s->notice_until_us = 0;
}

static void apply_frame_end(struct screen *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->n_panes; i++) {
        if (s->panes[i].is_named)
            s->panes[kept++] = s->panes[i];
        else
            free(s->panes[i].cells);
    }
    s->n_panes = kept;
    s->in_frame = false;
    s->has_changed = true;
}

bool screen_apply(struct screen *s, const struct message *m, int64_t now_us)
{
    switch ((int)m->type) {
    case MSG_SCENE:
        apply_scene(s, &m->u.SCENE);
        s->in_frame = true;
        return true;
    case MSG_PANE:
        apply_pane(s, &m->u.PANE);
        s->in_frame = true;
        return true;
    case MSG_ROW:
        apply_row(s, &m->u.ROW);
        s->in_frame = true;
        return true;
    case MSG_SCROLL:
        apply_scroll(s, &m->u.SCROLL);
        s->in_frame = true;
        return true;
    case MSG_CURSOR:
        s->cursor_pane = m->u.CURSOR.pane;
        s->cursor_x = m->u.CURSOR.x;
        s->cursor_y = m->u.CURSOR.y;
        s->is_cursor_visible = m->u.CURSOR.is_visible != 0;
        s->cursor_shape = m->u.CURSOR.shape <= CURSOR_BAR ? m->u.CURSOR.shape : CURSOR_DEFAULT;
        s->cursor_colour = m->u.CURSOR.colour;
        s->in_frame = true;
        return true;
    case MSG_MODES:
        s->modes = m->u.MODES.flags;
        return true;
    case MSG_STATUS:
        apply_status(s, &m->u.STATUS);
        s->has_changed = true;
        return true;
    case MSG_NOTICE:
        screen_set_notice(s, m->u.NOTICE.text, m->u.NOTICE.duration_ms, m->u.NOTICE.style, now_us);
        return true;
    case MSG_CLEAR_NOTICE:
        screen_clear_notice(s);
        return true;
    case MSG_PROMPT:
        free(s->prompt);
        s->prompt = m->u.PROMPT.is_on ? xstrdup(m->u.PROMPT.text) : NULL;
        s->prompt_style = style_of(m->u.PROMPT.style);
        s->prompt_cursor = m->u.PROMPT.cursor_col;
        s->has_changed = true;
        return true;
    case MSG_FRAME_END:
        apply_frame_end(s);
        return true;
    }
    return false;
}

void screen_drawn(struct screen *s)
{
    s->has_changed = false;
    s->n_scrolls = 0;
}

void cells_mark_texts(const struct draw_cell *cells, size_t n, const struct text_tables *texts)
{
    for (size_t i = 0; i < n; i++) {
        if (cells[i].glyph & GLYPH_CLUSTER)
            texts_mark(texts->clusters, cells[i].glyph & ~GLYPH_CLUSTER);
        if (cells[i].style.link != 0)
            texts_mark(texts->links, cells[i].style.link);
    }
}

void screen_mark_texts(const struct screen *s)
{
    for (size_t i = 0; i < s->n_panes; i++)
        cells_mark_texts(s->panes[i].cells, (size_t)s->panes[i].cols * s->panes[i].rows, s->texts);
}
