// What a client's keys, mouse, pastes and focus do: key tables, prefix, repeat, modes, programs.
// Everything around input.c below is a stand-in that writes down what it is asked to do.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/jobs.h"
#include "server/command/command.h"
#include "server/mode/mode.h"
#include "server/model/client.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/push/push.h"
#include "server/server.h"
#include "server/vt/vt.h"

static struct job_queue *queue;
static struct options *session_options, *window_options, *server_scope;
struct clients all_clients = TAILQ_HEAD_INITIALIZER(all_clients);
static struct strbuf done; // words of what was done
static struct session session;
static struct winlink link1;
static struct window window;
static struct pane panes[2]; // 0: columns 0 to 9; 1: 11 to 20; rows 0 to 9, status line below
static struct client client;

static void note(const char *fmt, ...) PRINTF_LIKE(1, 2);
static void note(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = xvasprintf(fmt, ap);
    va_end(ap);
    if (done.len > 0)
        strbuf_add_char(&done, ' ');
    strbuf_add_str(&done, text);
    free(text);
}
static const char *happened(void)
{
    static char text[4096];
    snprintf(text, sizeof text, "%s", done.len > 0 ? done.data : "");
    strbuf_clear(&done);
    return text;
}

struct job_queue *server_jobs(void)
{
    return queue;
}
struct options *server_options(void)
{
    return server_scope;
}

// --- bindings: a table of (table, key, name, repeats)

static struct key_table tables[8];
static struct binding all_bindings[32];
static const char *binding_tables[32], *binding_names[32];
static size_t n_bindings;
static struct command_spec write_spec, read_spec = {.cmd_flags = COMMAND_READS_ONLY};
static struct command write_command = {.spec = &write_spec}, read_command = {.spec = &read_spec};
static struct command_list lists[32];

struct key_table *key_table_get(const char *name, bool create)
{
    for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
        if (tables[i].name == NULL) {
            ck_assert(create);
            tables[i].name = xstrdup(name);
        }
        if (strcmp(tables[i].name, name) == 0)
            return &tables[i];
    }
    ck_abort_msg("too many tables");
}
void key_table_unref(struct key_table *t)
{
    ck_assert_uint_gt(t->refs, 0);
    t->refs--;
}
const struct binding *key_table_find(const struct key_table *t, key_code key)
{
    for (size_t i = 0; i < n_bindings; i++)
        if (strcmp(binding_tables[i], t->name) == 0 && all_bindings[i].key == key)
            return &all_bindings[i];
    return NULL;
}
static void bind_key(const char *table, key_code key, const char *name, bool repeats)
{
    size_t i = n_bindings++;
    bool reads = strncmp(name, "read", 4) == 0;
    lists[i] = (struct command_list){.first = reads ? &read_command : &write_command, .refs = 1};
    all_bindings[i] = (struct binding){.key = key, .list = &lists[i], .repeats = repeats};
    binding_tables[i] = table;
    binding_names[i] = name;
}
struct command_list *command_list_ref(struct command_list *l)
{
    l->refs++;
    return l;
}
void command_list_unref(struct command_list *l)
{
    l->refs--;
}
static struct key_event last_event;
void cmdq_set_key_event(const struct key_event *ev)
{
    last_event = *ev;
}
void cmdq_append(struct client *c, struct command_list *list, const struct target *current,
                 unsigned flags, void (*fn)(void *arg, int code), void *arg)
{
    (void)arg;
    ck_assert_ptr_eq(c, &client);
    ck_assert_ptr_null(fn);
    ck_assert_ptr_nonnull(current->session);
    ck_assert_uint_ne(flags & CMDQ_FROM_KEY, 0);
    for (size_t i = 0; i < n_bindings; i++)
        if (&lists[i] == list)
            note("%s", binding_names[i]);
}
static bool has_commands; // in the client's queue
bool cmdq_is_empty(const struct client *c)
{
    (void)c;
    return !has_commands;
}
void target_from_pane(struct target *out, struct pane *p)
{
    *out = (struct target){.session = &session, .winlink = &link1, .window = p->window, .pane = p};
}
void target_from_winlink(struct target *out, struct winlink *wl)
{
    *out = (struct target){.session = wl->session, .winlink = wl, .window = wl->window};
}
void target_from_session(struct target *out, struct session *s)
{
    *out = (struct target){.session = s, .winlink = s->current, .window = s->current->window};
}

// --- the client, its prompt, its places

void client_redraw(struct client *c, unsigned what)
{
    (void)c;
    (void)what;
}
void client_touch(struct client *c)
{
    (void)c;
}
static bool has_message;
void client_clear_message(struct client *c)
{
    (void)c;
    has_message = false;
}
void client_message(struct client *c, int delay_ms, const char *fmt, ...)
{
    (void)c;
    (void)delay_ms;
    (void)fmt;
    note("message");
}
void frame_input(struct client *c)
{
    (void)c;
}
void prompt_key(struct client *c, key_code key, const void *raw, size_t raw_len)
{
    (void)c;
    (void)raw;
    (void)raw_len;
    note("prompt:%s", key_to_name(key));
}
void prompt_paste(struct client *c, const void *data, size_t len)
{
    (void)c;
    note("prompt-paste:%.*s", (int)len, (const char *)data);
}
struct pane *frame_pane_at(struct client *c, unsigned x, unsigned y, unsigned *px, unsigned *py)
{
    (void)c;
    for (unsigned i = 0; i < 2; i++) {
        if (x < panes[i].x || x >= panes[i].x + 10 || y >= 10)
            continue;
        *px = x - panes[i].x;
        *py = y;
        return &panes[i];
    }
    return NULL;
}
void frame_pane_nearest(struct client *c, const struct pane *p, unsigned x, unsigned y,
                        unsigned *px, unsigned *py)
{
    (void)c;
    *px = x > p->x ? MIN_OF(x - p->x, 9) : 0;
    *py = MIN_OF(y, 9);
}
bool frame_is_border_at(struct client *c, unsigned x, unsigned y, struct pane **left_or_top,
                        bool *is_vertical)
{
    (void)c;
    *left_or_top = &panes[0];
    *is_vertical = true;
    return x == 10 && y < 10;
}
unsigned frame_status_row(struct client *c, bool *has_status)
{
    (void)c;
    *has_status = true;
    return 10;
}
void frame_window_area(const struct client *c, unsigned *cols, unsigned *rows)
{
    (void)c;
    *cols = 21;
    *rows = 10;
}
enum mouse_place status_place_at(struct client *c, unsigned x, unsigned row, struct winlink **wl)
{
    (void)c;
    (void)row;
    *wl = x < 10 ? &link1 : NULL;
    return x < 10 ? PLACE_STATUS : PLACE_STATUS_RIGHT;
}

// --- panes, programs and modes

struct vt {
    unsigned modes;
};
static unsigned pane_number(const struct pane *p)
{
    return (unsigned)(p - panes);
}
struct pane *pane_by_id(unsigned id)
{
    return id < 2 ? &panes[id] : NULL;
}
void pane_send_key(struct pane *p, key_code key)
{
    note("%u:%s", pane_number(p), key_to_name(key));
}
void pane_write(struct pane *p, const void *data, size_t len)
{
    note("%u<%.*s>", pane_number(p), (int)len, (const char *)data);
}
unsigned vt_modes(const struct vt *vt)
{
    return vt->modes;
}
bool vt_wants_mouse(const struct vt *vt, const struct vt_mouse *m)
{
    return (vt->modes & VT_MODE_MOUSE_ALL) != 0 || ((vt->modes & VT_MODE_MOUSE_BUTTONS) != 0 &&
                                                    m->kind != MOUSE_MOVE && m->kind != MOUSE_DRAG);
}
void vt_encode_mouse(const struct vt *vt, const struct vt_mouse *m, struct strbuf *out)
{
    (void)vt;
    strbuf_addf(out, "mouse%d.%u@%u,%u", (int)m->kind, m->button, m->x, m->y);
}
void vt_encode_paste(const struct vt *vt, bool is_first, bool is_last, const void *data, size_t len,
                     struct strbuf *out)
{
    (void)vt;
    strbuf_add_str(out, is_first ? "[" : "");
    if (len > 0)
        strbuf_add(out, data, len);
    strbuf_add_str(out, is_last ? "]" : "");
}
void vt_encode_focus(const struct vt *vt, bool is_in, struct strbuf *out)
{
    (void)vt;
    strbuf_add_str(out, is_in ? "in" : "out");
}
static const char *mode_table(const struct pane_mode_entry *e)
{
    (void)e;
    return "copy-mode";
}
static void mode_mouse(struct pane_mode_entry *e, struct client *c, const struct msg_MOUSE *m,
                       unsigned x, unsigned y)
{
    (void)e;
    (void)c;
    note("mode-mouse%u@%u,%u", m->kind, x, y);
}
static void mode_key(struct pane_mode_entry *e, struct client *c, key_code key)
{
    (void)e;
    (void)c;
    note("mode:%s", key_to_name(key));
}
static const struct pane_mode table_mode = {.name = "t",
                                            .key_table = mode_table,
                                            .mouse = mode_mouse},
                              plain_mode = {.name = "k", .key = mode_key};
static struct pane_mode_entry mode_entry;

// --- setting up

static struct vt screens[2];

static void set(struct options *o, const char *name, const char *value)
{
    char *cause = NULL;
    ck_assert_msg(options_set_text(o, name, value, 0, &cause), "%s", cause);
}

static void setup(void)
{
    queue = jobs_new();
    server_scope = options_new(NULL);
    options_set_defaults(server_scope, SCOPE_SERVER);
    session_options = options_new(NULL);
    options_set_defaults(session_options, SCOPE_SESSION);
    // Keys of a test come faster than anybody types, which is no paste here.
    options_set_number(session_options, "assume-paste-time", 0);
    window_options = options_new(NULL);
    options_set_defaults(window_options, SCOPE_WINDOW);
    memset(&client, 0, sizeof client);
    memset(panes, 0, sizeof panes);
    memset(screens, 0, sizeof screens);
    memset(&window, 0, sizeof window);
    TAILQ_INIT(&window.panes);
    for (unsigned i = 0; i < 2; i++) {
        panes[i] = (struct pane){.id = i,
                                 .window = &window,
                                 .x = 11 * i,
                                 .cols = 10,
                                 .rows = 10,
                                 .options = window_options,
                                 .vt = &screens[i]};
        TAILQ_INSERT_TAIL(&window.panes, &panes[i], entry);
    }
    window.active = &panes[0];
    link1 = (struct winlink){.session = &session, .window = &window};
    session = (struct session){.options = session_options, .current = &link1};
    client.session = &session;
    client.cols = 21;
    client.rows = 11;
    client.is_attached = true;
    TAILQ_INIT(&all_clients);
    TAILQ_INSERT_TAIL(&all_clients, &client, entry);
    n_bindings = 0;
    bind_key("prefix", 'c', "new-window", false);
    bind_key("prefix", 'd', "read-detach", false);
    bind_key("prefix", key_special(KS_UP), "up", true);
    bind_key("prefix", KEY_CTRL | 'b', "send-prefix", false);
    bind_key("root", KEY_META | 'x', "root-meta-x", false);
    bind_key("copy-mode", 'q', "cancel", false);
}

static void teardown(void)
{
    input_stop(&client);
    client.is_attached = false;
    input_focus_update();
    for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
        ck_assert_uint_eq(tables[i].refs, 0); // every table taken was given back
        free(tables[i].name);
        tables[i].name = NULL;
    }
    for (size_t i = 0; i < n_bindings; i++)
        ck_assert_uint_eq(lists[i].refs, 1);
    strbuf_free(&done);
    options_free(session_options);
    options_free(window_options);
    options_free(server_scope);
    jobs_free(queue);
}

static void press(key_code key)
{
    input_key(&client, key, "", 0);
}
#define PREFIX (KEY_CTRL | 'b')

static struct due always_due(const void *state, int64_t now_us)
{
    (void)state;
    return due_at(now_us);
}
static bool (*condition)(void);
static int64_t give_up_us;
static void look(void *state)
{
    (void)state;
    if (condition() || clock_monotonic_us() > give_up_us)
        jobs_stop(queue);
}
static const struct job_spec look_job = {"look", always_due, look};
static bool turn_until(bool (*is_met)(void))
{
    condition = is_met;
    give_up_us = clock_monotonic_us() + 3000000;
    struct job *job = job_add(queue, &look_job, NULL);
    jobs_loop(queue);
    job_remove(job);
    return is_met();
}

START_TEST(a_plain_key_goes_to_the_program)
{
    has_message = true;
    press('a');
    press(KEY_CTRL | 'c');
    ck_assert_str_eq(happened(), "0:a 0:C-c");
    ck_assert(!has_message);
}
END_TEST

START_TEST(the_prefix_waits_for_one_key)
{
    press(PREFIX);
    ck_assert_str_eq(happened(), "");
    ck_assert_str_eq(client.key_table->name, "prefix");
    press('c');
    ck_assert_str_eq(happened(), "new-window");
    press('c');
    ck_assert_str_eq(happened(), "0:c");
    press(PREFIX);
    press(PREFIX);
    ck_assert_str_eq(happened(), "send-prefix");
}
END_TEST

START_TEST(an_unknown_key_after_the_prefix_is_swallowed)
{
    press(PREFIX);
    press('y');
    ck_assert_str_eq(happened(), "");
    press('y');
    ck_assert_str_eq(happened(), "0:y");
    press(PREFIX); // but the root table is asked
    press(KEY_META | 'x');
    ck_assert_str_eq(happened(), "root-meta-x");
}
END_TEST

START_TEST(the_second_prefix_works_too)
{
    set(session_options, "prefix2", "C-a");
    press(KEY_CTRL | 'a');
    press('c');
    ck_assert_str_eq(happened(), "new-window");
    set(session_options, "prefix", "None");
    press(PREFIX);
    ck_assert_str_eq(happened(), "0:C-b");
}
END_TEST

static bool is_in_root(void)
{
    return strcmp(client.key_table->name, "root") == 0;
}

START_TEST(a_repeating_key_works_again_without_the_prefix)
{
    press(PREFIX);
    press(key_special(KS_UP));
    press(key_special(KS_UP));
    ck_assert_str_eq(happened(), "up up");
    press('c'); // bound, but does not repeat: it is the program's
    ck_assert_str_eq(happened(), "0:c");
    press(key_special(KS_UP));
    ck_assert_str_eq(happened(), "0:Up");
    // The prefix is the prefix in between.
    press(PREFIX);
    press(key_special(KS_UP));
    press(PREFIX);
    press('c');
    ck_assert_str_eq(happened(), "up new-window");
}
END_TEST

START_TEST(repeating_ends_after_the_repeat_time)
{
    set(session_options, "repeat-time", "30");
    press(PREFIX);
    press(key_special(KS_UP));
    ck_assert(!is_in_root());
    ck_assert(turn_until(is_in_root));
    press(key_special(KS_UP));
    ck_assert_str_eq(happened(), "up 0:Up");
    set(session_options, "repeat-time", "0");
    press(PREFIX);
    press(key_special(KS_UP));
    ck_assert(is_in_root());
}
END_TEST

START_TEST(the_prefix_gives_up_after_its_timeout)
{
    press(PREFIX);
    set(server_scope, "prefix-timeout", "20");
    press('y');
    press(PREFIX);
    ck_assert(turn_until(is_in_root));
}
END_TEST

START_TEST(any_catches_what_nothing_else_does)
{
    bind_key("root", key_special(KS_ANY), "any", false);
    press('z');
    press(KEY_META | 'x');
    ck_assert_str_eq(happened(), "any root-meta-x");
}
END_TEST

START_TEST(a_mode_has_the_keys_before_the_program)
{
    mode_entry = (struct pane_mode_entry){.pane = &panes[0], .mode = &table_mode};
    panes[0].mode = &mode_entry;
    press('q');
    press('a');            // unknown there: nobody's
    press(KEY_META | 'x'); // the root table still is
    press(PREFIX);
    press('c');
    ck_assert_str_eq(happened(), "cancel root-meta-x new-window");
    mode_entry.mode = &plain_mode;
    press('a');
    press(PREFIX);
    press('c');
    ck_assert_str_eq(happened(), "mode:a new-window");
}
END_TEST

START_TEST(an_open_prompt_takes_every_key_and_paste)
{
    client.prompt = (struct prompt *)&client;
    press(PREFIX);
    press('c');
    input_paste(&client, &(struct msg_PASTE){.is_first = 1, .is_last = 1, .data = {"x\x02y", 3}});
    ck_assert_str_eq(happened(), "prompt:C-b prompt:c prompt-paste:x\x02y");
}
END_TEST

START_TEST(synchronized_panes_all_get_the_key)
{
    set(window_options, "synchronize-panes", "on");
    press('a');
    ck_assert_str_eq(happened(), "0:a 1:a");
    panes[1].is_input_off = true;
    press('b');
    input_paste(&client, &(struct msg_PASTE){.is_first = 1, .is_last = 1, .data = {"p", 1}});
    ck_assert_str_eq(happened(), "0:b 0<[p]>");
}
END_TEST

START_TEST(a_pane_with_input_off_or_dead_gets_nothing)
{
    panes[0].is_input_off = true;
    press('a');
    panes[0].is_input_off = false;
    panes[0].is_dead = true;
    press('a');
    ck_assert_str_eq(happened(), "");
}
END_TEST

START_TEST(a_read_only_client_may_only_look)
{
    client.is_read_only = true;
    press('a');
    input_paste(&client, &(struct msg_PASTE){.is_first = 1, .is_last = 1, .data = {"p", 1}});
    press(PREFIX);
    press('d');
    ck_assert_str_eq(happened(), "read-detach");
    press(PREFIX);
    press('c');
    ck_assert_str_eq(happened(), "message");
}
END_TEST

START_TEST(pasted_text_is_never_a_key)
{
    input_paste(&client, &(struct msg_PASTE){.is_first = 1, .data = {"a\x02", 2}});
    input_paste(&client, &(struct msg_PASTE){.data = {"c", 1}});
    input_paste(&client, &(struct msg_PASTE){.is_last = 1});
    ck_assert_str_eq(happened(), "0<[a\x02> 0<c> 0<]>");
    ck_assert(client.key_table == NULL || is_in_root());
    mode_entry = (struct pane_mode_entry){.pane = &panes[0], .mode = &table_mode};
    panes[0].mode = &mode_entry;
    input_paste(&client, &(struct msg_PASTE){.is_first = 1, .is_last = 1, .data = {"q", 1}});
    ck_assert_str_eq(happened(), "");
}
END_TEST

static void mouse(enum mouse_kind kind, unsigned button, unsigned x, unsigned y)
{
    input_mouse(&client, &(struct msg_MOUSE){.kind = (uint8_t)kind,
                                             .button = (uint8_t)button,
                                             .x = (uint16_t)x,
                                             .y = (uint16_t)y});
}

START_TEST(the_mouse_is_the_programs_if_it_asked_for_it)
{
    mouse(MOUSE_DOWN, 1, 3, 4);
    ck_assert_str_eq(happened(), "");
    screens[1].modes = VT_MODE_MOUSE_ALL;
    mouse(MOUSE_DOWN, 1, 13, 4);
    mouse(MOUSE_DRAG, 1, 12, 4);
    mouse(MOUSE_DRAG, 1, 2, 7); // left the pane with the button held: its edge
    mouse(MOUSE_UP, 1, 2, 10);
    ck_assert_str_eq(happened(), "1<mouse1.1@2,4> 1<mouse3.1@1,4> 1<mouse3.1@0,7> 1<mouse2.1@0,9>");
    mouse(MOUSE_MOVE, 0, 200, 4); // outside of the terminal
    ck_assert_str_eq(happened(), "");
}
END_TEST

START_TEST(mouse_keys_name_what_lies_below)
{
    set(session_options, "mouse", "on");
    bind_key("root", key_mouse(MOUSE_DOWN, 1, PLACE_PANE), "down-pane", false);
    bind_key("root", key_mouse(MOUSE_DOWN, 1, PLACE_STATUS), "down-status", false);
    bind_key("root", key_mouse(MOUSE_DOWN, 1, PLACE_STATUS_RIGHT), "down-right", false);
    bind_key("root", key_mouse(MOUSE_DRAG, 1, PLACE_BORDER), "drag-border", false);
    bind_key("root", key_mouse(MOUSE_WHEEL_UP, 0, PLACE_PANE), "wheel", false);
    mouse(MOUSE_DOWN, 1, 13, 4);
    ck_assert_str_eq(happened(), "down-pane");
    ck_assert(last_event.is_mouse);
    ck_assert_ptr_eq(last_event.pane, &panes[1]);
    ck_assert_uint_eq(last_event.x, 13);
    mouse(MOUSE_UP, 1, 13, 4);
    mouse(MOUSE_DOWN, 1, 2, 10);
    ck_assert_ptr_eq(last_event.winlink, &link1);
    mouse(MOUSE_UP, 1, 2, 10);
    mouse(MOUSE_DOWN, 1, 15, 10);
    mouse(MOUSE_UP, 1, 15, 10);
    mouse(MOUSE_DOWN, 1, 10, 3);
    mouse(MOUSE_DRAG, 1, 8, 3); // still the border's
    mouse(MOUSE_DRAG, 1, 6, 3);
    mouse(MOUSE_UP, 1, 6, 3);
    mouse(MOUSE_WHEEL_UP, 0, 3, 3);
    ck_assert_str_eq(happened(), "down-status down-right drag-border drag-border wheel");
}
END_TEST

static bool was_double(void)
{
    return done.len > 0 && strstr(done.data, "double") != NULL;
}

START_TEST(clicks_are_counted)
{
    set(session_options, "mouse", "on");
    bind_key("root", key_mouse(MOUSE_DOWN, 1, PLACE_PANE), "down", false);
    bind_key("root", key_mouse(MOUSE_SECOND_CLICK, 1, PLACE_PANE), "second", false);
    bind_key("root", key_mouse(MOUSE_DOUBLE_CLICK, 1, PLACE_PANE), "double", false);
    bind_key("root", key_mouse(MOUSE_TRIPLE_CLICK, 1, PLACE_PANE), "triple", false);
    for (int i = 0; i < 3; i++) {
        mouse(MOUSE_DOWN, 1, 3, 3);
        mouse(MOUSE_UP, 1, 3, 3);
    }
    ck_assert_str_eq(happened(), "down second triple");
    mouse(MOUSE_DOWN, 1, 3, 3);
    mouse(MOUSE_DOWN, 1, 3, 3);
    ck_assert(turn_until(was_double));
    ck_assert_str_eq(happened(), "down second double");
    mouse(MOUSE_DOWN, 1, 3, 3);
    mouse(MOUSE_DOWN, 1, 4, 3); // elsewhere
    ck_assert_str_eq(happened(), "down down");
}
END_TEST

START_TEST(a_drag_in_a_mode_begins_at_the_press)
{
    set(session_options, "mouse", "on");
    bind_key("copy-mode", key_mouse(MOUSE_DRAG, 1, PLACE_PANE), "begin", false);
    bind_key("copy-mode", key_mouse(MOUSE_DRAG_END, 1, PLACE_PANE), "copy", false);
    mode_entry = (struct pane_mode_entry){.pane = &panes[0], .mode = &table_mode};
    panes[0].mode = &mode_entry;
    mouse(MOUSE_DOWN, 1, 3, 3);
    happened();
    mouse(MOUSE_DRAG, 1, 4, 3);
    mouse(MOUSE_DRAG, 1, 5, 3);
    mouse(MOUSE_UP, 1, 15, 3); // over the other pane
    ck_assert_str_eq(happened(), "mode-mouse1@3,3 begin mode-mouse3@5,3 mode-mouse2@9,3 copy");
}
END_TEST

START_TEST(what_is_typed_behind_a_command_waits_for_it)
{
    press(PREFIX);
    press('c');
    has_commands = true; // it was appended, and did not run yet
    press('l');
    input_paste(&client, &(struct msg_PASTE){.is_first = 1, .is_last = 1, .data = {"p", 1}});
    press('s');
    ck_assert_str_eq(happened(), "new-window");
    window.active = &panes[1];
    has_commands = false;
    input_resume(&client);
    ck_assert_str_eq(happened(), "1:l 1<[p]> 1:s");
    press('x');
    ck_assert_str_eq(happened(), "1:x");
}
END_TEST

START_TEST(a_prompt_that_a_command_opened_takes_what_was_typed)
{
    has_commands = true;
    press('a');
    ck_assert_str_eq(happened(), "");
    client.prompt = (struct prompt *)&client; // its command waits for the answer
    input_resume(&client);
    press('b');
    ck_assert_str_eq(happened(), "prompt:a prompt:b");
    has_commands = false;
}
END_TEST

static bool has_key(void)
{
    return done.len > 0;
}

START_TEST(a_command_that_waits_for_long_does_not_hold_keys_for_ever)
{
    has_commands = true;
    press('a');
    press('b');
    ck_assert(turn_until(has_key));
    ck_assert_str_eq(happened(), "0:a 0:b");
    press('c'); // nor the next ones
    ck_assert_str_eq(happened(), "0:c");
    has_commands = false;
    press('d');
    has_commands = true;
    press('e');
    ck_assert_str_eq(happened(), "0:d"); // another command holds again
    has_commands = false;
}
END_TEST

START_TEST(what_is_held_is_bounded)
{
    static char big[256 * 1024];
    memset(big, 'x', sizeof big);
    has_commands = true;
    for (int i = 0; i < 3; i++)
        input_paste(&client, &(struct msg_PASTE){.data = {big, sizeof big}});
    ck_assert_str_eq(happened(), "");
    input_paste(&client, &(struct msg_PASTE){.data = {big, sizeof big}});
    ck_assert_uint_gt(done.len, 4 * sizeof big);
    has_commands = false;
}
END_TEST

START_TEST(a_moving_mouse_does_not_undo_the_prefix)
{
    set(session_options, "mouse", "on");
    press(PREFIX);
    mouse(MOUSE_MOVE, 0, 3, 3);
    press('c');
    ck_assert_str_eq(happened(), "new-window");
}
END_TEST

START_TEST(a_pane_that_went_while_the_button_was_down_is_forgotten)
{
    screens[1].modes = VT_MODE_MOUSE_ALL;
    mouse(MOUSE_DOWN, 1, 13, 4);
    happened();
    panes[1].window = NULL;
    TAILQ_REMOVE(&window.panes, &panes[1], entry);
    mouse(MOUSE_DRAG, 1, 5, 4);
    mouse(MOUSE_UP, 1, 5, 4);
    ck_assert_str_eq(happened(), "");
}
END_TEST

START_TEST(focus_is_told_to_programs_that_asked)
{
    struct frame_state *frame = (struct frame_state *)&client;
    client.frame = frame;
    screens[0].modes = VT_MODE_FOCUS;
    screens[1].modes = VT_MODE_FOCUS;
    input_focus(&client, true);
    ck_assert_str_eq(happened(), "0<in>");
    input_focus(&client, true);
    ck_assert_str_eq(happened(), "");
    window.active = &panes[1];
    input_focus_update();
    ck_assert_str_eq(happened(), "0<out> 1<in>");
    input_focus(&client, false);
    ck_assert_str_eq(happened(), "1<out>");
    screens[1].modes = 0;
    input_focus(&client, true);
    set(server_scope, "focus-events", "off");
    screens[1].modes = VT_MODE_FOCUS;
    input_focus(&client, false);
    ck_assert_str_eq(happened(), "");
    client.frame = NULL;
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("server_input");
    TCase *tc = tcase_create("server_input");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 20);
    tcase_add_test(tc, a_plain_key_goes_to_the_program);
    tcase_add_test(tc, the_prefix_waits_for_one_key);
    tcase_add_test(tc, an_unknown_key_after_the_prefix_is_swallowed);
    tcase_add_test(tc, the_second_prefix_works_too);
    tcase_add_test(tc, a_repeating_key_works_again_without_the_prefix);
    tcase_add_test(tc, repeating_ends_after_the_repeat_time);
    tcase_add_test(tc, the_prefix_gives_up_after_its_timeout);
    tcase_add_test(tc, any_catches_what_nothing_else_does);
    tcase_add_test(tc, a_mode_has_the_keys_before_the_program);
    tcase_add_test(tc, an_open_prompt_takes_every_key_and_paste);
    tcase_add_test(tc, synchronized_panes_all_get_the_key);
    tcase_add_test(tc, a_pane_with_input_off_or_dead_gets_nothing);
    tcase_add_test(tc, a_read_only_client_may_only_look);
    tcase_add_test(tc, pasted_text_is_never_a_key);
    tcase_add_test(tc, the_mouse_is_the_programs_if_it_asked_for_it);
    tcase_add_test(tc, mouse_keys_name_what_lies_below);
    tcase_add_test(tc, clicks_are_counted);
    tcase_add_test(tc, a_drag_in_a_mode_begins_at_the_press);
    tcase_add_test(tc, what_is_typed_behind_a_command_waits_for_it);
    tcase_add_test(tc, a_prompt_that_a_command_opened_takes_what_was_typed);
    tcase_add_test(tc, a_command_that_waits_for_long_does_not_hold_keys_for_ever);
    tcase_add_test(tc, what_is_held_is_bounded);
    tcase_add_test(tc, a_moving_mouse_does_not_undo_the_prefix);
    tcase_add_test(tc, a_pane_that_went_while_the_button_was_down_is_forgotten);
    tcase_add_test(tc, focus_is_told_to_programs_that_asked);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
