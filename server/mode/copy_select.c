// Copy mode's selection: its ends, the cells it covers, and its text into a buffer and clipboards.
//
// As in tmux, with emacs keys the selection stops before its later end, with vi keys it takes that
// character too; and vi's end beyond the text of a line takes the line's newline.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/jobs.h"
#include "server/command/shell_run.h"
#include "server/format/format.h"
#include "server/mode/copy.h"
#include "server/model/client.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/server.h"

void copy_begin_selection(struct copy *c, enum copy_unit unit)
{
    c->has_selection = true;
    c->is_stopped = false;
    c->unit = unit;
    c->anchor = c->end = c->unit_start = c->unit_end = copy_cursor(c);
}

void copy_clear_selection(struct copy *c)
{
    c->has_selection = c->is_stopped = false;
    c->unit = COPY_BY_CHARACTER;
    // A rectangle may have led beyond the text.
    c->cx = MIN_OF(c->cx, copy_length(c, copy_row(c)));
}

void copy_update_selection(struct copy *c)
{
    if (!c->has_selection || c->is_stopped)
        return;
    struct copy_pos at = copy_cursor(c);
    c->end = at;
    if (c->unit == COPY_BY_CHARACTER)
        return;
    if (copy_pos_compare(at, c->unit_start) < 0) {
        c->anchor = c->unit_end;
        c->end = c->unit == COPY_BY_LINE ? (struct copy_pos){0, at.row}
                                         : copy_previous_word(c, at, copy_separators(c), false);
    } else if (copy_pos_compare(at, c->unit_end) > 0) {
        c->anchor = c->unit_start;
        if (c->unit == COPY_BY_LINE) {
            c->end.x = copy_length(c, at.row);
        } else if (!copy_is_blank(c, at)) {
            struct copy_pos end = copy_word_end(c, at, copy_separators(c));
            if (copy_pos_compare(end, at) > 0 && end.row == at.row)
                c->end = end;
        }
    } else {
        c->anchor = c->unit_start;
        c->end = c->unit_end;
    }
}

void copy_other_end(struct copy *c)
{
    if (!c->has_selection)
        return;
    struct copy_pos to = c->is_stopped ? c->end : c->anchor;
    if (!c->is_stopped)
        c->anchor = c->end;
    c->is_stopped = false;
    c->unit = c->unit == COPY_BY_WORD ? COPY_BY_CHARACTER : c->unit;
    copy_go(c, to);
}

void copy_select_word(struct copy *c)
{
    const char *separators = copy_separators(c);
    struct copy_pos start = copy_previous_word(c, copy_cursor(c), separators, false);
    c->is_rectangle = false;
    copy_go(c, start);
    copy_begin_selection(c, COPY_BY_WORD);
    struct copy_pos next = {start.x + 1, start.row};
    if (copy_is_wrapped(c, start.row) && next.x >= c->cols)
        next = (struct copy_pos){0, start.row + 1};
    struct copy_pos end = start;
    // In vi the end of a word of one character is that character.
    if (!copy_uses_vi(c) || !copy_is_blank(c, next))
        end = copy_word_end(c, start, separators);
    c->unit_end = end;
    copy_go(c, end);
}

void copy_select_line(struct copy *c, unsigned n)
{
    c->is_rectangle = false;
    struct copy_pos at = copy_cursor(c);
    copy_go(c, copy_line_start(c, at));
    copy_begin_selection(c, COPY_BY_LINE);
    struct copy_pos end = copy_line_end(c, at);
    c->unit_end = end;
    while (n-- > 1 && end.row < copy_last_row(c))
        end = copy_line_end(c, (struct copy_pos){0, end.row + 1});
    copy_go(c, end);
}

static void ordered_ends(const struct copy *c, struct copy_pos *start, struct copy_pos *end)
{
    bool is_ordered = copy_pos_compare(c->anchor, c->end) <= 0;
    *start = is_ordered ? c->anchor : c->end;
    *end = is_ordered ? c->end : c->anchor;
}

// Columns of a rectangle. The cursor's column is left out with emacs keys when it is the right one.
static void rectangle_columns(const struct copy *c, unsigned *from, unsigned *to)
{
    if (c->anchor.x < c->end.x) {
        *from = c->anchor.x;
        *to = c->end.x + (copy_uses_vi(c) ? 1 : 0);
    } else {
        *from = c->end.x;
        *to = c->anchor.x + 1;
    }
}

bool copy_selected(struct copy *c, unsigned row, unsigned *from, unsigned *to)
{
    struct copy_pos start, end;
    if (!c->has_selection)
        return false;
    ordered_ends(c, &start, &end);
    if (row < start.row || row > end.row)
        return false;
    if (c->is_rectangle) {
        rectangle_columns(c, from, to);
    } else {
        *from = row == start.row ? start.x : 0;
        *to = row == end.row ? end.x + (copy_uses_vi(c) ? 1 : 0) : c->cols;
    }
    *to = MIN_OF(*to, c->cols);
    return *from < *to;
}

// --- The text. A long selection is copied in slices.

#define TAKE_SLICE_US       2500
#define CLIPBOARD_MAX_BYTES (1u << 20)

struct copy_take {
    struct copy *owner;
    struct job *job;
    struct strbuf text;
    unsigned flags;
    char *prefix;
    char *pipe; // command; NULL: none
    struct copy_pos start, end;
    struct copy_place restore;
    unsigned row;
    unsigned first_x, rest_x;  // where the first and the other rows begin
    unsigned rest_to, last_to; // where the other rows and the last end
    unsigned end_length;
    bool is_vi;
};

static void take_row(struct copy *c, struct copy_take *t, unsigned row, unsigned from, unsigned to)
{
    const struct copy_line *l = copy_line(c, row);
    bool is_wrapped = l->flags & ROW_WRAPPED;
    unsigned limit = is_wrapped ? MAX_OF(l->cols, l->length) : l->length;
    to = MIN_OF(to, limit);
    from = MIN_OF(from, limit);
    if (from < to) {
        // Cells follow each other in the text, so that a row is one piece of it.
        size_t begin = l->cells[from].at;
        size_t end = l->cells[to - 1].at + l->cells[to - 1].len;
        if (end > begin)
            strbuf_add(&t->text, l->text.data + begin, end - begin);
    }
    if (!is_wrapped || to != limit)
        strbuf_add_char(&t->text, '\n');
}

static struct copy_take *take_new(struct copy *c, unsigned flags, const char *prefix)
{
    struct copy_take *t = xcalloc(1, sizeof *t);
    t->owner = c;
    t->flags = flags;
    t->prefix = prefix == NULL ? NULL : xstrdup(prefix);
    t->is_vi = copy_uses_vi(c);
    ordered_ends(c, &t->start, &t->end);
    t->start.row = MAX_OF(t->start.row, copy_first_row(c));
    t->row = t->start.row;
    t->end_length = copy_length(c, t->end.row);
    if (c->is_rectangle) {
        rectangle_columns(c, &t->first_x, &t->last_to);
        t->rest_x = t->first_x;
        t->rest_to = t->last_to;
    } else {
        t->first_x = t->start.x;
        t->rest_x = 0;
        t->rest_to = c->cols;
        t->last_to = MIN_OF(t->end.x, t->end_length) + (t->is_vi ? 1 : 0);
    }
    return t;
}

// False: the slice is over, there is more.
static bool take_slice(struct copy *c, struct copy_take *t)
{
    int64_t began = clock_monotonic_us();
    while (t->row <= t->end.row) {
        take_row(c, t, t->row, t->row == t->start.row ? t->first_x : t->rest_x,
                 t->row == t->end.row ? t->last_to : t->rest_to);
        t->row++;
        if (t->row % 32 == 0 && clock_monotonic_us() - began > TAKE_SLICE_US)
            return t->row > t->end.row;
    }
    return true;
}

// A free name "PREFIXn".
static char *prefixed_name(const char *prefix)
{
    for (unsigned n = 0;; n++) {
        char *name = xasprintf("%s%u", prefix, n);
        if (buffer_by_name(name) == NULL)
            return name;
        free(name);
    }
}

static void send_clipboard(struct copy *c, const char *data, size_t len)
{
    if (options_number(server_options(), "set-clipboard") == 0)
        return;
    bool fits = len <= CLIPBOARD_MAX_BYTES;
    struct msg_CLIPBOARD msg = {.selection = "", .data = {data, fits ? (uint32_t)len : 0}};
    struct client *cl;
    TAILQ_FOREACH (cl, &all_clients, entry) {
        if (!cl->is_attached || cl->session == NULL || cl->session->current == NULL ||
            cl->session->current->window != c->pane->window || cl->peer == NULL)
            continue;
        if (!fits || !peer_send(cl->peer, MSG_CLIPBOARD, &msg))
            client_message(cl, -1, "Copied to a buffer; too large for the clipboard");
    }
}

static char *pipe_command(struct copy *c, const char *command)
{
    if (command == NULL || *command == '\0')
        command = options_string(server_options(), "copy-command");
    if (*command == '\0')
        return NULL;
    struct winlink *wl = TAILQ_FIRST(&c->pane->window->winlinks);
    struct format_context ctx = {.session = wl != NULL ? wl->session : NULL,
                                 .winlink = wl,
                                 .window = c->pane->window,
                                 .pane = c->pane};
    return format_expand(&ctx, command);
}

static void run_pipe(struct copy *c, const char *command, const char *data, size_t len)
{
    const struct winlink *wl = TAILQ_FIRST(&c->pane->window->winlinks);
    const char *why;
    if (!shell_run_input(command, NULL, wl != NULL ? wl->session : NULL, c->pane, data, len, NULL,
                         NULL, &why))
        server_add_message("copy-pipe: %s: %s", command, why);
}

static void take_finish(struct copy *c, struct copy_take *t)
{
    size_t len = t->text.len;
    bool is_wrapped = copy_is_wrapped(c, t->end.row);
    if (len > 0 && (!t->is_vi || t->last_to <= t->end_length) &&
        (!is_wrapped || t->last_to != t->end_length) && t->text.data[len - 1] == '\n')
        len--;
    if (len > 0 && (t->flags & COPY_TAKE_NO_BUFFER)) {
        if (t->pipe != NULL)
            run_pipe(c, t->pipe, t->text.data, len);
    } else if (len > 0) {
        const struct buffer *top = buffer_top();
        char *name = NULL, *cause = NULL;
        if (t->pipe != NULL)
            run_pipe(c, t->pipe, t->text.data, len);
        if ((t->flags & COPY_TAKE_APPEND) && top != NULL) {
            name = xstrdup(top->name);
            char *data = xmalloc(top->size + len + 1);
            memcpy(data, top->data, top->size);
            memcpy(data + top->size, t->text.data, len);
            data[top->size + len] = '\0';
            len += top->size;
            free(t->text.data);
            t->text = (struct strbuf){data, len, len + 1};
        } else if (t->prefix != NULL) {
            name = prefixed_name(t->prefix);
        }
        t->text.data[len] = '\0';
        send_clipboard(c, t->text.data, len);
        char *data = strbuf_take(&t->text);
        if (!buffer_set(data, len, name, &cause))
            free(cause);
        // A buffer with a prefix, or one added to, still counts as an automatic one.
        struct buffer *b = name != NULL ? buffer_by_name(name) : NULL;
        if (b != NULL)
            b->is_automatic = true;
        free(name);
    }
    if (!(t->flags & COPY_TAKE_KEEPS_SELECTION))
        copy_clear_selection(c);
    if (t->flags & COPY_TAKE_RESTORES) {
        c->oy = MIN_OF(t->restore.oy, copy_max_oy(c));
        c->cx = t->restore.cx;
        c->cy = t->restore.cy;
    }
}

void copy_take_free(struct copy *c)
{
    struct copy_take *t = c->take;
    if (t == NULL)
        return;
    job_remove(t->job);
    strbuf_free(&t->text);
    free(t->prefix);
    free(t->pipe);
    free(t);
    c->take = NULL;
}

bool copy_is_taking(const struct copy *c)
{
    return c->take != NULL;
}

static struct due take_due(const void *state, int64_t now_us)
{
    (void)state;
    return due_at(now_us);
}

static void take_run(void *state)
{
    struct copy *c = state;
    struct copy_take *t = c->take;
    if (!take_slice(c, t))
        return;
    take_finish(c, t);
    bool cancels = t->flags & COPY_TAKE_CANCELS;
    struct pane *p = c->pane;
    copy_take_free(c);
    if (cancels) {
        mode_pop(p);
        return;
    }
    copy_changed(c);
    copy_run_pending(c);
}

static const struct job_spec take_job = {"copy text", take_due, take_run};

bool copy_take(struct copy *c, unsigned flags, const char *prefix, const char *pipe,
               struct copy_place restore)
{
    copy_drag_end(c);
    if (!c->has_selection)
        return true;
    c->take = take_new(c, flags, prefix);
    c->take->restore = restore;
    if (flags & COPY_TAKE_PIPES)
        c->take->pipe = pipe_command(c, pipe);
    if (take_slice(c, c->take)) {
        take_finish(c, c->take);
        copy_take_free(c);
        return true;
    }
    c->take->job = job_add(server_jobs(), &take_job, c);
    job_ask(c->take->job);
    return false;
}
