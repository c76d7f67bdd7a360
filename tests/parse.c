// The command language: what a text becomes, what it says when it is wrong, and that what it prints
// is read back as the same.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "server/command/language.h"
#include "tests/parse_outside.h"

static struct command_list *parse(const char *text)
{
    char *cause = NULL;
    struct command_list *l = command_parse_text(text, NULL, &cause);
    ck_assert_msg(l != NULL, "%s: %s", text, cause);
    return l;
}

static void check_text(const char *text, const char *wanted)
{
    struct command_list *l = parse(text);
    char *printed = command_list_to_text(l, false);
    ck_assert_str_eq(printed, wanted);
    command_list_unref(l);
    // And once more through the printed form.
    l = parse(printed);
    char *again = command_list_to_text(l, false);
    ck_assert_str_eq(again, printed);
    command_list_unref(l);
    free(again);
    free(printed);
}

static const struct {
    const char *text, *wanted;
} good[] = {
    {"", ""},
    {"display -p a", "display-message -p a"},
    {"display -p \"a\\tb\\u00e9\\101\\e\"", "display-message -p a\\tb\xc3\xa9"
                                            "A\\e"},
    {"display -p 'a\\tb'", "display-message -p a\\\\tb"},
    {"display -p a\\tb\\141\\s\\xx", "display-message -p \"a\\tba xx\""},
    {"display -p ab#cd # comment", "display-message -p \"ab#cd\""},
    {"display -p #comment", "display-message -p"},
    {"display -p a\\\nb", "display-message -p ab"},
    {"display -p a \\\n ; display -p b", "display-message -p a ; display-message -p b"},
    {"display -p '\\\\\n'", "display-message -p \\\\\\\\\\n"},
    {"display -p a # c \\\n still\ndisplay -p b", "display-message -p a ;; display-message -p b"},
    {"display -p \"a\nb\"", "display-message -p a\\nb"},
    {"display -p a ; ; display -p b", "display-message -p a ; display-message -p b"},
    {"display -p a;display -p b;", "display-message -p a ; display-message -p b"},
    {"display -p a\\;b", "display-message -p \"a;b\""},
    {"display a\ndisplay b\r\ndisplay c", "display-message a ;; display-message b ;; display-message c"},
    {"A=b\ndisplay \"$A ${A}x $A\" ", "display-message \"b bx b\""},
    {"A=1 display \"$A\"", "display-message 1"},
    {"display 'a$A'", "display-message \"a\\$A\""},
    {"display a=b", "display-message a=b"},
    {"display \"$1 $ $=\"", "display-message \"$1 $ $=\""},
    {"%hidden H=h\ndisplay $H", "display-message h"},
    {"HOME=/h\ndisplay ~/x", "display-message /h/x"},
    {"HOME=/h\ndisplay \"~/x\"", "display-message /h/x"},
    {"display a~", "display-message a~"},
    {"display a\"b c\"'d e'f", "display-message \"ab cd ef\""},
    {"display \"\"", "display-message ''"},
    {"display \"\\U0001F600\"", "display-message \xf0\x9f\x98\x80"},
    {"display %1", "display-message \"%1\""},
    {"display -t %1.2 a", "display-message -t \"%1.2\" a"},
    {"%if 1\ndisplay yes\n%elif 1\ndisplay no\n%else\ndisplay no\n%endif", "display-message yes"},
    {"%if 0\nfoo\n%elif #{a b}\ndisplay yes\n%else\nbar\n%endif # x", "display-message yes"},
    {"%if 0\n%if 1\nfoo\n%else\nfoo\n%endif\n%else\ndisplay yes\n%endif", "display-message yes"},
    {"%if #{yes} display inline %else display other %endif", "display-message inline"},
    {"%if 0\nA=wrong\n%endif\ndisplay \"[$A]\"", "display-message []"},
    {"bind X { display a\n display \"b c\" ; list-keys }",
     "bind-key X { display-message a ;; display-message \"b c\" ; list-keys }"},
    {"bind X { }", "bind-key X { }"},
    {"bind X { bind Y { display \"$A;\" } }", "bind-key X { bind-key Y { display-message \\; } }"},
    {"bind Y { A=b ; display $A ; # foo }\ndisplay }", "bind-key Y { display-message b ;; display-message }"},
    {"bind X display a \\; display \"b c\"", "bind-key X display a \\; display \"b c\""},
    {"split-pane -h", "split-window -h"},
    {"two b", "display-message -p a ; display-message -p b"},
};

START_TEST(a_text_becomes_these_commands)
{
    outside_n_variables = 0;
    check_text(good[_i].text, good[_i].wanted);
}
END_TEST

static const struct {
    const char *text, *wanted;
} bad[] = {
    {"foo bar", "f:1: unknown command: foo"},
    {"\n\nfoo", "f:3: unknown command: foo"},
    {"display a \\\n b", "f:1: command display-message: too many arguments (need at most 1)"},
    {"list", "f:1: ambiguous command: list, could be: list-buffers, list-clients, list-commands, "
             "list-keys, list-panes, list-sessions, list-windows"},
    {"; display a", "f:1: syntax error"},
    {"%endif", "f:1: syntax error"},
    {"%foo", "f:1: syntax error"},
    {"%if\n%endif", "f:1: syntax error"},
    {"%if 1\ndisplay a", "f:2: syntax error: missing %endif"},
    {"%if 1\n%else\n%else\n%endif", "f:3: syntax error"},
    {"display \"\\u00\"", "f:1: invalid \\u argument"},
    {"display \"\\08\"", "f:1: invalid octal escape"},
    {"display \"\\400\"", "f:1: invalid octal escape"},
    {"display \"\\000\"", "f:1: invalid octal escape"},
    {"display \"\\ud800\"", "f:1: invalid \\u argument"},
    {"display ${", "f:1: invalid environment variable"},
    {"display a}", "f:1: syntax error"},
    {"display a{b}", "f:1: syntax error"},
    {"{ display a }", "f:1: syntax error"},
    {"bind X {\n display a", "f:1: syntax error: missing }"},
    {"bind X {\n foo\n}", "f:2: unknown command: foo"},
    {"\ndisplay \"a\n", "f:2: missing \""},
    {"%hidden\ndisplay a", "f:1: syntax error"},
    {"loop", "f:1: unknown command: loop"},
    {"broken", "f:1: missing '"},
};

START_TEST(a_wrong_text_is_refused_with_file_line_and_reason)
{
    struct parse_input in = {.file = "f"};
    char *cause = NULL;
    ck_assert_ptr_null(command_parse_text(bad[_i].text, &in, &cause));
    ck_assert_str_eq(cause, bad[_i].wanted);
    free(cause);
}
END_TEST

struct errors {
    unsigned n;
    char *text[32];
};

static void add_error(void *arg, const char *text)
{
    struct errors *e = arg;
    ck_assert_uint_lt(e->n, ARRAY_LEN(e->text));
    e->text[e->n++] = xstrdup(text);
}

START_TEST(a_config_file_with_errors_gives_all_the_rest)
{
    static const char text[] = "display a\n"
                               "foo ; display lost\n"
                               "display b\n"
                               "bind X { display }c }\n"
                               "display c\n"
                               "bind X { display \"\\u1\"\n display in-block\n}\n"
                               "display d\n"
                               "display 'open\n"
                               "display e\n"
                               "bind X { display open\n"
                               "display f\n";
    struct errors e = {0};
    struct parse_input in = {.file = "f"};
    struct command_list *l = command_parse_config(text, &in, add_error, &e);
    char *printed = command_list_to_text(l, false);
    ck_assert_str_eq(printed, "display-message a ;; display-message b ;; display-message c ;; "
                              "display-message d ;; display-message e ;; display-message f");
    ck_assert_uint_eq(e.n, 5);
    ck_assert_str_eq(e.text[0], "f:2: unknown command: foo");
    ck_assert_str_eq(e.text[1], "f:4: syntax error");
    ck_assert_str_eq(e.text[2], "f:6: invalid \\u argument");
    ck_assert_str_eq(e.text[3], "f:10: missing '");
    ck_assert_str_eq(e.text[4], "f:12: syntax error: missing }");
    for (unsigned i = 0; i < e.n; i++)
        free(e.text[i]);
    free(printed);
    command_list_unref(l);
}
END_TEST

START_TEST(commands_of_one_line_are_one_group_and_know_their_line)
{
    struct parse_input in = {.file = "f"};
    struct command_list *l = command_parse_text("display a ; display b\n\ndisplay c", &in, NULL);
    const struct command *a = l->first, *b = a->next, *c = b->next;
    ck_assert_uint_eq(a->group, b->group);
    ck_assert_uint_ne(b->group, c->group);
    ck_assert_uint_eq(a->line, 1);
    ck_assert_uint_eq(c->line, 3);
    ck_assert_str_eq(c->file, "f");
    command_list_unref(l);
}
END_TEST

START_TEST(variables_cannot_grow_without_bound)
{
    struct strbuf text = {0};
    char *cause = NULL;
    strbuf_add_str(&text, "A=0123456789\n");
    for (int i = 0; i < 64; i++)
        strbuf_add_str(&text, "A=$A$A$A$A\n");
    ck_assert_ptr_null(command_parse_text(text.data, NULL, &cause));
    ck_assert_str_eq(cause, "text too long");
    free(cause);
    strbuf_free(&text);
}
END_TEST

START_TEST(deep_blocks_and_conditions_are_refused_not_followed)
{
    struct strbuf text = {0};
    struct errors e = {0};
    for (int i = 0; i < 5000; i++)
        strbuf_add_str(&text, "bind X { ");
    strbuf_add_str(&text, "\n");
    for (int i = 0; i < 70; i++)
        strbuf_add_str(&text, "%if 1 ");
    struct command_list *l = command_parse_config(text.data, NULL, add_error, &e);
    ck_assert_uint_gt(e.n, 0);
    ck_assert_str_eq(e.text[0], "blocks are nested too deeply");
    for (unsigned i = 0; i < e.n; i++)
        free(e.text[i]);
    command_list_unref(l);
    strbuf_free(&text);
}
END_TEST

#define WORDS(...) ((char *const *)(uintptr_t)(const char *const[]){__VA_ARGS__, NULL})

static void check_words(char *const *words, const char *wanted)
{
    char *cause = NULL;
    struct command_list *l = command_parse_words(words, strv_len(words), &cause);
    ck_assert_msg(l != NULL, "%s", cause);
    char *text = command_list_to_text(l, false);
    ck_assert_str_eq(text, wanted);
    free(text);
    command_list_unref(l);
}

START_TEST(a_text_that_ends_in_a_joined_line_ends)
{
    static const char *const texts[] = {"set -g @a b \\\n", "\\\n", "\\\n\\\n\\\r\n", "set -g @a b\n\\\n"};

    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct parse_input in = {.file = "file"};
        struct command_parser *p = command_parser_new(texts[i], &in, NULL, NULL);
        unsigned steps = 0;

        while (command_parser_step(p))
            ck_assert_uint_lt(++steps, 10);
        command_list_unref(command_parser_finish(p));
    }
}
END_TEST

START_TEST(an_argument_that_is_or_ends_in_a_semicolon_ends_a_command_if_more_follows)
{
    check_words(WORDS("display", "x", ";", "display", "y"), "display-message x ; display-message y");
    check_words(WORDS("display", "x;", "display", "y"), "display-message x ; display-message y");
    check_words(WORDS(";", "display", ";", ";"), "display-message");
    check_words(WORDS("display;"), "display-message");
    check_words(WORDS("display", "x;"), "display-message \"x;\"");
    check_words(WORDS("display", ";;"), "display-message \";;\"");
}
END_TEST

START_TEST(an_escaped_semicolon_at_the_end_is_kept_as_one)
{
    check_words(WORDS("send-keys", "a\\;"), "send-keys \"a;\"");
    check_words(WORDS("send-keys", "\\;"), "send-keys \\;");
    check_words(WORDS("send-keys", "a\\\\;"), "send-keys \"a\\\\;\"");
    check_words(WORDS("send-keys", "x ; y"), "send-keys \"x ; y\"");
    check_words(WORDS("display", "{ a b }"), "display-message \"{ a b }\"");
}
END_TEST

START_TEST(blocks_among_the_words_of_a_binding_stay_blocks)
{
    struct command_list *l = parse("bind X if-shell -F 1 { send-keys \\; } { display 'a b' }");
    char *cause = NULL;
    struct command_list *bound = command_parse_args(l->first->args, 1, &cause);
    ck_assert_msg(bound != NULL, "%s", cause);
    char *text = command_list_to_text(bound, false);
    ck_assert_str_eq(text, "if-shell -F 1 { send-keys \\; } { display-message \"a b\" }");
    free(text);
    command_list_unref(bound);
    command_list_unref(l);

    // One argument is a text; the words of several end at semicolons.
    l = parse("bind X { display a ; display b }");
    bound = command_parse_args(l->first->args, 1, NULL);
    ck_assert_ptr_nonnull(bound->first->next);
    command_list_unref(bound);
    command_list_unref(l);
    l = parse("bind X display a \\; display b");
    bound = command_parse_args(l->first->args, 1, NULL);
    ck_assert_ptr_nonnull(bound->first->next);
    command_list_unref(bound);
    command_list_unref(l);
}
END_TEST

static char *fill_word(void *arg, const char *word)
{
    return xstrdup(strcmp(word, "%%") == 0 ? (const char *)arg : word);
}

START_TEST(an_answer_filled_into_a_list_cannot_become_commands)
{
    char answer[] = "a\" ; kill-server ; \"b";
    struct command_list *l = parse("rename-window -t %% %% ; display x");
    struct command_list *filled = command_list_fill(l, fill_word, answer);
    ck_assert_str_eq(args_at(filled->first->args, 0), answer);
    ck_assert_str_eq(args_get(filled->first->args, 't'), answer);
    ck_assert_ptr_null(filled->first->next->next);
    // The list that was copied is as it was.
    ck_assert_str_eq(args_at(l->first->args, 0), "%%");
    command_list_unref(filled);
    command_list_unref(l);
}
END_TEST

START_TEST(words_are_looked_up_like_text)
{
    char *cause = NULL;
    check_words(WORDS("split-pane", "-h"), "split-window -h");
    ck_assert_ptr_null(command_parse_words(WORDS("display", "x", ";", "foo"), 4, &cause));
    ck_assert_str_eq(cause, "unknown command: foo");
    free(cause);
    ck_assert_ptr_null(command_parse_words(WORDS("display-message -p hi"), 1, &cause));
    ck_assert_str_eq(cause, "unknown command: display-message -p hi");
    free(cause);
}
END_TEST

START_TEST(escaped_text_is_as_list_keys_prints_it)
{
    struct command_list *l = parse("display a ; display b\ndisplay c");
    char *text = command_list_to_text(l, true);
    ck_assert_str_eq(text, "display-message a \\; display-message b \\;\\; display-message c");
    free(text);
    command_list_unref(l);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("parse");
    TCase *t = tcase_create("parse");
    tcase_add_loop_test(t, a_text_becomes_these_commands, 0, (int)ARRAY_LEN(good));
    tcase_add_loop_test(t, a_wrong_text_is_refused_with_file_line_and_reason, 0, (int)ARRAY_LEN(bad));
    tcase_add_test(t, a_config_file_with_errors_gives_all_the_rest);
    tcase_add_test(t, commands_of_one_line_are_one_group_and_know_their_line);
    tcase_add_test(t, variables_cannot_grow_without_bound);
    tcase_add_test(t, deep_blocks_and_conditions_are_refused_not_followed);
    tcase_add_test(t, a_text_that_ends_in_a_joined_line_ends);
    tcase_add_test(t, an_argument_that_is_or_ends_in_a_semicolon_ends_a_command_if_more_follows);
    tcase_add_test(t, an_escaped_semicolon_at_the_end_is_kept_as_one);
    tcase_add_test(t, blocks_among_the_words_of_a_binding_stay_blocks);
    tcase_add_test(t, an_answer_filled_into_a_list_cannot_become_commands);
    tcase_add_test(t, words_are_looked_up_like_text);
    tcase_add_test(t, escaped_text_is_as_list_keys_prints_it);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
