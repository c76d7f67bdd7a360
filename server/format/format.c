// Expansion of formats: literal text, # escapes and one-letter names; #{...} is in replace.c.
#include "server/format/internal.h"

#include <stdlib.h>
#include <string.h>

#include "common/style.h"
#include "common/utf8.h"
#include "server/model/client.h"
#include "server/model/model.h"

static unsigned last_time_step;
static format_job_output_fn job_output;

unsigned format_last_time_step(void)
{
    return last_time_step;
}

void format_set_job_output(format_job_output_fn fn)
{
    job_output = fn;
}

bool format_is_true(const char *text)
{
    return *text != '\0' && strcmp(text, "0") != 0;
}

bool format_work(const struct format_state *st, size_t amount)
{
    if (st->run->work <= 0)
        return false;
    st->run->work -= amount > (size_t)FORMAT_MAX_WORK ? FORMAT_MAX_WORK : (long)amount;
    return st->run->work > 0;
}

void format_fill_context(struct format_context *ctx)
{
    if (ctx->session == NULL && ctx->winlink != NULL)
        ctx->session = ctx->winlink->session;
    if (ctx->session == NULL && ctx->client != NULL && ctx->pane == NULL && ctx->window == NULL)
        ctx->session = ctx->client->session;
    if (ctx->window == NULL && ctx->winlink != NULL)
        ctx->window = ctx->winlink->window;
    if (ctx->window == NULL && ctx->pane != NULL)
        ctx->window = ctx->pane->window;
    if (ctx->winlink == NULL && ctx->session != NULL) {
        if (ctx->window == NULL)
            ctx->winlink = ctx->session->current;
        else if (ctx->session->current != NULL && ctx->session->current->window == ctx->window)
            ctx->winlink = ctx->session->current;
        else
            ctx->winlink = winlink_by_window(ctx->session, ctx->window);
    }
    if (ctx->window == NULL && ctx->winlink != NULL)
        ctx->window = ctx->winlink->window;
    if (ctx->pane == NULL && ctx->window != NULL)
        ctx->pane = ctx->window->active;
}

const char *format_skip(const struct format_state *st, const char *s, const char *ends)
{
    unsigned open = 0;
    const char *start = s;
    for (; *s != '\0'; s++) {
        if (*s == '#' && s[1] == '{')
            open++;
        if (*s == '#' && s[1] != '\0' && strchr(",#{}:", s[1]) != NULL) {
            s++;
            continue;
        }
        if (*s == '}' && open > 0) {
            open--;
            if (open == 0 && strchr(ends, '}') != NULL)
                break;
            continue;
        }
        if (open == 0 && strchr(ends, *s) != NULL)
            break;
    }
    if (!format_work(st, (size_t)(s - start) + 1))
        return NULL;
    return *s == '\0' ? NULL : s;
}

char *format_unescape(const char *s)
{
    struct strbuf b = {0};
    unsigned open = 0;
    for (; *s != '\0'; s++) {
        if (*s == '#' && s[1] == '{')
            open++;
        if (open == 0 && *s == '#' && s[1] != '\0' && strchr(",#{}:", s[1]) != NULL)
            s++;
        else if (*s == '}' && open > 0)
            open--;
        strbuf_add_char(&b, *s);
    }
    return strbuf_take(&b);
}

char *format_unmark(const char *s)
{
    char *copy = xstrdup(s);
    for (char *c = copy; *c != '\0'; c++) {
        if (*c == MARK_HASH)
            *c = '#';
    }
    return copy;
}

static const char *alias(char letter)
{
    switch (letter) {
    case 'D':
        return "pane_id";
    case 'F':
        return "window_flags";
    case 'H':
        return "host";
    case 'I':
        return "window_index";
    case 'P':
        return "pane_index";
    case 'S':
        return "session_name";
    case 'T':
        return "pane_title";
    case 'W':
        return "window_name";
    case 'h':
        return "host_short";
    default:
        return NULL;
    }
}

// #(command): s stands behind the parenthesis. Returns where the text goes on, NULL if it never
// closes.
static const char *expand_job(const struct format_state *st, const char *s, struct strbuf *out)
{
    unsigned open = 1;
    const char *end = s;
    for (; *end != '\0'; end++) {
        if (*end == '(')
            open++;
        if (*end == ')' && --open == 0)
            break;
    }
    if (*end == '\0')
        return NULL;
    if (job_output != NULL) {
        char *text = xstrndup(s, (size_t)(end - s));
        char *marked = format_expand_text(st, text);
        char *command = format_unmark(marked);
        const char *value = job_output(&st->ctx, command);
        for (; value != NULL && *value != '\0' && format_work(st, 1); value++) {
            if ((unsigned char)*value < 0xfd)
                strbuf_add_char(out, *value);
        }
        free(command);
        free(marked);
        free(text);
    }
    return end + 1;
}

// A run of # that ends in [ is markup and stays as it is (an even number of them is a literal [);
// otherwise two # are one. s stands at the second #, or at the [.
static const char *expand_hashes(const char *s, struct strbuf *out)
{
    size_t n = strspn(s, "#");
    if (s[n] == '[') {
        strbuf_add(out, s - 1, n + 2);
        return s + n + 1;
    }
    strbuf_add_char(out, '#');
    return s + 1;
}

static char *expand_literal(const struct format_state *st, const char *fmt)
{
    struct strbuf out = {0};
    const char *s = fmt;
    while (s != NULL && *s != '\0') {
        size_t plain = strcspn(s, "#\xfe");
        if (!format_work(st, plain + 1))
            break;
        strbuf_add(&out, s, plain);
        s += plain;
        if (*s == '\0')
            break;
        if (*s == MARK_TIME) {
            size_t len = strcspn(s, "\xff");
            strbuf_add(&out, s, len);
            s += len;
            continue;
        }
        s++;
        if (*s == '(') {
            s = expand_job(st, s + 1, &out);
        } else if (*s == '{') {
            const char *end = format_skip(st, s - 1, "}");
            if (end == NULL)
                break;
            char *key = xstrndup(s + 1, (size_t)(end - s - 1));
            char *value = format_replace(st, key);
            if (format_work(st, strlen(value)))
                strbuf_add_str(&out, value);
            free(value);
            free(key);
            s = end + 1;
        } else if (*s == '#' || *s == '[') {
            s = expand_hashes(s, &out);
        } else if (*s == ',' || *s == '}') {
            strbuf_add_char(&out, *s++);
        } else if (*s != '\0' && alias(*s) != NULL) {
            char *value = format_lookup(st, alias(*s++));
            if (value != NULL)
                strbuf_add_str(&out, value);
            free(value);
        } else {
            strbuf_add_char(&out, '#');
        }
    }
    return strbuf_take(&out);
}

char *format_expand_text(const struct format_state *st, const char *fmt)
{
    if (*fmt == '\0' || st->depth >= FORMAT_MAX_DEPTH)
        return xstrdup("");
    struct format_state next = *st;
    next.depth++;
    next.is_top = false;
    return expand_literal(&next, fmt);
}

// Bytes that mark something inside the module are nothing that a text may bring along.
static char *without_marks(const char *s)
{
    struct strbuf b = {0};
    while (*s != '\0') {
        size_t plain = strcspn(s, "\xfd\xfe\xff");
        strbuf_add(&b, s, plain);
        s += plain + strspn(s + plain, "\xfd\xfe\xff");
    }
    return strbuf_take(&b);
}

// For a client to draw: valid UTF-8, no control bytes but those of time fields, each # of a
// foreign value doubled, which a drawer shows as one and never takes for a style.
static char *finish_status(const char *s)
{
    struct strbuf b = {0};
    size_t len = strlen(s);
    while (len > 0) {
        if (*s == MARK_TIME || *s == MARK_TIME_END) {
            strbuf_add_char(&b, *s == MARK_TIME ? STATUS_TIME : STATUS_TIME_END);
            s++, len--;
            continue;
        }
        if (*s == MARK_HASH) {
            strbuf_add_str(&b, "##");
            s++, len--;
            continue;
        }
        uint32_t cp;
        size_t used = utf8_next(s, len, &cp);
        if (cp >= 0x20 && (cp < 0x7f || cp > 0x9f)) {
            char utf8[UTF8_MAX_BYTES];
            strbuf_add(&b, utf8, utf8_encode(cp, utf8));
        }
        s += used, len -= used;
    }
    return strbuf_take(&b);
}

static enum format_type context_type(const struct format_context *ctx)
{
    if (ctx->pane != NULL)
        return FORMAT_OF_PANE;
    if (ctx->winlink != NULL || ctx->window != NULL)
        return FORMAT_OF_WINDOW;
    return ctx->session != NULL ? FORMAT_OF_SESSION : FORMAT_OF_NONE;
}

static char *expand(const struct format_context *ctx, const char *fmt, bool expands_time)
{
    struct format_run run = {.work = FORMAT_MAX_WORK};
    struct format_state st = {
        .ctx = *ctx,
        .type = context_type(ctx),
        .run = &run,
        .expands_time = expands_time || ctx->is_status,
        .is_top = ctx->is_status,
    };
    format_fill_context(&st.ctx);

    char *clean = without_marks(fmt);
    if (st.expands_time) {
        char *timed = format_time_expand(&st, clean);
        free(clean);
        clean = timed;
    }
    char *text = expand_literal(&st, clean);
    char *result = ctx->is_status ? finish_status(text) : format_unmark(text);
    free(text);
    free(clean);
    last_time_step = run.time_step;
    return result;
}

char *format_expand(const struct format_context *ctx, const char *fmt)
{
    return expand(ctx, fmt, false);
}

char *format_expand_time(const struct format_context *ctx, const char *fmt)
{
    return expand(ctx, fmt, true);
}
