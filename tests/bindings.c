// Key tables, and that every default key is a key and runs commands that exist.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "server/command/language.h"
#include "tests/parse_outside.h"

static struct command_list *list_of(const char *text)
{
    char *cause = NULL;
    struct command_list *l = command_parse_text(text, NULL, &cause);
    ck_assert_msg(l != NULL, "%s: %s", text, cause);
    return l;
}

static void bind_text(const char *table, const char *key, const char *text)
{
    struct command_list *l = list_of(text);
    key_table_bind(table, key_from_name(key), NULL, false, l);
    command_list_unref(l);
}

static void check_bound(const char *table, const char *key, const char *wanted)
{
    const struct key_table *t = key_table_get(table, false);
    ck_assert_msg(t != NULL, "no table %s", table);
    const struct binding *b = key_table_find(t, key_from_name(key));
    ck_assert_msg(b != NULL, "%s is not bound in %s", key, table);
    char *text = command_list_to_text(b->list, false);
    ck_assert_str_eq(text, wanted);
    free(text);
}

START_TEST(every_default_key_parses_and_none_is_given_twice)
{
    for (const struct default_key *d = default_keys; d->table != NULL; d++) {
        key_code key = key_from_name(d->key);
        ck_assert_msg(key != KEY_UNKNOWN, "%s", d->key);
        command_list_unref(list_of(d->command));
        ck_assert_msg(d->note != NULL || strcmp(d->table, "prefix") != 0, "%s has no note", d->key);
        for (const struct default_key *e = default_keys; e != d; e++)
            ck_assert_msg(strcmp(e->table, d->table) != 0 || key_from_name(e->key) != key, "%s %s twice", d->table,
                          d->key);
    }
}
END_TEST

START_TEST(the_default_keys_are_tmuxs)
{
    bindings_init();
    check_bound("prefix", "%", "split-window -h");
    check_bound("prefix", "\"", "split-window");
    check_bound("prefix", ";", "last-pane");
    check_bound("prefix", "x", "confirm-before -p \"kill-pane #P? (y/n)\" kill-pane");
    check_bound("prefix", "$", "command-prompt -I \"#S\" { rename-session \"%%\" }");
    check_bound("prefix", "M-Up", "resize-pane -U 5");
    check_bound("root", "WheelUpPane",
                "if-shell -F \"#{||:#{pane_in_mode},#{mouse_any_flag}}\" { send-keys -M } { copy-mode -e }");
    check_bound("copy-mode", "M-{", "send-keys -X previous-paragraph");
    check_bound("copy-mode-vi", "1", "command-prompt -N -I 1 -p (repeat) { send-keys -N \"%%\" }");
    const struct binding *b = key_table_find(key_table_get("prefix", false), key_from_name("Up"));
    ck_assert(b->repeats);
    b = key_table_find(key_table_get("prefix", false), key_from_name("c"));
    ck_assert(!b->repeats);
    ck_assert_str_eq(b->note, "Make a window");
}
END_TEST

START_TEST(a_binding_is_replaced_and_removed)
{
    bind_text("mine", "a", "new-window");
    bind_text("mine", "C-a", "new-session");
    bind_text("mine", "a", "kill-pane");
    check_bound("mine", "a", "kill-pane");
    check_bound("mine", "C-a", "new-session");
    ck_assert_uint_eq(key_table_get("mine", false)->n, 2);
    ck_assert(key_table_unbind("mine", key_from_name("a")));
    ck_assert(!key_table_unbind("mine", key_from_name("a")));
    ck_assert(!key_table_unbind("nowhere", key_from_name("a")));
    ck_assert(key_table_unbind("mine", key_from_name("C-a")));
    ck_assert_ptr_null(key_table_get("mine", false));
}
END_TEST

START_TEST(tables_come_in_the_order_of_their_names)
{
    bind_text("b", "a", "new-window");
    bind_text("a", "a", "new-window");
    bind_text("c", "a", "new-window");
    const struct key_table *t = key_table_next(NULL);
    ck_assert_str_eq(t->name, "a");
    t = key_table_next(t);
    ck_assert_str_eq(t->name, "b");
    t = key_table_next(t);
    ck_assert_str_eq(t->name, "c");
    ck_assert_ptr_null(key_table_next(t));
}
END_TEST

START_TEST(a_table_that_a_client_is_in_stays_when_it_is_emptied)
{
    bind_text("held", "a", "new-window");
    struct key_table *t = key_table_get("held", false);
    t->refs++;
    key_table_unbind_all("held");
    ck_assert_ptr_eq(key_table_get("held", false), t);
    bind_text("held", "b", "kill-pane");
    ck_assert_ptr_nonnull(key_table_find(t, key_from_name("b")));
    key_table_unref(t);
    key_table_unbind_all("held");
    ck_assert_ptr_null(key_table_get("held", false));
}
END_TEST

START_TEST(a_key_may_be_bound_to_nothing)
{
    key_table_bind("mine", key_from_name("a"), "note", true, NULL);
    check_bound("mine", "a", "");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bindings");
    TCase *t = tcase_create("bindings");
    tcase_add_test(t, every_default_key_parses_and_none_is_given_twice);
    tcase_add_test(t, the_default_keys_are_tmuxs);
    tcase_add_test(t, a_binding_is_replaced_and_removed);
    tcase_add_test(t, tables_come_in_the_order_of_their_names);
    tcase_add_test(t, a_table_that_a_client_is_in_stays_when_it_is_emptied);
    tcase_add_test(t, a_key_may_be_bound_to_nothing);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
