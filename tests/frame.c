// What a client is sent, and when: frames, scrolls, credit. The model, the peer and the screens
// below are small stand-ins; frame.c, rows.c, credit.c and geometry.c are the real ones.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "common/jobs.h"
#include "common/row.h"
#include "server/format/format.h"
#include "server/mode/mode.h"
#include "server/model/client.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/push/frame_state.h"
#include "server/push/push.h"
#include "server/server.h"
#include "server/vt/vt.h"

// --- stand-ins

static struct job_queue *queue;
static struct options *session_options, *window_options, *server_scope;
struct clients all_clients = TAILQ_HEAD_INITIALIZER(all_clients);
struct pane *marked_pane;

struct job_queue *server_jobs(void)
{
    return queue;
}
struct options *server_options(void)
{
    return server_scope;
}

#define SCREEN_ROWS 10u
struct vt { // a screen of tags; a row's bytes are its tag
    struct row_tag rows[SCREEN_ROWS];
    uint64_t changes, next_id;
    unsigned cursor_x, cursor_y, modes, loads;
    size_t row_bytes;
};
static struct row_tag screen_tag(const struct view *v, unsigned y)
{
    return ((const struct vt *)v->arg)->rows[y];
}
static void screen_pack(const struct view *v, unsigned y, struct strbuf *out)
{
    const struct vt *vt = v->arg;
    strbuf_add(out, &vt->rows[y], sizeof vt->rows[y]);
    for (size_t i = sizeof vt->rows[y]; i < vt->row_bytes; i++)
        strbuf_add_char(out, 'x');
}
static const struct view_ops screen_ops = {screen_tag, screen_pack};

void pane_view(struct pane *p, struct view *out)
{
    p->vt->loads++;
    *out = (struct view){.cols = p->cols, .rows = p->rows, .ops = &screen_ops, .arg = p->vt};
    out->cursor =
        (struct view_cursor){.x = p->vt->cursor_x, .y = p->vt->cursor_y, .is_visible = true};
}
uint64_t vt_change_count(const struct vt *vt)
{
    return vt->changes;
}
unsigned vt_modes(const struct vt *vt)
{
    return vt->modes;
}
uint32_t vt_palette_rgb(const struct vt *vt, unsigned n)
{
    (void)vt;
    return 0x010000u * n;
}

void client_redraw(struct client *c, unsigned what)
{
    frame_invalidate(c, what);
}
static unsigned focus_updates;
void input_focus_update(void)
{
    focus_updates++;
}
static char *status_text;
void status_start(struct client *c)
{
    (void)c;
}
void status_stop(struct client *c)
{
    (void)c;
}
void status_send(struct client *c)
{
    if (status_text == NULL)
        return;
    const char *lines[] = {status_text, NULL};
    frame_send(c, MSG_STATUS, &(struct msg_STATUS){.lines = lines, .style = ""}, 30);
}
char *format_expand(const struct format_context *ctx, const char *fmt)
{
    (void)ctx;
    return xstrdup(fmt);
}
char *format_expand_time(const struct format_context *ctx, const char *fmt)
{
    (void)ctx;
    return xstrdup(fmt);
}

// The peer writes what it was given down, in words: "SCENE PANE1 ROW1.0 ... END1".
struct peer {
    struct strbuf log;
    size_t unsent, rows, bytes;
    bool is_full;
};
static unsigned scene_flags;
bool peer_send(struct peer *p, enum message_type type, const void *msg)
{
    if (p->is_full)
        return false;
    if (p->log.len > 0)
        strbuf_add_char(&p->log, ' ');
    switch (type) {
    case MSG_SCENE:
        strbuf_add_str(&p->log, "SCENE");
        scene_flags = ((const struct msg_SCENE *)msg)->flags;
        break;
    case MSG_PANE:
        strbuf_addf(&p->log, "PANE%u", ((const struct msg_PANE *)msg)->pane);
        break;
    case MSG_ROW: {
        const struct msg_ROW *m = msg;
        strbuf_addf(&p->log, "ROW%u.%u", m->pane, m->y);
        p->rows++;
        p->bytes += m->row.len;
        break;
    }
    case MSG_SCROLL: {
        const struct msg_SCROLL *m = msg;
        strbuf_addf(&p->log, "SCROLL%u.%u-%u by %d", m->pane, m->top, m->bottom, m->lines);
        break;
    }
    case MSG_CURSOR:
        strbuf_addf(&p->log, "CURSOR%u", ((const struct msg_CURSOR *)msg)->x);
        break;
    case MSG_FRAME_END:
        strbuf_addf(&p->log, "END%u", ((const struct msg_FRAME_END *)msg)->seq);
        break;
    default:
        strbuf_add_str(&p->log, message_name(type));
    }
    return true;
}
size_t peer_unsent(const struct peer *p)
{
    return p->unsent;
}
static void (*drain_fn)(void *arg);
static void *drain_arg;
void peer_on_drain(struct peer *p, void (*fn)(void *arg), void *arg)
{
    (void)p;
    drain_fn = fn;
    drain_arg = arg;
}

// --- a session with one window of one or two panes, shown by one client

static struct vt screens[2];
static struct pane panes[2];
static struct window window, other_window;
static struct winlink link1, link2;
static struct session session;
static struct peer peer;
static struct client client;

static void screen_scroll(struct vt *vt, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        memmove(&vt->rows[0], &vt->rows[1], (SCREEN_ROWS - 1) * sizeof vt->rows[0]);
        vt->rows[SCREEN_ROWS - 1] = (struct row_tag){++vt->next_id, 1};
    }
    vt->changes++;
}

static void setup(void)
{
    queue = jobs_new();
    server_scope = options_new(NULL);
    options_set_defaults(server_scope, SCOPE_SERVER);
    session_options = options_new(NULL);
    options_set_defaults(session_options, SCOPE_SESSION);
    window_options = options_new(NULL);
    options_set_defaults(window_options, SCOPE_WINDOW);

    memset(screens, 0, sizeof screens);
    memset(panes, 0, sizeof panes);
    memset(&peer, 0, sizeof peer);
    memset(&client, 0, sizeof client);
    window = (struct window){.id = 1, .cols = 20, .rows = SCREEN_ROWS, .options = window_options};
    other_window = window;
    other_window.id = 2;
    TAILQ_INIT(&window.panes);
    TAILQ_INIT(&other_window.panes);
    for (unsigned i = 0; i < 2; i++) {
        screens[i].next_id = 100 * i;
        for (unsigned y = 0; y < SCREEN_ROWS; y++)
            screens[i].rows[y] = (struct row_tag){++screens[i].next_id, 1};
        screens[i].row_bytes = sizeof(struct row_tag);
        panes[i].id = i + 1;
        panes[i].cols = 20;
        panes[i].rows = SCREEN_ROWS;
        panes[i].vt = &screens[i];
        panes[i].options = window_options;
    }
    TAILQ_INSERT_TAIL(&window.panes, &panes[0], entry);
    panes[0].window = &window;
    window.active = &panes[0];
    TAILQ_INSERT_TAIL(&other_window.panes, &panes[1], entry);
    panes[1].window = &other_window;
    other_window.active = &panes[1];
    link1 = (struct winlink){.session = &session, .window = &window};
    link2 = (struct winlink){.session = &session, .window = &other_window, .index = 1};
    session = (struct session){.options = session_options, .current = &link1};
    client.peer = &peer;
    client.session = &session;
    client.cols = 20;
    client.rows = SCREEN_ROWS + 1;
    client.is_attached = true;
    TAILQ_INIT(&all_clients);
    TAILQ_INSERT_TAIL(&all_clients, &client, entry);
    frame_start(&client);
}

static void teardown(void)
{
    frame_stop(&client);
    strbuf_free(&peer.log);
    free(status_text);
    status_text = NULL;
    options_free(session_options);
    options_free(window_options);
    options_free(server_scope);
    jobs_free(queue);
}

// Both windows' panes side by side in one.
static void put_side_by_side(void)
{
    TAILQ_REMOVE(&other_window.panes, &panes[1], entry);
    TAILQ_INSERT_TAIL(&window.panes, &panes[1], entry);
    panes[1].window = &window;
    panes[1].x = 21;
    window.cols = 41;
    client.cols = 41;
}

static struct due now_due(const void *state, int64_t now_us)
{
    (void)state;
    return due_at(now_us);
}
static bool (*condition)(void);
static int64_t give_up_us;
static void look(void *state)
{
    (void)state;
    if ((condition != NULL && condition()) || clock_monotonic_us() > give_up_us)
        jobs_stop(queue);
}
static const struct job_spec look_job = {"look", now_due, look};

// Turns the loop until is_met, at most for max_ms; returns whether it was met.
static bool turn_until(bool (*is_met)(void), int max_ms)
{
    condition = is_met;
    give_up_us = clock_monotonic_us() + max_ms * 1000;
    struct job *job = job_add(queue, &look_job, NULL);
    jobs_loop(queue);
    job_remove(job);
    return is_met != NULL && is_met();
}
static bool has_end(void)
{
    return peer.log.len > 0 && strstr(peer.log.data, "END") != NULL;
}
static void take_frame(void)
{
    ck_assert_msg(turn_until(has_end, 2000), "no frame came: %s",
                  peer.log.len ? peer.log.data : "");
}
static void acknowledge(void)
{
    frame_ack(&client, &(struct msg_ACK){.seq = client.frame->seq});
}
static void take_first_frame(void)
{
    take_frame();
    acknowledge();
    strbuf_clear(&peer.log);
    peer.rows = peer.bytes = 0;
}
static void change(struct pane *p)
{
    p->vt->changes++;
    frame_pane_changed(p);
}

START_TEST(first_frame_is_the_whole_scene)
{
    take_frame();
    ck_assert_str_eq(peer.log.data,
                     "SCENE PANE1 ROW1.0 ROW1.1 ROW1.2 ROW1.3 ROW1.4 ROW1.5 ROW1.6 ROW1.7 "
                     "ROW1.8 ROW1.9 CURSOR0 MODES END1");
}
END_TEST

START_TEST(only_rows_that_differ_are_sent)
{
    take_first_frame();
    screens[0].rows[3].gen++;
    screens[0].rows[7].gen++;
    change(&panes[0]);
    take_frame();
    ck_assert_str_eq(peer.log.data, "ROW1.3 ROW1.7 END2");
}
END_TEST

START_TEST(a_scroll_is_sent_as_a_scroll)
{
    take_first_frame();
    screen_scroll(&screens[0], 2);
    change(&panes[0]);
    take_frame();
    ck_assert_str_eq(peer.log.data, "SCROLL1.0-9 by 2 ROW1.8 ROW1.9 END2");
}
END_TEST

START_TEST(a_scroll_inside_a_region_leaves_the_rest)
{
    take_first_frame();
    struct row_tag *r = screens[0].rows;
    memmove(&r[2], &r[3], 4 * sizeof *r); // rows 2 to 6 up by one
    r[6] = (struct row_tag){++screens[0].next_id, 1};
    change(&panes[0]);
    take_frame();
    ck_assert_str_eq(peer.log.data, "SCROLL1.2-6 by 1 ROW1.6 END2");
    acknowledge();
    strbuf_clear(&peer.log);
    memmove(&r[3], &r[2], 5 * sizeof *r); // rows 2 to 7 down by one
    r[2] = (struct row_tag){++screens[0].next_id, 1};
    change(&panes[0]);
    take_frame();
    ck_assert_str_eq(peer.log.data, "SCROLL1.2-7 by -1 ROW1.2 END3");
}
END_TEST

START_TEST(a_rewritten_screen_is_rows_only)
{
    take_first_frame();
    screen_scroll(&screens[0], SCREEN_ROWS + 5);
    change(&panes[0]);
    take_frame();
    ck_assert_uint_eq(peer.rows, SCREEN_ROWS);
    ck_assert_ptr_null(strstr(peer.log.data, "SCROLL"));
}
END_TEST

START_TEST(nothing_changed_sends_nothing_and_asks_for_no_view)
{
    take_first_frame();
    put_side_by_side();
    frame_invalidate(&client, REDRAW_ALL);
    take_frame();
    acknowledge();
    strbuf_clear(&peer.log);
    unsigned loads = screens[1].loads;
    screens[0].rows[0].gen++;
    change(&panes[0]);
    take_frame();
    ck_assert_str_eq(peer.log.data, "ROW1.0 END3");
    ck_assert_uint_eq(screens[1].loads, loads);
    ck_assert(!client.frame->latch.is_up);
}
END_TEST

START_TEST(a_hidden_pane_costs_no_bytes_and_raises_nothing)
{
    take_first_frame();
    for (int i = 0; i < 1000; i++) {
        screen_scroll(&screens[1], 1);
        frame_pane_changed(&panes[1]);
    }
    ck_assert(!client.frame->latch.is_up);
    // Neither does one behind a zoomed pane.
    put_side_by_side();
    window.is_zoomed = true;
    frame_pane_changed(&panes[1]);
    ck_assert(!client.frame->latch.is_up);
}
END_TEST

START_TEST(another_window_is_a_new_scene_and_its_whole_pane)
{
    take_first_frame();
    unsigned before = focus_updates;
    session.current = &link2;
    frame_invalidate(&client, REDRAW_ALL);
    take_frame();
    ck_assert(strncmp(peer.log.data, "SCENE PANE2 ROW2.0 ", 19) == 0);
    ck_assert_uint_eq(peer.rows, SCREEN_ROWS);
    ck_assert_uint_gt(focus_updates, before);
}
END_TEST

START_TEST(a_pane_that_stays_keeps_its_rows_when_another_comes)
{
    take_first_frame();
    put_side_by_side();
    frame_invalidate(&client, REDRAW_ALL);
    take_frame();
    ck_assert_ptr_nonnull(strstr(peer.log.data, "SCENE PANE1 PANE2 ROW2.0"));
    ck_assert_ptr_null(strstr(peer.log.data, "ROW1."));
}
END_TEST

START_TEST(a_flood_is_paced_and_shows_the_newest_state)
{
    take_first_frame();
    int64_t start = clock_monotonic_us();
    unsigned frames = client.frame->seq;
    while (clock_monotonic_us() - start < 200000) {
        screen_scroll(&screens[0], 50);
        change(&panes[0]);
        turn_until(NULL, 1);
        acknowledge();
    }
    frames = client.frame->seq - frames;
    ck_assert_uint_ge(frames, 3);
    ck_assert_uint_le(frames, 14); // 60 a second, and one at once
    strbuf_clear(&peer.log);
    uint64_t last = screens[0].next_id;
    screens[0].rows[0].gen++;
    change(&panes[0]);
    take_frame();
    ck_assert_uint_eq(screens[0].rows[SCREEN_ROWS - 1].id, last);
    ck_assert(!client.frame->latch.is_up);
}
END_TEST

START_TEST(a_key_makes_its_answer_go_at_once)
{
    take_first_frame();
    int quick = 0;
    for (int i = 0; i < 5; i++) {
        int64_t start = clock_monotonic_us();
        frame_input(&client);
        screens[0].rows[0].gen++;
        change(&panes[0]);
        take_frame();
        quick += clock_monotonic_us() - start < 8000; // paced it would take 16 ms
        strbuf_clear(&peer.log);
        acknowledge();
    }
    ck_assert_int_ge(quick, 3); // a busy machine may make one late
}
END_TEST

static size_t fill_credit(void)
{
    // Nobody answers: frames stop by themselves.
    screens[0].row_bytes = 800;
    for (int i = 0; i < 40; i++) {
        screen_scroll(&screens[0], SCREEN_ROWS);
        change(&panes[0]);
        turn_until(NULL, 20);
    }
    return peer.bytes;
}

START_TEST(a_client_that_never_answers_gets_a_bounded_amount)
{
    take_first_frame();
    size_t bytes = fill_credit();
    ck_assert_uint_le(bytes, CREDIT_FLOOR_BYTES + 10 * 800);
    ck_assert(client.frame->latch.is_up); // what it misses is not forgotten
    ck_assert_int_eq(client.frame->latch.job != NULL, 1);

    // It comes back: one frame, the newest state; that it was held back is remembered.
    strbuf_clear(&peer.log);
    peer.rows = 0;
    acknowledge();
    take_frame();
    ck_assert_uint_eq(peer.rows, SCREEN_ROWS);
    ck_assert(!client.frame->latch.is_up);
    const struct credit *cr = &client.frame->credit;
    ck_assert(cr->frames[cr->first].is_limited);
}
END_TEST

START_TEST(input_grants_a_small_frame_beyond_the_credit)
{
    take_first_frame();
    fill_credit();
    strbuf_clear(&peer.log);
    peer.bytes = peer.rows = 0;
    screens[0].cursor_y = 5;
    frame_input(&client);
    ck_assert(!turn_until(has_end, 30)); // what waited already is not what the input asked for
    screen_scroll(&screens[0], SCREEN_ROWS);
    change(&panes[0]);
    take_frame();
    ck_assert_uint_ge(peer.rows, 1);
    ck_assert_uint_le(peer.bytes, 2048 + 800);
    ck_assert_ptr_nonnull(strstr(peer.log.data, "ROW1.5"));
    strbuf_clear(&peer.log);
    change(&panes[0]);
    ck_assert(!turn_until(has_end, 40)); // one only
}
END_TEST

START_TEST(a_full_socket_holds_the_frame_until_it_drains)
{
    take_first_frame();
    peer.unsent = 100;
    screens[0].rows[0].gen++;
    change(&panes[0]);
    ck_assert(!turn_until(has_end, 40));
    peer.unsent = 0;
    drain_fn(drain_arg);
    take_frame();
    ck_assert_str_eq(peer.log.data, "ROW1.0 END2");
}
END_TEST

START_TEST(rows_that_the_queue_refused_come_later)
{
    take_first_frame();
    screens[0].rows[0].gen++;
    peer.is_full = true;
    change(&panes[0]);
    ck_assert(!turn_until(has_end, 40));
    peer.is_full = false;
    drain_fn(drain_arg);
    take_frame();
    ck_assert_ptr_nonnull(strstr(peer.log.data, "ROW1.0"));
}
END_TEST

START_TEST(a_suspended_client_gets_nothing)
{
    take_first_frame();
    client.is_suspended = true;
    screens[0].rows[0].gen++;
    change(&panes[0]);
    ck_assert(!turn_until(has_end, 40));
    client.is_suspended = false;
    frame_invalidate(&client, REDRAW_ALL);
    take_frame();
}
END_TEST

START_TEST(a_refresh_sends_everything_once_more)
{
    take_first_frame();
    frame_refresh(&client);
    take_frame();
    ck_assert_uint_eq(peer.rows, SCREEN_ROWS);
    ck_assert_ptr_nonnull(strstr(peer.log.data, "CURSOR0 MODES"));
    ck_assert_uint_ne(scene_flags & SCENE_REDRAW, 0);
    acknowledge();
    strbuf_clear(&peer.log);
    session.current = &link2;
    frame_invalidate(&client, REDRAW_ALL);
    take_frame();
    ck_assert_uint_eq(scene_flags & SCENE_REDRAW, 0);
}
END_TEST

START_TEST(a_cursor_that_no_program_shaped_is_as_the_options_say)
{
    char *cause = NULL;
    take_first_frame();
    ck_assert_uint_eq(client.frame->cursor.shape, CURSOR_DEFAULT);
    ck_assert_uint_eq(client.frame->cursor.colour, 0);
    ck_assert(options_set_text(window_options, "cursor-style", "underline", 0, &cause));
    ck_assert(options_set_text(window_options, "cursor-colour", "colour5", 0, &cause));
    frame_invalidate(&client, REDRAW_ALL);
    take_frame();
    ck_assert_uint_eq(client.frame->cursor.shape, CURSOR_UNDERLINE);
    ck_assert_uint_eq(client.frame->cursor.colour, 0x01050000u);
}
END_TEST

START_TEST(modes_follow_the_active_pane)
{
    take_first_frame();
    screens[0].modes = VT_MODE_PASTE | VT_MODE_MOUSE_ALL;
    change(&panes[0]);
    take_frame();
    ck_assert_str_eq(peer.log.data, "MODES END2");
    ck_assert_uint_eq(client.frame->modes, MODE_PASTE | MODE_MOUSE_ALL);
}
END_TEST

START_TEST(the_status_line_goes_with_a_frame_when_it_is_dirty)
{
    take_first_frame();
    status_text = xstrdup("x");
    screens[0].rows[0].gen++;
    change(&panes[0]);
    take_frame();
    ck_assert_str_eq(peer.log.data, "ROW1.0 END2");
    acknowledge();
    strbuf_clear(&peer.log);
    frame_invalidate(&client, REDRAW_STATUS);
    take_frame();
    ck_assert_str_eq(peer.log.data, "STATUS END3");
}
END_TEST

START_TEST(a_window_larger_than_the_client_follows_the_cursor)
{
    take_first_frame();
    client.rows = 5; // four for the window
    frame_invalidate(&client, REDRAW_ALL);
    take_frame();
    ck_assert_uint_eq(client.frame->scene.offset_y, 0);
    acknowledge();
    strbuf_clear(&peer.log);
    screens[0].cursor_y = 8;
    change(&panes[0]);
    take_frame();
    ck_assert_uint_eq(client.frame->scene.offset_y, 6);
    unsigned px, py;
    ck_assert_ptr_eq(frame_pane_at(&client, 3, 1, &px, &py), &panes[0]);
    ck_assert_uint_eq(px, 3);
    ck_assert_uint_eq(py, 7);
}
END_TEST

START_TEST(places_in_the_terminal_are_told_apart)
{
    unsigned px, py, cols, rows;
    struct pane *p;
    bool is_vertical, has_status;
    put_side_by_side();
    ck_assert_ptr_eq(frame_pane_at(&client, 21, 9, &px, &py), &panes[1]);
    ck_assert_uint_eq(px, 0);
    ck_assert_ptr_null(frame_pane_at(&client, 20, 0, &px, &py));
    ck_assert(frame_is_border_at(&client, 20, 0, &p, &is_vertical));
    ck_assert_ptr_eq(p, &panes[0]);
    ck_assert(is_vertical);
    ck_assert(!frame_is_border_at(&client, 19, 0, &p, &is_vertical));
    ck_assert_uint_eq(frame_status_row(&client, &has_status), SCREEN_ROWS);
    ck_assert(has_status);
    ck_assert_ptr_null(frame_pane_at(&client, 0, SCREEN_ROWS, &px, &py));

    frame_pane_nearest(&client, &panes[1], 3, SCREEN_ROWS, &px, &py); // left of it, below it
    ck_assert_uint_eq(px, 0);
    ck_assert_uint_eq(py, SCREEN_ROWS - 1);
    frame_pane_nearest(&client, &panes[1], 25, 2, &px, &py);
    ck_assert_uint_eq(px, 4);
    ck_assert_uint_eq(py, 2);

    char *cause = NULL;
    ck_assert(options_set_text(session_options, "status-position", "top", 0, &cause));
    ck_assert_uint_eq(frame_status_row(&client, &has_status), 0);
    ck_assert_ptr_eq(frame_pane_at(&client, 0, 1, &px, &py), &panes[0]);
    ck_assert_uint_eq(py, 0);
    ck_assert(options_set_text(session_options, "status", "3", 0, &cause));
    frame_window_area(&client, &cols, &rows);
    ck_assert_uint_eq(rows, client.rows - 3);
    ck_assert(options_set_text(session_options, "status", "off", 0, &cause));
    frame_status_row(&client, &has_status);
    ck_assert(!has_status);
    client.rows = 1;
    ck_assert(options_set_text(session_options, "status", "on", 0, &cause));
    frame_window_area(&client, &cols, &rows);
    ck_assert_uint_eq(rows, 1); // a terminal of one row shows the window
}
END_TEST

START_TEST(credit_grows_with_rate_and_round_trip)
{
    // 1 MB/s with 100 ms: 150 kB may be under way.
    struct credit cr = {0};
    int64_t now = 1000000;
    for (uint32_t seq = 1; seq <= 50; seq++) {
        credit_sent(&cr, seq, 100000, now);
        now += 100000;
        credit_acked(&cr, seq, 100000, now);
    }
    ck_assert_uint_eq(credit_limit(&cr), 150000);
    ck_assert_uint_eq(credit_outstanding(&cr), 0);
}
END_TEST

START_TEST(credit_of_a_slow_link_goes_below_the_first_guess)
{
    struct credit cr = {0};
    int64_t now = 1000000;
    ck_assert_uint_eq(credit_limit(&cr), CREDIT_FLOOR_BYTES);
    for (uint32_t seq = 1; seq <= 20; seq++) { // 20 kB/s, always more to send
        cr.was_used_up = true;
        credit_sent(&cr, seq, 2000, now);
        now += 100000;
        credit_acked(&cr, seq, 20000, now);
    }
    ck_assert_uint_eq(credit_limit(&cr), CREDIT_SLOW_FLOOR_BYTES);
}
END_TEST

START_TEST(a_slow_link_is_seen_though_every_second_frame_is_measured)
{
    struct credit cr = {0};
    int64_t now = 1000000;
    for (uint32_t seq = 1; seq <= 40; seq += 2) {
        cr.was_used_up = true; // the first of each pair waited, the second is measured
        credit_sent(&cr, seq, 2000, now);
        credit_sent(&cr, seq + 1, 2000, now + 100);
        credit_acked(&cr, seq, 0, now + 200);
        now += 200000;
        credit_acked(&cr, seq + 1, 20000, now);
    }
    ck_assert(cr.is_slow);
    ck_assert_uint_le(credit_limit(&cr), 5000); // 20 kB/s for 250 ms, not the first guess
}
END_TEST

START_TEST(a_late_answer_does_not_make_the_link_look_fast)
{
    // 20 kB/s with frames queued behind each other: each is answered 100 ms after the one before.
    struct credit cr = {0};
    int64_t now = 1000000;
    uint32_t seq = 0;
    for (int i = 0; i < 8; i++)
        credit_sent(&cr, ++seq, 2000, now);
    for (uint32_t answered = 1; answered < 60; answered++) {
        now += 99000;
        cr.was_used_up = true;
        credit_sent(&cr, ++seq, 2000, now); // just before the answer to an older one comes
        now += 1000;
        credit_acked(&cr, answered, 1, now);
    }
    ck_assert_uint_le(cr.rate.now, 25000);
    ck_assert_uint_le(credit_limit(&cr), 25000);
}
END_TEST

START_TEST(answers_that_did_not_reach_the_terminal_teach_nothing)
{
    struct credit cr = {0};
    credit_sent(&cr, 1, 1000000, 10);
    credit_acked(&cr, 1, 0, 20); // 100 GB/s, says the socket
    ck_assert_uint_eq(credit_limit(&cr), CREDIT_FLOOR_BYTES);
    credit_acked(&cr, 77, 5, 30); // never sent
    ck_assert_uint_eq(credit_outstanding(&cr), 0);
}
END_TEST

START_TEST(one_answer_covers_the_frames_before_it)
{
    struct credit cr = {0};
    for (uint32_t seq = 1; seq <= 5; seq++)
        credit_sent(&cr, seq, 100, seq);
    credit_acked(&cr, 4, 0, 100);
    ck_assert_uint_eq(credit_outstanding(&cr), 100);
    credit_acked(&cr, 2, 0, 110); // late: changes nothing
    ck_assert_uint_eq(credit_outstanding(&cr), 100);
    for (uint32_t seq = 6; seq < 300; seq++)
        credit_sent(&cr, seq, 1, seq);
    ck_assert(credit_is_used_up(&cr)); // also by number
    credit_acked(&cr, 299, 0, 400);
    ck_assert_uint_eq(credit_outstanding(&cr), 0);
    ck_assert(!credit_is_used_up(&cr));
}
END_TEST

START_TEST(the_view_moves_only_when_the_cursor_leaves_it)
{
    ck_assert_uint_eq(geometry_offset(0, 50, 80, 100), 0);
    ck_assert_uint_eq(geometry_offset(0, 39, 100, 40), 0);
    ck_assert_uint_eq(geometry_offset(0, 40, 100, 40), 20);
    ck_assert_uint_eq(geometry_offset(20, 59, 100, 40), 20);
    ck_assert_uint_eq(geometry_offset(20, 99, 100, 40), 60);
    ck_assert_uint_eq(geometry_offset(60, 5, 100, 40), 0);
    ck_assert_uint_eq(geometry_offset(60, 70, 80, 40), 40); // the window became smaller
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("frame");
    TCase *tc = tcase_create("frame");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 20);
    tcase_add_test(tc, first_frame_is_the_whole_scene);
    tcase_add_test(tc, only_rows_that_differ_are_sent);
    tcase_add_test(tc, a_scroll_is_sent_as_a_scroll);
    tcase_add_test(tc, a_scroll_inside_a_region_leaves_the_rest);
    tcase_add_test(tc, a_rewritten_screen_is_rows_only);
    tcase_add_test(tc, nothing_changed_sends_nothing_and_asks_for_no_view);
    tcase_add_test(tc, a_hidden_pane_costs_no_bytes_and_raises_nothing);
    tcase_add_test(tc, another_window_is_a_new_scene_and_its_whole_pane);
    tcase_add_test(tc, a_pane_that_stays_keeps_its_rows_when_another_comes);
    tcase_add_test(tc, a_flood_is_paced_and_shows_the_newest_state);
    tcase_add_test(tc, a_key_makes_its_answer_go_at_once);
    tcase_add_test(tc, a_client_that_never_answers_gets_a_bounded_amount);
    tcase_add_test(tc, input_grants_a_small_frame_beyond_the_credit);
    tcase_add_test(tc, a_full_socket_holds_the_frame_until_it_drains);
    tcase_add_test(tc, rows_that_the_queue_refused_come_later);
    tcase_add_test(tc, a_suspended_client_gets_nothing);
    tcase_add_test(tc, a_refresh_sends_everything_once_more);
    tcase_add_test(tc, a_cursor_that_no_program_shaped_is_as_the_options_say);
    tcase_add_test(tc, modes_follow_the_active_pane);
    tcase_add_test(tc, the_status_line_goes_with_a_frame_when_it_is_dirty);
    tcase_add_test(tc, a_window_larger_than_the_client_follows_the_cursor);
    tcase_add_test(tc, places_in_the_terminal_are_told_apart);
    tcase_add_test(tc, credit_grows_with_rate_and_round_trip);
    tcase_add_test(tc, credit_of_a_slow_link_goes_below_the_first_guess);
    tcase_add_test(tc, a_slow_link_is_seen_though_every_second_frame_is_measured);
    tcase_add_test(tc, a_late_answer_does_not_make_the_link_look_fast);
    tcase_add_test(tc, answers_that_did_not_reach_the_terminal_teach_nothing);
    tcase_add_test(tc, one_answer_covers_the_frames_before_it);
    tcase_add_test(tc, the_view_moves_only_when_the_cursor_leaves_it);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
