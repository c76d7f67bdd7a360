// The prompt: editing with emacs and vi keys, history, completion, pastes, and what is drawn.
#include "tests/mode_outside.h"

#include "server/mode/prompt.h"

#define CTRL(ch) (KEY_CTRL | (ch))
#define META(ch) (KEY_META | (ch))
#define KS(ks)   key_special(KS_##ks)

static char *last_text; // what the owner was last told; NULL: it was left
static bool was_done, stays_open;
static unsigned n_calls, n_freed;

static bool told(struct client *c, void *arg, const char *text, bool is_done)
{
    (void)c, (void)arg;
    free(last_text);
    last_text = text == NULL ? NULL : xstrdup(text);
    was_done = is_done;
    n_calls++;
    return stays_open;
}

static void freed(void *arg)
{
    (void)arg;
    n_freed++;
}

static void set_up(void)
{
    outside_set_up();
    n_calls = n_freed = 0;
    was_done = false;
    stays_open = true;
    last_text = NULL;
    for (int t = 0; t < PROMPT_TYPES; t++)
        prompt_history_clear((enum prompt_type)t);
}

static void tear_down(void)
{
    prompt_free(&client);
    free(last_text);
    outside_tear_down();
}

static void open_with(const char *initial, unsigned flags)
{
    prompt_open(&client, ":", initial, flags, "command", told, freed, NULL);
}

static void key(key_code k)
{
    prompt_key(&client, k, NULL, 0);
}

static void type(const char *text)
{
    size_t len = strlen(text);
    for (size_t i = 0; i < len;) {
        uint32_t cp;
        i += utf8_next(text + i, len - i, &cp);
        key(cp);
    }
}

static void ck_shown(const char *want, unsigned col)
{
    unsigned at;
    char *line = prompt_line(&client, &at);
    ck_assert_str_eq(line, want);
    ck_assert_uint_eq(at, col);
    free(line);
}

static void ck_answer(const char *want)
{
    key(KS(ENTER));
    ck_assert(was_done);
    ck_assert_ptr_null(client.prompt);
    ck_assert_str_eq(last_text, want);
}

START_TEST(emacs_keys_edit)
{
    open_with("new-window -n name", 0);
    ck_shown(":new-window -n name", 19);
    key(CTRL('a'));
    key(KS(RIGHT));
    key(CTRL('f'));
    key(CTRL('d'));
    ck_shown(":ne-window -n name", 3);
    key(META('f'));
    key(META('f'));
    key(CTRL('k'));
    ck_shown(":ne-window ", 11);
    key(CTRL('y'));
    key(CTRL('e'));
    key(CTRL('w'));
    type("x");
    key(KS(BSPACE));
    key(CTRL('h'));
    ck_shown(":ne-window -n", 13);
    key(CTRL('b'));
    key(KS(LEFT));
    key(KS(DC));
    key(META('b'));
    type("é");
    ck_shown(":ne-éwindow n", 5);
    key(KS(HOME));
    key(KS(END));
    key(CTRL('t'));
    ck_answer("ne-éwindown ");
}
END_TEST

START_TEST(ctrl_u_empties_and_ctrl_y_brings_back_or_takes_the_top_buffer)
{
    open_with("abc", 0);
    key(CTRL('u'));
    ck_shown(":", 1);
    key(CTRL('y'));
    key(CTRL('y'));
    ck_answer("abcabc");
    char *cause = NULL;
    ck_assert(buffer_set(xstrdup("first line\nsecond"), 17, NULL, &cause));
    open_with("", 0);
    key(CTRL('y'));
    ck_answer("first line");
    buffer_free(buffer_top());
}
END_TEST

START_TEST(vi_keys_edit)
{
    options_set_number(session.options, "status-keys", 1);
    open_with("alpha beta-gamma", 0);
    key(KS(ESCAPE));
    ck_assert_ptr_nonnull(client.prompt);
    type("0dwx");
    ck_shown(":eta-gamma", 1);
    type("$ix");
    key(KS(ESCAPE));
    type("bD");
    ck_shown(":eta-", 5);
    type("Ahello there");
    key(KS(ESCAPE));
    type("Bcwworld");
    ck_shown(":eta-hello world", 16);
    key(KS(ESCAPE));
    type("ddq");
    ck_assert_ptr_null(client.prompt);
    ck_assert_ptr_null(last_text);
}
END_TEST

START_TEST(escape_and_ctrl_c_leave)
{
    const key_code keys[] = {KS(ESCAPE), CTRL('c'), CTRL('g')};
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        open_with("text", 0);
        key(keys[i]);
        ck_assert_ptr_null(client.prompt);
        ck_assert(was_done && last_text == NULL);
        ck_assert_uint_eq(n_freed, i + 1);
    }
}
END_TEST

START_TEST(single_key_prompts_take_one)
{
    open_with("", PROMPT_SINGLE);
    key(KS(UP));
    ck_assert_ptr_nonnull(client.prompt);
    key('y');
    ck_assert_ptr_null(client.prompt);
    ck_assert_str_eq(last_text, "y");
    open_with("", PROMPT_KEY);
    key(KEY_CTRL | KS(LEFT));
    ck_assert_str_eq(last_text, "C-Left");
    ck_assert_uint_eq(prompt_history_len(PROMPT_TYPE_COMMAND), 0);
}
END_TEST

START_TEST(numeric_prompts_end_with_a_key_that_then_acts)
{
    open_with("", PROMPT_NUMERIC);
    type("12");
    key(KS(KP_3));
    key('j');
    ck_assert_ptr_null(client.prompt);
    ck_assert_str_eq(last_text, "123");
    ck_assert_uint_eq(n_keys, 1);
    ck_assert_uint_eq(last_key, 'j');
}
END_TEST

START_TEST(incremental_prompts_tell_each_change)
{
    open_with("old", PROMPT_INCREMENTAL);
    ck_assert_str_eq(last_text, "=");
    ck_assert(!was_done);
    key(CTRL('r')); // nothing typed: what was looked for last
    ck_assert_str_eq(last_text, "=old");
    type("e");
    ck_assert_str_eq(last_text, "=olde");
    key(CTRL('s'));
    ck_assert_str_eq(last_text, "+olde");
    key(CTRL('r'));
    ck_assert_str_eq(last_text, "-olde");
    unsigned before = n_calls;
    key(KS(LEFT));
    ck_assert_uint_eq(n_calls, before);
    key(KS(BSPACE));
    ck_assert_str_eq(last_text, "=ole");
}
END_TEST

START_TEST(history_is_kept_by_type_and_bounded)
{
    options_set_number(server_scope, "prompt-history-limit", 3);
    const char *texts[] = {"one", "two", "two", "three", "four"};
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        open_with(texts[i], 0);
        key(KS(ENTER));
    }
    ck_assert_uint_eq(prompt_history_len(PROMPT_TYPE_COMMAND), 3);
    open_with("draft", 0);
    key(KS(UP));
    ck_shown(":four", 5);
    key(KS(UP));
    key(KS(UP));
    key(KS(UP));
    ck_shown(":two", 4);
    key(KS(DOWN));
    key(CTRL('n'));
    key(KS(DOWN));
    ck_shown(":draft", 6);
    key(KS(DOWN));
    ck_answer("draft");
    prompt_open(&client, "/", "", 0, "search", told, freed, NULL);
    key(KS(UP));
    ck_shown("/", 1);
}
END_TEST

START_TEST(tab_completes_commands_flags_options_and_targets)
{
    open_with("new-s", 0);
    key(KS(TAB));
    ck_shown(":new-session ", 13);
    key(CTRL('u'));
    type("set -g status-le");
    key(KS(TAB));
    unsigned at;
    char *line = prompt_line(&client, &at);
    ck_assert_ptr_nonnull(strstr(line, "status-left"));
    ck_assert_ptr_nonnull(strstr(line, "status-left-length")); // a candidate
    free(line);
    key(CTRL('u'));
    type("select-window -t wo");
    key(KS(TAB));
    ck_shown(":select-window -t work:", 23);
    type("sh");
    key(KS(TAB));
    ck_shown(":select-window -t work:shell ", 29);
    type("; kill-ser");
    key(KS(TAB));
    ck_shown(":select-window -t work:shell ; kill-server ", 43);
    key(CTRL('u'));
    type("zzz");
    key(KS(TAB));
    ck_answer("zzz");
}
END_TEST

START_TEST(paste_loses_its_control_characters)
{
    open_with("[]", 0);
    key(KS(LEFT));
    static const char bytes[] = "a\x1b[31mb\r\nc\x7f\x00\xc2\x9b\xff";
    prompt_paste(&client, bytes, sizeof bytes - 1);
    ck_answer("[a[31mb c\xef\xbf\xbd]");
}
END_TEST

START_TEST(text_longer_than_the_line_scrolls_with_the_cursor)
{
    client.cols = 12;
    open_with("0123456789abcdef", 0);
    ck_shown(":6789abcdef", 11);
    key(CTRL('a'));
    ck_shown(":0123456789a", 1);
    key(CTRL('u'));
    type("橋橋橋橋橋橋橋");
    ck_shown(":橋橋橋橋橋", 11);
}
END_TEST

START_TEST(markup_of_the_text_is_shown_not_obeyed)
{
    prompt_open(&client, "#[bold]ask#[default] ", "#[fg=red]#S", 0, "command", told, freed, NULL);
    ck_shown("#[bold]ask#[default] ##[fg=red]##S", 15);
}
END_TEST

START_TEST(a_second_prompt_closes_the_first)
{
    open_with("one", 0);
    prompt_open(&client, "second ", "", 0, "command", told, freed, NULL);
    ck_assert(was_done && last_text == NULL);
    ck_assert_uint_eq(n_freed, 1);
    ck_shown("second ", 7);
}
END_TEST

static bool opens_another(struct client *c, void *arg, const char *text, bool is_done)
{
    (void)arg, (void)text, (void)is_done;
    prompt_open(c, "next ", "", 0, "command", told, freed, NULL);
    return true;
}

START_TEST(an_answer_may_open_the_next_prompt)
{
    prompt_open(&client, "first ", "x", 0, "command", opens_another, freed, NULL);
    key(KS(ENTER));
    ck_assert_uint_eq(n_freed, 1);
    ck_shown("next ", 5);
    ck_answer("");
    ck_assert_uint_eq(n_freed, 2);
}
END_TEST

START_TEST(text_is_bounded)
{
    open_with("", 0);
    char *big = xmalloc(300000);
    memset(big, 'a', 300000);
    prompt_paste(&client, big, 300000);
    free(big);
    key(KS(ENTER));
    ck_assert_uint_le(strlen(last_text), 65536);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("prompt");
    TCase *tc = tcase_create("prompt");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, emacs_keys_edit);
    tcase_add_test(tc, ctrl_u_empties_and_ctrl_y_brings_back_or_takes_the_top_buffer);
    tcase_add_test(tc, vi_keys_edit);
    tcase_add_test(tc, escape_and_ctrl_c_leave);
    tcase_add_test(tc, single_key_prompts_take_one);
    tcase_add_test(tc, numeric_prompts_end_with_a_key_that_then_acts);
    tcase_add_test(tc, incremental_prompts_tell_each_change);
    tcase_add_test(tc, history_is_kept_by_type_and_bounded);
    tcase_add_test(tc, tab_completes_commands_flags_options_and_targets);
    tcase_add_test(tc, paste_loses_its_control_characters);
    tcase_add_test(tc, text_longer_than_the_line_scrolls_with_the_cursor);
    tcase_add_test(tc, markup_of_the_text_is_shown_not_obeyed);
    tcase_add_test(tc, a_second_prompt_closes_the_first);
    tcase_add_test(tc, an_answer_may_open_the_next_prompt);
    tcase_add_test(tc, text_is_bounded);
    suite_add_tcase(s, tc);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
