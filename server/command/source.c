// Files of commands: read off the loop's path, parsed in slices, run in the queue of who asked; and
// the files of the server's start.
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/jobs.h"
#include "common/log.h"
#include "server/command/command.h"
#include "server/command/file_slices.h"
#include "server/command/language.h"
#include "server/format/format.h"
#include "server/model/client.h"
#include "server/server.h"

#define FILE_MAX_BYTES ((size_t)4 << 20)
// A slice of parsing ends after this much of a turn.
#define PARSE_TURN_US (TURN_LIMIT_US / 2)

struct source {
    char *path;
    uint64_t item;    // who asked, by number: its queue may die meanwhile; 0: the start
    unsigned flags;   // enum cmdq_flag, enum source_flag
    const char *refusal; // said instead of reading; static
    char *text;
    struct command_parser *parser;
    struct format_context ctx; // of %if; made anew for each slice
    unsigned n_errors;
    struct job *job;
    void (*done)(void *arg, int code);
    void *arg;
};

static struct {
    char *paths[4];
    size_t n, at;
    unsigned n_errors;
    char *first_error;
    bool had_any;
} start;

void source_add_error(struct client *c, const char *text)
{
    server_add_message("%s", text);
    if (c != NULL)
        return;
    start.n_errors++;
    if (start.first_error == NULL)
        start.first_error = xstrdup(text);
}

void source_show_errors(struct client *c)
{
    if (start.n_errors == 0)
        return;
    char *visible = text_visible(start.first_error);
    if (start.n_errors == 1)
        client_message(c, 0, "%s", visible);
    else
        client_message(c, 0, "%s (and %u more errors: show-messages)", visible, start.n_errors - 1);
    free(visible);
    free(start.first_error);
    start.first_error = NULL;
    start.n_errors = 0;
}

static void source_error(void *arg, const char *text)
{
    struct source *s = arg;
    struct cmdq_item *item = s->item == 0 ? NULL : cmdq_item_by_number(s->item);

    s->n_errors++;
    if (item != NULL)
        cmdq_error_as_is(item, text);
    else if (s->item == 0)
        source_add_error(NULL, text);
}

static void source_end(struct source *s)
{
    void (*done)(void *arg, int code) = s->done;
    void *arg = s->arg;
    int code = s->n_errors == 0 ? 0 : 1;

    job_remove(s->job);
    free(s->text);
    free(s->path);
    free(s);
    if (done != NULL)
        done(arg, code);
}

// --- Parsing

static void start_list_done(void *arg, int code);

static void print_commands(struct cmdq_item *item, const struct command_list *list)
{
    for (const struct command *c = list->first; c != NULL; c = c->next) {
        struct strbuf text = {0};
        args_add_text(c->args, &text);
        cmdq_print(item, "%s:%u: %s%s", c->file, c->line, c->spec->name, text.data == NULL ? "" : text.data);
        strbuf_free(&text);
    }
}

static void source_parsed(struct source *s)
{
    struct cmdq_item *item = s->item == 0 ? NULL : cmdq_item_by_number(s->item);
    struct command_list *list = command_parser_finish(s->parser);
    unsigned flags = (s->flags & (CMDQ_FROM_KEY | CMDQ_QUIET)) | CMDQ_FROM_CONFIG;

    s->parser = NULL;
    if (item != NULL && (s->flags & SOURCE_VERBOSE) != 0)
        print_commands(item, list);
    if (item != NULL && (s->flags & SOURCE_PARSE_ONLY) == 0)
        cmdq_insert_in_order(item, list, flags);
    else if (s->item == 0)
        cmdq_append(NULL, list, NULL, flags, start_list_done, NULL);
    command_list_unref(list);
    source_end(s);
}

static struct due source_due(const void *state, int64_t now_us)
{
    const struct source *s = state;
    return s->parser != NULL || s->refusal != NULL ? due_at(now_us) : due_never();
}

static void source_run(void *state)
{
    struct source *s = state;

    if (s->refusal != NULL) {
        char *text = xasprintf("%s: %s", s->path, s->refusal);
        source_error(s, text);
        free(text);
        source_end(s);
        return;
    }
    struct cmdq_item *item = s->item == 0 ? NULL : cmdq_item_by_number(s->item);
    if (item != NULL)
        cmdq_format_context(item, &s->ctx);
    else
        s->ctx = (struct format_context){0};
    do {
        if (!command_parser_step(s->parser)) {
            source_parsed(s);
            return;
        }
    } while (loop_turn_us(server_jobs()) < PARSE_TURN_US);
}

static const struct job_spec source_job = {"config", source_due, source_run};

static void source_read(void *arg, char *data, size_t size, const char *error)
{
    struct source *s = arg;

    s->text = data;
    if (error != NULL) {
        char *text = xasprintf("%s: %s", s->path, error);
        source_error(s, text);
        free(text);
    } else if (size > 0 && memchr(data, '\0', size) != NULL) {
        char *text = xasprintf("%s: not a text file", s->path);
        source_error(s, text);
        free(text);
    } else {
        struct parse_input in = {.file = s->path, .ctx = &s->ctx};
        s->parser = command_parser_new(data, &in, source_error, s);
        job_ask(s->job);
        return;
    }
    if (s->item == 0)
        start_list_done(NULL, 1);
    source_end(s);
}

static void source_begin(const char *path, struct cmdq_item *item, unsigned flags,
                         void (*done)(void *arg, int code), void *arg)
{
    struct source *s = xcalloc(1, sizeof *s);

    s->path = xstrdup(path);
    s->item = item == NULL ? 0 : cmdq_item_number(item);
    s->flags = flags;
    s->done = done;
    s->arg = arg;
    s->job = job_add(server_jobs(), &source_job, s);
    if (item != NULL && !cmdq_enter_file(item, &s->refusal))
        job_ask(s->job);
    else
        file_slices_read(path, FILE_MAX_BYTES, source_read, s);
}

void source_file_request(const char *path, struct cmdq_item *item, unsigned flags,
                         void (*done)(void *arg, int code), void *arg)
{
    source_begin(path, item, flags, done, arg);
}

// --- The server's start

static void start_next(void)
{
    if (start.at < start.n) {
        log_debug("config file %s", start.paths[start.at]);
        source_begin(start.paths[start.at++], NULL, 0, NULL, NULL);
        return;
    }
    for (size_t i = 0; i < start.n; i++)
        free(start.paths[i]);
    start.n = start.at = 0;
    server_set_config_finished();
    cmdq_wake_all();
}

static void start_list_done(void *arg, int code)
{
    (void)arg, (void)code;
    start_next();
}

static bool start_add(char *path, bool must_exist)
{
    if (!must_exist && access(path, F_OK) != 0) {
        free(path);
        return false;
    }
    start.paths[start.n++] = path;
    return true;
}

bool source_had_default_files(void)
{
    return start.had_any;
}

void source_default_files(void)
{
    const char *file = server_config_file();

    start.n = start.at = 0;
    if (file != NULL) {
        start_add(xstrdup(file), true);
    } else {
        start_add(xstrdup(AMUX_SYSCONFDIR "/amux.conf"), false);
        const char *config = expand_variable("XDG_CONFIG_HOME");
        char *home = expand_tilde("");
        char *path = *config == '/' ? xasprintf("%s/amux/amux.conf", config)
                                    : xasprintf("%s/.config/amux/amux.conf", home);
        if (!start_add(path, false))
            start_add(xasprintf("%s/.amux.conf", home), false);
        free(home);
    }
    start.had_any = start.n > 0;
    start_next();
}
