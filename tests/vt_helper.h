// A terminal under test: what it replied and told, and its rows as text.
#ifndef AMUX_TESTS_VT_HELPER_H
#define AMUX_TESTS_VT_HELPER_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/row.h"
#include "server/vt/vt.h"

struct term {
    struct vt *vt;
    struct strbuf replies;
    struct strbuf told; // one line a callback
    unsigned n_bells;
};

static void term_reply(void *arg, const void *data, size_t len)
{
    strbuf_add(&((struct term *)arg)->replies, data, len);
}
static void term_bell(void *arg)
{
    ((struct term *)arg)->n_bells++;
}
static void term_title(void *arg, const char *text)
{
    strbuf_addf(&((struct term *)arg)->told, "title %s\n", text);
}
static void term_rename(void *arg, const char *text)
{
    strbuf_addf(&((struct term *)arg)->told, "rename %s\n", text);
}
static void term_cwd(void *arg, const char *text)
{
    strbuf_addf(&((struct term *)arg)->told, "cwd %s\n", text);
}
static void term_clipboard(void *arg, const char *selection, const void *data, size_t len)
{
    strbuf_addf(&((struct term *)arg)->told, "clipboard %s %.*s\n", selection, (int)len,
                (const char *)data);
}
static void term_notify(void *arg, const char *kind, const char *text)
{
    strbuf_addf(&((struct term *)arg)->told, "notify %s %s\n", kind, text);
}
static void term_progress(void *arg, int state, int percent)
{
    strbuf_addf(&((struct term *)arg)->told, "progress %d %d\n", state, percent);
}

static inline struct term *term_new(unsigned rows, unsigned cols)
{
    static const struct vt_callbacks callbacks = {
        .reply = term_reply, .bell = term_bell, .title = term_title, .rename = term_rename,
        .cwd = term_cwd, .clipboard = term_clipboard, .notify = term_notify,
        .progress = term_progress,
    };
    static const struct vt_limits limits = {2000, 4u << 20};
    struct term *t = xcalloc(1, sizeof *t);

    t->vt = vt_new(cols, rows, &limits, &callbacks, t);
    return t;
}
static inline void term_free(struct term *t)
{
    vt_free(t->vt);
    strbuf_free(&t->replies);
    strbuf_free(&t->told);
    free(t);
}
static inline void term_feed(struct term *t, const char *text)
{
    vt_feed(t->vt, text, strlen(text));
}
static inline const char *term_replies(struct term *t)
{
    static char text[4096];

    snprintf(text, sizeof text, "%s", t->replies.data != NULL ? t->replies.data : "");
    strbuf_clear(&t->replies);
    return text;
}
static inline const char *term_told(struct term *t)
{
    static char text[4096];

    snprintf(text, sizeof text, "%s", t->told.data != NULL ? t->told.data : "");
    strbuf_clear(&t->told);
    return text;
}
// Rows [from, to) of history and screen, a line each, blank ones at the end left out.
static inline char *term_lines(struct term *t, unsigned from, unsigned to)
{
    struct strbuf out = {0}, packed = {0};

    for (unsigned n = from; n < to; n++) {
        strbuf_clear(&packed);
        ck_assert(vt_row_pack(t->vt, n, &packed));
        row_to_text(packed.data, packed.len, false, &out);
        strbuf_add_char(&out, '\n');
    }
    strbuf_free(&packed);
    while (out.len > 0 && out.data[out.len - 1] == '\n')
        out.data[--out.len] = '\0';
    return strbuf_take(&out);
}
static inline const char *term_screen(struct term *t)
{
    static char *last;
    unsigned n = vt_history_rows(t->vt);

    free(last);
    return last = term_lines(t, n, n + vt_rows(t->vt));
}
static inline const char *term_history(struct term *t)
{
    static char *last;

    free(last);
    return last = term_lines(t, 0, vt_history_rows(t->vt));
}
static inline void term_assert_cursor(struct term *t, unsigned row, unsigned col)
{
    struct view v;

    vt_view(t->vt, &v);
    ck_assert_uint_eq(v.cursor.y + 1, row);
    ck_assert_uint_eq(v.cursor.x + (vt_is_wrap_pending(t->vt) ? 1 : 0) + 1, col);
}
// Invariants of any terminal at any time.
static inline void term_check(struct term *t)
{
    struct view v;
    struct strbuf packed = {0};

    vt_view(t->vt, &v);
    ck_assert_uint_lt(v.cursor.x, v.cols);
    ck_assert_uint_lt(v.cursor.y, v.rows);
    for (unsigned n = 0; n < vt_history_rows(t->vt) + vt_rows(t->vt); n++) {
        struct row_reader r;
        struct row_cell c;

        // Plain tests: ck_assert writes down each place that it passes, which is slow here.
        strbuf_clear(&packed);
        if (!vt_row_pack(t->vt, n, &packed) || !row_reader_init(&r, packed.data, packed.len))
            ck_abort_msg("row %u is damaged", n);
        if (n >= vt_history_rows(t->vt) && r.cols > vt_cols(t->vt))
            ck_abort_msg("row %u has %u columns", n, r.cols);
        while (row_reader_next(&r, &c)) {
            if (c.text_len > CLUSTER_MAX_BYTES)
                ck_abort_msg("row %u has a cell of %zu bytes", n, c.text_len);
        }
        if (r.cols != 0)
            ck_abort_msg("row %u lacks %u columns", n, r.cols);
    }
    strbuf_free(&packed);
}

#endif
