// Inside the command language only: what args.c, parse*.c and queue.c share beyond command.h.
#ifndef AMUX_SERVER_COMMAND_LANGUAGE_H
#define AMUX_SERVER_COMMAND_LANGUAGE_H

#include "common/util.h"
#include "server/command/command.h"

// As args_parse; is_block (may be NULL) says of each word whether it was a { } block, so that it is
// printed as one again.
struct args *args_parse_blocks(const struct command_spec *spec, char *const *words, const bool *is_block,
                               size_t n, char **cause);
// A copy in which each value is what fill (gives an owned text) makes of it.
struct args *args_fill(const struct args *a, char *(*fill)(void *arg, const char *word), void *arg);
// Of args_rest(): which words were blocks. NULL beyond the end.
const bool *args_rest_blocks(const struct args *a, size_t from);
// Appends " -f -v value argument ..." quoted for the command language.
void args_add_text(const struct args *a, struct strbuf *out);
// Appends `word` so that the lexer reads it back as one and the same word.
void word_add_quoted(struct strbuf *out, const char *word);

// --- parse_lex.c
enum token_type {
    TOKEN_END,
    TOKEN_NEWLINE,
    TOKEN_SEMICOLON,  // ;
    TOKEN_SEMICOLONS, // ;; : what follows is as if on a line of its own
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_WORD,
    TOKEN_ASSIGNMENT, // a word that reads NAME=value, unquoted up to the '='
    TOKEN_IF,
    TOKEN_ELIF,
    TOKEN_ELSE,
    TOKEN_ENDIF,
    TOKEN_HIDDEN,
    TOKEN_ERROR,      // text is the sentence
    TOKEN_UNFINISHED, // the text (or the limit) ended inside quotes; text is the sentence
};
struct token {
    enum token_type type;
    char *text; // owned; NULL if the type has none
    unsigned line;
};
struct lexer {
    const char *text;
    size_t len, pos;
    size_t end;           // of what may be read for the present statement, at most len
    unsigned line;        // from 1
    unsigned backslashes; // read just before, for line continuation
    size_t expanded;      // bytes that variables gave, bounded
    bool wants_format;    // the next word may be #{...}, read up to its closing brace
};
// One word, and what all variables of one text may add up to.
#define LEX_WORD_MAX ((size_t)1 << 20)
#define LEX_EXPANDED_MAX ((size_t)16 << 20)
void lexer_init(struct lexer *l, const char *text, unsigned line);
void lexer_next(struct lexer *l, struct token *out); // out->text is owned by the caller
void token_clear(struct token *t);
// Skips to behind the next newline, whatever stands before it.
void lexer_skip_line(struct lexer *l);

// --- parse_expand.c: what a text takes from outside
const char *expand_variable(const char *name);      // "" if unset; borrowed, briefly
char *expand_tilde(const char *user);               // "" is oneself; NULL: no such user. Owned
const char *expand_alias(const char *name);         // of command-alias: its text; NULL: none. Borrowed
void expand_assign(const char *assignment, bool is_hidden); // "NAME=value"
bool expand_condition(const char *format, struct format_context *ctx);

// --- parse.c: a text statement by statement, so that a long file is parsed in slices.
struct command_parser;
struct command_parser *command_parser_new(const char *text, const struct parse_input *in,
                                          void (*error_fn)(void *arg, const char *text), void *arg);
bool command_parser_step(struct command_parser *p); // one line or so; false: nothing is left
struct command_list *command_parser_finish(struct command_parser *p); // frees p

// --- target_default.c
// The session used last (of those with w, if not NULL); NULL: none.
struct session *target_best_session(const struct window *w, bool prefers_unattached);
bool target_from_window(struct target *out, struct window *w);
bool target_default(struct target *out, const struct client *c, bool prefers_unattached);
// The attached client that a command of c means when it names none; may be NULL.
struct client *target_best_client(struct client *c, const struct target *current);

// --- queue.c
// The key event of the command that is running or being looked up now; NULL: none.
const struct key_event *cmdq_event_now(void);
// As cmdq_insert_after, but behind what was inserted so before (the files of one source-file).
void cmdq_insert_in_order(struct cmdq_item *item, struct command_list *list, unsigned flags);
// One more file is sourced below item: false if files are nested too deeply, or are too many.
bool cmdq_enter_file(struct cmdq_item *item, const char **why);
// Items by number, for who must not hold a pointer: 0 is none; NULL: it has gone.
uint64_t cmdq_item_number(const struct cmdq_item *item);
struct cmdq_item *cmdq_item_by_number(uint64_t number);
// What a command client exits with, when it is not an error (run-shell).
void cmdq_set_code(struct cmdq_item *item, int code);
// An error of a file, which says its own place.
void cmdq_error_as_is(struct cmdq_item *item, const char *text);
void cmdq_wake_all(void); // queues were held until the config had been read

// --- default_keys.c
struct default_key {
    const char *table, *key, *note, *command; // note may be NULL
    bool repeats;
};
extern const struct default_key default_keys[]; // ended by a NULL table

// --- source.c
// An error of a command or line of a file; c is who asked for it, NULL at start.
void source_add_error(struct client *c, const char *text);
// c has just been attached: the errors of the start-up files are shown to the first such client.
void source_show_errors(struct client *c);

#endif
