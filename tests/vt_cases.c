// Faults that users met in other terminals, as cases: bytes and sizes in, rows and cursor out.
#include <stdio.h>

#include "tests/vt_helper.h"

struct op {
    const char *text; // NULL: a resize
    unsigned rows, cols;
};
static const struct {
    const char *id;
    unsigned rows, cols;
    struct op ops[10];
    const char *screen; // NULL: only that it lives
    unsigned cursor_row, cursor_col; // from 1; 0: any
    int history;                     // rows; -1: any
} cases[] = {
    {"VT-01a", 4, 1,
     {{.text = "\346\251\213x"}},
     NULL, 0, 0, -1},
    {"VT-01b", 5, 10,
     {{.rows = 5, .cols = 1},
      {.text = "\360\237\230\200ok"},
      {.rows = 5, .cols = 10},
      {.text = "\r\nfine"}},
     NULL, 0, 0, -1},
    {"VT-03a", 3, 20,
     {{.text = "\033[5bX"}},
     "X", 1, 2, -1},
    {"VT-03b", 3, 20,
     {{.text = "A\033[5b|"}},
     "AAAAAA|", 1, 8, -1},
    {"VT-03c", 3, 20,
     {{.text = "\346\251\213\033[3b|"}},
     "\346\251\213\346\251\213\346\251\213\346\251\213|", 1, 10, -1},
    {"VT-05a", 6, 20,
     {{.text = "1\r\n2\r\n3\r\n4\r\n5\r\nq\033[?1049h\033[Halt"},
      {.rows = 3, .cols = 20},
      {.text = "\033[?1049lX"}},
     "4\n5\nqX", 3, 3, 3},
    {"VT-05b", 6, 20,
     {{.text = "1\r\n2\r\n3\r\n4\r\n5\r\nq\033[?1049h\033[Halt"},
      {.rows = 3, .cols = 10},
      {.rows = 6, .cols = 20},
      {.text = "\033[?1049lX"}},
     "1\n2\n3\n4\n5\nqX", 6, 3, 0},
    {"VT-07a", 2, 11,
     {{.text = "AAAAAAAAAA"},
      {.rows = 2, .cols = 9},
      {.rows = 3, .cols = 3},
      {.text = "z"}},
     NULL, 0, 0, -1},
    {"VT-07b", 24, 80,
     {{.text = "hello world\r\n"},
      {.rows = 1, .cols = 1},
      {.rows = 2, .cols = 2},
      {.rows = 1, .cols = 12},
      {.rows = 24, .cols = 80},
      {.rows = 1, .cols = 1},
      {.rows = 10, .cols = 3},
      {.rows = 24, .cols = 80},
      {.text = "ok"}},
     "hello world\nok", 2, 3, -1},
    {"VT-11", 4, 10,
     {{.text = "\346\251\213\346\251\213\033[3D\346\251\213|"}},
     " \346\251\213|", 1, 5, -1},
    {"VT-13", 3, 4,
     {{.text = "abcd\033[K"}},
     "abcd", 0, 0, -1},
    {"VT-15a", 3, 30,
     {{.text = "A\342"},
      {.text = "\200"},
      {.text = "\224B"}},
     "A\342\200\224B", 1, 4, -1},
    {"VT-15b", 3, 30,
     {{.text = "\346\213\233\033[2;5H\350"},
      {.text = "\201\230"}},
     "\346\213\233\n    \350\201\230", 2, 7, -1},
    {"VT-15c", 3, 30,
     {{.text = "a\377b"}},
     "a\357\277\275b", 1, 4, -1},
    {"VT-17a", 3, 30,
     {{.text = "a\033_Ghello\033\\b"}},
     "ab", 1, 3, -1},
    {"VT-17b", 3, 30,
     {{.text = "a\033^Ghello\033\\b\033Xabc\033\\c"}},
     "abc", 1, 4, -1},
    {"VT-17c", 3, 30,
     {{.text = "a\033kname\033\\b"}},
     "ab", 1, 3, -1},
    {"VT-19a", 3, 10,
     {{.text = "\343\203\233\343\202\232x"}},
     NULL, 1, 4, -1},
    {"VT-19b", 3, 5,
     {{.text = "abcde\314\201X"}},
     "abcde\314\201\nX", 2, 2, -1},
    {"VT-23a", 10, 20,
     {{.text = "\033[1;5r\033[5;1H1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9\r\n10\r\nEND"}},
     "7\n8\n9\n10\nEND", 5, 4, 10},
    {"VT-23b", 10, 20,
     {{.text = "\033[2;6r\033[6;1H1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9\r\n10\r\nEND"}},
     "\n7\n8\n9\n10\nEND", 6, 4, 0},
    {"VT-23c", 5, 20,
     {{.text = "\033[?1049h1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9\r\n10\r\n11\r\n12\r\n13\r"
         "\n14\r\n15\r\n16\r\n17\r\n18\r\n19\r\n20\r\n21\r\n22\r\n23\r\n24\r\n25\r\n26\r"
         "\n27\r\n28\r\n29\r\n30\r\n\033[?1049lback"}},
     "back", 0, 0, 0},
    {"VT-25a", 12, 20,
     {{.text = "top\033[10;9r\033[1;1Hx"}},
     "xop", 1, 2, -1},
    {"VT-25b", 6, 20,
     {{.text = "top\033[1;0r\033[1;1Hx"}},
     "xop", 1, 2, -1},
    {"VT-27a", 6, 20,
     {{.text = "\033[3;5H\033[s\033[1;1Ha\033[ub"}},
     "a\n\n    b", 3, 6, -1},
    {"VT-27b", 6, 20,
     {{.text = "\033[5;5H\0337\033[1;1Ha\033[=5ub"}},
     "ab", 1, 3, -1},
    {"VT-33", 10, 20,
     {{.text = "1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9\r\n10\r\n11\r\n12\r\n13\r\n14\r\n15"
         "\r\n16\r\n17\r\n18\r\n19\r\n20\r\n21\r\n22\r\n23\r\n24\r\n25\r\n26\r\n27\r\n28"
         "\r\n29\r\n30\r\np"},
      {.rows = 20, .cols = 20}},
     "12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23\n24\n25\n26\n27\n28\n29\n30\np", 20, 2, -1},
    {"VT-11b wide over the tail", 2, 10, {{.text = "\346\251\213\033[2Gx"}}, " x", 1, 3, -1},
    {"VT-25c region of one row is ignored", 6, 20, {{.text = "\033[5;2r\033[6;1H\n\n\nb"}},
     "\n\n\n\n\nb", 6, 2, -1},
    {"VT-25d zero is the whole screen", 6, 20, {{.text = "\033[0;0r\033[6;1H\nb"}},
     "\n\n\n\n\nb", 6, 2, -1},
    {"VT-27c keyboard protocols are not SCORC", 6, 20,
     {{.text = "\033[5;5H\0337\033[1;1Ha\033[>1ub\033[<uc\033[?ud"}}, "abcd", 1, 5, -1},
    {"VT-17d graphics query", 3, 20, {{.text = "a\033_Gi=1,a=q;\033\\b"}}, "ab", 1, 3, -1},
    {"VT-15d a cut character does not eat the next", 3, 20, {{.text = "a\342\200b"}},
     "a\357\277\275b", 1, 4, -1},
    {"VT-15e nor an escape", 3, 20, {{.text = "a\342\200\033[1mb"}}, "a\357\277\275b", 1, 4, -1},
    {"VT-09a", 5, 20, {{.text = "\033[?7l0123456789ABCDEFGHIJ\r\nb"}, {.rows = 5, .cols = 10}},
     "0123456789\nb", 2, 2, -1},
    {"VT-09b", 5, 20,
     {{.text = "\033[?7l0123456789ABCDEFGHIJ\r\nb"}, {.rows = 5, .cols = 10},
      {.rows = 5, .cols = 20}}, "0123456789\nb", 2, 2, -1},
    {"VT-21 family", 2, 20, {{.text = "|\360\237\221\250\342\200\215\360\237\221\251\342\200\215"
                                      "\360\237\221\247|"}}, NULL, 1, 5, -1},
    {"VT-21 heart", 2, 20, {{.text = "|\342\235\244\357\270\217|"}}, NULL, 1, 5, -1},
    {"VT-21 skin tone", 2, 20, {{.text = "|\360\237\221\215\360\237\217\275|"}}, NULL, 1, 5, -1},
    {"VT-21 two flags behind a wide one", 2, 20,
     {{.text = "\344\270\200\360\237\207\270\360\237\207\254\360\237\207\270\360\237\207\254|"}},
     NULL, 1, 8, -1},
    {"VT-21 narrow hand", 2, 20, {{.text = "|\342\234\215|"}}, NULL, 1, 4, -1},
    {"VT-03d a huge count ends soon", 3, 10, {{.text = "x\033[1000000000bY"}}, NULL, 0, 0, -1},
};

START_TEST(known_fault_is_not_ours)
{
    struct term *t = term_new(cases[_i].rows, cases[_i].cols);

    for (size_t i = 0; i < ARRAY_LEN(cases[_i].ops); i++) {
        const struct op *op = &cases[_i].ops[i];

        if (op->text != NULL)
            term_feed(t, op->text);
        else if (op->rows > 0)
            vt_resize(t->vt, op->cols, op->rows);
        term_check(t);
    }
    if (cases[_i].screen != NULL && strcmp(term_screen(t), cases[_i].screen) != 0)
        ck_abort_msg("%s: screen is\n%s\nnot\n%s", cases[_i].id, term_screen(t), cases[_i].screen);
    if (cases[_i].cursor_row > 0) {
        struct view v;
        unsigned x;

        vt_view(t->vt, &v);
        x = v.cursor.x + (vt_is_wrap_pending(t->vt) ? 1 : 0);
        if (v.cursor.y + 1 != cases[_i].cursor_row || x + 1 != cases[_i].cursor_col)
            ck_abort_msg("%s: cursor is %u,%u", cases[_i].id, v.cursor.y + 1, x + 1);
    }
    if (cases[_i].history >= 0 && vt_history_rows(t->vt) != (unsigned)cases[_i].history)
        ck_abort_msg("%s: history is %u", cases[_i].id, vt_history_rows(t->vt));
    term_free(t);
}
END_TEST

// VT-01, VT-07: what counts is what remains visible.
START_TEST(text_survives_tiny_sizes)
{
    struct term *t = term_new(4, 1);

    term_feed(t, "\346\251\213x");
    ck_assert_str_eq(term_screen(t), "x");
    term_free(t);
    t = term_new(5, 10);
    vt_resize(t->vt, 1, 5);
    term_feed(t, "\360\237\230\200ok");
    vt_resize(t->vt, 10, 5);
    term_feed(t, "\r\nfine");
    ck_assert_ptr_nonnull(strstr(term_screen(t), "fine"));
    term_free(t);
    t = term_new(2, 11);
    term_feed(t, "AAAAAAAAAA");
    vt_resize(t->vt, 9, 2);
    vt_resize(t->vt, 3, 3);
    term_feed(t, "z");
    ck_assert_ptr_nonnull(strstr(term_screen(t), "Az"));
    term_free(t);
}
END_TEST

START_TEST(random_small_sizes_keep_the_text_in_order)
{
    struct term *t = term_new(3, 7);
    unsigned seed = 12345;

    term_feed(t, "one two \360\237\221\250\342\200\215\360\237\221\251\342\200\215"
                 "\360\237\221\247 e\314\201 three\r\nfour \346\251\213 five");
    for (unsigned i = 0; i < 400; i++) {
        char text[16];

        seed = seed * 1103515245u + 12345;
        vt_resize(t->vt, 2 + (seed >> 16) % 11, 1 + (seed >> 8) % 5);
        term_check(t);
        snprintf(text, sizeof text, "%u\r\n", i % 10);
        term_feed(t, text);
        term_check(t);
    }
    vt_resize(t->vt, 80, 24);
    {
        char *all = term_lines(t, 0, vt_history_rows(t->vt) + 24);

        ck_assert_ptr_nonnull(strstr(all, "four \346\251\213 five0\n1\n2\n3\n4\n"));
        free(all);
    }
    term_free(t);
}
END_TEST

// VT-15: every cut gives what the uncut run gives.
START_TEST(cuts_between_reads_change_nothing)
{
    static const char text[] =
        "a\342\200\224b \033[31;1mred\033[0m \346\213\233\033[2;5H\350\201\230 e\314\201 "
        "\033]2;title\007x\033[38;2;1;2;3mrgb\033[m\033P$qm\033\\y\033(0lqk\033(B "
        "\360\237\207\270\360\237\207\254\033]0;t2\033\\z\377\302";
    size_t len = sizeof text - 1;
    struct term *whole = term_new(5, 30);
    char *expected, *told;

    vt_feed(whole->vt, text, len);
    expected = xstrdup(term_screen(whole));
    told = xstrdup(term_told(whole));
    ck_assert_str_eq(told, "title title\ntitle t2\n");
    for (size_t cut = 0; cut <= len; cut++) {
        struct term *t = term_new(5, 30);

        vt_feed(t->vt, text, cut);
        vt_feed(t->vt, text + cut, len - cut);
        ck_assert_str_eq(term_screen(t), expected);
        ck_assert_str_eq(term_told(t), told);
        ck_assert_str_eq(term_replies(t), "\033P1$r0m\033\\");
        term_free(t);
    }
    free(expected);
    free(told);
    term_free(whole);
}
END_TEST

// VT-23, AG-03.
START_TEST(only_rows_that_leave_at_the_top_go_to_history)
{
    struct term *t = term_new(10, 20);
    struct strbuf in = {0};

    for (unsigned i = 1; i <= 300; i++)
        strbuf_addf(&in, "\033[1;6r\033[6;1H\r\nline %u\033[r\033[7;1H\033[Jcomposer", i);
    vt_feed(t->vt, in.data, in.len);
    strbuf_clear(&in);
    for (unsigned i = 1; i <= 300; i++)
        strbuf_addf(&in, "line %u\n", i);
    {
        char *all = term_lines(t, 0, vt_history_rows(t->vt) + 6), *p = all;

        while (*p == '\n')
            p++;
        strbuf_add_char(&in, '\0');
        in.data[in.len - 2] = '\0'; // the last line's end
        ck_assert_str_eq(p, in.data);
        ck_assert_ptr_null(strstr(term_history(t), "composer"));
        free(all);
    }
    strbuf_free(&in);
    term_free(t);
}
END_TEST

// VT-29
START_TEST(colon_parameters_are_not_attributes)
{
    struct term *t = term_new(2, 30);
    struct strbuf out = {0};

    term_feed(t, "\033[4:3ma\033[0m b \033[58:2::255:0:0mc\033[0m d \033[4:0me");
    vt_capture(t->vt, 0, 0, VT_CAPTURE_STYLES, &out);
    ck_assert_str_eq(out.data, "\033[4:3ma\033[0m b \033[58;2;255;0;0mc\033[0m d e\n");
    strbuf_free(&out);
    term_free(t);
}
END_TEST

// VT-31
START_TEST(erasing_paints_the_background)
{
    struct term *t = term_new(2, 10);
    struct strbuf packed = {0};
    struct row_reader r;
    struct row_cell c;
    unsigned n = 0;

    term_feed(t, "\033[42mAB\033[K\033[0m");
    ck_assert(vt_row_pack(t->vt, 0, &packed));
    ck_assert(row_reader_init(&r, packed.data, packed.len));
    for (; row_reader_next(&r, &c); n++)
        ck_assert_uint_eq(c.style.bg, colour_indexed(2));
    ck_assert_uint_eq(n, 10);
    ck_assert_str_eq(term_screen(t), "AB");
    strbuf_free(&packed);
    term_free(t);
}
END_TEST

// AG-05
START_TEST(questions_are_answered_once_and_in_kind)
{
    static const struct {
        const char *question, *answer;
    } asks[] = {
        {"\033]11;?\033\\", "\033]11;rgb:1010/2020/3030\033\\"},
        {"\033]10;?\007", "\033]10;rgb:ffff/eeee/dddd\007"},
        {"\033]4;1;?\007", "\033]4;1;rgb:cdcd/0000/0000\007"},
        {"\033[c", "\033[?62;22;52c"},
        {"\033[>c", "\033[>1;0;0c"},
        {"\033[=c", "\033P!|00000000\033\\"},
        {"\033[>q", "\033P>|amux 0.1\033\\"},
        {"\033[2;3H\033[6n", "\033[2;3R"},
        {"\033[?6n", "\033[?2;3;1R"},
        {"\033[5n", "\033[0n"},
        {"\033[14t", "\033[4;480;800t"},
        {"\033[16t", "\033[6;48;40t"},
        {"\033[18t", "\033[8;10;20t"},
        {"\033[?2026$p", "\033[?2026;2$y"},
        {"\033[?2004h\033[?2004$p", "\033[?2004;1$y"},
        {"\033[?9999$p", "\033[?9999;0$y"},
        {"\033[4$p", "\033[4;2$y"},
        {"\033P$q q\033\\", "\033P1$r0 q\033\\"},
        {"\033P$qr\033\\", "\033P1$r1;10r\033\\"},
        {"\033]52;c;?\007", ""},
        {"\033[?u\033[21t\033[999n\033]1234;?\007\033P+q544e\033\\\033_Ga=q\033\\", ""},
    };
    struct term *t = term_new(10, 20);

    vt_set_default_colours(t->vt, 0xFFEEDD, 0x102030);
    vt_set_terminal_name(t->vt, "amux 0.1");
    vt_set_pixel_size(t->vt, 800, 480);
    for (size_t i = 0; i < ARRAY_LEN(asks); i++) {
        term_feed(t, asks[i].question);
        ck_assert_str_eq(term_replies(t), asks[i].answer);
    }
    ck_assert_str_eq(term_screen(t), "");
    term_free(t);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("vt_cases");
    TCase *c = tcase_create("known faults");
    SRunner *r;
    int failed;

    tcase_add_loop_test(c, known_fault_is_not_ours, 0, (int)ARRAY_LEN(cases));
    tcase_add_test(c, text_survives_tiny_sizes);
    tcase_add_test(c, random_small_sizes_keep_the_text_in_order);
    tcase_add_test(c, cuts_between_reads_change_nothing);
    tcase_add_test(c, only_rows_that_leave_at_the_top_go_to_history);
    tcase_add_test(c, colon_parameters_are_not_attributes);
    tcase_add_test(c, erasing_paints_the_background);
    tcase_add_test(c, questions_are_answered_once_and_in_kind);
    suite_add_tcase(s, c);
    r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed > 0;
}
