// Windows: the active pane and the ones before it, zoom, neighbours.
#include <check.h>

#include "tests/model_outside.h"

static struct window *w;
static struct pane *p[4]; // 0 left, 1 right top, 2 right middle, 3 right bottom

static struct pane *split(struct pane *at, enum layout_type type)
{
    struct layout_cell *cell = layout_split(at, type, -1, false, false);
    ck_assert_ptr_nonnull(cell);
    struct pane *made = outside_pane(w);
    layout_assign(cell, made);
    layout_apply(w);
    return made;
}

static void setup(void)
{
    outside_begin();
    w = outside_window();
    p[0] = TAILQ_FIRST(&w->panes);
    p[1] = split(p[0], LAYOUT_LEFT_RIGHT);
    p[2] = split(p[1], LAYOUT_TOP_BOTTOM);
    p[3] = split(p[2], LAYOUT_TOP_BOTTOM);
}

START_TEST(the_panes_active_before_are_kept_most_recent_first)
{
    ck_assert(window_set_active(w, p[1]));
    ck_assert(window_set_active(w, p[3]));
    ck_assert(!window_set_active(w, p[3]));
    ck_assert_ptr_eq(TAILQ_FIRST(&w->last_panes), p[1]);
    ck_assert(window_set_active(w, p[1]));
    ck_assert_ptr_eq(TAILQ_FIRST(&w->last_panes), p[3]);
    ck_assert_ptr_eq(TAILQ_NEXT(p[3], in_last), p[0]);
    ck_assert_ptr_null(TAILQ_NEXT(p[0], in_last));
}
END_TEST

START_TEST(indexes_count_in_layout_order)
{
    for (unsigned i = 0; i < ARRAY_LEN(p); i++) {
        ck_assert_ptr_eq(window_pane_at_index(w, i), p[i]);
        ck_assert_uint_eq(window_pane_index(w, p[i]), i);
    }
    ck_assert_ptr_null(window_pane_at_index(w, 4));
    ck_assert_uint_eq(window_count_panes(w), 4);
}
END_TEST

START_TEST(zoom_gives_a_pane_the_window_and_unzoom_puts_all_back)
{
    char *before = layout_dump(w, NULL);
    window_zoom(w, p[2]);
    ck_assert(w->is_zoomed);
    ck_assert_ptr_eq(w->active, p[2]);
    ck_assert_uint_eq(p[2]->cols, 80);
    ck_assert_uint_eq(p[2]->rows, 24);
    window_unzoom(w);
    char *after = layout_dump(w, NULL);
    ck_assert_str_eq(after, before);
    for (unsigned i = 0; i < ARRAY_LEN(p); i++)
        ck_assert_ptr_eq(p[i]->cell->pane, p[i]);
    free(before);
    free(after);
}
END_TEST

START_TEST(a_window_resized_while_zoomed_fits_again_when_unzoomed)
{
    window_zoom(w, p[0]);
    window_resize(w, 120, 40);
    ck_assert_uint_eq(p[0]->cols, 120);
    window_unzoom(w);
    ck_assert_uint_eq(p[0]->cols + 1 + p[1]->cols, 120);
    ck_assert_uint_eq(p[1]->rows + p[2]->rows + p[3]->rows + 2, 40);
}
END_TEST

START_TEST(going_to_another_pane_or_closing_one_ends_the_zoom)
{
    window_zoom(w, p[0]);
    window_set_active(w, p[1]);
    ck_assert(!w->is_zoomed);
    window_zoom(w, p[0]);
    pane_end(p[3]);
    ck_assert(!w->is_zoomed);
    ck_assert_uint_eq(window_count_panes(w), 3);
    ck_assert_uint_eq(p[1]->rows + 1 + p[2]->rows, 24);
}
END_TEST

START_TEST(a_window_with_one_pane_is_not_zoomed)
{
    struct window *one = outside_window();
    window_zoom(one, one->active);
    ck_assert(!one->is_zoomed);
}
END_TEST

START_TEST(neighbours_prefer_the_one_used_last_and_go_round)
{
    ck_assert_ptr_eq(window_find_pane(w, p[0], TO_RIGHT), p[1]);
    window_set_active(w, p[2]);
    window_set_active(w, p[0]);
    ck_assert_ptr_eq(window_find_pane(w, p[0], TO_RIGHT), p[2]);
    ck_assert_ptr_eq(window_find_pane(w, p[0], TO_LEFT), p[2]);
    ck_assert_ptr_eq(window_find_pane(w, p[1], TO_DOWN), p[2]);
    ck_assert_ptr_eq(window_find_pane(w, p[1], TO_UP), p[3]);
    ck_assert_ptr_eq(window_find_pane(w, p[3], TO_DOWN), p[1]);
    ck_assert_ptr_null(window_find_pane(w, p[0], TO_UP));
}
END_TEST

START_TEST(names_lose_control_characters)
{
    window_set_name(w, "a\033]0;x\007b");
    for (const char *s = w->name; *s != '\0'; s++)
        ck_assert_int_ge(*s, ' ');
}
END_TEST

START_TEST(sizes_stay_in_bounds)
{
    window_resize(w, 0, 0);
    ck_assert_uint_eq(w->cols, 1);
    ck_assert_uint_eq(w->rows, 1);
    window_resize(w, 1u << 30, 1u << 30);
    ck_assert_uint_le(w->cols, 10000);
    ck_assert_uint_le(w->rows, 10000);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("window");
    TCase *t = tcase_create("window");
    tcase_add_checked_fixture(t, setup, outside_end);
    tcase_add_test(t, the_panes_active_before_are_kept_most_recent_first);
    tcase_add_test(t, indexes_count_in_layout_order);
    tcase_add_test(t, zoom_gives_a_pane_the_window_and_unzoom_puts_all_back);
    tcase_add_test(t, a_window_resized_while_zoomed_fits_again_when_unzoomed);
    tcase_add_test(t, going_to_another_pane_or_closing_one_ends_the_zoom);
    tcase_add_test(t, a_window_with_one_pane_is_not_zoomed);
    tcase_add_test(t, neighbours_prefer_the_one_used_last_and_go_round);
    tcase_add_test(t, names_lose_control_characters);
    tcase_add_test(t, sizes_stay_in_bounds);
    suite_add_tcase(s, t);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
