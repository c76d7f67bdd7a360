// The lexer of the command language: quotes, escapes, variables, comments, line continuation.
#include "config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "server/command/language.h"

#define LEX_EOF (-1)

void lexer_init(struct lexer *l, const char *text, unsigned line)
{
    *l = (struct lexer){.text = text, .len = strlen(text), .line = line == 0 ? 1 : line};
    l->end = l->len;
}

void token_clear(struct token *t)
{
    free(t->text);
    t->text = NULL;
}

// Length of a line end at `pos`: "\n" or "\r\n".
static size_t newline_len(const struct lexer *l, size_t pos)
{
    if (pos < l->end && l->text[pos] == '\n')
        return 1;
    if (pos + 1 < l->end && l->text[pos] == '\r' && l->text[pos + 1] == '\n')
        return 2;
    return 0;
}

// The next character. A backslash that ends a line joins it with the next one, everywhere, unless
// another backslash has escaped it.
static int lex_get(struct lexer *l)
{
    for (;;) {
        if (l->pos >= l->end)
            return LEX_EOF;
        size_t newline = newline_len(l, l->pos);
        if (newline != 0) {
            l->pos += newline;
            l->line++;
            l->backslashes = 0;
            return '\n';
        }
        int c = (unsigned char)l->text[l->pos];
        if (c != '\\') {
            l->pos++;
            l->backslashes = 0;
            return c;
        }
        newline = newline_len(l, l->pos + 1);
        if (newline != 0 && l->backslashes % 2 == 0) {
            l->pos += 1 + newline;
            l->line++;
            continue;
        }
        l->pos++;
        l->backslashes++;
        return c;
    }
}

static int lex_peek(const struct lexer *l)
{
    struct lexer copy = *l;
    return lex_get(&copy);
}

void lexer_skip_line(struct lexer *l)
{
    int c;
    do
        c = lex_get(l);
    while (c != '\n' && c != LEX_EOF);
}

static bool is_name_start(int c)
{
    return c != LEX_EOF && (isalpha(c) || c == '_');
}

static bool is_name_char(int c)
{
    return c != LEX_EOF && (isalnum(c) || c == '_');
}

// After the backslash. Returns NULL or a static sentence.
static const char *lex_escape(struct lexer *l, struct strbuf *out)
{
    static const char letters[] = "abefsvrnt";
    static const char meanings[] = "\a\b\033\f \v\r\n\t";
    int c = lex_get(l);

    if (c == LEX_EOF)
        return "syntax error";
    if (c >= '4' && c <= '7')
        return "invalid octal escape";
    if (c >= '0' && c <= '3') {
        int value = c - '0';
        for (int i = 0; i < 2; i++) {
            c = lex_get(l);
            if (c < '0' || c > '7')
                return "invalid octal escape";
            value = value * 8 + c - '0';
        }
        if (value == 0) // a text holds no NUL
            return "invalid octal escape";
        strbuf_add_char(out, (char)value);
        return NULL;
    }
    if (c == 'u' || c == 'U') {
        const char *why = c == 'u' ? "invalid \\u argument" : "invalid \\U argument";
        uint32_t cp = 0;
        for (int i = c == 'u' ? 4 : 8; i > 0; i--) {
            int digit = lex_get(l);
            if (digit == LEX_EOF || !isxdigit(digit))
                return why;
            cp = cp * 16 + (uint32_t)(isdigit(digit) ? digit - '0' : tolower(digit) - 'a' + 10);
        }
        char bytes[UTF8_MAX_BYTES];
        if (cp == 0 || cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
            return why;
        strbuf_add(out, bytes, utf8_encode(cp, bytes));
        return NULL;
    }
    const char *at = c == '\0' ? NULL : strchr(letters, c);
    strbuf_add_char(out, at == NULL ? (char)c : meanings[at - letters]);
    return NULL;
}

static const char *add_expanded(struct lexer *l, struct strbuf *out, const char *value)
{
    size_t len = strlen(value);
    if (len > LEX_WORD_MAX - MIN_OF(out->len, LEX_WORD_MAX) || l->expanded + len > LEX_EXPANDED_MAX)
        return "text too long";
    l->expanded += len;
    strbuf_add(out, value, len);
    return NULL;
}

// After a '$': $NAME or ${NAME}; any other is a dollar sign.
static const char *lex_variable(struct lexer *l, struct strbuf *out)
{
    struct strbuf name = {0};
    const char *why = NULL;
    int c = lex_peek(l);

    if (c == '{') {
        lex_get(l);
        c = lex_get(l);
        while (is_name_char(c) && name.len < 1024) {
            strbuf_add_char(&name, (char)c);
            c = lex_get(l);
        }
        if (c != '}' || name.len == 0 || !is_name_start((unsigned char)name.data[0]))
            why = "invalid environment variable";
    } else if (is_name_start(c)) {
        while (is_name_char(lex_peek(l)))
            strbuf_add_char(&name, (char)lex_get(l));
    } else {
        strbuf_add_char(out, '$');
        return NULL;
    }
    if (why == NULL)
        why = add_expanded(l, out, expand_variable(name.data));
    strbuf_free(&name);
    return why;
}

// After a '~' at the start of a word: a home directory.
static const char *lex_tilde(struct lexer *l, struct strbuf *out)
{
    struct strbuf user = {0};
    for (int c = lex_peek(l); c != LEX_EOF && strchr("/ \t\n\"';}", c) == NULL; c = lex_peek(l)) {
        if (user.len >= 256)
            break;
        strbuf_add_char(&user, (char)lex_get(l));
    }
    char *home = expand_tilde(user.data == NULL ? "" : user.data);
    const char *why = home == NULL ? "syntax error" : add_expanded(l, out, home);
    free(home);
    strbuf_free(&user);
    return why;
}

static void set_error(struct token *out, struct strbuf *word, const char *why)
{
    strbuf_free(word);
    out->type = TOKEN_ERROR;
    out->text = xstrdup(why);
}

static bool is_assignment(const char *word, size_t unquoted)
{
    size_t i = 0;
    if (!is_name_start((unsigned char)word[0]))
        return false;
    while (is_name_char((unsigned char)word[i]))
        i++;
    return word[i] == '=' && i < unquoted;
}

static void lex_word(struct lexer *l, struct token *out)
{
    struct strbuf word = {0};
    char quote = '\0';
    bool is_start = true;        // of the word, or of a part in double quotes: where ~ counts
    size_t unquoted = SIZE_MAX;  // bytes of the word before the first quote or escape

    strbuf_add(&word, "", 0);
    for (;;) {
        int c = lex_peek(l);
        const char *why = NULL;
        bool was_start = is_start;
        is_start = false;

        if (c == LEX_EOF && quote != '\0') {
            strbuf_free(&word);
            out->type = TOKEN_UNFINISHED;
            out->text = xstrdup(quote == '"' ? "missing \"" : "missing '");
            return;
        }
        if (c == LEX_EOF || (quote == '\0' && strchr(" \t\n;}", c) != NULL && c != '\0'))
            break;
        lex_get(l);
        if (quote == '\'' && c != '\'') {
            strbuf_add_char(&word, (char)c);
        } else if (c == '\\' || (c == '~' && was_start) || c == '$') {
            unquoted = MIN_OF(unquoted, word.len);
            why = c == '\\' ? lex_escape(l, &word) : c == '$' ? lex_variable(l, &word)
                                                              : lex_tilde(l, &word);
        } else if ((c == '\'' || c == '"') && (quote == '\0' || quote == (char)c)) {
            unquoted = MIN_OF(unquoted, word.len);
            quote = quote == '\0' ? (char)c : '\0';
            is_start = quote == '"';
        } else {
            strbuf_add_char(&word, (char)c);
        }
        if (why == NULL && word.len > LEX_WORD_MAX)
            why = "text too long";
        if (why != NULL) {
            set_error(out, &word, why);
            return;
        }
    }
    if (word.data == NULL)
        strbuf_add(&word, "", 0);
    out->text = strbuf_take(&word);
    out->type = is_assignment(out->text, unquoted) ? TOKEN_ASSIGNMENT : TOKEN_WORD;
}

// After %if and %elif: #{...} up to its own closing brace, spaces and all.
static void lex_format(struct lexer *l, struct token *out)
{
    struct strbuf word = {0};
    unsigned depth = 0;

    for (;;) {
        int c = lex_get(l);
        if (c == LEX_EOF || c == '\n' || word.len > LEX_WORD_MAX) {
            set_error(out, &word, "syntax error");
            return;
        }
        strbuf_add_char(&word, (char)c);
        if (c == '#' && lex_peek(l) == '{') {
            strbuf_add_char(&word, (char)lex_get(l));
            depth++;
        } else if (c == '}' && --depth == 0) {
            out->type = TOKEN_WORD;
            out->text = strbuf_take(&word);
            return;
        }
    }
}

// %if and its kin. They are known anywhere in a line, so that conditions can stand in one.
static void lex_directive(struct lexer *l, struct token *out)
{
    static const struct {
        const char *name;
        enum token_type type;
    } directives[] = {
        {"%if", TOKEN_IF},       {"%elif", TOKEN_ELIF},     {"%else", TOKEN_ELSE},
        {"%endif", TOKEN_ENDIF}, {"%hidden", TOKEN_HIDDEN},
    };
    struct strbuf word = {0};

    for (int c = lex_peek(l); c != LEX_EOF && strchr(" \t\n;}", c) == NULL; c = lex_peek(l)) {
        if (word.len > 64)
            break;
        strbuf_add_char(&word, (char)lex_get(l));
    }
    for (size_t i = 0; i < ARRAY_LEN(directives); i++) {
        if (strcmp(word.data, directives[i].name) == 0) {
            out->type = directives[i].type;
            strbuf_free(&word);
            return;
        }
    }
    set_error(out, &word, "syntax error");
}

void lexer_next(struct lexer *l, struct token *out)
{
    bool wants_format = l->wants_format;
    int c = lex_peek(l);

    l->wants_format = false;
    while (c == ' ' || c == '\t') {
        lex_get(l);
        c = lex_peek(l);
    }
    *out = (struct token){.type = TOKEN_END, .line = l->line};
    switch (c) {
    case LEX_EOF:
        return;
    case '#': {
        struct lexer ahead = *l;
        lex_get(&ahead);
        if (wants_format && lex_peek(&ahead) == '{') {
            lex_format(l, out);
            return;
        }
        lexer_skip_line(l);
        out->type = TOKEN_NEWLINE;
        return;
    }
    case '\n':
        lex_get(l);
        out->type = TOKEN_NEWLINE;
        return;
    case ';':
        lex_get(l);
        out->type = TOKEN_SEMICOLON;
        if (lex_peek(l) == ';') {
            lex_get(l);
            out->type = TOKEN_SEMICOLONS;
        }
        return;
    case '{':
        lex_get(l);
        out->type = TOKEN_OPEN;
        return;
    case '}':
        lex_get(l);
        out->type = TOKEN_CLOSE;
        return;
    case '%': {
        struct lexer ahead = *l;
        lex_get(&ahead);
        int after = lex_peek(&ahead);
        if (after != LEX_EOF && isalpha(after)) {
            lex_directive(l, out);
            return;
        }
        break;
    }
    default:
        break;
    }
    lex_word(l, out);
}
