// The attached client: one terminal, one picture, and the jobs that keep them in step.
#include "config.h"

#include "client/attach.h"

#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/compose.h"
#include "client/input.h"
#include "client/pace.h"
#include "client/status.h"
#include "client/terminal.h"
#include "common/jobs_report.h"
#include "common/log.h"

#define MS INT64_C(1000)
#define SECOND INT64_C(1000000)
// Sizes that follow each other faster than this are told as one.
#define RESIZE_SETTLE_US (15 * MS)
// The picture of the old size is not drawn at the new one if the server's comes within this.
#define RESIZE_HOLD_US (30 * MS)
// A terminal that has so much still to take is drawn again when it has taken it: the newest picture
// only, however many came meanwhile.
#define BACKLOG_BYTES (64u << 10)
#define CLIPBOARD_BACKLOG_BYTES (4u << 20)
// Queries at the start that are not answered in this time will not be.
#define ANSWER_LIMIT_US (2 * SECOND)
#define LEAVE_LIMIT_US (1 * SECOND)
#define NOTE_MS 4000u
// A paste whose end marker does not come is over when nothing came for so long.
#define PASTE_IDLE_US (1 * SECOND)
// So much may wait for a server that does not read; more is left in the terminal.
#define INPUT_QUEUE_BYTES (1u << 20)

enum leave_state { NOT_LEAVING, LEAVING_FOR_GOOD, LEAVING_TO_SUSPEND, HAS_LEFT };

struct attach {
    struct attach_setup setup;
    struct terminal *terminal;
    struct renderer *renderer;
    struct input *input;
    struct text_tables texts;
    struct screen screen;
    struct canvas canvas;
    struct strbuf frame;

    unsigned options;          // enum options_flag
    int64_t escape_time_us;
    bool must_draw, must_forget, has_asked, is_input_held;
    int64_t drawn_wall_us;     // what the clock showed when it was last drawn
    int64_t clock_due_us;      // wall; 0: no clock drawn
    int64_t resize_due_us;     // monotonic; 0: none
    int64_t hold_until_us;     // nothing is drawn till then, or till a new scene; 0: it is
    bool has_new_scene;        // since the hold began
    char *late_title;          // to be set when the terminal takes something again
    int64_t query_since_us;    // queries are out whose last answer has not come; 0: none

    struct pace pace;

    enum leave_state leave;
    int64_t leave_until_us;
    bool leave_is_written;     // only answers are waited for
    int64_t resumed_us;

    struct job *escape_job, *notice_job, *clock_job, *resize_job, *paste_job, *ack_job, *leave_job, *draw_job;
    struct io *winch_io, *cont_io;
};

static void leave_check(struct attach *a);

// --- acknowledging frames

static void acks_send(struct attach *a)
{
    struct pace_ack ack;
    uint64_t written = terminal_written(a->terminal);
    int64_t now = clock_monotonic_us();

    pace_written(&a->pace, written, now);
    while (pace_next(&a->pace, written, now, &ack)) {
        struct msg_ACK m = {ack.seq, ack.bytes, ack.rtt_us};
        link_send(a->setup.link, MSG_ACK, &m);
    }
    job_ask(a->ack_job);
}

static void ack_add(struct attach *a, uint32_t seq, size_t bytes)
{
    int64_t now = clock_monotonic_us();
    bool is_asked = a->leave == NOT_LEAVING && pace_wants_question(&a->pace, bytes, now);
    if (is_asked)
        strbuf_add_str(terminal_out(a->terminal), "\033[5n");
    pace_add(&a->pace, seq, bytes, is_asked, terminal_queued(a->terminal), now);
    job_ask(a->ack_job);
}

static struct due ack_due(const void *state, int64_t now_us)
{
    const struct attach *a = state;
    (void)now_us;
    return a->terminal != NULL ? pace_due(&a->pace, terminal_written(a->terminal)) : due_never();
}

static void ack_run(void *state)
{
    struct attach *a = state;
    pace_expire(&a->pace, clock_monotonic_us());
    acks_send(a);
    leave_check(a);
}

// --- drawing

// Texts that no cell refers to any more go, when there are many.
static void texts_tidy(struct attach *a)
{
    if (!texts_wants_sweep(a->texts.clusters) && !texts_wants_sweep(a->texts.links))
        return;
    const struct canvas *shown = renderer_shown(a->renderer);
    screen_mark_texts(&a->screen);
    cells_mark_texts(shown->cells, (size_t)shown->cols * shown->rows, &a->texts);
    texts_sweep(a->texts.clusters);
    texts_sweep(a->texts.links);
}

static void clock_find(struct attach *a, int64_t now_wall_us)
{
    a->drawn_wall_us = now_wall_us;
    a->clock_due_us = 0;
    bool is_covered = a->screen.n_status == 1 &&
                      (a->screen.prompt != NULL || a->screen.notice != NULL);
    for (unsigned i = 0; i < a->screen.n_status && !is_covered; i++) {
        int64_t next = status_next_change_us(a->screen.status[i], now_wall_us);
        if (next != 0 && (a->clock_due_us == 0 || next < a->clock_due_us))
            a->clock_due_us = next;
    }
    job_ask(a->clock_job);
}

// Bytes that the terminal has not taken yet.
static uint64_t backlog(const struct attach *a)
{
    return terminal_queued(a->terminal) - terminal_written(a->terminal);
}

// As soon as something can be drawn.
static void draw_soon(struct attach *a)
{
    a->must_draw = true;
    job_ask(a->draw_job);
}

// Draws the picture as it is now. Returns the bytes that it took.
static size_t draw(struct attach *a)
{
    struct scroll_hint hints[8];
    int64_t now_wall = clock_wall_us();

    a->must_draw = false;
    if (a->leave != NOT_LEAVING)
        return 0;
    if (a->hold_until_us != 0 || backlog(a) > BACKLOG_BYTES) {
        draw_soon(a);
        return 0;
    }
    if (a->must_forget)
        renderer_forget(a->renderer);
    a->must_forget = false;
    compose_screen(&a->screen, now_wall, &a->canvas);
    size_t n = compose_scrolls(&a->screen, &a->canvas, hints, ARRAY_LEN(hints));
    strbuf_clear(&a->frame);
    renderer_draw(a->renderer, &a->canvas, hints, n, &a->frame);
    if (a->frame.len > 0)
        strbuf_add(terminal_out(a->terminal), a->frame.data, a->frame.len);
    screen_drawn(&a->screen);
    texts_tidy(a);
    clock_find(a, now_wall);
    job_ask(a->notice_job);
    return a->frame.len;
}

static void draw_and_flush(struct attach *a)
{
    draw(a);
    terminal_flush(a->terminal);
}

static struct due clock_due(const void *state, int64_t now_us)
{
    const struct attach *a = state;
    (void)now_us;
    if (a->clock_due_us == 0 || a->leave != NOT_LEAVING)
        return due_never();
    // Set back: what is shown is wrong now.
    if (clock_wall_us() < a->drawn_wall_us - SECOND)
        return due_at_wall(0);
    return due_at_wall(a->clock_due_us);
}

static void clock_run(void *state)
{
    struct attach *a = state;
    // Half a frame is not shown; its end draws the time too.
    a->clock_due_us = 0;
    if (!a->screen.in_frame)
        draw_and_flush(a);
    job_ask(a->clock_job);
}

static struct due notice_due(const void *state, int64_t now_us)
{
    const struct attach *a = state;
    (void)now_us;
    return a->screen.notice != NULL && a->screen.notice_until_us != 0
               ? due_at(a->screen.notice_until_us)
               : due_never();
}

static void notice_run(void *state)
{
    struct attach *a = state;
    screen_clear_notice(&a->screen);
    if (!a->screen.in_frame)
        draw_and_flush(a);
    job_ask(a->notice_job);
}

static struct due draw_due(const void *state, int64_t now_us)
{
    const struct attach *a = state;
    if (!a->must_draw || a->leave != NOT_LEAVING || backlog(a) > BACKLOG_BYTES)
        return due_never();
    return due_at(a->hold_until_us != 0 ? a->hold_until_us : now_us);
}

static void draw_run(void *state)
{
    struct attach *a = state;
    a->must_draw = false;
    a->hold_until_us = 0;
    if (!a->screen.in_frame)
        draw_and_flush(a);
}

// --- size

static struct terminal_size size_take(struct attach *a)
{
    struct terminal_size size = terminal_size_of(STDIN_FILENO);
    if (size.cols != a->canvas.cols || size.rows != a->canvas.rows)
        canvas_resize(&a->canvas, size.cols, size.rows);
    return size;
}

static struct due resize_due(const void *state, int64_t now_us)
{
    const struct attach *a = state;
    (void)now_us;
    return a->resize_due_us != 0 ? due_at(a->resize_due_us) : due_never();
}

static void resize_run(void *state)
{
    struct attach *a = state;
    a->resize_due_us = 0;
    if (a->leave != NOT_LEAVING)
        return;
    struct terminal_size size = size_take(a);
    struct msg_RESIZE m = {(uint16_t)size.cols, (uint16_t)size.rows, (uint16_t)size.xpixel,
                           (uint16_t)size.ypixel};
    link_send(a->setup.link, MSG_RESIZE, &m);
    a->must_forget = true; // terminals differ in what a new size leaves standing
    a->hold_until_us = clock_monotonic_us() + RESIZE_HOLD_US;
    a->has_new_scene = false;
    draw_soon(a);
}

static void on_winch(int fd, unsigned events, void *arg)
{
    struct attach *a = arg;
    (void)fd;
    (void)events;
    if (a->resize_due_us == 0)
        a->resize_due_us = clock_monotonic_us() + RESIZE_SETTLE_US;
    job_ask(a->resize_job);
}

// --- input

static struct due escape_due(const void *state, int64_t now_us)
{
    const struct attach *a = state;
    (void)now_us;
    int64_t since = input_waiting_since_us(a->input);
    return since != 0 ? due_at(since + pace_escape_wait_us(&a->pace, a->escape_time_us)) : due_never();
}

static void escape_run(void *state)
{
    struct attach *a = state;
    // On a busy machine the time may be over before the rest of a sequence was looked for; a single
    // byte is the next key.
    if (terminal_pending(a->terminal) > 1)
        terminal_read_pending(a->terminal);
    else
        input_expire(a->input);
}

static struct due paste_due(const void *state, int64_t now_us)
{
    const struct attach *a = state;
    (void)now_us;
    int64_t since = input_paste_since_us(a->input);
    // What the server has not taken yet holds the terminal up, not a lost marker.
    return since != 0 && !a->is_input_held ? due_at(since + PASTE_IDLE_US) : due_never();
}

static void paste_run(void *state)
{
    struct attach *a = state;
    input_end_paste(a->input);
}

static void on_key(void *arg, key_code key, const void *raw, size_t raw_len)
{
    struct attach *a = arg;
    if (a->leave != NOT_LEAVING)
        return;
    // The client's own note goes at a key; of the server's messages the server says when.
    if (a->setup.note != NULL && a->screen.notice != NULL &&
        strcmp(a->screen.notice, a->setup.note) == 0) {
        screen_clear_notice(&a->screen);
        draw_soon(a);
    }
    struct msg_KEY m = {key, {raw, (uint32_t)raw_len}};
    link_send(a->setup.link, MSG_KEY, &m);
}

static void on_mouse(void *arg, const struct input_mouse *mouse)
{
    struct attach *a = arg;
    if (a->leave != NOT_LEAVING)
        return;
    struct msg_MOUSE m = {(uint8_t)mouse->kind, (uint8_t)mouse->button, (uint16_t)mouse->x,
                          (uint16_t)mouse->y, mouse->modifiers};
    link_send(a->setup.link, MSG_MOUSE, &m);
}

static void on_paste(void *arg, bool is_first, bool is_last, const void *data, size_t len)
{
    struct attach *a = arg;
    if (a->leave != NOT_LEAVING)
        return;
    struct msg_PASTE m = {is_first, is_last, {data, (uint32_t)len}};
    link_send(a->setup.link, MSG_PASTE, &m);
}

static void on_focus(void *arg, bool is_in)
{
    struct attach *a = arg;
    struct msg_FOCUS m = {is_in};
    if (a->leave == NOT_LEAVING)
        link_send(a->setup.link, MSG_FOCUS, &m);
}

static void report(struct attach *a, const char *name, const char *value)
{
    struct msg_REPORT m = {name, value};
    if (a->leave == NOT_LEAVING)
        link_send(a->setup.link, MSG_REPORT, &m);
}

static void on_answer(void *arg, const char *name, const char *value)
{
    struct attach *a = arg;

    if (strcmp(name, "dsr") == 0) {
        // 3 says that it has a fault of its own; no other number is an answer to this question.
        if (strcmp(value, "0") == 0 || strcmp(value, "3") == 0) {
            pace_answered(&a->pace, terminal_written(a->terminal), clock_monotonic_us());
            acks_send(a);
            leave_check(a);
        }
    } else if (strcmp(name, "da1") == 0) {
        // The last question asked: those that were not answered by now will not be.
        if (a->query_since_us != 0)
            pace_measured(&a->pace, clock_monotonic_us() - a->query_since_us);
        a->query_since_us = 0;
        leave_check(a);
    } else if (strcmp(name, "mode") == 0) {
        // DECRPM: 1 or 2 say that the mode is there.
        if (strcmp(value, "2026;1") == 0 || strcmp(value, "2026;2") == 0)
            caps_add_feature(a->setup.caps, FEATURE_SYNC);
    } else if (strcmp(name, "xtversion") == 0) {
        caps_add_kind(a->setup.caps, value);
        report(a, "terminal", value);
    } else {
        report(a, name, value);
    }
}

static const struct input_events input_events = {on_key, on_mouse, on_paste, on_focus, on_answer};

static void on_terminal_input(void *arg, const void *data, size_t len)
{
    struct attach *a = arg;
    link_cork(a->setup.link);
    input_feed(a->input, data, len, clock_monotonic_us());
    link_uncork(a->setup.link);
    if (link_queued(a->setup.link) > INPUT_QUEUE_BYTES && !link_is_drained(a->setup.link)) {
        a->is_input_held = true;
        terminal_hold_input(a->terminal, true);
    }
    job_ask(a->escape_job);
    job_ask(a->paste_job);
}

void attach_sent(struct attach *a)
{
    if (!a->is_input_held)
        return;
    a->is_input_held = false;
    input_feed(a->input, "", 0, clock_monotonic_us()); // the silence is counted from here
    terminal_hold_input(a->terminal, false);
    job_ask(a->paste_job);
}

// --- the terminal

static void ask_terminal(struct attach *a)
{
    if (!caps_has(a->setup.caps, FEATURE_QUERIES))
        return;
    // Device attributes last: every terminal answers them, so its answer ends the round.
    strbuf_add_str(terminal_out(a->terminal),
                   "\033[>q\033]10;?\033\\\033]11;?\033\\\033[?2026$p\033[c");
    a->query_since_us = clock_monotonic_us();
}

static void apply_modes(struct attach *a)
{
    struct terminal_modes modes = {0};
    unsigned wanted = a->screen.modes;
    if (a->options & OPTIONS_MOUSE)
        wanted |= MODE_MOUSE_DRAG;
    if (wanted & MODE_MOUSE_ALL)
        modes.mouse = 1003;
    else if (wanted & MODE_MOUSE_DRAG)
        modes.mouse = 1002;
    else if (wanted & MODE_MOUSE_BUTTONS)
        modes.mouse = 1000;
    modes.wants_focus = a->options & OPTIONS_FOCUS;
    modes.wants_extended_keys = a->options & OPTIONS_EXTENDED_KEYS;
    terminal_set_modes(a->terminal, &modes);
}

static bool enter(struct attach *a, char **cause)
{
    if (!terminal_enter(a->terminal, cause))
        return false;
    input_reset(a->input);
    input_set_erase_byte(a->input, terminal_erase_byte(a->terminal));
    a->must_forget = true;
    a->leave = NOT_LEAVING;
    apply_modes(a);
    return true;
}

static void set_late_title(struct attach *a)
{
    if (a->late_title == NULL || a->leave != NOT_LEAVING || backlog(a) > BACKLOG_BYTES)
        return;
    terminal_set_title(a->terminal, a->late_title);
    free(a->late_title);
    a->late_title = NULL;
}

static void on_drained(void *arg)
{
    struct attach *a = arg;
    set_late_title(a);
    job_ask(a->draw_job);
    acks_send(a);
    leave_check(a);
}

static void on_lost(void *arg)
{
    struct attach *a = arg;
    a->setup.lost(a->setup.arg);
}

static const struct terminal_events terminal_events = {on_terminal_input, on_drained, on_lost};

// --- leaving

static struct due leave_due(const void *state, int64_t now_us)
{
    const struct attach *a = state;
    (void)now_us;
    return a->leave == LEAVING_FOR_GOOD || a->leave == LEAVING_TO_SUSPEND
               ? due_at(a->leave_until_us)
               : due_never();
}

static void resume(struct attach *a)
{
    char *cause = NULL;
    if (!enter(a, &cause)) {
        log_debug("%s", cause);
        free(cause);
        on_lost(a);
        return;
    }
    a->resumed_us = clock_monotonic_us();
    struct terminal_size size = size_take(a);
    struct msg_RESUMED m = {(uint16_t)size.cols, (uint16_t)size.rows, (uint16_t)size.xpixel,
                            (uint16_t)size.ypixel};
    link_send(a->setup.link, MSG_RESUMED, &m);
    draw_and_flush(a);
}

static void leave_finish(struct attach *a)
{
    enum leave_state why = a->leave;
    terminal_restore(a->terminal);
    a->leave = HAS_LEFT;
    job_ask(a->leave_job);
    if (why == LEAVING_FOR_GOOD) {
        a->setup.left(a->setup.arg);
        return;
    }
    // Stops here until it is continued. Where nobody could continue it the kernel ignores the signal.
    signal(SIGTSTP, SIG_DFL);
    kill(getpid(), SIGTSTP);
    signal(SIGTSTP, SIG_IGN);
    resume(a);
}

static void leave_run(void *state)
{
    leave_finish(state);
}

// Leaving is done when all is written and every question is answered.
static void leave_check(struct attach *a)
{
    if (a->leave != LEAVING_FOR_GOOD && a->leave != LEAVING_TO_SUSPEND)
        return;
    if (terminal_written(a->terminal) < terminal_queued(a->terminal))
        return;
    int64_t now = clock_monotonic_us();
    bool is_queried = a->query_since_us != 0 && now - a->query_since_us < ANSWER_LIMIT_US;
    int64_t wait_us = pace_leave_wait_us(&a->pace, is_queried);
    if (wait_us == 0) // in a turn of its own: this is deep inside others' callbacks
        a->leave_until_us = now;
    else if (!a->leave_is_written)
        a->leave_until_us = MIN_OF(a->leave_until_us, now + wait_us);
    a->leave_is_written = true;
    job_ask(a->leave_job);
}

static void leave_begin(struct attach *a, enum leave_state how)
{
    if (a->leave != NOT_LEAVING) {
        if (how == LEAVING_FOR_GOOD && a->leave == LEAVING_TO_SUSPEND)
            a->leave = how;
        return;
    }
    struct strbuf reset = {0};
    renderer_reset(a->renderer, &reset);
    a->leave = how;
    a->leave_until_us = clock_monotonic_us() + LEAVE_LIMIT_US;
    a->leave_is_written = false;
    terminal_leave(a->terminal, &reset);
    strbuf_free(&reset);
    job_ask(a->leave_job);
    terminal_flush(a->terminal);
    leave_check(a);
}

void attach_leave(struct attach *a)
{
    leave_begin(a, LEAVING_FOR_GOOD);
}

// Continued after a stop that was not asked for: others may have used the terminal meanwhile.
static void on_cont(int fd, unsigned events, void *arg)
{
    struct attach *a = arg;
    (void)fd;
    (void)events;
    // The signal that ended a stop of our own is seen only after the terminal was taken again.
    if (a->leave == NOT_LEAVING && clock_monotonic_us() - a->resumed_us > SECOND)
        resume(a);
}

// --- messages

static void send_jobs(struct attach *a)
{
    loop_stats_uncount_wakeup(a->setup.jobs);
    json_t *root = jobs_report(a->setup.jobs);
    char *text = json_dumps(root, JSON_COMPACT | JSON_PRESERVE_ORDER);
    struct msg_JOBS m = {text};
    link_send(a->setup.link, MSG_JOBS, &m);
    free(text);
    json_decref(root);
}

static void on_options(struct attach *a, const struct msg_OPTIONS *m)
{
    a->options = m->flags;
    a->escape_time_us = (int64_t)MIN_OF(m->escape_time_ms, 10000u) * MS;
    struct caps *caps = a->setup.caps;
    uint64_t features = caps->features;
    unsigned colours = caps->colours;
    caps_set_options(caps, m->features, m->overrides);
    terminal_caps_changed(a->terminal);
    apply_modes(a);
    input_set_user_keys(a->input, m->user_keys);
    if (features != caps->features || colours != caps->colours) {
        a->must_forget = true;
        draw_soon(a);
    }
    job_ask(a->escape_job);
    if (!a->has_asked) {
        a->has_asked = true;
        ask_terminal(a);
    }
}

void attach_message(struct attach *a, const struct message *m)
{
    if (screen_apply(&a->screen, m, clock_monotonic_us())) {
        if (m->type == MSG_FRAME_END) {
            if (a->has_new_scene)
                a->hold_until_us = 0;
            size_t bytes = draw(a);
            ack_add(a, m->u.FRAME_END.seq, bytes);
        } else if (m->type == MSG_SCENE) {
            a->has_new_scene = true;
            a->must_forget = a->must_forget || (m->u.SCENE.flags & SCENE_REDRAW) != 0;
        } else if (m->type == MSG_MODES) {
            apply_modes(a);
        }
        job_ask(a->notice_job);
        return;
    }
    if (a->leave != NOT_LEAVING)
        return;
    switch ((int)m->type) {
    case MSG_OPTIONS:
        on_options(a, &m->u.OPTIONS);
        break;
    case MSG_BELL:
        if (backlog(a) <= BACKLOG_BYTES)
            terminal_bell(a->terminal);
        break;
    case MSG_TITLE:
        if (!(a->options & OPTIONS_SET_TITLES))
            break;
        free(a->late_title);
        a->late_title = xstrdup(m->u.TITLE.title);
        set_late_title(a);
        break;
    case MSG_CLIPBOARD:
        if ((a->options & OPTIONS_CLIPBOARD) && backlog(a) <= CLIPBOARD_BACKLOG_BYTES)
            terminal_set_clipboard(a->terminal, m->u.CLIPBOARD.selection,
                                   m->u.CLIPBOARD.data.data, m->u.CLIPBOARD.data.len);
        break;
    case MSG_SUSPEND:
        leave_begin(a, LEAVING_TO_SUSPEND);
        break;
    case MSG_ASK_JOBS:
        send_jobs(a);
        break;
    }
}

void attach_batch_end(struct attach *a)
{
    if (a->leave != NOT_LEAVING)
        return;
    if (a->screen.has_changed && !a->screen.in_frame)
        draw(a);
    terminal_flush(a->terminal);
    acks_send(a);
}

// --- life

static const struct job_spec escape_spec = {"escape-time", escape_due, escape_run};
static const struct job_spec paste_spec = {"paste-idle", paste_due, paste_run};
static const struct job_spec notice_spec = {"notice", notice_due, notice_run};
static const struct job_spec clock_spec = {"clock", clock_due, clock_run};
static const struct job_spec resize_spec = {"resize", resize_due, resize_run};
static const struct job_spec ack_spec = {"terminal-answer", ack_due, ack_run};
static const struct job_spec leave_spec = {"leave", leave_due, leave_run};
static const struct job_spec draw_spec = {"draw", draw_due, draw_run};

struct attach *attach_new(const struct attach_setup *setup, char **cause)
{
    struct attach *a = xcalloc(1, sizeof *a);
    struct job_queue *q = setup->jobs;
    a->setup = *setup;
    a->escape_time_us = 10 * MS;
    pace_init(&a->pace, caps_has(setup->caps, FEATURE_STATUS_REPORT));
    a->texts.clusters = texts_new(1u << 20);
    a->texts.links = texts_new(UINT16_MAX);
    screen_init(&a->screen, &a->texts);
    a->renderer = renderer_new(setup->caps, setup->is_utf8, &a->texts);
    a->input = input_new(&input_events, a);
    input_set_utf8(a->input, setup->is_utf8);
    for (size_t i = 0; i < setup->caps->n_keys; i++)
        input_add_key(a->input, setup->caps->keys[i].bytes, setup->caps->keys[i].key);
    a->escape_job = job_add(q, &escape_spec, a);
    a->paste_job = job_add(q, &paste_spec, a);
    a->notice_job = job_add(q, &notice_spec, a);
    a->clock_job = job_add(q, &clock_spec, a);
    a->resize_job = job_add(q, &resize_spec, a);
    a->ack_job = job_add(q, &ack_spec, a);
    a->leave_job = job_add(q, &leave_spec, a);
    a->draw_job = job_add(q, &draw_spec, a);
    a->terminal = terminal_open(q, setup->caps, &terminal_events, a, cause);
    struct terminal_size size = size_take(a);
    if (size.cols != setup->cols || size.rows != setup->rows)
        a->resize_due_us = clock_monotonic_us();
    if (a->terminal == NULL || !enter(a, cause)) {
        attach_free(a);
        return NULL;
    }
    signal(SIGTSTP, SIG_IGN);
    a->winch_io = io_add_signal(q, SIGWINCH, "SIGWINCH", on_winch, a);
    a->cont_io = io_add_signal(q, SIGCONT, "SIGCONT", on_cont, a);
    if (setup->note != NULL)
        screen_set_notice(&a->screen, setup->note, NOTE_MS, "bg=yellow,fg=black",
                          clock_monotonic_us());
    draw_soon(a);
    job_ask(a->resize_job);
    return a;
}

void attach_free(struct attach *a)
{
    if (a == NULL)
        return;
    terminal_free(a->terminal);
    io_remove(a->winch_io);
    io_remove(a->cont_io);
    job_remove(a->escape_job);
    job_remove(a->paste_job);
    job_remove(a->notice_job);
    job_remove(a->clock_job);
    job_remove(a->resize_job);
    job_remove(a->ack_job);
    job_remove(a->leave_job);
    job_remove(a->draw_job);
    renderer_free(a->renderer);
    input_free(a->input);
    screen_free(&a->screen);
    canvas_free(&a->canvas);
    texts_free(a->texts.clusters);
    texts_free(a->texts.links);
    strbuf_free(&a->frame);
    free(a->late_title);
    free(a);
}
