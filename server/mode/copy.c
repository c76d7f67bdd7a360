// Copy mode: entering, leaving, size, mouse and the values that formats show.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/jobs.h"
#include "server/command/command.h"
#include "server/mode/copy.h"
#include "server/model/client.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/push/push.h"
#include "server/server.h"
#include "server/vt/vt.h"

#define WHEEL_ROWS     5u
#define DRAG_SCROLL_US 50000 // between rows while the pointer is held at an edge

void copy_changed(struct copy *c)
{
    if (c->pane->mode == c->entry)
        mode_changed(c->pane);
}

bool copy_uses_vi(const struct copy *c)
{
    return options_number(c->pane->window->options, "mode-keys") == 1;
}

struct options *copy_session_options(const struct copy *c)
{
    const struct winlink *wl = TAILQ_FIRST(&c->pane->window->winlinks);
    return wl != NULL ? wl->session->options : server_session_options();
}

const char *copy_separators(const struct copy *c)
{
    return options_string(copy_session_options(c), "word-separators");
}

struct copy *copy_new(struct pane_mode_entry *e, struct vt *vt, bool owns_vt)
{
    struct copy *c = xcalloc(1, sizeof *c);
    c->pane = e->pane;
    c->entry = e;
    c->vt = vt;
    c->owns_vt = owns_vt;
    c->cols = MAX_OF(vt_cols(vt), 1);
    c->rows = MAX_OF(vt_rows(vt), 1);
    if (!owns_vt && e->pane->vt != vt) {
        // Another pane's rows in this one (-s).
        c->cols = MAX_OF(e->pane->cols, 1);
        c->rows = MAX_OF(e->pane->rows, 1);
    }
    c->packer = row_packer_new();
    // Modes that follow each other in a pane must not have the same tags.
    static uint32_t last_serial;
    c->serial = (last_serial += 1u << 12) & 0x7fffffffu;
    copy_snapshot(c);
    e->data = c;
    return c;
}

void copy_free(struct copy *c)
{
    job_remove(c->drag_job);
    copy_search_free(c);
    copy_take_free(c);
    copy_pending_free(c);
    copy_rows_free(c);
    row_packer_free(c->packer);
    if (c->owns_vt)
        vt_free(c->vt);
    free(c);
}

static bool enter(struct pane_mode_entry *e, const struct args *args, char **cause)
{
    struct pane *source = e->pane;
    if (args != NULL && args_has(args, 's')) {
        struct target target, current;
        target_from_pane(&current, e->pane);
        if (!target_find(&target, &current, NULL, args_get(args, 's'), TARGET_PANE, 0, cause))
            return false;
        source = target.pane;
    }
    if (source->vt == NULL) {
        *cause = xstrdup("pane has no screen");
        return false;
    }
    struct vt *vt = source->vt;
    bool is_own = false;
    if (source != e->pane) {
        // The other pane may go before this mode does: its text is taken over.
        struct vt_limits limits = {vt_history_rows(vt), vt_history_bytes(vt) + (1u << 20)};
        struct strbuf text = {0};
        vt_capture(vt, 0, vt_history_rows(vt) + vt_rows(vt) - 1, VT_CAPTURE_STYLES, &text);
        vt = vt_new(MAX_OF(e->pane->cols, 1), MAX_OF(e->pane->rows, 1), &limits, NULL, NULL);
        while (text.len > 0 && text.data[text.len - 1] == '\n')
            text.len--;
        for (size_t i = 0; i < text.len;) {
            const char *nl = memchr(text.data + i, '\n', text.len - i);
            size_t end = nl == NULL ? text.len : (size_t)(nl - text.data);
            vt_feed(vt, text.data + i, end - i);
            if (nl != NULL)
                vt_feed(vt, "\r\n", 2);
            i = end + 1;
        }
        strbuf_free(&text);
        is_own = true;
    }
    struct view view;
    vt_view(vt, &view);
    struct copy *c = copy_new(e, vt, is_own);
    c->cx = MIN_OF(view.cursor.x, c->cols - 1);
    c->cy = MIN_OF(view.cursor.y, c->rows - 1);
    if (args != NULL) {
        c->exits_at_bottom = args_has(args, 'e');
        c->hides_position = args_has(args, 'H');
    }
    return true;
}

void copy_mode_leave(struct pane_mode_entry *e)
{
    copy_free(e->data);
    e->data = NULL;
}

void copy_mode_resize(struct pane_mode_entry *e, unsigned cols, unsigned rows)
{
    struct copy *c = e->data;
    cols = MAX_OF(cols, 1);
    rows = MAX_OF(rows, 1);
    if (cols == c->cols && rows == c->rows)
        return;
    copy_search_stop(c);
    copy_take_free(c);
    copy_pending_free(c);
    copy_rows_resize(c, cols, rows);
    copy_changed(c);
}

void copy_mode_view(const struct pane_mode_entry *e, struct view *out)
{
    struct copy *c = e->data;
    copy_freshen(c);
    copy_fill_view(c, out);
}

const char *copy_mode_key_table(const struct pane_mode_entry *e)
{
    return copy_uses_vi(e->data) ? "copy-mode-vi" : "copy-mode";
}

// --- Mouse

static struct copy_pos pointed(struct copy *c, unsigned x, unsigned y)
{
    struct copy_pos at = {MIN_OF(x, c->cols - 1), copy_top(c) + MIN_OF(y, c->rows - 1)};
    if (!c->is_rectangle)
        at.x = MIN_OF(at.x, copy_length(c, at.row));
    const struct copy_line *l = copy_line(c, at.row);
    while (at.x > 0 && at.x < l->cols && l->cells[at.x].width == 0)
        at.x--;
    return at;
}

static struct due drag_due(const void *state, int64_t now_us)
{
    const struct copy *c = state;
    (void)now_us;
    return c->is_dragging && c->drag_scroll != 0 ? due_at(c->drag_due_us) : due_never();
}

static void drag_run(void *state)
{
    struct copy *c = state;
    unsigned oy = c->oy;
    if (c->drag_scroll < 0)
        copy_up(c, false);
    else
        copy_down(c, false);
    c->drag_due_us = clock_monotonic_us() + DRAG_SCROLL_US;
    if (c->oy == oy)
        c->drag_scroll = 0; // nothing more that way
    copy_changed(c);
}

static const struct job_spec drag_job = {"copy drag", drag_due, drag_run};

void copy_drag_end(struct copy *c)
{
    c->is_dragging = false;
    c->drag_scroll = 0;
    c->has_pressed = false;
}

static void drag_to(struct copy *c, struct client *cl, unsigned x, unsigned y)
{
    if (!c->is_dragging) {
        // The selection begins where the button went down, though a binding took that event.
        unsigned px, py;
        if (!c->has_pressed && cl != NULL &&
            frame_pane_at(cl, cl->last_click_x, cl->last_click_y, &px, &py) == c->pane) {
            c->pressed = pointed(c, px, py);
            c->has_pressed = true;
        }
        if (c->has_pressed)
            copy_go(c, c->pressed);
        else
            copy_go(c, pointed(c, x, y));
        if (!c->has_selection || c->unit == COPY_BY_CHARACTER)
            copy_begin_selection(c, COPY_BY_CHARACTER);
        c->is_dragging = true;
    }
    copy_go(c, pointed(c, x, y));
    int way = c->rows < 2 ? 0 : y == 0 ? -1 : y + 1 >= c->rows ? 1 : 0;
    if (way != c->drag_scroll) {
        c->drag_scroll = way;
        c->drag_due_us = clock_monotonic_us() + DRAG_SCROLL_US;
        if (way != 0) {
            if (c->drag_job == NULL)
                c->drag_job = job_add(server_jobs(), &drag_job, c);
            job_ask(c->drag_job);
        }
    }
}

void copy_mode_mouse(struct pane_mode_entry *e, struct client *cl, const struct msg_MOUSE *m,
                     unsigned x, unsigned y)
{
    struct copy *c = e->data;
    copy_freshen(c);
    if (copy_is_taking(c) || copy_is_searching(c))
        return; // what it would move is being used
    switch (m->kind) {
    case MOUSE_DOWN:
        copy_drag_end(c);
        c->pressed = pointed(c, x, y);
        c->has_pressed = true;
        copy_go(c, c->pressed);
        break;
    case MOUSE_DRAG:
        drag_to(c, cl, x, y);
        break;
    case MOUSE_UP:
    case MOUSE_DRAG_END:
        copy_drag_end(c);
        break;
    case MOUSE_DOUBLE_CLICK:
        copy_go(c, pointed(c, x, y));
        copy_select_word(c);
        break;
    case MOUSE_TRIPLE_CLICK:
        copy_go(c, pointed(c, x, y));
        copy_select_line(c, 1);
        break;
    case MOUSE_WHEEL_UP:
        for (unsigned n = 0; n < WHEEL_ROWS; n++)
            copy_up(c, true);
        break;
    case MOUSE_WHEEL_DOWN:
        for (unsigned n = 0; n < WHEEL_ROWS; n++)
            copy_down(c, true);
        if (c->exits_at_bottom && c->oy == 0) {
            mode_pop(c->pane);
            return;
        }
        break;
    default:
        return;
    }
    copy_changed(c);
}

void copy_mode_point(struct pane_mode_entry *e, unsigned x, unsigned y)
{
    struct copy *c = e->data;
    copy_freshen(c);
    if (copy_is_taking(c) || copy_is_searching(c))
        return;
    copy_drag_end(c);
    c->pressed = pointed(c, x, y);
    c->has_pressed = true;
    copy_go(c, c->pressed);
}

// --- Formats

static char *number_text(unsigned n)
{
    return xasprintf("%u", n);
}

static char *flag_text(bool is_on)
{
    return xstrdup(is_on ? "1" : "0");
}

static char *word_text(struct copy *c)
{
    struct copy_pos at = copy_cursor(c);
    const char *separators = copy_separators(c);
    if (copy_is_blank(c, at) || copy_in_set(c, at, separators))
        return xstrdup("");
    struct copy_pos p = copy_previous_word(c, at, separators, false);
    struct strbuf b = {0};
    while (b.len < 4096 && !copy_is_blank(c, p) && !copy_in_set(c, p, separators)) {
        size_t len;
        const char *text = copy_cell_text(c, p, &len);
        strbuf_add(&b, text, len);
        p.x++;
        if (p.x >= c->cols) {
            if (!copy_is_wrapped(c, p.row))
                break;
            p = (struct copy_pos){0, p.row + 1};
        }
    }
    return strbuf_take(&b);
}

static char *match_text(struct copy *c, const struct copy_match *m)
{
    struct strbuf b = {0};
    struct copy_pos p = m->start;
    while (b.len < 4096 && copy_pos_compare(p, m->end) < 0) {
        size_t len;
        const char *text = copy_cell_text(c, p, &len);
        strbuf_add(&b, text, len);
        if (++p.x >= c->cols)
            p = (struct copy_pos){0, p.row + 1};
    }
    return strbuf_take(&b);
}

char *copy_mode_variable(const struct pane_mode_entry *e, const char *name)
{
    struct copy *c = e->data;
    copy_freshen(c);
    bool is_partial;
    unsigned count = copy_search_count(c, &is_partial);
    struct copy_match match;
    if (strcmp(name, "scroll_position") == 0)
        return number_text(c->oy);
    if (strcmp(name, "rectangle_toggle") == 0)
        return flag_text(c->is_rectangle);
    if (strcmp(name, "copy_cursor_x") == 0)
        return number_text(c->cx);
    if (strcmp(name, "copy_cursor_y") == 0)
        return number_text(c->cy);
    if (strcmp(name, "copy_cursor_word") == 0)
        return word_text(c);
    if (strcmp(name, "copy_cursor_line") == 0) {
        const struct copy_line *l = copy_line(c, copy_row(c));
        size_t len = l->text.len;
        while (len > 0 && l->text.data[len - 1] == ' ')
            len--;
        return len == 0 ? xstrdup("") : xstrndup(l->text.data, len);
    }
    if (strcmp(name, "selection_present") == 0)
        return flag_text(c->has_selection && copy_pos_compare(c->anchor, c->end) != 0);
    if (strcmp(name, "selection_active") == 0)
        return flag_text(c->has_selection && !c->is_stopped);
    if (strcmp(name, "search_present") == 0)
        return flag_text(copy_search_shows(c));
    if (strcmp(name, "search_match") == 0)
        return copy_search_current(c, &match) ? match_text(c, &match) : NULL;
    if (strcmp(name, "pane_search_string") == 0)
        return xstrdup(copy_search_text(c));
    if (strcmp(name, "search_count") == 0)
        return number_text(count);
    if (strcmp(name, "search_count_partial") == 0)
        return flag_text(is_partial);
    if (!c->has_selection)
        return NULL;
    if (strcmp(name, "selection_start_x") == 0)
        return number_text(c->anchor.x);
    if (strcmp(name, "selection_start_y") == 0)
        return number_text(c->anchor.row);
    if (strcmp(name, "selection_end_x") == 0)
        return number_text(c->end.x);
    if (strcmp(name, "selection_end_y") == 0)
        return number_text(c->end.row);
    return NULL;
}

const struct pane_mode copy_mode = {
    .name = "copy-mode",
    .enter = enter,
    .leave = copy_mode_leave,
    .resize = copy_mode_resize,
    .view = copy_mode_view,
    .key_table = copy_mode_key_table,
    .command = copy_mode_command,
    .mouse = copy_mode_mouse,
    .variable = copy_mode_variable,
    .point = copy_mode_point,
};

bool copy_mode_enter_scrolled(struct pane *p, bool exits_at_bottom, int lines_up, char **cause)
{
    bool was_in = p->mode != NULL && p->mode->mode == &copy_mode;
    if (p->mode == NULL || (p->mode->mode != &copy_mode && p->mode->mode != &view_mode)) {
        if (!mode_push(p, &copy_mode, NULL, cause))
            return false;
    }
    struct copy *c = p->mode->data;
    if (!was_in && p->mode->mode == &copy_mode)
        c->exits_at_bottom = exits_at_bottom;
    for (int n = 0; n < lines_up; n++)
        copy_up(c, true);
    copy_changed(c);
    return true;
}
