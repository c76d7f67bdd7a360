// Modes: setting, saving and reporting them.
#include <vterm.h>

#include "server/vt/state.h"

// Private modes that are one flag and no more.
static const struct {
    unsigned number;
    unsigned mode;    // enum vt_mode
    unsigned private; // enum private_mode
} flags[] = {
    {1, VT_MODE_APP_CURSOR, 0},
    {7, VT_MODE_WRAP, 0},
    {12, 0, PRIVATE_CURSOR_BLINK},
    {45, 0, PRIVATE_REVERSE_WRAP},
    {66, VT_MODE_APP_KEYPAD, 0},
    {67, VT_MODE_BACKSPACE, 0},
    {1004, VT_MODE_FOCUS, 0},
    {1005, VT_MODE_MOUSE_UTF8, 0},
    {1006, VT_MODE_MOUSE_SGR, 0},
    {1007, VT_MODE_ALT_SCROLL, 0},
    {1015, VT_MODE_MOUSE_URXVT, 0},
    {2004, VT_MODE_PASTE, 0},
    // Those below do more than set their flag.
    {5, VT_MODE_REVERSE_SCREEN, 0},
    {6, VT_MODE_ORIGIN, 0},
    {9, VT_MODE_MOUSE_X10, 0},
    {25, 0, PRIVATE_CURSOR_HIDDEN},
    {47, VT_MODE_ALTERNATE, 0},
    {69, 0, PRIVATE_LEFT_RIGHT},
    {1000, VT_MODE_MOUSE_BUTTONS, 0},
    {1002, VT_MODE_MOUSE_DRAG, 0},
    {1003, VT_MODE_MOUSE_ALL, 0},
    {1047, VT_MODE_ALTERNATE, 0},
    {1049, VT_MODE_ALTERNATE, 0},
    {2026, VT_MODE_SYNC, 0},
};
#define N_SIMPLE 12

static void set_mouse(struct vt *vt, unsigned mode, bool on)
{
    // One kind of report at a time.
    unsigned kinds =
        VT_MODE_MOUSE_X10 | VT_MODE_MOUSE_BUTTONS | VT_MODE_MOUSE_DRAG | VT_MODE_MOUSE_ALL;

    vt_set_mode(vt, on ? kinds & ~mode : kinds, false);
    vt_set_mode(vt, mode, on);
}

void vt_private_mode(struct vt *vt, unsigned number, bool on)
{
    for (size_t i = 0; i < N_SIMPLE; i++) {
        if (flags[i].number != number)
            continue;
        if (flags[i].mode != 0)
            vt_set_mode(vt, flags[i].mode, on);
        else if (on)
            vt->private |= flags[i].private;
        else
            vt->private &= ~flags[i].private;
        if (number == 7 && !on)
            vt->is_pending = false;
        vt->grid.change++;
        return;
    }
    switch (number) {
    case 3: // DECCOLM: the size is the person's, but the screen is cleared
        vt_private_mode(vt, 69, false);
        vt->top = 0;
        vt->bottom = vt->rows - 1;
        vt_cursor_address(vt, 1, 1);
        vt_erase_display(vt, 2, false);
        break;
    case 5:
        vt_set_mode(vt, VT_MODE_REVERSE_SCREEN, on);
        vt->grid.change++;
        break;
    case 6:
        vt_set_mode(vt, VT_MODE_ORIGIN, on);
        vt_cursor_address(vt, 1, 1);
        break;
    case 9:
        set_mouse(vt, VT_MODE_MOUSE_X10, on);
        break;
    case 25:
        vt->private = on ? vt->private & ~(unsigned)PRIVATE_CURSOR_HIDDEN
                         : vt->private | PRIVATE_CURSOR_HIDDEN;
        vt->grid.change++;
        break;
    case 47:
        vt_show_alternate(vt, on, false, false);
        break;
    case 69:
        vt->private =
            on ? vt->private | PRIVATE_LEFT_RIGHT : vt->private & ~(unsigned)PRIVATE_LEFT_RIGHT;
        vt->left = 0;
        vt->right = vt->cols - 1;
        break;
    case 1000:
        set_mouse(vt, VT_MODE_MOUSE_BUTTONS, on);
        break;
    case 1002:
        set_mouse(vt, VT_MODE_MOUSE_DRAG, on);
        break;
    case 1003:
        set_mouse(vt, VT_MODE_MOUSE_ALL, on);
        break;
    case 1047:
        vt_show_alternate(vt, on, true, false);
        break;
    case 1048:
        if (on)
            vt_save_cursor(vt);
        else
            vt_restore_cursor(vt);
        break;
    case 1049:
        vt_show_alternate(vt, on, true, true);
        break;
    case 2026:
        vt_hold_output(vt, on);
        break;
    default:
        break;
    }
}

void vt_ansi_mode(struct vt *vt, unsigned number, bool on)
{
    if (number == 4)
        vt_set_mode(vt, VT_MODE_INSERT, on);
    else if (number == 20)
        vt_set_mode(vt, VT_MODE_NEWLINE, on);
}

// Whether a private mode is set; false if it is not known.
static bool lookup(const struct vt *vt, unsigned number, bool *is_set)
{
    for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
        if (flags[i].number != number)
            continue;
        *is_set = (vt->modes & flags[i].mode) != 0 || (vt->private & flags[i].private) != 0;
        if (number == 25)
            *is_set = !*is_set;
        return true;
    }
    return false;
}

void vt_save_modes(struct vt *vt, const struct csi *csi, bool restores)
{
    for (int i = 0; i < csi->n_args; i++) {
        unsigned number = CSI_ARG_IS_MISSING(csi->args[i]) ? 0 : (unsigned)CSI_ARG(csi->args[i]);
        bool is_set;

        if (!lookup(vt, number, &is_set))
            continue;
        for (size_t f = 0; f < ARRAY_LEN(flags); f++) {
            if (flags[f].number != number)
                continue;
            if (restores) {
                is_set = (vt->saved_modes & flags[f].mode) != 0 ||
                         (vt->saved_private & flags[f].private) != 0;
                vt_private_mode(vt, number, number == 25 ? !is_set : is_set);
            } else {
                vt->saved_modes = (vt->saved_modes & ~flags[f].mode) | (vt->modes & flags[f].mode);
                vt->saved_private =
                    (vt->saved_private & ~flags[f].private) | (vt->private & flags[f].private);
            }
        }
    }
}

// DECRQM. 1 set, 2 reset, 3 permanently set; unknown ones are answered with 0, as DEC asks.
void vt_report_mode(struct vt *vt, unsigned number, bool is_private)
{
    int answer = 0;
    bool is_set;

    if (!is_private) {
        if (number == 4)
            answer = vt_has_mode(vt, VT_MODE_INSERT) ? 1 : 2;
        else if (number == 20)
            answer = vt_has_mode(vt, VT_MODE_NEWLINE) ? 1 : 2;
        vt_replyf(vt, "\033[%u;%d$y", number, answer);
        return;
    }
    if (number == 2027) // clusters are always one cell
        answer = 3;
    else if (lookup(vt, number, &is_set))
        answer = is_set ? 1 : 2;
    vt_replyf(vt, "\033[?%u;%d$y", number, answer);
}
