// Answers to what programs ask: attributes, status, sizes, settings. Each question gets one answer;
// what is not known gets none.
#include <stdio.h>
#include <vterm.h>

#include "server/vt/state.h"

void vt_report_attributes(struct vt *vt, char leader)
{
    if (leader == 0)
        vt_replyf(vt, "\033[?62;22;52c"); // VT220, colour, clipboard
    else if (leader == '>')
        vt_replyf(vt, "\033[>1;0;0c");
    else
        vt_replyf(vt, "\033P!|00000000\033\\");
}

void vt_report_name(struct vt *vt)
{
    vt_replyf(vt, "\033P>|%s\033\\", vt->terminal_name != NULL ? vt->terminal_name : "amux");
}

void vt_report_status(struct vt *vt, unsigned what, bool is_private)
{
    unsigned x = vt->x, y = vt->y;

    if (what == 5 && !is_private) {
        vt_replyf(vt, "\033[0n");
        return;
    }
    if (what != 6)
        return;
    if (vt_has_mode(vt, VT_MODE_ORIGIN)) {
        y -= MIN_OF(y, vt->top);
        x -= MIN_OF(x, vt->left);
    }
    if (is_private)
        vt_replyf(vt, "\033[?%u;%u;1R", y + 1, x + 1); // DECXCPR, with the page
    else
        vt_replyf(vt, "\033[%u;%uR", y + 1, x + 1);
}

static void push_title(struct vt *vt, bool title, bool icon)
{
    unsigned last = VT_TITLE_STACK_MAX - 1;

    if (vt->n_titles == VT_TITLE_STACK_MAX) {
        free(vt->title_stack[0]);
        free(vt->icon_stack[0]);
        memmove(&vt->title_stack[0], &vt->title_stack[1], last * sizeof vt->title_stack[0]);
        memmove(&vt->icon_stack[0], &vt->icon_stack[1], last * sizeof vt->icon_stack[0]);
        vt->n_titles--;
    }
    vt->title_stack[vt->n_titles] = title ? xstrdup(vt->title) : NULL;
    vt->icon_stack[vt->n_titles] = icon ? xstrdup(vt->icon) : NULL;
    vt->n_titles++;
}

static void pop_title(struct vt *vt, bool title, bool icon)
{
    char *t, *i;

    if (vt->n_titles == 0)
        return;
    vt->n_titles--;
    t = vt->title_stack[vt->n_titles];
    i = vt->icon_stack[vt->n_titles];
    vt->title_stack[vt->n_titles] = vt->icon_stack[vt->n_titles] = NULL;
    if (t != NULL && title)
        vt_set_title(vt, t, strlen(t), true, false);
    if (i != NULL && icon)
        vt_set_title(vt, i, strlen(i), false, true);
    free(t);
    free(i);
}

void vt_window_op(struct vt *vt, const struct csi *csi)
{
    unsigned long op = csi->n_args > 0 ? CSI_ARG_OR(csi->args[0], 0) : 0;
    unsigned long what = csi->n_args > 1 ? CSI_ARG_OR(csi->args[1], 0) : 0;

    switch (op) {
    case 14:
        if (vt->xpixel > 0 && vt->ypixel > 0)
            vt_replyf(vt, "\033[4;%u;%ut", vt->ypixel, vt->xpixel);
        break;
    case 16:
        if (vt->xpixel > 0 && vt->ypixel > 0)
            vt_replyf(vt, "\033[6;%u;%ut", vt->ypixel / vt->rows, vt->xpixel / vt->cols);
        break;
    case 18:
        vt_replyf(vt, "\033[8;%u;%ut", vt->rows, vt->cols);
        break;
    case 19:
        vt_replyf(vt, "\033[9;%u;%ut", vt->rows, vt->cols);
        break;
    case 22:
        push_title(vt, what != 1, what != 2);
        break;
    case 23:
        pop_title(vt, what != 1, what != 2);
        break;
    default:
        break; // a program moves no window; 21 would type a title as input
    }
}

// DECRQSS: what a setting is, as the sequence that sets it.
static void report_setting(struct vt *vt, const char *what)
{
    char sgr[128];

    if (strcmp(what, "m") == 0) {
        size_t n = vt_sgr_text(&vt->pen.style, sgr, sizeof sgr);

        vt_replyf(vt, "\033P1$r0%s%sm\033\\", n > 0 ? ";" : "", sgr);
    } else if (strcmp(what, "r") == 0) {
        vt_replyf(vt, "\033P1$r%u;%ur\033\\", vt->top + 1, vt->bottom + 1);
    } else if (strcmp(what, "s") == 0) {
        vt_replyf(vt, "\033P1$r%u;%us\033\\", vt->left + 1, vt->right + 1);
    } else if (strcmp(what, " q") == 0) {
        vt_replyf(vt, "\033P1$r%u q\033\\", vt->cursor_shape);
    } else if (strcmp(what, "\"q") == 0) {
        vt_replyf(vt, "\033P1$r%u\"q\033\\", vt->pen.is_protected ? 1u : 0u);
    } else if (strcmp(what, "\"p") == 0) {
        vt_replyf(vt, "\033P1$r62;1\"p\033\\");
    } else if (strcmp(what, "t") == 0) {
        vt_replyf(vt, "\033P1$r%ut\033\\", vt->rows);
    } else {
        vt_replyf(vt, "\033P0$r\033\\");
    }
}

void vt_dcs(struct vt *vt, const char *data, size_t len)
{
    if (len >= 2 && len <= 6 && data[0] == '$' && data[1] == 'q')
        report_setting(vt, data + 2);
}
