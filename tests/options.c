// Options: the table, checked setting with tmux's sentences, inheritance, arrays, quoting.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "common/util.h"
#include "server/options/options.h"

static struct options *server, *session_root, *window_root, *session, *window, *pane;

static void setup(void)
{
    unsetenv("VISUAL");
    unsetenv("EDITOR");
    server = options_new(NULL);
    session_root = options_new(NULL);
    window_root = options_new(NULL);
    options_set_defaults(server, SCOPE_SERVER);
    options_set_defaults(session_root, SCOPE_SESSION);
    options_set_defaults(window_root, SCOPE_WINDOW);
    session = options_new(session_root);
    window = options_new(window_root);
    pane = options_new(window);
}

static void teardown(void)
{
    options_on_change(NULL);
    options_free(pane);
    options_free(window);
    options_free(session);
    options_free(window_root);
    options_free(session_root);
    options_free(server);
}

static struct options *root_of(const char *name)
{
    const struct option_row *row = option_row_find(name, NULL);
    if (row != NULL && row->scope & SCOPE_SERVER)
        return server;
    return row != NULL && row->scope & (SCOPE_WINDOW | SCOPE_PANE) ? window_root : session_root;
}

#define set(o, name, value)                                              \
    do {                                                                 \
        char *cause_ = NULL;                                             \
        bool ok_ = options_set_text(o, name, value, 0, &cause_);         \
        ck_assert_msg(ok_, "%s: %s", name, cause_ == NULL ? "" : cause_); \
    } while (0)
#define append(o, name, value)                                                    \
    do {                                                                          \
        char *cause_ = NULL;                                                      \
        ck_assert(options_set_text(o, name, value, OPTION_SET_APPEND, &cause_)); \
    } while (0)
#define is_text(o, name, want)                           \
    do {                                                 \
        char *got_ = options_get_text(o, name, true);    \
        ck_assert_ptr_nonnull(got_);                     \
        ck_assert_str_eq(got_, want);                    \
        free(got_);                                      \
    } while (0)

START_TEST(the_table_is_in_order)
{
    for (size_t i = 0; i < n_option_rows; i++) {
        const struct option_row *row = &option_rows[i];
        if (i > 0)
            ck_assert_msg(strcmp(option_rows[i - 1].name, row->name) < 0, "%s", row->name);
        ck_assert_int_eq(row->help[strlen(row->help) - 1], '.');
        ck_assert_ptr_nonnull(row->text);
        ck_assert_uint_ne(row->scope, 0);
        ck_assert_int_eq(row->type == OPTION_CHOICE, row->choices != NULL);
        ck_assert_ptr_eq(option_row_find(row->name, NULL), row);
    }
    ck_assert_ptr_null(option_rows[n_option_rows].name);
}
END_TEST

START_TEST(defaults_are_values_of_their_options)
{
    for (size_t i = 0; i < n_option_rows; i++) {
        const struct option_row *row = &option_rows[i];
        char *text = options_get_text(root_of(row->name), row->name, false);
        ck_assert_msg(text != NULL, "%s", row->name);
        if (!row->is_array && !row->is_shell)
            ck_assert_str_eq(text, row->text);
        free(text);
    }
    ck_assert_int_eq(options_number(session_root, "history-limit"), 50000);
    ck_assert_int_eq(options_number(session_root, "history-bytes"), 16777216);
    ck_assert_int_eq(options_number(server, "escape-time"), 10);
    ck_assert_int_eq(options_number(session_root, "display-time"), 4000);
    ck_assert_str_eq(options_string(server, "default-terminal"), "xterm-256color");
    ck_assert(options_key(session_root, "prefix") == (KEY_CTRL | 'b'));
    ck_assert(options_key(session_root, "prefix2") == KEY_NONE);
    ck_assert_int_eq(options_number(session_root, "display-panes-colour"), colour_indexed(4));
    ck_assert_int_eq(options_number(window_root, "cursor-colour"), -1);
    ck_assert(is_usable_shell(options_string(session_root, "default-shell")));
}
END_TEST

START_TEST(the_environment_names_editor_and_keys)
{
    struct options *o = options_new(NULL);
    setenv("EDITOR", "/usr/bin/vim", 1);
    options_set_defaults(o, SCOPE_SESSION);
    ck_assert_str_eq(options_string(o, "status-keys"), "vi");
    setenv("VISUAL", "/vi/emacs", 1);
    options_set_defaults(o, SCOPE_SESSION);
    ck_assert_str_eq(options_string(o, "status-keys"), "emacs");
    options_set_defaults(o, SCOPE_SERVER);
    ck_assert_str_eq(options_string(o, "editor"), "/vi/emacs");
    options_free(o);
}
END_TEST

START_TEST(wrong_values_get_tmuxs_sentences)
{
    static const struct {
        const char *name, *value, *cause;
    } rows[] = {
        {"foo", "1", "invalid option: foo"},
        {"statusss", "1", "invalid option: statusss"},
        {"statu", "1", "ambiguous option: statu"},
        {"status-lef", "1", "ambiguous option: status-lef"},
        {"", "x", "ambiguous option: "},
        {"base-index", "-1", "value is too small: -1"},
        {"base-index", "99999999999", "value is too large: 99999999999"},
        {"base-index", "abc", "value is invalid: abc"},
        {"base-index", "", "value is invalid: "},
        {"base-index", NULL, "empty value"},
        {"escape-time", "99999999999", "value is too large: 99999999999"},
        {"monitor-silence", "x", "value is invalid: x"},
        {"mouse", "foo", "bad value: foo"},
        {"status-keys", "foo", "unknown value: foo"},
        {"visual-bell", "maybe", "unknown value: maybe"},
        {"prefix", "foo", "bad key: foo"},
        {"prefix", "C-", "bad key: C-"},
        {"prefix", NULL, "empty value"},
        {"display-panes-colour", "foo", "bad colour: foo"},
        {"display-panes-colour", NULL, "empty value"},
        {"status-style", "foo", "invalid style: foo"},
        {"status-left", NULL, "empty value"},
        {"@y", NULL, "empty value"},
        {"status-left[1]", "x", "not an array: status-left[1]"},
        {"@a[1]", "x", "not an array: @a[1]"},
        {"update-environment[x]", "x", "ambiguous option: update-environment[x]"},
        {"update-environment[1", "x", "ambiguous option: update-environment[1"},
        {"update-environment[-1]", "x", "ambiguous option: update-environment[-1]"},
        {"update-environment[99999999999]", "x",
         "ambiguous option: update-environment[99999999999]"},
        {"default-shell", "/bin/nope", "not a suitable shell: /bin/nope"},
        {"default-size", "foo", "value is invalid: foo"},
        {"default-size", "100x", "value is invalid: 100x"},
        {"pane-colours[3]", "foo", "bad colour: foo"},
        {"pane-colours", "red foo", "bad colour: foo"},
        {"word-separators", NULL, "empty value"},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char *cause = NULL;
        struct options *o = root_of(rows[i].name);
        char *before = options_get_text(o, rows[i].name, true);
        ck_assert_msg(!options_set_text(o, rows[i].name, rows[i].value, 0, &cause), "%s",
                      rows[i].name);
        ck_assert_str_eq(cause, rows[i].cause);
        char *after = options_get_text(o, rows[i].name, true);
        ck_assert(before == NULL ? after == NULL : strcmp(before, after) == 0);
        free(cause);
        free(before);
        free(after);
    }
}
END_TEST

START_TEST(values_are_kept_in_one_form)
{
    static const struct {
        const char *name, *value, *text;
        long long number;
    } rows[] = {
        {"mouse", "YES", "on", 1},
        {"mouse", "1", "on", 1},
        {"mouse", "Off", "off", 0},
        {"base-index", "7", "7", 7},
        {"status", "3", "3", 3},
        {"set-clipboard", "on", "on", 2},
        {"window-size", "latest", "latest", 3},
        {"status-position", "top", "top", 0},
        {"remain-on-exit", "failed", "failed", 2},
        {"display-panes-colour", "colour33", "colour33", COLOUR_INDEXED + 33},
        {"display-panes-color", "red", "red", COLOUR_INDEXED + 1}, // tmux takes both spellings
        {"cursor-colour", "none", "none", -1},
        {"status-styl", "bg=red", NULL, 0}, // a unique beginning is enough
        {"status-style", "fg=#{?x,red,blue}", "fg=#{?x,red,blue}", 0},
        {"default-command", "", "", 0},
        {"prefix", "None", "None", 0},
        {"prefix", "C-a", "C-a", 0},
        {"default-size", "100x30", "100x30", 0},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const struct option_row *row = option_row_find(rows[i].name, NULL);
        ck_assert_ptr_nonnull(row);
        struct options *o = root_of(row->name);
        set(o, rows[i].name, rows[i].value);
        ck_assert_int_eq(options_number(o, row->name), rows[i].number);
        if (rows[i].text != NULL)
            is_text(o, row->name, rows[i].text);
    }
}
END_TEST

START_TEST(no_value_toggles_flags_and_two_way_choices)
{
    set(session, "mouse", NULL);
    ck_assert_int_eq(options_number(session, "mouse"), 1);
    ck_assert_int_eq(options_number(session_root, "mouse"), 0);
    set(session, "mouse", NULL);
    ck_assert_int_eq(options_number(session, "mouse"), 0);
    set(session, "status-keys", NULL);
    is_text(session, "status-keys", "vi");
    set(session, "status", NULL);
    is_text(session, "status", "off");
    set(session, "status", "4");
    set(session, "status", NULL);
    is_text(session, "status", "4");
}
END_TEST

START_TEST(append_adds_to_texts)
{
    append(session, "status-left", "x");
    is_text(session, "status-left", "[#{session_name}] x");
    is_text(session_root, "status-left", "[#{session_name}] ");
    set(session, "status-style", "fg=red");
    append(session, "status-style", "bg=blue");
    is_text(session, "status-style", "fg=red,bg=blue");
    set(session, "@u", "x");
    append(session, "@u", "y");
    append(session, "@v", "z");
    is_text(session, "@u", "xy");
    is_text(session, "@v", "z");
}
END_TEST

START_TEST(only_if_unset_refuses_what_is_set)
{
    char *cause = NULL;
    unsigned flags = OPTION_SET_ONLY_IF_UNSET;
    ck_assert(options_set_text(session, "@x", "1", flags, &cause));
    ck_assert(!options_set_text(session, "@x", "2", flags, &cause));
    ck_assert_str_eq(cause, "already set: @x");
    free(cause);
    ck_assert(options_set_text(session, "mouse", "on", flags, &cause));
    ck_assert(!options_set_text(session, "mouse", "off", flags, &cause));
    ck_assert_str_eq(cause, "already set: mouse");
    free(cause);
    ck_assert_int_eq(options_number(session, "mouse"), 1);
}
END_TEST

START_TEST(values_come_from_the_nearest_tree)
{
    set(window, "remain-on-exit", "on");
    ck_assert_int_eq(options_number(pane, "remain-on-exit"), 1);
    set(pane, "remain-on-exit", "failed");
    ck_assert_int_eq(options_number(pane, "remain-on-exit"), 2);
    ck_assert_int_eq(options_number(window, "remain-on-exit"), 1);
    ck_assert_int_eq(options_number(window_root, "remain-on-exit"), 0);
    ck_assert(options_has_own(pane, "remain-on-exit"));
    char *cause = NULL;
    ck_assert(options_unset(pane, "remain-on-exit", &cause));
    ck_assert(!options_has_own(pane, "remain-on-exit"));
    ck_assert_int_eq(options_number(pane, "remain-on-exit"), 1);
    // A root goes back to the default.
    set(window_root, "remain-on-exit", "on");
    ck_assert(options_unset(window_root, "remain-on-exit", &cause));
    ck_assert_int_eq(options_number(window_root, "remain-on-exit"), 0);
    ck_assert(!options_unset(pane, "nope", &cause));
    ck_assert_str_eq(cause, "invalid option: nope");
    free(cause);
    set(window_root, "@u", "below");
    is_text(pane, "@u", "below");
    ck_assert_ptr_null(options_get_text(pane, "@u", false));
    ck_assert_ptr_null(options_get_text(pane, "@none", true));
    // A tree without roots still has the defaults.
    struct options *alone = options_new(NULL);
    ck_assert_int_eq(options_number(alone, "repeat-time"), 500);
    options_free(alone);
}
END_TEST

START_TEST(arrays_are_set_by_entry_and_as_a_whole)
{
    const char *name = "update-environment";
    unsigned index;
    size_t n = options_array_len(session_root, name);
    ck_assert_uint_ge(n, 9);
    ck_assert_str_eq(options_array_at(session_root, name, 0, &index), "DISPLAY");
    ck_assert_uint_eq(index, 0);
    set(session_root, "update-environment[3]", "FOO BAR");
    append(session_root, name, "A B,C");
    ck_assert_uint_eq(options_array_len(session_root, name), n + 3);
    ck_assert_str_eq(options_array_at(session_root, name, 3, NULL), "FOO BAR");
    ck_assert_str_eq(options_array_at(session_root, name, n + 2, &index), "C");
    ck_assert_uint_eq(index, n + 2);
    append(session_root, "update-environment[3]", "x");
    is_text(session_root, "update-environment[3]", "FOO BARx");

    set(session_root, name, "A B,,C");
    is_text(session_root, name, "A B C");
    char *cause = NULL;
    ck_assert(options_unset(session_root, "update-environment[1]", &cause));
    ck_assert_uint_eq(options_array_len(session_root, name), 2);
    ck_assert_str_eq(options_array_at(session_root, name, 1, &index), "C");
    ck_assert_uint_eq(index, 2);
    append(session_root, name, "D");
    ck_assert_str_eq(options_array_at(session_root, name, 1, &index), "D");
    ck_assert_ptr_null(options_array_at(session_root, name, 3, NULL));
    ck_assert_ptr_null(options_get_text(session_root, "update-environment[9]", true));

    set(session, name, "X");
    ck_assert_uint_eq(options_array_len(session, name), 1);
    ck_assert(options_unset(session_root, name, &cause));
    ck_assert_uint_eq(options_array_len(session_root, name), n);

    set(session, "status-format[1]", "a, b");
    ck_assert_uint_eq(options_array_len(session, "status-format"), 1);
    set(session, "status-format", "a, b");
    is_text(session, "status-format[0]", "a, b");
    set(server, "command-alias[100]", "zoom=resize-pane -Z");
    is_text(server, "command-alias[100]", "zoom=resize-pane -Z");
    set(pane, "pane-colours[3]", "red");
    is_text(pane, "pane-colours[3]", "red");
}
END_TEST

static struct strbuf listed;
static void list(void *arg, const char *name, const char *value, bool is_inherited)
{
    (void)arg;
    strbuf_addf(&listed, "%s%s=%s;", name, is_inherited ? "*" : "", value == NULL ? "(none)" : value);
}

START_TEST(listing_names_own_and_inherited_values)
{
    set(session, "status-left", "L");
    set(session, "@b", "2");
    set(session_root, "@b", "below");
    set(session_root, "@a", "1");
    set(session, "update-environment[7]", "X");
    options_each(session, false, list, NULL);
    ck_assert_str_eq(listed.data, "@b=2;status-left=L;update-environment[7]=X;");
    strbuf_clear(&listed);
    options_each(session, true, list, NULL);
    ck_assert_ptr_nonnull(strstr(listed.data, "@a*=1;@b=2;activity-action*=other;"));
    ck_assert_ptr_nonnull(strstr(listed.data, ";status-left=L;"));
    ck_assert_ptr_nonnull(strstr(listed.data, ";status-format*=(none);"));
    strbuf_clear(&listed);
    ck_assert(options_each_of(session, "update-environment", false, list, NULL));
    ck_assert(options_each_of(session, "mouse", true, list, NULL));
    ck_assert(options_each_of(session, "@a", true, list, NULL));
    ck_assert(options_each_of(session_root, "update-environment[0]", false, list, NULL));
    ck_assert(!options_each_of(session, "mouse", false, list, NULL));
    ck_assert(!options_each_of(session, "@a", false, list, NULL));
    ck_assert(!options_each_of(session, "update-environment[0]", false, list, NULL));
    ck_assert(!options_each_of(session, "mouse[0]", true, list, NULL));
    ck_assert(!options_each_of(session, "nope", true, list, NULL));
    ck_assert_str_eq(listed.data,
                     "update-environment[7]=X;mouse*=off;@a*=1;update-environment[0]=DISPLAY;");
    strbuf_free(&listed);
}
END_TEST

static unsigned n_changes;
static void changed(struct options *o, const char *name)
{
    ck_assert_ptr_eq(o, session);
    ck_assert_str_eq(name, "status-left");
    n_changes++;
}

START_TEST(every_change_is_told_once)
{
    char *cause = NULL;
    options_on_change(changed);
    set(session, "status-left", "x");
    append(session, "status-left", "y");
    options_set_string(session, "status-left", "z");
    ck_assert(options_unset(session, "status-left", &cause));
    ck_assert(options_unset(session, "status-left", &cause)); // nothing there any more
    ck_assert_uint_eq(n_changes, 4);
    ck_assert(!options_set_text(session, "nope", "x", 0, &cause));
    free(cause);
    ck_assert_uint_eq(n_changes, 4);
}
END_TEST

START_TEST(numbers_set_by_the_server_are_kept_in_range)
{
    options_set_number(session, "status", 99);
    is_text(session, "status", "off");
    options_set_number(session, "mouse", 5);
    ck_assert_int_eq(options_number(session, "mouse"), 1);
    options_set_number(window, "automatic-rename", 0);
    is_text(window, "automatic-rename", "off");
    options_set_number(session, "display-panes-colour", colour_indexed(2));
    is_text(session, "display-panes-colour", "green");
    options_set_string(session, "prefix", "no key at all");
    is_text(session, "prefix", "C-b");
}
END_TEST

START_TEST(values_are_quoted_as_tmux_prints_them)
{
    static const char *const rows[][2] = {
        {"it's", "\"it's\""},
        {"a\\b", "a\\\\b"},
        {"tab\tx", "tab\\tx"},
        {"~x", "\\~x"},
        {"x~", "x~"},
        {"~", "\\~"},
        {"#foo", "\"#foo\""},
        {"a#b", "\"a#b\""},
        {"{a", "\"{a\""},
        {"%if", "\"%if\""},
        {"é", "é"},
        {"a=b", "a=b"},
        {"-x", "-x"},
        {"$X", "\"\\$X\""},
        {"$1", "\"$1\""},
        {"*", "*"},
        {"[x]", "[x]"},
        {"<a>", "<a>"},
        {"|", "|"},
        {"`", "`"},
        {"", "''"},
        {" ", "\" \""},
        {";", "\\;"},
        {"\"", "\\\""},
        {"a;b", "\"a;b\""},
        {"@a", "@a"},
        {":", ":"},
        {"[#{session_name}] ", "\"[#{session_name}] \""},
        {"a\"b$c~d;e", "\"a\\\"b\\$c~d;e\""},
        {"a\"b", "'a\"b'"},
        {"a\"\nb", "\"a\\\"\\nb\""},
        {"\033[1m", "\\033[1m"},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char *quoted = option_value_quoted(rows[i][0]);
        ck_assert_str_eq(quoted, rows[i][1]);
        free(quoted);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("options");
    TCase *t = tcase_create("options");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, the_table_is_in_order);
    tcase_add_test(t, defaults_are_values_of_their_options);
    tcase_add_test(t, the_environment_names_editor_and_keys);
    tcase_add_test(t, wrong_values_get_tmuxs_sentences);
    tcase_add_test(t, values_are_kept_in_one_form);
    tcase_add_test(t, no_value_toggles_flags_and_two_way_choices);
    tcase_add_test(t, append_adds_to_texts);
    tcase_add_test(t, only_if_unset_refuses_what_is_set);
    tcase_add_test(t, values_come_from_the_nearest_tree);
    tcase_add_test(t, arrays_are_set_by_entry_and_as_a_whole);
    tcase_add_test(t, listing_names_own_and_inherited_values);
    tcase_add_test(t, every_change_is_told_once);
    tcase_add_test(t, numbers_set_by_the_server_are_kept_in_range);
    tcase_add_test(t, values_are_quoted_as_tmux_prints_them);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
