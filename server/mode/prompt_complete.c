// Tab in a prompt: names of commands, their flags, options, and targets.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/commands.h"
#include "common/util.h"
#include "server/mode/prompt.h"
#include "server/model/client.h"
#include "server/model/model.h"
#include "server/options/options.h"

#define CANDIDATES_MAX 500

struct candidates {
    const char *word;
    size_t len;
    char *list[CANDIDATES_MAX];
    size_t n;
};

static void candidate_add(struct candidates *cs, const char *text)
{
    if (strncmp(text, cs->word, cs->len) != 0 || cs->n == CANDIDATES_MAX)
        return;
    for (size_t i = 0; i < cs->n; i++) {
        if (strcmp(cs->list[i], text) == 0)
            return;
    }
    cs->list[cs->n++] = xstrdup(text);
}

static void add_commands(struct candidates *cs)
{
    for (size_t i = 0; i < N_COMMANDS; i++)
        candidate_add(cs, command_specs[i].name);
    // Aliases only when asked for by name: beside the names they would stop them from completing.
    for (size_t i = 0; cs->n == 0 && i < N_COMMANDS; i++) {
        if (command_specs[i].alias[0] != '\0')
            candidate_add(cs, command_specs[i].alias);
    }
}

static void add_flags(struct candidates *cs, const struct command_spec *spec)
{
    for (const char *f = spec->flags; *f != '\0'; f++) {
        if (*f != ':')
            candidate_add(cs, (char[]){'-', *f, '\0'});
    }
}

static void add_options(struct candidates *cs)
{
    for (const struct option_row *o = option_rows; o->name != NULL; o++)
        candidate_add(cs, o->name);
}

// Before the colon sessions, behind it the windows of that session by index and name.
static void add_targets(struct candidates *cs, struct client *c, bool are_windows)
{
    const char *colon = memchr(cs->word, ':', cs->len);
    struct session *s;
    if (colon == NULL && !are_windows) {
        TAILQ_FOREACH (s, &all_sessions, entry) {
            char *text = xasprintf("%s:", s->name);
            candidate_add(cs, text);
            free(text);
        }
        return;
    }
    s = c == NULL ? NULL : c->session;
    char *name = colon == NULL ? xstrdup("") : xstrndup(cs->word, (size_t)(colon - cs->word));
    if (*name != '\0')
        s = session_by_name(name);
    struct winlink *wl;
    if (s != NULL) {
        TAILQ_FOREACH (wl, &s->winlinks, entry) {
            char *by_index = xasprintf("%s%s%d", name, colon == NULL ? "" : ":", wl->index);
            char *by_name = xasprintf("%s%s%s", name, colon == NULL ? "" : ":", wl->window->name);
            candidate_add(cs, by_index);
            if (strchr(wl->window->name, ' ') == NULL)
                candidate_add(cs, by_name);
            free(by_index);
            free(by_name);
        }
    }
    free(name);
}

static const struct command_spec *spec_of(const char *word, size_t len)
{
    char *name = xstrndup(word, len), *cause = NULL;
    const struct command_spec *spec = command_spec_find(name, &cause);
    free(cause);
    free(name);
    return spec;
}

static bool takes_option(const struct command_spec *spec)
{
    return strcmp(spec->name, "set-option") == 0 || strcmp(spec->name, "show-options") == 0 ||
           strcmp(spec->name, "set-window-option") == 0 ||
           strcmp(spec->name, "show-window-options") == 0;
}

// `before` is the text of the command up to the word; its first word names it.
static void add_arguments(struct candidates *cs, struct client *c, const char *before, size_t len)
{
    size_t name_len = strcspn(before, " ");
    const struct command_spec *spec = spec_of(before, MIN_OF(name_len, len));
    if (spec == NULL)
        return;
    while (len > 0 && before[len - 1] == ' ')
        len--;
    bool is_after_flag =
        len >= 2 && before[len - 2] == '-' && strchr("ts", before[len - 1]) != NULL;
    if (is_after_flag) {
        enum command_target kind = spec->target;
        add_targets(cs, c, kind == TARGET_WINDOW && memchr(cs->word, ':', cs->len) == NULL);
        if (cs->n == 0 || cs->len == 0)
            add_targets(cs, c, false);
    } else if (cs->len > 0 && cs->word[0] == '-') {
        add_flags(cs, spec);
    } else if (takes_option(spec)) {
        add_options(cs);
    } else if (strcmp(spec->name, "list-commands") == 0) {
        add_commands(cs);
    }
}

char *prompt_complete(struct client *c, enum prompt_type type, const char *text, size_t cursor,
                      size_t *start, char **candidates)
{
    *candidates = NULL;
    if (type == PROMPT_TYPE_SEARCH)
        return NULL;
    size_t at = cursor;
    while (at > 0 && text[at - 1] != ' ' && text[at - 1] != ';')
        at--;
    size_t command = at;
    while (command > 0 && text[command - 1] != ';')
        command--;
    while (command < at && text[command] == ' ')
        command++;
    *start = at;
    struct candidates cs = {.word = text + at, .len = cursor - at};
    if (type == PROMPT_TYPE_TARGET || type == PROMPT_TYPE_WINDOW_TARGET) {
        add_targets(&cs, c, type == PROMPT_TYPE_WINDOW_TARGET);
    } else if (command == at) {
        if (cs.len > 0)
            add_commands(&cs);
    } else {
        add_arguments(&cs, c, text + command, at - command);
    }
    if (cs.n == 0)
        return NULL;

    // What all have in common; a space behind it when there is one only.
    size_t common = strlen(cs.list[0]);
    for (size_t i = 1; i < cs.n; i++) {
        size_t n = 0;
        while (n < common && cs.list[i][n] == cs.list[0][n])
            n++;
        common = n;
    }
    // Never a part of a character.
    while (common > cs.len && ((unsigned char)cs.list[0][common] & 0xC0) == 0x80)
        common--;
    struct strbuf out = {0}, list = {0};
    strbuf_add(&out, cs.list[0], common);
    if (cs.n == 1 && (common == 0 || cs.list[0][common - 1] != ':'))
        strbuf_add_char(&out, ' ');
    for (size_t i = 0; i < cs.n; i++) {
        if (cs.n > 1) {
            if (i > 0)
                strbuf_add_char(&list, ' ');
            strbuf_add_str(&list, cs.list[i]);
        }
        free(cs.list[i]);
    }
    if (cs.n > 1)
        *candidates = strbuf_take(&list);
    return strbuf_take(&out);
}
