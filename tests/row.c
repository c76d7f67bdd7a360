// Packed rows: what goes in comes out, and damaged ones are refused.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "common/row.h"

static const struct style red = {.fg = COLOUR_INDEXED | 1};
static const struct style fancy = {.fg = COLOUR_RGB | 0xFFFFFF,
                                   .bg = COLOUR_INDEXED | 255,
                                   .ul = COLOUR_RGB,
                                   .attrs = ATTR_BOLD | ATTR_OVERLINE};
static const struct style plain;

START_TEST(cells_come_back_as_they_were_packed)
{
    struct row_packer *p = row_packer_new();
    struct strbuf out = {0};
    struct row_reader r;
    struct row_cell c;

    row_packer_begin(p, ROW_WRAPPED | ROW_PROMPT);
    row_packer_ascii(p, &plain, NULL, "ab\0", 3);
    row_packer_cell(p, &red, NULL, "\346\251\213", 3, true);
    row_packer_cell(p, &fancy, "1;http://x", "e\314\201", 3, false);
    row_packer_ascii(p, &fancy, "1;http://y", "zz", 2);
    row_packer_ascii(p, &plain, NULL, "\0\0\0", 3);
    row_packer_end(p, &out);
    ck_assert(row_reader_init(&r, out.data, out.len));
    ck_assert_uint_eq(r.flags, ROW_WRAPPED | ROW_PROMPT);
    ck_assert_uint_eq(r.cols, 8); // blanks at the end are left out
    ck_assert(row_reader_next(&r, &c) && c.text_len == 1 && *c.text == 'a');
    ck_assert(row_reader_next(&r, &c) && style_equal(&c.style, &plain));
    ck_assert(row_reader_next(&r, &c) && c.text_len == 0);
    ck_assert(row_reader_next(&r, &c) && c.is_wide && c.text_len == 3);
    ck_assert(style_equal(&c.style, &red));
    ck_assert(row_reader_next(&r, &c) && !c.is_wide && memcmp(c.text, "e\314\201", 3) == 0);
    ck_assert(style_equal(&c.style, &fancy));
    ck_assert(c.link_len == 10 && memcmp(c.link, "1;http://x", 10) == 0);
    ck_assert(row_reader_next(&r, &c) && memcmp(c.link, "1;http://y", 10) == 0);
    ck_assert(row_reader_next(&r, &c));
    ck_assert(!row_reader_next(&r, &c));
    ck_assert_uint_eq(r.cols, 0);
    row_packer_free(p);
    strbuf_free(&out);
}
END_TEST

START_TEST(styled_blanks_at_the_end_are_kept)
{
    struct row_packer *p = row_packer_new();
    struct strbuf out = {0}, text = {0};
    struct row_reader r;

    row_packer_begin(p, 0);
    row_packer_ascii(p, &plain, NULL, "a", 1);
    row_packer_ascii(p, &red, NULL, "\0\0\0\0", 4);
    row_packer_end(p, &out);
    ck_assert(row_reader_init(&r, out.data, out.len));
    ck_assert_uint_eq(r.cols, 5);
    ck_assert(r.flags & ROW_ASCII);
    row_to_text(out.data, out.len, true, &text);
    ck_assert_str_eq(text.data, "a    ");
    strbuf_clear(&text);
    row_to_text(out.data, out.len, false, &text);
    ck_assert_str_eq(text.data, "a");
    row_packer_free(p);
    strbuf_free(&out);
    strbuf_free(&text);
}
END_TEST

START_TEST(a_plain_line_costs_its_text_and_four_bytes)
{
    struct row_packer *p = row_packer_new();
    struct strbuf out = {0};

    row_packer_begin(p, 0);
    row_packer_ascii(p, &plain, NULL, "0123456789", 10);
    row_packer_end(p, &out);
    ck_assert_uint_eq(out.len, 14);
    strbuf_clear(&out);
    row_packer_begin(p, 0);
    row_packer_end(p, &out);
    ck_assert_uint_eq(out.len, 4);
    row_packer_free(p);
    strbuf_free(&out);
}
END_TEST

START_TEST(damaged_rows_never_make_it_read_beyond_them)
{
    struct row_packer *p = row_packer_new();
    struct strbuf out = {0};
    unsigned seed = 7;

    row_packer_begin(p, 0);
    row_packer_ascii(p, &red, "1;http://x", "hello", 5);
    row_packer_cell(p, &fancy, NULL, "\346\251\213", 3, true);
    row_packer_end(p, &out);
    for (unsigned i = 0; i < 20000; i++) {
        size_t len = i < out.len ? i : out.len;
        // Its own block, so that a sanitizer sees a byte too many.
        uint8_t *copy = xmemdup(out.data, len + 1);
        struct row_reader r;
        struct row_cell c;

        if (i >= out.len) {
            seed = seed * 1103515245u + 12345;
            copy[(seed >> 16) % len] = (uint8_t)(seed >> 8);
        }
        copy = xrealloc(copy, len + (len == 0));
        if (row_reader_init(&r, copy, len)) {
            unsigned n = 0;

            while (row_reader_next(&r, &c)) {
                if (c.text_len > 0 && ((const uint8_t *)c.text < copy ||
                                       (const uint8_t *)c.text + c.text_len > copy + len))
                    ck_abort_msg("text outside");
                n++;
            }
            ck_assert_uint_le(n, 65535);
        }
        free(copy);
    }
    row_packer_free(p);
    strbuf_free(&out);
}
END_TEST

START_TEST(any_order_of_many_styles_is_read_back)
{
    enum { STYLES = 1000, CELLS = 5000 };
    struct row_packer *p = row_packer_new();
    struct strbuf out = {0};
    struct row_reader r;
    struct row_cell c;

    row_packer_begin(p, 0);
    for (unsigned i = 0; i < CELLS; i++) {
        unsigned n = i < STYLES ? i : i * 7919u % STYLES;
        struct style s = {.fg = COLOUR_RGB | n};

        row_packer_ascii(p, &s, n % 3 == 0 ? "1;http://x" : NULL, "x", 1);
    }
    row_packer_end(p, &out);
    ck_assert(row_reader_init(&r, out.data, out.len));
    for (unsigned i = 0; i < CELLS; i++) {
        unsigned n = i < STYLES ? i : i * 7919u % STYLES;

        ck_assert(row_reader_next(&r, &c));
        ck_assert_uint_eq(c.style.fg, COLOUR_RGB | n);
        ck_assert((c.link != NULL) == (n % 3 == 0));
    }
    ck_assert(!row_reader_next(&r, &c));
    row_packer_free(p);
    strbuf_free(&out);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("row");
    TCase *c = tcase_create("row");
    SRunner *r;
    int failed;

    tcase_add_test(c, cells_come_back_as_they_were_packed);
    tcase_add_test(c, styled_blanks_at_the_end_are_kept);
    tcase_add_test(c, a_plain_line_costs_its_text_and_four_bytes);
    tcase_add_test(c, damaged_rows_never_make_it_read_beyond_them);
    tcase_add_test(c, any_order_of_many_styles_is_read_back);
    suite_add_tcase(s, c);
    r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed > 0;
}
