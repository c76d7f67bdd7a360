// Keys' names: what configurations say, and what list-keys shows.
#include <check.h>
#include <stdlib.h>

#include "common/key.h"
#include "common/util.h"

START_TEST(names_mean_the_keys_that_tmux_users_know)
{
    static const struct {
        const char *name;
        key_code key;
    } rows[] = {
        {"a", 'a'},
        {"A", 'A'},
        {"-", '-'},
        {"C-b", KEY_CTRL | 'b'},
        {"C-B", KEY_CTRL | 'b'},
        {"^b", KEY_CTRL | 'b'},
        {"^", '^'},
        {"C--", KEY_CTRL | '-'},
        {"M-x", KEY_META | 'x'},
        {"C-M-x", KEY_META | KEY_CTRL | 'x'},
        {"M-^x", KEY_META | KEY_CTRL | 'x'},
        {"Space", ' '},
        {"C-Space", KEY_CTRL | ' '},
        {"C-@", KEY_CTRL | ' '},
        {"M-Left", KEY_META | key_special(KS_LEFT)},
        {"s-f5", KEY_SHIFT | key_special(KS_F5)},
        {"S-Tab", key_special(KS_BTAB)},
        {"PageUp", key_special(KS_PPAGE)},
        {"PgDn", key_special(KS_NPAGE)},
        {"Delete", key_special(KS_DC)},
        {"KP*", key_special(KS_KP_STAR)},
        {"\xc3\xa9", 0xe9},
        {"0x1b", key_special(KS_ESCAPE)},
        {"0xe9", 0xe9},
        {"0x01", KEY_CTRL | 'a'},
        {"User0", key_special(KS_USER0)},
        {"User99", key_special(KS_USER_LAST)},
        {"Any", key_special(KS_ANY)},
        {"None", KEY_NONE},
        {"F20", key_special(KS_F20)},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        ck_assert_msg(key_from_name(rows[i].name) == rows[i].key, "%s", rows[i].name);
}
END_TEST

START_TEST(what_is_no_key_is_unknown)
{
    static const char *const names[] = {"",      "C-",    "Foo",    "User100", "0x",     "0x110000",
                                        "0xd800", "D-x",   "M-Foo",  "MouseDown4Pane",
                                        "MouseDown1", "WheelUp1Pane", "MouseDown12Pane", "\xff", "ab"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        ck_assert_msg(key_from_name(names[i]) == KEY_UNKNOWN, "%s", names[i]);
}
END_TEST

START_TEST(a_shown_name_reads_back_as_the_same_key)
{
    for (uint32_t cp = 0; cp < 0x300; cp++) {
        if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0))
            continue;
        ck_assert_uint_eq(key_from_name(key_to_name(cp)), cp);
    }
    static const key_code modifiers[] = {0, KEY_META, KEY_CTRL, KEY_SHIFT, KEY_META | KEY_CTRL | KEY_SHIFT};
    for (unsigned ks = 0; ks <= KS_USER_LAST; ks++) {
        for (size_t i = 0; i < ARRAY_LEN(modifiers); i++) {
            key_code key = key_special(ks) | modifiers[i];
            if (ks == KS_TAB && (modifiers[i] & KEY_SHIFT))
                continue; // that is BTab
            ck_assert_msg(key_from_name(key_to_name(key)) == key, "%s", key_to_name(key));
        }
    }
    ck_assert_str_eq(key_to_name(KEY_CTRL | KEY_META | key_special(KS_UP)), "C-M-Up");
}
END_TEST

START_TEST(mouse_keys_have_kind_button_and_place)
{
    ck_assert_uint_eq(key_from_name("MouseDown1Pane"), key_mouse(MOUSE_DOWN, 1, PLACE_PANE));
    ck_assert_uint_eq(key_from_name("MouseDragEnd3StatusLeft"),
                      key_mouse(MOUSE_DRAG_END, 3, PLACE_STATUS_LEFT));
    ck_assert_uint_eq(key_from_name("M-WheelUpStatus"),
                      KEY_META | key_mouse(MOUSE_WHEEL_UP, 0, PLACE_STATUS));
    for (unsigned kind = 0; kind < MOUSE_KINDS; kind++) {
        for (unsigned place = 0; place < MOUSE_PLACES; place++) {
            for (unsigned button = 1; button <= 11; button++) {
                if (button == 4 || button == 5)
                    continue;
                key_code key = key_mouse(kind, button, place);
                ck_assert(key_is_mouse(key));
                ck_assert_msg(key_from_name(key_to_name(key)) == key, "%s", key_to_name(key));
                enum mouse_kind k;
                enum mouse_place p;
                unsigned b;
                ck_assert(key_mouse_parts(key, &k, &b, &p));
                ck_assert(k == kind && p == place);
            }
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("key");
    TCase *tc = tcase_create("names");
    tcase_add_test(tc, names_mean_the_keys_that_tmux_users_know);
    tcase_add_test(tc, what_is_no_key_is_unknown);
    tcase_add_test(tc, a_shown_name_reads_back_as_the_same_key);
    tcase_add_test(tc, mouse_keys_have_kind_button_and_place);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
