// Copy mode: motions, selections and searches as tmux has them, rows that output does not move, and
// what is drawn.
#include "tests/mode_outside.h"

#include "server/mode/copy.h"
#include "tests/copy_cases.h"

static void make_pane(unsigned cols, unsigned rows)
{
    struct vt_limits limits = {60000, 32u << 20};
    pane.cols = cols;
    pane.rows = rows;
    pane.vt = vt_new(cols, rows, &limits, NULL, NULL);
}

static void print(const char *text)
{
    for (const char *nl; (nl = strchr(text, '\n')) != NULL; text = nl + 1) {
        vt_feed(pane.vt, text, (size_t)(nl - text));
        vt_feed(pane.vt, "\r\n", 2);
    }
    vt_feed(pane.vt, text, strlen(text));
}

static void enter(void)
{
    char *cause = NULL;
    ck_assert(mode_push(&pane, &copy_mode, NULL, &cause));
}

static struct copy *mode(void)
{
    ck_assert_ptr_nonnull(pane.mode);
    return pane.mode->data;
}

static bool try_command(const char *text, char **cause)
{
    unsigned repeat = 1;
    char *copy = xstrdup(text), *name = copy, *args[2] = {NULL, NULL};
    if (*name >= '0' && *name <= '9') {
        repeat = (unsigned)strtoul(name, &name, 10);
        name++;
    }
    char *space = strchr(name, ' ');
    if (space != NULL) {
        *space = '\0';
        args[0] = space + 1;
    }
    bool ok =
        pane.mode->mode->command(pane.mode, &client, name, args, args[0] != NULL, repeat, cause);
    free(copy);
    return ok;
}

static bool is_quiet(void)
{
    return pane.mode == NULL || (!copy_is_searching(mode()) && !copy_is_taking(mode()));
}

// "3:cursor-up" with a count, "search-forward foo" with an argument.
static void command(const char *text)
{
    char *cause = NULL;
    ck_assert_msg(try_command(text, &cause), "%s: %s", text, cause);
}

static void commands(const char *list)
{
    char *copy = xstrdup(list), *next = copy, *one;
    while ((one = strsep(&next, ";")) != NULL && pane.mode != NULL) {
        command(one);
        outside_run_until(is_quiet);
    }
    free(copy);
}

static char *take_buffer(void)
{
    struct buffer *b = buffer_top();
    if (b == NULL)
        return NULL;
    char *text = xstrndup(b->data, b->size);
    while ((b = buffer_next(NULL)) != NULL)
        buffer_free(b);
    return text;
}

static char *row_shown(unsigned y)
{
    struct view v;
    struct strbuf packed = {0}, text = {0};
    pane.mode->mode->view(pane.mode, &v);
    v.ops->pack(&v, y, &packed);
    row_to_text(packed.data, packed.len, false, &text);
    strbuf_free(&packed);
    return strbuf_take(&text);
}

static struct style style_shown(unsigned x, unsigned y)
{
    struct view v;
    struct strbuf packed = {0};
    struct row_reader r;
    struct row_cell cell = {0};
    pane.mode->mode->view(pane.mode, &v);
    v.ops->pack(&v, y, &packed);
    ck_assert(row_reader_init(&r, packed.data, packed.len));
    for (unsigned i = 0; i <= x; i++) {
        if (!row_reader_next(&r, &cell))
            cell.style = (struct style){0};
    }
    strbuf_free(&packed);
    return cell.style;
}

static struct row_tag tag_shown(unsigned y)
{
    struct view v;
    pane.mode->mode->view(pane.mode, &v);
    return v.ops->tag(&v, y);
}

static void ck_row(unsigned y, const char *want)
{
    char *text = row_shown(y);
    ck_assert_str_eq(text, want);
    free(text);
}

static void set_up(void)
{
    outside_set_up();
}

static void tear_down(void)
{
    mode_pop_all(&pane);
    if (pane.vt != NULL)
        vt_free(pane.vt);
    pane.vt = NULL;
    outside_tear_down();
}

START_TEST(keys_leave_cursor_and_buffer_where_tmux_does)
{
    make_pane(40, 10);
    print(copy_cases_text);
    unsigned n_wrong = 0;
    for (size_t i = 0; i < ARRAY_LEN(copy_cases); i++) {
        const struct copy_case *cs = &copy_cases[i];
        options_set_number(window.options, "mode-keys", cs->is_vi);
        enter();
        commands(cs->commands);
        const struct copy *c = mode();
        char *text = take_buffer();
        bool is_right =
            c->cx == cs->x && c->cy == cs->y && c->oy == cs->scroll &&
            (cs->buffer == NULL ? text == NULL : text != NULL && strcmp(text, cs->buffer) == 0);
        if (!is_right) {
            n_wrong++;
            fprintf(stderr, "%s %s: %u,%u,%u and \"%s\"; should be %u,%u,%u and \"%s\"\n",
                    cs->is_vi ? "vi" : "emacs", cs->commands, c->cx, c->cy, c->oy,
                    text == NULL ? "-" : text, cs->x, cs->y, cs->scroll,
                    cs->buffer == NULL ? "-" : cs->buffer);
        }
        free(text);
        mode_pop_all(&pane);
    }
    ck_assert_uint_eq(n_wrong, 0);
}
END_TEST

START_TEST(output_does_not_move_what_is_read)
{
    make_pane(20, 4);
    print("one\ntwo\nthree\nfour\nfive\nsix");
    enter();
    commands("2:scroll-up");
    ck_row(1, "two");
    for (int i = 0; i < 50; i++)
        print("\nnew output");
    ck_row(1, "two");
    ck_row(3, "four");
    commands("history-bottom");
    ck_row(3, "six");
    // Only when it is asked for, it is the pane's again.
    commands("refresh-from-pane");
    ck_row(3, "new output");
}
END_TEST

START_TEST(rows_shown_stay_when_the_history_drops_them)
{
    make_pane(20, 3);
    struct vt_limits limits = {5, 1u << 20};
    vt_set_history(pane.vt, &limits);
    print("one\ntwo\nthree\nfour\nfive\nsix\nseven\neight");
    enter();
    command("history-top");
    ck_row(1, "two");
    for (int i = 0; i < 200; i++)
        print("\nflood");
    ck_row(1, "two");
    ck_row(2, "three");
    command("cursor-up");
    commands("history-bottom;history-top");
    command("2:page-up");
    command("search-backward nothing");
    ck_row(0, "six            [0/0]");
}
END_TEST

START_TEST(cleared_history_is_no_trouble)
{
    make_pane(20, 3);
    print("1\n2\n3\n4\n5\n6\n7\n8");
    enter();
    commands("history-top;begin-selection");
    vt_clear_history(pane.vt);
    commands("2:cursor-down;next-word;search-forward 8;history-top;copy-selection");
    free(take_buffer());
}
END_TEST

START_TEST(position_stands_at_the_right_of_the_first_row_unless_hidden)
{
    make_pane(20, 3);
    print("first\n2\n3\n4\n5");
    enter();
    ck_row(0, "3              [0/2]");
    command("scroll-up");
    ck_row(0, "2              [1/2]");
    ck_assert(style_shown(19, 0).bg == colour_indexed(3));
    command("toggle-position");
    ck_row(0, "2");
}
END_TEST

START_TEST(only_rows_that_changed_get_another_tag)
{
    make_pane(20, 5);
    print("a\nb\nc\nd\ne\nf\ng\nh");
    enter();
    struct row_tag before[5];
    for (unsigned y = 0; y < 5; y++)
        before[y] = tag_shown(y);
    commands("2:cursor-up;begin-selection;cursor-up");
    for (unsigned y = 0; y < 5; y++) {
        struct row_tag now = tag_shown(y);
        ck_assert_uint_eq(now.id, before[y].id);
        ck_assert_int_eq(now.gen != before[y].gen, y == 1 || y == 2);
    }
    // Scrolled rows are the same rows, all but the one with the position.
    command("clear-selection");
    command("scroll-up");
    ck_assert(tag_shown(3).id == before[2].id && tag_shown(3).gen == before[2].gen);
    ck_assert(tag_shown(0).gen != before[0].gen);
}
END_TEST

START_TEST(selection_is_drawn_in_mode_style_to_the_end_of_the_row)
{
    make_pane(10, 4);
    print("abc\ndef\nghi");
    enter();
    commands("history-top;cursor-right;begin-selection;cursor-down");
    ck_assert(style_shown(0, 0).bg == COLOUR_DEFAULT);
    ck_assert(style_shown(1, 0).bg == colour_indexed(3));
    ck_assert(style_shown(9, 0).bg == colour_indexed(3));
    ck_assert(style_shown(0, 1).bg == colour_indexed(3));
    ck_assert(style_shown(1, 1).bg == COLOUR_DEFAULT);
}
END_TEST

START_TEST(matches_are_drawn_and_counted)
{
    make_pane(20, 4);
    print("foo bar\nxfoo\nFOO\n");
    enter();
    commands("history-top;search-forward foo");
    ck_assert(style_shown(0, 0).bg == colour_indexed(5)); // the current one
    ck_assert(style_shown(1, 1).bg == colour_indexed(6));
    ck_assert(style_shown(0, 1).bg == COLOUR_DEFAULT);
    char *count = pane.mode->mode->variable(pane.mode, "search_count");
    ck_assert_str_eq(count, "3");
    free(count);
    // An upper-case letter asks for the exact case.
    command("search-forward FOO");
    ck_assert(style_shown(0, 0).bg == COLOUR_DEFAULT);
    ck_assert(style_shown(0, 2).bg == colour_indexed(5));
}
END_TEST

START_TEST(search_crosses_a_soft_wrap)
{
    make_pane(10, 4);
    print("abcdefghijklmnop\nq");
    enter();
    commands("toggle-position;history-top;search-forward ijkl");
    ck_assert_uint_eq(mode()->cx, 2);
    ck_assert_uint_eq(mode()->cy, 1);
    ck_assert(style_shown(8, 0).bg == colour_indexed(5) &&
              style_shown(1, 1).bg == colour_indexed(5));
}
END_TEST

START_TEST(hostile_patterns_end)
{
    make_pane(60, 4);
    print("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\n");
    enter();
    char *cause = NULL;
    ck_assert(!try_command("search-forward (a", &cause));
    ck_assert_ptr_nonnull(strstr(cause, "bad regular expression"));
    free(cause);
    command("search-forward (a+)+(a+)+(a+)+$c");
    command("search-forward x*");
    command("search-forward ^");
    outside_run_until(is_quiet);
    char *big = xmalloc(100000);
    memset(big, 'a', 99999);
    big[99999] = '\0';
    char *args[] = {big, NULL};
    ck_assert(!pane.mode->mode->command(pane.mode, NULL, "search-forward", args, 1, 1, &cause));
    free(cause);
    free(big);
}
END_TEST

static void print_numbered(unsigned n)
{
    char line[128];
    for (unsigned i = 0; i < n; i++) {
        snprintf(line, sizeof line, "line %u of a long history with the number %u\r\n", i, i * 7);
        vt_feed(pane.vt, line, strlen(line));
    }
}

START_TEST(long_search_goes_on_in_slices_and_later_commands_wait)
{
    make_pane(80, 24);
    print_numbered(50000);
    int64_t began = clock_monotonic_us();
    enter();
    int64_t entered = clock_monotonic_us() - began;
    began = clock_monotonic_us();
    command("search-backward line 3 of");
    int64_t slice = clock_monotonic_us() - began;
    ck_assert_msg(slice < 100000, "a slice took %lld us", (long long)slice);
    command("copy-line"); // acts on the line that is found, not on the one where it began
    outside_run_until(is_quiet);
    int64_t took = clock_monotonic_us() - began;
    char *text = take_buffer();
    ck_assert_str_eq(text, "line 3 of a long history with the number 21");
    free(text);
    printf("50000 lines: entering %lld us, search to the far end %lld us, first slice %lld us\n",
           (long long)entered, (long long)took, (long long)slice);
}
END_TEST

START_TEST(search_under_way_can_be_cancelled)
{
    make_pane(80, 24);
    print_numbered(50000);
    enter();
    command("search-backward no such line");
    if (copy_is_searching(mode()))
        command("cursor-up");
    command("cancel");
    ck_assert_ptr_null(pane.mode);
}
END_TEST

START_TEST(long_selection_is_copied_in_slices_whole)
{
    make_pane(80, 24);
    print_numbered(50000);
    enter();
    commands("history-top;begin-selection;history-bottom");
    command("copy-selection-and-cancel");
    outside_run_until(is_quiet);
    ck_assert_ptr_null(pane.mode);
    char *text = take_buffer();
    unsigned lines = 0;
    for (const char *s = text; (s = strchr(s, '\n')) != NULL; s++)
        lines++;
    ck_assert_uint_eq(lines, 50000);
    ck_assert_int_eq(strncmp(text, "line 0 of", 9), 0);
    free(text);
}
END_TEST

START_TEST(copying_sets_the_clipboard_of_clients_that_look)
{
    make_pane(20, 4);
    print("hello there");
    enter();
    commands("history-top;begin-selection;next-word-end;copy-selection-and-cancel");
    ck_assert_ptr_null(pane.mode);
    ck_assert_str_eq(clipboard, "hello");
    free(take_buffer());
    free(clipboard);
    clipboard = NULL;
    options_set_number(server_scope, "set-clipboard", 0);
    enter();
    commands("history-top;begin-selection;next-word-end;copy-selection-and-cancel");
    ck_assert_ptr_null(clipboard);
    free(take_buffer());
}
END_TEST

START_TEST(a_command_gets_what_is_copied)
{
    make_pane(20, 4);
    print("hello there");
    enter();
    commands("history-top;begin-selection;next-word-end;copy-pipe-no-clear tr a b");
    ck_assert_str_eq(piped, "tr a b<hello");
    char *text = take_buffer();
    ck_assert_str_eq(text, "hello");
    free(text);
    options_set_string(server_scope, "copy-command", "xclip");
    command("pipe-and-cancel");
    ck_assert_str_eq(piped, "xclip<hello");
    ck_assert_ptr_null(pane.mode);
    ck_assert_ptr_null(take_buffer());
}
END_TEST

START_TEST(new_width_keeps_the_line_in_view)
{
    make_pane(20, 4);
    for (int i = 0; i < 40; i++) {
        char line[64];
        snprintf(line, sizeof line, "number %d and more text to wrap\n", i);
        print(line);
    }
    enter();
    commands("30:scroll-up;middle-line");
    char *before = row_shown(1);
    struct copy_pos start = copy_line_start(mode(), copy_cursor(mode()));
    const struct copy_line *l = copy_line(mode(), start.row);
    char *line = xstrndup(l->text.data, 9);
    vt_resize(pane.vt, 33, 4);
    pane.mode->mode->resize(pane.mode, 33, 4);
    start = copy_line_start(mode(), copy_cursor(mode()));
    l = copy_line(mode(), start.row);
    ck_assert_int_eq(strncmp(l->text.data, line, 9), 0);
    for (unsigned cols = 1; cols < 30; cols += 3) {
        vt_resize(pane.vt, cols, cols % 5 + 1);
        pane.mode->mode->resize(pane.mode, cols, cols % 5 + 1);
        free(row_shown(0));
        commands("cursor-up;page-up;begin-selection;page-down;select-word;select-line");
    }
    free(line);
    free(before);
}
END_TEST

START_TEST(new_height_keeps_the_rows)
{
    make_pane(20, 4);
    print("1\n2\n3\n4\n5\n6\n7\n8\n9");
    enter();
    commands("3:scroll-up");
    ck_row(1, "4");
    vt_resize(pane.vt, 20, 8);
    pane.mode->mode->resize(pane.mode, 20, 8);
    print("\x1b[H\x1b[2Jchanged");
    commands("history-top");
    ck_row(1, "2");
    ck_row(3, "4");
}
END_TEST

START_TEST(a_drag_selects_and_a_double_click_takes_the_word)
{
    make_pane(20, 4);
    print("hello big world");
    enter();
    struct msg_MOUSE m = {.kind = MOUSE_DRAG, .button = 1};
    pane_below = &pane;
    client.last_click_x = 6;
    client.last_click_y = 0;
    pane.mode->mode->mouse(pane.mode, &client, &m, 7, 0);
    pane.mode->mode->mouse(pane.mode, &client, &m, 9, 0);
    command("copy-selection");
    char *text = take_buffer();
    ck_assert_str_eq(text, "big");
    free(text);
    pane.mode->mode->point(pane.mode, 12, 0);
    commands("select-word;copy-selection-and-cancel");
    text = take_buffer();
    ck_assert_str_eq(text, "world");
    free(text);
}
END_TEST

static bool has_reached_the_top(void)
{
    return mode()->oy == copy_max_oy(mode());
}

START_TEST(a_drag_held_at_the_edge_scrolls_until_it_ends)
{
    make_pane(20, 3);
    print("1\n2\n3\n4\n5\n6");
    enter();
    struct msg_MOUSE m = {.kind = MOUSE_DRAG, .button = 1};
    pane.mode->mode->mouse(pane.mode, &client, &m, 0, 1);
    pane.mode->mode->mouse(pane.mode, &client, &m, 0, 0);
    outside_run_until(has_reached_the_top);
    m.kind = MOUSE_UP;
    pane.mode->mode->mouse(pane.mode, &client, &m, 0, 0);
    ck_assert_int_eq(mode()->drag_scroll, 0);
}
END_TEST

START_TEST(unknown_commands_and_wrong_counts_are_said)
{
    make_pane(20, 3);
    enter();
    char *cause = NULL;
    ck_assert(!try_command("fly-away", &cause));
    ck_assert_str_eq(cause, "unknown copy mode command: fly-away");
    free(cause);
    ck_assert(!try_command("goto-line", &cause));
    ck_assert_ptr_nonnull(strstr(cause, "goto-line"));
    free(cause);
    for (size_t i = 1; copy_command_name(i) != NULL; i++)
        ck_assert_str_lt(copy_command_name(i - 1), copy_command_name(i));
}
END_TEST

START_TEST(every_command_survives_the_smallest_pane)
{
    make_pane(1, 1);
    print("ab\n橋c\n");
    for (int vi = 0; vi < 2; vi++) {
        options_set_number(window.options, "mode-keys", vi);
        for (size_t i = 0; copy_command_name(i) != NULL; i++) {
            char *args[] = {xstrdup("a"), NULL}, *cause = NULL;
            for (unsigned n = 0; n < 2; n++) {
                enter();
                commands("cursor-up;begin-selection");
                if (!pane.mode->mode->command(pane.mode, NULL, copy_command_name(i), args, n, 3,
                                              &cause)) {
                    free(cause);
                    cause = NULL;
                }
                if (pane.mode != NULL)
                    free(row_shown(0));
                mode_pop_all(&pane);
            }
            free(args[0]);
        }
    }
    free(take_buffer());
}
END_TEST

START_TEST(commands_between_output_and_resizes_keep_the_cursor_in_view)
{
    make_pane(30, 6);
    struct vt_limits limits = {60, 1u << 20};
    vt_set_history(pane.vt, &limits);
    uint32_t seed = 12345;
    size_t n_names = 0;
    while (copy_command_name(n_names) != NULL)
        n_names++;
    for (int i = 0; i < 4000; i++) {
        seed = seed * 1664525u + 1013904223u;
        unsigned r = seed >> 8;
        if (pane.mode == NULL)
            enter();
        if (r % 11 == 0) {
            print("some text 橋 (with [brackets]) that is long enough to wrap\r\nnext\r\n");
        } else if (r % 37 == 0) {
            unsigned cols = r / 37 % 40 + 1, rows = r / 1600 % 9 + 1;
            vt_resize(pane.vt, cols, rows);
            pane.mode->mode->resize(pane.mode, cols, rows);
        } else if (r % 211 == 0) {
            vt_clear_history(pane.vt);
        } else {
            char arg[] = "t", number[] = "7", *args[] = {r & 1 ? arg : number, NULL}, *cause = NULL;
            for (unsigned n = 0; n < 2 && pane.mode != NULL; n++) {
                if (pane.mode->mode->command(pane.mode, NULL, copy_command_name(r / 7 % n_names),
                                             args, n, r / 3000 % 4 + 1, &cause))
                    break;
                free(cause);
            }
            outside_run_until(is_quiet);
        }
        if (pane.mode == NULL)
            continue;
        const struct copy *c = mode();
        ck_assert_uint_le(c->cx, c->cols);
        ck_assert_uint_lt(c->cy, c->rows);
        ck_assert_uint_le(c->oy, copy_hsize(c));
        for (unsigned y = 0; y < c->rows; y++)
            free(row_shown(y));
    }
    free(take_buffer());
}
END_TEST

START_TEST(leaving_at_the_bottom_when_it_was_entered_by_scrolling)
{
    make_pane(20, 3);
    print("1\n2\n3\n4\n5\n6");
    char *cause = NULL;
    ck_assert(copy_mode_enter_scrolled(&pane, true, 2, &cause));
    ck_assert_uint_eq(mode()->oy, 2);
    command("scroll-down");
    ck_assert_ptr_nonnull(pane.mode);
    command("scroll-down");
    ck_assert_ptr_null(pane.mode);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("copy");
    TCase *tc = tcase_create("copy");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, keys_leave_cursor_and_buffer_where_tmux_does);
    tcase_add_test(tc, output_does_not_move_what_is_read);
    tcase_add_test(tc, rows_shown_stay_when_the_history_drops_them);
    tcase_add_test(tc, cleared_history_is_no_trouble);
    tcase_add_test(tc, position_stands_at_the_right_of_the_first_row_unless_hidden);
    tcase_add_test(tc, only_rows_that_changed_get_another_tag);
    tcase_add_test(tc, selection_is_drawn_in_mode_style_to_the_end_of_the_row);
    tcase_add_test(tc, matches_are_drawn_and_counted);
    tcase_add_test(tc, search_crosses_a_soft_wrap);
    tcase_add_test(tc, hostile_patterns_end);
    tcase_add_test(tc, long_search_goes_on_in_slices_and_later_commands_wait);
    tcase_add_test(tc, search_under_way_can_be_cancelled);
    tcase_add_test(tc, long_selection_is_copied_in_slices_whole);
    tcase_add_test(tc, copying_sets_the_clipboard_of_clients_that_look);
    tcase_add_test(tc, a_command_gets_what_is_copied);
    tcase_add_test(tc, new_width_keeps_the_line_in_view);
    tcase_add_test(tc, new_height_keeps_the_rows);
    tcase_add_test(tc, a_drag_selects_and_a_double_click_takes_the_word);
    tcase_add_test(tc, a_drag_held_at_the_edge_scrolls_until_it_ends);
    tcase_add_test(tc, unknown_commands_and_wrong_counts_are_said);
    tcase_add_test(tc, every_command_survives_the_smallest_pane);
    tcase_add_test(tc, commands_between_output_and_resizes_keep_the_cursor_in_view);
    tcase_add_test(tc, leaving_at_the_bottom_when_it_was_entered_by_scrolling);
    suite_add_tcase(s, tc);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
