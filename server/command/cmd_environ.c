// Variables for new panes: set-environment and show-environment.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "server/command/cmd_common.h"
#include "server/environ.h"
#include "server/server.h"

// The environment that -g or -t means. NULL: the error was said.
static struct environ *environ_of(const struct args *args, struct cmdq_item *item)
{
    const struct target *t = cmdq_target(item);

    if (args_has(args, 'g'))
        return server_environ();
    if (t->session != NULL)
        return t->session->environ;
    if (args_has(args, 't'))
        cmdq_error(item, "no such session: %s", args_get(args, 't'));
    else
        cmdq_error(item, "no current session");
    return NULL;
}

enum command_result cmd_exec_SET_ENVIRONMENT(const struct args *args, struct cmdq_item *item)
{
    const char *name = args_at(args, 0), *value = args_at(args, 1);
    const char *refusal = NULL;

    if (*name == '\0')
        refusal = "empty variable name";
    else if (strchr(name, '=') != NULL)
        refusal = "variable name contains =";
    else if (args_has(args, 'u') && value != NULL)
        refusal = "can't specify a value with -u";
    else if (args_has(args, 'r') && value != NULL)
        refusal = "can't specify a value with -r";
    else if (!args_has(args, 'u') && !args_has(args, 'r') && value == NULL)
        refusal = "no value specified";
    if (refusal != NULL) {
        cmdq_error(item, "%s", refusal);
        return COMMAND_ERROR;
    }
    struct environ *env = environ_of(args, item);
    if (env == NULL)
        return COMMAND_ERROR;
    if (args_has(args, 'u')) {
        environ_unset(env, name);
    } else if (args_has(args, 'r')) {
        environ_clear(env, name);
    } else if (args_has(args, 'F')) {
        char *expanded = cmdq_expand(item, value);
        environ_set(env, name, expanded, args_has(args, 'h'));
        free(expanded);
    } else {
        environ_set(env, name, value, args_has(args, 'h'));
    }
    return COMMAND_OK;
}

static void print_entry(const struct args *args, struct cmdq_item *item,
                        const struct environ_entry *e)
{
    if (e->is_hidden != args_has(args, 'h'))
        return;
    if (!args_has(args, 's')) {
        if (e->value != NULL)
            cmdq_print(item, "%s=%s", e->name, e->value);
        else
            cmdq_print(item, "-%s", e->name);
        return;
    }
    if (e->value == NULL) {
        cmdq_print(item, "unset %s;", e->name);
        return;
    }
    struct strbuf quoted = {0};
    for (const char *s = e->value; *s != '\0'; s++) {
        if (strchr("$`\"\\", *s) != NULL)
            strbuf_add_char(&quoted, '\\');
        strbuf_add_char(&quoted, *s);
    }
    cmdq_print(item, "%s=\"%s\"; export %s;", e->name, quoted.data != NULL ? quoted.data : "",
               e->name);
    strbuf_free(&quoted);
}

enum command_result cmd_exec_SHOW_ENVIRONMENT(const struct args *args, struct cmdq_item *item)
{
    struct environ *env = environ_of(args, item);
    const char *name = args_at(args, 0);

    if (env == NULL)
        return COMMAND_ERROR;
    if (name != NULL) {
        const struct environ_entry *e = environ_find(env, name);
        if (e == NULL) {
            cmdq_error(item, "unknown variable: %s", name);
            return COMMAND_ERROR;
        }
        print_entry(args, item, e);
        return COMMAND_OK;
    }
    for (size_t i = 0; i < environ_count(env); i++)
        print_entry(args, item, environ_at(env, i));
    return COMMAND_OK;
}
