// Variables of panes: place, program, screen, modes, and of paste buffers.
#include "server/format/internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "common/row.h"
#include "server/mode/mode.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/server.h"
#include "server/vt/vt.h"

#define PANE(st, p)                    \
    struct pane *p = (st)->ctx.pane;   \
    (void)name;                        \
    if (p == NULL)                     \
        return NULL

static char *number(unsigned long long n)
{
    return xasprintf("%llu", n);
}

static char *seconds(int64_t us)
{
    return us <= 0 ? NULL : xasprintf("%lld", (long long)(us / 1000000));
}

static char *copy(const char *s)
{
    return s == NULL ? NULL : xstrdup(s);
}

// --- The screen

static char *get_mode_flag(const struct format_state *st, const char *name)
{
    static const struct {
        const char *name;
        unsigned modes;
    } flags[] = {
        {"alternate_on", VT_MODE_ALTERNATE},
        {"bracket_paste_flag", VT_MODE_PASTE},
        {"insert_flag", VT_MODE_INSERT},
        {"keypad_cursor_flag", VT_MODE_APP_CURSOR},
        {"keypad_flag", VT_MODE_APP_KEYPAD},
        {"mouse_all_flag", VT_MODE_MOUSE_ALL},
        {"mouse_any_flag", VT_MODE_MOUSE_X10 | VT_MODE_MOUSE_BUTTONS | VT_MODE_MOUSE_DRAG |
                               VT_MODE_MOUSE_ALL},
        {"mouse_button_flag", VT_MODE_MOUSE_DRAG},
        {"mouse_sgr_flag", VT_MODE_MOUSE_SGR},
        {"mouse_standard_flag", VT_MODE_MOUSE_BUTTONS},
        {"mouse_utf8_flag", VT_MODE_MOUSE_UTF8},
        {"origin_flag", VT_MODE_ORIGIN},
        {"synchronized_output_flag", VT_MODE_SYNC},
        {"wrap_flag", VT_MODE_WRAP},
    };
    struct pane *p = st->ctx.pane;
    if (p == NULL || p->vt == NULL)
        return NULL;
    for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
        if (strcmp(flags[i].name, name) == 0)
            return format_bool(vt_modes(p->vt) & flags[i].modes);
    }
    return NULL;
}

static char *get_cursor(const struct format_state *st, const char *name)
{
    struct view view;
    struct pane *p = st->ctx.pane;
    if (p == NULL || p->vt == NULL)
        return NULL;
    vt_view(p->vt, &view);
    if (strcmp(name, "cursor_flag") == 0)
        return format_bool(view.cursor.is_visible);
    return number(strcmp(name, "cursor_x") == 0 ? view.cursor.x : view.cursor.y);
}

static char *get_cursor_character(const struct format_state *st, const char *name)
{
    PANE(st, p);
    struct view view;
    struct strbuf packed = {0};
    struct row_reader reader;
    struct row_cell cell;
    char *text = NULL;
    if (p->vt == NULL)
        return NULL;
    vt_view(p->vt, &view);
    if (vt_row_pack(p->vt, vt_history_rows(p->vt) + view.cursor.y, &packed) &&
        row_reader_init(&reader, packed.data, packed.len)) {
        for (unsigned x = 0; text == NULL && row_reader_next(&reader, &cell);) {
            unsigned cols = cell.is_wide ? 2 : 1;
            if (view.cursor.x >= x && view.cursor.x < x + cols && cell.text_len > 0)
                text = xstrndup(cell.text, cell.text_len);
            x += cols;
            if (x > view.cursor.x)
                break;
        }
    }
    strbuf_free(&packed);
    return text == NULL ? xstrdup(" ") : text;
}

static char *get_history(const struct format_state *st, const char *name)
{
    struct pane *p = st->ctx.pane;
    if (p == NULL || p->vt == NULL)
        return NULL;
    if (strcmp(name, "history_bytes") == 0)
        return number(vt_history_bytes(p->vt));
    if (strcmp(name, "history_size") == 0)
        return number(vt_history_rows(p->vt));
    const struct options *o =
        st->ctx.session != NULL ? st->ctx.session->options : server_session_options();
    return o == NULL ? NULL : number((unsigned long long)options_number(o, "history-limit"));
}

static char *get_region(const struct format_state *st, const char *name)
{
    struct pane *p = st->ctx.pane;
    if (p == NULL || p->vt == NULL)
        return NULL;
    bool is_upper = strcmp(name, "scroll_region_upper") == 0;
    return number(is_upper ? vt_region_top(p->vt) : vt_region_bottom(p->vt));
}

static char *get_tabs(const struct format_state *st, const char *name)
{
    PANE(st, p);
    return p->vt == NULL ? NULL : vt_tabs(p->vt);
}

// --- Place

static char *get_place(const struct format_state *st, const char *name)
{
    PANE(st, p);
    if (strcmp(name, "pane_left") == 0)
        return number(p->x);
    if (strcmp(name, "pane_top") == 0)
        return number(p->y);
    if (strcmp(name, "pane_right") == 0)
        return number(p->x + p->cols - 1);
    if (strcmp(name, "pane_bottom") == 0)
        return number(p->y + p->rows - 1);
    return number(strcmp(name, "pane_width") == 0 ? p->cols : p->rows);
}

static char *get_edge(const struct format_state *st, const char *name)
{
    PANE(st, p);
    const struct window *w = p->window;
    // A line of pane-border-status takes a row at its edge.
    long long status = w->options == NULL ? 0 : options_number(w->options, "pane-border-status");
    if (strcmp(name, "pane_at_left") == 0)
        return format_bool(p->x == 0);
    if (strcmp(name, "pane_at_right") == 0)
        return format_bool(p->x + p->cols >= w->cols);
    if (strcmp(name, "pane_at_top") == 0)
        return format_bool(p->y == (status == 1 ? 1u : 0u));
    return format_bool(p->y + p->rows + (status == 2 ? 1u : 0u) >= w->rows);
}

static char *get_id(const struct format_state *st, const char *name)
{
    PANE(st, p);
    return xasprintf("%%%u", p->id);
}

static char *get_index(const struct format_state *st, const char *name)
{
    PANE(st, p);
    const struct options *o = p->window->options;
    long long base = o == NULL ? 0 : options_number(o, "pane-base-index");
    return xasprintf("%lld", base + window_pane_index(p->window, p));
}

static char *get_active(const struct format_state *st, const char *name)
{
    PANE(st, p);
    return format_bool(p == p->window->active);
}

static char *get_last(const struct format_state *st, const char *name)
{
    PANE(st, p);
    return format_bool(p == TAILQ_FIRST(&p->window->last_panes));
}

static char *get_marked(const struct format_state *st, const char *name)
{
    PANE(st, p);
    return format_bool(p == marked_pane);
}

static char *get_format(const struct format_state *st, const char *name)
{
    (void)name;
    return format_bool(st->type == FORMAT_OF_PANE);
}

// --- The program

static char *get_current_command(const struct format_state *st, const char *name)
{
    PANE(st, p);
    return pane_current_command(p);
}

static char *get_current_path(const struct format_state *st, const char *name)
{
    PANE(st, p);
    return pane_current_path(p);
}

static char *get_dead(const struct format_state *st, const char *name)
{
    PANE(st, p);
    if (strcmp(name, "pane_dead") == 0)
        return format_bool(p->is_dead);
    if (!p->is_dead)
        return NULL;
    if (strcmp(name, "pane_dead_time") == 0)
        return seconds(p->dead_time_us);
    if (!p->has_status)
        return NULL;
    if (strcmp(name, "pane_dead_status") == 0)
        return WIFEXITED(p->status) ? number((unsigned)WEXITSTATUS(p->status)) : NULL;
    return WIFSIGNALED(p->status) ? number((unsigned)WTERMSIG(p->status)) : NULL;
}

static char *get_input_off(const struct format_state *st, const char *name)
{
    PANE(st, p);
    return format_bool(p->is_input_off);
}

static char *get_osc_path(const struct format_state *st, const char *name)
{
    PANE(st, p);
    return copy(p->osc_cwd);
}

static char *get_pid(const struct format_state *st, const char *name)
{
    PANE(st, p);
    return p->pid > 0 ? xasprintf("%ld", (long)p->pid) : NULL;
}

static char *get_start_command(const struct format_state *st, const char *name)
{
    PANE(st, p);
    return copy(pane_start_command_text(p));
}

static char *get_start_path(const struct format_state *st, const char *name)
{
    PANE(st, p);
    return copy(p->cwd);
}

static char *get_synchronized(const struct format_state *st, const char *name)
{
    PANE(st, p);
    return p->options == NULL ? NULL
                              : format_bool(options_number(p->options, "synchronize-panes"));
}

static char *get_title(const struct format_state *st, const char *name)
{
    PANE(st, p);
    return copy(p->title);
}

static char *get_tty(const struct format_state *st, const char *name)
{
    PANE(st, p);
    return xstrdup(p->tty);
}

// --- Modes

static char *get_in_mode(const struct format_state *st, const char *name)
{
    PANE(st, p);
    unsigned n = 0;
    for (const struct pane_mode_entry *e = p->mode; e != NULL; e = e->below)
        n++;
    return number(n);
}

static char *get_mode(const struct format_state *st, const char *name)
{
    PANE(st, p);
    return p->mode == NULL ? NULL : xstrdup(p->mode->mode->name);
}

static char *get_of_mode(const struct format_state *st, const char *name)
{
    struct pane *p = st->ctx.pane;
    if (p == NULL || p->mode == NULL || p->mode->mode->variable == NULL)
        return NULL;
    return p->mode->mode->variable(p->mode, name);
}

// --- Buffers

static char *get_buffer(const struct format_state *st, const char *name)
{
    const struct buffer *b = st->ctx.buffer;
    if (b == NULL)
        return NULL;
    if (strcmp(name, "buffer_created") == 0)
        return seconds(b->created_us);
    if (strcmp(name, "buffer_name") == 0)
        return xstrdup(b->name);
    if (strcmp(name, "buffer_sample") == 0)
        return buffer_sample(b, 50);
    return number(b->size);
}

#define F VARIABLE_FOREIGN
#define D VARIABLE_DEAR
const struct format_variable format_pane_variables[] = {
    {"alternate_on", get_mode_flag, 0, "1 if the alternate screen is shown."},
    {"bracket_paste_flag", get_mode_flag, 0, "1 if the program wants pastes marked."},
    {"buffer_created", get_buffer, 0, "When the paste buffer was made."},
    {"buffer_name", get_buffer, F, "Name of the paste buffer."},
    {"buffer_sample", get_buffer, F, "How the paste buffer begins."},
    {"buffer_size", get_buffer, 0, "Bytes in the paste buffer."},
    {"copy_cursor_line", get_of_mode, F, "Line of the cursor in copy mode."},
    {"copy_cursor_word", get_of_mode, F, "Word at the cursor in copy mode."},
    {"copy_cursor_x", get_of_mode, 0, "Column of the cursor in copy mode."},
    {"copy_cursor_y", get_of_mode, 0, "Row of the cursor in copy mode."},
    {"cursor_character", get_cursor_character, F, "Character at the cursor."},
    {"cursor_flag", get_cursor, 0, "1 if the cursor is shown."},
    {"cursor_x", get_cursor, 0, "Column of the cursor."},
    {"cursor_y", get_cursor, 0, "Row of the cursor."},
    {"history_bytes", get_history, 0, "Bytes in the history."},
    {"history_limit", get_history, 0, "Most lines of history."},
    {"history_size", get_history, 0, "Lines of history."},
    {"insert_flag", get_mode_flag, 0, "1 in insert mode."},
    {"keypad_cursor_flag", get_mode_flag, 0, "1 if cursor keys are in application mode."},
    {"keypad_flag", get_mode_flag, 0, "1 if the keypad is in application mode."},
    {"mouse_all_flag", get_mode_flag, 0, "1 if the program wants all movements of the mouse."},
    {"mouse_any_flag", get_mode_flag, 0, "1 if the program wants the mouse."},
    {"mouse_button_flag", get_mode_flag, 0, "1 if the program wants the mouse while a button is down."},
    {"mouse_sgr_flag", get_mode_flag, 0, "1 if mouse reports are in the SGR form."},
    {"mouse_standard_flag", get_mode_flag, 0, "1 if the program wants the buttons of the mouse."},
    {"mouse_utf8_flag", get_mode_flag, 0, "1 if mouse reports are in the UTF-8 form."},
    {"origin_flag", get_mode_flag, 0, "1 in origin mode."},
    {"pane_active", get_active, 0, "1 if the pane is the active one of its window."},
    {"pane_at_bottom", get_edge, 0, "1 if the pane is at the bottom of the window."},
    {"pane_at_left", get_edge, 0, "1 if the pane is at the left of the window."},
    {"pane_at_right", get_edge, 0, "1 if the pane is at the right of the window."},
    {"pane_at_top", get_edge, 0, "1 if the pane is at the top of the window."},
    {"pane_bottom", get_place, 0, "Last row of the pane in the window."},
    {"pane_current_command", get_current_command, F | D, "Program in the foreground."},
    {"pane_current_path", get_current_path, F | D, "Directory of the program in the foreground."},
    {"pane_dead", get_dead, 0, "1 if the program has ended."},
    {"pane_dead_signal", get_dead, 0, "Signal that ended the program."},
    {"pane_dead_status", get_dead, 0, "Exit status of the program that has ended."},
    {"pane_dead_time", get_dead, 0, "When the program ended."},
    {"pane_format", get_format, 0, "1 if the format is for a pane."},
    {"pane_height", get_place, 0, "Rows of the pane."},
    {"pane_id", get_id, 0, "Id of the pane (alias #D)."},
    {"pane_in_mode", get_in_mode, 0, "How many modes the pane is in."},
    {"pane_index", get_index, 0, "Number of the pane (alias #P)."},
    {"pane_input_off", get_input_off, 0, "1 if the pane takes no input."},
    {"pane_last", get_last, 0, "1 if the pane was the active one before."},
    {"pane_left", get_place, 0, "First column of the pane in the window."},
    {"pane_marked", get_marked, 0, "1 if the pane is the marked one."},
    {"pane_mode", get_mode, 0, "Name of the mode the pane is in."},
    {"pane_path", get_osc_path, F, "Directory that the program told (OSC 7)."},
    {"pane_pid", get_pid, 0, "First process of the pane."},
    {"pane_right", get_place, 0, "Last column of the pane in the window."},
    {"pane_search_string", get_of_mode, F, "What was last searched for in copy mode."},
    {"pane_start_command", get_start_command, F, "Command that the pane was started with."},
    {"pane_start_path", get_start_path, F, "Directory that the pane was started in."},
    {"pane_synchronized", get_synchronized, 0, "1 if synchronize-panes is on for the pane."},
    {"pane_tabs", get_tabs, 0, "Tab stops of the pane."},
    {"pane_title", get_title, F, "Title of the pane (alias #T)."},
    {"pane_top", get_place, 0, "First row of the pane in the window."},
    {"pane_tty", get_tty, 0, "Terminal device of the pane."},
    {"pane_width", get_place, 0, "Columns of the pane."},
    {"rectangle_toggle", get_of_mode, 0, "1 if the selection of copy mode is a rectangle."},
    {"scroll_position", get_of_mode, 0, "Lines that copy mode is scrolled back."},
    {"scroll_region_lower", get_region, 0, "Last row of the scroll region."},
    {"scroll_region_upper", get_region, 0, "First row of the scroll region."},
    {"search_count", get_of_mode, 0, "Matches that copy mode has counted."},
    {"search_count_partial", get_of_mode, 0, "1 while copy mode still counts matches."},
    {"search_match", get_of_mode, F, "The match that copy mode is at."},
    {"search_present", get_of_mode, 0, "1 if copy mode shows a search."},
    {"selection_active", get_of_mode, 0, "1 if the selection follows the cursor."},
    {"selection_end_x", get_of_mode, 0, "Last column of the selection."},
    {"selection_end_y", get_of_mode, 0, "Last row of the selection."},
    {"selection_present", get_of_mode, 0, "1 if copy mode has a selection."},
    {"selection_start_x", get_of_mode, 0, "First column of the selection."},
    {"selection_start_y", get_of_mode, 0, "First row of the selection."},
    {"synchronized_output_flag", get_mode_flag, 0, "1 while the program holds its output."},
    {"wrap_flag", get_mode_flag, 0, "1 if long lines wrap."},
    {NULL, NULL, 0, NULL},
};
