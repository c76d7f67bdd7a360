// What several command handlers share: errors, directories, environments, printing lists.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "server/command/cmd_common.h"
#include "server/environ.h"
#include "server/server.h"

enum command_result cmd_fail(struct cmdq_item *item, char *cause)
{
    cmdq_error(item, "%s", cause != NULL ? cause : "unknown error");
    free(cause);
    return COMMAND_ERROR;
}

void cmd_note(struct cmdq_item *item, char *text)
{
    struct client *c = cmdq_client(item);

    if (c != NULL && !c->is_attached) {
        char *visible = text_visible(text);
        client_print(c, 2, visible, strlen(visible));
        client_print(c, 2, "\n", 1);
        free(visible);
    } else if (c != NULL) {
        client_message(c, -1, "%s", text);
    } else {
        server_add_message("%s", text);
    }
    free(text);
}

struct client *cmd_need_client(struct cmdq_item *item)
{
    struct client *c = cmdq_target_client(item);

    if (c == NULL || !c->is_attached) {
        cmdq_error(item, "no current client");
        return NULL;
    }
    return c;
}

bool cmd_find_source(const struct args *args, char flag, struct cmdq_item *item,
                     enum command_target kind, unsigned flags, struct target *out)
{
    char *cause = NULL;

    if (target_find(out, cmdq_current(item), cmdq_client(item), args_get(args, flag), kind, flags,
                    &cause))
        return true;
    cmd_fail(item, cause);
    return false;
}

char *cmd_path_from(const char *base, const char *path)
{
    if (path == NULL || *path == '\0')
        return xstrdup(base);
    if (*path == '/')
        return xstrdup(path);
    return xasprintf("%s%s%s", base, base[strlen(base) - 1] == '/' ? "" : "/", path);
}

const char *cmd_client_dir(struct cmdq_item *item, const struct session *s)
{
    struct client *c = cmdq_client(item);

    // A command line means the directory it was typed in; an attached client its session's.
    if (c != NULL && !c->is_attached && c->cwd != NULL && *c->cwd == '/')
        return c->cwd;
    if (s == NULL && c != NULL)
        s = c->session;
    if (s != NULL && s->cwd != NULL && *s->cwd == '/')
        return s->cwd;
    return user_home();
}

char *cmd_start_dir(const struct args *args, struct cmdq_item *item, const struct session *s)
{
    const char *base = cmd_client_dir(item, s);

    if (!args_has(args, 'c'))
        return xstrdup(base);
    char *expanded = cmdq_expand(item, args_get(args, 'c'));
    char *path = cmd_path_from(base, expanded);
    free(expanded);
    return path;
}

struct environ *cmd_extra_environ(const struct args *args)
{
    struct environ *env = environ_new();

    for (unsigned i = 0; i < args_count_flag(args, 'e'); i++)
        environ_put(env, args_get_nth(args, 'e', i)); // without a '=' it says nothing
    return env;
}

char *cmd_expand_over(struct cmdq_item *item, const char *fmt, struct session *s,
                      struct winlink *wl, struct pane *p)
{
    struct format_context ctx = {
        .client = cmdq_client(item),
        .session = s,
        .winlink = wl,
        .window = wl != NULL  ? wl->window
                  : p != NULL ? p->window
                              : NULL,
        .pane = p,
    };

    if (p == NULL && ctx.window != NULL)
        ctx.pane = ctx.window->active;
    return format_expand(&ctx, fmt);
}

void cmd_print_over(struct cmdq_item *item, const char *fmt, struct session *s, struct winlink *wl,
                    struct pane *p)
{
    char *text = cmd_expand_over(item, fmt, s, wl, p);

    cmdq_print(item, "%s", text);
    free(text);
}

void cmd_print_filtered(struct cmdq_item *item, const struct format_context *ctx,
                        const char *filter, const char *line)
{
    if (filter != NULL) {
        char *answer = format_expand(ctx, filter);
        bool is_wanted = format_is_true(answer);
        free(answer);
        if (!is_wanted)
            return;
    }
    char *text = format_expand(ctx, line);
    cmdq_print(item, "%s", text);
    free(text);
}

static int compare_session_names(const void *a, const void *b)
{
    const struct session *const *sa = a, *const *sb = b;

    return strcmp((*sa)->name, (*sb)->name);
}

struct session **cmd_sessions_by_name(size_t *n)
{
    struct session *s, **list;
    size_t count = 0, i = 0;

    TAILQ_FOREACH (s, &all_sessions, entry)
        count++;
    list = xcalloc(count + 1, sizeof *list);
    TAILQ_FOREACH (s, &all_sessions, entry)
        list[i++] = s;
    if (count > 1)
        qsort(list, count, sizeof *list, compare_session_names);
    if (n != NULL)
        *n = count;
    return list;
}
