// Keys, mouse events and pastes as programs get them.
#include "common/key.h"
#include "tests/vt_helper.h"

static const char *key(struct term *t, key_code k)
{
    static char text[256];
    struct strbuf out = {0};

    vt_encode_key(t->vt, k, &out);
    snprintf(text, sizeof text, "%s", out.data != NULL ? out.data : "");
    strbuf_free(&out);
    return text;
}

START_TEST(keys_have_their_xterm_bytes)
{
    static const struct {
        const char *modes;
        key_code key;
        const char *bytes;
    } cases[] = {
        {"", 'a', "a"},
        {"", 0xE9, "\303\251"},
        {"", 'a' | KEY_META, "\033a"},
        {"", 'a' | KEY_CTRL, "\001"},
        {"", '[' | KEY_CTRL, "\033"},
        {"", 'a' | KEY_CTRL | KEY_META, "\033\001"},
        {"", '/' | KEY_CTRL, "\037"},
        {"", key_special(KS_UP), "\033[A"},
        {"\033[?1h", key_special(KS_UP), "\033OA"},
        {"\033[?1h", key_special(KS_UP) | KEY_CTRL, "\033[1;5A"},
        {"", key_special(KS_LEFT) | KEY_META, "\033[1;3D"},
        {"", key_special(KS_HOME), "\033[H"},
        {"", key_special(KS_F1), "\033OP"},
        {"", key_special(KS_F1) | KEY_SHIFT, "\033[1;2P"},
        {"", key_special(KS_F13), "\033[1;2P"},
        {"", key_special(KS_F5), "\033[15~"},
        {"", key_special(KS_F12) | KEY_CTRL, "\033[24;5~"},
        {"", key_special(KS_DC), "\033[3~"},
        {"", key_special(KS_PPAGE) | KEY_SHIFT, "\033[5;2~"},
        {"", key_special(KS_BSPACE), "\177"},
        {"\033[?67h", key_special(KS_BSPACE), "\b"},
        {"", key_special(KS_BSPACE) | KEY_META, "\033\177"},
        {"", key_special(KS_TAB), "\t"},
        {"", key_special(KS_TAB) | KEY_SHIFT, "\033[Z"},
        {"", key_special(KS_BTAB), "\033[Z"},
        {"", key_special(KS_ENTER), "\r"},
        {"", key_special(KS_ENTER) | KEY_SHIFT, "\r"},
        {"\033[>4;1m", key_special(KS_ENTER) | KEY_SHIFT, "\033[27;2;13~"},
        {"\033[>4;1m", 'a' | KEY_CTRL, "\001"},
        {"\033[>4;2m", 'a' | KEY_CTRL, "\033[27;5;97~"},
        {"\033[20h", key_special(KS_ENTER), "\r\n"},
        {"", key_special(KS_ESCAPE), "\033"},
        {"", key_special(KS_KP_5), "5"},
        {"\033=", key_special(KS_KP_5), "\033Ou"},
        {"\033=", key_special(KS_KP_ENTER), "\033OM"},
        {"", key_special(KS_ANY), ""},
        {"", KEY_NONE, ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct term *t = term_new(5, 20);

        term_feed(t, cases[i].modes);
        if (strcmp(key(t, cases[i].key), cases[i].bytes) != 0)
            ck_abort_msg("case %zu", i);
        term_free(t);
    }
}
END_TEST

START_TEST(control_space_is_a_nul)
{
    struct term *t = term_new(5, 20);
    struct strbuf out = {0};

    vt_encode_key(t->vt, ' ' | KEY_CTRL, &out);
    ck_assert_uint_eq(out.len, 1);
    ck_assert_int_eq(out.data[0], 0);
    strbuf_free(&out);
    term_free(t);
}
END_TEST

static const char *mouse(struct term *t, struct vt_mouse m)
{
    static char text[64];
    struct strbuf out = {0};

    vt_encode_mouse(t->vt, &m, &out);
    snprintf(text, sizeof text, "%.*s", (int)out.len, out.data != NULL ? out.data : "");
    strbuf_free(&out);
    return text;
}

START_TEST(mouse_reports_are_whole_or_not_at_all)
{
    struct term *t = term_new(24, 300);
    struct vt_mouse down = {.kind = MOUSE_DOWN, .button = 1, .x = 9, .y = 4};
    struct vt_mouse far = {.kind = MOUSE_DOWN, .button = 1, .x = 249, .y = 4};
    struct vt_mouse drag = {.kind = MOUSE_DRAG, .button = 1, .x = 1, .y = 1};
    struct vt_mouse up = {.kind = MOUSE_UP, .button = 3, .x = 0, .y = 0, .modifiers = KEY_CTRL};
    struct vt_mouse wheel = {.kind = MOUSE_WHEEL_DOWN, .x = 0, .y = 0};
    struct vt_mouse extra = {.kind = MOUSE_DOWN, .button = 9, .x = 0, .y = 0};

    ck_assert_str_eq(mouse(t, down), "");
    term_feed(t, "\033[?1000h");
    ck_assert_str_eq(mouse(t, down), "\033[M *%");
    ck_assert_str_eq(mouse(t, far), ""); // IN-09
    ck_assert_str_eq(mouse(t, drag), "");
    term_feed(t, "\033[?1005h");
    ck_assert_str_eq(mouse(t, far), "\033[M \304\232%");
    term_feed(t, "\033[?1006h");
    ck_assert_str_eq(mouse(t, far), "\033[<0;250;5M");
    ck_assert_str_eq(mouse(t, up), "\033[<18;1;1m");
    ck_assert_str_eq(mouse(t, wheel), "\033[<65;1;1M");
    ck_assert_str_eq(mouse(t, extra), "\033[<129;1;1M");
    term_feed(t, "\033[?1002h");
    ck_assert_str_eq(mouse(t, drag), "\033[<32;2;2M");
    term_feed(t, "\033[?1003h");
    ck_assert_str_eq(mouse(t, (struct vt_mouse){.kind = MOUSE_MOVE}), "\033[<35;1;1M");
    term_feed(t, "\033[?1003l");
    ck_assert_str_eq(mouse(t, down), "");
    term_free(t);
}
END_TEST

// IN-01, for every cut into two pieces.
START_TEST(a_paste_cannot_end_itself)
{
    static const char payload[] = "echo safe\033[201~\ncut \302\2331 \2331 \303\251\t.\302";
    struct term *t = term_new(5, 20);
    size_t len = sizeof payload - 1;

    term_feed(t, "\033[?2004h");
    for (size_t cut = 0; cut <= len; cut++) {
        struct strbuf out = {0};

        vt_encode_paste(t->vt, true, false, payload, cut, &out);
        vt_encode_paste(t->vt, false, true, payload + cut, len - cut, &out);
        ck_assert_str_eq(out.data, "\033[200~echo safe[201~\rcut 1 1 \303\251\t.\302\033[201~");
        strbuf_free(&out);
    }
    term_feed(t, "\033[?2004l");
    {
        struct strbuf out = {0};

        vt_encode_paste(t->vt, true, true, "a\nb", 3, &out);
        ck_assert_str_eq(out.data, "a\rb");
        strbuf_free(&out);
    }
    term_free(t);
}
END_TEST

START_TEST(focus_is_told_only_when_asked_for)
{
    struct term *t = term_new(5, 20);
    struct strbuf out = {0};

    vt_encode_focus(t->vt, true, &out);
    ck_assert_uint_eq(out.len, 0);
    term_feed(t, "\033[?1004h");
    vt_encode_focus(t->vt, true, &out);
    vt_encode_focus(t->vt, false, &out);
    ck_assert_str_eq(out.data, "\033[I\033[O");
    strbuf_free(&out);
    term_free(t);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("keyenc");
    TCase *c = tcase_create("keyenc");
    SRunner *r;
    int failed;

    tcase_add_test(c, keys_have_their_xterm_bytes);
    tcase_add_test(c, control_space_is_a_nul);
    tcase_add_test(c, mouse_reports_are_whole_or_not_at_all);
    tcase_add_test(c, a_paste_cannot_end_itself);
    tcase_add_test(c, focus_is_told_only_when_asked_for);
    suite_add_tcase(s, c);
    r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed > 0;
}
