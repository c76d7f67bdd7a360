// Controls, escape sequences and control sequences: which function each is. What is not known here
// is swallowed without a trace.
#include <vterm.h>

#include "server/vt/state.h"

void vt_control(struct vt *vt, unsigned char c)
{
    vt_flush_text(vt);
    switch (c) {
    case 0x07:
        vt_tell(vt, vt->callbacks.bell);
        break;
    case 0x08:
        vt_backspace(vt);
        break;
    case 0x09:
        vt_tab(vt, 1);
        break;
    case 0x0a:
    case 0x0b:
    case 0x0c:
        vt_line_feed(vt);
        if (vt_has_mode(vt, VT_MODE_NEWLINE))
            vt_carriage_return(vt);
        break;
    case 0x0d:
        vt_carriage_return(vt);
        break;
    case 0x0e:
        vt->gl = 1;
        break;
    case 0x0f:
        vt->gl = 0;
        break;
    case 0x84: // IND
        vt_line_feed(vt);
        break;
    case 0x85: // NEL
        vt_line_feed(vt);
        vt_carriage_return(vt);
        break;
    case 0x88: // HTS
        vt->tabs[vt->x] = 1;
        break;
    case 0x8d: // RI
        vt_reverse_line_feed(vt);
        break;
    case 0x8e: // SS2
        vt->single_shift = 2;
        break;
    case 0x8f: // SS3
        vt->single_shift = 3;
        break;
    default:
        break;
    }
}

void vt_escape(struct vt *vt, const char *bytes, size_t len)
{
    vt_flush_text(vt);
    if (len == 2) {
        switch (bytes[0]) {
        case '(':
        case ')':
        case '*':
        case '+':
            vt_designate(vt, (unsigned)(bytes[0] - '('), bytes[1]);
            break;
        case '-':
        case '.':
        case '/':
            vt_designate(vt, (unsigned)(bytes[0] - ',') & 3, bytes[1] == 'A' ? 'B' : bytes[1]);
            break;
        case '#':
            if (bytes[1] == '8')
                vt_alignment_test(vt);
            break;
        default:
            break;
        }
        return;
    }
    if (len != 1)
        return;
    switch (bytes[0]) {
    case '6':
        vt_column_back(vt);
        break;
    case '7':
        vt_save_cursor(vt);
        break;
    case '8':
        vt_restore_cursor(vt);
        break;
    case '9':
        vt_column_forward(vt);
        break;
    case '=':
        vt_set_mode(vt, VT_MODE_APP_KEYPAD, true);
        break;
    case '>':
        vt_set_mode(vt, VT_MODE_APP_KEYPAD, false);
        break;
    case 'c':
        vt_reset(vt);
        break;
    case 'n':
        vt->gl = 2;
        break;
    case 'o':
        vt->gl = 3;
        break;
    default:
        break;
    }
}

// Parameter i, or `missing`.
static long arg(const struct csi *csi, int i, long missing)
{
    return i < csi->n_args && !CSI_ARG_IS_MISSING(csi->args[i]) ? (long)CSI_ARG(csi->args[i])
                                                                : missing;
}

// A count: at least 1.
static unsigned count(const struct csi *csi, int i)
{
    long n = arg(csi, i, 1);

    return n < 1 ? 1 : (unsigned)n;
}

static void clear_tabs(struct vt *vt, long how)
{
    if (how == 0)
        vt->tabs[vt->x] = 0;
    else if (how == 3)
        memset(vt->tabs, 0, vt->tabs_cap);
}

static void set_modes(struct vt *vt, const struct csi *csi, bool is_private, bool on)
{
    for (int i = 0; i < csi->n_args; i++) {
        unsigned n = (unsigned)arg(csi, i, 0);

        if (is_private)
            vt_private_mode(vt, n, on);
        else
            vt_ansi_mode(vt, n, on);
    }
}

static void plain(struct vt *vt, const struct csi *csi)
{
    switch (csi->final) {
    case '@':
        vt_insert_chars(vt, count(csi, 0));
        break;
    case 'A':
    case 'k':
        vt_cursor_up(vt, count(csi, 0));
        break;
    case 'B':
    case 'e':
        vt_cursor_down(vt, count(csi, 0));
        break;
    case 'C':
    case 'a':
        vt_cursor_right(vt, count(csi, 0));
        break;
    case 'D':
    case 'j':
        vt_cursor_left(vt, count(csi, 0));
        break;
    case 'E':
        vt_cursor_down(vt, count(csi, 0));
        vt_carriage_return(vt);
        break;
    case 'F':
        vt_cursor_up(vt, count(csi, 0));
        vt_carriage_return(vt);
        break;
    case 'G':
    case '`':
        vt_cursor_address(vt, (long)(vt->y - (vt_has_mode(vt, VT_MODE_ORIGIN) ? vt->top : 0)) + 1,
                          arg(csi, 0, 1));
        break;
    case 'H':
    case 'f':
        vt_cursor_address(vt, arg(csi, 0, 1), arg(csi, 1, 1));
        break;
    case 'I':
        vt_tab(vt, count(csi, 0));
        break;
    case 'J':
        vt_erase_display(vt, (int)arg(csi, 0, 0), false);
        break;
    case 'K':
        vt_erase_line(vt, (int)arg(csi, 0, 0), false);
        break;
    case 'L':
        vt_insert_lines(vt, count(csi, 0));
        break;
    case 'M':
        vt_delete_lines(vt, count(csi, 0));
        break;
    case 'P':
        vt_delete_chars(vt, count(csi, 0));
        break;
    case 'S':
        vt_scroll_up(vt, count(csi, 0));
        break;
    case 'T':
        if (csi->n_args <= 1) // five: xterm's highlight tracking
            vt_scroll_down(vt, count(csi, 0));
        break;
    case '^':
        vt_scroll_down(vt, count(csi, 0));
        break;
    case 'X':
        vt_erase_chars(vt, count(csi, 0));
        break;
    case 'Z':
        vt_back_tab(vt, count(csi, 0));
        break;
    case 'b':
        vt_repeat(vt, count(csi, 0));
        break;
    case 'c':
        if (arg(csi, 0, 0) == 0)
            vt_report_attributes(vt, 0);
        break;
    case 'd':
        vt_cursor_address(
            vt, arg(csi, 0, 1),
            (long)(vt->x - (vt_has_mode(vt, VT_MODE_ORIGIN) ? MIN_OF(vt->left, vt->x) : 0)) + 1);
        break;
    case 'g':
        clear_tabs(vt, arg(csi, 0, 0));
        break;
    case 'h':
    case 'l':
        set_modes(vt, csi, false, csi->final == 'h');
        break;
    case 'm':
        vt_sgr(vt, csi);
        break;
    case 'n':
        vt_report_status(vt, (unsigned)arg(csi, 0, 0), false);
        break;
    case 'r':
        vt_set_margins(vt, arg(csi, 0, 0), arg(csi, 1, 0));
        break;
    case 's':
        if (vt_has_private(vt, PRIVATE_LEFT_RIGHT))
            vt_set_side_margins(vt, arg(csi, 0, 0), arg(csi, 1, 0));
        else
            vt_save_cursor(vt);
        break;
    case 't':
        vt_window_op(vt, csi);
        break;
    case 'u':
        vt_restore_cursor(vt);
        break;
    default:
        break;
    }
}

static void question(struct vt *vt, const struct csi *csi)
{
    switch (csi->final) {
    case 'J':
        vt_erase_display(vt, (int)arg(csi, 0, 0), true);
        break;
    case 'K':
        vt_erase_line(vt, (int)arg(csi, 0, 0), true);
        break;
    case 'h':
    case 'l':
        set_modes(vt, csi, true, csi->final == 'h');
        break;
    case 'n':
        vt_report_status(vt, (unsigned)arg(csi, 0, 0), true);
        break;
    case 'r':
    case 's':
        vt_save_modes(vt, csi, csi->final == 'r');
        break;
    default:
        break;
    }
}

static void greater(struct vt *vt, const struct csi *csi)
{
    switch (csi->final) {
    case 'c':
        if (arg(csi, 0, 0) == 0)
            vt_report_attributes(vt, '>');
        break;
    case 'q':
        if (arg(csi, 0, 0) == 0)
            vt_report_name(vt);
        break;
    case 'm': // modifyOtherKeys
        if (arg(csi, 0, 0) == 4)
            vt->key_level = (int)MIN_OF(arg(csi, 1, 0), 2);
        else if (csi->n_args == 0 || CSI_ARG_IS_MISSING(csi->args[0]))
            vt->key_level = 0;
        break;
    case 'n':
        if (arg(csi, 0, 0) == 4)
            vt->key_level = 0;
        break;
    default:
        break;
    }
}

static void set_cursor_shape(struct vt *vt, long shape)
{
    if (shape >= 0 && shape <= 6) {
        vt->cursor_shape = (uint8_t)shape;
        vt->grid.change++;
    }
}

static void with_intermediate(struct vt *vt, const struct csi *csi, char leader, char i)
{
    if (leader == '?' && i == '$' && csi->final == 'p') {
        vt_report_mode(vt, (unsigned)arg(csi, 0, 0), true);
        return;
    }
    if (leader != 0)
        return;
    if (i == '$' && csi->final == 'p') {
        vt_report_mode(vt, (unsigned)arg(csi, 0, 0), false);
    } else if (i == '!' && csi->final == 'p') {
        vt_soft_reset(vt);
    } else if (i == ' ' && csi->final == 'q') {
        set_cursor_shape(vt, arg(csi, 0, 0));
    } else if (i == '"' && csi->final == 'q') {
        vt->pen.is_protected = arg(csi, 0, 0) == 1;
        vt->is_pen_dirty = true;
    } else if (i == '\'' && csi->final == '}') {
        vt_insert_columns(vt, count(csi, 0));
    } else if (i == '\'' && csi->final == '~') {
        vt_delete_columns(vt, count(csi, 0));
    }
}

void vt_csi(struct vt *vt, const struct csi *csi)
{
    vt_flush_text(vt);
    if (csi->leader[0] != '\0' && csi->leader[1] != '\0')
        return;
    if (csi->intermediates[0] != '\0') {
        if (csi->intermediates[1] == '\0')
            with_intermediate(vt, csi, csi->leader[0], csi->intermediates[0]);
        return;
    }
    switch (csi->leader[0]) {
    case '\0':
        plain(vt, csi);
        break;
    case '?':
        question(vt, csi);
        break;
    case '>':
        greater(vt, csi);
        break;
    case '=':
        if (csi->final == 'c' && arg(csi, 0, 0) == 0)
            vt_report_attributes(vt, '=');
        break;
    default:
        break;
    }
}
