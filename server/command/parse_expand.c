// What the command language takes from outside its text: variables, home directories, aliases and
// the conditions of %if.
#include "config.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/command/language.h"
#include "server/environ.h"
#include "server/format/format.h"
#include "server/options/options.h"
#include "server/server.h"

const char *expand_variable(const char *name)
{
    const struct environ *env = server_environ();
    const struct environ_entry *entry = env == NULL ? NULL : environ_find(env, name);
    return entry == NULL || entry->value == NULL ? "" : entry->value;
}

char *expand_tilde(const char *user)
{
    if (*user == '\0') {
        const char *home = expand_variable("HOME");
        return xstrdup(*home == '\0' ? user_home() : home);
    }
    // The local file only: a name service may take its time, and the loop must not wait.
    FILE *file = fopen("/etc/passwd", "re");
    char *home = NULL;
    if (file == NULL)
        return NULL;
    for (struct passwd *pw; home == NULL && (pw = fgetpwent(file)) != NULL;) {
        if (strcmp(pw->pw_name, user) == 0)
            home = xstrdup(pw->pw_dir);
    }
    fclose(file);
    return home;
}

const char *expand_alias(const char *name)
{
    const struct options *o = server_options();
    size_t len = strlen(name);

    for (size_t i = 0, n = o == NULL ? 0 : options_array_len(o, "command-alias"); i < n; i++) {
        const char *alias = options_array_at(o, "command-alias", i, NULL);
        if (alias != NULL && strncmp(alias, name, len) == 0 && alias[len] == '=')
            return alias + len + 1;
    }
    return NULL;
}

void expand_assign(const char *assignment, bool is_hidden)
{
    struct environ *env = server_environ();
    const char *equals = strchr(assignment, '=');
    if (env == NULL || equals == NULL)
        return;
    char *name = xstrndup(assignment, (size_t)(equals - assignment));
    environ_set(env, name, equals + 1, is_hidden);
    free(name);
}

bool expand_condition(const char *format, struct format_context *ctx)
{
    struct format_context none = {0};
    char *value = format_expand(ctx == NULL ? &none : ctx, format);
    bool is_true = format_is_true(value);
    free(value);
    return is_true;
}
