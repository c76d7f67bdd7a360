// Formats: what they expand to, what values from outside cannot do, and that nothing runs away.
#include <check.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "common/style.h"
#include "common/utf8.h"
#include "tests/format_outside.h"
#include "tests/format_rows.h"

static struct format_context context;

static void setup(void)
{
    outside_begin();
    outside_rows[0] = "first";
    outside_rows[1] = "a needle";
    outside_rows[2] = "the last";
    context = (struct format_context){.session = &session, .winlink = &winlink, .pane = &pane};
}

static void teardown(void)
{
    outside_end();
}

#define expands(fmt, text)                         \
    do {                                           \
        char *got_ = format_expand(&context, fmt); \
        ck_assert_str_eq(got_, text);              \
        free(got_);                                \
    } while (0)

// Every row is looked at, so that one run names all that differ. As display-message does it, but for
// rows with conversions of their own, which must reach their modifier.
static void check_rows(const struct format_row *rows, size_t n)
{
    unsigned failed = 0;
    for (size_t i = 0; i < n; i++) {
        char *got = strstr(rows[i].format, "t/f/") != NULL
                        ? format_expand(&context, rows[i].format)
                        : format_expand_time(&context, rows[i].format);
        if (strcmp(got, rows[i].text) != 0) {
            fprintf(stderr, "%s: \"%s\", not \"%s\"\n", rows[i].format, got, rows[i].text);
            failed++;
        }
        free(got);
    }
    ck_assert_uint_eq(failed, 0);
}

START_TEST(formats_expand_as_in_tmux)
{
    check_rows(same_as_tmux, ARRAY_LEN(same_as_tmux));
}
END_TEST

START_TEST(formats_expand_beyond_tmux)
{
    check_rows(not_as_tmux, ARRAY_LEN(not_as_tmux));
}
END_TEST

START_TEST(empty_and_zero_are_false)
{
    ck_assert(!format_is_true(""));
    ck_assert(!format_is_true("0"));
    ck_assert(format_is_true("00"));
    ck_assert(format_is_true(" "));
    ck_assert(format_is_true("1"));
}
END_TEST

START_TEST(percent_is_time_only_where_time_is_asked_for)
{
    expands("%H", "%H");
    expands("100%%", "100%%");
    char year[8], *got = format_expand_time(&context, "%Y");
    time_t now = time(NULL);
    struct tm tm;
    strftime(year, sizeof year, "%Y", localtime_r(&now, &tm));
    ck_assert_str_eq(got, year);
    free(got);
}
END_TEST

START_TEST(time_of_an_option_is_expanded_with_T_only)
{
    char hour[8], both[32];
    time_t now;
    char *got;
    struct tm tm;
    do { // until no hour ends between the two
        now = time(NULL);
        localtime_r(&now, &tm);
        strftime(hour, sizeof hour, "%H", &tm);
        got = format_expand(&context, "#{T:@p}|#{E:@p}|#{@p}");
        time_t after = time(NULL);
        struct tm tm_after;
        if (localtime_r(&after, &tm_after)->tm_hour == tm.tm_hour)
            break;
        free(got);
    } while (true);
    snprintf(both, sizeof both, "%s|%%H|%%H", hour);
    ck_assert_str_eq(got, both);
    free(got);
}
END_TEST

START_TEST(context_fills_itself_from_what_is_there)
{
    context = (struct format_context){.client = &client};
    expands("#{session_name}:#{window_name}:#{pane_title}", "foo:win:vm");
    expands("#{session_format}#{window_format}#{pane_format}", "000");
    context = (struct format_context){.session = &session};
    expands("#{window_name}:#{pane_id} #{session_format}#{window_format}", "win:%0 10");
    context = (struct format_context){.winlink = &winlink};
    expands("#{session_name} #{window_format}", "foo 1");
    context = (struct format_context){.pane = &pane};
    expands("#{window_name} #{session_name} #{pane_format}", "win  1");
    context = (struct format_context){.pane = &pane, .session = &session};
    expands("#{window_index}", "0");
    context = (struct format_context){0};
    expands("#{session_name}|#{window_name}|#{pane_title}|#{client_name}|#S#W#T", "||||");
    expands("#{W:x}#{P:y}#{S:#{session_name}}", "foo");
}
END_TEST

START_TEST(extra_variables_come_first)
{
    const struct format_extra extra[] = {{"line", "7"}, {"session_name", "mine"}, {NULL, NULL}};
    context.extra = extra;
    expands("#{line} #{session_name} #{W:#{line}}", "7 mine 7");
}
END_TEST

START_TEST(flags_of_windows)
{
    struct winlink other = {.index = 3, .session = &session, .window = &window};
    TAILQ_INSERT_TAIL(&session.winlinks, &other, entry);
    TAILQ_INSERT_TAIL(&session.last_winlinks, &other, in_stack);
    other.alerts = ALERT_ACTIVITY | ALERT_BELL | ALERT_SILENCE;
    window.is_zoomed = true;
    marked_pane = &pane;
    expands("#F|#{window_raw_flags}", "*MZ|*MZ");
    expands("#{W:#{window_index}#{window_flags} }", "0*MZ 3##!~-MZ ");
    expands("#{session_alerts}|#{session_stack}", "3#!~|0,3");
    expands("#{W:#{window_start_flag}#{window_end_flag}#{window_stack_index} }", "100 011 ");
    expands("#{W:o,c}", "co");
    expands("#{active_window_index} #{last_window_index} #{session_windows}", "0 3 2");
    expands("#{session_marked}#{window_marked_flag}#{pane_marked}#{pane_marked_set}", "1111");
}
END_TEST

START_TEST(variables_of_clients)
{
    context.client = &client;
    window.cols = 100;
    client.is_read_only = true;
    client.hello_flags = HELLO_UTF8;
    client.xpixel = 600;
    expands("#{client_width}x#{client_height} #{client_cell_width}", "60x24 10");
    expands("#{client_session} #{client_pid} #{client_readonly}#{client_utf8}", "foo 88 11");
    expands("#{client_key_table} #{client_prefix}", "root 0");
    expands("#{client_flags}", "attached,read-only,UTF-8");
    expands("#{window_bigger} #{window_offset_x},#{window_offset_y}", "1 3,4");
    window.cols = 60;
    window.rows = 23;
    expands("#{window_bigger}#{window_offset_x}", "0");
}
END_TEST

START_TEST(a_dead_pane_says_why)
{
    expands("#{pane_dead}|#{pane_dead_status}|#{pane_dead_signal}|#{pane_dead_time}", "0|||");
    pane.is_dead = pane.has_status = true;
    pane.status = 3 << 8;
    pane.dead_time_us = 1445765102000000;
    expands("#{pane_dead}|#{pane_dead_status}|#{pane_dead_signal}|#{pane_dead_time}",
            "1|3||1445765102");
    pane.status = 9;
    expands("#{pane_dead}|#{pane_dead_status}|#{pane_dead_signal}", "1||9");
}
END_TEST

START_TEST(options_of_the_nearest_tree_count)
{
    char *cause = NULL;
    ck_assert(options_set_text(pane.options, "@mine", "pane", 0, &cause));
    ck_assert(options_set_text(session.options, "@mine", "session", 0, &cause));
    ck_assert(options_set_text(session.options, "status", "off", 0, &cause));
    ck_assert(options_set_text(outside_session, "mouse", "on", 0, &cause));
    expands("#{@mine}", "pane");
    ck_assert(options_unset(pane.options, "@mine", &cause));
    expands("#{@mine} #{status} #{mouse} #{remain-on-exit}", "session off 1 off");
}
END_TEST

static void set_title(const char *title)
{
    free(pane.title);
    pane.title = xstrdup(title);
}

START_TEST(a_title_is_never_a_format)
{
    set_title("#{session_name}#S#(id)##");
    expands("#{pane_title}", "#{session_name}#S#(id)##");
    expands("#{E:pane_title}", "#{session_name}#S#(id)##");
    expands("#{E:#{pane_title}}|#{T:pane_title}",
            "#{session_name}#S#(id)##|#{session_name}#S#(id)##");
    expands("#{?#{==:#{pane_title},x},a,#{pane_title}}", "#{session_name}#S#(id)##");
    expands("#{=4:pane_title}|#{s/#/x/:pane_title}", "#{se|x{session_name}xSx(id)xx");
    expands("#{q/e:pane_title}", "##{session_name}##S##(id)####");
    expands("#{m:*##S*,#{pane_title}}#{m/r:##S,#{pane_title}}", "11");
}
END_TEST

START_TEST(control_bytes_of_values_are_made_visible)
{
    set_title("a\033[31m\n\t\007b\302\233c\377d");
    expands("#{pane_title}", "a\\033[31m\\n\\t\\007b\\302\\233c\\377d");
    // What a person sets stays what it is.
    outside_set("@raw", "a\tb\nc");
    expands("#{@raw}", "a\tb\nc");
}
END_TEST

START_TEST(status_lines_take_no_style_from_a_title)
{
    context.is_status = true;
    set_title("#[fg=red]x#");
    expands("#{pane_title}[bold]", "##[fg=red]x##[bold]");
    expands("#[fg=blue]#T", "#[fg=blue]##[fg=red]x##");
    expands("#{=3:pane_title}|#{E:pane_title}", "##[f|##[fg=red]x##");
    expands("#{@st}", "#[fg=red]red#[default]x"); // the person's own
}
END_TEST

START_TEST(status_lines_hold_no_control_bytes_but_time_fields)
{
    context.is_status = true;
    set_title("\016%H\017");
    outside_set("@evil", "a\016%H\017\033[2J\302\233z\377");
    expands("#{pane_title}", "\\016%H\\017");
    expands("#{@evil}", "a%H[2Jz");
    expands("\016\017\033x\177\t", "x");
}
END_TEST

START_TEST(time_at_the_top_of_a_status_line_is_the_clients)
{
    context.is_status = true;
    expands("#S %H:%M", "foo \016%H\017:\016%M\017");
    ck_assert_uint_eq(format_last_time_step(), 0);
    expands("%-d %e%% %_5H", "\016%-d\017 \016%e\017% \016%_5H\017");
    expands("100% %Q %", "100% %Q %");
    expands("#{T:@p}#{E:@p}", "\016%H\017\016%H\017");
    expands("#{@p}", "%H"); // a value is no format
    expands("#[fg=red]%H#[default]", "#[fg=red]\016%H\017#[default]");
    ck_assert_uint_eq(format_last_time_step(), 0);
}
END_TEST

START_TEST(time_inside_a_status_lines_formats_is_the_servers)
{
    static const struct {
        const char *format;
        unsigned step;
    } rows[] = {
        {"#{?1,%Y,%Y}", 86400}, {"#{=9:#{l:%H}}", 3600}, {"#{l:%H:%M}", 60},
        {"#{l:%H:%M:%S}", 1},   {"#{T;=2:@p}", 3600},    {"#{l:%%H}", 0},
    };
    context.is_status = true;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char *got = format_expand(&context, rows[i].format);
        ck_assert_msg(strchr(got, STATUS_TIME) == NULL, "%s", rows[i].format);
        ck_assert_uint_eq(format_last_time_step(), rows[i].step);
        free(got);
    }
}
END_TEST

static const char *job_output(const struct format_context *ctx, const char *command)
{
    ck_assert_ptr_eq(ctx->session, &session);
    if (strcmp(command, "echo foo (x)") == 0)
        return "out#[fg=red]#S";
    return NULL;
}

START_TEST(jobs_give_their_last_known_output)
{
    expands("a#(echo #S (x))b", "ab");
    format_set_job_output(job_output);
    expands("a#(echo #S (x))b#(other)c", "aout#[fg=red]#Sbc");
    expands("a#(never ends", "a");
    format_set_job_output(NULL);
}
END_TEST

static char *repeated(const char *piece, unsigned n, const char *end)
{
    struct strbuf b = {0};
    while (n-- > 0)
        strbuf_add_str(&b, piece);
    strbuf_add_str(&b, end);
    return strbuf_take(&b);
}

START_TEST(hostile_formats_end_soon)
{
    static const struct {
        const char *piece;
        unsigned n;
        const char *end;
    } rows[] = {
        {"#{?", 20000, ""},
        {"#{E:", 500, "x"},
        {"#{", 30000, "}"},
        {"#{?1,", 1000, "x"},
        {"#{W:", 90, "#{P:x}"},
        {"#(", 30000, ""},
        {"#[,", 10000, ""},
        {"#{p10000:x}", 10000, ""},
        {"#{pane_current_path}", 5000, ""},
        {"#{R:", 6, "aaaaaaaaaa,10000},10000},10000},10000},10000},10000}"},
        {"#{m/r:(a+)+$,#{R:a,5000}b}", 20, ""},
        {"#{m:*a*a*a*a*a*a*a*a*b,#{R:a,5000}}", 20, ""},
        {"#{s/x*/yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy/:", 5, "#{R:a,9000}}}}}}"},
        {"#{m/r:((((((a{1,100}){1,100}){1,100}))),x}", 50, ""},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char *format = repeated(rows[i].piece, rows[i].n, rows[i].end);
        for (int is_status = 0; is_status < 2; is_status++) {
            context.is_status = is_status;
            struct timespec before, after;
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
            char *got = format_expand_time(&context, format);
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
            double took = (double)(after.tv_sec - before.tv_sec) +
                          (double)(after.tv_nsec - before.tv_nsec) / 1e9;
            // Milliseconds in fact; far more only if something is not bounded.
            ck_assert_msg(took < 2, "%.30s took %.1f s", format, took);
            ck_assert_uint_lt(strlen(got), 4000000);
            ck_assert(utf8_is_valid(got, strlen(got)));
            free(got);
        }
        free(format);
    }
}
END_TEST

START_TEST(depth_is_bounded)
{
    outside_set("@loop", "x#{E:@loop}");
    char *got = format_expand(&context, "#{E:@loop}");
    ck_assert_uint_gt(strlen(got), 10);
    ck_assert_uint_le(strlen(got), 100);
    free(got);
}
END_TEST

START_TEST(variables_are_sorted_and_documented)
{
    const struct format_variable_doc *docs = format_variables();
    size_t n = 0;
    for (; docs[n].name != NULL; n++) {
        ck_assert_uint_gt(strlen(docs[n].help), 5);
        ck_assert_int_eq(docs[n].help[strlen(docs[n].help) - 1], '.');
        if (n > 0)
            ck_assert_msg(strcmp(docs[n - 1].name, docs[n].name) < 0, "%s", docs[n].name);
        // None may fail where there is nothing.
        struct format_context nothing = {0};
        char *format = xasprintf("#{%s}", docs[n].name);
        free(format_expand(&nothing, format));
        free(format_expand(&context, format));
        free(format);
    }
    ck_assert_uint_gt(n, 130);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("format");
    TCase *t = tcase_create("format");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, formats_expand_as_in_tmux);
    tcase_add_test(t, formats_expand_beyond_tmux);
    tcase_add_test(t, empty_and_zero_are_false);
    tcase_add_test(t, percent_is_time_only_where_time_is_asked_for);
    tcase_add_test(t, time_of_an_option_is_expanded_with_T_only);
    tcase_add_test(t, context_fills_itself_from_what_is_there);
    tcase_add_test(t, extra_variables_come_first);
    tcase_add_test(t, flags_of_windows);
    tcase_add_test(t, variables_of_clients);
    tcase_add_test(t, a_dead_pane_says_why);
    tcase_add_test(t, options_of_the_nearest_tree_count);
    tcase_add_test(t, a_title_is_never_a_format);
    tcase_add_test(t, control_bytes_of_values_are_made_visible);
    tcase_add_test(t, status_lines_take_no_style_from_a_title);
    tcase_add_test(t, status_lines_hold_no_control_bytes_but_time_fields);
    tcase_add_test(t, time_at_the_top_of_a_status_line_is_the_clients);
    tcase_add_test(t, time_inside_a_status_lines_formats_is_the_servers);
    tcase_add_test(t, jobs_give_their_last_known_output);
    tcase_add_test(t, hostile_formats_end_soon);
    tcase_add_test(t, depth_is_bounded);
    tcase_add_test(t, variables_are_sorted_and_documented);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
