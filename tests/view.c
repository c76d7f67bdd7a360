// View mode: a command's output as lines to read and copy from, whatever bytes are in it.
#include "tests/mode_outside.h"

#include "server/mode/copy.h"

static void set_up(void)
{
    outside_set_up();
    struct vt_limits limits = {1000, 1u << 20};
    pane.cols = 20;
    pane.rows = 4;
    pane.vt = vt_new(20, 4, &limits, NULL, NULL);
    vt_feed(pane.vt, "$ ", 2);
}

static void tear_down(void)
{
    mode_pop_all(&pane);
    vt_free(pane.vt);
    outside_tear_down();
}

static void add(const char *text)
{
    view_mode_add(&pane, text, strlen(text));
}

static void command(const char *name)
{
    char *cause = NULL, *args[] = {NULL};
    ck_assert(pane.mode->mode->command(pane.mode, NULL, name, args, 0, 1, &cause));
}

static void ck_row(unsigned y, const char *want)
{
    struct view v;
    struct strbuf packed = {0}, text = {0};
    pane.mode->mode->view(pane.mode, &v);
    v.ops->pack(&v, y, &packed);
    row_to_text(packed.data, packed.len, false, &text);
    ck_assert_str_eq(text.data == NULL ? "" : text.data, want);
    strbuf_free(&packed);
    strbuf_free(&text);
}

START_TEST(lines_are_read_from_their_top_and_copied_from)
{
    for (int i = 1; i <= 9; i++) {
        char line[32];
        snprintf(line, sizeof line, "line %d\n", i);
        add(line);
    }
    ck_assert_str_eq(pane.mode->mode->name, "view-mode");
    ck_row(0, "line 1         [5/5]");
    ck_row(3, "line 4");
    command("history-bottom");
    ck_row(3, "line 9");
    add("line 10");
    ck_row(3, "line 9");
    command("history-bottom");
    ck_row(3, "line 10");
    command("copy-line");
    ck_assert_str_eq(buffer_top()->data, "line 10");
    buffer_free(buffer_top());
    command("cancel");
    ck_assert_ptr_null(pane.mode);
}
END_TEST

START_TEST(hostile_output_is_shown_not_obeyed)
{
    add("a\x1b[2Jb\x1b]0;title\x07"
        "c\xff\n\xc2\x9b"
        "31mz");
    ck_row(0, "a\\033[2Jb\\033]0[0/0]");
    struct view v;
    pane.mode->mode->view(pane.mode, &v);
    ck_assert(v.cursor.is_visible);
    command("history-bottom");
    for (unsigned y = 0; y < 4; y++) {
        struct strbuf packed = {0}, text = {0};
        v.ops->pack(&v, y, &packed);
        row_to_text(packed.data, packed.len, true, &text);
        for (size_t i = 0; i < text.len; i++)
            ck_assert_int_ge((unsigned char)text.data[i], 0x20);
        strbuf_free(&packed);
        strbuf_free(&text);
    }
}
END_TEST

START_TEST(an_empty_line_is_a_line)
{
    add("\n");
    add("x\n\ny\n");
    ck_row(1, "x");
    ck_row(2, "");
    ck_row(3, "y");
}
END_TEST

START_TEST(a_new_size_wraps_the_lines_anew)
{
    add("abcdefghijklmnopqrstuvwxyz\nshort");
    ck_row(1, "uvwxyz");
    pane.mode->mode->resize(pane.mode, 40, 3);
    ck_row(1, "short");
    pane.mode->mode->resize(pane.mode, 1, 1);
    pane.mode->mode->resize(pane.mode, 30, 4);
    command("history-top");
    ck_row(0, "abcdefghijklmnopqrstuvwxy[0/0]");
    ck_row(1, "short");
}
END_TEST

START_TEST(copy_mode_below_comes_back)
{
    char *cause = NULL;
    ck_assert(mode_push(&pane, &copy_mode, NULL, &cause));
    add("output");
    ck_assert_str_eq(pane.mode->mode->name, "view-mode");
    command("cancel");
    ck_assert_str_eq(pane.mode->mode->name, "copy-mode");
    mode_pop_all(&pane);
    ck_assert_ptr_null(pane.mode);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("view");
    TCase *tc = tcase_create("view");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, lines_are_read_from_their_top_and_copied_from);
    tcase_add_test(tc, hostile_output_is_shown_not_obeyed);
    tcase_add_test(tc, an_empty_line_is_a_line);
    tcase_add_test(tc, a_new_size_wraps_the_lines_anew);
    tcase_add_test(tc, copy_mode_below_comes_back);
    suite_add_tcase(s, tc);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
