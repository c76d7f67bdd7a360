// Sessions and groups: indexes, the current window and the ones before it, ends.
#include <check.h>
#include <string.h>

#include "tests/model_outside.h"

static struct winlink *add(struct session *s, int index)
{
    char *cause = NULL;
    struct winlink *wl = session_attach_window(s, outside_window(), index, &cause);
    ck_assert_msg(wl != NULL, "%s", cause);
    return wl;
}

static void expect_indexes(struct session *s, const char *expected)
{
    struct strbuf b = {0};
    struct winlink *wl;
    strbuf_add_str(&b, "");
    TAILQ_FOREACH(wl, &s->winlinks, entry)
        strbuf_addf(&b, "%s%d%s", b.len == 0 ? "" : " ", wl->index, wl == s->current ? "*" : "");
    ck_assert_str_eq(b.data, expected);
    strbuf_free(&b);
}

START_TEST(names_that_targets_would_misread_are_changed)
{
    bool was_changed;
    char *name = session_check_name("app_3.1:9", &was_changed);
    ck_assert_str_eq(name, "app_3_1_9");
    ck_assert(was_changed);
    free(name);
    name = session_check_name("plain", &was_changed);
    ck_assert_str_eq(name, "plain");
    ck_assert(!was_changed);
    free(name);
    name = session_check_name("a\n\033[31mb", &was_changed);
    ck_assert(was_changed);
    ck_assert_ptr_null(strpbrk(name, "\n\033"));
    free(name);
    ck_assert_ptr_null(session_check_name("", &was_changed));
}
END_TEST

START_TEST(a_session_without_a_name_gets_a_number_that_is_free)
{
    struct session *first = session_new(NULL, "/", NULL, NULL);
    char *next = xasprintf("%u", first->id + 1);
    session_rename(first, next);
    struct session *second = session_new(NULL, "/", NULL, NULL);
    ck_assert_str_ne(second->name, next);
    ck_assert_ptr_eq(session_by_name(second->name), second);
    free(next);
}
END_TEST

START_TEST(windows_take_the_first_free_index_from_base_index)
{
    struct session *s = session_new("s", "/", NULL, NULL);
    options_set_number(s->options, "base-index", 1);
    add(s, -1);
    add(s, -1);
    add(s, 5);
    add(s, -1);
    expect_indexes(s, "1* 2 3 5");
    char *cause = NULL;
    struct window *w = outside_window();
    ck_assert_ptr_null(session_attach_window(s, w, 5, &cause));
    ck_assert_str_eq(cause, "index in use: 5");
    free(cause);
}
END_TEST

START_TEST(room_is_made_by_moving_up_only_those_that_stand_in_the_way)
{
    struct session *s = session_new("s", "/", NULL, NULL);
    add(s, 0);
    struct winlink *one = add(s, 1);
    add(s, 2);
    add(s, 7);
    ck_assert_int_eq(session_shuffle_up(s, one, true), 1);
    expect_indexes(s, "0* 2 3 7");
    ck_assert_int_eq(session_shuffle_up(s, one, false), 3);
    expect_indexes(s, "0* 2 4 7");
}
END_TEST

START_TEST(the_window_before_comes_back_when_the_current_one_goes)
{
    struct session *s = session_new("s", "/", NULL, NULL);
    struct winlink *a = add(s, 0), *b = add(s, 1), *c = add(s, 2);
    session_set_current(s, c);
    session_set_current(s, b);
    ck_assert(session_last(s));
    ck_assert_ptr_eq(s->current, c);
    session_detach_window(s, c);
    ck_assert_ptr_eq(s->current, b);
    session_detach_window(s, b);
    ck_assert_ptr_eq(s->current, a);
    ck_assert(!session_last(s));
    ck_assert_uint_eq(outside_panes_ended, 2);
}
END_TEST

START_TEST(next_and_previous_go_round_and_can_look_for_alerts)
{
    struct session *s = session_new("s", "/", NULL, NULL);
    add(s, 0);
    add(s, 3);
    struct winlink *last = add(s, 9);
    ck_assert(session_previous(s, false));
    expect_indexes(s, "0 3 9*");
    ck_assert(session_next(s, false));
    expect_indexes(s, "0* 3 9");
    ck_assert(!session_next(s, true));
    last->alerts = ALERT_BELL;
    ck_assert(session_next(s, true));
    expect_indexes(s, "0 3 9*");
}
END_TEST

START_TEST(renumber_windows_closes_the_gap)
{
    struct session *s = session_new("s", "/", NULL, NULL);
    options_set_number(s->options, "renumber-windows", 1);
    add(s, 0);
    struct winlink *b = add(s, 1);
    add(s, 2);
    session_detach_window(s, b);
    expect_indexes(s, "0* 1");
}
END_TEST

START_TEST(a_session_goes_with_its_last_window_and_its_clients_are_told)
{
    struct session *s = session_new("s", "/", NULL, NULL);
    session_detach_window(s, add(s, 0));
    ck_assert_ptr_null(session_by_name("s"));
    ck_assert_uint_eq(outside_left, 1);
    ck_assert_ptr_null(outside_left_to);
    ck_assert_uint_ge(outside_empty_checks, 1);
    ck_assert(TAILQ_EMPTY(&all_windows));
}
END_TEST

START_TEST(detach_on_destroy_says_where_clients_go)
{
    struct session *a = session_new("a", "/", NULL, NULL), *b = session_new("b", "/", NULL, NULL),
                   *c = session_new("c", "/", NULL, NULL), *d = session_new("d", "/", NULL, NULL);
    char *cause = NULL;
    a->activity_us = 10;
    c->activity_us = 5;
    d->activity_us = 1;
    a->n_attached = 1;
    ck_assert(options_set_text(b->options, "detach-on-destroy", "next", 0, &cause));
    session_destroy(b);
    ck_assert_ptr_eq(outside_left_to, c);
    ck_assert(options_set_text(c->options, "detach-on-destroy", "off", 0, &cause));
    session_destroy(c);
    ck_assert_ptr_eq(outside_left_to, a);
    c = session_new("c", "/", NULL, NULL);
    ck_assert(options_set_text(c->options, "detach-on-destroy", "no-detached", 0, &cause));
    session_destroy(c);
    ck_assert_ptr_eq(outside_left_to, d);
    session_destroy(d);
    ck_assert_ptr_null(outside_left_to);
}
END_TEST

START_TEST(a_window_linked_twice_lives_until_its_last_link_goes)
{
    struct session *s = session_new("s", "/", NULL, NULL), *t = session_new("t", "/", NULL, NULL);
    struct winlink *in_s = add(s, 4);
    struct window *w = in_s->window;
    add(t, 0);
    ck_assert_ptr_nonnull(session_attach_window(t, w, 7, NULL));
    session_destroy(s);
    ck_assert_ptr_eq(window_by_id(w->id), w);
    ck_assert_uint_eq(outside_panes_ended, 0);
    session_detach_window(t, winlink_by_window(t, w));
    ck_assert_uint_eq(outside_panes_ended, 1);
    expect_indexes(t, "0*");
}
END_TEST

START_TEST(a_group_shares_windows_and_each_session_has_its_own_current_one)
{
    struct session *s = session_new("s", "/", NULL, NULL), *t = session_new("t", "/", NULL, NULL);
    add(s, 0);
    struct session_group *g = session_group_new("g");
    session_group_add(g, s);
    session_group_add(g, t);
    session_group_sync(s);
    expect_indexes(t, "0*");
    struct winlink *second = add(t, 3);
    session_set_current(t, second);
    expect_indexes(s, "0* 3");
    expect_indexes(t, "0 3*");
    session_detach_window(s, winlink_by_index(s, 3));
    expect_indexes(s, "0*");
    expect_indexes(t, "0*");
    session_detach_window(t, t->current); // the last one: both go, and the group
    ck_assert(TAILQ_EMPTY(&all_sessions));
    ck_assert_ptr_null(session_group_find("g"));
}
END_TEST

START_TEST(a_killed_window_leaves_every_session)
{
    struct session *s = session_new("s", "/", NULL, NULL), *t = session_new("t", "/", NULL, NULL);
    struct winlink *wl = add(s, 0);
    add(s, 1);
    ck_assert_ptr_nonnull(session_attach_window(t, wl->window, 0, NULL));
    window_kill(wl->window);
    expect_indexes(s, "1*");
    ck_assert_ptr_null(session_by_name("t"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("session");
    TCase *t = tcase_create("session");
    tcase_add_checked_fixture(t, outside_begin, outside_end);
    tcase_add_test(t, names_that_targets_would_misread_are_changed);
    tcase_add_test(t, a_session_without_a_name_gets_a_number_that_is_free);
    tcase_add_test(t, windows_take_the_first_free_index_from_base_index);
    tcase_add_test(t, room_is_made_by_moving_up_only_those_that_stand_in_the_way);
    tcase_add_test(t, the_window_before_comes_back_when_the_current_one_goes);
    tcase_add_test(t, next_and_previous_go_round_and_can_look_for_alerts);
    tcase_add_test(t, renumber_windows_closes_the_gap);
    tcase_add_test(t, a_session_goes_with_its_last_window_and_its_clients_are_told);
    tcase_add_test(t, detach_on_destroy_says_where_clients_go);
    tcase_add_test(t, a_window_linked_twice_lives_until_its_last_link_goes);
    tcase_add_test(t, a_group_shares_windows_and_each_session_has_its_own_current_one);
    tcase_add_test(t, a_killed_window_leaves_every_session);
    suite_add_tcase(s, t);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
