// The command table's rows, and finding one by name, alias or unique prefix.
#include "config.h"

#include "common/commands.h"

#include <stdlib.h>
#include <string.h>

#include "common/util.h"

const struct command_spec command_specs[N_COMMANDS] = {
#define COMMAND(id, name, alias, flags, min, max, usage, help, cflags, target, tflags) \
    {#id, name, alias, flags, min, max, usage, help, cflags, target, tflags},
#include "common/commands.def"
#undef COMMAND
};

const struct command_spec *command_spec_find(const char *name, char **cause)
{
    size_t len = strlen(name);
    const struct command_spec *found = NULL;
    unsigned n_found = 0;

    for (size_t i = 0; i < N_COMMANDS; i++) {
        const struct command_spec *spec = &command_specs[i];
        if (spec->alias[0] != '\0' && strcmp(spec->alias, name) == 0)
            return spec;
        if (strcmp(spec->name, name) == 0)
            return spec;
        if (strncmp(spec->name, name, len) == 0) {
            found = spec;
            n_found++;
        }
    }
    if (n_found == 1)
        return found;
    if (cause == NULL)
        return NULL;

    if (n_found == 0) {
        char *visible = text_visible(name);
        *cause = xasprintf("unknown command: %s", visible);
        free(visible);
        return NULL;
    }
    struct strbuf out = {0};
    strbuf_addf(&out, "ambiguous command: %s, could be: ", name);
    bool is_first = true;
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (strncmp(command_specs[i].name, name, len) != 0)
            continue;
        if (!is_first)
            strbuf_add_str(&out, ", ");
        is_first = false;
        strbuf_add_str(&out, command_specs[i].name);
    }
    *cause = strbuf_take(&out);
    return NULL;
}
