// UTF-8 and widths.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "common/util.h"

START_TEST(malformed_bytes_become_one_replacement_a_maximal_subpart)
{
    // Unicode 3.9, table 3-8, and what stands around it.
    static const struct {
        const char *in;
        uint32_t out[8];
    } cases[] = {
        {"\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80", {0x61, 0xFFFD, 0xFFFD, 0xFFFD, 0x62, 0xFFFD}},
        {"\xC0\xAF", {0xFFFD, 0xFFFD}},
        {"\xE0\x80\xBF", {0xFFFD, 0xFFFD, 0xFFFD}},
        {"\xED\xA0\x80", {0xFFFD, 0xFFFD, 0xFFFD}},
        {"\xF4\x90\x80", {0xFFFD, 0xFFFD, 0xFFFD}},
        {"\xFF\xFE", {0xFFFD, 0xFFFD}},
        {"\xE2\x80", {0xFFFD}},
        {"\xF0\x9F\x98\x80!", {0x1F600, '!'}},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *s = cases[i].in;
        size_t len = strlen(s), n = 0;

        while (len > 0) {
            uint32_t cp;
            size_t used = utf8_next(s, len, &cp);

            ck_assert_uint_ge(used, 1);
            ck_assert_uint_eq(cp, cases[i].out[n++]);
            s += used;
            len -= used;
        }
        ck_assert_uint_eq(cases[i].out[n], 0);
    }
}
END_TEST

START_TEST(every_code_point_comes_back)
{
    for (uint32_t cp = 1; cp <= 0x10FFFF; cp += cp < 0x3000 ? 1 : 97) {
        char text[UTF8_MAX_BYTES];
        uint32_t back;
        size_t n;

        if (cp >= 0xD800 && cp <= 0xDFFF)
            continue;
        n = utf8_encode(cp, text);
        if (utf8_next(text, n, &back) != n || back != cp || !utf8_is_valid(text, n))
            ck_abort_msg("U+%04X", cp);
    }
    ck_assert(!utf8_is_valid("\xED\xA0\x80", 3));
    ck_assert(!utf8_is_valid("a\xC3", 2));
}
END_TEST

START_TEST(widths_follow_one_policy)
{
    static const struct {
        const char *text;
        unsigned width;
    } cases[] = {
        {"", 0},
        {"abc", 3},
        {"\303\251", 1},
        {"e\314\201", 1},
        {"\346\251\213", 2},
        {"\343\203\233\343\202\232", 2},
        {"\352\260\200", 2},
        {"\341\204\200\341\205\241", 2},
        {"\360\237\221\250\342\200\215\360\237\221\251\342\200\215\360\237\221\247", 2},
        {"\342\235\244", 1},
        {"\342\235\244\357\270\217", 2},
        {"\360\237\221\215\360\237\217\275", 2},
        {"\360\237\207\270\360\237\207\254\360\237\207\270\360\237\207\254", 4},
        {"\342\234\215", 1},
        {"\342\200\213", 0},
        {"a\tb", 2},
        {"\302\255", 1},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        if (utf8_string_width(cases[i].text) != cases[i].width)
            ck_abort_msg("case %zu: %u", i, utf8_string_width(cases[i].text));
    }
}
END_TEST

START_TEST(prefix_never_cuts_a_cluster)
{
    static const char family[] = "a\360\237\221\250\342\200\215\360\237\221\251b";

    ck_assert_uint_eq(utf8_prefix(family, 1), 1);
    ck_assert_uint_eq(utf8_prefix(family, 2), 1);
    ck_assert_uint_eq(utf8_prefix(family, 3), sizeof family - 2);
    ck_assert_uint_eq(utf8_prefix(family, 9), sizeof family - 1);
    ck_assert_uint_eq(utf8_prefix("e\314\201", 1), 3);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("utf8");
    TCase *c = tcase_create("utf8");
    SRunner *r;
    int failed;

    tcase_add_test(c, malformed_bytes_become_one_replacement_a_maximal_subpart);
    tcase_add_test(c, every_code_point_comes_back);
    tcase_add_test(c, widths_follow_one_policy);
    tcase_add_test(c, prefix_never_cuts_a_cluster);
    suite_add_tcase(s, c);
    r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed > 0;
}
