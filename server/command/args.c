// Flags and arguments of one command, by the flags string of its row; and how they are printed.
#include "config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "server/command/language.h"

struct flag {
    char letter;
    bool is_block;
    char *value; // NULL: the flag takes none
};
struct args {
    struct flag *flags; // in the order given
    size_t n_flags;
    char **rest; // NULL-terminated
    bool *is_block;
    size_t n_rest;
};

// The flag's place in the row: 0 unknown, 1 plain, 2 takes a value.
static int flag_kind(const struct command_spec *spec, char letter)
{
    if (letter == ':' || letter == '\0')
        return 0;
    const char *at = strchr(spec->flags, letter);
    if (at == NULL)
        return 0;
    return at[1] == ':' ? 2 : 1;
}

static void add_flag(struct args *a, char letter, const char *value, bool is_block)
{
    a->flags = xreallocarray(a->flags, a->n_flags + 1, sizeof *a->flags);
    a->flags[a->n_flags++] =
        (struct flag){letter, is_block, value == NULL ? NULL : xstrdup(value)};
}

// One word of flags ("-dP", "-x80"); *i is its index and moves on if the next word is a value.
static char *parse_flag_word(struct args *a, const struct command_spec *spec, char *const *words,
                             const bool *is_block, size_t n, size_t *i)
{
    for (const char *s = words[*i] + 1; *s != '\0'; s++) {
        if (*s == '?')
            return xasprintf("usage: %s%s%s", spec->name, *spec->usage == '\0' ? "" : " ", spec->usage);
        switch (flag_kind(spec, *s)) {
        case 0:
            if (isprint((unsigned char)*s))
                return xasprintf("command %s: unknown flag -%c", spec->name, *s);
            return xasprintf("command %s: invalid flag", spec->name);
        case 1:
            add_flag(a, *s, NULL, false);
            break;
        default:
            if (s[1] != '\0') {
                add_flag(a, *s, s + 1, false);
                return NULL;
            }
            if (*i + 1 == n)
                return xasprintf("command %s: -%c expects an argument", spec->name, *s);
            ++*i;
            add_flag(a, *s, words[*i], is_block != NULL && is_block[*i]);
            return NULL;
        }
    }
    return NULL;
}

struct args *args_parse_blocks(const struct command_spec *spec, char *const *words, const bool *is_block,
                               size_t n, char **cause)
{
    struct args *a = xcalloc(1, sizeof *a);
    size_t i = 0;
    char *error = NULL;

    for (; i < n && error == NULL; i++) {
        if (words[i][0] != '-' || words[i][1] == '\0' || (is_block != NULL && is_block[i]))
            break;
        if (strcmp(words[i], "--") == 0) {
            i++;
            break;
        }
        error = parse_flag_word(a, spec, words, is_block, n, &i);
    }
    if (error == NULL) {
        a->n_rest = n - i;
        a->rest = strv_copy(words + i, a->n_rest);
        a->is_block = xcalloc(a->n_rest + 1, sizeof *a->is_block);
        if (is_block != NULL)
            memcpy(a->is_block, is_block + i, a->n_rest * sizeof *a->is_block);
        if (a->n_rest < (size_t)spec->args_min)
            error = xasprintf("command %s: too few arguments (need at least %d)", spec->name,
                              spec->args_min);
        else if (spec->args_max >= 0 && a->n_rest > (size_t)spec->args_max)
            error = xasprintf("command %s: too many arguments (need at most %d)", spec->name,
                              spec->args_max);
    }
    if (error == NULL)
        return a;
    args_free(a);
    if (cause != NULL)
        *cause = error;
    else
        free(error);
    return NULL;
}

struct args *args_parse(const struct command_spec *spec, char *const *words, size_t n, char **cause)
{
    return args_parse_blocks(spec, words, NULL, n, cause);
}

void args_free(struct args *a)
{
    if (a == NULL)
        return;
    for (size_t i = 0; i < a->n_flags; i++)
        free(a->flags[i].value);
    free(a->flags);
    if (a->rest != NULL)
        strv_free(a->rest);
    free(a->is_block);
    free(a);
}

unsigned args_count_flag(const struct args *a, char flag)
{
    unsigned n = 0;
    for (size_t i = 0; a != NULL && i < a->n_flags; i++)
        n += a->flags[i].letter == flag;
    return n;
}

bool args_has(const struct args *a, char flag)
{
    return args_count_flag(a, flag) != 0;
}

const char *args_get(const struct args *a, char flag)
{
    for (size_t i = a == NULL ? 0 : a->n_flags; i-- > 0;) {
        if (a->flags[i].letter == flag)
            return a->flags[i].value;
    }
    return NULL;
}

const char *args_get_nth(const struct args *a, char flag, unsigned n)
{
    for (size_t i = 0; a != NULL && i < a->n_flags; i++) {
        if (a->flags[i].letter == flag && n-- == 0)
            return a->flags[i].value;
    }
    return NULL;
}

size_t args_count(const struct args *a)
{
    return a == NULL ? 0 : a->n_rest;
}

const char *args_at(const struct args *a, size_t n)
{
    return n < args_count(a) ? a->rest[n] : NULL;
}

char *const *args_rest(const struct args *a, size_t from)
{
    static char *const none[] = {NULL};
    return from < args_count(a) ? a->rest + from : none;
}

struct args *args_fill(const struct args *a, char *(*fill)(void *arg, const char *word), void *arg)
{
    struct args *copy = xcalloc(1, sizeof *copy);

    copy->flags = xcalloc(a->n_flags + 1, sizeof *copy->flags);
    for (; copy->n_flags < a->n_flags; copy->n_flags++) {
        const struct flag *from = &a->flags[copy->n_flags];
        copy->flags[copy->n_flags] = *from;
        if (from->value != NULL)
            copy->flags[copy->n_flags].value = fill(arg, from->value);
    }
    copy->rest = xcalloc(a->n_rest + 1, sizeof *copy->rest);
    copy->is_block = xmemdup(a->is_block, (a->n_rest + 1) * sizeof *copy->is_block);
    for (; copy->n_rest < a->n_rest; copy->n_rest++)
        copy->rest[copy->n_rest] = fill(arg, a->rest[copy->n_rest]);
    return copy;
}

const bool *args_rest_blocks(const struct args *a, size_t from)
{
    return from < args_count(a) ? a->is_block + from : NULL;
}

bool args_is_block(const struct args *a, size_t n)
{
    return n < args_count(a) && a->is_block[n];
}

bool args_number(const struct args *a, char flag, long long min, long long max, long long *out, char **cause,
                 const char *what)
{
    const char *value = args_get(a, flag);
    const char *why = "missing";

    if (value != NULL && parse_number(value, min, max, out, &why))
        return true;
    if (cause != NULL)
        *cause = xasprintf("%s %s", what, why);
    return false;
}

bool args_percentage(const char *value, long long min, long long max, long long whole, long long *out,
                     char **cause, const char *what)
{
    const char *why = NULL;
    size_t len = value == NULL ? 0 : strlen(value);
    long long number = 0;

    if (len == 0) {
        why = "empty";
    } else if (value[len - 1] == '%') {
        char *digits = xstrndup(value, len - 1);
        if (parse_number(digits, 0, 100, &number, &why)) {
            number = whole * number / 100;
            if (number < min)
                why = "too small";
            else if (number > max)
                why = "too large";
        }
        free(digits);
    } else {
        parse_number(value, min, max, &number, &why);
    }
    if (why == NULL) {
        *out = number;
        return true;
    }
    if (cause != NULL)
        *cause = xasprintf("%s %s", what, why);
    return false;
}

// True if the lexer would take `$` at s for a variable.
static bool is_variable_at(const char *s)
{
    return s[0] == '$' && (isalpha((unsigned char)s[1]) || s[1] == '_' || s[1] == '{');
}

static void add_escaped(struct strbuf *out, const char *word, char quote)
{
    size_t left = strlen(word);

    for (const char *s = word; *s != '\0';) {
        unsigned char c = (unsigned char)*s;
        if (c == '\n') {
            strbuf_add_str(out, "\\n");
        } else if (c == '\t') {
            strbuf_add_str(out, "\\t");
        } else if (c == 0x1b) {
            strbuf_add_str(out, "\\e");
        } else if (c < 0x20 || c == 0x7f) {
            strbuf_addf(out, "\\%03o", c);
        } else if (c >= 0x80) {
            uint32_t cp;
            size_t used = utf8_next(s, left, &cp);
            if (cp != UTF8_REPLACEMENT || (used == 3 && memcmp(s, "\xef\xbf\xbd", 3) == 0)) {
                strbuf_add(out, s, used);
            } else {
                for (size_t i = 0; i < used; i++)
                    strbuf_addf(out, "\\%03o", (unsigned char)s[i]);
            }
            s += used;
            left -= used;
            continue;
        } else {
            if (c == '\\' || (quote == '"' && (c == '"' || is_variable_at(s))))
                strbuf_add_char(out, '\\');
            else if (c == '~' && s == word) // at the start it would be a home directory
                strbuf_add_char(out, '\\');
            strbuf_add_char(out, (char)c);
        }
        s++;
        left--;
    }
}

void word_add_quoted(struct strbuf *out, const char *word)
{
    if (word[0] == '\0') {
        strbuf_add_str(out, "''");
        return;
    }
    char quote = '\0';
    if (strpbrk(word, " #';${}%") != NULL)
        quote = '"';
    else if (strchr(word, '"') != NULL)
        quote = strpbrk(word, "\\\n\t") == NULL ? '\'' : '"';
    for (const char *s = word; *s != '\0'; s++) {
        if ((unsigned char)*s < 0x20 || (unsigned char)*s >= 0x7f)
            quote = quote == '\0' ? '\0' : '"'; // single quotes take no escapes
    }
    if (word[1] == '\0' && word[0] != ' ' && (quote != '\0' || word[0] == '~')) {
        strbuf_add_char(out, '\\');
        strbuf_add_char(out, word[0]);
        return;
    }
    if (quote == '\'') {
        strbuf_add_char(out, quote);
        strbuf_add_str(out, word);
        strbuf_add_char(out, quote);
        return;
    }
    if (quote != '\0')
        strbuf_add_char(out, quote);
    add_escaped(out, word, quote);
    if (quote != '\0')
        strbuf_add_char(out, quote);
}

static void add_value(struct strbuf *out, const char *value, bool is_block)
{
    strbuf_add_char(out, ' ');
    if (is_block && value[0] == '\0') {
        strbuf_add_str(out, "{ }");
    } else if (is_block) {
        strbuf_add_str(out, "{ ");
        strbuf_add_str(out, value);
        strbuf_add_str(out, " }");
    } else {
        word_add_quoted(out, value);
    }
}

static int by_letter(const void *a, const void *b)
{
    const struct flag *const *x = a, *const *y = b;
    if ((*x)->letter != (*y)->letter)
        return (*x)->letter < (*y)->letter ? -1 : 1;
    return *x < *y ? -1 : *x > *y;
}

void args_add_text(const struct args *a, struct strbuf *out)
{
    const struct flag **sorted = xcalloc(a->n_flags + 1, sizeof *sorted);
    bool is_first = true;

    for (size_t i = 0; i < a->n_flags; i++)
        sorted[i] = &a->flags[i];
    qsort(sorted, a->n_flags, sizeof *sorted, by_letter);
    for (size_t i = 0; i < a->n_flags; i++) {
        if (sorted[i]->value != NULL)
            continue;
        if (is_first)
            strbuf_add_str(out, " -");
        is_first = false;
        strbuf_add_char(out, sorted[i]->letter);
    }
    for (size_t i = 0; i < a->n_flags; i++) {
        if (sorted[i]->value == NULL)
            continue;
        strbuf_addf(out, " -%c", sorted[i]->letter);
        add_value(out, sorted[i]->value, sorted[i]->is_block);
    }
    free(sorted);
    // Without it the text would be read back as flags.
    if (a->n_rest > 0 && a->rest[0][0] == '-' && a->rest[0][1] != '\0' && !a->is_block[0])
        strbuf_add_str(out, " --");
    for (size_t i = 0; i < a->n_rest; i++)
        add_value(out, a->rest[i], a->is_block[i]);
}
