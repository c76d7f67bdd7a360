// The emulation's state, shared by the files of server/vt and by nobody else.
#ifndef AMUX_SERVER_VT_STATE_H
#define AMUX_SERVER_VT_STATE_H

#include <stdlib.h>

#include "common/utf8.h"
#include "server/grid/grid.h"
#include "server/vt/gate.h"
#include "server/vt/vt.h"

enum charset {
    CHARSET_ASCII,
    CHARSET_GRAPHICS, // DEC special graphics (SCS 0)
    CHARSET_UK,       // SCS A
};

// What DECSC saves, and the part of it that is drawn with.
struct pen {
    struct style style;
    bool is_protected; // DECSCA
};
struct saved_cursor {
    struct grid_cursor cursor;
    struct pen pen;
    uint8_t charsets[4]; // enum charset of G0 to G3
    uint8_t gl;
    bool is_origin;
    bool is_wrap;
};

// Modes beyond enum vt_mode.
enum private_mode {
    PRIVATE_LEFT_RIGHT = 1 << 0, // DECLRMM (69)
    PRIVATE_CURSOR_HIDDEN = 1 << 1,
    PRIVATE_CURSOR_BLINK = 1 << 2, // 12
    PRIVATE_REVERSE_WRAP = 1 << 3, // 45
    PRIVATE_TEXT_CURSOR_SAVED = 1 << 4,
};

#define VT_TITLE_MAX_BYTES 2048u
#define VT_TITLE_STACK_MAX 10u

struct vt {
    struct grid grid;
    unsigned cols, rows; // the grid's, at hand

    // Cursor; x stays in the last column while a wrap is pending.
    unsigned x, y;
    bool is_pending;
    unsigned top, bottom; // DECSTBM, inclusive
    unsigned left, right; // DECSLRM; 0 and cols - 1 unless PRIVATE_LEFT_RIGHT

    struct pen pen;
    bool is_pen_dirty;  // grid.pen and grid.blank must be looked up again
    uint32_t pen_flags; // style number and cell flags of text in this pen
    uint8_t charsets[4];
    uint8_t gl;
    int single_shift; // SS2, SS3: set for the next character; 0: none
    struct utf8_state utf8;

    unsigned modes;                      // enum vt_mode
    unsigned private;                    // enum private_mode
    unsigned saved_modes, saved_private; // XTSAVE
    struct saved_cursor saved[2];        // by screen
    struct grid_cursor main_cursor; // where the main screen's cursor was when the alternate came
    uint8_t *tabs;                  // a byte a column
    unsigned tabs_cap;
    uint32_t last_glyph; // REP: code point or cluster text
    char last_cluster[CLUSTER_MAX_BYTES];
    uint8_t last_cluster_len;
    // Grapheme being built: valid while nothing but text came since.
    bool has_cluster;
    uint32_t cluster_prev;
    int32_t cluster_state;

    bool refuses_alternate;          // vt_set_alternate()
    uint8_t cursor_shape;            // enum cursor_shape
    int key_level;                   // modifyOtherKeys
    uint32_t default_fg, default_bg; // of the client's terminal
    unsigned xpixel, ypixel;

    char *title, *icon;
    char *title_stack[VT_TITLE_STACK_MAX], *icon_stack[VT_TITLE_STACK_MAX];
    unsigned n_titles;
    char *terminal_name;

    int64_t sync_since_us;
    struct view_cursor frozen_cursor;
    uint64_t frozen_top; // history rows, those dropped too, when it was frozen

    struct gate *gate;
    struct parser *parser;
    struct paste_state *paste; // keyenc.c
    struct vt_callbacks callbacks;
    void *arg;
    struct vt_limits limits;
};

#define vt_has_mode(vt, m)    (((vt)->modes & (m)) != 0)
#define vt_has_private(vt, m) (((vt)->private & (m)) != 0)

// state.c
void vt_set_mode(struct vt *vt, unsigned mode, bool on); // tells the owner if it changed
void vt_reply(struct vt *vt, const void *data, size_t len);
void vt_replyf(struct vt *vt, const char *fmt, ...) PRINTF_LIKE(2, 3);
void vt_save_cursor(struct vt *vt);
void vt_restore_cursor(struct vt *vt);
void vt_show_alternate(struct vt *vt, bool on, bool clears, bool saves_cursor);
void vt_hold_output(struct vt *vt, bool on);
void vt_set_default_tabs(struct vt *vt, unsigned from);
void vt_lookup_pen(struct vt *vt);
static inline void vt_ready_pen(struct vt *vt)
{
    if (vt->is_pen_dirty)
        vt_lookup_pen(vt);
}
// Blank cell of erasures: the pen's background only.
static inline struct cell vt_blank(struct vt *vt)
{
    vt_ready_pen(vt);
    return grid_blank(&vt->grid);
}

// text.c: printing. Returns the bytes used: text up to the first control.
size_t vt_put_text(struct vt *vt, const char *bytes, size_t len);
void vt_flush_text(struct vt *vt); // a control came: a cut character becomes U+FFFD
void vt_repeat(struct vt *vt, unsigned n);

// cursor.c
static inline void vt_move_to(struct vt *vt, unsigned x, unsigned y)
{
    vt->x = x;
    vt->y = y;
    vt->is_pending = false;
    vt->grid.change++;
}
void vt_cursor_address(struct vt *vt, long row, long col); // from 1, by origin mode
void vt_cursor_up(struct vt *vt, unsigned n);
void vt_cursor_down(struct vt *vt, unsigned n);
void vt_cursor_left(struct vt *vt, unsigned n);
void vt_cursor_right(struct vt *vt, unsigned n);
void vt_carriage_return(struct vt *vt);
void vt_line_feed(struct vt *vt);
void vt_reverse_line_feed(struct vt *vt);
void vt_backspace(struct vt *vt);
void vt_tab(struct vt *vt, unsigned n);
void vt_back_tab(struct vt *vt, unsigned n);
void vt_set_margins(struct vt *vt, long top, long bottom);
void vt_set_side_margins(struct vt *vt, long left, long right);
void vt_column_back(struct vt *vt);
void vt_column_forward(struct vt *vt);

// edit.c
void vt_erase_display(struct vt *vt, int how, bool selective);
void vt_erase_line(struct vt *vt, int how, bool selective);
void vt_erase_chars(struct vt *vt, unsigned n);
void vt_insert_chars(struct vt *vt, unsigned n);
void vt_delete_chars(struct vt *vt, unsigned n);
void vt_insert_lines(struct vt *vt, unsigned n);
void vt_delete_lines(struct vt *vt, unsigned n);
void vt_insert_columns(struct vt *vt, unsigned n);
void vt_delete_columns(struct vt *vt, unsigned n);
void vt_scroll_up(struct vt *vt, unsigned n);
void vt_scroll_down(struct vt *vt, unsigned n);
void vt_alignment_test(struct vt *vt);
// Makes room for n columns at the cursor (ICH, IRM).
void vt_open_gap(struct vt *vt, unsigned n);

// csi.c, controls.c: what the parser found
struct csi {
    const char *leader; // "", "?", ">" ...
    const char *intermediates;
    char final;
    const long *args; // CSI_ARG of vterm.h
    int n_args;
};
void vt_control(struct vt *vt, unsigned char c);
void vt_escape(struct vt *vt, const char *bytes, size_t len);
void vt_csi(struct vt *vt, const struct csi *csi);

// sgr.c, modes.c, reports.c, osc.c, dcs.c, charset.c
void vt_sgr(struct vt *vt, const struct csi *csi);
size_t vt_sgr_text(const struct style *s, char *out, size_t size); // parameters, without CSI and m
void vt_private_mode(struct vt *vt, unsigned number, bool on);
void vt_ansi_mode(struct vt *vt, unsigned number, bool on);
void vt_save_modes(struct vt *vt, const struct csi *csi, bool restores);
void vt_report_mode(struct vt *vt, unsigned number, bool is_private);
void vt_report_status(struct vt *vt, unsigned what, bool is_private);
void vt_report_attributes(struct vt *vt, char leader);
void vt_report_name(struct vt *vt);
void vt_window_op(struct vt *vt, const struct csi *csi);
void vt_string(struct vt *vt, enum gate_string kind, const char *data, size_t len,
               bool ends_in_bel);
void vt_osc(struct vt *vt, const char *data, size_t len, bool ends_in_bel);
void vt_dcs(struct vt *vt, const char *data, size_t len);
void vt_set_title(struct vt *vt, const char *data, size_t len, bool title, bool icon);
// Text of a program made safe: valid UTF-8, no controls, at most max bytes. Owned by the caller.
char *vt_clean_text(const char *data, size_t len, size_t max);
void vt_designate(struct vt *vt, unsigned g, char set);
extern const uint16_t vt_graphics[32]; // DEC special graphics from 0x5f on

// keyenc.c
struct paste_state *vt_paste_state_new(void);

static inline void vt_tell(struct vt *vt, void (*fn)(void *arg))
{
    if (fn != NULL)
        fn(vt->arg);
}

#endif
