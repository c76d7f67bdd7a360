// The modifiers of #{...}: what stands before the colon, "=/10/...;s/a/b/" and the like.
#include "server/format/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define WITHOUT_ARGUMENTS "labcdnwETSWPLR<>!"
#define WITH_ARGUMENTS    "mCNst=peq"
#define MAX_MODIFIERS     100
#define MAX_ARGUMENTS     100

static bool is_end(char c)
{
    return c == ';' || c == ':';
}

void format_modifiers_free(struct format_modifiers *m)
{
    for (size_t i = 0; i < m->n; i++) {
        for (size_t j = 0; j < m->list[i].argc; j++)
            free(m->list[i].argv[j]);
        free(m->list[i].argv);
    }
    free(m->list);
    *m = (struct format_modifiers){0};
}

static struct format_modifier *add(struct format_modifiers *m, const char *name, size_t len)
{
    m->list = xreallocarray(m->list, m->n + 1, sizeof *m->list);
    struct format_modifier *new = &m->list[m->n++];
    *new = (struct format_modifier){0};
    memcpy(new->name, name, len);
    return new;
}

static void add_argument(const struct format_state *st, struct format_modifier *m, const char *s,
                         const char *end)
{
    char *raw = xstrndup(s, (size_t)(end - s));
    m->argv = xreallocarray(m->argv, m->argc + 1, sizeof *m->argv);
    m->argv[m->argc++] = format_expand_text(st, raw);
    free(raw);
}

// Arguments between a delimiter of the writer's choice: "/a/b/". Returns behind them, NULL if they
// do not end.
static const char *parse_delimited(const struct format_state *st, struct format_modifier *m,
                                   const char *s)
{
    char ends[] = {*s, ';', ':', '\0'};
    do {
        if (*s == ends[0] && is_end(s[1]))
            return s + 1;
        const char *end = format_skip(st, s + 1, ends);
        if (end == NULL || m->argc >= MAX_ARGUMENTS)
            return NULL;
        add_argument(st, m, s + 1, end);
        s = end;
    } while (!is_end(*s));
    return s;
}

// One modifier at s. Returns behind it, NULL if there is none.
static const char *parse_one(const struct format_state *st, struct format_modifiers *out,
                             const char *s)
{
    static const char *const doubles[] = {"||", "&&", "!!", "!=", "==", "<=", ">="};
    for (size_t i = 0; i < ARRAY_LEN(doubles); i++) {
        if (strncmp(s, doubles[i], 2) == 0 && is_end(s[2])) {
            add(out, s, 2);
            return s + 2;
        }
    }
    if (strchr(WITHOUT_ARGUMENTS, *s) != NULL && is_end(s[1])) {
        add(out, s, 1);
        return s + 1;
    }
    if (strchr(WITH_ARGUMENTS, *s) == NULL)
        return NULL;
    if (is_end(s[1])) {
        add(out, s, 1);
        return s + 1;
    }
    struct format_modifier *m = add(out, s, 1);
    if (!ispunct((unsigned char)s[1]) || s[1] == '-') {
        const char *end = format_skip(st, s + 1, ":;");
        if (end != NULL)
            add_argument(st, m, s + 1, end);
        return end;
    }
    return parse_delimited(st, m, s + 1);
}

void format_modifiers_parse(const struct format_state *st, const char **key,
                            struct format_modifiers *out)
{
    const char *s = *key;
    *out = (struct format_modifiers){0};
    while (s != NULL && *s != '\0' && *s != ':') {
        if (*s == ';')
            s++;
        if (*s == '\0' || *s == ':')
            break;
        s = out->n < MAX_MODIFIERS ? parse_one(st, out, s) : NULL;
    }
    if (s != NULL && *s == ':')
        *key = s + 1;
    else
        format_modifiers_free(out);
}

const struct format_modifier *format_modifier_find(const struct format_modifiers *m,
                                                   const char *name)
{
    // The last of a kind counts.
    for (size_t i = m->n; i-- > 0;) {
        if (strcmp(m->list[i].name, name) == 0)
            return &m->list[i];
    }
    return NULL;
}

const char *format_modifier_arg(const struct format_modifier *m, size_t n)
{
    return m != NULL && n < m->argc ? m->argv[n] : "";
}
