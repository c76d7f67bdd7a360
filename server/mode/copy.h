// Copy mode from inside: its state, shared by the files copy*.c and view.c. Nobody else includes
// it.
//
// Rows are numbered from the oldest that the snapshot had, 0, to copy_last_row(). Columns count
// from 0; a cursor may stand one past the last character of its row, and there only.
#ifndef AMUX_SERVER_MODE_COPY_H
#define AMUX_SERVER_MODE_COPY_H

#include "common/row.h"
#include "common/util.h"
#include "server/mode/mode.h"

struct vt;
struct options;
struct job;

// One column of a decoded row. A wide character has its text in its first column; the second has
// width 0 and no text.
struct copy_cell {
    uint32_t at; // in the line's text, in bytes
    uint8_t len;
    uint8_t width;
};
struct copy_line {
    uint32_t serial; // of the snapshot it was read from; 0: empty slot
    unsigned row;
    unsigned flags;  // enum row_flag
    unsigned cols;   // columns held, at most the mode's width
    unsigned length; // columns without what is blank at the end
    struct copy_cell *cells;
    size_t cells_cap;
    struct strbuf text; // blanks as spaces
};
#define COPY_CACHE_LINES 32

struct copy_packed {
    char *data;
    size_t len;
};
struct copy_pos {
    unsigned x;
    unsigned row;
};
static inline int copy_pos_compare(struct copy_pos a, struct copy_pos b)
{
    if (a.row != b.row)
        return a.row < b.row ? -1 : 1;
    return a.x < b.x ? -1 : a.x > b.x;
}

struct copy_place { // where one looks: as in struct copy
    unsigned cx, cy, oy;
};

enum copy_unit { COPY_BY_CHARACTER, COPY_BY_WORD, COPY_BY_LINE };

// What a search found: [start, end).
struct copy_match {
    struct copy_pos start, end;
};

struct copy_search; // copy_search.c
struct copy_take;   // copy_select.c

struct copy {
    struct pane *pane;
    struct pane_mode_entry *entry;
    struct vt *vt; // whose rows are shown
    bool owns_vt;  // view mode: made for the text that it shows
    bool has_text; // view mode: a line was added
    bool is_stale; // view mode: text came since the snapshot
    unsigned stale_top;
    unsigned cols, rows;

    // The snapshot: rows of history by reference, rows of the screen as copies.
    uint32_t serial;    // changes when rows change their meaning; in the tags, never 0
    uint64_t base;      // vt_history_dropped() when it was taken
    unsigned n_history; // rows 0 to n_history - 1 are the vt's
    struct copy_packed *screen;
    unsigned n_screen;
    // The rows shown last, so that they stay while the history drops them.
    struct copy_packed *kept;
    unsigned kept_top, n_kept;
    uint32_t kept_serial;
    bool reads_kept; // while it is resized: rows of history are only those kept
    struct copy_line cache[COPY_CACHE_LINES];
    struct strbuf scratch;
    struct row_packer *packer;

    // Position.
    unsigned oy;                   // rows scrolled back from the bottom
    unsigned cx, cy;               // cursor in the view
    unsigned last_cx, last_length; // where up and down want to be, and how long the row was then
    bool was_moved; // cx was taken from the second column of a wide character to its first

    // Selection: from the anchor to the end, which follows the cursor unless it was stopped.
    bool has_selection, is_stopped, is_rectangle;
    enum copy_unit unit;
    struct copy_pos anchor, end;
    struct copy_pos unit_start, unit_end; // the word or lines that it began with
    struct copy_take *take;               // a long selection being copied; NULL: none

    bool has_mark, shows_mark;
    struct copy_pos mark;
    char jump_kind; // 'f', 'F', 't', 'T'; 0: none yet
    char jump_text[CLUSTER_MAX_BYTES];
    size_t jump_len;

    struct copy_search *search;
    bool hides_position;
    bool exits_at_bottom;
    struct copy_command *pending; // commands that wait for a search or a copy
    size_t n_pending;

    // Mouse.
    bool is_dragging;
    struct copy_pos pressed;
    bool has_pressed;
    int drag_scroll; // -1 up, 1 down, 0: the pointer is not at an edge
    int64_t drag_due_us;
    struct job *drag_job;

    uint64_t view_hash; // of the styles, in the tags
    struct style mode_style, match_style, current_style, mark_style;
};

// --- copy.c: the mode
struct copy *copy_new(struct pane_mode_entry *e, struct vt *vt, bool owns_vt);
void copy_free(struct copy *c);
void copy_changed(struct copy *c);
bool copy_uses_vi(const struct copy *c);
const char *copy_separators(const struct copy *c);
struct options *copy_session_options(const struct copy *c);
void copy_mode_leave(struct pane_mode_entry *e);
void copy_mode_resize(struct pane_mode_entry *e, unsigned cols, unsigned rows);
void copy_mode_view(const struct pane_mode_entry *e, struct view *out);
const char *copy_mode_key_table(const struct pane_mode_entry *e);
void copy_mode_mouse(struct pane_mode_entry *e, struct client *cl, const struct msg_MOUSE *m,
                     unsigned x, unsigned y);
void copy_mode_point(struct pane_mode_entry *e, unsigned x, unsigned y);
void copy_drag_end(struct copy *c);
char *copy_mode_variable(const struct pane_mode_entry *e, const char *name);

// --- copy_rows.c: the snapshot and its rows
void copy_snapshot(struct copy *c);
void copy_freshen(struct copy *c); // view mode: takes in what came since
void copy_rows_resize(struct copy *c, unsigned cols, unsigned rows);
void copy_rows_free(struct copy *c);
void copy_keep_shown(struct copy *c);
unsigned copy_total(const struct copy *c);
unsigned copy_hsize(const struct copy *c);  // rows above the bottommost view
unsigned copy_max_oy(const struct copy *c); // how far back one can scroll now
static inline unsigned copy_top(const struct copy *c)
{
    return copy_hsize(c) - c->oy;
}
static inline unsigned copy_row(const struct copy *c)
{
    return copy_top(c) + c->cy;
}
unsigned copy_first_row(const struct copy *c); // the oldest that is still there
unsigned copy_last_row(const struct copy *c);
// The packed row, borrowed until the next call; NULL if it is blank or gone.
const void *copy_row_packed(struct copy *c, unsigned row, size_t *len);
// Decoded; valid until COPY_CACHE_LINES other rows were asked for. Never NULL.
const struct copy_line *copy_line(struct copy *c, unsigned row);
unsigned copy_length(struct copy *c, unsigned row);
bool copy_is_wrapped(struct copy *c, unsigned row);
// The text of a cell, " " for a blank one or beyond the end, "" for the tail of a wide one.
const char *copy_cell_text(struct copy *c, struct copy_pos at, size_t *len);

// --- copy_view.c
void copy_fill_view(struct copy *c, struct view *out);
char *copy_indicator(const struct copy *c); // NULL: hidden; owned

// --- copy_motion.c. Those that give a position do not move the cursor.
void copy_go(struct copy *c, struct copy_pos to);     // shows it, scrolling no more than needed
void copy_go_far(struct copy *c, struct copy_pos to); // shows it with rows around it
struct copy_pos copy_cursor(const struct copy *c);
void copy_left(struct copy *c);
void copy_right(struct copy *c);
void copy_up(struct copy *c, bool only_scrolls);
void copy_down(struct copy *c, bool only_scrolls);
void copy_page_up(struct copy *c, bool half);
bool copy_page_down(struct copy *c,
                    bool half); // true: it was at the bottom and the mode exits there
void copy_scroll_to(struct copy *c, unsigned oy);
struct copy_pos copy_line_start(struct copy *c, struct copy_pos at);
struct copy_pos copy_line_end(struct copy *c, struct copy_pos at);
struct copy_pos copy_indentation(struct copy *c, struct copy_pos at);
struct copy_pos copy_next_word(struct copy *c, struct copy_pos at, const char *separators);
struct copy_pos copy_word_end(struct copy *c, struct copy_pos at, const char *separators);
// `already`: from inside a word to its start, not to the word before.
struct copy_pos copy_previous_word(struct copy *c, struct copy_pos at, const char *separators,
                                   bool steps_back);
struct copy_pos copy_paragraph(struct copy *c, struct copy_pos at, bool is_forward);
bool copy_jump(struct copy *c, char kind, bool is_again, unsigned repeat);
bool copy_bracket(struct copy *c, struct copy_pos at, bool is_forward, struct copy_pos *out);
bool copy_prompt_row(struct copy *c, unsigned from, bool is_forward, unsigned flag, unsigned *out);
bool copy_is_blank(struct copy *c, struct copy_pos at);
bool copy_in_set(struct copy *c, struct copy_pos at, const char *set);

// --- copy_select.c
void copy_begin_selection(struct copy *c, enum copy_unit unit);
void copy_clear_selection(struct copy *c);
void copy_update_selection(struct copy *c); // after the cursor moved
void copy_other_end(struct copy *c);
void copy_select_word(struct copy *c);
void copy_select_line(struct copy *c, unsigned n);
// The selected columns of a row: [*from, *to). False: none.
bool copy_selected(struct copy *c, unsigned row, unsigned *from, unsigned *to);
enum copy_take_flag {
    COPY_TAKE_APPEND = 1 << 0,
    COPY_TAKE_KEEPS_SELECTION = 1 << 1,
    COPY_TAKE_CANCELS = 1 << 2,   // the mode is left afterwards
    COPY_TAKE_RESTORES = 1 << 3,  // the cursor goes back to where it was (copy-line)
    COPY_TAKE_PIPES = 1 << 4,     // a command gets it as its input
    COPY_TAKE_NO_BUFFER = 1 << 5, // only the command does
};
// Copies the selection into a buffer (prefix NULL: an automatic one) and to a command (a format;
// NULL or "": the option copy-command). True: done, and the mode is to be left if
// COPY_TAKE_CANCELS was asked. False: it goes on as a job.
bool copy_take(struct copy *c, unsigned flags, const char *prefix, const char *pipe,
               struct copy_place restore);
void copy_take_free(struct copy *c);
bool copy_is_taking(const struct copy *c);

// --- copy_search.c
enum copy_search_flag { COPY_SEARCH_UP = 1 << 0, COPY_SEARCH_REGEX = 1 << 1 };
// Looks for text from the cursor on; text NULL: the last one. Goes on as a job when it takes long.
bool copy_search_start(struct copy *c, const char *text, unsigned flags, unsigned repeat,
                       char **cause);
bool copy_search_again(struct copy *c, bool reverse, unsigned repeat, char **cause);
bool copy_search_incremental(struct copy *c, const char *prefixed, bool is_up, char **cause);
bool copy_is_searching(const struct copy *c);
void copy_search_stop(struct copy *c);
void copy_search_clear(struct copy *c); // matches are shown no more
void copy_search_free(struct copy *c);
bool copy_search_shows(const struct copy *c);
uint32_t copy_search_serial(const struct copy *c); // changes with what is shown as a match
// Matches on a row; returns how many were filled.
size_t copy_search_matches(struct copy *c, unsigned row, struct copy_match *out, size_t max);
// The one that the cursor stands on. False: none.
bool copy_search_current(const struct copy *c, struct copy_match *out);
const char *copy_search_text(const struct copy *c); // what was last looked for; "" if nothing
unsigned copy_search_count(const struct copy *c, bool *is_partial);

// --- copy_command.c
bool copy_mode_command(struct pane_mode_entry *e, struct client *cl, const char *name,
                       char *const *args, unsigned n_args, unsigned repeat, char **cause);
void copy_run_pending(struct copy *c); // may leave the mode: c is gone if it returns after that
void copy_pending_free(struct copy *c);
// Name of the n-th command of send-keys -X, NULL at the end: for completion and the manual.
const char *copy_command_name(size_t n);

#endif
