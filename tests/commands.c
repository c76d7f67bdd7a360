// The command table: its order, its flags strings, and how a command is found.
#include <check.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/commands.h"

START_TEST(the_table_is_sorted_by_name_and_has_no_name_or_alias_twice)
{
    for (size_t i = 1; i < N_COMMANDS; i++)
        ck_assert_msg(strcmp(command_specs[i - 1].name, command_specs[i].name) < 0, "%s, %s",
                      command_specs[i - 1].name, command_specs[i].name);
    for (size_t i = 0; i < N_COMMANDS; i++) {
        const char *alias = command_specs[i].alias;
        for (size_t j = 0; *alias != '\0' && j < N_COMMANDS; j++) {
            ck_assert_msg(strcmp(command_specs[j].name, alias) != 0, "%s", alias);
            ck_assert_msg(i == j || strcmp(command_specs[j].alias, alias) != 0, "%s", alias);
        }
    }
}
END_TEST

START_TEST(every_flags_string_is_well_formed_and_agrees_with_the_usage)
{
    for (size_t i = 0; i < N_COMMANDS; i++) {
        const struct command_spec *spec = &command_specs[i];
        for (const char *s = spec->flags; *s != '\0'; s++) {
            if (*s == ':') {
                ck_assert_msg(s != spec->flags && s[-1] != ':', "%s: stray colon", spec->name);
                continue;
            }
            ck_assert_msg(isalnum((unsigned char)*s), "%s: flag '%c'", spec->name, *s);
            ck_assert_msg(strchr(s + 1, *s) == NULL, "%s: -%c twice", spec->name, *s);
            // A flag that takes a value stands in the usage as "[-x what".
            if (s[1] == ':' && spec->usage[0] != '\0') {
                char wanted[] = {'-', *s, ' ', '\0'};
                bool is_old = (*s == 'P' && strcmp(spec->id, "SELECT_PANE") == 0) ||
                              (*s == 'p' && strcmp(spec->id, "SPLIT_WINDOW") == 0);
                ck_assert_msg(is_old || strstr(spec->usage, wanted) != NULL, "%s: -%c has a value", spec->name,
                              *s);
            }
        }
        ck_assert_int_ge(spec->args_min, 0);
        ck_assert(spec->args_max == -1 || spec->args_max >= spec->args_min);
        ck_assert_msg(*spec->help != '\0' && spec->help[strlen(spec->help) - 1] != '.', "%s", spec->name);
        if (spec->target != TARGET_NONE)
            ck_assert_msg(strstr(spec->flags, "t:") != NULL, "%s has a target but no -t", spec->name);
    }
}
END_TEST

START_TEST(a_command_is_found_by_name_alias_and_unique_prefix)
{
    char *cause = NULL;
    ck_assert_str_eq(command_spec_find("new-session", &cause)->id, "NEW_SESSION");
    ck_assert_str_eq(command_spec_find("new", &cause)->id, "NEW_SESSION");
    ck_assert_str_eq(command_spec_find("kill-se", NULL) == NULL ? "" : "found", "");
    ck_assert_str_eq(command_spec_find("kill-ser", &cause)->id, "KILL_SERVER");
    ck_assert_ptr_null(cause);
    for (size_t i = 0; i < N_COMMANDS; i++)
        ck_assert_ptr_eq(command_spec_find(command_specs[i].name, &cause), &command_specs[i]);
}
END_TEST

START_TEST(an_unknown_or_ambiguous_name_is_said_with_its_candidates)
{
    char *cause = NULL;
    ck_assert_ptr_null(command_spec_find("frobnicate", &cause));
    ck_assert_str_eq(cause, "unknown command: frobnicate");
    free(cause);
    ck_assert_ptr_null(command_spec_find("kill-s", &cause));
    ck_assert_str_eq(cause, "ambiguous command: kill-s, could be: kill-server, kill-session");
    free(cause);
    ck_assert_ptr_null(command_spec_find("\033[2J", &cause));
    ck_assert_ptr_null(strchr(cause, '\033'));
    free(cause);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("commands");
    TCase *t = tcase_create("commands");
    tcase_add_test(t, the_table_is_sorted_by_name_and_has_no_name_or_alias_twice);
    tcase_add_test(t, every_flags_string_is_well_formed_and_agrees_with_the_usage);
    tcase_add_test(t, a_command_is_found_by_name_alias_and_unique_prefix);
    tcase_add_test(t, an_unknown_or_ambiguous_name_is_said_with_its_candidates);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
