// capture-pane: rows as text, with or without their styles.
#include "server/vt/state.h"

struct capture {
    unsigned flags;
    struct strbuf *out;
    struct style style; // in force in the output
    char link[4097];
    size_t link_len;
};

// Backslashes doubled, controls in octal (-C).
static void add_text(struct capture *c, const char *text, size_t len)
{
    if (!(c->flags & VT_CAPTURE_ESCAPE)) {
        strbuf_add(c->out, text, len);
        return;
    }
    for (size_t i = 0; i < len; i++) {
        uint8_t byte = (uint8_t)text[i];

        if (byte == '\\')
            strbuf_add_str(c->out, "\\\\");
        else if (byte < 0x20 || byte == 0x7f)
            strbuf_addf(c->out, "\\%03o", byte);
        else
            strbuf_add_char(c->out, (char)byte);
    }
}

static bool needs_reset(const struct style *from, const struct style *to)
{
    return (from->attrs & ~to->attrs) != 0 || (from->fg != 0 && to->fg == 0) ||
           (from->bg != 0 && to->bg == 0) || (from->ul != 0 && to->ul == 0);
}

static void add_style(struct capture *c, const struct style *to)
{
    struct style change = *to;
    char params[128], text[160];
    size_t n;

    change.link = c->style.link = 0;
    if (style_equal(&change, &c->style))
        return;
    if (needs_reset(&c->style, to)) {
        n = vt_sgr_text(&change, params, sizeof params);
        add_text(c, "\033[0", 3);
        if (n > 0)
            add_text(c, ";", 1);
    } else {
        struct style add = *to;

        add.attrs = (uint16_t)(to->attrs & ~c->style.attrs);
        if (add.fg == c->style.fg)
            add.fg = 0;
        if (add.bg == c->style.bg)
            add.bg = 0;
        if (add.ul == c->style.ul)
            add.ul = 0;
        n = vt_sgr_text(&add, params, sizeof params);
        add_text(c, "\033[", 2);
    }
    memcpy(text, params, n);
    text[n] = 'm';
    add_text(c, text, n + 1);
    c->style = change;
}

static void add_link(struct capture *c, const char *link, size_t len)
{
    const char *uri;

    if (len == c->link_len && (len == 0 || memcmp(link, c->link, len) == 0))
        return;
    if (len >= sizeof c->link)
        return;
    c->link_len = len;
    if (len == 0) {
        add_text(c, "\033]8;;\033\\", 7);
        return;
    }
    memcpy(c->link, link, len);
    uri = memchr(link, ';', len);
    add_text(c, "\033]8;", 4);
    if (uri != NULL && uri > link)
        add_text(c, "id=", 3);
    add_text(c, link, len);
    add_text(c, "\033\\", 2);
}

static void capture_row(struct capture *c, const struct strbuf *packed, unsigned cols)
{
    bool joins = (c->flags & VT_CAPTURE_JOIN) != 0;
    struct row_reader r;
    struct row_cell cell;
    struct strbuf blanks = {0};
    unsigned n_cells = 0;

    if (!row_reader_init(&r, packed->data, packed->len))
        return;
    if (!(c->flags & (VT_CAPTURE_KEEP_BLANKS | VT_CAPTURE_STYLES)) && !joins) {
        size_t start = c->out->len;

        if (!(c->flags & VT_CAPTURE_ESCAPE)) {
            row_to_text(packed->data, packed->len, false, c->out);
            return;
        }
        while (row_reader_next(&r, &cell))
            add_text(c, cell.text_len > 0 ? cell.text : " ", cell.text_len > 0 ? cell.text_len : 1);
        while (c->out->len > start && c->out->data[c->out->len - 1] == ' ')
            c->out->data[--c->out->len] = '\0';
        return;
    }
    // Spaces wait: at the end of the row they count only if they are wanted or look like something.
    while (row_reader_next(&r, &cell)) {
        bool is_blank = cell.text_len == 0 || (cell.text_len == 1 && cell.text[0] == ' ');
        bool is_plain = cell.style.bg == 0 &&
                        (cell.style.attrs &
                         (ATTR_REVERSE | ATTR_STRIKE | ATTR_OVERLINE | ATTR_ANY_UNDERLINE)) == 0;

        n_cells += cell.is_wide ? 2 : 1;
        if (is_blank && (is_plain || !(c->flags & VT_CAPTURE_STYLES)) &&
            !(c->flags & VT_CAPTURE_KEEP_BLANKS) && !joins) {
            strbuf_add_char(&blanks, ' ');
            continue;
        }
        if (blanks.len > 0) {
            if (c->flags & VT_CAPTURE_STYLES) {
                add_link(c, "", 0);
                add_style(c, &(struct style){0});
            }
            add_text(c, blanks.data, blanks.len);
            strbuf_clear(&blanks);
        }
        if (c->flags & VT_CAPTURE_STYLES) {
            add_link(c, cell.link, cell.link_len);
            add_style(c, &cell.style);
        }
        if (cell.text_len > 0)
            add_text(c, cell.text, cell.text_len);
        else
            add_text(c, "  ", cell.is_wide ? 2 : 1);
    }
    strbuf_free(&blanks);
    if ((c->flags & VT_CAPTURE_KEEP_BLANKS) && !(c->flags & VT_CAPTURE_NO_BLANK_CELLS)) {
        if (n_cells < cols && (c->flags & VT_CAPTURE_STYLES)) {
            add_link(c, "", 0);
            add_style(c, &(struct style){0});
        }
        for (; n_cells < cols; n_cells++)
            add_text(c, " ", 1);
    }
}

// A row as who looks from outside sees it: while output is held, the last complete frame stands for
// the screen, and what has scrolled off since is still in that frame.
static bool pack_seen(const struct vt *vt, unsigned n, struct strbuf *out, bool *is_hidden)
{
    const struct grid_frozen *f = &vt->grid.frozen;
    unsigned in_history = vt_history_rows(vt);

    *is_hidden = false;
    if (f->n_rows == 0)
        return vt_row_pack(vt, n, out);
    if (n < in_history) {
        *is_hidden = vt_history_dropped(vt) + n >= vt->frozen_top;
        return *is_hidden || vt_row_pack(vt, n, out);
    }
    n -= in_history;
    if (n >= f->n_rows)
        return false;
    grid_pack((struct grid *)&vt->grid, f->rows[n], out); // packing changes nothing that shows
    return true;
}

void vt_capture(const struct vt *vt, unsigned from, unsigned to, unsigned flags, struct strbuf *out)
{
    struct capture c = {.flags = flags, .out = out};
    struct strbuf packed = {0};
    struct row_reader r;

    for (unsigned n = from; n <= to; n++) {
        bool is_hidden = false;

        strbuf_clear(&packed);
        if (flags & VT_CAPTURE_SAVED ? !vt_saved_row_pack(vt, n, &packed)
                                     : !pack_seen(vt, n, &packed, &is_hidden))
            break;
        if (is_hidden)
            continue;
        capture_row(&c, &packed, vt->cols);
        if (!(flags & VT_CAPTURE_JOIN) || !row_reader_init(&r, packed.data, packed.len) ||
            !(r.flags & ROW_WRAPPED)) {
            if (flags & VT_CAPTURE_STYLES)
                add_link(&c, "", 0);
            strbuf_add_char(out, '\n');
        }
        if (n == UINT32_MAX)
            break;
    }
    strbuf_free(&packed);
}
