// Life of a terminal: making, feeding, resetting, resizing, and its two screens.
#include "server/vt/state.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/protocol.h"
#include "server/vt/parser.h"

static void on_pass(void *arg, const char *data, size_t len);
static void on_string(void *arg, enum gate_string kind, const char *data, size_t len,
                      bool ends_in_bel);

static const struct gate_output gate_output = {on_pass, on_string};

static void on_pass(void *arg, const char *data, size_t len)
{
    struct vt *vt = arg;

    parser_feed(vt->parser, data, len);
}

static void on_string(void *arg, enum gate_string kind, const char *data, size_t len,
                      bool ends_in_bel)
{
    vt_string(arg, kind, data, len, ends_in_bel);
}

void vt_set_mode(struct vt *vt, unsigned mode, bool on)
{
    unsigned before = vt->modes;

    vt->modes = on ? before | mode : before & ~mode;
    if (vt->modes != before)
        vt_tell(vt, vt->callbacks.mode_changed);
}

void vt_reply(struct vt *vt, const void *data, size_t len)
{
    if (vt->callbacks.reply != NULL)
        vt->callbacks.reply(vt->arg, data, len);
}

void vt_replyf(struct vt *vt, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (n > 0 && (size_t)n < sizeof text)
        vt_reply(vt, text, (size_t)n);
}

void vt_lookup_pen(struct vt *vt)
{
    struct style blank = {.bg = vt->pen.style.bg};

    vt->is_pen_dirty = false;
    vt->grid.pen = grid_style(&vt->grid, &vt->pen.style);
    vt->grid.blank = grid_style(&vt->grid, &blank);
    vt->pen_flags = vt->grid.pen | (vt->pen.is_protected ? CELL_PROTECTED : 0u);
}

void vt_set_default_tabs(struct vt *vt, unsigned from)
{
    for (unsigned x = from; x < vt->tabs_cap; x++)
        vt->tabs[x] = x % 8 == 0 && x > 0;
}

static void size_tabs(struct vt *vt)
{
    unsigned before = vt->tabs_cap;

    if (vt->cols <= before)
        return;
    vt->tabs = xrealloc(vt->tabs, vt->cols);
    vt->tabs_cap = vt->cols;
    vt_set_default_tabs(vt, before);
}

// Everything but the screens' text, titles and history.
static void reset_state(struct vt *vt)
{
    vt->x = vt->y = 0;
    vt->is_pending = false;
    vt->top = 0;
    vt->bottom = vt->rows - 1;
    vt->left = 0;
    vt->right = vt->cols - 1;
    memset(&vt->pen, 0, sizeof vt->pen);
    vt->is_pen_dirty = true;
    memset(vt->charsets, 0, sizeof vt->charsets);
    vt->gl = 0;
    vt->single_shift = 0;
    memset(&vt->utf8, 0, sizeof vt->utf8);
    vt->has_cluster = false;
    vt->last_glyph = 0;
    vt->last_cluster_len = 0;
    vt->private = vt->saved_private = vt->saved_modes = 0;
    vt->cursor_shape = CURSOR_DEFAULT;
    vt->key_level = 0;
    memset(vt->saved, 0, sizeof vt->saved);
    vt->saved[0].is_wrap = vt->saved[1].is_wrap = true;
    vt_set_default_tabs(vt, 0);
    vt_set_mode(vt, ~(unsigned)(VT_MODE_WRAP | VT_MODE_ALTERNATE), false);
    vt_set_mode(vt, VT_MODE_WRAP, true);
}

struct vt *vt_new(unsigned cols, unsigned rows, const struct vt_limits *limits,
                  const struct vt_callbacks *callbacks, void *arg)
{
    struct vt *vt = xcalloc(1, sizeof *vt);

    vt->cols = MIN_OF(MAX_OF(cols, 1u), VT_MAX_COLS);
    vt->rows = MIN_OF(MAX_OF(rows, 1u), VT_MAX_ROWS);
    if (limits != NULL)
        vt->limits = *limits;
    grid_init(&vt->grid, vt->cols, vt->rows, vt->limits.history_rows, vt->limits.history_bytes);
    vt->title = xstrdup("");
    vt->icon = xstrdup("");
    vt->default_fg = 0xE5E5E5;
    vt->default_bg = 0x000000;
    size_tabs(vt);
    reset_state(vt);
    vt->gate = gate_new(&gate_output, vt);
    vt->parser = parser_new(vt);
    vt->paste = vt_paste_state_new();
    if (callbacks != NULL)
        vt->callbacks = *callbacks;
    vt->arg = arg;
    return vt;
}

void vt_free(struct vt *vt)
{
    if (vt == NULL)
        return;
    gate_free(vt->gate);
    parser_free(vt->parser);
    free(vt->paste);
    grid_free(&vt->grid);
    for (unsigned i = 0; i < VT_TITLE_STACK_MAX; i++) {
        free(vt->title_stack[i]);
        free(vt->icon_stack[i]);
    }
    free(vt->title);
    free(vt->icon);
    free(vt->terminal_name);
    free(vt->tabs);
    free(vt);
}

void vt_feed(struct vt *vt, const void *data, size_t len)
{
    if (history_needs_reflow(vt->grid.history))
        vt_reflow_step(vt, 0);
    gate_feed(vt->gate, data, len);
}

bool vt_needs_reflow(const struct vt *vt)
{
    return history_needs_reflow(vt->grid.history);
}

void vt_reflow_step(struct vt *vt, int64_t budget_us)
{
    history_reflow_step(vt->grid.history, budget_us);
    vt->grid.change++;
}

void vt_save_cursor(struct vt *vt)
{
    struct saved_cursor *s = &vt->saved[grid_is_main(&vt->grid) ? 0 : 1];

    s->cursor = (struct grid_cursor){vt->x, vt->y, vt->is_pending};
    s->pen = vt->pen;
    memcpy(s->charsets, vt->charsets, sizeof s->charsets);
    s->gl = vt->gl;
    s->is_origin = vt_has_mode(vt, VT_MODE_ORIGIN);
    s->is_wrap = vt_has_mode(vt, VT_MODE_WRAP);
}

void vt_restore_cursor(struct vt *vt)
{
    const struct saved_cursor *s = &vt->saved[grid_is_main(&vt->grid) ? 0 : 1];

    vt->pen = s->pen;
    vt->is_pen_dirty = true;
    memcpy(vt->charsets, s->charsets, sizeof s->charsets);
    vt->gl = s->gl;
    vt_set_mode(vt, VT_MODE_ORIGIN, s->is_origin);
    vt_set_mode(vt, VT_MODE_WRAP, s->is_wrap);
    vt_move_to(vt, MIN_OF(s->cursor.x, vt->cols - 1), MIN_OF(s->cursor.y, vt->rows - 1));
    vt->is_pending = s->cursor.is_pending && vt->x == vt->cols - 1;
}

void vt_show_alternate(struct vt *vt, bool on, bool clears, bool saves_cursor)
{
    struct grid *g = &vt->grid;

    if (vt->refuses_alternate && grid_is_main(g))
        return;
    if (on == !grid_is_main(g)) {
        // Already there: xterm still saves or restores the cursor.
        if (saves_cursor && !on)
            vt_restore_cursor(vt);
        return;
    }
    vt->has_cluster = false;
    if (on) {
        if (saves_cursor)
            vt_save_cursor(vt);
        vt->main_cursor = (struct grid_cursor){vt->x, vt->y, vt->is_pending};
        g->live = &g->screens[GRID_ALTERNATE];
        if (clears) {
            for (unsigned y = 0; y < vt->rows; y++)
                grid_renew_row(g, y, vt_blank(vt));
        }
    } else {
        g->live = &g->screens[GRID_MAIN];
    }
    g->change++;
    vt_set_mode(vt, VT_MODE_ALTERNATE, on);
    if (!on && saves_cursor)
        vt_restore_cursor(vt);
}

void vt_hold_output(struct vt *vt, bool on)
{
    if (on == vt_has_mode(vt, VT_MODE_SYNC))
        return;
    if (on) {
        struct view view;

        vt_view(vt, &view);
        vt->frozen_cursor = view.cursor;
        vt->frozen_top = vt_history_dropped(vt) + vt_history_rows(vt);
        grid_freeze(&vt->grid);
        vt->sync_since_us = clock_monotonic_us();
    } else {
        grid_thaw(&vt->grid);
        vt->sync_since_us = 0;
    }
    vt->grid.change++;
    vt_set_mode(vt, VT_MODE_SYNC, on);
}

int64_t vt_sync_since_us(const struct vt *vt)
{
    return vt->sync_since_us;
}

void vt_sync_release(struct vt *vt)
{
    vt_hold_output(vt, false);
}

void vt_resize(struct vt *vt, unsigned cols, unsigned rows)
{
    struct grid_cursor here = {vt->x, vt->y, vt->is_pending};
    bool is_main = grid_is_main(&vt->grid);
    struct grid_cursor main_cursors[2], alt_cursors[2];

    cols = MIN_OF(MAX_OF(cols, 1u), VT_MAX_COLS);
    rows = MIN_OF(MAX_OF(rows, 1u), VT_MAX_ROWS);
    if (cols == vt->cols && rows == vt->rows)
        return;
    vt_hold_output(vt, false);
    main_cursors[0] = is_main ? here : vt->main_cursor;
    main_cursors[1] = vt->saved[0].cursor;
    alt_cursors[0] = is_main ? (struct grid_cursor){0, 0, false} : here;
    alt_cursors[1] = vt->saved[1].cursor;
    grid_resize(&vt->grid, cols, rows, vt_has_mode(vt, VT_MODE_WRAP), main_cursors, 2, alt_cursors,
                2);
    vt->cols = cols;
    vt->rows = rows;
    here = is_main ? main_cursors[0] : alt_cursors[0];
    vt->main_cursor = main_cursors[0];
    vt->saved[0].cursor = main_cursors[1];
    vt->saved[1].cursor = alt_cursors[1];
    vt->x = here.x;
    vt->y = here.y;
    vt->is_pending = here.is_pending;
    vt->has_cluster = false;
    vt->top = 0; // as tmux and xterm: a new size drops the region
    vt->bottom = rows - 1;
    vt->left = 0;
    vt->right = cols - 1;
    size_tabs(vt);
}

void vt_set_pixel_size(struct vt *vt, unsigned xpixel, unsigned ypixel)
{
    vt->xpixel = xpixel;
    vt->ypixel = ypixel;
}

void vt_set_history(struct vt *vt, const struct vt_limits *limits)
{
    vt->limits = *limits;
    history_set_limits(vt->grid.history, limits->history_rows, limits->history_bytes);
    vt->grid.change++;
}

void vt_set_alternate(struct vt *vt, bool is_allowed)
{
    vt->refuses_alternate = !is_allowed;
}

void vt_set_default_colours(struct vt *vt, uint32_t fg, uint32_t bg)
{
    vt->default_fg = fg & 0xFFFFFF;
    vt->default_bg = bg & 0xFFFFFF;
}

void vt_set_terminal_name(struct vt *vt, const char *name_and_version)
{
    free(vt->terminal_name);
    vt->terminal_name = vt_clean_text(name_and_version, strlen(name_and_version), 100);
}

void vt_reset(struct vt *vt)
{
    vt_hold_output(vt, false);
    vt_show_alternate(vt, false, false, false);
    reset_state(vt);
    if (vt->grid.palette.is_used) {
        memset(&vt->grid.palette, 0, sizeof vt->grid.palette);
        grid_palette_changed(&vt->grid);
        vt_tell(vt, vt->callbacks.palette_changed);
    }
    vt_erase_display(vt, 2, false);
}

// DECSTR, and with it the modes that a program which died may have left.
void vt_soft_reset(struct vt *vt)
{
    unsigned kept = VT_MODE_ALTERNATE | VT_MODE_SYNC;

    vt->top = 0;
    vt->bottom = vt->rows - 1;
    vt->left = 0;
    vt->right = vt->cols - 1;
    vt->is_pending = false;
    memset(&vt->pen, 0, sizeof vt->pen);
    vt->is_pen_dirty = true;
    memset(vt->charsets, 0, sizeof vt->charsets);
    vt->gl = 0;
    vt->single_shift = 0;
    vt->private = 0;
    vt->cursor_shape = CURSOR_DEFAULT;
    vt->key_level = 0;
    memset(&vt->saved[grid_is_main(&vt->grid) ? 0 : 1], 0, sizeof vt->saved[0]);
    vt->saved[grid_is_main(&vt->grid) ? 0 : 1].is_wrap = true;
    vt_set_mode(vt, ~(kept | VT_MODE_WRAP), false);
    vt_set_mode(vt, VT_MODE_WRAP, true);
    vt->grid.change++;
}

void vt_clear_history(struct vt *vt)
{
    history_clear(vt->grid.history);
    vt->grid.change++;
}

unsigned vt_cols(const struct vt *vt)
{
    return vt->cols;
}

unsigned vt_rows(const struct vt *vt)
{
    return vt->rows;
}

unsigned vt_modes(const struct vt *vt)
{
    return vt->modes;
}

const char *vt_title(const struct vt *vt)
{
    return vt->title;
}

bool vt_is_wrap_pending(const struct vt *vt)
{
    return vt->is_pending;
}

unsigned vt_region_top(const struct vt *vt)
{
    return vt->top;
}

unsigned vt_region_bottom(const struct vt *vt)
{
    return vt->bottom;
}

char *vt_tabs(const struct vt *vt)
{
    struct strbuf out = {0};

    for (unsigned x = 0; x < vt->cols; x++) {
        if (vt->tabs[x])
            strbuf_addf(&out, "%s%u", out.len > 0 ? "," : "", x);
    }
    return strbuf_take(&out);
}
