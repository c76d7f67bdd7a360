// Rows, history and sizes.
#include "server/grid/grid.h"
#include "server/vt/state.h"
#include "tests/vt_helper.h"

static void print_lines(struct term *t, unsigned from, unsigned to)
{
    struct strbuf in = {0};

    for (unsigned i = from; i <= to; i++)
        strbuf_addf(&in, "%u\r\n", i);
    vt_feed(t->vt, in.data, in.len);
    strbuf_free(&in);
}

START_TEST(a_row_keeps_its_identity_when_it_scrolls_into_history)
{
    struct term *t = term_new(4, 20);
    struct row_tag before, after;
    struct view v;

    term_feed(t, "one\r\ntwo\r\nthree\r\nfour");
    vt_view(t->vt, &v);
    before = v.ops->tag(&v, 1);
    term_feed(t, "\r\nfive");
    vt_view(t->vt, &v);
    after = v.ops->tag(&v, 0);
    ck_assert(before.id == after.id && before.gen == after.gen);
    term_feed(t, "\r\nsix");
    after = vt_row_tag(t->vt, 1);
    ck_assert(before.id == after.id && before.gen == after.gen);
    ck_assert_str_eq(term_history(t), "one\ntwo");
    term_free(t);
}
END_TEST

START_TEST(what_changes_a_row_changes_its_tag)
{
    static const char *const changes[] = {"x",
                                          "\033[K",
                                          "\033[P",
                                          "\033[@",
                                          "\033[X",
                                          "\033[1K",
                                          "\033[2J",
                                          "\033#8",
                                          "\033[L",
                                          "\033]133;A\007",
                                          "\033[41m\033[K",
                                          "\314\201",
                                          "\033]4;1;#123\007",
                                          "\033c"};

    for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
        struct term *t = term_new(4, 20);
        struct row_tag before, after;
        uint64_t count;

        term_feed(t, "\033[2;1Hhello");
        before = vt_row_tag(t->vt, 1);
        count = vt_change_count(t->vt);
        term_feed(t, changes[i]);
        after = vt_row_tag(t->vt, vt_history_rows(t->vt) + 1);
        if ((before.id == after.id && before.gen == after.gen) || count == vt_change_count(t->vt))
            ck_abort_msg("case %zu", i);
        term_free(t);
    }
}
END_TEST

START_TEST(history_is_bounded_in_rows_and_bytes)
{
    struct vt_limits limits = {100, 1u << 20};
    struct term *t = term_new(4, 20);

    vt_set_history(t->vt, &limits);
    print_lines(t, 1, 1000);
    ck_assert_uint_eq(vt_history_rows(t->vt), 100);
    ck_assert_uint_eq(vt_history_dropped(t->vt), 1000 - 3 - 100);
    ck_assert_int_eq(strncmp(term_history(t), "898\n899\n", 8), 0);
    limits = (struct vt_limits){1000000, 200000};
    vt_set_history(t->vt, &limits);
    print_lines(t, 1, 50000);
    ck_assert_uint_le(vt_history_bytes(t->vt), 200000 + 70000);
    ck_assert_uint_gt(vt_history_rows(t->vt), 1000);
    vt_clear_history(t->vt);
    ck_assert_uint_eq(vt_history_rows(t->vt), 0);
    ck_assert_uint_eq(vt_history_bytes(t->vt), 0);
    limits.history_rows = 0;
    vt_set_history(t->vt, &limits);
    print_lines(t, 1, 100);
    ck_assert_uint_eq(vt_history_rows(t->vt), 0);
    term_free(t);
}
END_TEST

START_TEST(a_plain_line_of_80_costs_at_most_120_bytes)
{
    struct vt_limits limits = {100000, 64u << 20};
    struct term *t = term_new(24, 80);

    vt_set_history(t->vt, &limits);
    for (unsigned i = 0; i < 20000; i++)
        term_feed(t,
                  "01234567890123456789012345678901234567890123456789012345678901234567890123456789"
                  "\r\n");
    ck_assert_uint_le(vt_history_bytes(t->vt) / vt_history_rows(t->vt), 120);
    term_free(t);
}
END_TEST

START_TEST(long_lines_are_laid_out_anew_in_history_and_screen)
{
    struct term *t = term_new(3, 10);
    char *all;

    term_feed(t, "0123456789abcdefghijABCDEF\r\nshort\r\n0123456789xyz\r\nend");
    ck_assert_str_eq(term_history(t), "0123456789\nabcdefghij\nABCDEF\nshort");
    vt_resize(t->vt, 13, 3);
    all = term_lines(t, 0, vt_history_rows(t->vt) + 3);
    ck_assert_str_eq(all, "0123456789abc\ndefghijABCDEF\nshort\n0123456789xyz\nend");
    free(all);
    vt_resize(t->vt, 40, 3);
    all = term_lines(t, 0, vt_history_rows(t->vt) + 3);
    ck_assert_str_eq(all, "0123456789abcdefghijABCDEF\nshort\n0123456789xyz\nend");
    free(all);
    vt_resize(t->vt, 5, 3);
    vt_resize(t->vt, 10, 3);
    all = term_lines(t, 0, vt_history_rows(t->vt) + 3);
    ck_assert_str_eq(all, "0123456789\nabcdefghij\nABCDEF\nshort\n0123456789\nxyz\nend");
    free(all);
    term_assert_cursor(t, 3, 4);
    term_free(t);
}
END_TEST

// A long history is laid out in steps: nothing is lost or doubled on the way, whenever it is read.
START_TEST(long_history_takes_a_new_width_in_steps)
{
    struct vt_limits limits = {20000, 16u << 20};
    struct term *t = term_new(4, 40);
    struct strbuf in = {0}, out = {0};

    vt_set_history(t->vt, &limits);
    for (unsigned i = 0; i < 8000; i++)
        strbuf_addf(&in, "%05u %50s\r\n", i, "x");
    vt_feed(t->vt, in.data, in.len);
    vt_resize(t->vt, 20, 4);
    vt_resize(t->vt, 70, 4);
    ck_assert(vt_needs_reflow(t->vt));
    for (unsigned round = 0; round < 2; round++) {
        char *p;

        strbuf_clear(&out);
        vt_capture(t->vt, 0, UINT32_MAX, VT_CAPTURE_JOIN, &out);
        p = out.data;
        for (unsigned i = 0; i < 8000; i++) {
            if ((unsigned)strtoul(p, &p, 10) != i)
                ck_abort_msg("line %u", i);
            p = strchr(p, '\n') + 1;
        }
        while (vt_needs_reflow(t->vt))
            vt_reflow_step(t->vt, 0);
    }
    ck_assert_uint_eq(vt_history_rows(t->vt) + 3, 8000);
    strbuf_free(&in);
    strbuf_free(&out);
    term_free(t);
}
END_TEST

START_TEST(styles_and_wide_characters_survive_reflow_of_history)
{
    struct term *t = term_new(2, 9);
    struct strbuf out = {0};

    term_feed(
        t, "\033[31mabc\346\251\213\346\251\213\346\251\213d\033[0m\r\n\033]8;;http://x\033\\link"
           "\033]8;;\033\\ and more\r\n\r\n\r\n");
    vt_resize(t->vt, 6, 2);
    vt_resize(t->vt, 30, 2);
    vt_capture(t->vt, 0, 1, VT_CAPTURE_STYLES, &out);
    ck_assert_str_eq(out.data, "\033[31mabc\346\251\213\346\251\213\346\251\213d\n"
                               "\033]8;;http://x\033\\\033[0mlink\033]8;;\033\\ and more\n");
    strbuf_free(&out);
    term_free(t);
}
END_TEST

START_TEST(height_takes_blank_rows_first_then_the_top)
{
    struct term *t = term_new(6, 10);

    term_feed(t, "1\r\n2\r\n3");
    vt_resize(t->vt, 10, 4);
    ck_assert_uint_eq(vt_history_rows(t->vt), 0);
    ck_assert_str_eq(term_screen(t), "1\n2\n3");
    vt_resize(t->vt, 10, 2);
    ck_assert_str_eq(term_history(t), "1");
    term_assert_cursor(t, 2, 2);
    vt_resize(t->vt, 10, 6);
    ck_assert_uint_eq(vt_history_rows(t->vt), 0);
    ck_assert_str_eq(term_screen(t), "1\n2\n3");
    term_assert_cursor(t, 3, 2);
    term_free(t);
}
END_TEST

START_TEST(style_table_is_swept_when_it_fills)
{
    struct term *t = term_new(10, 40);
    struct strbuf in = {0}, out = {0};

    term_feed(t, "\033[38;2;9;8;7mkept");
    for (unsigned i = 0; i < 50000; i++) {
        strbuf_clear(&in);
        strbuf_addf(&in, "\033[2;1H\033[38;2;%u;%u;%um\033]8;;http://x/%u\033\\X\033]8;;\033\\",
                    i & 255, i >> 8, 77u, i / 10);
        vt_feed(t->vt, in.data, in.len);
    }
    vt_capture(t->vt, 0, 1, VT_CAPTURE_STYLES, &out);
    ck_assert_str_eq(out.data, "\033[38;2;9;8;7mkept\n\033]8;;http://x/4999\033\\"
                               "\033[38;2;79;195;77mX\033]8;;\033\\\n");
    strbuf_free(&in);
    strbuf_free(&out);
    term_free(t);
}
END_TEST

START_TEST(clusters_are_swept_when_their_table_fills)
{
    struct term *t = term_new(3, 40);

    term_feed(t, "e\314\201\r\n");
    for (unsigned i = 0; i < 20000; i++) {
        char text[32];

        snprintf(text, sizeof text, "\r%c\xCC%c\xCC%c", 'a' + (int)(i % 26),
                 0x80 + (int)(i / 26 % 40), 0x80 + (int)(i / 1040 % 40));
        term_feed(t, text);
    }
    ck_assert_int_eq(strncmp(term_screen(t), "e\314\201\n", 4), 0);
    term_check(t);
    term_free(t);
}
END_TEST

START_TEST(a_screen_full_of_links_does_not_make_tables_grow)
{
    struct term *t = term_new(50, 200);

    // More cells than there may be links: from 4096 on, new ones are refused while those are shown.
    for (unsigned i = 0; i < 30000; i++) {
        char text[64];

        snprintf(text, sizeof text, "\033]8;;http://x/%u\007x", i);
        term_feed(t, text);
    }
    ck_assert_uint_le(t->vt->grid.styles.limit, 32768);
    // Once they are gone there is room again.
    term_feed(t, "\033[3J\033[H\033[J");
    for (unsigned i = 0; i < 1000; i++)
        term_feed(t, "\033]8;;http://y\007y");
    ck_assert_uint_ne(t->vt->pen.style.link, 0);
    term_check(t);
    term_free(t);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("grid");
    TCase *c = tcase_create("grid");
    SRunner *r;
    int failed;

    tcase_add_test(c, a_row_keeps_its_identity_when_it_scrolls_into_history);
    tcase_add_test(c, what_changes_a_row_changes_its_tag);
    tcase_add_test(c, history_is_bounded_in_rows_and_bytes);
    tcase_add_test(c, a_plain_line_of_80_costs_at_most_120_bytes);
    tcase_add_test(c, long_lines_are_laid_out_anew_in_history_and_screen);
    tcase_add_test(c, long_history_takes_a_new_width_in_steps);
    tcase_add_test(c, styles_and_wide_characters_survive_reflow_of_history);
    tcase_add_test(c, height_takes_blank_rows_first_then_the_top);
    tcase_add_test(c, style_table_is_swept_when_it_fills);
    tcase_add_test(c, clusters_are_swept_when_their_table_fills);
    tcase_add_test(c, a_screen_full_of_links_does_not_make_tables_grow);
    suite_add_tcase(s, c);
    r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed > 0;
}
