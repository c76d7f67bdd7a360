// The terminal's device: what is switched on goes off again on every way out.
#include "config.h"

#include <check.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/caps.h"
#include "client/client.h"
#include "client/terminal.h"
#include "common/util.h"

static int master, slave;
static struct termios before;

static void setup(void)
{
    ck_assert_int_eq(openpty(&master, &slave, NULL, NULL, NULL), 0);
    ck_assert_int_eq(tcgetattr(slave, &before), 0);
    fcntl(master, F_SETFL, O_NONBLOCK);
}

static void teardown(void)
{
    close(master);
    close(slave);
}

// All that came out so far; the process that wrote it has ended.
static const char *output(void)
{
    static char text[65536];
    size_t n = 0;
    ssize_t got;
    while (n < sizeof text - 1 && (got = read(master, text + n, sizeof text - 1 - n)) > 0)
        n += (size_t)got;
    text[n] = '\0';
    return text;
}

static void on_input(void *arg, const void *data, size_t len)
{
    (void)arg;
    (void)data;
    (void)len;
}

static void on_event(void *arg)
{
    (void)arg;
}

static const struct terminal_events events = {on_input, on_event, on_event};

enum way { LEAVES, FREES, CRASHES, EXITS };

// In a child: enters the terminal, switches everything on, and goes.
static void go(const char *term, enum way way)
{
    char *cause, *note;
    dup2(slave, 0);
    struct caps *caps = caps_load(term, 0, &cause, &note);
    struct job_queue *q = jobs_new();
    struct terminal *t = terminal_open(q, caps, &events, NULL, &cause);
    if (t == NULL || !terminal_enter(t, &cause))
        _exit(2);
    struct terminal_modes modes = {1003, true, true};
    terminal_set_modes(t, &modes);
    terminal_set_title(t, "a\033]b\007" "c");
    terminal_flush(t);
    struct strbuf nothing = {0};
    switch (way) {
    case LEAVES:
        terminal_leave(t, &nothing);
        terminal_flush(t);
        terminal_restore(t);
        break;
    case FREES:
        break;
    case CRASHES:
        raise(SIGSEGV);
        break;
    case EXITS:
        exit(3);
    }
    terminal_free(t);
    jobs_free(q);
    caps_free(caps);
    _exit(0);
}

static void check_way(const char *term, enum way way)
{
    pid_t pid = fork();
    if (pid == 0) {
        close(master);
        go(term, way);
    }
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    if (way == CRASHES)
        ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    else
        ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == (way == EXITS ? 3 : 0));
    const char *text = output();
    struct termios after;
    ck_assert_int_eq(tcgetattr(slave, &after), 0);
    ck_assert(after.c_iflag == before.c_iflag && after.c_oflag == before.c_oflag &&
              after.c_lflag == before.c_lflag && after.c_cflag == before.c_cflag);
    // Modes that were set must be reset later than they were set.
    static const struct {
        const char *on, *off;
    } pairs[] = {
        {"\033[?1049h", "\033[?1049l"}, {"\033[?1003h", "\033[?1003l"},
        {"\033[?1006h", "\033[?1006l"}, {"\033[?2004h", "\033[?2004l"},
        {"\033[?1004h", "\033[?1004l"}, {"\033[>4;1m", "\033[>4m"},
        {"\033[?1h", "\033[?1l"},
    };
    for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
        const char *on = strstr(text, pairs[i].on);
        ck_assert_msg(on == NULL || strstr(on, pairs[i].off) != NULL, "%s: %s stays on", term,
                      pairs[i].on + 1);
    }
    ck_assert_ptr_nonnull(strstr(text, "\033[m"));
    ck_assert_msg(strstr(text, "a\033]b") == NULL, "a title's controls got through");
    if (strncmp(term, "xterm", 5) == 0) {
        ck_assert_ptr_nonnull(strstr(text, "\033[?1003h"));
        ck_assert_ptr_nonnull(strstr(text, "\033[0 q"));
        ck_assert_ptr_nonnull(strstr(text, "\033[?25h"));
    }
}

static const char *const terms[] = {"xterm-256color", "xterm-kitty", "screen-256color",
                                    "tmux-256color", "linux", "vt100"};

START_TEST(everything_is_put_back_on_every_way_out)
{
    for (enum way way = LEAVES; way <= EXITS; way++)
        check_way(terms[_i], way);
}
END_TEST

START_TEST(the_line_is_raw_meanwhile)
{
    char *cause, *note;
    int saved = dup(0);
    dup2(slave, 0);
    struct caps *caps = caps_load("xterm-256color", 0, &cause, &note);
    struct job_queue *q = jobs_new();
    struct terminal *t = terminal_open(q, caps, &events, NULL, &cause);
    ck_assert_ptr_nonnull(t);
    ck_assert(terminal_enter(t, &cause));
    struct termios now;
    ck_assert_int_eq(tcgetattr(slave, &now), 0);
    ck_assert((now.c_lflag & (ICANON | ECHO | ISIG)) == 0);
    ck_assert((now.c_oflag & OPOST) == 0);
    // The descriptor that others share stays a blocking one.
    ck_assert((fcntl(0, F_GETFL) & O_NONBLOCK) == 0);
    terminal_free(t);
    jobs_free(q);
    caps_free(caps);
    dup2(saved, 0);
    close(saved);
}
END_TEST

START_TEST(terminals_that_cannot_be_used_are_named)
{
    static const char *const bad[] = {"dumb", "vt52", "no-such-terminal"};
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        char *cause, *note;
        ck_assert_ptr_null(caps_load(bad[i], 1, &cause, &note));
        ck_assert_msg(strstr(cause, bad[i]) != NULL && strstr(cause, "TERM") != NULL, "%s", cause);
        free(cause);
    }
    char *cause, *note;
    ck_assert_ptr_null(caps_load(NULL, 1, &cause, &note));
    ck_assert_ptr_nonnull(strstr(cause, "TERM is not set"));
    free(cause);
}
END_TEST

START_TEST(modern_names_without_an_entry_stand_for_xterm)
{
    static const char *const names[] = {"xterm-no-entry", "ghostty-no-entry", "wezterm-no-entry",
                                        "foot-no-entry", "alacritty-no-entry", "rio-no-entry"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        char *cause, *note;
        struct caps *caps = caps_load(names[i], 1, &cause, &note);
        ck_assert_msg(caps != NULL, "%s: %s", names[i], cause);
        ck_assert_str_eq(caps->term, "xterm-256color");
        ck_assert_ptr_nonnull(strstr(note, names[i]));
        ck_assert(caps_has(caps, FEATURE_MOUSE));
        free(note);
        caps_free(caps);
    }
}
END_TEST

START_TEST(features_by_their_names_are_added)
{
    char *cause = NULL, *note = NULL;
    struct caps *caps = caps_load("vt100", -1, &cause, &note);
    ck_assert_ptr_nonnull(caps);
    caps_set_options(caps, "xterm*:clipboard,vt1*:256:RGB:hyperlinks:usstyle:nonsense:sync", "");
    ck_assert(!caps_has(caps, FEATURE_CLIPBOARD));
    ck_assert(caps_has(caps, FEATURE_RGB));
    ck_assert(caps_has(caps, FEATURE_LINKS));
    ck_assert(caps_has(caps, FEATURE_SYNC));
    ck_assert(caps_has(caps, FEATURE_UNDERLINES));
    ck_assert(caps_has(caps, FEATURE_UNDERLINE_COLOUR));
    ck_assert_uint_eq(caps->colours, 256);
    caps_free(caps);
}
END_TEST

START_TEST(overrides_add_and_take_away)
{
    char *cause, *note;
    struct caps *caps = caps_load("screen-256color", 1, &cause, &note);
    ck_assert(!caps_has(caps, FEATURE_RGB));
    ck_assert(caps_set_options(caps, "", "xterm*:RGB,screen*:Tc:smcup@:el@"));
    ck_assert(!caps_set_options(caps, "", "xterm*:RGB,screen*:Tc:smcup@:el@"));
    ck_assert(caps_has(caps, FEATURE_RGB));
    ck_assert(!caps_has(caps, FEATURE_EL));
    ck_assert_str_eq(caps->smcup, "");
    // What comes later replaces them, and what is learnt later does not bring back what they take.
    ck_assert(caps_set_options(caps, "", "*:Ms@"));
    ck_assert(!caps_has(caps, FEATURE_RGB));
    ck_assert(caps_has(caps, FEATURE_EL));
    ck_assert_str_ne(caps->smcup, "");
    caps_add_kind(caps, "kitty");
    ck_assert(!caps_has(caps, FEATURE_CLIPBOARD));
    ck_assert(caps_has(caps, FEATURE_RGB));
    caps_free(caps);
}
END_TEST

static bool options_give(const char *term, const char *features, const char *overrides,
                         enum feature f)
{
    char *cause, *note;
    struct caps *caps = caps_load(term, 1, &cause, &note);
    ck_assert_msg(caps != NULL, "%s: %s", term, cause);
    caps_set_options(caps, features, overrides);
    bool has = caps_has(caps, f);
    free(note);
    caps_free(caps);
    return has;
}

START_TEST(options_go_by_the_name_in_TERM)
{
    static const char *const rgb[] = {"*:RGB", "*:Tc", "*256col*:Tc", "xterm-256color:Tc=1",
                                      "nothing:el@,xterm*:bce:RGB", "xterm-*:Ms=\033]52;%p1%s::x@:RGB"};
    ck_assert(!options_give("xterm-256color", "", "", FEATURE_RGB));
    for (size_t i = 0; i < ARRAY_LEN(rgb); i++) {
        ck_assert_msg(options_give("xterm-256color", "", rgb[i], FEATURE_RGB), "%s", rgb[i]);
        if (i < 2)
            ck_assert(options_give("linux", "", rgb[i], FEATURE_RGB));
        else
            ck_assert(!options_give("linux", "", rgb[i], FEATURE_RGB));
    }
    ck_assert(options_give("vt100", "*:RGB:clipboard", "", FEATURE_RGB));
    ck_assert(options_give("vt100", "*:RGB:clipboard", "", FEATURE_CLIPBOARD));
    ck_assert(options_give("vt100", "", "vt*:Ms=\033]52;%p1%s;%p2%s\007", FEATURE_CLIPBOARD));
    ck_assert(!options_give("xterm-256color", "", "xterm*:Ms@", FEATURE_CLIPBOARD));
    ck_assert(!options_give("xterm-256color", "xterm*:clipboard", "xterm*:Ms@", FEATURE_CLIPBOARD));
    ck_assert(options_give("xterm-ghostty", "", "xterm-ghostty:Smol", FEATURE_OVERLINE));
    static const char *const damaged[] = {":", ",", "::", "*", "*:", "*::", "*:@", "*:=", ",,*:::@,", "[:@", "*:\377"};
    for (size_t i = 0; i < ARRAY_LEN(damaged); i++)
        ck_assert(!options_give("xterm-256color", damaged[i], damaged[i], FEATURE_RGB));
}
END_TEST

START_TEST(colours_follow_options)
{
    char *cause, *note;
    struct caps *caps = caps_load("xterm", 1, &cause, &note);
    ck_assert_uint_eq(caps->colours, 8);
    caps_set_options(caps, "xterm:256", "");
    ck_assert_uint_eq(caps->colours, 256);
    caps_set_options(caps, "", "xterm:colors=16");
    ck_assert_uint_eq(caps->colours, 16);
    caps_set_options(caps, "", "");
    ck_assert_uint_eq(caps->colours, 8);
    caps_set_colours(caps, 256); // -2
    ck_assert_uint_eq(caps->colours, 256);
    caps_free(caps);
}
END_TEST

START_TEST(amux_in_the_environment_counts_only_in_its_own_form)
{
    char *path = cli_socket_of_environment("/tmp/amux-0/a,b,123,4");
    ck_assert_str_eq(path, "/tmp/amux-0/a,b");
    free(path);
    static const char *const bad[] = {"", "1", "/tmp/x", "/tmp/x,1", "/tmp/x,1,", "/tmp/x,,2",
                                      "/tmp/x,1a,2", "x,1,2", "/tmp/x,1,2b"};
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        ck_assert_msg(cli_socket_of_environment(bad[i]) == NULL, "%s", bad[i]);
    ck_assert_ptr_null(cli_socket_of_environment(NULL));
}
END_TEST

START_TEST(utf8_is_known_by_the_environment)
{
    ck_assert(cli_environment_is_utf8(NULL, "UTF-8", NULL, "xterm"));
    ck_assert(cli_environment_is_utf8("de_DE.utf8", NULL, "C", "linux"));
    ck_assert(!cli_environment_is_utf8("C", "en_US.UTF-8", NULL, "xterm"));
    ck_assert(!cli_environment_is_utf8(NULL, NULL, "POSIX", "xterm"));
    ck_assert(cli_environment_is_utf8("", "", "", "xterm"));
    ck_assert(!cli_environment_is_utf8(NULL, NULL, NULL, "linux"));
    ck_assert(!cli_environment_is_utf8(NULL, NULL, NULL, "vt220"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("terminal");
    TCase *tc = tcase_create("terminal");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, everything_is_put_back_on_every_way_out, 0, ARRAY_LEN(terms));
    tcase_add_test(tc, the_line_is_raw_meanwhile);
    tcase_add_test(tc, terminals_that_cannot_be_used_are_named);
    tcase_add_test(tc, modern_names_without_an_entry_stand_for_xterm);
    tcase_add_test(tc, features_by_their_names_are_added);
    tcase_add_test(tc, overrides_add_and_take_away);
    tcase_add_test(tc, options_go_by_the_name_in_TERM);
    tcase_add_test(tc, colours_follow_options);
    tcase_add_test(tc, amux_in_the_environment_counts_only_in_its_own_form);
    tcase_add_test(tc, utf8_is_known_by_the_environment);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
