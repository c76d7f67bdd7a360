// Copy mode's commands, as send-keys -X names them: a table of names, arguments and functions.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "server/mode/copy.h"
#include "server/model/client.h"
#include "server/model/model.h"

#define PENDING_MAX 256

// What one command was given.
struct call {
    struct copy *c;
    char *const *args;
    unsigned n_args;
    unsigned repeat; // at least 1
    int which;       // of the row: which of several like commands
    char **cause;
};
enum outcome { OUTCOME_DONE, OUTCOME_CANCEL, OUTCOME_ERROR };
typedef enum outcome (*command_fn_copy)(struct call *call);

// A command given while a search or a long copy is under way: it runs after that, in order.
struct copy_command {
    char *name;
    char **args;
    unsigned n_args;
    unsigned repeat;
};

static const char *arg(const struct call *call, unsigned n)
{
    return n < call->n_args ? call->args[n] : NULL;
}

// --- Leaving, selection

static enum outcome do_cancel(struct call *call)
{
    (void)call;
    return OUTCOME_CANCEL;
}

static enum outcome do_begin_selection(struct call *call)
{
    copy_begin_selection(call->c, COPY_BY_CHARACTER);
    return OUTCOME_DONE;
}

static enum outcome do_stop_selection(struct call *call)
{
    copy_drag_end(call->c);
    call->c->is_stopped = true;
    call->c->unit = COPY_BY_CHARACTER;
    return OUTCOME_DONE;
}

static enum outcome do_clear_selection(struct call *call)
{
    copy_drag_end(call->c);
    copy_clear_selection(call->c);
    return OUTCOME_DONE;
}

static enum outcome do_other_end(struct call *call)
{
    if (call->repeat % 2 != 0)
        copy_other_end(call->c);
    return OUTCOME_DONE;
}

enum { SET_OFF, SET_ON, SET_TOGGLE };
static void set_flag(bool *flag, int which)
{
    *flag = which == SET_TOGGLE ? !*flag : which == SET_ON;
}

static enum outcome do_rectangle(struct call *call)
{
    set_flag(&call->c->is_rectangle, call->which);
    if (call->c->unit != COPY_BY_CHARACTER)
        call->c->unit = COPY_BY_CHARACTER;
    unsigned length = copy_length(call->c, copy_row(call->c));
    if (!call->c->is_rectangle && call->c->cx > length)
        call->c->cx = length;
    copy_update_selection(call->c);
    return OUTCOME_DONE;
}

static enum outcome do_scroll_exit(struct call *call)
{
    set_flag(&call->c->exits_at_bottom, call->which);
    return OUTCOME_DONE;
}

static enum outcome do_position(struct call *call)
{
    // The flag says that it is hidden.
    set_flag(&call->c->hides_position, call->which);
    return OUTCOME_DONE;
}

static enum outcome do_select_line(struct call *call)
{
    copy_select_line(call->c, call->repeat);
    return OUTCOME_DONE;
}

static enum outcome do_select_word(struct call *call)
{
    copy_select_word(call->c);
    return OUTCOME_DONE;
}

// --- Motions

static void go(struct call *call, struct copy_pos to)
{
    copy_go(call->c, to);
}

enum {
    TO_CHAR_LEFT,
    TO_CHAR_RIGHT,
    TO_ROW_UP,
    TO_ROW_DOWN,
    SCROLL_UP,
    SCROLL_DOWN,
    SCROLL_DOWN_CANCEL,
    CURSOR_DOWN_CANCEL
};
static enum outcome do_step(struct call *call)
{
    struct copy *c = call->c;
    for (unsigned n = 0; n < call->repeat; n++) {
        struct copy_pos before = copy_cursor(c);
        unsigned oy = c->oy;
        switch (call->which) {
        case TO_CHAR_LEFT:
            copy_left(c);
            break;
        case TO_CHAR_RIGHT:
            copy_right(c);
            break;
        case TO_ROW_UP:
        case SCROLL_UP:
            copy_up(c, call->which == SCROLL_UP);
            break;
        case CURSOR_DOWN_CANCEL:
            copy_down(c, false);
            if (oy == 0 && c->cy == before.row - copy_top(c))
                return OUTCOME_CANCEL;
            break;
        default:
            copy_down(c, call->which != TO_ROW_DOWN);
            break;
        }
        if (oy == c->oy && copy_pos_compare(before, copy_cursor(c)) == 0)
            break; // at an end: a repeat count of a million costs nothing
    }
    bool exits =
        call->which == SCROLL_DOWN_CANCEL || (call->which == SCROLL_DOWN && c->exits_at_bottom);
    return exits && c->oy == 0 ? OUTCOME_CANCEL : OUTCOME_DONE;
}

enum { PAGE_UP, PAGE_DOWN, PAGE_DOWN_CANCEL, HALF_UP, HALF_DOWN, HALF_DOWN_CANCEL };
static enum outcome do_page(struct call *call)
{
    struct copy *c = call->c;
    bool is_half = call->which >= HALF_UP, is_up = call->which == PAGE_UP || call->which == HALF_UP;
    bool cancels = call->which == PAGE_DOWN_CANCEL || call->which == HALF_DOWN_CANCEL;
    for (unsigned n = 0; n < call->repeat; n++) {
        struct copy_pos before = copy_cursor(c);
        unsigned oy = c->oy;
        if (is_up)
            copy_page_up(c, is_half);
        else if (copy_page_down(c, is_half))
            return OUTCOME_CANCEL;
        if (oy == c->oy && copy_pos_compare(before, copy_cursor(c)) == 0)
            break;
    }
    return cancels && c->oy == 0 ? OUTCOME_CANCEL : OUTCOME_DONE;
}

enum { TO_HISTORY_TOP, TO_HISTORY_BOTTOM, TO_TOP_LINE, TO_MIDDLE_LINE, TO_BOTTOM_LINE };
static enum outcome do_place(struct call *call)
{
    struct copy *c = call->c;
    struct copy_pos to = {0, copy_top(c)};
    switch (call->which) {
    case TO_HISTORY_TOP:
        c->oy = copy_max_oy(c);
        to.row = copy_top(c);
        break;
    case TO_HISTORY_BOTTOM:
        c->oy = 0;
        to.row = copy_last_row(c);
        to.x = copy_length(c, to.row);
        break;
    case TO_MIDDLE_LINE:
        to.row += (c->rows - 1) / 2;
        break;
    case TO_BOTTOM_LINE:
        to.row += c->rows - 1;
        break;
    }
    go(call, to);
    return OUTCOME_DONE;
}

static enum outcome do_goto_line(struct call *call)
{
    long long n;
    const char *why;
    if (!parse_number(arg(call, 0), 0, UINT32_MAX, &n, &why))
        n = UINT32_MAX; // as in tmux, what is no line is the top
    copy_scroll_to(call->c, (unsigned)n);
    return OUTCOME_DONE;
}

static enum outcome do_scroll_middle(struct call *call)
{
    struct copy *c = call->c;
    struct copy_pos at = copy_cursor(c);
    unsigned hsize = copy_hsize(c), want = at.row - MIN_OF(at.row, c->rows / 2);
    c->oy = MIN_OF(want >= hsize ? 0 : hsize - want, copy_max_oy(c));
    copy_go(c, at);
    return OUTCOME_DONE;
}

enum {
    LINE_START,
    LINE_END,
    LINE_INDENTATION,
    WORD_NEXT,
    WORD_END,
    WORD_PREVIOUS,
    SPACE_NEXT,
    SPACE_END,
    SPACE_PREVIOUS,
    PARAGRAPH_NEXT,
    PARAGRAPH_PREVIOUS
};
static enum outcome do_motion(struct call *call)
{
    struct copy *c = call->c;
    const char *separators = copy_separators(c);
    for (unsigned n = 0; n < call->repeat; n++) {
        struct copy_pos at = copy_cursor(c), to = at;
        switch (call->which) {
        case LINE_START:
            to = copy_line_start(c, at);
            break;
        case LINE_END:
            to = copy_line_end(c, at);
            break;
        case LINE_INDENTATION:
            to = copy_indentation(c, at);
            break;
        case WORD_NEXT:
        case SPACE_NEXT:
            to = copy_next_word(c, at, call->which == WORD_NEXT ? separators : "");
            break;
        case WORD_END:
        case SPACE_END:
            to = copy_word_end(c, at, call->which == WORD_END ? separators : "");
            break;
        case WORD_PREVIOUS:
        case SPACE_PREVIOUS:
            to = copy_previous_word(c, at, call->which == WORD_PREVIOUS ? separators : "", true);
            break;
        case PARAGRAPH_NEXT:
        case PARAGRAPH_PREVIOUS:
            copy_go_far(c, copy_paragraph(c, at, call->which == PARAGRAPH_NEXT));
            continue;
        }
        if (copy_pos_compare(to, at) == 0)
            break;
        go(call, to);
    }
    return OUTCOME_DONE;
}

static enum outcome do_jump(struct call *call)
{
    struct copy *c = call->c;
    const char *text = arg(call, 0);
    if (*text == '\0')
        return OUTCOME_DONE;
    uint32_t cp;
    size_t len = utf8_next(text, strlen(text), &cp);
    memcpy(c->jump_text, text, len);
    c->jump_len = len;
    c->jump_kind = (char)call->which;
    copy_jump(c, c->jump_kind, false, call->repeat);
    return OUTCOME_DONE;
}

static enum outcome do_jump_again(struct call *call)
{
    struct copy *c = call->c;
    if (c->jump_kind == 0)
        return OUTCOME_DONE;
    char kind = c->jump_kind;
    if (call->which != 0) // the other way
        kind = kind >= 'a' ? (char)(kind - 'a' + 'A') : (char)(kind - 'A' + 'a');
    copy_jump(c, kind, true, call->repeat);
    return OUTCOME_DONE;
}

// With emacs keys, off a bracket, it is a motion by words that brackets part.
static enum outcome do_bracket(struct call *call)
{
    struct copy *c = call->c;
    bool is_forward = call->which;
    const char *own = is_forward ? "{[(" : "}])";
    for (unsigned n = 0; n < call->repeat; n++) {
        struct copy_pos at = copy_cursor(c), to;
        if (!copy_uses_vi(c) && !copy_in_set(c, at, own))
            copy_go(c,
                    is_forward ? copy_word_end(c, at, own) : copy_previous_word(c, at, own, true));
        else if (copy_bracket(c, at, is_forward, &to))
            copy_go_far(c, to);
        else
            break;
    }
    return OUTCOME_DONE;
}

static enum outcome do_prompt(struct call *call)
{
    unsigned flag = ROW_PROMPT, row;
    if (call->n_args > 0) {
        if (strcmp(call->args[0], "-o") != 0) {
            *call->cause = xasprintf("unknown flag %s", call->args[0]);
            return OUTCOME_ERROR;
        }
        flag = ROW_OUTPUT;
    }
    for (unsigned n = 0; n < call->repeat; n++) {
        if (!copy_prompt_row(call->c, copy_row(call->c), call->which, flag, &row))
            break;
        copy_go_far(call->c, (struct copy_pos){0, row});
    }
    return OUTCOME_DONE;
}

static enum outcome do_set_mark(struct call *call)
{
    struct copy *c = call->c;
    c->mark = copy_cursor(c);
    c->has_mark = c->shows_mark = true;
    return OUTCOME_DONE;
}

static enum outcome do_jump_to_mark(struct call *call)
{
    struct copy *c = call->c;
    if (!c->has_mark)
        return OUTCOME_DONE;
    struct copy_pos to = c->mark;
    c->mark = copy_cursor(c);
    c->shows_mark = true;
    copy_go_far(c, to);
    return OUTCOME_DONE;
}

static enum outcome do_refresh(struct call *call)
{
    struct copy *c = call->c;
    if (c->owns_vt)
        return OUTCOME_DONE;
    unsigned oy = c->oy;
    copy_snapshot(c);
    copy_clear_selection(c);
    copy_scroll_to(c, oy);
    return OUTCOME_DONE;
}

// --- Copying

static enum outcome take(struct call *call, unsigned flags, const char *prefix,
                         struct copy_place restore)
{
    if (!copy_take(call->c, flags, prefix, flags & COPY_TAKE_PIPES ? arg(call, 0) : NULL, restore))
        return OUTCOME_DONE; // it goes on, and leaves the mode itself if it is to
    return flags & COPY_TAKE_CANCELS ? OUTCOME_CANCEL : OUTCOME_DONE;
}

// copy-selection takes a prefix of the buffer's name; the forms that pipe take a command first.
static const char *prefix_of(const struct call *call)
{
    const char *prefix = arg(call, call->which & COPY_TAKE_PIPES ? 1 : 0);
    return prefix != NULL && *prefix != '\0' ? prefix : NULL;
}

static enum outcome do_copy_selection(struct call *call)
{
    return take(call, (unsigned)call->which & 0xff, prefix_of(call), (struct copy_place){0});
}

enum { WHOLE_LINE = 1 << 9 };
static enum outcome do_copy_line(struct call *call)
{
    struct copy *c = call->c;
    struct copy_place restore = {c->cx, c->cy, c->oy};
    unsigned flags = (unsigned)call->which & 0xff;
    c->is_rectangle = false;
    if (call->which & WHOLE_LINE)
        copy_go(c, copy_line_start(c, copy_cursor(c)));
    copy_begin_selection(c, COPY_BY_CHARACTER);
    for (unsigned n = 1; n < call->repeat; n++)
        copy_down(c, false);
    copy_go(c, copy_line_end(c, copy_cursor(c)));
    return take(call, flags | COPY_TAKE_RESTORES, prefix_of(call), restore);
}

// --- Searching

static enum outcome do_search(struct call *call)
{
    if (!copy_search_start(call->c, arg(call, 0), (unsigned)call->which, call->repeat, call->cause))
        return OUTCOME_ERROR;
    return OUTCOME_DONE;
}

static enum outcome do_search_again(struct call *call)
{
    if (!copy_search_again(call->c, call->which, call->repeat, call->cause))
        return OUTCOME_ERROR;
    return OUTCOME_DONE;
}

static enum outcome do_search_incremental(struct call *call)
{
    if (!copy_search_incremental(call->c, arg(call, 0), call->which, call->cause))
        return OUTCOME_ERROR;
    return OUTCOME_DONE;
}

// When matches are shown no more: never, after this command, or so with emacs keys only.
enum clears { CLEARS_NEVER, CLEARS_ALWAYS, CLEARS_EMACS };

struct command_row {
    const char *name;
    unsigned args_min, args_max;
    enum clears clears;
    command_fn_copy fn;
    int which;
};
#define CANCELS    COPY_TAKE_CANCELS
#define KEEPS      COPY_TAKE_KEEPS_SELECTION
#define PIPES      COPY_TAKE_PIPES
#define ONLY_PIPES (COPY_TAKE_PIPES | COPY_TAKE_NO_BUFFER)
// Sorted by name.
static const struct command_row command_rows[] = {
    {"append-selection", 0, 0, CLEARS_ALWAYS, do_copy_selection, COPY_TAKE_APPEND},
    {"append-selection-and-cancel", 0, 0, CLEARS_ALWAYS, do_copy_selection,
     COPY_TAKE_APPEND | CANCELS},
    {"back-to-indentation", 0, 0, CLEARS_ALWAYS, do_motion, LINE_INDENTATION},
    {"begin-selection", 0, 0, CLEARS_ALWAYS, do_begin_selection, 0},
    {"bottom-line", 0, 0, CLEARS_EMACS, do_place, TO_BOTTOM_LINE},
    {"cancel", 0, 0, CLEARS_ALWAYS, do_cancel, 0},
    {"clear-selection", 0, 0, CLEARS_ALWAYS, do_clear_selection, 0},
    {"copy-end-of-line", 0, 1, CLEARS_ALWAYS, do_copy_line, 0},
    {"copy-end-of-line-and-cancel", 0, 1, CLEARS_ALWAYS, do_copy_line, CANCELS},
    {"copy-line", 0, 1, CLEARS_ALWAYS, do_copy_line, WHOLE_LINE},
    {"copy-line-and-cancel", 0, 1, CLEARS_ALWAYS, do_copy_line, WHOLE_LINE | CANCELS},
    {"copy-pipe", 0, 2, CLEARS_ALWAYS, do_copy_selection, PIPES},
    {"copy-pipe-and-cancel", 0, 2, CLEARS_ALWAYS, do_copy_selection, PIPES | CANCELS},
    {"copy-pipe-end-of-line", 0, 2, CLEARS_ALWAYS, do_copy_line, PIPES},
    {"copy-pipe-end-of-line-and-cancel", 0, 2, CLEARS_ALWAYS, do_copy_line, PIPES | CANCELS},
    {"copy-pipe-line", 0, 2, CLEARS_ALWAYS, do_copy_line, PIPES | WHOLE_LINE},
    {"copy-pipe-line-and-cancel", 0, 2, CLEARS_ALWAYS, do_copy_line, PIPES | WHOLE_LINE | CANCELS},
    {"copy-pipe-no-clear", 0, 2, CLEARS_NEVER, do_copy_selection, PIPES | KEEPS},
    {"copy-selection", 0, 1, CLEARS_ALWAYS, do_copy_selection, 0},
    {"copy-selection-and-cancel", 0, 1, CLEARS_ALWAYS, do_copy_selection, CANCELS},
    {"copy-selection-no-clear", 0, 1, CLEARS_NEVER, do_copy_selection, KEEPS},
    {"cursor-down", 0, 0, CLEARS_EMACS, do_step, TO_ROW_DOWN},
    {"cursor-down-and-cancel", 0, 0, CLEARS_ALWAYS, do_step, CURSOR_DOWN_CANCEL},
    {"cursor-left", 0, 0, CLEARS_EMACS, do_step, TO_CHAR_LEFT},
    {"cursor-right", 0, 0, CLEARS_EMACS, do_step, TO_CHAR_RIGHT},
    {"cursor-up", 0, 0, CLEARS_EMACS, do_step, TO_ROW_UP},
    {"end-of-line", 0, 0, CLEARS_EMACS, do_motion, LINE_END},
    {"goto-line", 1, 1, CLEARS_EMACS, do_goto_line, 0},
    {"halfpage-down", 0, 0, CLEARS_EMACS, do_page, HALF_DOWN},
    {"halfpage-down-and-cancel", 0, 0, CLEARS_ALWAYS, do_page, HALF_DOWN_CANCEL},
    {"halfpage-up", 0, 0, CLEARS_EMACS, do_page, HALF_UP},
    {"history-bottom", 0, 0, CLEARS_EMACS, do_place, TO_HISTORY_BOTTOM},
    {"history-top", 0, 0, CLEARS_EMACS, do_place, TO_HISTORY_TOP},
    {"jump-again", 0, 0, CLEARS_EMACS, do_jump_again, 0},
    {"jump-backward", 1, 1, CLEARS_EMACS, do_jump, 'F'},
    {"jump-forward", 1, 1, CLEARS_EMACS, do_jump, 'f'},
    {"jump-reverse", 0, 0, CLEARS_EMACS, do_jump_again, 1},
    {"jump-to-backward", 1, 1, CLEARS_EMACS, do_jump, 'T'},
    {"jump-to-forward", 1, 1, CLEARS_EMACS, do_jump, 't'},
    {"jump-to-mark", 0, 0, CLEARS_ALWAYS, do_jump_to_mark, 0},
    {"middle-line", 0, 0, CLEARS_EMACS, do_place, TO_MIDDLE_LINE},
    {"next-matching-bracket", 0, 0, CLEARS_ALWAYS, do_bracket, true},
    {"next-paragraph", 0, 0, CLEARS_EMACS, do_motion, PARAGRAPH_NEXT},
    {"next-prompt", 0, 1, CLEARS_ALWAYS, do_prompt, true},
    {"next-space", 0, 0, CLEARS_EMACS, do_motion, SPACE_NEXT},
    {"next-space-end", 0, 0, CLEARS_EMACS, do_motion, SPACE_END},
    {"next-word", 0, 0, CLEARS_EMACS, do_motion, WORD_NEXT},
    {"next-word-end", 0, 0, CLEARS_EMACS, do_motion, WORD_END},
    {"other-end", 0, 0, CLEARS_EMACS, do_other_end, 0},
    {"page-down", 0, 0, CLEARS_EMACS, do_page, PAGE_DOWN},
    {"page-down-and-cancel", 0, 0, CLEARS_ALWAYS, do_page, PAGE_DOWN_CANCEL},
    {"page-up", 0, 0, CLEARS_EMACS, do_page, PAGE_UP},
    {"pipe", 0, 1, CLEARS_ALWAYS, do_copy_selection, ONLY_PIPES},
    {"pipe-and-cancel", 0, 1, CLEARS_ALWAYS, do_copy_selection, ONLY_PIPES | CANCELS},
    {"pipe-no-clear", 0, 1, CLEARS_NEVER, do_copy_selection, ONLY_PIPES | KEEPS},
    {"previous-matching-bracket", 0, 0, CLEARS_ALWAYS, do_bracket, false},
    {"previous-paragraph", 0, 0, CLEARS_EMACS, do_motion, PARAGRAPH_PREVIOUS},
    {"previous-prompt", 0, 1, CLEARS_ALWAYS, do_prompt, false},
    {"previous-space", 0, 0, CLEARS_EMACS, do_motion, SPACE_PREVIOUS},
    {"previous-word", 0, 0, CLEARS_EMACS, do_motion, WORD_PREVIOUS},
    {"rectangle-off", 0, 0, CLEARS_ALWAYS, do_rectangle, SET_OFF},
    {"rectangle-on", 0, 0, CLEARS_ALWAYS, do_rectangle, SET_ON},
    {"rectangle-toggle", 0, 0, CLEARS_ALWAYS, do_rectangle, SET_TOGGLE},
    {"refresh-from-pane", 0, 0, CLEARS_ALWAYS, do_refresh, 0},
    {"scroll-down", 0, 0, CLEARS_EMACS, do_step, SCROLL_DOWN},
    {"scroll-down-and-cancel", 0, 0, CLEARS_ALWAYS, do_step, SCROLL_DOWN_CANCEL},
    {"scroll-exit-off", 0, 0, CLEARS_ALWAYS, do_scroll_exit, SET_OFF},
    {"scroll-exit-on", 0, 0, CLEARS_ALWAYS, do_scroll_exit, SET_ON},
    {"scroll-exit-toggle", 0, 0, CLEARS_ALWAYS, do_scroll_exit, SET_TOGGLE},
    {"scroll-middle", 0, 0, CLEARS_ALWAYS, do_scroll_middle, 0},
    {"scroll-up", 0, 0, CLEARS_EMACS, do_step, SCROLL_UP},
    {"search-again", 0, 0, CLEARS_NEVER, do_search_again, false},
    {"search-backward", 0, 1, CLEARS_NEVER, do_search, COPY_SEARCH_UP | COPY_SEARCH_REGEX},
    {"search-backward-incremental", 1, 1, CLEARS_NEVER, do_search_incremental, true},
    {"search-backward-text", 0, 1, CLEARS_NEVER, do_search, COPY_SEARCH_UP},
    {"search-forward", 0, 1, CLEARS_NEVER, do_search, COPY_SEARCH_REGEX},
    {"search-forward-incremental", 1, 1, CLEARS_NEVER, do_search_incremental, false},
    {"search-forward-text", 0, 1, CLEARS_NEVER, do_search, 0},
    {"search-reverse", 0, 0, CLEARS_NEVER, do_search_again, true},
    {"select-line", 0, 0, CLEARS_ALWAYS, do_select_line, 0},
    {"select-word", 0, 0, CLEARS_ALWAYS, do_select_word, 0},
    {"set-mark", 0, 0, CLEARS_ALWAYS, do_set_mark, 0},
    {"start-of-line", 0, 0, CLEARS_EMACS, do_motion, LINE_START},
    {"stop-selection", 0, 0, CLEARS_ALWAYS, do_stop_selection, 0},
    {"toggle-position", 0, 0, CLEARS_NEVER, do_position, SET_TOGGLE},
    {"top-line", 0, 0, CLEARS_EMACS, do_place, TO_TOP_LINE},
};

const char *copy_command_name(size_t n)
{
    return n < ARRAY_LEN(command_rows) ? command_rows[n].name : NULL;
}

static int row_compare(const void *name, const void *row)
{
    return strcmp(name, ((const struct command_row *)row)->name);
}

static bool command_run(struct copy *c, const struct command_row *row, char *const *args,
                        unsigned n_args, unsigned repeat, char **cause)
{
    struct call call = {c, args, n_args, repeat == 0 ? 1 : repeat, row->which, cause};
    enum outcome outcome = row->fn(&call);
    if (outcome == OUTCOME_CANCEL) {
        mode_pop(c->pane);
        return true;
    }
    if (row->clears == CLEARS_ALWAYS || (row->clears == CLEARS_EMACS && !copy_uses_vi(c)))
        copy_search_clear(c);
    copy_changed(c);
    return outcome != OUTCOME_ERROR;
}

static bool pending_add(struct copy *c, const char *name, char *const *args, unsigned n_args,
                        unsigned repeat, char **cause)
{
    if (c->n_pending == PENDING_MAX) {
        *cause = xstrdup("copy mode is busy");
        return false;
    }
    c->pending = xreallocarray(c->pending, c->n_pending + 1, sizeof *c->pending);
    c->pending[c->n_pending++] = (struct copy_command){
        .name = xstrdup(name), .args = strv_copy(args, n_args), .n_args = n_args, .repeat = repeat};
    return true;
}

static void pending_drop(struct copy_command *p)
{
    free(p->name);
    strv_free(p->args);
}

void copy_pending_free(struct copy *c)
{
    for (size_t i = 0; i < c->n_pending; i++)
        pending_drop(&c->pending[i]);
    free(c->pending);
    c->pending = NULL;
    c->n_pending = 0;
}

void copy_run_pending(struct copy *c)
{
    struct pane *p = c->pane;
    const struct pane_mode_entry *e = c->entry;
    while (c->n_pending > 0 && !copy_is_searching(c) && !copy_is_taking(c)) {
        struct copy_command next = c->pending[0];
        memmove(c->pending, c->pending + 1, --c->n_pending * sizeof *c->pending);
        const struct command_row *row = bsearch(next.name, command_rows, ARRAY_LEN(command_rows),
                                                sizeof *command_rows, row_compare);
        char *cause = NULL;
        command_run(c, row, next.args, next.n_args, next.repeat, &cause);
        free(cause);
        pending_drop(&next);
        if (p->mode != e)
            return; // it was left
    }
}

bool copy_mode_command(struct pane_mode_entry *e, struct client *cl, const char *name,
                       char *const *args, unsigned n_args, unsigned repeat, char **cause)
{
    (void)cl;
    struct copy *c = e->data;
    const struct command_row *row =
        bsearch(name, command_rows, ARRAY_LEN(command_rows), sizeof *command_rows, row_compare);
    if (row == NULL) {
        *cause = xasprintf("unknown copy mode command: %s", name);
        return false;
    }
    if (n_args < row->args_min || n_args > row->args_max) {
        *cause = xasprintf(n_args < row->args_min ? "%s: too few arguments (need at least %u)"
                                                  : "%s: too many arguments (need at most %u)",
                           name, n_args < row->args_min ? row->args_min : row->args_max);
        return false;
    }
    copy_freshen(c);
    if (copy_is_searching(c) || copy_is_taking(c)) {
        // A new search takes the place of one under way, and leaving ends both.
        bool takes_over = row->fn == do_cancel || (copy_is_searching(c) && c->n_pending == 0 &&
                                                   row->fn == do_search_incremental);
        if (!takes_over)
            return pending_add(c, name, args, n_args, repeat, cause);
        copy_search_stop(c);
    }
    return command_run(c, row, args, n_args, repeat, cause);
}
