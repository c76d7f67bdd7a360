// The prompt from inside: shared by prompt.c, prompt_complete.c and prompt_history.c only.
#ifndef AMUX_SERVER_MODE_PROMPT_H
#define AMUX_SERVER_MODE_PROMPT_H

#include <stddef.h>

struct client;

// --- prompt_history.c: what was typed into prompts of a type, in memory, newest last.
enum prompt_type {
    PROMPT_TYPE_COMMAND,
    PROMPT_TYPE_SEARCH,
    PROMPT_TYPE_TARGET,
    PROMPT_TYPE_WINDOW_TARGET,
    PROMPT_TYPES
};
// By tmux's names ("command", "search", "target", "window-target"); anything else is a command's.
enum prompt_type prompt_type_from_name(const char *name);
const char *prompt_type_name(enum prompt_type type);
// Keeps at most `limit`; a text equal to the newest is not added again.
void prompt_history_add(enum prompt_type type, const char *text, size_t limit);
// The n-th newest, n from 1; NULL: there is none.
const char *prompt_history_at(enum prompt_type type, size_t n);
size_t prompt_history_len(enum prompt_type type);
void prompt_history_clear(enum prompt_type type);

// --- prompt_complete.c
// What the word that ends at byte `cursor` of `text` can become. Returns the word's new text
// (owned), or NULL if nothing fits; *start is where the word begins; *candidates (owned, or NULL)
// lists the possibilities when there are several, parted by spaces.
char *prompt_complete(struct client *c, enum prompt_type type, const char *text, size_t cursor,
                      size_t *start, char **candidates);

#endif
