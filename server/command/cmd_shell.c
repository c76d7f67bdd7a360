// run-shell and if-shell: shell commands, and commands that depend on one or on a format.
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "common/jobs.h"
#include "server/command/cmd_common.h"
#include "server/command/language.h"
#include "server/command/shell_run.h"
#include "server/format/format.h"
#include "server/mode/mode.h"
#include "server/server.h"

// A command that waits for a shell or for a delay. Everything it may need later is held by number
// or copied: who asked may have gone.
struct waiting_shell {
    uint64_t item; // 0: -b, nobody waits
    bool has_pane;
    unsigned pane_id, session_id;
    char *command, *cwd;
    struct command_list *then, *otherwise; // if-shell; NULL: nothing
    bool is_if;
    unsigned flags;
    int64_t due_us; // monotonic; run-shell -d; 0: now
    struct job *job;
};

static void waiting_free(struct waiting_shell *w)
{
    job_remove(w->job);
    free(w->command);
    free(w->cwd);
    command_list_unref(w->then);
    command_list_unref(w->otherwise);
    free(w);
}

static struct waiting_shell *waiting_new(const struct args *args, struct cmdq_item *item)
{
    struct waiting_shell *w = xcalloc(1, sizeof *w);
    const struct target *t = cmdq_target(item);

    w->item = args_has(args, 'b') ? 0 : cmdq_item_number(item);
    w->flags = cmdq_flags(item);
    if (t->pane != NULL) {
        w->has_pane = true;
        w->pane_id = t->pane->id;
    }
    if (t->session != NULL)
        w->session_id = t->session->id;
    w->cwd = cmd_start_dir(args, item, t->session);
    return w;
}

// Runs list for who asked: behind the command that waits, else in the server's queue.
static void run_list(struct waiting_shell *w, struct cmdq_item *item, struct command_list *list)
{
    struct target current = {.index = -1};
    struct pane *p = w->has_pane ? pane_by_id(w->pane_id) : NULL;

    if (list == NULL)
        return;
    if (item != NULL) {
        cmdq_insert_after(item, list, w->flags);
        return;
    }
    if (p != NULL)
        target_from_pane(&current, p);
    cmdq_append(NULL, list, p == NULL ? NULL : &current, w->flags & CMDQ_FROM_CONFIG, NULL, NULL);
}

// A command's output: to who waits, else into the pane that it was for.
static void show_output(struct waiting_shell *w, struct cmdq_item *item, const char *data,
                        size_t size)
{
    struct pane *p = w->has_pane ? pane_by_id(w->pane_id) : NULL;
    const struct client *c = item == NULL ? NULL : cmdq_client(item);
    struct strbuf text = {0};

    if (size == 0)
        return;
    strbuf_add(&text, data, size);
    if (data[size - 1] != '\n')
        strbuf_add_char(&text, '\n');
    if (item != NULL && (p == NULL || (c != NULL && c->session == NULL)))
        cmdq_print_bytes(item, text.data, text.len);
    else if (p != NULL)
        view_mode_add(p, text.data, text.len);
    strbuf_free(&text);
}

static void shell_ended(void *arg, int status, const char *data, size_t size)
{
    struct waiting_shell *w = arg;
    struct cmdq_item *item = w->item == 0 ? NULL : cmdq_item_by_number(w->item);
    bool is_good = WIFEXITED(status) && WEXITSTATUS(status) == 0;

    if (w->item != 0 && item == NULL) {
        waiting_free(w);
        return;
    }
    if (w->is_if) {
        run_list(w, item, is_good ? w->then : w->otherwise);
    } else {
        show_output(w, item, data, size);
        if (!is_good) {
            char *text =
                WIFEXITED(status)
                    ? xasprintf("'%s' returned %d\n", w->command, WEXITSTATUS(status))
                    : xasprintf("'%s' terminated by signal %d\n", w->command, WTERMSIG(status));
            show_output(w, item, text, strlen(text));
            free(text);
            if (item != NULL)
                cmdq_set_code(item,
                              WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
        }
    }
    waiting_free(w);
    if (item != NULL)
        cmdq_continue(item, COMMAND_OK);
}

// Starts the shell; w is its own from here on. False: it is gone, *why says the reason.
static bool begin(struct waiting_shell *w, const char **why)
{
    struct pane *p = w->has_pane ? pane_by_id(w->pane_id) : NULL;

    if (shell_run(w->command, w->cwd, session_by_id(w->session_id), p, shell_ended, w, why))
        return true;
    waiting_free(w);
    return false;
}

static struct due delay_due(const void *state, int64_t now_us)
{
    const struct waiting_shell *w = state;
    (void)now_us;
    return w->due_us == 0 ? due_never() : due_at(w->due_us);
}

static void delay_run(void *state)
{
    struct waiting_shell *w = state;
    uint64_t number = w->item;
    const char *why;

    w->due_us = 0;
    if (w->command != NULL && w->then == NULL) {
        if (begin(w, &why))
            return;
        struct cmdq_item *item = number == 0 ? NULL : cmdq_item_by_number(number);
        if (item != NULL) {
            cmdq_error(item, "failed to run command: %s", why);
            cmdq_continue(item, COMMAND_ERROR);
        } else {
            server_add_message("failed to run command: %s", why);
        }
        return;
    }
    struct cmdq_item *item = number == 0 ? NULL : cmdq_item_by_number(number);
    if (number == 0 || item != NULL)
        run_list(w, item, w->then);
    waiting_free(w);
    if (item != NULL)
        cmdq_continue(item, COMMAND_OK);
}

static const struct job_spec delay_job = {"run-shell", delay_due, delay_run};

// "0.3" to microseconds; false if it is no such number.
static bool parse_delay(const char *text, int64_t *out_us)
{
    char *end;
    double seconds = strtod(text, &end);

    if (end == text || *end != '\0' || !(seconds >= 0 && seconds <= 1e6))
        return false;
    *out_us = (int64_t)(seconds * 1e6);
    return true;
}

enum command_result cmd_exec_RUN_SHELL(const struct args *args, struct cmdq_item *item)
{
    int64_t delay_us = 0;
    char *cause = NULL;
    const char *why;

    if (args_has(args, 'd') && !parse_delay(args_get(args, 'd'), &delay_us)) {
        cmdq_error(item, "invalid delay time: %s", args_get(args, 'd'));
        return COMMAND_ERROR;
    }
    if (args_count(args) == 0 && !args_has(args, 'd'))
        return COMMAND_OK;
    struct waiting_shell *w = waiting_new(args, item);
    if (args_count(args) > 0 && args_has(args, 'C')) {
        w->then = command_parse_text(args_at(args, 0), NULL, &cause);
        if (w->then == NULL) {
            waiting_free(w);
            return cmd_fail(item, cause);
        }
    } else if (args_count(args) > 0) {
        w->command = cmdq_expand(item, args_at(args, 0));
    }
    if (delay_us > 0 || w->command == NULL) {
        w->due_us = clock_monotonic_us() + MAX_OF(delay_us, 1);
        w->job = job_add(server_jobs(), &delay_job, w);
        job_ask(w->job);
    } else if (!begin(w, &why)) {
        cmdq_error(item, "failed to run command: %s", why);
        return COMMAND_ERROR;
    }
    return args_has(args, 'b') ? COMMAND_OK : COMMAND_WAIT;
}

enum command_result cmd_exec_IF_SHELL(const struct args *args, struct cmdq_item *item)
{
    const char *otherwise = args_at(args, 2);
    char *text = cmdq_expand(item, args_at(args, 0)), *cause = NULL;
    const char *why;

    if (args_has(args, 'F')) {
        const char *chosen = format_is_true(text) ? args_at(args, 1) : otherwise;
        free(text);
        if (chosen == NULL)
            return COMMAND_OK;
        struct command_list *list = command_parse_text(chosen, NULL, &cause);
        if (list == NULL)
            return cmd_fail(item, cause);
        cmdq_insert_after(item, list, cmdq_flags(item));
        command_list_unref(list);
        return COMMAND_OK;
    }
    struct waiting_shell *w = waiting_new(args, item);
    w->command = text;
    w->is_if = true;
    w->then = command_parse_text(args_at(args, 1), NULL, &cause);
    if (w->then != NULL && otherwise != NULL)
        w->otherwise = command_parse_text(otherwise, NULL, &cause);
    if (w->then == NULL || (otherwise != NULL && w->otherwise == NULL)) {
        waiting_free(w);
        return cmd_fail(item, cause);
    }
    if (!begin(w, &why)) {
        cmdq_error(item, "failed to run command: %s", why);
        return COMMAND_ERROR;
    }
    return args_has(args, 'b') ? COMMAND_OK : COMMAND_WAIT;
}
