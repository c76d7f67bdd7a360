// #{...}: modifiers, conditions, comparisons, loops, look-ups.
#include "server/format/internal.h"

#include <stdlib.h>
#include <string.h>

#include "common/row.h"
#include "server/model/client.h"
#include "server/model/model.h"
#include "server/vt/vt.h"

#define MAX_PARTS 200 // of a condition or of && and ||

static bool has(const struct format_modifiers *m, const char *name)
{
    return format_modifier_find(m, name) != NULL;
}

// The next comma that separates; commas inside #[...] do not.
static const char *next_comma(const struct format_state *st, const char *s)
{
    unsigned open = 0;
    const char *start = s, *close;
    for (; *s != '\0' && (*s != ',' || open > 0); s++) {
        if (*s == '#' && s[1] == '{')
            open++;
        if (*s == '#' && s[1] != '\0' && strchr(",#{}:", s[1]) != NULL)
            s++;
        else if (*s == '}' && open > 0)
            open--;
        else if (*s == '#' && s[1] == '[' && open == 0 &&
                 (close = format_skip(st, s + 2, "]")) != NULL)
            s = close;
    }
    return *s == '\0' || !format_work(st, (size_t)(s - start)) ? NULL : s;
}

// `s` cut at its commas into at most max parts (the last keeps the rest). Owned.
static size_t split(const struct format_state *st, const char *s, char **parts, size_t max)
{
    size_t n = 0;
    while (n + 1 < max) {
        const char *comma = next_comma(st, s);
        if (comma == NULL)
            break;
        parts[n++] = xstrndup(s, (size_t)(comma - s));
        s = comma + 1;
    }
    parts[n++] = xstrdup(s);
    return n;
}

static void free_parts(char **parts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(parts[i]);
}

// A condition is a name, or else a text that is expanded; one that expansion leaves as it is names
// nothing and is false.
static bool is_condition_true(const struct format_state *st, const char *text)
{
    char *value = strstr(text, "#{") == NULL ? format_lookup(st, text) : NULL;
    if (value == NULL) {
        value = format_expand_text(st, text);
        if (strcmp(value, text) == 0) {
            free(value);
            return false;
        }
    }
    bool result = format_is_true(value);
    free(value);
    return result;
}

// #{?condition,then,condition,then,...,else}
static char *replace_condition(const struct format_state *st, const char *text)
{
    char *parts[MAX_PARTS];
    size_t n = split(st, text, parts, MAX_PARTS);
    char *result = NULL;
    size_t i = 0;
    for (; i + 1 < n && result == NULL; i += 2) {
        if (is_condition_true(st, parts[i]))
            result = format_expand_text(st, parts[i + 1]);
    }
    if (result == NULL && i < n && n > 1)
        result = format_expand_text(st, parts[i]);
    free_parts(parts, n);
    return result == NULL ? xstrdup("") : result;
}

// Both sides of "a,b", expanded, with marks taken back. False if there is no comma.
static bool both_sides(const struct format_state *st, const char *text, char **left, char **right)
{
    char *parts[2];
    size_t n = split(st, text, parts, 2);
    if (n == 2) {
        char *a = format_expand_text(st, parts[0]);
        char *b = format_expand_text(st, parts[1]);
        *left = format_unmark(a);
        *right = format_unmark(b);
        free(a);
        free(b);
    }
    free_parts(parts, n);
    return n == 2;
}

static bool compare(const char *name, const char *left, const char *right)
{
    int order = strcmp(left, right);
    if (strcmp(name, "==") == 0)
        return order == 0;
    if (strcmp(name, "!=") == 0)
        return order != 0;
    if (strcmp(name, "<=") == 0)
        return order <= 0;
    if (strcmp(name, ">=") == 0)
        return order >= 0;
    return *name == '<' ? order < 0 : order > 0;
}

static char *replace_logical(const struct format_state *st, const char *text, bool is_and)
{
    char *parts[MAX_PARTS];
    size_t n = split(st, text, parts, MAX_PARTS);
    bool result = is_and;
    for (size_t i = 0; i < n && result == is_and; i++) {
        char *value = format_expand_text(st, parts[i]);
        result = format_is_true(value);
        free(value);
    }
    free_parts(parts, n);
    return format_bool(result);
}

static char *replace_match(const struct format_state *st, const struct format_modifier *m,
                           const char *text)
{
    char *pattern, *subject;
    if (!both_sides(st, text, &pattern, &subject))
        return xstrdup("");
    const char *flags = format_modifier_arg(m, 0);
    bool ignores_case = strchr(flags, 'i') != NULL;
    bool result = false;
    if (format_work(st, strlen(pattern) + strlen(subject)))
        result = strchr(flags, 'r') != NULL ? format_regex_matches(pattern, subject, ignores_case)
                                            : format_glob_matches(pattern, subject, ignores_case);
    free(pattern);
    free(subject);
    return format_bool(result);
}

// The row of the pane's screen, from 1, where something is found; 0: nowhere.
static char *replace_search(const struct format_state *st, const struct format_modifier *m,
                            const char *text)
{
    struct pane *p = st->ctx.pane;
    if (p == NULL || p->vt == NULL)
        return xstrdup("0");
    const char *flags = format_modifier_arg(m, 0);
    bool ignores_case = strchr(flags, 'i') != NULL, is_regex = strchr(flags, 'r') != NULL;
    char *marked = format_expand_text(st, text);
    char *plain = format_unmark(marked);
    char *pattern = is_regex ? xstrdup(plain) : xasprintf("*%s*", plain);
    struct strbuf packed = {0}, line = {0};
    unsigned found = 0, top = vt_history_rows(p->vt), rows = vt_rows(p->vt);
    for (unsigned y = 0; y < rows && found == 0; y++) {
        strbuf_clear(&packed);
        strbuf_clear(&line);
        if (!format_work(st, 4 * (size_t)vt_cols(p->vt)) || !vt_row_pack(p->vt, top + y, &packed))
            break;
        row_to_text(packed.data, packed.len, false, &line);
        const char *subject = line.len == 0 ? "" : line.data;
        if (is_regex ? format_regex_matches(pattern, subject, ignores_case)
                     : format_glob_matches(pattern, subject, ignores_case))
            found = y + 1;
    }
    strbuf_free(&packed);
    strbuf_free(&line);
    free(pattern);
    free(plain);
    free(marked);
    return xasprintf("%u", found);
}

static char *replace_name_exists(const struct format_state *st, const struct format_modifier *m,
                                 const char *text)
{
    char *marked = format_expand_text(st, text);
    char *name = format_unmark(marked);
    bool result = false;
    if (strchr(format_modifier_arg(m, 0), 's') != NULL) {
        result = session_by_name(name) != NULL;
    } else if (st->ctx.session != NULL) {
        struct winlink *wl;
        TAILQ_FOREACH(wl, &st->ctx.session->winlinks, entry) {
            if (strcmp(wl->window->name, name) == 0)
                result = true;
        }
    }
    free(name);
    free(marked);
    return format_bool(result);
}

// #{R:text,count}
static char *replace_repeat(const struct format_state *st, const char *text)
{
    char *parts[2];
    struct strbuf b = {0};
    size_t n = split(st, text, parts, 2);
    if (n == 2) {
        char *piece = format_expand_text(st, parts[0]);
        char *count_text = format_expand_text(st, parts[1]);
        long long count;
        const char *why;
        if (parse_number(count_text, 1, 10000, &count, &why)) {
            for (long long i = 0; i < count && format_work(st, strlen(piece)); i++)
                strbuf_add_str(&b, piece);
        }
        free(piece);
        free(count_text);
    }
    free_parts(parts, n);
    return strbuf_take(&b);
}

// --- Loops: one format for each, or a second one for the one that is current.

struct loop {
    char *parts[2];
    size_t n;
    struct strbuf out;
};

static void loop_begin(const struct format_state *st, const char *text, struct loop *l)
{
    *l = (struct loop){0};
    l->n = split(st, text, l->parts, 2);
}

static char *loop_end(struct loop *l)
{
    free_parts(l->parts, l->n);
    return strbuf_take(&l->out);
}

// One turn over the context in *next. False when the work is used up.
static bool loop_turn(const struct format_state *st, struct format_state *next, bool is_current,
                      struct loop *l)
{
    next->ctx.is_status = st->ctx.is_status;
    next->ctx.extra = st->ctx.extra;
    format_fill_context(&next->ctx);
    char *text = format_expand_text(next, l->parts[is_current && l->n > 1 ? 1 : 0]);
    bool goes_on = format_work(st, strlen(text) + 1);
    if (goes_on)
        strbuf_add_str(&l->out, text);
    free(text);
    return goes_on;
}

static int by_name(const void *a, const void *b)
{
    const struct session *const *left = a, *const *right = b;
    return strcmp((*left)->name, (*right)->name);
}

static char *loop_sessions(const struct format_state *st, const char *text)
{
    struct loop l;
    struct session *s, **sorted = NULL;
    size_t n = 0;
    TAILQ_FOREACH(s, &all_sessions, entry) {
        sorted = xreallocarray(sorted, n + 1, sizeof(struct session *));
        sorted[n++] = s;
    }
    if (n > 1)
        qsort(sorted, n, sizeof(struct session *), by_name);
    loop_begin(st, text, &l);
    for (size_t i = 0; i < n; i++) {
        struct format_state next = *st;
        next.ctx = (struct format_context){.client = st->ctx.client, .session = sorted[i]};
        next.type = FORMAT_OF_SESSION;
        if (!loop_turn(st, &next, sorted[i] == st->ctx.session, &l))
            break;
    }
    free(sorted);
    return loop_end(&l);
}

static char *loop_windows(const struct format_state *st, const char *text)
{
    struct loop l;
    struct winlink *wl;
    if (st->ctx.session == NULL)
        return xstrdup("");
    loop_begin(st, text, &l);
    TAILQ_FOREACH(wl, &st->ctx.session->winlinks, entry) {
        struct format_state next = *st;
        next.ctx = (struct format_context){
            .client = st->ctx.client, .session = st->ctx.session, .winlink = wl};
        next.type = FORMAT_OF_WINDOW;
        if (!loop_turn(st, &next, wl == st->ctx.session->current, &l))
            break;
    }
    return loop_end(&l);
}

static char *loop_panes(const struct format_state *st, const char *text)
{
    struct loop l;
    struct pane *p;
    if (st->ctx.window == NULL)
        return xstrdup("");
    loop_begin(st, text, &l);
    TAILQ_FOREACH(p, &st->ctx.window->panes, entry) {
        struct format_state next = *st;
        next.ctx.pane = p;
        next.type = FORMAT_OF_PANE;
        if (!loop_turn(st, &next, p == st->ctx.window->active, &l))
            break;
    }
    return loop_end(&l);
}

static char *loop_clients(const struct format_state *st, const char *text)
{
    struct loop l;
    struct client *c;
    loop_begin(st, text, &l);
    TAILQ_FOREACH(c, &all_clients, entry) {
        if (!c->is_attached)
            continue;
        struct format_state next = *st;
        next.ctx = (struct format_context){.client = c, .session = c->session};
        next.type = FORMAT_OF_NONE;
        if (!loop_turn(st, &next, c == st->ctx.client, &l))
            break;
    }
    return loop_end(&l);
}

// --- The whole

static const char *const comparisons[] = {"==", "!=", "<=", ">=", "<", ">"};

// What stands behind the modifiers, before they change it.
static char *base_value(const struct format_state *st, const struct format_modifiers *m,
                        const char *text)
{
    const struct format_modifier *mod;
    char *left, *right;
    if (has(m, "l"))
        return format_unescape(text);
    if (has(m, "S"))
        return loop_sessions(st, text);
    if (has(m, "W"))
        return loop_windows(st, text);
    if (has(m, "P"))
        return loop_panes(st, text);
    if (has(m, "L"))
        return loop_clients(st, text);
    if (has(m, "R"))
        return replace_repeat(st, text);
    if ((mod = format_modifier_find(m, "N")) != NULL)
        return replace_name_exists(st, mod, text);
    if ((mod = format_modifier_find(m, "C")) != NULL)
        return replace_search(st, mod, text);
    if ((mod = format_modifier_find(m, "m")) != NULL)
        return replace_match(st, mod, text);
    if (has(m, "||"))
        return replace_logical(st, text, false);
    if (has(m, "&&"))
        return replace_logical(st, text, true);
    if (has(m, "!") || has(m, "!!")) {
        left = format_expand_text(st, text);
        bool is_true = format_is_true(left);
        free(left);
        return format_bool(has(m, "!") ? !is_true : is_true);
    }
    for (size_t i = 0; i < ARRAY_LEN(comparisons); i++) {
        if (!has(m, comparisons[i]))
            continue;
        if (!both_sides(st, text, &left, &right))
            return xstrdup("");
        char *value = format_bool(compare(comparisons[i], left, right));
        free(left);
        free(right);
        return value;
    }
    if ((mod = format_modifier_find(m, "e")) != NULL) {
        if (!both_sides(st, text, &left, &right))
            return xstrdup("");
        char *value = format_arithmetic(mod, left, right);
        free(left);
        free(right);
        return value;
    }
    if (*text == '?')
        return replace_condition(st, text + 1);
    if (has(m, "a") || has(m, "c") || strstr(text, "#{") != NULL)
        return format_expand_text(st, text);
    char *value = format_lookup(st, text);
    return value == NULL ? xstrdup("") : value;
}

// Replaces *value by fn's result over it, marks taken back first if the text itself matters.
static void apply(char **value, char *(*fn)(const char *), bool needs_plain)
{
    char *plain = needs_plain ? format_unmark(*value) : NULL;
    char *new = fn(needs_plain ? plain : *value);
    free(plain);
    free(*value);
    *value = new;
}

static void apply_quoting(const struct format_modifiers *m, char **value)
{
    for (size_t i = 0; i < m->n; i++) {
        if (strcmp(m->list[i].name, "q") != 0)
            continue;
        const char *kind = format_modifier_arg(&m->list[i], 0);
        bool is_style = strpbrk(kind, "eh") != NULL;
        apply(value, is_style ? format_quote_style : format_quote_shell, true);
    }
}

static void apply_expansion(const struct format_state *st, const struct format_modifiers *m,
                            char **value)
{
    if (!has(m, "E") && !has(m, "T"))
        return;
    struct format_state next = *st;
    next.expands_time = st->expands_time || has(m, "T");
    // Fields for the client only where nothing measures or cuts the text afterwards.
    next.is_top = st->is_top && m->n == 1;
    if (!format_work(st, strlen(*value)) || st->depth >= FORMAT_MAX_DEPTH) {
        free(*value);
        *value = xstrdup("");
        return;
    }
    char *timed = next.expands_time ? format_time_expand(&next, *value) : xstrdup(*value);
    char *text = format_expand_text(&next, timed);
    free(timed);
    free(*value);
    *value = text;
}

static void apply_lengths(const struct format_state *st, const struct format_modifiers *m,
                          char **value)
{
    const struct format_modifier *mod;
    const char *why;
    long long number;
    char *new;
    for (size_t i = 0; i < m->n; i++) {
        mod = &m->list[i];
        if (strcmp(mod->name, "s") != 0 || mod->argc < 2)
            continue;
        bool ignores_case = strchr(format_modifier_arg(mod, 2), 'i') != NULL;
        new = format_regex_replace(st, mod->argv[0], mod->argv[1], *value, ignores_case);
        free(*value);
        *value = new;
    }
    if ((mod = format_modifier_find(m, "=")) != NULL &&
        parse_number(format_modifier_arg(mod, 0), -FORMAT_MAX_COLS, FORMAT_MAX_COLS, &number,
                     &why) &&
        number != 0) {
        new = format_trim(*value, (long)number, format_modifier_arg(mod, 1));
        free(*value);
        *value = new;
    }
    if ((mod = format_modifier_find(m, "p")) != NULL &&
        parse_number(format_modifier_arg(mod, 0), -FORMAT_MAX_COLS, FORMAT_MAX_COLS, &number,
                     &why)) {
        new = format_pad(*value, (long)number);
        free(*value);
        *value = new;
    }
    format_work(st, strlen(*value));
    if (has(m, "n") || has(m, "w")) {
        size_t length = has(m, "w") ? format_width(*value) : strlen(*value);
        free(*value);
        *value = xasprintf("%zu", length);
    }
}

char *format_replace(const struct format_state *st, const char *key)
{
    struct format_modifiers m;
    if (!format_work(st, strlen(key)))
        return xstrdup("");
    format_modifiers_parse(st, &key, &m);
    char *value = base_value(st, &m, key);
    if (has(&m, "a"))
        apply(&value, format_ascii, true);
    if (has(&m, "c"))
        apply(&value, format_colour_hex, true);
    if (has(&m, "t")) {
        char *text = format_time_text(st, format_modifier_find(&m, "t"), value);
        free(value);
        value = text;
    }
    if (has(&m, "b"))
        apply(&value, format_basename, false);
    if (has(&m, "d"))
        apply(&value, format_dirname, false);
    apply_quoting(&m, &value);
    apply_expansion(st, &m, &value);
    apply_lengths(st, &m, &value);
    format_modifiers_free(&m);
    return value;
}
