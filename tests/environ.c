// Environments: order, masks, update-environment, and what a pane never inherits.
#include <check.h>
#include <string.h>

#include "common/util.h"
#include "server/environ.h"

static const char *value_of(const struct environ *env, const char *name)
{
    const struct environ_entry *e = environ_find(env, name);
    return e == NULL ? "(none)" : e->value == NULL ? "(removed)" : e->value;
}

START_TEST(entries_are_sorted_and_replaced)
{
    struct environ *env = environ_new();
    ck_assert(environ_put(env, "C=3"));
    ck_assert(environ_put(env, "A=1"));
    ck_assert(environ_put(env, "B="));
    ck_assert(environ_put(env, "A=x=y"));
    ck_assert(!environ_put(env, "nothing"));
    ck_assert(!environ_put(env, "=value"));
    ck_assert_uint_eq(environ_count(env), 3);
    ck_assert_str_eq(environ_at(env, 0)->name, "A");
    ck_assert_str_eq(environ_at(env, 0)->value, "x=y");
    ck_assert_str_eq(environ_at(env, 1)->value, "");
    ck_assert_str_eq(environ_at(env, 2)->name, "C");
    ck_assert_ptr_null(environ_at(env, 3));
    environ_unset(env, "B");
    environ_unset(env, "B");
    ck_assert_str_eq(value_of(env, "B"), "(none)");
    ck_assert_uint_eq(environ_count(env), 2);
    // An entry set from its own fields.
    const struct environ_entry *e = environ_find(env, "C");
    environ_set(env, e->name, e->value, true);
    ck_assert_str_eq(value_of(env, "C"), "3");
    environ_free(env);
    environ_free(NULL);
}
END_TEST

START_TEST(removed_ones_mask_those_below)
{
    struct environ *below = environ_new(), *above = environ_new();
    environ_put(below, "KEEP=1");
    environ_put(below, "GO=1");
    environ_clear(above, "GO");
    environ_set(above, "SECRET", "x", true);
    environ_copy(above, below);
    ck_assert_str_eq(value_of(below, "GO"), "(removed)");
    ck_assert(environ_find(below, "SECRET")->is_hidden);
    char **v = environ_to_strv(below);
    ck_assert_uint_eq(strv_len(v), 1);
    ck_assert_str_eq(v[0], "KEEP=1");
    strv_free(v);
    environ_free(below);
    environ_free(above);
}
END_TEST

START_TEST(update_takes_what_is_there_and_marks_what_is_not)
{
    struct environ *from = environ_new(), *to = environ_new();
    const char *const patterns[] = {"DISPLAY", "SSH_*", "GONE", "NO_*", NULL};
    environ_put(from, "DISPLAY=:1");
    environ_put(from, "SSH_AUTH_SOCK=/a");
    environ_put(from, "SSH_CONNECTION=b");
    environ_put(from, "OTHER=c");
    environ_put(to, "GONE=old");
    environ_put(to, "DISPLAY=:0");
    environ_update(patterns, from, to);
    ck_assert_str_eq(value_of(to, "DISPLAY"), ":1");
    ck_assert_str_eq(value_of(to, "SSH_AUTH_SOCK"), "/a");
    ck_assert_str_eq(value_of(to, "SSH_CONNECTION"), "b");
    ck_assert_str_eq(value_of(to, "GONE"), "(removed)");
    ck_assert_str_eq(value_of(to, "OTHER"), "(none)");
    ck_assert_str_eq(value_of(to, "NO_*"), "(none)");
    environ_free(from);
    environ_free(to);
}
END_TEST

START_TEST(foreign_variables_are_known)
{
    static const char *const foreign[] = {
        "TMUX", "TMUX_PANE", "STY", "ZELLIJ", "ZELLIJ_SESSION_NAME", "HERDR_SOCKET", "CMUX_ID", "AMUX",
        "AMUX_PANE", "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT",
        "CLAUDE_CODE_MESSAGING_SOCKET", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED",
        "GEMINI_CLI", "OPENCODE", "TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "COLORTERM",
        "VTE_VERSION", "KITTY_WINDOW_ID", "WEZTERM_PANE", "GHOSTTY_BIN_DIR", "ITERM_SESSION_ID",
        "LINES", "COLUMNS", "WINDOWID",
    };
    static const char *const own[] = {
        "PATH", "HOME", "LANG", "DISPLAY", "WAYLAND_DISPLAY", "SSH_AUTH_SOCK", "EDITOR", "TERMINFO",
        "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_USE_BEDROCK",
        "CLAUDE_CODE_NO_FLICKER", "CLAUDE_CODE_DISABLE_TERMINAL_TITLE", "CODEX_HOME",
        "COPILOT_HOME", "GEMINI_API_KEY", "GEMINI_MODEL", "OPENAI_API_KEY", "OPENCODE_CONFIG",
        "TMUX_TMPDIR", "AMUX_TMPDIR", "AGENT", "FORCE_HYPERLINK", "NO_COLOR",
    };
    for (size_t i = 0; i < ARRAY_LEN(foreign); i++)
        ck_assert_msg(environ_is_foreign(foreign[i]), "%s", foreign[i]);
    for (size_t i = 0; i < ARRAY_LEN(own); i++)
        ck_assert_msg(!environ_is_foreign(own[i]), "%s", own[i]);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("environ");
    TCase *t = tcase_create("environ");
    tcase_add_test(t, entries_are_sorted_and_replaced);
    tcase_add_test(t, removed_ones_mask_those_below);
    tcase_add_test(t, update_takes_what_is_there_and_marks_what_is_not);
    tcase_add_test(t, foreign_variables_are_known);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
