// The queues of commands: order, waiting, errors, and where output goes. Handlers, clients and
// targets are stand-ins; the loop and its jobs are the real ones.
#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/jobs.h"
#include "server/command/language.h"
#include "server/mode/mode.h"
#include "server/model/client.h"
#include "server/model/model.h"
#include "tests/parse_outside.h"

static struct job_queue *jobs;
static struct strbuf trace; // what happened, in order
static bool config_is_finished;
static struct cmdq_item *waiting_item;
static char a_name[] = "client";
static bool ends_on_exit; // client_exit ends the loop
static struct target found_target;
static bool target_fails;

struct clients all_clients = TAILQ_HEAD_INITIALIZER(all_clients);
struct all_panes all_panes = TAILQ_HEAD_INITIALIZER(all_panes);

static void note(const char *fmt, ...) PRINTF_LIKE(1, 2);
static void note(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = xvasprintf(fmt, ap);
    va_end(ap);
    strbuf_addf(&trace, "%s|", text);
    free(text);
}

// --- Stand-ins

struct job_queue *server_jobs(void)
{
    return jobs;
}
bool server_has_finished_config(void)
{
    return config_is_finished;
}
void server_add_message(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = xvasprintf(fmt, ap);
    va_end(ap);
    note("message %s", text);
    free(text);
}
void client_exit(struct client *c, int code)
{
    c->is_exiting = true;
    note("exit %d", code);
    if (ends_on_exit)
        jobs_stop(jobs);
}
void client_print(struct client *c, int stream, const void *data, size_t len)
{
    (void)c;
    note("%s %.*s", stream == 1 ? "out" : "err", (int)len - 1, (const char *)data);
}
void client_message(struct client *c, int delay_ms, const char *fmt, ...)
{
    (void)c, (void)delay_ms;
    va_list ap;
    va_start(ap, fmt);
    char *text = xvasprintf(fmt, ap);
    va_end(ap);
    note("status %s", text);
    free(text);
}
void input_resume(struct client *c)
{
    (void)c;
}
void view_mode_add(struct pane *p, const void *text, size_t len)
{
    (void)p;
    note("view %.*s", (int)len - 1, (const char *)text);
}
bool target_is_valid(const struct target *t)
{
    (void)t;
    return true;
}
bool target_default(struct target *out, const struct client *c, bool prefers_unattached)
{
    (void)out, (void)c, (void)prefers_unattached;
    return true;
}
bool target_find(struct target *out, const struct target *current, struct client *c, const char *target,
                 enum command_target kind, unsigned flags, char **cause)
{
    (void)current, (void)c, (void)kind, (void)flags;
    *out = (struct target){.index = -1};
    if (target_fails) {
        *cause = xasprintf("can't find session: %s", target == NULL ? "" : target);
        return false;
    }
    *out = found_target;
    return true;
}
struct client *target_find_client(const char *name, char **cause)
{
    *cause = xasprintf("can't find client: %s", name);
    return NULL;
}
struct client *target_best_client(struct client *c, const struct target *current)
{
    (void)current;
    return c;
}
void target_from_pane(struct target *out, struct pane *p)
{
    out->pane = p;
}
void source_add_error(struct client *c, const char *text)
{
    note("%s error %s", c == NULL ? "start" : "file", text);
}
void source_show_errors(struct client *c)
{
    (void)c;
}
struct session *session_by_id(unsigned id)
{
    (void)id;
    return NULL;
}
struct pane *pane_by_id(unsigned id)
{
    (void)id;
    return NULL;
}

// What stands in for every command: display-message says its argument, and some arguments do more.
static enum command_result handler(const struct args *args, struct cmdq_item *item)
{
    const char *word = args_at(args, 0);
    struct command_list *list;

    if (word == NULL)
        word = cmdq_command(item)->spec->name;
    note("%s", word);
    if (strcmp(word, "fail") == 0) {
        cmdq_error(item, "it failed");
        return COMMAND_ERROR;
    }
    if (strcmp(word, "stop") == 0)
        return COMMAND_STOP;
    if (strcmp(word, "print") == 0)
        cmdq_print(item, "%s", "printed");
    if (strcmp(word, "end") == 0)
        jobs_stop(jobs);
    if (strcmp(word, "wait") == 0) {
        waiting_item = item;
        return COMMAND_WAIT;
    }
    if (strcmp(word, "at-once") == 0) {
        cmdq_continue(item, COMMAND_OK);
        return COMMAND_WAIT;
    }
    if (strcmp(word, "nest") == 0) {
        list = command_parse_text("display inner1; display inner2", NULL, NULL);
        cmdq_insert_after(item, list, 0);
        command_list_unref(list);
    }
    if (strcmp(word, "free-queue") == 0)
        cmdq_list_free(cmdq_client(item)->queue);
    return COMMAND_OK;
}

command_fn command_handler(const struct command_spec *spec)
{
    (void)spec;
    return handler;
}

// --- Help

static void setup(void)
{
    jobs = jobs_new();
    config_is_finished = true;
    ends_on_exit = target_fails = false;
    found_target = (struct target){.index = -1};
    strbuf_add_str(&trace, "");
}

static void teardown(void)
{
    strbuf_free(&trace);
}

static void append(struct client *c, const char *text, unsigned flags, void (*done)(void *arg, int code))
{
    struct parse_input in = {.file = "f"};
    char *cause = NULL;
    struct command_list *list = command_parse_text(text, &in, &cause);
    ck_assert_msg(list != NULL, "%s", cause);
    cmdq_append(c, list, NULL, flags, done, NULL);
    command_list_unref(list);
}

static void note_done(void *arg, int code)
{
    (void)arg;
    note("done %d", code);
    jobs_stop(jobs);
}

// Runs text in c's queue to its end.
static void run(struct client *c, const char *text, unsigned flags)
{
    append(c, text, flags, note_done);
    jobs_loop(jobs);
}

static void check_trace(const char *wanted)
{
    ck_assert_str_eq(trace.data == NULL ? "" : trace.data, wanted);
    strbuf_clear(&trace);
}

// --- Tests

START_TEST(commands_run_in_order_and_then_done_is_told)
{
    run(NULL, "display a ; display b\ndisplay c", 0);
    check_trace("a|b|c|done 0|");
}
END_TEST

START_TEST(nothing_runs_before_the_loop_does)
{
    append(NULL, "display a", 0, note_done);
    ck_assert(trace.len == 0);
    jobs_loop(jobs);
    check_trace("a|done 0|");
}
END_TEST

START_TEST(an_error_drops_the_rest_of_its_line_only)
{
    run(NULL, "display fail ; display lost\ndisplay next", 0);
    check_trace("fail|message it failed|next|done 1|");
}
END_TEST

START_TEST(stop_drops_everything_that_follows)
{
    run(NULL, "display stop\ndisplay lost", 0);
    check_trace("stop|done 0|");
}
END_TEST

START_TEST(what_a_command_inserts_runs_before_what_follows_it)
{
    run(NULL, "display nest ; display after", 0);
    check_trace("nest|inner1|inner2|after|done 0|");
}
END_TEST

START_TEST(a_command_that_waits_holds_its_queue_and_no_other)
{
    struct client c = {.name = a_name};
    append(&c, "display wait ; display after", 0, note_done);
    run(NULL, "display other", 0);
    // The server's queue went on; the client's stands, once its turn has come too.
    ck_assert_ptr_nonnull(strstr(trace.data, "other|done 0|"));
    while (waiting_item == NULL)
        run(NULL, "display other", 0);
    ck_assert_ptr_nonnull(waiting_item);
    ck_assert_ptr_null(strstr(trace.data, "after"));
    strbuf_clear(&trace);
    cmdq_continue(waiting_item, COMMAND_OK);
    jobs_loop(jobs);
    check_trace("after|done 0|exit 0|");
    cmdq_list_free(c.queue);
}
END_TEST

START_TEST(a_command_may_be_continued_before_its_handler_returns)
{
    run(NULL, "display at-once ; display after", 0);
    check_trace("at-once|after|done 0|");
}
END_TEST

static void cancelled(void *arg)
{
    (void)arg;
    note("cancelled");
}

START_TEST(a_queue_that_dies_tells_the_command_that_waits)
{
    struct client c = {.name = a_name};
    append(&c, "display wait ; display after", 0, NULL);
    append(NULL, "display end", 0, NULL);
    while (waiting_item == NULL) {
        jobs_loop(jobs);
        append(NULL, "display end", 0, NULL);
    }
    cmdq_on_cancel(waiting_item, cancelled, NULL);
    uint64_t number = cmdq_item_number(waiting_item);
    ck_assert_ptr_eq(cmdq_item_by_number(number), waiting_item);
    strbuf_clear(&trace);
    cmdq_list_free(c.queue);
    check_trace("cancelled|");
    ck_assert_ptr_null(cmdq_item_by_number(number));
}
END_TEST

START_TEST(a_queue_may_be_freed_by_its_own_command)
{
    struct client c = {.name = a_name};
    append(&c, "display free-queue ; display lost", 0, NULL);
    run(NULL, "display a", 0);
    strbuf_clear(&trace);
    run(NULL, "display b", 0);
    check_trace("b|done 0|");
}
END_TEST

START_TEST(a_command_client_gets_output_and_errors_and_exits_with_the_code)
{
    struct client c = {.name = a_name};
    ends_on_exit = true;
    append(&c, "display print", 0, NULL);
    jobs_loop(jobs);
    check_trace("print|out printed|exit 0|");
    cmdq_list_free(c.queue);

    struct client d = {.name = a_name};
    append(&d, "display fail", 0, NULL);
    jobs_loop(jobs);
    check_trace("fail|err it failed|exit 1|");
    cmdq_list_free(d.queue);
}
END_TEST

START_TEST(an_attached_client_gets_the_view_and_the_status_line)
{
    struct pane p = {.id = 1};
    struct window w = {.active = &p};
    struct winlink wl = {.window = &w};
    struct session s = {.current = &wl};
    struct client c = {.name = a_name, .session = &s, .is_attached = true};
    run(&c, "display print ; display fail", 0);
    check_trace("print|view printed|fail|status It failed|done 1|");
    // Errors of a file that it sourced: the first, and how many more.
    run(&c, "display fail\ndisplay fail", CMDQ_FROM_CONFIG);
    append(NULL, "display end", 0, NULL);
    jobs_loop(jobs);
    ck_assert_ptr_nonnull(strstr(trace.data, "file error f:1: it failed|"));
    ck_assert_ptr_nonnull(strstr(trace.data, "status f:1: it failed (and 1 more errors: show-messages)|"));
    cmdq_list_free(c.queue);
}
END_TEST

START_TEST(errors_of_the_start_are_kept_with_file_and_line)
{
    run(NULL, "display ok\ndisplay fail", CMDQ_FROM_CONFIG);
    check_trace("ok|fail|start error f:2: it failed|done 1|");
}
END_TEST

START_TEST(clients_wait_until_the_config_was_read)
{
    struct client c = {.name = a_name};
    config_is_finished = false;
    append(&c, "display early", 0, note_done);
    run(NULL, "display config", 0);
    check_trace("config|done 0|");
    config_is_finished = true;
    cmdq_wake_all();
    jobs_loop(jobs);
    ck_assert_ptr_nonnull(strstr(trace.data, "early|done 0|"));
    cmdq_list_free(c.queue);
}
END_TEST

START_TEST(a_read_only_client_runs_only_what_changes_nothing)
{
    struct client c = {.name = a_name, .is_read_only = true};
    run(&c, "kill-pane", 0);
    ck_assert_ptr_nonnull(strstr(trace.data, "err client is read-only|done 1|"));
    strbuf_clear(&trace);
    run(&c, "list-sessions", 0);
    ck_assert_ptr_nonnull(strstr(trace.data, "list-sessions|done 0|"));
    cmdq_list_free(c.queue);
}
END_TEST

START_TEST(a_target_that_is_not_there_is_an_error_unless_the_command_takes_it)
{
    struct client c = {.name = a_name};
    target_fails = true;
    run(&c, "has-session -t x", 0);
    ck_assert_ptr_nonnull(strstr(trace.data, "err can't find session: x|done 1|"));
    strbuf_clear(&trace);
    run(&c, "display -t x hello", 0); // quiet: the handler sees it as unset
    ck_assert_ptr_nonnull(strstr(trace.data, "hello|done 0|"));
    strbuf_clear(&trace);
    run(&c, "detach-client -t x", 0); // a client that was named must be there
    ck_assert_ptr_nonnull(strstr(trace.data, "err can't find client: x|done 1|"));
    cmdq_list_free(c.queue);
}
END_TEST

START_TEST(files_within_files_are_bounded_in_depth_and_number)
{
    struct command_list *list = command_parse_text("display wait", NULL, NULL);
    const char *why = NULL;
    unsigned depth = 0;
    append(NULL, "display wait", 0, NULL);
    struct client c = {.name = a_name};
    append(&c, "display end", 0, NULL);
    do
        jobs_loop(jobs);
    while (waiting_item == NULL);
    // As source-file does in a file that names itself.
    while (cmdq_enter_file(waiting_item, &why)) {
        struct cmdq_item *outer = waiting_item;
        cmdq_insert_in_order(outer, list, 0);
        waiting_item = NULL;
        cmdq_continue(outer, COMMAND_OK);
        while (waiting_item == NULL) {
            append(&c, "display end", 0, NULL);
            jobs_loop(jobs);
        }
        depth++;
    }
    ck_assert_uint_eq(depth, 50);
    ck_assert_str_eq(why, "too many nested files");
    command_list_unref(list);
    cmdq_list_free(c.queue);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("queue");
    TCase *t = tcase_create("queue");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, commands_run_in_order_and_then_done_is_told);
    tcase_add_test(t, nothing_runs_before_the_loop_does);
    tcase_add_test(t, an_error_drops_the_rest_of_its_line_only);
    tcase_add_test(t, stop_drops_everything_that_follows);
    tcase_add_test(t, what_a_command_inserts_runs_before_what_follows_it);
    tcase_add_test(t, a_command_that_waits_holds_its_queue_and_no_other);
    tcase_add_test(t, a_command_may_be_continued_before_its_handler_returns);
    tcase_add_test(t, a_queue_that_dies_tells_the_command_that_waits);
    tcase_add_test(t, a_queue_may_be_freed_by_its_own_command);
    tcase_add_test(t, a_command_client_gets_output_and_errors_and_exits_with_the_code);
    tcase_add_test(t, an_attached_client_gets_the_view_and_the_status_line);
    tcase_add_test(t, errors_of_the_start_are_kept_with_file_and_line);
    tcase_add_test(t, clients_wait_until_the_config_was_read);
    tcase_add_test(t, a_read_only_client_runs_only_what_changes_nothing);
    tcase_add_test(t, a_target_that_is_not_there_is_an_error_unless_the_command_takes_it);
    tcase_add_test(t, files_within_files_are_bounded_in_depth_and_number);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
