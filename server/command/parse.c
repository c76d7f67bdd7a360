// The parser of the command language: tokens to commands, with conditions, assignments, blocks and
// aliases. A text is parsed one statement (a line, or as many as its blocks span) at a time.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "server/command/language.h"

// A block within a block ...; conditions within conditions.
#define BLOCK_DEPTH_MAX 32u
#define CONDITION_DEPTH_MAX 64u
// What one statement may span, and how often the parser goes back because a quote or a block was
// never closed: both bound the work of a step.
#define STATEMENT_MAX ((size_t)256 << 10)
#define REWINDS_MAX 16u

struct raw_command { // before it was looked up
    char **words;
    bool *is_block;
    size_t n;
    unsigned line;
};
struct raw_list {
    struct raw_command *commands;
    size_t n;
};
struct condition {
    bool is_on;      // this branch is taken
    bool was_taken;  // this or an earlier one
    bool is_outer_on;
    bool has_else;
};
struct command_parser {
    struct lexer lexer;
    const char *file;
    struct format_context *ctx;
    void (*error_fn)(void *arg, const char *text);
    void *arg;
    struct condition conditions[CONDITION_DEPTH_MAX];
    unsigned n_conditions;
    unsigned n_rewinds;
    unsigned error_depth; // of blocks, where parse_commands gave up
    unsigned group;
    bool is_alias;      // the text of an alias: aliases in it are not looked up
    bool is_hidden;     // %hidden came just before
    unsigned n_errors;
    struct raw_list *raw_out; // commands go here as they are, not into a list
    struct command_list *list; // of what has been parsed
    struct command_list *line; // of the present statement
    bool line_is_bad;
};

// Numbers are never used twice within a server's life that anyone could notice.
static unsigned next_group(void)
{
    static unsigned last;
    return ++last == 0 ? ++last : last;
}

// --- Lists

static struct command_list *list_new(void)
{
    struct command_list *l = xcalloc(1, sizeof *l);
    l->refs = 1;
    return l;
}

struct command_list *command_list_ref(struct command_list *l)
{
    l->refs++;
    return l;
}

static void commands_free(struct command *first)
{
    while (first != NULL) {
        struct command *next = first->next;
        args_free(first->args);
        free(first->file);
        free(first);
        first = next;
    }
}

void command_list_unref(struct command_list *l)
{
    if (l == NULL || --l->refs > 0)
        return;
    commands_free(l->first);
    free(l);
}

static void list_add(struct command_list *l, struct command *c)
{
    if (l->last == NULL)
        l->first = c;
    else
        l->last->next = c;
    l->last = c;
}

// Moves what `from` holds to the end of `to`.
static void list_splice(struct command_list *to, struct command_list *from)
{
    if (from->first == NULL)
        return;
    if (to->last == NULL)
        to->first = from->first;
    else
        to->last->next = from->first;
    to->last = from->last;
    from->first = from->last = NULL;
}

struct command_list *command_list_fill(const struct command_list *l, char *(*fill)(void *arg, const char *word),
                                       void *arg)
{
    struct command_list *filled = list_new();

    for (const struct command *c = l->first; c != NULL; c = c->next) {
        struct command *copy = xmemdup(c, sizeof *c);
        copy->args = args_fill(c->args, fill, arg);
        copy->file = c->file == NULL ? NULL : xstrdup(c->file);
        copy->next = NULL;
        list_add(filled, copy);
    }
    return filled;
}

char *command_list_to_text(const struct command_list *l, bool escaped)
{
    struct strbuf out = {0};

    for (const struct command *c = l->first; c != NULL; c = c->next) {
        strbuf_add_str(&out, c->spec->name);
        args_add_text(c->args, &out);
        if (c->next == NULL)
            break;
        if (c->next->group != c->group)
            strbuf_add_str(&out, escaped ? " \\;\\; " : " ;; ");
        else
            strbuf_add_str(&out, escaped ? " \\; " : " ; ");
    }
    return strbuf_take(&out);
}

// --- Raw commands

static void raw_add(struct raw_command *raw, const char *word, bool is_block)
{
    raw->words = xreallocarray(raw->words, raw->n + 2, sizeof *raw->words);
    raw->is_block = xreallocarray(raw->is_block, raw->n + 1, sizeof *raw->is_block);
    raw->is_block[raw->n] = is_block;
    raw->words[raw->n++] = xstrdup(word);
    raw->words[raw->n] = NULL;
}

static void raw_clear(struct raw_command *raw)
{
    if (raw->words != NULL)
        strv_free(raw->words);
    free(raw->is_block);
    *raw = (struct raw_command){0};
}

static void raw_list_clear(struct raw_list *l)
{
    for (size_t i = 0; i < l->n; i++)
        raw_clear(&l->commands[i]);
    free(l->commands);
    *l = (struct raw_list){0};
}

// --- Errors

static void parser_error(struct command_parser *p, unsigned line, const char *text)
{
    p->n_errors++;
    p->line_is_bad = true;
    if (p->error_fn == NULL)
        return;
    if (p->file == NULL) {
        p->error_fn(p->arg, text);
        return;
    }
    char *full = xasprintf("%s:%u: %s", p->file, line, text);
    p->error_fn(p->arg, full);
    free(full);
}

// Keeps the first error of a text.
static void keep_first(void *arg, const char *text)
{
    char **cause = arg;
    if (*cause == NULL)
        *cause = xstrdup(text);
}

// --- Building commands

static void parser_init(struct command_parser *p, const char *text, const struct parse_input *in, unsigned line)
{
    *p = (struct command_parser){0};
    lexer_init(&p->lexer, text, line);
    if (in != NULL) {
        p->file = in->file;
        p->ctx = in->ctx;
    }
    p->list = list_new();
    p->line = list_new();
    p->group = next_group();
}

static void parser_clear(struct command_parser *p)
{
    command_list_unref(p->list);
    command_list_unref(p->line);
}

// Looks raw up and adds it to out; the words stay the caller's. False: *cause is set.
static bool build_one(const struct raw_command *raw, struct command_list *out, const char *file, unsigned group,
                      char **cause)
{
    const struct command_spec *spec = command_spec_find(raw->words[0], cause);
    if (spec == NULL)
        return false;
    struct args *args = args_parse_blocks(spec, raw->words + 1, raw->is_block + 1, raw->n - 1, cause);
    if (args == NULL)
        return false;
    struct command *c = xcalloc(1, sizeof *c);
    c->spec = spec;
    c->args = args;
    c->file = file == NULL ? NULL : xstrdup(file);
    c->line = raw->line;
    c->group = group;
    list_add(out, c);
    return true;
}

static bool parse_steps(struct command_parser *p);

// An alias's text to commands, its own words first, then what was given after the alias.
static bool build_alias(const char *alias, const struct raw_command *raw, struct command_list *out,
                        const char *file, unsigned group, char **cause)
{
    struct command_parser p;
    struct raw_list commands = {0};
    bool is_good = true;

    parser_init(&p, alias, NULL, raw->line);
    p.is_alias = true;
    p.raw_out = &commands;
    p.error_fn = keep_first;
    p.arg = cause;
    while (parse_steps(&p))
        ;
    if (p.n_errors > 0) {
        is_good = false;
    } else if (commands.n > 0) {
        struct raw_command *last = &commands.commands[commands.n - 1];
        for (size_t i = 1; i < raw->n; i++)
            raw_add(last, raw->words[i], raw->is_block[i]);
    }
    for (size_t i = 0; is_good && i < commands.n; i++) {
        commands.commands[i].line = raw->line;
        is_good = build_one(&commands.commands[i], out, file, group, cause);
    }
    raw_list_clear(&commands);
    parser_clear(&p);
    return is_good;
}

static bool build(const struct raw_command *raw, struct command_list *out, const char *file, unsigned group,
                  char **cause)
{
    const char *alias = expand_alias(raw->words[0]);
    if (alias == NULL)
        return build_one(raw, out, file, group, cause);
    // A copy: what is expanded while it is parsed must not be able to free it.
    char *text = xstrdup(alias);
    bool is_good = build_alias(text, raw, out, file, group, cause);
    free(text);
    return is_good;
}

// --- Statements

static bool is_on(const struct command_parser *p)
{
    return p->n_conditions == 0 || p->conditions[p->n_conditions - 1].is_on;
}

// The end of a command; raw is empty afterwards.
static void end_command(struct command_parser *p, struct raw_command *raw, struct command_list *out)
{
    if (raw->n > 0 && is_on(p)) {
        if (p->raw_out != NULL && out == p->line) {
            struct raw_list *l = p->raw_out;
            l->commands = xreallocarray(l->commands, l->n + 1, sizeof *l->commands);
            l->commands[l->n++] = *raw;
            *raw = (struct raw_command){0};
            return;
        }
        char *cause = NULL;
        bool is_good = p->is_alias ? build_one(raw, out, p->file, p->group, &cause)
                                   : build(raw, out, p->file, p->group, &cause);
        if (!is_good)
            parser_error(p, raw->line, cause == NULL ? "syntax error" : cause);
        free(cause);
    }
    raw_clear(raw);
}

// What stands after %if or %elif; owned. NULL if nothing does; what comes instead is not taken.
static char *condition_word(struct command_parser *p)
{
    struct lexer before = p->lexer;
    struct token t;

    p->lexer.wants_format = true;
    lexer_next(&p->lexer, &t);
    if (t.type == TOKEN_WORD || t.type == TOKEN_ASSIGNMENT)
        return t.text;
    token_clear(&t);
    p->lexer = before;
    return NULL;
}

static const char *begin_condition(struct command_parser *p)
{
    bool was_on = is_on(p);

    if (p->n_conditions == CONDITION_DEPTH_MAX)
        return "too many conditions";
    char *format = condition_word(p);
    bool is_true = was_on && format != NULL && expand_condition(format, p->ctx);
    p->conditions[p->n_conditions++] = (struct condition){is_true, is_true, was_on, false};
    free(format);
    return format == NULL ? "syntax error" : NULL;
}

static const char *next_branch(struct command_parser *p, unsigned base, enum token_type type)
{
    if (p->n_conditions <= base || p->conditions[p->n_conditions - 1].has_else)
        return "syntax error";
    struct condition *c = &p->conditions[p->n_conditions - 1];
    if (type == TOKEN_ELSE) {
        c->has_else = true;
        c->is_on = c->is_outer_on && !c->was_taken;
        return NULL;
    }
    char *format = condition_word(p);
    c->is_on = c->is_outer_on && !c->was_taken && format != NULL && expand_condition(format, p->ctx);
    c->was_taken = c->was_taken || c->is_on;
    free(format);
    return format == NULL ? "syntax error" : NULL;
}

enum end { END_LINE, END_BLOCK, END_TEXT, END_ERROR, END_UNFINISHED };

static enum end parse_commands(struct command_parser *p, struct command_list *out, unsigned depth);

// A { } block becomes one word: its commands as text, so what it holds was checked, and variables in
// it have the values of now.
static enum end parse_block(struct command_parser *p, struct raw_command *raw, unsigned depth, unsigned line)
{
    if (depth == BLOCK_DEPTH_MAX) {
        parser_error(p, line, "blocks are nested too deeply");
        p->error_depth = depth + 1;
        return END_ERROR;
    }
    struct command_list *inner = list_new();
    unsigned group = p->group;
    p->group = next_group();
    enum end end = parse_commands(p, inner, depth + 1);
    p->group = group;
    if (end == END_BLOCK) {
        char *text = command_list_to_text(inner, false);
        raw_add(raw, text, true);
        free(text);
    } else if (end == END_TEXT) {
        parser_error(p, line, "syntax error: missing }");
        end = END_UNFINISHED;
    }
    command_list_unref(inner);
    return end;
}

// Parses to the end of the line (depth 0) or of the block.
static enum end parse_commands(struct command_parser *p, struct command_list *out, unsigned depth)
{
    struct raw_command raw = {0};
    unsigned base = p->n_conditions; // conditions begun outside a block do not end in it
    bool has_any = false;            // something came before on this line
    enum end end = END_LINE;
    struct token t = {0};

    if (depth == 0)
        base = 0;
    for (bool is_done = false; !is_done; token_clear(&t)) {
        const char *why = NULL;
        struct lexer before = p->lexer;
        lexer_next(&p->lexer, &t);
        bool is_hidden = p->is_hidden;
        p->is_hidden = false;
        if (is_hidden && (t.type != TOKEN_ASSIGNMENT || raw.n > 0)) {
            token_clear(&t);
            t.type = TOKEN_ERROR;
            t.text = xstrdup("syntax error");
            p->lexer = before; // a newline is not to be skipped
        }
        switch (t.type) {
        case TOKEN_END:
        case TOKEN_NEWLINE:
            end_command(p, &raw, out);
            if (t.type == TOKEN_END) {
                end = END_TEXT;
                is_done = true;
            } else if (depth == 0) {
                is_done = true;
            } else {
                p->group = next_group();
                has_any = false;
            }
            break;
        case TOKEN_SEMICOLON:
        case TOKEN_SEMICOLONS:
            if (!has_any)
                why = "syntax error";
            end_command(p, &raw, out);
            if (t.type == TOKEN_SEMICOLONS)
                p->group = next_group();
            break;
        case TOKEN_OPEN:
            if (raw.n == 0) {
                why = "syntax error";
                break;
            }
            end = parse_block(p, &raw, depth, t.line);
            is_done = end == END_ERROR || end == END_UNFINISHED;
            break;
        case TOKEN_CLOSE:
            end_command(p, &raw, out);
            if (depth == 0 || p->n_conditions != base) {
                why = "syntax error";
            } else {
                end = END_BLOCK;
                is_done = true;
            }
            break;
        case TOKEN_IF:
            end_command(p, &raw, out);
            why = begin_condition(p);
            break;
        case TOKEN_ELIF:
        case TOKEN_ELSE:
            end_command(p, &raw, out);
            why = next_branch(p, base, t.type);
            break;
        case TOKEN_ENDIF:
            end_command(p, &raw, out);
            if (p->n_conditions <= base)
                why = "syntax error";
            else
                p->n_conditions--;
            break;
        case TOKEN_HIDDEN:
            p->is_hidden = true;
            break;
        case TOKEN_ASSIGNMENT:
            if (raw.n == 0) {
                if (is_on(p))
                    expand_assign(t.text, is_hidden);
                break;
            }
            raw_add(&raw, t.text, false);
            break;
        case TOKEN_WORD:
            if (raw.n == 0)
                raw.line = t.line;
            raw_add(&raw, t.text, false);
            break;
        case TOKEN_ERROR:
            why = t.text;
            break;
        case TOKEN_UNFINISHED:
            parser_error(p, t.line, t.text);
            end = END_UNFINISHED;
            is_done = true;
            break;
        }
        if (t.type != TOKEN_NEWLINE)
            has_any = true;
        if (why != NULL) {
            parser_error(p, t.line, why);
            p->error_depth = depth;
            end = END_ERROR;
            is_done = true;
        }
    }
    token_clear(&t);
    raw_clear(&raw);
    if (end != END_LINE && end != END_TEXT && end != END_BLOCK && depth > 0)
        p->n_conditions = MIN_OF(p->n_conditions, base);
    return end;
}

// After an error: to the end of the line, or of the block that the line is in, so that the commands
// of a block that was begun in error are not taken for lines of their own.
static void skip_statement(struct command_parser *p, unsigned depth)
{
    struct token t;
    for (;;) {
        lexer_next(&p->lexer, &t);
        enum token_type type = t.type;
        token_clear(&t);
        if (type == TOKEN_OPEN)
            depth++;
        else if (type == TOKEN_CLOSE && depth > 0)
            depth--;
        else if (type == TOKEN_END || type == TOKEN_UNFINISHED || (type == TOKEN_NEWLINE && depth == 0))
            return;
    }
}

static bool parse_steps(struct command_parser *p)
{
    struct lexer *l = &p->lexer;

    if (l->pos >= l->len) {
        if (p->n_conditions > 0)
            parser_error(p, l->line, "syntax error: missing %endif");
        p->n_conditions = 0;
        return false;
    }
    struct lexer start = *l;
    struct condition conditions[CONDITION_DEPTH_MAX];
    unsigned n_conditions = p->n_conditions;
    memcpy(conditions, p->conditions, n_conditions * sizeof *conditions);

    l->end = MIN_OF(l->len, l->pos + STATEMENT_MAX);
    p->group = next_group();
    p->line_is_bad = false;
    p->is_hidden = false;
    switch (parse_commands(p, p->line, 0)) {
    case END_LINE:
    case END_BLOCK:
        break;
    case END_TEXT:
        if (l->end == l->len) {
            l->pos = l->len; // lines that are joined to nothing are never taken one by one
            break;
        }
        parser_error(p, start.line, "line too long");
        l->end = l->len;
        lexer_skip_line(l);
        break;
    case END_ERROR:
        skip_statement(p, p->error_depth);
        break;
    case END_UNFINISHED:
        // The rest of the text was swallowed: go on behind the line where that began.
        if (p->n_rewinds++ == REWINDS_MAX) {
            l->pos = l->len;
            break;
        }
        *l = start;
        l->end = l->len;
        lexer_skip_line(l);
        memcpy(p->conditions, conditions, n_conditions * sizeof *conditions);
        p->n_conditions = n_conditions;
        break;
    }
    if (p->line_is_bad) {
        commands_free(p->line->first);
        p->line->first = p->line->last = NULL;
    } else {
        list_splice(p->list, p->line);
    }
    return true;
}

// --- Entry points

struct command_parser *command_parser_new(const char *text, const struct parse_input *in,
                                          void (*error_fn)(void *arg, const char *text), void *arg)
{
    struct command_parser *p = xmalloc(sizeof *p);
    parser_init(p, text, in, 1);
    p->error_fn = error_fn;
    p->arg = arg;
    return p;
}

bool command_parser_step(struct command_parser *p)
{
    return parse_steps(p);
}

struct command_list *command_parser_finish(struct command_parser *p)
{
    struct command_list *list = command_list_ref(p->list);
    parser_clear(p);
    free(p);
    return list;
}

struct command_list *command_parse_config(const char *text, const struct parse_input *in,
                                          void (*error_fn)(void *arg, const char *text), void *arg)
{
    struct command_parser *p = command_parser_new(text, in, error_fn, arg);
    while (command_parser_step(p))
        ;
    return command_parser_finish(p);
}

struct command_list *command_parse_text(const char *text, const struct parse_input *in, char **cause)
{
    char *error = NULL;
    struct command_parser *p = command_parser_new(text, in, keep_first, &error);
    while (p->n_errors == 0 && command_parser_step(p))
        ;
    bool is_good = p->n_errors == 0;
    struct command_list *list = command_parser_finish(p);
    if (is_good)
        return list;
    command_list_unref(list);
    if (cause != NULL)
        *cause = error;
    else
        free(error);
    return NULL;
}

static struct command_list *parse_words(char *const *words, const bool *is_block, size_t n, char **cause)
{
    struct command_list *list = list_new();
    struct raw_command raw = {0};
    unsigned group = next_group();
    char *error = NULL;

    for (size_t i = 0; i < n && error == NULL; i++) {
        size_t len = strlen(words[i]);
        bool is_kept = is_block != NULL && is_block[i]; // whatever it ends in
        bool ends = !is_kept && len > 0 && words[i][len - 1] == ';';
        // Nothing follows that the last word could be parted from: "send-keys -l 'a;'" types it.
        bool is_text = i + 1 == n && len > 1 && raw.n > 0 && words[i][len - 2] != '\\';
        ends = ends && !is_text;
        bool is_escaped = ends && len > 1 && words[i][len - 2] == '\\';
        char *word = xstrndup(words[i], ends ? len - (is_escaped ? 2 : 1) : len);
        if (is_escaped) { // "a\;" is "a;"
            word = xrealloc(word, len);
            memcpy(word + len - 2, ";", 2);
        }
        bool is_end = ends && !is_escaped;
        if (!is_end || *word != '\0')
            raw_add(&raw, word, is_kept);
        free(word);
        if ((is_end || i + 1 == n) && raw.n > 0) {
            build(&raw, list, NULL, group, &error);
            raw_clear(&raw);
        }
    }
    raw_clear(&raw);
    if (error == NULL)
        return list;
    command_list_unref(list);
    if (cause != NULL)
        *cause = error;
    else
        free(error);
    return NULL;
}

struct command_list *command_parse_words(char *const *words, size_t n, char **cause)
{
    return parse_words(words, NULL, n, cause);
}

struct command_list *command_parse_args(const struct args *args, size_t from, char **cause)
{
    size_t n = args_count(args);

    if (n == from + 1)
        return command_parse_text(args_at(args, from), NULL, cause);
    return parse_words(args_rest(args, from), args_rest_blocks(args, from), n < from ? 0 : n - from, cause);
}
