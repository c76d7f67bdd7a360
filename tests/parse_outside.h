// What the command language takes from outside, for its tests and its fuzz target: variables,
// aliases and formats, without a server behind them.
#ifndef AMUX_TESTS_PARSE_OUTSIDE_H
#define AMUX_TESTS_PARSE_OUTSIDE_H

#include <stdlib.h>
#include <string.h>

#include "common/util.h"
#include "server/environ.h"
#include "server/format/format.h"
#include "server/options/options.h"
#include "server/server.h"

static struct environ_entry outside_variables[64];
static size_t outside_n_variables;
static const char *outside_aliases[] = {
    "split-pane=split-window", "two=display-message -p a ; display-message -p", "loop=loop", "broken='",
};
static int outside_token; // something to point at

struct environ *server_environ(void)
{
    return (struct environ *)&outside_token;
}

const struct environ_entry *environ_find(const struct environ *env, const char *name)
{
    (void)env;
    for (size_t i = 0; i < outside_n_variables; i++) {
        if (strcmp(outside_variables[i].name, name) == 0)
            return &outside_variables[i];
    }
    return NULL;
}

void environ_set(struct environ *env, const char *name, const char *value, bool is_hidden)
{
    struct environ_entry *e = (struct environ_entry *)environ_find(env, name);
    if (e == NULL) {
        if (outside_n_variables == ARRAY_LEN(outside_variables))
            return;
        e = &outside_variables[outside_n_variables++];
        e->name = xstrdup(name);
        e->value = NULL;
    }
    free(e->value);
    e->value = xstrdup(value);
    e->is_hidden = is_hidden;
}

struct options *server_options(void)
{
    return (struct options *)&outside_token;
}

size_t options_array_len(const struct options *o, const char *name)
{
    (void)o;
    return strcmp(name, "command-alias") == 0 ? ARRAY_LEN(outside_aliases) : 0;
}

const char *options_array_at(const struct options *o, const char *name, size_t n, unsigned *index)
{
    (void)o, (void)name, (void)index;
    return outside_aliases[n];
}

// A format is true if it is "1" or "#{yes}".
char *format_expand(const struct format_context *ctx, const char *fmt)
{
    (void)ctx;
    return xstrdup(strcmp(fmt, "1") == 0 || strcmp(fmt, "#{yes}") == 0 || strcmp(fmt, "#{a b}") == 0 ? "1" : "");
}

bool format_is_true(const char *text)
{
    return *text != '\0' && strcmp(text, "0") != 0;
}

#endif
