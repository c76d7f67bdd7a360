// What was typed into prompts, by type; in memory only.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/util.h"
#include "server/mode/prompt.h"

static const char *const type_names[PROMPT_TYPES] = {"command", "search", "target",
                                                     "window-target"};

static struct history {
    char **lines;
    size_t n;
} histories[PROMPT_TYPES];

enum prompt_type prompt_type_from_name(const char *name)
{
    for (int i = 0; name != NULL && i < PROMPT_TYPES; i++) {
        if (strcmp(name, type_names[i]) == 0)
            return (enum prompt_type)i;
    }
    return PROMPT_TYPE_COMMAND;
}

const char *prompt_type_name(enum prompt_type type)
{
    return type_names[type];
}

static void drop_oldest(struct history *h, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(h->lines[i]);
    h->n -= n;
    memmove(h->lines, h->lines + n, h->n * sizeof *h->lines);
}

void prompt_history_add(enum prompt_type type, const char *text, size_t limit)
{
    struct history *h = &histories[type];
    if (h->n > 0 && strcmp(h->lines[h->n - 1], text) == 0)
        return;
    if (limit == 0) {
        prompt_history_clear(type);
        return;
    }
    if (h->n >= limit)
        drop_oldest(h, h->n - limit + 1);
    h->lines = xreallocarray(h->lines, h->n + 1, sizeof *h->lines);
    h->lines[h->n++] = xstrdup(text);
}

const char *prompt_history_at(enum prompt_type type, size_t n)
{
    const struct history *h = &histories[type];
    return n == 0 || n > h->n ? NULL : h->lines[h->n - n];
}

size_t prompt_history_len(enum prompt_type type)
{
    return histories[type].n;
}

void prompt_history_clear(enum prompt_type type)
{
    struct history *h = &histories[type];
    if (h->n == 0)
        return;
    drop_oldest(h, h->n);
    free(h->lines);
    h->lines = NULL;
}
