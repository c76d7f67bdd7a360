// What is shown to the person: display-message, show-messages and list-clients.
#include "config.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "server/command/cmd_common.h"
#include "server/options/options.h"
#include "server/server.h"

static const char message_default[] = "[#{session_name}] #{window_index}:#{window_name}, current "
                                      "pane #{pane_index} - (%H:%M %d-%b-%y)";
static const char list_clients_line[] =
    "#{client_name}: #{session_name} [#{client_width}x#{client_height} #{client_termname}] "
    "#{?client_flags,(#{client_flags}),}";

// -a: every variable and its value here.
static void print_variables(struct cmdq_item *item, const struct format_context *ctx)
{
    const struct format_variable_doc *v;

    for (v = format_variables(); v->name != NULL; v++) {
        char *fmt = xasprintf("#{%s}", v->name);
        char *value = format_expand(ctx, fmt);
        cmdq_print(item, "%s=%s", v->name, value);
        free(value);
        free(fmt);
    }
}

// The client last used of those that show s; NULL: none does.
static struct client *client_of_session(struct session *s)
{
    struct client *c, *best = NULL;

    for (c = s == NULL ? NULL : client_next_in_session(s, NULL); c != NULL;
         c = client_next_in_session(s, c)) {
        if (best == NULL || c->activity_us > best->activity_us)
            best = c;
    }
    return best;
}

// For delay ms; -1: the client's display-time; 0: until a key.
static void show_message(struct client *c, const char *text, int delay, bool ignores_keys)
{
    client_message(c, delay, "%s", text);
    if (delay < 0)
        delay = (int)MIN_OF(options_number(client_options(c), "display-time"), INT_MAX);
    if (ignores_keys && delay > 0)
        client_keep_message(c, delay);
}

enum command_result cmd_exec_DISPLAY_MESSAGE(const struct args *args, struct cmdq_item *item)
{
    const struct target *t = cmdq_target(item);
    const char *fmt = args_at(args, 0);
    struct client *c = NULL;
    long long delay = -1;
    char *cause = NULL;

    if (args_has(args, 'I')) {
        if (t->pane == NULL)
            return COMMAND_OK;
        if (t->pane->pid > 0 || t->pane->spawning != NULL) {
            cmdq_error(item, "pane is not empty");
            return COMMAND_ERROR;
        }
        return cmd_feed_from_stdin(item, t->pane);
    }
    if (args_has(args, 'F') && fmt != NULL) {
        cmdq_error(item, "only one of -F or argument must be given");
        return COMMAND_ERROR;
    }
    if (args_has(args, 'd') && !args_number(args, 'd', 0, UINT_MAX, &delay, &cause, "delay"))
        return cmd_fail(item, cause);
    if (fmt == NULL)
        fmt = args_has(args, 'F') ? args_get(args, 'F') : message_default;
    if (args_has(args, 'c')) {
        if ((c = target_find_client(args_get(args, 'c'), &cause)) == NULL)
            return cmd_fail(item, cause);
    } else {
        c = cmdq_target_client(item);
    }
    // Formats see the client if it shows the target, else the one last used of those that do.
    const struct client *over = c;
    if (c == NULL || c->session == NULL || c->session != t->session)
        over = args_has(args, 'c') ? c : client_of_session(t->session);
    struct format_context ctx = {
        .client = over,
        .session = t->session,
        .winlink = t->winlink,
        .window = t->window != NULL    ? t->window
                  : t->winlink != NULL ? t->winlink->window
                                       : NULL,
        .pane = t->pane,
    };
    if (args_has(args, 'a')) {
        print_variables(item, &ctx);
        return COMMAND_OK;
    }
    char *text = args_has(args, 'l') ? xstrdup(fmt) : format_expand_time(&ctx, fmt);
    if (args_has(args, 'p'))
        cmdq_print(item, "%s", text);
    else if (c != NULL && c->is_attached)
        show_message(c, text, delay > INT_MAX ? INT_MAX : (int)delay, args_has(args, 'N'));
    free(text);
    return COMMAND_OK;
}

enum command_result cmd_exec_SHOW_MESSAGES(const struct args *args, struct cmdq_item *item)
{
    const struct server_message *messages;
    size_t n = server_messages(&messages);

    (void)args;
    while (n-- > 0) { // newest first
        time_t at = (time_t)messages[n].time;
        struct tm tm;
        char when[64] = "";
        if (localtime_r(&at, &tm) != NULL)
            strftime(when, sizeof when, "%H:%M:%S", &tm);
        cmdq_print(item, "%s: %s", when, messages[n].text);
    }
    return COMMAND_OK;
}

enum command_result cmd_exec_LIST_CLIENTS(const struct args *args, struct cmdq_item *item)
{
    const char *line = args_has(args, 'F') ? args_get(args, 'F') : list_clients_line;
    struct session *only = args_has(args, 't') ? cmdq_target(item)->session : NULL;
    struct client *c;

    if (args_has(args, 't') && only == NULL) {
        cmdq_error(item, "can't find session: %s", args_get(args, 't'));
        return COMMAND_ERROR;
    }
    TAILQ_FOREACH (c, &all_clients, entry) {
        if (!c->is_attached || c->session == NULL || (only != NULL && c->session != only))
            continue;
        struct winlink *wl = c->session->current;
        struct format_context ctx = {
            .client = c,
            .session = c->session,
            .winlink = wl,
            .window = wl != NULL ? wl->window : NULL,
            .pane = wl != NULL ? wl->window->active : NULL,
        };
        cmd_print_filtered(item, &ctx, args_get(args, 'f'), line);
    }
    return COMMAND_OK;
}
