// Layouts, with figures that tmux 3.3a gave for the same steps.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "server/model/model.h"

void pane_resize(struct pane *p, unsigned cols, unsigned rows)
{
    p->cols = cols;
    p->rows = rows;
}

#define PANES 16
static struct window window;
static struct pane panes[PANES];
static unsigned n_panes;

static void begin(unsigned cols, unsigned rows)
{
    layout_free(&window);
    memset(&window, 0, sizeof window);
    memset(panes, 0, sizeof panes);
    TAILQ_INIT(&window.panes);
    window.cols = cols;
    window.rows = rows;
    for (unsigned i = 0; i < PANES; i++) {
        panes[i].id = i;
        panes[i].window = &window;
    }
    n_panes = 1;
    layout_init(&window, &panes[0]);
}

static bool split(unsigned at, enum layout_type type, int size, bool is_before, bool is_full)
{
    struct layout_cell *cell = layout_split(&panes[at], type, size, is_before, is_full);
    if (cell == NULL)
        return false;
    layout_assign(cell, &panes[n_panes++]);
    layout_apply(&window);
    return true;
}

static void expect(const char *dump)
{
    char *got = layout_dump(&window, NULL);
    ck_assert_str_eq(got, dump);
    free(got);
}

// Sizes and borders of every cell add up to its parent's.
static void check_cell(const struct layout_cell *c)
{
    const struct layout_cell *child;
    unsigned sum = 0, n = 0;
    if (c->type == LAYOUT_PANE) {
        ck_assert_ptr_nonnull(c->pane);
        ck_assert_ptr_eq(c->pane->cell, c);
        ck_assert_uint_eq(c->pane->cols, c->cols);
        ck_assert_uint_eq(c->pane->rows, c->rows);
        ck_assert_uint_eq(c->pane->x, c->x);
        ck_assert_uint_eq(c->pane->y, c->y);
        ck_assert_uint_ge(c->cols, 1);
        ck_assert_uint_ge(c->rows, 1);
        return;
    }
    TAILQ_FOREACH(child, &c->children, entry) {
        ck_assert_ptr_eq(child->parent, c);
        ck_assert_uint_eq(c->type == LAYOUT_LEFT_RIGHT ? child->rows : child->cols,
                          c->type == LAYOUT_LEFT_RIGHT ? c->rows : c->cols);
        sum += c->type == LAYOUT_LEFT_RIGHT ? child->cols : child->rows;
        n++;
        check_cell(child);
    }
    ck_assert_uint_ge(n, 2);
    ck_assert_uint_eq(sum + n - 1, c->type == LAYOUT_LEFT_RIGHT ? c->cols : c->rows);
}

static void begin_nested(void)
{
    begin(80, 24);
    ck_assert(split(0, LAYOUT_LEFT_RIGHT, -1, false, false));
    ck_assert(split(1, LAYOUT_TOP_BOTTOM, -1, false, false));
    ck_assert(split(0, LAYOUT_LEFT_RIGHT, 10, false, false));
    ck_assert(split(0, LAYOUT_LEFT_RIGHT, 20, false, true));
    ck_assert(split(1, LAYOUT_TOP_BOTTOM, 5, true, false));
}

START_TEST(splits_have_tmuxs_sizes_and_checksums)
{
    begin(80, 24);
    expect("b25d,80x24,0,0,0");
    split(0, LAYOUT_LEFT_RIGHT, -1, false, false);
    expect("8205,80x24,0,0{40x24,0,0,0,39x24,41,0,1}");
    split(1, LAYOUT_TOP_BOTTOM, -1, false, false);
    expect("d67e,80x24,0,0{40x24,0,0,0,39x24,41,0[39x12,41,0,1,39x11,41,13,2]}");
    split(0, LAYOUT_LEFT_RIGHT, 10, false, false);
    expect("bf40,80x24,0,0{29x24,0,0,0,10x24,30,0,3,39x24,41,0[39x12,41,0,1,39x11,41,13,2]}");
    split(0, LAYOUT_LEFT_RIGHT, 20, false, true);
    expect("7470,80x24,0,0{21x24,0,0,0,7x24,22,0,3,29x24,30,0[29x12,30,0,1,29x11,30,13,2],"
           "20x24,60,0,4}");
    split(1, LAYOUT_TOP_BOTTOM, 5, true, false);
    expect("ba05,80x24,0,0{21x24,0,0,0,7x24,22,0,3,29x24,30,0[29x5,30,0,5,29x6,30,6,1,"
           "29x11,30,13,2],20x24,60,0,4}");
    check_cell(window.layout);
}
END_TEST

START_TEST(resizing_a_pane_takes_from_its_neighbours)
{
    begin_nested();
    layout_resize_pane(&panes[1], LAYOUT_LEFT_RIGHT, 5);
    expect("af50,80x24,0,0{21x24,0,0,0,7x24,22,0,3,34x24,30,0[34x5,30,0,5,34x6,30,6,1,"
           "34x11,30,13,2],15x24,65,0,4}");
    layout_resize_pane(&panes[2], LAYOUT_TOP_BOTTOM, -3);
    expect("054f,80x24,0,0{21x24,0,0,0,7x24,22,0,3,34x24,30,0[34x5,30,0,5,34x3,30,6,1,"
           "34x14,30,10,2],15x24,65,0,4}");
    layout_resize_pane_to(&panes[0], LAYOUT_LEFT_RIGHT, 30);
    expect("e10f,80x24,0,0{30x24,0,0,0,1x24,31,0,3,31x24,33,0[31x5,33,0,5,31x3,33,6,1,"
           "31x14,33,10,2],15x24,65,0,4}");
    check_cell(window.layout);
}
END_TEST

START_TEST(a_resized_window_spreads_the_change_and_stops_at_the_least_sizes)
{
    begin_nested();
    layout_resize_pane(&panes[1], LAYOUT_LEFT_RIGHT, 5);
    layout_resize_pane(&panes[2], LAYOUT_TOP_BOTTOM, -3);
    layout_resize_pane_to(&panes[0], LAYOUT_LEFT_RIGHT, 30);
    layout_resize_window(&window, 120, 40);
    expect("305a,120x40,0,0{40x40,0,0,0,11x40,41,0,3,41x40,53,0[41x11,53,0,5,41x8,53,12,1,"
           "41x19,53,21,2],25x40,95,0,4}");
    layout_resize_window(&window, 50, 15);
    expect("523f,50x15,0,0{20x15,0,0,0,1x15,21,0,3,21x15,23,0[21x2,23,0,5,21x1,23,3,1,"
           "21x10,23,5,2],5x15,45,0,4}");
    layout_resize_window(&window, 8, 3);
    expect("b8db,8x5,0,0{1x5,0,0,0,1x5,2,0,3,2x5,4,0[2x1,4,0,5,2x1,4,2,1,2x1,4,4,2],1x5,7,0,4}");
    layout_resize_window(&window, 80, 24);
    expect("cadb,80x24,0,0{19x24,0,0,0,19x24,20,0,3,20x24,40,0[20x8,40,0,5,20x7,40,9,1,"
           "20x7,40,17,2],19x24,61,0,4}");
    check_cell(window.layout);
}
END_TEST

START_TEST(a_closed_pane_gives_its_room_to_the_one_before_or_after)
{
    begin_nested();
    layout_resize_pane(&panes[1], LAYOUT_LEFT_RIGHT, 5);
    layout_resize_window(&window, 8, 5);
    layout_resize_window(&window, 80, 24);
    layout_close(&panes[1]);
    check_cell(window.layout);
    layout_close(&panes[0]);
    check_cell(window.layout);
    layout_close(&panes[4]);
    check_cell(window.layout);
    layout_close(&panes[3]);
    check_cell(window.layout);
    layout_close(&panes[2]);
    expect("b262,80x24,0,0,5");
    layout_close(&panes[5]);
    ck_assert_ptr_null(window.layout);
}
END_TEST

START_TEST(a_full_split_beside_a_root_of_the_same_direction)
{
    begin(80, 24);
    split(0, LAYOUT_TOP_BOTTOM, -1, false, false);
    split(1, LAYOUT_TOP_BOTTOM, -1, false, false);
    expect("f369,80x24,0,0[80x12,0,0,0,80x5,0,13,1,80x5,0,19,2]");
    split(0, LAYOUT_TOP_BOTTOM, 6, false, true);
    expect("91d6,80x24,0,0[80x8,0,0,0,80x3,0,9,1,80x4,0,13,2,80x6,0,18,3]");
    split(0, LAYOUT_TOP_BOTTOM, 3, true, true);
    expect("51f9,80x24,0,0[80x3,0,0,4,80x6,0,4,0,80x2,0,11,1,80x3,0,14,2,80x6,0,18,3]");
    split(0, LAYOUT_LEFT_RIGHT, -1, false, true);
    expect("1e2a,80x24,0,0{40x24,0,0[40x3,0,0,4,40x6,0,4,0,40x2,0,11,1,40x3,0,14,2,40x6,0,18,3],"
           "39x24,41,0,5}");
    check_cell(window.layout);
}
END_TEST

START_TEST(a_pane_too_small_is_not_split)
{
    begin(2, 3);
    ck_assert(!split(0, LAYOUT_LEFT_RIGHT, -1, false, false));
    ck_assert(split(0, LAYOUT_TOP_BOTTOM, 100, false, false));
    ck_assert_uint_eq(panes[0].rows, 1);
    ck_assert_uint_eq(panes[1].rows, 1);
    ck_assert(!split(0, LAYOUT_TOP_BOTTOM, -1, false, true));
    begin(1, 1);
    ck_assert(!split(0, LAYOUT_TOP_BOTTOM, -1, false, false));
}
END_TEST

// Whatever is done, cells add up. The seed is fixed: a failure can be had again.
START_TEST(random_steps_keep_every_cell_consistent)
{
    unsigned seed = 1;
    for (int round = 0; round < 200; round++) {
        bool is_there[PANES] = {true};
        begin(20 + (unsigned)rand_r(&seed) % 100, 10 + (unsigned)rand_r(&seed) % 40);
        for (int step = 0; step < 60; step++) {
            unsigned at = (unsigned)rand_r(&seed) % n_panes;
            enum layout_type type = rand_r(&seed) % 2 ? LAYOUT_LEFT_RIGHT : LAYOUT_TOP_BOTTOM;
            int amount = (int)((unsigned)rand_r(&seed) % 30) - 15;
            if (!is_there[at])
                continue;
            switch (rand_r(&seed) % 5) {
            case 0:
                if (n_panes < PANES &&
                    split(at, type, amount, rand_r(&seed) % 2, rand_r(&seed) % 4 == 0))
                    is_there[n_panes - 1] = true;
                break;
            case 1:
                if (window.layout->type == LAYOUT_PANE)
                    break;
                layout_close(&panes[at]);
                is_there[at] = false;
                break;
            case 2:
                layout_resize_pane(&panes[at], type, amount);
                break;
            case 3:
                layout_resize_pane_to(&panes[at], type, (unsigned)amount);
                break;
            default:
                layout_resize_window(&window, 1 + (unsigned)rand_r(&seed) % 150,
                                     1 + (unsigned)rand_r(&seed) % 60);
                break;
            }
            check_cell(window.layout);
        }
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("layout");
    TCase *t = tcase_create("layout");
    tcase_add_test(t, splits_have_tmuxs_sizes_and_checksums);
    tcase_add_test(t, resizing_a_pane_takes_from_its_neighbours);
    tcase_add_test(t, a_resized_window_spreads_the_change_and_stops_at_the_least_sizes);
    tcase_add_test(t, a_closed_pane_gives_its_room_to_the_one_before_or_after);
    tcase_add_test(t, a_full_split_beside_a_root_of_the_same_direction);
    tcase_add_test(t, a_pane_too_small_is_not_split);
    tcase_add_test(t, random_steps_keep_every_cell_consistent);
    suite_add_tcase(s, t);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
