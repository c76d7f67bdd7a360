// The status lines of a client: one markup text a row, made from its options and sent when it
// differs from what was sent. Times at the top level are fields that the client fills in.
#include "server/push/push.h"

#include <stdlib.h>
#include <string.h>

#include "common/status_layout.h"
#include "common/style.h"
#include "server/format/format.h"
#include "server/mode/mode.h"
#include "server/model/client.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/push/frame_state.h"
#include "server/push/status_jobs.h"
#include "server/server.h"

#define STATUS_ROWS_MAX 5
#define LINE_MAX_BYTES  10000 // five of them fit one message

struct status_state {
    struct client *client;
    struct job *job;
    char *lines[STATUS_ROWS_MAX];
    unsigned n_lines;
    char *style;
    bool is_at_top, is_sent;
    char *prompt; // as sent; NULL: none
    unsigned prompt_col;
    bool has_prompt_sent;
    // What makes the lines drawn change by themselves: commands, and times that are not fields.
    bool has_commands;
    unsigned step_s;  // seconds between changes of such a time; 0: there is none
    int64_t built_us; // wall clock of the last expansion
};

static struct due status_due(const void *state, int64_t now_us);
static void status_run(void *state);
static const struct job_spec status_job = {"status text", status_due, status_run};

static struct due status_due(const void *state, int64_t now_us)
{
    (void)now_us;
    const struct status_state *st = state;
    const struct client *c = st->client;
    if (c->session == NULL || c->is_suspended || st->n_lines == 0)
        return due_never();
    int64_t due_us = INT64_MAX;
    long long interval = options_number(c->session->options, "status-interval");
    if (st->has_commands && interval > 0)
        due_us = st->built_us + interval * 1000000;
    if (st->step_s != 0) {
        // Time zones lie quarters of an hour apart: no longer step ends with the hour everywhere.
        int64_t step_us = (int64_t)MIN_OF(st->step_s, 900) * 1000000;
        due_us = MIN_OF(due_us, (st->built_us / step_us + 1) * step_us);
    }
    return due_us == INT64_MAX ? due_never() : due_at_wall(due_us);
}

static void status_run(void *state)
{
    struct status_state *st = state;
    // Counts as built even if the frame is held back: then it is due again an interval later.
    st->built_us = clock_wall_us();
    frame_invalidate(st->client, REDRAW_STATUS);
}

// --- building

static char *expand_part(struct format_context *ctx, struct status_state *st, const char *fmt)
{
    char *text = format_expand(ctx, fmt);
    unsigned step_s = format_last_time_step();
    if (step_s != 0 && (st->step_s == 0 || step_s < st->step_s))
        st->step_s = step_s;
    return text;
}

static const char *align_word(long long justify)
{
    static const char *const words[] = {"left", "centre", "right", "absolute-centre"};
    return words[justify >= 0 && (size_t)justify < ARRAY_LEN(words) ? justify : 0];
}

// status-left or status-right: style, length and text of one end.
static void add_end(struct strbuf *b, struct format_context *ctx, struct status_state *st,
                    const char *side)
{
    struct options *o = st->client->session->options;
    char *name_style = xasprintf("status-%s-style", side),
         *name_length = xasprintf("status-%s-length", side);
    char *name_text = xasprintf("status-%s", side);
    char *style = expand_part(ctx, st, options_string(o, name_style));
    char *text = expand_part(ctx, st, options_string(o, name_text));
    long long max = options_number(o, name_length);
    text[status_layout_prefix(text, (unsigned)MAX_OF(MIN_OF(max, 32767), 0))] = '\0';
    strbuf_addf(b, "#[%salign=%s range=%s %s]#[push-default]%s#[pop-default]#[norange default]",
                strcmp(side, "right") == 0 ? "nolist " : "", side, side, style, text);
    free(name_style);
    free(name_length);
    free(name_text);
    free(style);
    free(text);
}

static bool is_plain(const char *style)
{
    return *style == '\0' || strcmp(style, "default") == 0;
}

static void add_style(struct strbuf *b, struct format_context *ctx, struct status_state *st,
                      struct options *o, const char *name)
{
    const char *value = options_string(o, name);
    if (is_plain(value))
        return;
    char *style = expand_part(ctx, st, value);
    strbuf_addf(b, " %s", style);
    free(style);
}

static void add_window(struct strbuf *b, struct format_context *ctx, struct status_state *st,
                       struct winlink *wl)
{
    struct session *s = st->client->session;
    struct options *o = wl->window->options;
    bool is_current = wl == s->current;
    ctx->winlink = wl;
    ctx->window = wl->window;
    ctx->pane = wl->window->active;

    strbuf_addf(b, "#[range=window|%d%s", wl->index, is_current ? " list=focus" : "");
    if (is_current && !is_plain(options_string(o, "window-status-current-style")))
        add_style(b, ctx, st, o, "window-status-current-style");
    else
        add_style(b, ctx, st, o, "window-status-style");
    if (wl == TAILQ_FIRST(&s->last_winlinks))
        add_style(b, ctx, st, o, "window-status-last-style");
    if (wl->alerts & ALERT_BELL)
        add_style(b, ctx, st, o, "window-status-bell-style");
    else if (wl->alerts & (ALERT_ACTIVITY | ALERT_SILENCE))
        add_style(b, ctx, st, o, "window-status-activity-style");
    char *text = expand_part(
        ctx, st,
        options_string(o, is_current ? "window-status-current-format" : "window-status-format"));
    strbuf_addf(b, "]#[push-default]%s#[pop-default]#[norange%s default]", text,
                is_current ? " list=on" : "");
    free(text);
    if (TAILQ_NEXT(wl, entry) != NULL) {
        char *separator = expand_part(ctx, st, options_string(o, "window-status-separator"));
        strbuf_add_str(b, separator);
        free(separator);
    }
}

static char *build_default(struct status_state *st, struct format_context ctx)
{
    struct strbuf b = {0};
    struct session *s = st->client->session;
    struct format_context whole = ctx;
    add_end(&b, &whole, st, "left");
    strbuf_addf(&b, "#[list=on align=%s]#[list=left-marker]<#[list=right-marker]>#[list=on]",
                align_word(options_number(s->options, "status-justify")));
    struct winlink *wl;
    TAILQ_FOREACH (wl, &s->winlinks, entry) {
        add_window(&b, &ctx, st, wl);
    }
    add_end(&b, &whole, st, "right");
    return strbuf_take(&b);
}

// The second line: the panes of the window.
static char *build_panes(const struct format_context *ctx)
{
    struct strbuf b = {0};
    const struct window *w = ctx->window;
    const struct pane *p;
    strbuf_add_str(&b, "#[align=centre]");
    TAILQ_FOREACH (p, &w->panes, entry) {
        strbuf_addf(&b, "#[range=pane|%%%u]%s%u[%ux%u]#[norange default] ", p->id,
                    p == w->active ? "#[reverse]" : "",
                    window_pane_index(w, p) +
                        (unsigned)options_number(w->options, "pane-base-index"),
                    p->cols, p->rows);
    }
    return strbuf_take(&b);
}

// A line of the person's own: status-format[row].
static const char *own_format(struct options *o, unsigned row)
{
    size_t n = options_array_len(o, "status-format");
    for (size_t i = 0; i < n; i++) {
        unsigned index;
        const char *text = options_array_at(o, "status-format", i, &index);
        if (index == row)
            return *text != '\0' ? text : NULL;
    }
    return NULL;
}

static char *build_line(struct status_state *st, unsigned row)
{
    struct client *c = st->client;
    struct session *s = c->session;
    struct format_context ctx = {.client = c,
                                 .session = s,
                                 .winlink = s->current,
                                 .window = s->current->window,
                                 .pane = s->current->window->active,
                                 .is_status = true};
    const char *own = own_format(s->options, row);
    char *line;
    if (own != NULL)
        line = expand_part(&ctx, st, own);
    else if (row == 0)
        line = build_default(st, ctx);
    else if (row == 1)
        line = build_panes(&ctx);
    else
        line = xstrdup("");
    frame_text_cut(line, LINE_MAX_BYTES);
    return line;
}

// status-style, with the older status-fg and status-bg over it.
static char *whole_style(struct status_state *st, struct format_context *ctx)
{
    static const char *const names[2][2] = {{"status-fg", "fg"}, {"status-bg", "bg"}};
    struct options *o = st->client->session->options;
    struct strbuf b = {0};
    char *style = expand_part(ctx, st, options_string(o, "status-style"));
    frame_text_cut(style, 1000);
    strbuf_add_str(&b, style);
    free(style);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        colour_t colour = (colour_t)options_number(o, names[i][0]);
        if (colour != COLOUR_DEFAULT)
            strbuf_addf(&b, ",%s=%s", names[i][1], colour_to_name(colour));
    }
    return strbuf_take(&b);
}

// --- sending

static void send_prompt(struct client *c, struct status_state *st)
{
    unsigned col = 0;
    char *text = c->prompt != NULL ? prompt_line(c, &col) : NULL;
    if (text != NULL)
        frame_text_cut(text, LINE_MAX_BYTES);
    bool is_same =
        text == NULL ? st->prompt == NULL
                     : st->prompt != NULL && col == st->prompt_col && strcmp(text, st->prompt) == 0;
    if (is_same && st->has_prompt_sent) {
        free(text);
        return;
    }
    struct msg_PROMPT msg = {.is_on = text != NULL,
                             .text = text,
                             .cursor_col = (uint16_t)MIN_OF(col, UINT16_MAX),
                             .style = options_string(c->session->options, "message-style")};
    st->has_prompt_sent = frame_send(c, MSG_PROMPT, &msg, 12 + (text != NULL ? strlen(text) : 0));
    free(st->prompt);
    st->prompt = text;
    st->prompt_col = col;
}

void status_send(struct client *c)
{
    struct status_state *st = c->status;
    if (st == NULL || c->session == NULL || c->session->current == NULL)
        return;
    struct options *o = c->session->options;
    unsigned n = status_rows(c->session);
    char *lines[STATUS_ROWS_MAX + 1] = {0};
    st->step_s = 0;
    status_jobs_were_asked();
    for (unsigned i = 0; i < n; i++)
        lines[i] = build_line(st, i);
    st->built_us = clock_wall_us();

    struct format_context ctx = {.client = c,
                                 .session = c->session,
                                 .winlink = c->session->current,
                                 .window = c->session->current->window,
                                 .pane = c->session->current->window->active};
    char *style = whole_style(st, &ctx);
    st->has_commands = status_jobs_were_asked();
    bool is_at_top = options_number(o, "status-position") == 0;

    bool is_same = st->is_sent && n == st->n_lines && is_at_top == st->is_at_top &&
                   strcmp(style, st->style) == 0;
    for (unsigned i = 0; i < n && is_same; i++)
        is_same = strcmp(lines[i], st->lines[i]) == 0;
    size_t size = 8 + strlen(style);
    for (unsigned i = 0; i < n; i++)
        size += 4 + strlen(lines[i]);
    if (!is_same) {
        struct msg_STATUS msg = {
            .at_top = is_at_top, .lines = (const char *const *)lines, .style = style};
        st->is_sent = frame_send(c, MSG_STATUS, &msg, size);
    }
    for (unsigned i = 0; i < STATUS_ROWS_MAX; i++) {
        free(st->lines[i]);
        st->lines[i] = i < n ? lines[i] : NULL;
    }
    free(st->style);
    st->style = style;
    st->n_lines = n;
    st->is_at_top = is_at_top;
    send_prompt(c, st);
    job_ask(st->job);
}

void status_start(struct client *c)
{
    if (c->status != NULL)
        status_stop(c);
    struct status_state *st = xcalloc(1, sizeof *st);
    st->client = c;
    c->status = st;
    st->job = job_add(server_jobs(), &status_job, st);
    status_jobs_init();
}

void status_stop(struct client *c)
{
    struct status_state *st = c->status;
    if (st == NULL)
        return;
    job_remove(st->job);
    for (unsigned i = 0; i < STATUS_ROWS_MAX; i++)
        free(st->lines[i]);
    free(st->style);
    free(st->prompt);
    free(st);
    c->status = NULL;
}

// --- clicks

enum mouse_place status_place_at(struct client *c, unsigned x, unsigned row, struct winlink **wl)
{
    const struct status_state *st = c->status;
    *wl = NULL;
    if (st == NULL || c->session == NULL || row >= st->n_lines)
        return PLACE_STATUS_DEFAULT;
    struct status_range range = status_layout_at(st->lines[row], c->cols, x);
    switch (range.type) {
    case RANGE_LEFT:
        return PLACE_STATUS_LEFT;
    case RANGE_RIGHT:
        return PLACE_STATUS_RIGHT;
    case RANGE_WINDOW:
        *wl = winlink_by_index(c->session, (int)range.arg);
        return *wl != NULL ? PLACE_STATUS : PLACE_STATUS_DEFAULT;
    default:
        return PLACE_STATUS_DEFAULT;
    }
}

struct winlink *status_winlink_at(struct client *c, unsigned x)
{
    struct winlink *wl;
    status_place_at(c, x, 0, &wl);
    return wl;
}
