// The emulation: sequences in, screen out.
#include "tests/vt_helper.h"

static const struct {
    const char *what;
    const char *in; // on 4 rows of 10 columns
    const char *screen;
    unsigned row, col;
} cases[] = {
    {"text wraps late", "0123456789", "0123456789", 1, 11},
    {"and then goes on", "0123456789a", "0123456789\na", 2, 2},
    {"carriage return drops a pending wrap", "0123456789\rX", "X123456789", 1, 2},
    {"line feed drops it too, as in xterm", "0123456789\nX", "0123456789\n         X", 2, 11},
    {"backspace from a pending wrap", "0123456789\bX", "01234567X9", 1, 10},
    {"no autowrap overwrites the last column", "\033[?7l0123456789abc", "012345678c", 1, 10},
    {"CUP is clamped", "\033[99;99HX", "\n\n\n         X", 4, 11},
    {"CUP counts from 1, 0 is 1", "\033[0;0HX", "X", 1, 2},
    {"CUU stops at the margin", "\033[2;3r\033[3;1H\033[9AX", "\nX", 2, 2},
    {"CUD stops at the margin", "\033[2;3r\033[2;1H\033[9BX", "\n\nX", 3, 2},
    {"CNL and CPL", "ab\033[2Ec\033[1Fd", "ab\nd\nc", 2, 2},
    {"CHA, HPA, VPA", "\033[5Ga\033[3`b\033[3dc", "  b a\n\n   c", 3, 5},
    {"ED below", "aaa\r\nbbb\r\nccc\033[2;2H\033[J", "aaa\nb", 2, 2},
    {"ED above", "aaa\r\nbbb\r\nccc\033[2;2H\033[1J", "\n  b\nccc", 2, 2},
    {"ED all leaves the cursor", "aaa\r\nbbb\033[2J", "", 2, 4},
    {"EL in its three forms", "aaaa\r\nbbbb\r\ncccc\033[3;2H\033[K\033[2;2H\033[1K\033[1;2H\033[2K",
     "\n  bb\nc", 1, 2},
    {"ECH", "abcdef\033[2G\033[3X", "a   ef", 1, 2},
    {"ICH", "abcdef\033[2G\033[3@", "a   bcdef", 1, 2},
    {"ICH pushes off the edge", "0123456789\033[2G\033[3@", "0   123456", 1, 2},
    {"DCH", "abcdef\033[2G\033[3P", "aef", 1, 2},
    {"IRM", "abc\033[1G\033[4hXY", "XYabc", 1, 3},
    {"IL in a region", "1\r\n2\r\n3\r\n4\033[2;3r\033[2;1H\033[L", "1\n\n2\n4", 2, 1},
    {"DL in a region", "1\r\n2\r\n3\r\n4\033[2;3r\033[2;1H\033[M", "1\n3\n\n4", 2, 1},
    {"IL outside of the region does nothing", "1\r\n2\r\n3\r\n4\033[2;3r\033[1;1H\033[L",
     "1\n2\n3\n4", 1, 1},
    {"SU and SD", "1\r\n2\r\n3\033[S\033[2T", "\n\n2\n3", 3, 2},
    {"RI at the top scrolls down", "1\r\n2\033[H\033MX", "X\n1\n2", 1, 2},
    {"IND and NEL", "a\033Db\033Ec", "a\n b\nc", 3, 2},
    {"tabs", "\tX\033[3g\tY", "        XY", 1, 11},
    {"tab stops are set", "\033[4G\033H\r\tX", "   X", 1, 5},
    {"CBT and CHT", "\033[10G\033[ZX\r\033[IY", "        Y", 1, 10},
    {"origin mode", "\033[2;3r\033[?6h\033[1;1HX\033[9;1HY", "\nX\nY", 3, 2},
    {"DECSC keeps place and charset", "\033[2;2H\033(0\0337\033(B\033[H\0338q", "\n ─", 2, 3},
    {"line drawing by SCS", "\033(0lqk\033(Bl", "┌─┐l", 1, 5},
    {"line drawing by SO and SI", "\033)0\016x\017x", "│x", 1, 3},
    {"SS2 is for one character", "\033*0\033Nxx", "│x", 1, 3},
    {"DECALN", "\033#8", "EEEEEEEEEE\nEEEEEEEEEE\nEEEEEEEEEE\nEEEEEEEEEE", 1, 1},
    {"REP", "ab\033[3b", "abbbb", 1, 6},
    {"REP wraps", "ab\033[12b", "abbbbbbbbb\nbbbb", 2, 5},
    {"alternate screen comes and goes", "main\033[?1049halt\033[?1049lX", "mainX", 1, 6},
    {"1047 keeps the cursor", "main\033[?1047h\033[3;3Halt\033[?1047lX", "main\n\n     X", 3, 7},
    {"RIS", "a\033[?6h\033[2;3r\033[31mb\033cX", "X", 1, 2},
    {"DECSTR keeps the text", "a\033[2;3r\033[?6h\033[4h\033[!p\033[HX", "X", 1, 2},
    {"left and right margins", "\033[?69h\033[3;5s\033[1;3Habcdef", "  abc\n  def", 2, 6},
    {"scrolling inside side margins", "0123456789\r\nabcdefghij\033[?69h\033[3;5s\033[S",
     "01cde56789\nab   fghij", 1, 1},
    {"wide at the edge goes to the next row", "012345678\346\251\213", "012345678\n橋", 2, 3},
    {"half of a wide one is gone", "\346\251\213\346\251\213\033[3Gx", "橋x", 1, 4},
    {"deleting half of a wide one", "a\346\251\213b\033[2G\033[P", "a b", 1, 2},
    {"VS16 at the edge goes to the next row", "012345678\342\235\244\357\270\217x",
     "012345678\n❤️x", 2, 4},
    {"C1 as text is nothing", "a\302\205b\302\233c", "abc", 1, 4},
    {"DEL and NUL are nothing", "a\177b", "ab", 1, 3},
    {"selective erase", "\033[1\"qab\033[0\"qcd\033[H\033[?2K", "ab", 1, 1},
    {"reverse wrap", "\033[?45h0123456789a\b\bX", "012345678X\na", 1, 11},
    {"DECIC and DECDC", "abcdef\033[3G\033[2'}\033[5G\033['~", "ab  def", 1, 5},
    {"unknown sequences vanish", "a\033[99z\033[?1;2$w\033%G\033[>5u\033#3\033 Fb", "ab", 1, 3},
};

START_TEST(a_sequence_does_what_it_should)
{
    struct term *t = term_new(4, 10);
    struct view v;
    unsigned x;

    term_feed(t, cases[_i].in);
    term_check(t);
    if (strcmp(term_screen(t), cases[_i].screen) != 0)
        ck_abort_msg("%s: screen is\n%s", cases[_i].what, term_screen(t));
    vt_view(t->vt, &v);
    x = v.cursor.x + (vt_is_wrap_pending(t->vt) ? 1 : 0) + 1;
    if (v.cursor.y + 1 != cases[_i].row || x != cases[_i].col)
        ck_abort_msg("%s: cursor is %u,%u", cases[_i].what, v.cursor.y + 1, x);
    term_free(t);
}
END_TEST

START_TEST(sgr_sets_and_resets)
{
    static const struct {
        const char *in, *out;
    } sgr[] = {
        {"\033[1;2;3;4;5;7;8;9;53mx", "\033[1;2;3;4;5;7;8;9;53mx\n"},
        {"\033[1;4;31m\033[22;24;39mx", "x\n"},
        {"\033[21mx", "\033[4:2mx\n"},
        {"\033[4:5;4:0mx", "x\n"},
        {"\033[38;5;200;48;5;3mx", "\033[38;5;200;43mx\n"},
        {"\033[38:5:200mx", "\033[38;5;200mx\n"},
        {"\033[38:2:1:2:3mx", "\033[38;2;1;2;3mx\n"},
        {"\033[38:2::1:2:3mx", "\033[38;2;1;2;3mx\n"},
        {"\033[38;2;1;2;3;1mx", "\033[1;38;2;1;2;3mx\n"},
        {"\033[97;107mx", "\033[97;107mx\n"},
        {"\033[58;5;9m\033[4:3mx", "\033[4:3;58;5;9mx\n"},
        {"\033[38;2;1mx", "x\n"},
        {"\033[>4;1mx", "x\n"},
        {"\033[31ma\033[1mb\033[mc", "\033[31ma\033[1mb\033[0mc\n"},
    };

    for (size_t i = 0; i < ARRAY_LEN(sgr); i++) {
        struct term *t = term_new(2, 10);
        struct strbuf out = {0};

        term_feed(t, sgr[i].in);
        vt_capture(t->vt, 0, 0, VT_CAPTURE_STYLES, &out);
        ck_assert_str_eq(out.data, sgr[i].out);
        strbuf_free(&out);
        term_free(t);
    }
}
END_TEST

START_TEST(strings_tell_the_owner)
{
    static const struct {
        const char *in, *told;
    } osc[] = {
        {"\033]2;a\tb\303\251\377\033\\", "title ab\303\251\357\277\275\n"},
        {"\033]0;x\007", "title x\n"},
        {"\033kname\033\\", "rename name\n"},
        {"\033]7;file://host/tmp/a%20b\033\\", "cwd /tmp/a b\n"},
        {"\033]7;file://host\033\\\033]7;relative\007\033]7;file:///a%0ab\007", ""},
        {"\033]52;c;aGVsbG8=\007", "clipboard c hello\n"},
        {"\033]52;;aGk\007", "clipboard  hi\n"},
        {"\033]52;c;?\007\033]52;c;$$$\007\033]52;x;aGk=\007", ""},
        {"\033]9;done\007", "notify 9 done\n"},
        {"\033]9;4;1;50\007\033]9;4;0\007", "progress 1 50\nprogress 0 0\n"},
        {"\033]777;notify;title;body\007", "notify 777 title;body\n"},
        {"\033]99;i=1:d=0;hello\033\\", "notify 99 hello\n"},
        {"\033]99;e=1;aGVsbG8=\033\\", "notify 99 hello\n"},
        {"\033]2;one\007\033[22;0t\033]2;two\007\033[23;0t", "title one\ntitle two\ntitle one\n"},
    };

    for (size_t i = 0; i < ARRAY_LEN(osc); i++) {
        struct term *t = term_new(2, 10);

        term_feed(t, osc[i].in);
        ck_assert_str_eq(term_told(t), osc[i].told);
        ck_assert_str_eq(term_screen(t), "");
        term_free(t);
    }
}
END_TEST

// AG-13
START_TEST(a_large_clipboard_comes_whole_through_small_reads)
{
    struct term *t = term_new(2, 10);
    struct strbuf in = {0};

    strbuf_add_str(&in, "\033]52;c;");
    for (unsigned i = 0; i < 25000; i++)
        strbuf_add_str(&in, "YWJj");
    strbuf_add_char(&in, '\007');
    for (size_t at = 0; at < in.len; at += 1000)
        vt_feed(t->vt, in.data + at, MIN_OF(in.len - at, 1000u));
    ck_assert_uint_eq(t->told.len, strlen("clipboard c ") + 75000 + 1);
    strbuf_free(&in);
    term_free(t);
}
END_TEST

static const char *view_row(const struct view *v, unsigned y)
{
    static char text[256];
    struct strbuf packed = {0}, out = {0};

    v->ops->pack(v, y, &packed);
    row_to_text(packed.data, packed.len, false, &out);
    snprintf(text, sizeof text, "%s", out.data != NULL ? out.data : "");
    strbuf_free(&packed);
    strbuf_free(&out);
    return text;
}

START_TEST(held_output_shows_the_last_complete_frame)
{
    struct term *t = term_new(2, 10);
    struct view v;

    term_feed(t, "old\033[?2026h\033[2J\033[Hnew");
    ck_assert(vt_modes(t->vt) & VT_MODE_SYNC);
    ck_assert_int_gt(vt_sync_since_us(t->vt), 0);
    vt_view(t->vt, &v);
    ck_assert_str_eq(view_row(&v, 0), "old");
    ck_assert_uint_eq(v.cursor.x, 3);
    ck_assert_str_eq(term_screen(t), "new"); // captures see what was read
    term_feed(t, "\033[?2026l");
    vt_view(t->vt, &v);
    ck_assert_str_eq(view_row(&v, 0), "new");
    ck_assert_int_eq(vt_sync_since_us(t->vt), 0);
    term_feed(t, "\033[?2026h");
    vt_resize(t->vt, 11, 2);
    ck_assert(!(vt_modes(t->vt) & VT_MODE_SYNC));
    term_feed(t, "\033[?2026h");
    vt_sync_release(t->vt);
    ck_assert(!(vt_modes(t->vt) & VT_MODE_SYNC));
    term_free(t);
}
END_TEST

START_TEST(clearing_the_screen_keeps_it_in_history)
{
    struct term *t = term_new(5, 20);

    term_feed(t, "a\r\nb\r\nc\033[2J");
    ck_assert_str_eq(term_history(t), "a\nb\nc");
    term_feed(t, "\033[2J\033[H\033[J");
    ck_assert_uint_eq(vt_history_rows(t->vt), 3);
    term_feed(t, "\033[3J");
    ck_assert_uint_eq(vt_history_rows(t->vt), 0);
    term_feed(t, "x\033[?1049hy\033[2J");
    ck_assert_uint_eq(vt_history_rows(t->vt), 0);
    term_free(t);
}
END_TEST

START_TEST(captures_are_as_asked_for)
{
    static const struct {
        unsigned flags;
        const char *out;
    } captures[] = {
        {0, "0123456789\nab\n\\x\n"},
        {VT_CAPTURE_JOIN, "0123456789ab  \n\\x\n"},
        {VT_CAPTURE_KEEP_BLANKS, "0123456789\nab        \n\\x        \n"},
        {VT_CAPTURE_KEEP_BLANKS | VT_CAPTURE_NO_BLANK_CELLS, "0123456789\nab  \n\\x\n"},
        {VT_CAPTURE_STYLES, "0123456789\nab\n\\\033[31mx\n"},
        {VT_CAPTURE_STYLES | VT_CAPTURE_ESCAPE, "0123456789\nab\n\\\\\\033[31mx\n"},
    };
    struct term *t = term_new(4, 10);

    term_feed(t, "0123456789ab  \r\n\\\033[31mx");
    for (size_t i = 0; i < ARRAY_LEN(captures); i++) {
        struct strbuf out = {0};

        vt_capture(t->vt, 0, 2, captures[i].flags, &out);
        ck_assert_str_eq(out.data, captures[i].out);
        strbuf_free(&out);
    }
    term_feed(t, "\033[?1049halt");
    {
        struct strbuf out = {0};

        vt_capture(t->vt, 0, 1, VT_CAPTURE_SAVED, &out);
        ck_assert_str_eq(out.data, "0123456789\nab\n");
        strbuf_free(&out);
    }
    term_free(t);
}
END_TEST

START_TEST(a_palette_set_by_a_program_shows_in_its_rows)
{
    struct term *t = term_new(2, 10);
    struct strbuf out = {0};

    term_feed(t, "\033[31mx\033]4;1;#112233\007");
    vt_capture(t->vt, 0, 0, VT_CAPTURE_STYLES, &out);
    ck_assert_str_eq(out.data, "\033[38;2;17;34;51mx\n");
    strbuf_clear(&out);
    term_feed(t, "\033]104;1\007");
    vt_capture(t->vt, 0, 0, VT_CAPTURE_STYLES, &out);
    ck_assert_str_eq(out.data, "\033[31mx\n");
    strbuf_free(&out);
    term_free(t);
}
END_TEST

START_TEST(a_soft_reset_drops_what_a_dead_program_left)
{
    struct term *t = term_new(5, 10);
    struct view v;

    term_feed(t, "\033[?1003h\033[?1006h\033[?2004h\033[?1004h\033[?25l\033[2;3r\033[?1h\033=\033[5 q");
    vt_soft_reset(t->vt);
    ck_assert_uint_eq(vt_modes(t->vt), VT_MODE_WRAP);
    ck_assert_uint_eq(vt_region_bottom(t->vt), 4);
    vt_view(t->vt, &v);
    ck_assert(v.cursor.is_visible);
    ck_assert_uint_eq(v.cursor.shape, 0);
    term_free(t);
}
END_TEST

START_TEST(a_repeat_of_any_count_costs_two_lines_at_most)
{
    static const char *const texts[] = {"x\033[65535bY", "e\314\201\033[99999bY",
                                        "\346\251\213\033[1000000000bY"};

    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct term *t = term_new(3, 10);

        term_feed(t, texts[i]);
        ck_assert_uint_le(vt_history_rows(t->vt), 2);
        term_feed(t, "\r\nends");
        ck_assert_ptr_nonnull(strstr(term_screen(t), "ends"));
        term_free(t);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("vt");
    TCase *c = tcase_create("vt");
    SRunner *r;
    int failed;

    tcase_add_loop_test(c, a_sequence_does_what_it_should, 0, (int)ARRAY_LEN(cases));
    tcase_add_test(c, sgr_sets_and_resets);
    tcase_add_test(c, strings_tell_the_owner);
    tcase_add_test(c, a_large_clipboard_comes_whole_through_small_reads);
    tcase_add_test(c, held_output_shows_the_last_complete_frame);
    tcase_add_test(c, clearing_the_screen_keeps_it_in_history);
    tcase_add_test(c, captures_are_as_asked_for);
    tcase_add_test(c, a_palette_set_by_a_program_shows_in_its_rows);
    tcase_add_test(c, a_soft_reset_drops_what_a_dead_program_left);
    tcase_add_test(c, a_repeat_of_any_count_costs_two_lines_at_most);
    suite_add_tcase(s, c);
    r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed > 0;
}
