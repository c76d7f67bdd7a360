// The queues of commands: one of each client and the server's own. A queue runs one command at a
// time, from the loop, and stops its turn in time; a command that waits holds its queue alone.
#include "config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "common/jobs.h"
#include "common/log.h"
#include "server/command/command.h"
#include "server/command/language.h"
#include "server/format/format.h"
#include "server/mode/mode.h"
#include "server/model/client.h"
#include "server/model/model.h"
#include "server/server.h"

// Files within files, and how many one command may cause in all: a file that sources itself twice
// would otherwise be read 2^50 times.
#define FILE_DEPTH_MAX 50u
#define FILES_MAX 500u
// A queue stops taking commands in a turn after this long, so that the whole stays in the limit.
#define QUEUE_TURN_US (TURN_LIMIT_US / 2)

struct cmdq_item { // a list that was appended, and how far it has come
    uint64_t number;
    struct cmdq_item *parent; // it was inserted by: stands behind it in the queue
    struct cmdq_list *queue;
    struct command_list *list;
    const struct command *next;    // to be run
    const struct command *command; // running; NULL between commands
    struct target current, target;
    struct client *target_client;
    bool has_target_client;
    unsigned flags;
    unsigned file_depth;
    struct key_event event;
    bool has_event;
    unsigned event_pane, event_session; // ids: the objects may go while it waits
    int code;
    bool is_waiting;
    bool has_result; // cmdq_continue() was called from within the handler
    enum command_result result;
    void (*cancel)(void *arg);
    void *cancel_arg;
    void (*done)(void *arg, int code);
    void *done_arg;
    TAILQ_ENTRY(cmdq_item) entry;
};
TAILQ_HEAD(cmdq_items, cmdq_item);

struct cmdq_list {
    struct client *client; // NULL: the server's, or its client has gone
    bool is_server;
    struct cmdq_items items;
    struct cmdq_item *running; // its handler is on the stack, or it waits
    bool is_in_run;
    bool is_dead; // freed while it ran; run() finishes that
    bool has_run;
    int code; // what a command client exits with
    unsigned n_files;
    unsigned n_file_errors; // of files that an attached client sourced
    char *first_file_error;
    struct job *job;
    LIST_ENTRY(cmdq_list) entry;
};
static LIST_HEAD(, cmdq_list) all_lists = LIST_HEAD_INITIALIZER(all_lists);
static struct cmdq_list *server_list;
static struct cmdq_item *item_now; // whose command runs or is being looked up
static struct key_event next_event;
static bool has_next_event;

static struct due queue_due(const void *state, int64_t now_us);
static void queue_run(void *state);
static const struct job_spec queue_job = {"commands", queue_due, queue_run};

// --- Lists

static bool is_runnable(const struct cmdq_list *l)
{
    if (TAILQ_EMPTY(&l->items) || l->running != NULL)
        return false;
    return l->is_server || server_has_finished_config();
}

static struct due queue_due(const void *state, int64_t now_us)
{
    const struct cmdq_list *l = state;
    return !l->is_in_run && is_runnable(l) ? due_at(now_us) : due_never();
}

struct cmdq_list *cmdq_list_new(struct client *c)
{
    if (c == NULL && server_list != NULL)
        return server_list;
    struct cmdq_list *l = xcalloc(1, sizeof *l);
    l->client = c;
    l->is_server = c == NULL;
    TAILQ_INIT(&l->items);
    l->job = job_add(server_jobs(), &queue_job, l);
    LIST_INSERT_HEAD(&all_lists, l, entry);
    if (c == NULL)
        server_list = l;
    return l;
}

static struct cmdq_list *list_of(struct client *c)
{
    if (c == NULL)
        return cmdq_list_new(NULL);
    if (c->queue == NULL)
        c->queue = cmdq_list_new(c);
    return c->queue;
}

bool cmdq_is_empty(const struct client *c)
{
    return c->queue == NULL || TAILQ_EMPTY(&c->queue->items);
}

void cmdq_wake_all(void)
{
    struct cmdq_list *l;
    LIST_FOREACH(l, &all_lists, entry)
        job_ask(l->job);
}

static void item_free(struct cmdq_item *item)
{
    TAILQ_REMOVE(&item->queue->items, item, entry);
    command_list_unref(item->list);
    if (item_now == item)
        item_now = NULL;
    free(item);
}

static void list_destroy(struct cmdq_list *l)
{
    struct cmdq_item *item, *next;
    for (item = TAILQ_FIRST(&l->items); item != NULL; item = next) {
        next = TAILQ_NEXT(item, entry);
        if (item->is_waiting && item->cancel != NULL)
            item->cancel(item->cancel_arg);
        item_free(item);
    }
    job_remove(l->job);
    free(l->first_file_error);
    LIST_REMOVE(l, entry);
    if (server_list == l)
        server_list = NULL;
    free(l);
}

void cmdq_list_free(struct cmdq_list *l)
{
    if (l == NULL)
        return;
    l->client = NULL;
    if (l->is_in_run)
        l->is_dead = true;
    else
        list_destroy(l);
}

// --- Items

static struct cmdq_item *item_new(struct cmdq_list *l, struct command_list *list, unsigned flags)
{
    static uint64_t last_number;
    struct cmdq_item *item = xcalloc(1, sizeof *item);
    item->number = ++last_number;
    item->queue = l;
    item->list = command_list_ref(list);
    item->next = list->first;
    item->flags = flags;
    item->current.index = item->target.index = -1;
    return item;
}

static void item_set_event(struct cmdq_item *item, const struct key_event *ev)
{
    item->event = *ev;
    item->has_event = true;
    item->event_pane = ev->pane == NULL ? 0 : ev->pane->id;
    item->event_session = ev->session == NULL ? 0 : ev->session->id;
}

void cmdq_set_key_event(const struct key_event *ev)
{
    has_next_event = ev != NULL;
    if (ev != NULL)
        next_event = *ev;
}

void cmdq_append(struct client *c, struct command_list *list, const struct target *current, unsigned flags,
                 void (*done)(void *arg, int code), void *arg)
{
    struct cmdq_list *l = list_of(c);
    struct cmdq_item *item = item_new(l, list, flags);

    if (has_next_event)
        item_set_event(item, &next_event);
    has_next_event = false;
    if (current != NULL)
        item->current = *current;
    else if (item->has_event && item->event.is_mouse && item->event.pane != NULL)
        target_from_pane(&item->current, item->event.pane);
    item->done = done;
    item->done_arg = arg;
    TAILQ_INSERT_TAIL(&l->items, item, entry);
    job_ask(l->job);
}

static struct cmdq_item *insert_item(struct cmdq_item *item, struct command_list *list,
                                     const struct target *current, unsigned flags)
{
    struct cmdq_item *new = item_new(item->queue, list, flags);
    new->current = current != NULL ? *current : item->current;
    new->file_depth = item->file_depth;
    new->parent = item;
    if (item->has_event) {
        new->event = item->event;
        new->has_event = true;
        new->event_pane = item->event_pane;
        new->event_session = item->event_session;
    }
    return new;
}

void cmdq_insert_after_at(struct cmdq_item *item, struct command_list *list, const struct target *current,
                          unsigned flags)
{
    struct cmdq_item *new = insert_item(item, list, current, flags);
    TAILQ_INSERT_HEAD(&item->queue->items, new, entry);
}

void cmdq_insert_after(struct cmdq_item *item, struct command_list *list, unsigned flags)
{
    cmdq_insert_after_at(item, list, NULL, flags);
}

void cmdq_insert_in_order(struct cmdq_item *item, struct command_list *list, unsigned flags)
{
    struct cmdq_item *new = insert_item(item, list, NULL, flags);
    new->file_depth++;
    TAILQ_INSERT_BEFORE(item, new, entry);
}

uint64_t cmdq_item_number(const struct cmdq_item *item)
{
    return item->number;
}

struct cmdq_item *cmdq_item_by_number(uint64_t number)
{
    struct cmdq_list *l;
    struct cmdq_item *item;

    LIST_FOREACH(l, &all_lists, entry) {
        TAILQ_FOREACH(item, &l->items, entry) {
            if (item->number == number)
                return l->is_dead ? NULL : item;
        }
    }
    return NULL;
}

bool cmdq_enter_file(struct cmdq_item *item, const char **why)
{
    if (item->file_depth >= FILE_DEPTH_MAX) {
        *why = "too many nested files";
        return false;
    }
    if (item->queue->n_files++ >= FILES_MAX) {
        *why = "too many files";
        return false;
    }
    return true;
}

// --- Running

// Everything of the list was run.
static void list_ended(struct cmdq_list *l)
{
    struct client *c = l->client;

    l->n_files = 0;
    if (l->n_file_errors > 0 && c != NULL && c->session != NULL) {
        char *visible = text_visible(l->first_file_error);
        if (l->n_file_errors == 1)
            client_message(c, -1, "%s", visible);
        else
            client_message(c, -1, "%s (and %u more errors: show-messages)", visible, l->n_file_errors - 1);
        free(visible);
    }
    free(l->first_file_error);
    l->first_file_error = NULL;
    l->n_file_errors = 0;
    if (c == NULL || !l->has_run || c->session != NULL || c->is_attached || c->is_exiting)
        return;
    l->has_run = false;
    client_exit(c, l->code);
}

static void item_end(struct cmdq_item *item)
{
    void (*done)(void *arg, int code) = item->done;
    void *arg = item->done_arg;
    int code = item->code;

    if (item->parent != NULL && code != 0)
        item->parent->code = code;
    item_free(item);
    if (done != NULL)
        done(arg, code);
}

static void item_complete(struct cmdq_item *item, enum command_result result)
{
    struct cmdq_list *l = item->queue;

    if (result == COMMAND_ERROR) {
        item->code = l->code = 1;
        while (item->next != NULL && item->next->group == item->command->group)
            item->next = item->next->next;
    } else if (result == COMMAND_STOP) {
        item->next = NULL;
    }
    item->command = NULL;
    item->is_waiting = false;
    item->cancel = NULL;
    item->has_target_client = false;
    l->running = NULL;
    if (l->client != NULL && l->client->session != NULL)
        source_show_errors(l->client);
}

static bool find_target_client(struct cmdq_item *item, const char *name)
{
    char *cause = NULL;

    item->has_target_client = true;
    item->target_client = NULL;
    if (name == NULL) {
        item->target_client = target_best_client(item->queue->client, &item->current);
        return true;
    }
    item->target_client = target_find_client(name, &cause);
    if (item->target_client == NULL) {
        cmdq_error(item, "%s", cause);
        free(cause);
        return false;
    }
    return true;
}

// -t, and -c where the usage says that it names a client. False: the error was said.
static bool find_targets(struct cmdq_item *item, const struct command *command)
{
    const struct command_spec *spec = command->spec;
    struct target *current = cmdq_current(item);
    const char *name = spec->target == TARGET_NONE ? NULL : args_get(command->args, 't');
    char *cause = NULL;

    item->target = *current;
    item->target.index = -1;
    if (strstr(spec->usage, "-c target-client") != NULL && args_has(command->args, 'c') &&
        !find_target_client(item, args_get(command->args, 'c')))
        return false;
    switch (spec->target) {
    case TARGET_NONE:
        return true;
    case TARGET_CLIENT:
        if (!find_target_client(item, name))
            return false;
        if (item->target_client != NULL || (spec->target_flags & (TARGET_QUIET | TARGET_CAN_FAIL)) != 0)
            return true;
        cmdq_error(item, "no current client");
        return false;
    default:
        break;
    }
    if (target_find(&item->target, current, item->queue->client, name, spec->target, spec->target_flags,
                    &cause))
        return true;
    bool may_fail = (spec->target_flags & (name != NULL ? TARGET_QUIET : TARGET_QUIET | TARGET_CAN_FAIL)) != 0;
    if (!may_fail)
        cmdq_error(item, "%s", cause);
    free(cause);
    return may_fail;
}

static enum command_result run_command(struct cmdq_item *item, const struct command *command)
{
    const struct client *c = item->queue->client;

    if (log_level() > 0) {
        struct strbuf text = {0};
        args_add_text(command->args, &text);
        log_debug("%s: %s%s", c == NULL ? "server" : c->name == NULL ? "client" : c->name, command->spec->name,
                  text.data == NULL ? "" : text.data);
        strbuf_free(&text);
    }
    if (c != NULL && c->is_read_only && (command->spec->cmd_flags & COMMAND_READS_ONLY) == 0) {
        cmdq_error(item, "client is read-only");
        return COMMAND_ERROR;
    }
    if (!find_targets(item, command))
        return COMMAND_ERROR;
    return command_handler(command->spec)(command->args, item);
}

static void run_next(struct cmdq_list *l, struct cmdq_item *item)
{
    const struct command *command = item->next;

    if (command == NULL) {
        item_end(item);
        return;
    }
    item->next = command->next;
    item->command = command;
    item->has_result = false;
    item->has_target_client = false;
    item->cancel = NULL;
    l->running = item;
    l->has_run = true;

    struct cmdq_item *outer = item_now;
    item_now = item;
    enum command_result result = run_command(item, command);
    item_now = outer;
    if (result == COMMAND_WAIT && item->has_result)
        result = item->result;
    if (result == COMMAND_WAIT)
        item->is_waiting = true;
    else
        item_complete(item, result);
}

static void queue_run(void *state)
{
    struct cmdq_list *l = state;
    bool did_any = false;

    l->is_in_run = true;
    while (!l->is_dead && is_runnable(l)) {
        // The first one always, or a busy turn would hold commands off for good.
        if (did_any && loop_turn_us(server_jobs()) > QUEUE_TURN_US)
            break;
        run_next(l, TAILQ_FIRST(&l->items));
        did_any = true;
    }
    if (!l->is_dead && TAILQ_EMPTY(&l->items))
        list_ended(l);
    l->is_in_run = false;
    if (l->is_dead) {
        list_destroy(l);
        return;
    }
    job_ask(l->job);
    if (l->client != NULL && l->client->is_attached)
        input_resume(l->client);
}

void cmdq_continue(struct cmdq_item *item, enum command_result result)
{
    if (!item->is_waiting) { // the handler has not returned yet
        item->has_result = true;
        item->result = result;
        return;
    }
    if (result == COMMAND_WAIT)
        return;
    struct cmdq_list *l = item->queue;
    item_complete(item, result);
    job_ask(l->job);
}

void cmdq_on_cancel(struct cmdq_item *item, void (*fn)(void *arg), void *arg)
{
    item->cancel = fn;
    item->cancel_arg = arg;
}

// --- What a handler asks

struct client *cmdq_client(struct cmdq_item *item)
{
    return item->queue->client;
}

struct client *cmdq_target_client(struct cmdq_item *item)
{
    struct client *c;

    if (!item->has_target_client)
        find_target_client(item, NULL);
    TAILQ_FOREACH(c, &all_clients, entry) { // it may have gone while the command waited
        if (c == item->target_client)
            return c;
    }
    return NULL;
}

struct target *cmdq_target(struct cmdq_item *item)
{
    return &item->target;
}

struct target *cmdq_current(struct cmdq_item *item)
{
    if (!target_is_valid(&item->current))
        target_default(&item->current, item->queue->client, false);
    return &item->current;
}

const struct command *cmdq_command(struct cmdq_item *item)
{
    return item->command;
}

unsigned cmdq_flags(struct cmdq_item *item)
{
    return item->flags;
}

const struct key_event *cmdq_key_event(struct cmdq_item *item)
{
    struct key_event *ev = &item->event;
    struct winlink *wl = NULL;

    if (!item->has_event)
        return NULL;
    // What the event pointed at may have gone since.
    if (ev->session != NULL && session_by_id(item->event_session) != ev->session) {
        ev->session = NULL;
        ev->winlink = NULL;
    }
    if (ev->pane != NULL && pane_by_id(item->event_pane) != ev->pane)
        ev->pane = NULL;
    if (ev->session != NULL && ev->winlink != NULL) {
        TAILQ_FOREACH(wl, &ev->session->winlinks, entry) {
            if (wl == ev->winlink)
                break;
        }
    }
    ev->winlink = wl;
    return ev;
}

const struct key_event *cmdq_event_now(void)
{
    return item_now == NULL ? NULL : cmdq_key_event(item_now);
}

// --- What a command says

static struct pane *pane_of_client(const struct client *c)
{
    const struct session *s = c->session;
    return s == NULL || s->current == NULL ? NULL : s->current->window->active;
}

void cmdq_print_bytes(struct cmdq_item *item, const void *data, size_t len)
{
    struct client *c = item->queue->client;
    struct pane *p;

    if (c == NULL) {
        size_t text_len = len;
        while (text_len > 0 && ((const char *)data)[text_len - 1] == '\n')
            text_len--;
        char *text = xmalloc(text_len + 1);
        memcpy(text, data, text_len);
        text[text_len] = '\0';
        server_add_message("%s", text);
        free(text);
    } else if (c->session == NULL) {
        client_print(c, 1, data, len);
    } else if ((p = pane_of_client(c)) != NULL) {
        view_mode_add(p, data, len);
    }
}

void cmdq_print(struct cmdq_item *item, const char *fmt, ...)
{
    struct strbuf line = {0};
    va_list ap;

    va_start(ap, fmt);
    char *text = xvasprintf(fmt, ap);
    va_end(ap);
    strbuf_add_str(&line, text);
    strbuf_add_char(&line, '\n');
    cmdq_print_bytes(item, line.data, line.len);
    strbuf_free(&line);
    free(text);
}

static void file_error(struct cmdq_list *l, const char *text)
{
    source_add_error(l->client, text);
    if (l->client == NULL)
        return;
    l->n_file_errors++;
    if (l->first_file_error == NULL)
        l->first_file_error = xstrdup(text);
}

static void say_error(struct cmdq_item *item, const char *text, bool is_of_file)
{
    struct client *c = item->queue->client;

    item->code = item->queue->code = 1;
    if ((item->flags & CMDQ_QUIET) != 0)
        return;
    if (c != NULL && c->session == NULL) {
        struct strbuf line = {0};
        strbuf_add_str(&line, text);
        strbuf_add_char(&line, '\n');
        client_print(c, 2, line.data, line.len);
        strbuf_free(&line);
    } else if (is_of_file) {
        file_error(item->queue, text);
    } else if (c == NULL) {
        server_add_message("%s", text);
    } else {
        char *visible = text_visible(text);
        visible[0] = (char)toupper((unsigned char)visible[0]);
        client_message(c, -1, "%s", visible);
        free(visible);
    }
}

void cmdq_set_code(struct cmdq_item *item, int code)
{
    item->code = item->queue->code = code;
}

void cmdq_error_as_is(struct cmdq_item *item, const char *text)
{
    say_error(item, text, true);
}

void cmdq_error(struct cmdq_item *item, const char *fmt, ...)
{
    const struct command *command = item->command;
    bool is_of_file = (item->flags & CMDQ_FROM_CONFIG) != 0;
    va_list ap;

    va_start(ap, fmt);
    char *text = xvasprintf(fmt, ap);
    va_end(ap);
    if (is_of_file && command != NULL && command->file != NULL) {
        char *placed = xasprintf("%s:%u: %s", command->file, command->line, text);
        free(text);
        text = placed;
    }
    say_error(item, text, is_of_file);
    free(text);
}

void cmdq_format_context(struct cmdq_item *item, struct format_context *ctx)
{
    const struct target *t = item->target.session != NULL ? &item->target : cmdq_current(item);

    *ctx = (struct format_context){
        .client = cmdq_target_client(item),
        .session = t->session,
        .winlink = t->winlink,
        .window = t->window,
        .pane = t->pane,
    };
}

char *cmdq_expand(struct cmdq_item *item, const char *fmt)
{
    struct format_context ctx;
    cmdq_format_context(item, &ctx);
    return format_expand(&ctx, fmt);
}
