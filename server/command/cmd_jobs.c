// show-jobs: what runs in the background of the server or of a client, and how often it woke up.
#include "config.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/jobs.h"
#include "common/jobs_report.h"
#include "server/command/cmd_common.h"
#include "server/server.h"

static const char *text_in(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text != NULL ? text : "";
}

static json_int_t number_in(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

// The table form, of whichever process the figures are.
static void print_table(struct cmdq_item *item, const json_t *root)
{
    const json_t *rows = json_object_get(root, "jobs"), *loop = json_object_get(root, "loop");

    cmdq_print(item, "%-24s %9s %12s %10s %10s", "JOB", "INSTANCES", "DUE IN ms", "RUNS",
               "LONGEST us");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        char *name = text_visible(text_in(row, "name"));
        char due[32] = "-";
        if (json_is_true(json_object_get(row, "armed")))
            snprintf(due, sizeof due, "%.1f", (double)number_in(row, "due_in_us") / 1000);
        cmdq_print(item, "%-24s %9lld %12s %10lld %10lld", name,
                   (long long)number_in(row, "instances"), due, (long long)number_in(row, "runs"),
                   (long long)number_in(row, "longest_us"));
        free(name);
    }
    char *whose = text_visible(text_in(loop, "longest_whose"));
    cmdq_print(item, "wakeups %lld, by the timer %lld, clock set %lld times",
               (long long)number_in(loop, "wakeups"), (long long)number_in(loop, "timer_wakeups"),
               (long long)number_in(loop, "clock_changes"));
    cmdq_print(item, "longest turn %lld us%s%s", (long long)number_in(loop, "longest_turn_us"),
               *whose != '\0' ? ", " : "", whose);
    free(whose);
}

static void print_jobs(struct cmdq_item *item, json_t *root, bool as_json)
{
    if (as_json) {
        char *text = json_dumps(root, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
        if (text != NULL)
            cmdq_print(item, "%s", text);
        free(text);
    } else {
        print_table(item, root);
    }
    json_decref(root);
}

// A client was asked.
struct asked {
    struct cmdq_item *item; // NULL: its queue died first
    bool as_json;
};

static void client_answered(struct client *c, const char *json, void *arg)
{
    struct asked *ask = arg;
    struct cmdq_item *item = ask->item;
    enum command_result result = COMMAND_OK;

    c->jobs_fn = NULL;
    c->jobs_arg = NULL;
    json_error_t error;
    json_t *root = json != NULL ? json_loads(json, 0, &error) : NULL;
    bool as_json = ask->as_json;
    free(ask);
    if (item == NULL) {
        json_decref(root);
        return;
    }
    if (json_is_object(root)) {
        print_jobs(item, root, as_json);
    } else {
        json_decref(root);
        cmdq_error(item,
                   json != NULL ? "the client's answer cannot be read" : "the client went away");
        result = COMMAND_ERROR;
    }
    cmdq_continue(item, result);
}

static void asker_gone(void *arg)
{
    struct asked *ask = arg;

    ask->item = NULL;
}

enum command_result cmd_exec_SHOW_JOBS(const struct args *args, struct cmdq_item *item)
{
    char *cause = NULL;

    // The question itself woke the loop up: it does not count.
    loop_stats_uncount_wakeup(server_jobs());
    if (!args_has(args, 'c')) {
        print_jobs(item, jobs_report(server_jobs()), args_has(args, 'J'));
        return COMMAND_OK;
    }
    struct client *c = target_find_client(args_get(args, 'c'), &cause);
    if (c == NULL)
        return cmd_fail(item, cause);
    if (!c->is_attached || c->jobs_fn != NULL) {
        cmdq_error(item, c->is_attached ? "the client is being asked already"
                                        : "the client is not attached");
        return COMMAND_ERROR;
    }
    struct asked *ask = xcalloc(1, sizeof *ask);
    ask->item = item;
    ask->as_json = args_has(args, 'J');
    struct msg_ASK_JOBS m = {.as_json = 1};
    c->jobs_fn = client_answered;
    c->jobs_arg = ask;
    if (!peer_send(c->peer, MSG_ASK_JOBS, &m)) {
        c->jobs_fn = NULL;
        c->jobs_arg = NULL;
        free(ask);
        cmdq_error(item, "the client cannot be asked");
        return COMMAND_ERROR;
    }
    cmdq_on_cancel(item, asker_gone, ask);
    return COMMAND_WAIT;
}
