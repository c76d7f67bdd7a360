// Input: bytes into events, the same however the bytes are cut into reads.
#include "config.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/input.h"
#include "common/util.h"

// Events are written down as words: "C-a", "<down 1 9,4>", "<paste:text>" ...
static struct strbuf words, raws;
static bool in_paste;

static void word(const char *text)
{
    if (words.len > 0)
        strbuf_add_char(&words, ' ');
    strbuf_add_str(&words, text);
}

static void on_key(void *arg, key_code key, const void *raw, size_t raw_len)
{
    (void)arg;
    word(key_to_name(key & ~KEY_KEYPAD));
    strbuf_add(&raws, raw, raw_len);
}

static void on_mouse(void *arg, const struct input_mouse *m)
{
    static const char *const kinds[] = {[MOUSE_MOVE] = "move", [MOUSE_DOWN] = "down", [MOUSE_UP] = "up",
                                        [MOUSE_DRAG] = "drag", [MOUSE_WHEEL_UP] = "wheelup",
                                        [MOUSE_WHEEL_DOWN] = "wheeldown"};
    char text[64];
    (void)arg;
    snprintf(text, sizeof text, "<%s%s%s %u %u,%u>", m->modifiers & KEY_CTRL ? "C-" : "",
             m->modifiers & KEY_META ? "M-" : "", kinds[m->kind], m->button, m->x, m->y);
    word(text);
}

static void on_paste(void *arg, bool is_first, bool is_last, const void *data, size_t len)
{
    (void)arg;
    ck_assert(is_first == !in_paste);
    if (is_first)
        word("<paste:");
    strbuf_add(&words, data, len);
    if (is_last)
        strbuf_add_char(&words, '>');
    in_paste = !is_last;
}

static void on_focus(void *arg, bool is_in)
{
    (void)arg;
    word(is_in ? "<focus>" : "<blur>");
}

static void on_answer(void *arg, const char *name, const char *value)
{
    char *text = xasprintf("<%s=%s>", name, value);
    (void)arg;
    word(text);
    free(text);
}

static const struct input_events events = {on_key, on_mouse, on_paste, on_focus, on_answer};

static struct input *fresh(void)
{
    strbuf_clear(&words);
    strbuf_clear(&raws);
    strbuf_add_str(&words, "");
    in_paste = false;
    struct input *in = input_new(&events, NULL);
    input_add_key(in, "\033[1~", key_special(KS_HOME));
    input_add_key(in, "\033OA", key_special(KS_UP));
    return in;
}

// Feeds `bytes` in two reads, cut at `cut`; the escape time passes at the end only.
static const char *decode_cut(const char *bytes, size_t len, size_t cut)
{
    struct input *in = fresh();
    if (cut > 0)
        input_feed(in, bytes, cut, 1000);
    if (cut < len)
        input_feed(in, bytes + cut, len - cut, 1500);
    if (input_waiting_since_us(in) != 0)
        input_expire(in);
    ck_assert(input_waiting_since_us(in) == 0);
    input_free(in);
    return words.data;
}

static const struct {
    const char *bytes;
    size_t len;
    const char *events;
} rows[] = {
#define ROW(bytes, events) {bytes, sizeof bytes - 1, events}
    ROW("abc", "a b c"),
    ROW("\0", "C-Space"),
    ROW("\001\032\034\035\036\037", "C-a C-z C-\\ C-] C-^ C-_"),
    ROW("\t\r\n", "Tab Enter C-j"),
    ROW("\177\010", "BSpace C-h"),
    ROW("\033", "Escape"),
    ROW("\033x", "M-x"),
    ROW("\033\033", "Escape Escape"),
    ROW("\033\033x", "Escape M-x"),
    ROW("\033\r", "M-Enter"),
    ROW("\033\177", "M-BSpace"),
    ROW("\033\xc3\xa9", "M-\xc3\xa9"),
    ROW("\xc3\xa9\xe6\xa9\x8b\xf0\x9f\x98\x80", "\xc3\xa9 \xe6\xa9\x8b \xf0\x9f\x98\x80"),
    ROW("\xc3" "a", "\xef\xbf\xbd a"),
    ROW("\033[A\033[B\033[C\033[D", "Up Down Right Left"),
    ROW("\033OA\033OB\033OP\033OS", "Up Down F1 F4"),
    ROW("\033[H\033[F\033[1~\033[4~\033[7~\033[8~", "Home End Home End Home End"),
    ROW("\033[2~\033[3~\033[5~\033[6~", "IC DC PPage NPage"),
    ROW("\033[15~\033[24~\033[34~", "F5 F12 F20"),
    ROW("\033[[A\033[[E", "F1 F5"),
    ROW("\033[1;5A\033[1;2D\033[1;3H\033[1;7C", "C-Up S-Left M-Home C-M-Right"),
    ROW("\033[3;5~\033[1;2P\033[15;6~", "C-DC S-F1 C-S-F5"),
    ROW("\033[3^\033[3@", "C-DC C-S-DC"),
    ROW("\033\033[A\033\033OB", "M-Up M-Down"),
    ROW("\033[Z", "BTab"),
    ROW("\033[97;5u\033[13;2u\033[9;5u", "C-a S-Enter C-Tab"),
    ROW("\033[27;5;102~\033[27;2;13~\033[27;6;65~", "C-f S-Enter C-S-a"),
    ROW("\033[27;5;105~\033[27;5;109~", "C-i C-m"),
    ROW("\033[27;2;65~\033[97;2u\033[27;1;27~", "A A Escape"),
    ROW("\033Oj\033OM", "KP* KPEnter"),
    ROW("\033[<0;10;5M\033[<0;10;5m", "<down 1 9,4> <up 1 9,4>"),
    ROW("\033[<32;11;6M\033[<35;1;1M", "<drag 1 10,5> <move 0 0,0>"),
    ROW("\033[<64;3;4M\033[<65;3;4M\033[<64;3;4m", "<wheelup 0 2,3> <wheeldown 0 2,3>"),
    ROW("\033[<16;3;4M\033[<10;3;4M", "<C-down 1 2,3> <M-down 3 2,3>"),
    ROW("\033[<66;3;4M\033[<128;3;4M", "<down 6 2,3> <down 8 2,3>"),
    ROW("\033[<0;250;5M", "<down 1 249,4>"),
    ROW("\033[M !!\033[M#!!", "<down 1 0,0> <up 1 0,0>"),
    ROW("\033[<0;0;0M\033[<0;99999999999;1Mx", "x"),
    ROW("\033[I\033[O", "<focus> <blur>"),
    ROW("\033[200~a\002cb\033[201~x", "<paste:a\002cb> x"),
    ROW("\033[200~\033[201~", "<paste:>"),
    ROW("\033[200~a\033[20\033[A\033[201~", "<paste:a\033[20\033[A>"),
    ROW("\033[0n\033[?62;22c\033[?2026;2$yx", "<dsr=0> <da1=62;22> <mode=2026;2> x"),
    ROW("\033]11;rgb:1/2/3\033\\\033]10;rgb:4/5/6\007x", "<bg=rgb:1/2/3> <fg=rgb:4/5/6> x"),
    ROW("\033P>|foot(1.2)\033\\x", "<xtversion=foot(1.2)> x"),
    ROW("\033P1$r0m\033\\\033]52;c;YQ==\007x", "x"),
    ROW("\033[>41;354;0cx", "x"),
    ROW("\033[1;2Rx", "S-F3 x"),
    ROW("\033[99zx", "x"),
    ROW("\033[ 5Ax\033[5 6;7Ay", "x y"),
    ROW("\033[\033[A", "M-[ Up"),
    ROW("\033[<0;1\033x", "M-x"),
    ROW("\033[", "M-["),
    ROW("\033O", "M-O"),
    ROW("\033]", "M-]"),
    ROW("\033P", "M-P"),
    ROW("\033]x\033Pq", "M-] x M-P q"),
    ROW("aaaa\002cbbbb", "a a a a C-b c b b b b"),
};

START_TEST(each_sequence_is_decoded_wherever_it_is_cut)
{
    for (size_t cut = 0; cut <= rows[_i].len; cut++) {
        const char *got = decode_cut(rows[_i].bytes, rows[_i].len, cut);
        char *shown = text_visible(rows[_i].bytes);
        ck_assert_msg(strcmp(got, rows[_i].events) == 0, "%s cut at %zu: '%s', wanted '%s'", shown,
                      cut, got, rows[_i].events);
        free(shown);
    }
}
END_TEST

START_TEST(keys_carry_the_bytes_that_they_came_as)
{
    static const char bytes[] = "a\033x\033[A\033OB\xc3\xa9\033[1;5C\033\xc3\xa9\033[27;5;102~";
    decode_cut(bytes, sizeof bytes - 1, 0);
    ck_assert_uint_eq(raws.len, sizeof bytes - 1);
    ck_assert(memcmp(raws.data, bytes, raws.len) == 0);
}
END_TEST

START_TEST(escape_waits_for_its_time_and_no_longer)
{
    struct input *in = fresh();
    input_feed(in, "\033", 1, 5000);
    ck_assert_str_eq(words.data, "");
    ck_assert(input_waiting_since_us(in) == 5000);
    input_expire(in);
    ck_assert_str_eq(words.data, "Escape");
    // What comes after that time is a key of its own.
    input_feed(in, "x", 1, 205000);
    ck_assert_str_eq(words.data, "Escape x");
    // Within it, Meta.
    input_feed(in, "\033", 1, 300000);
    input_feed(in, "x", 1, 305000);
    ck_assert_str_eq(words.data, "Escape x M-x");
    ck_assert(input_waiting_since_us(in) == 0);
    input_free(in);
}
END_TEST

START_TEST(a_cut_report_never_leaks_its_digits)
{
    // No escape time runs for what can only be a report, and its rest is waited for.
    struct input *in = fresh();
    input_feed(in, "\033[<0;10", 7, 1000);
    ck_assert(input_waiting_since_us(in) == 0);
    input_expire(in);
    input_feed(in, ";5M", 3, 51000);
    ck_assert_str_eq(words.data, "<down 1 9,4>");
    input_feed(in, "\033[M", 3, 60000);
    ck_assert(input_waiting_since_us(in) == 0);
    input_feed(in, "CH4", 3, 80000);
    ck_assert_str_eq(words.data, "<down 1 9,4> <move 0 39,19>");
    input_free(in);
}
END_TEST

START_TEST(a_flood_of_motion_in_small_pieces_gives_whole_reports)
{
    struct strbuf flood = {0};
    for (unsigned i = 0; i < 2000; i++)
        strbuf_addf(&flood, "\033[<35;%u;%uM", i % 200 + 1, i % 50 + 1);
    struct input *in = fresh();
    for (size_t at = 0; at < flood.len; at += 7)
        input_feed(in, flood.data + at, MIN_OF((size_t)7, flood.len - at), (int64_t)at * 100);
    unsigned moves = 0;
    for (const char *s = words.data; (s = strstr(s, "<move")) != NULL; s++)
        moves++;
    ck_assert_uint_eq(moves, 2000);
    ck_assert_ptr_null(strstr(words.data, "M"));
    strbuf_free(&flood);
    input_free(in);
}
END_TEST

START_TEST(a_report_that_never_ends_does_not_swallow_what_is_typed_later)
{
    struct input *in = fresh();
    input_feed(in, "\033[<0;1", 6, 1000);
    input_feed(in, "ls", 2, 20000000);
    ck_assert_str_eq(words.data, "l s");
    input_free(in);
}
END_TEST

START_TEST(a_large_paste_comes_whole_and_in_pieces)
{
    struct strbuf paste = {0};
    strbuf_add_str(&paste, "\033[200~");
    for (unsigned i = 0; i < 40000; i++)
        strbuf_addf(&paste, "line %u\n\033[20", i);
    strbuf_add_str(&paste, "\033[201~x");
    struct input *in = fresh();
    for (size_t at = 0; at < paste.len; at += 16384)
        input_feed(in, paste.data + at, MIN_OF((size_t)16384, paste.len - at), 1000);
    ck_assert(!in_paste);
    // Markers off, "<paste:", ">" and " x" on.
    ck_assert_uint_eq(words.len, paste.len - 13 + 7 + 1 + 2);
    ck_assert(memcmp(words.data + 7, paste.data + 6, paste.len - 13) == 0);
    strbuf_free(&paste);
    input_free(in);
}
END_TEST

START_TEST(user_keys_win_over_others_and_are_replaced)
{
    static const char *const first[] = {"\033[5;30012~", "", "x", "\033[A", NULL};
    static const char *const second[] = {"", "\033[5;30012~", NULL};
    static const char *const none[] = {NULL};
    struct input *in = fresh();
    input_add_key(in, "\033[A", key_special(KS_UP));
    input_set_user_keys(in, first);
    input_feed(in, "\033[5;3", 5, 1000);
    input_feed(in, "0012~x\033[A", 9, 1000);
    input_set_user_keys(in, second);
    input_feed(in, "\033[5;30012~\033[A", 13, 1000);
    input_set_user_keys(in, none);
    input_feed(in, "\033[A", 3, 1000);
    ck_assert_str_eq(words.data, "User0 x User3 User1 Up Up");
    input_free(in);
}
END_TEST

START_TEST(a_paste_without_its_end_is_ended_with_what_was_held_back)
{
    struct input *in = fresh();
    ck_assert_int_eq(input_paste_since_us(in), 0);
    input_feed(in, "\033[200~ab\033[20", 12, 1000);
    ck_assert_int_eq(input_paste_since_us(in), 1000);
    input_feed(in, "1", 1, 5000);
    ck_assert_int_eq(input_paste_since_us(in), 5000); // from the last byte
    input_end_paste(in);
    ck_assert(!in_paste);
    ck_assert_int_eq(input_paste_since_us(in), 0);
    input_feed(in, "x\033[201~y", 8, 6000); // its marker comes late
    ck_assert_str_eq(words.data, "<paste:ab\033[201> x y");
    input_free(in);
    in = fresh();
    input_feed(in, "\033[200~", 6, 1000); // nothing at all
    input_end_paste(in);
    input_end_paste(in);
    input_feed(in, "x", 1, 2000);
    ck_assert_str_eq(words.data, "x");
    input_free(in);
}
END_TEST

START_TEST(strings_without_an_end_are_bounded)
{
    struct input *in = fresh();
    char junk[1000];
    memset(junk, 'j', sizeof junk);
    input_feed(in, "\033]11;", 5, 1000);
    for (unsigned i = 0; i < 100; i++)
        input_feed(in, junk, sizeof junk, 1000);
    ck_assert_str_eq(words.data, "");
    input_feed(in, "\033\\ok", 4, 1000);
    ck_assert_str_eq(words.data, "o k");
    input_free(in);
}
END_TEST

START_TEST(the_lines_erase_key_is_backspace)
{
    struct input *in = fresh();
    input_set_erase_byte(in, 0x08);
    input_feed(in, "\010\177", 2, 1000);
    ck_assert_str_eq(words.data, "BSpace BSpace");
    input_free(in);
}
END_TEST

START_TEST(without_utf8_bytes_are_code_points)
{
    struct input *in = fresh();
    input_set_utf8(in, false);
    input_feed(in, "\xe9", 1, 1000);
    ck_assert_str_eq(words.data, "\xc3\xa9");
    input_free(in);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("input");
    TCase *tc = tcase_create("input");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, each_sequence_is_decoded_wherever_it_is_cut, 0, ARRAY_LEN(rows));
    tcase_add_test(tc, keys_carry_the_bytes_that_they_came_as);
    tcase_add_test(tc, escape_waits_for_its_time_and_no_longer);
    tcase_add_test(tc, a_cut_report_never_leaks_its_digits);
    tcase_add_test(tc, a_flood_of_motion_in_small_pieces_gives_whole_reports);
    tcase_add_test(tc, a_report_that_never_ends_does_not_swallow_what_is_typed_later);
    tcase_add_test(tc, a_large_paste_comes_whole_and_in_pieces);
    tcase_add_test(tc, user_keys_win_over_others_and_are_replaced);
    tcase_add_test(tc, a_paste_without_its_end_is_ended_with_what_was_held_back);
    tcase_add_test(tc, strings_without_an_end_are_bounded);
    tcase_add_test(tc, the_lines_erase_key_is_backspace);
    tcase_add_test(tc, without_utf8_bytes_are_code_points);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    strbuf_free(&words);
    strbuf_free(&raws);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
