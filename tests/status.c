// The status line: what text it is made of, when it is sent, and where its parts lie for the mouse.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "common/jobs.h"
#include "common/status_layout.h"
#include "common/style.h"
#include "server/format/format.h"
#include "server/mode/mode.h"
#include "server/model/client.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/push/frame_state.h"
#include "server/push/push.h"
#include "server/push/status_jobs.h"
#include "server/server.h"

// --- stand-ins: formats expand to themselves, "#W" to the window's name and "NOW" to a time field

static struct job_queue *queue;
static struct options *session_options, *window_options, *server_scope;
static unsigned n_status, n_prompt, n_expanded;
static char *sent_line, *sent_style, *sent_prompt;
static unsigned invalidated, time_step;
static bool was_asked;

struct job_queue *server_jobs(void)
{
    return queue;
}
struct options *server_options(void)
{
    return server_scope;
}
char *format_expand(const struct format_context *ctx, const char *fmt)
{
    struct strbuf b = {0};
    n_expanded++;
    if (strstr(fmt, "#(") != NULL)
        was_asked = true;
    strbuf_add_str(&b, "");
    for (const char *s = fmt; *s != '\0'; s++) {
        if (strncmp(s, "#W", 2) == 0) {
            strbuf_add_str(&b, ctx->window->name);
            s++;
        } else if (strncmp(s, "%H:%M", 5) == 0) {
            strbuf_addf(&b, "%c%%H:%%M%c", STATUS_TIME, STATUS_TIME_END);
            s += 4;
        } else {
            strbuf_add_char(&b, *s);
        }
    }
    return strbuf_take(&b);
}
unsigned format_last_time_step(void)
{
    return time_step;
}
void status_jobs_init(void)
{
}
bool status_jobs_were_asked(void)
{
    bool asked = was_asked;
    was_asked = false;
    return asked;
}
bool frame_send(struct client *c, enum message_type type, const void *msg, size_t size)
{
    (void)c;
    (void)size;
    if (type == MSG_STATUS) {
        const struct msg_STATUS *m = msg;
        n_status++;
        free(sent_line);
        free(sent_style);
        sent_line = xstrdup(m->lines[0] != NULL ? m->lines[0] : "");
        sent_style = xstrdup(m->style);
    } else if (type == MSG_PROMPT) {
        const struct msg_PROMPT *m = msg;
        n_prompt++;
        free(sent_prompt);
        sent_prompt = m->is_on ? xstrdup(m->text) : NULL;
    }
    return true;
}
void frame_invalidate(struct client *c, unsigned what)
{
    (void)c;
    invalidated |= what;
    jobs_stop(queue);
}
void frame_text_cut(char *text, size_t max_bytes)
{
    if (strlen(text) > max_bytes)
        text[max_bytes] = '\0';
}
unsigned status_rows(const struct session *s)
{
    return (unsigned)options_number(s->options, "status");
}
char *prompt_line(struct client *c, unsigned *cursor_col)
{
    (void)c;
    *cursor_col = 3;
    return xstrdup("(p) ");
}
static struct winlink links[3];
struct winlink *winlink_by_index(const struct session *s, int index)
{
    (void)s;
    for (unsigned i = 0; i < 3; i++)
        if (links[i].index == index)
            return &links[i];
    return NULL;
}
unsigned window_pane_index(const struct window *w, const struct pane *p)
{
    (void)w;
    (void)p;
    return 0;
}

// --- a session with windows 0:zero 1:one 4:four, of which one is current and zero was

static struct window windows[3];
static struct pane panes[3];
static struct session session;
static struct client client;

static void set(struct options *o, const char *name, const char *value)
{
    char *cause = NULL;
    ck_assert_msg(options_set_text(o, name, value, 0, &cause), "%s", cause);
}

static void setup(void)
{
    static const char *const names[] = {"zero", "one", "four"};
    static const int indexes[] = {0, 1, 4};
    queue = jobs_new();
    server_scope = options_new(NULL);
    options_set_defaults(server_scope, SCOPE_SERVER);
    session_options = options_new(NULL);
    options_set_defaults(session_options, SCOPE_SESSION);
    window_options = options_new(NULL);
    options_set_defaults(window_options, SCOPE_WINDOW);
    memset(&session, 0, sizeof session);
    memset(&client, 0, sizeof client);
    session.options = session_options;
    TAILQ_INIT(&session.winlinks);
    TAILQ_INIT(&session.last_winlinks);
    for (unsigned i = 0; i < 3; i++) {
        windows[i] = (struct window){
            .name = xstrdup(names[i]), .active = &panes[i], .options = window_options};
        links[i] =
            (struct winlink){.index = indexes[i], .session = &session, .window = &windows[i]};
        TAILQ_INSERT_TAIL(&session.winlinks, &links[i], entry);
    }
    session.current = &links[1];
    TAILQ_INSERT_TAIL(&session.last_winlinks, &links[0], in_stack);
    client.session = &session;
    client.cols = 80;
    client.rows = 24;
    n_status = n_prompt = n_expanded = invalidated = time_step = 0;
    set(session_options, "status-left", "[s] ");
    set(session_options, "status-right", "R");
    set(session_options, "status-interval", "1");
    set(window_options, "window-status-format", "#W");
    set(window_options, "window-status-current-format", "<#W>");
    status_start(&client);
}

static void teardown(void)
{
    status_stop(&client);
    for (unsigned i = 0; i < 3; i++)
        free(windows[i].name);
    free(sent_line);
    free(sent_style);
    free(sent_prompt);
    sent_line = sent_style = sent_prompt = NULL;
    options_free(session_options);
    options_free(window_options);
    options_free(server_scope);
    jobs_free(queue);
}

// The line without its markup.
static char *plain(const char *line)
{
    struct strbuf b = {0};
    strbuf_add_str(&b, "");
    for (const char *s = line; *s != '\0'; s++) {
        if (s[0] == '#' && s[1] == '[')
            s += strcspn(s, "]");
        else
            strbuf_add_char(&b, *s);
    }
    return strbuf_take(&b);
}

START_TEST(it_has_left_windows_and_right)
{
    status_send(&client);
    char *text = plain(sent_line);
    ck_assert_str_eq(text, "[s] <>zero <one> fourR");
    ck_assert_str_eq(sent_style, "bg=green,fg=black");
    free(text);
}
END_TEST

START_TEST(left_and_right_keep_to_their_lengths)
{
    set(session_options, "status-left", "#[fg=red]ab世界cd");
    set(session_options, "status-left-length", "5");
    set(session_options, "status-right", "xy%H:%Mz");
    set(session_options, "status-right-length", "7");
    status_send(&client);
    ck_assert_ptr_nonnull(strstr(sent_line, "#[fg=red]ab世#[pop-default]")); // no half character
    // The time stays a field: two columns and five make seven.
    ck_assert_ptr_nonnull(strstr(sent_line, "xy\x0e%H:%M\x0f#[pop-default]"));
}
END_TEST

START_TEST(it_is_sent_only_when_it_differs)
{
    status_send(&client);
    status_send(&client);
    ck_assert_uint_eq(n_status, 1);
    free(windows[2].name);
    windows[2].name = xstrdup("five");
    status_send(&client);
    ck_assert_uint_eq(n_status, 2);
    set(session_options, "status-bg", "red");
    status_send(&client);
    ck_assert_uint_eq(n_status, 3);
    ck_assert_str_eq(sent_style, "bg=green,fg=black,bg=red");
}
END_TEST

START_TEST(windows_carry_their_styles)
{
    set(window_options, "window-status-last-style", "italics");
    set(window_options, "window-status-current-style", "bold");
    set(window_options, "window-status-style", "dim");
    links[2].alerts = ALERT_BELL;
    status_send(&client);
    ck_assert_ptr_nonnull(strstr(sent_line, "#[range=window|0 dim italics]"));
    ck_assert_ptr_nonnull(strstr(sent_line, "#[range=window|1 list=focus bold]"));
    ck_assert_ptr_nonnull(strstr(sent_line, "#[range=window|4 dim reverse]"));
}
END_TEST

START_TEST(a_status_format_of_ones_own_replaces_the_line)
{
    set(session_options, "status-format[0]", "mine");
    status_send(&client);
    ck_assert_str_eq(sent_line, "mine");
}
END_TEST

static struct due never_due(const void *state, int64_t now_us)
{
    (void)state;
    return due_at(now_us);
}
static int64_t give_up_us;
static void look(void *state)
{
    (void)state;
    if (clock_monotonic_us() > give_up_us)
        jobs_stop(queue);
}
static const struct job_spec look_job = {"look", never_due, look};
static bool is_invalidated_within(int ms)
{
    invalidated = 0;
    give_up_us = clock_monotonic_us() + ms * 1000;
    struct job *job = job_add(queue, &look_job, NULL);
    jobs_loop(queue);
    job_remove(job);
    return (invalidated & REDRAW_STATUS) != 0;
}
static bool is_armed(void)
{
    struct job_stats stats[8];
    size_t n = jobs_stats(queue, stats, 8);
    for (size_t i = 0; i < n; i++)
        if (strcmp(stats[i].name, "status text") == 0)
            return stats[i].is_armed;
    ck_abort_msg("no such job");
}

START_TEST(nothing_is_armed_for_a_plain_line_or_a_clients_clock)
{
    set(session_options, "status-right", "\"#{pane_title}\" %H:%M");
    status_send(&client);
    ck_assert(!is_armed());
}
END_TEST

START_TEST(a_job_in_a_drawn_line_is_run_again_each_interval)
{
    set(session_options, "status-right", "#(date)");
    status_send(&client);
    ck_assert(is_invalidated_within(3000));
    // Gone from the line, or the line gone: no more.
    set(session_options, "status", "off");
    status_send(&client);
    ck_assert(!is_armed());
    set(session_options, "status", "on");
    set(session_options, "status-right", "x");
    status_send(&client);
    ck_assert(!is_armed());
    set(session_options, "status-right", "#(date)");
    set(session_options, "status-interval", "0");
    status_send(&client);
    ck_assert(!is_armed());
}
END_TEST

START_TEST(a_time_inside_a_format_is_due_at_its_next_change)
{
    time_step = 1;
    status_send(&client);
    ck_assert(is_invalidated_within(2500));
    time_step = 60;
    status_send(&client);
    ck_assert(is_armed());
    time_step = 0;
    status_send(&client);
    ck_assert(!is_armed());
}
END_TEST

START_TEST(a_prompt_is_sent_and_taken_back)
{
    status_send(&client);
    ck_assert_uint_eq(n_prompt, 1); // says that there is none
    client.prompt = (struct prompt *)&client;
    status_send(&client);
    status_send(&client);
    ck_assert_uint_eq(n_prompt, 2);
    ck_assert_str_eq(sent_prompt, "(p) ");
    client.prompt = NULL;
    status_send(&client);
    ck_assert_uint_eq(n_prompt, 3);
    ck_assert_ptr_null(sent_prompt);
}
END_TEST

// The window index at column x of a line of `cols`; -1: none.
static int window_at(const char *line, unsigned cols, unsigned x)
{
    struct status_range r = status_layout_at(line, cols, x);
    return r.type == RANGE_WINDOW ? (int)r.arg : -1;
}

#define LIST "#[range=window|1]aaaa#[norange] #[range=window|2 list=focus]bbbb#[norange list=on]"

START_TEST(clicks_find_windows_on_the_left)
{
    status_send(&client);
    struct winlink *wl;
    // "[s] zero <one> four", R at the far right
    ck_assert_int_eq(status_place_at(&client, 0, 0, &wl), PLACE_STATUS_LEFT);
    ck_assert_int_eq(status_place_at(&client, 79, 0, &wl), PLACE_STATUS_RIGHT);
    ck_assert_int_eq(status_place_at(&client, 50, 0, &wl), PLACE_STATUS_DEFAULT);
    ck_assert_ptr_eq(status_winlink_at(&client, 4), &links[0]);
    ck_assert_ptr_eq(status_winlink_at(&client, 7), &links[0]);
    ck_assert_ptr_null(status_winlink_at(&client, 8)); // separator
    ck_assert_ptr_eq(status_winlink_at(&client, 9), &links[1]);
    ck_assert_ptr_eq(status_winlink_at(&client, 18), &links[2]);
}
END_TEST

START_TEST(clicks_find_windows_in_the_middle_and_on_the_right)
{
    // left is 2 wide, right 4, list 9
    const char *centre = "LL#[list=on align=centre]" LIST "#[nolist align=right]RRRR";
    ck_assert_int_eq(window_at(centre, 40, 14), -1); // the middle of 2 to 36 is 19
    ck_assert_int_eq(window_at(centre, 40, 15), 1);
    ck_assert_int_eq(window_at(centre, 40, 23), 2);
    ck_assert_int_eq(window_at(centre, 40, 24), -1);
    const char *right = "LL#[list=on align=right]" LIST "#[nolist align=right]RRRR";
    ck_assert_int_eq(window_at(right, 40, 26), -1);
    ck_assert_int_eq(window_at(right, 40, 27), 1);
    ck_assert_int_eq(window_at(right, 40, 35), 2);
    ck_assert_int_eq(window_at(right, 40, 36), -1);
    const char *absolute = "LL#[list=on align=absolute-centre]" LIST "#[nolist align=right]RRRR";
    ck_assert_int_eq(window_at(absolute, 40, 16), 1);
    ck_assert_int_eq(window_at(absolute, 40, 25), -1);
}
END_TEST

START_TEST(a_list_too_long_is_scrolled_to_the_current_window)
{
    const char *line = "#[list=on align=left]#[list=left-marker]<#[list=right-marker]>#[list=on]"
                       "#[range=window|1]aaaaaaaaaa#[range=window|2]bbbbbbbbbb"
                       "#[range=window|3 list=focus]cccccccccc#[norange list=on]";
    // 12 columns: the end of the list is shown, with a marker in front.
    ck_assert_int_eq(window_at(line, 12, 0), -1);
    ck_assert_int_eq(window_at(line, 12, 1), 2);
    ck_assert_int_eq(window_at(line, 12, 11), 3);
    ck_assert_int_eq(window_at(line, 100, 0), 1);
    for (unsigned cols = 1; cols < 40; cols++) // any width is laid out
        for (unsigned x = 0; x < cols; x++)
            status_layout_at(line, cols, x);
}
END_TEST

START_TEST(damaged_markup_is_text)
{
    ck_assert_int_eq(window_at("#[range=window|1", 20, 0), -1);
    ck_assert_int_eq(window_at("#[]#[nonsense]#[range=window|5]x", 20, 0), 5);
    ck_assert_int_eq(window_at("\x0e%H", 20, 0), -1);
    ck_assert_int_eq(window_at("##[range=window|1]x", 20, 0), -1);
    ck_assert_uint_eq(status_layout_prefix("#[fg=red]abc", 2), 11);
    ck_assert_uint_eq(status_layout_prefix("##a", 1), 2);
    ck_assert_uint_eq(status_layout_prefix("", 5), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("status");
    TCase *tc = tcase_create("status");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 20);
    tcase_add_test(tc, it_has_left_windows_and_right);
    tcase_add_test(tc, left_and_right_keep_to_their_lengths);
    tcase_add_test(tc, it_is_sent_only_when_it_differs);
    tcase_add_test(tc, windows_carry_their_styles);
    tcase_add_test(tc, a_status_format_of_ones_own_replaces_the_line);
    tcase_add_test(tc, nothing_is_armed_for_a_plain_line_or_a_clients_clock);
    tcase_add_test(tc, a_job_in_a_drawn_line_is_run_again_each_interval);
    tcase_add_test(tc, a_time_inside_a_format_is_due_at_its_next_change);
    tcase_add_test(tc, a_prompt_is_sent_and_taken_back);
    tcase_add_test(tc, clicks_find_windows_on_the_left);
    tcase_add_test(tc, clicks_find_windows_in_the_middle_and_on_the_right);
    tcase_add_test(tc, a_list_too_long_is_scrolled_to_the_current_window);
    tcase_add_test(tc, damaged_markup_is_text);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
