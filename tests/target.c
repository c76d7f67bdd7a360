// Targets: the whole of tmux's syntax over a small model made by hand, and what is meant when
// nothing is named.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "server/command/language.h"
#include "server/environ.h"
#include "server/model/client.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/server.h"

// Sessions: foo (0 bash, 1 vim, 3 vim2, 7 "top*"), fob (0 mail; 5 is foo's vim, linked), 12 (0 x).
// Panes: each window has one, foo:0 four in a square.
static struct session sessions[3];
static struct window windows[6];
static struct winlink links[7];
static struct pane panes[9];
static struct client client, attached;
static struct key_event event;
static bool has_event;
static long long pane_base;

struct sessions all_sessions = TAILQ_HEAD_INITIALIZER(all_sessions);
struct windows all_windows = TAILQ_HEAD_INITIALIZER(all_windows);
struct all_panes all_panes = TAILQ_HEAD_INITIALIZER(all_panes);
struct clients all_clients = TAILQ_HEAD_INITIALIZER(all_clients);
struct pane *marked_pane;

// --- What the model would answer

struct session *session_by_id(unsigned id)
{
    return id < ARRAY_LEN(sessions) ? &sessions[id] : NULL;
}
struct session *session_by_name(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(sessions); i++) {
        if (strcmp(sessions[i].name, name) == 0)
            return &sessions[i];
    }
    return NULL;
}
struct window *window_by_id(unsigned id)
{
    return id < ARRAY_LEN(windows) ? &windows[id] : NULL;
}
struct pane *pane_by_id(unsigned id)
{
    return id < ARRAY_LEN(panes) ? &panes[id] : NULL;
}
struct winlink *winlink_by_index(const struct session *s, int index)
{
    struct winlink *wl;
    TAILQ_FOREACH(wl, &s->winlinks, entry) {
        if (wl->index == index)
            return wl;
    }
    return NULL;
}
struct winlink *winlink_by_window(const struct session *s, const struct window *w)
{
    struct winlink *wl;
    TAILQ_FOREACH(wl, &s->winlinks, entry) {
        if (wl->window == w)
            return wl;
    }
    return NULL;
}
struct pane *window_pane_at_index(const struct window *w, unsigned index)
{
    struct pane *p;
    TAILQ_FOREACH(p, &w->panes, entry) {
        if (index-- == 0)
            return p;
    }
    return NULL;
}
unsigned window_count_panes(const struct window *w)
{
    unsigned n = 0;
    struct pane *p;
    TAILQ_FOREACH(p, &w->panes, entry)
        n++;
    return n;
}
struct pane *window_find_pane(struct window *w, struct pane *from, enum layout_direction dir)
{
    (void)w;
    return dir == TO_RIGHT && from == &panes[0] ? &panes[1] : NULL;
}
long long options_number(const struct options *o, const char *name)
{
    (void)o;
    ck_assert_str_eq(name, "pane-base-index");
    return pane_base;
}
const char *server_socket_path(void)
{
    return "/tmp/amux-0/default";
}
const struct key_event *cmdq_event_now(void)
{
    return has_event ? &event : NULL;
}

// --- The model



static void add_pane(struct window *w, struct pane *p, unsigned x, unsigned y, unsigned cols, unsigned rows)
{
    *p = (struct pane){.id = (unsigned)(p - panes), .window = w, .x = x, .y = y, .cols = cols, .rows = rows};
    TAILQ_INSERT_TAIL(&w->panes, p, entry);
    TAILQ_INSERT_TAIL(&all_panes, p, all_entry);
}

static void add_window(struct window *w, const char *name)
{
    *w = (struct window){.id = (unsigned)(w - windows), .cols = 81, .rows = 25};
    w->name = xstrdup(name);
    TAILQ_INIT(&w->winlinks);
    TAILQ_INIT(&w->panes);
    TAILQ_INIT(&w->last_panes);
    TAILQ_INSERT_TAIL(&all_windows, w, entry);
}

static void add_session(struct session *s, const char *name, int64_t activity)
{
    *s = (struct session){.id = (unsigned)(s - sessions), .name = xstrdup(name), .activity_us = activity};
    TAILQ_INIT(&s->winlinks);
    TAILQ_INIT(&s->last_winlinks);
    TAILQ_INSERT_TAIL(&all_sessions, s, entry);
}

static void add_link(struct winlink *wl, struct session *s, struct window *w, int index)
{
    *wl = (struct winlink){.index = index, .session = s, .window = w};
    TAILQ_INSERT_TAIL(&s->winlinks, wl, entry);
    TAILQ_INSERT_TAIL(&w->winlinks, wl, in_window);
}

static void setup(void)
{
    add_session(&sessions[0], "foo", 300);
    add_session(&sessions[1], "fob", 200);
    add_session(&sessions[2], "12", 100);
    static const char *const window_names[] = {"bash", "vim", "vim2", "top*", "mail", "x"};
    for (size_t i = 0; i < ARRAY_LEN(windows); i++)
        add_window(&windows[i], window_names[i]);
    add_link(&links[0], &sessions[0], &windows[0], 0);
    add_link(&links[1], &sessions[0], &windows[1], 1);
    add_link(&links[2], &sessions[0], &windows[2], 3);
    add_link(&links[3], &sessions[0], &windows[3], 7);
    add_link(&links[4], &sessions[1], &windows[4], 0);
    add_link(&links[5], &sessions[1], &windows[1], 5);
    add_link(&links[6], &sessions[2], &windows[5], 0);
    sessions[0].current = &links[0];
    TAILQ_INSERT_HEAD(&sessions[0].last_winlinks, &links[2], in_stack);
    sessions[1].current = &links[4];
    sessions[2].current = &links[6];
    add_pane(&windows[0], &panes[0], 0, 0, 40, 12);
    add_pane(&windows[0], &panes[1], 41, 0, 40, 12);
    add_pane(&windows[0], &panes[2], 0, 13, 40, 12);
    add_pane(&windows[0], &panes[3], 41, 13, 40, 12);
    TAILQ_INSERT_HEAD(&windows[0].last_panes, &panes[2], in_last);
    for (size_t i = 1; i < ARRAY_LEN(windows); i++)
        add_pane(&windows[i], &panes[3 + i], 0, 0, 81, 25);
    for (size_t i = 0; i < ARRAY_LEN(windows); i++)
        windows[i].active = TAILQ_FIRST(&windows[i].panes);
    client = (struct client){.activity_us = 1};
    attached = (struct client){.activity_us = 2};
    marked_pane = NULL;
    has_event = false;
    pane_base = 0;
}

static const struct {
    enum command_target kind;
    const char *target;
    const char *wanted; // "session:index.%pane", or what is said
} cases[] = {
    {TARGET_PANE, NULL, "foo:0.%0"},
    {TARGET_PANE, "", "foo:0.%0"},
    // Sessions.
    {TARGET_SESSION, "fob", "fob:0.%7"},
    {TARGET_SESSION, "=fob", "fob:0.%7"},
    {TARGET_SESSION, "$1", "fob:0.%7"},
    {TARGET_SESSION, "fob:", "fob:0.%7"},
    {TARGET_SESSION, "f*b", "fob:0.%7"},
    {TARGET_SESSION, "12", "12:0.%8"},
    {TARGET_SESSION, "1", "12:0.%8"},
    {TARGET_SESSION, "fo", "can't find session: fo"},
    {TARGET_SESSION, "fo*", "can't find session: fo*"},
    {TARGET_SESSION, "=1", "can't find session: 1"},
    {TARGET_SESSION, "$9", "can't find session: $9"},
    {TARGET_SESSION, "no\033pe", "can't find session: no\\033pe"},
    {TARGET_SESSION, "nope:0", "can't find session: nope"},
    // Windows.
    {TARGET_WINDOW, "1", "foo:1.%4"},
    {TARGET_WINDOW, ":1", "foo:1.%4"},
    {TARGET_WINDOW, "foo:3", "foo:3.%5"},
    {TARGET_WINDOW, "fob:vim", "fob:5.%4"},
    {TARGET_WINDOW, "vim", "foo:1.%4"},
    {TARGET_WINDOW, ":ba", "foo:0.%0"},
    {TARGET_WINDOW, ":t*", "foo:7.%6"},
    {TARGET_WINDOW, ":v", "can't find window: v"},
    {TARGET_WINDOW, ":=vi", "can't find window: vi"},
    {TARGET_WINDOW, ":=vim", "foo:1.%4"},
    {TARGET_WINDOW, "@1", "foo:1.%4"},
    {TARGET_WINDOW, "@4", "fob:0.%7"},
    {TARGET_WINDOW, "fob:@1", "fob:5.%4"},
    {TARGET_WINDOW, "fob:@0", "can't find window: @0"},
    {TARGET_WINDOW, "@77", "can't find window: @77"},
    {TARGET_WINDOW, "foo:+", "foo:1.%4"},
    {TARGET_WINDOW, "foo:-", "foo:7.%6"},
    {TARGET_WINDOW, "+2", "foo:3.%5"},
    {TARGET_WINDOW, "+5", "foo:1.%4"},
    {TARGET_WINDOW, "{next}", "foo:1.%4"},
    {TARGET_WINDOW, "{previous}", "foo:7.%6"},
    {TARGET_WINDOW, "!", "foo:3.%5"},
    {TARGET_WINDOW, "{last}", "foo:3.%5"},
    {TARGET_WINDOW, "fob:!", "can't find window: !"},
    {TARGET_WINDOW, "foo:^", "foo:0.%0"},
    {TARGET_WINDOW, "fob:{end}", "fob:5.%4"},
    {TARGET_WINDOW, "fob:$", "fob:5.%4"},
    {TARGET_WINDOW, "fob", "fob:0.%7"}, // a session's current one
    {TARGET_WINDOW, ":fob", "can't find window: fob"},
    {TARGET_WINDOW, ":99999999999999999999", "can't find window: 99999999999999999999"},
    // Panes.
    {TARGET_PANE, "%5", "foo:3.%5"},
    {TARGET_PANE, "%8", "12:0.%8"},
    {TARGET_PANE, "%99", "can't find pane: %99"},
    {TARGET_PANE, "1", "foo:0.%1"},
    {TARGET_PANE, ".3", "foo:0.%3"},
    {TARGET_PANE, ".9", "can't find pane: 9"},
    {TARGET_PANE, "vim", "foo:1.%4"},
    {TARGET_PANE, "fob", "fob:0.%7"},
    {TARGET_PANE, "fob:5.0", "fob:5.%4"},
    {TARGET_PANE, "fob:9.0", "can't find window: 9"},
    {TARGET_PANE, "foo:0.9", "can't find pane: 9"},
    {TARGET_PANE, "foo:.2", "foo:0.%2"},
    {TARGET_PANE, ":.+", "foo:0.%1"},
    {TARGET_PANE, ".-", "foo:0.%3"},
    {TARGET_PANE, "!", "foo:0.%2"},
    {TARGET_PANE, "{last}", "foo:0.%2"},
    {TARGET_PANE, "{top-left}", "foo:0.%0"},
    {TARGET_PANE, "{top-right}", "foo:0.%1"},
    {TARGET_PANE, "{bottom-left}", "foo:0.%2"},
    {TARGET_PANE, "{bottom-right}", "foo:0.%3"},
    {TARGET_PANE, "{right-of}", "foo:0.%1"},
    {TARGET_PANE, "{left-of}", "can't find pane: {left-of}"},
    {TARGET_PANE, "~", "no marked target"},
    {TARGET_PANE, "{marked}", "no marked target"},
    {TARGET_PANE, "=", "no mouse target"},
};

static char *describe(enum command_target kind, const char *target, unsigned flags, struct target *t)
{
    char *cause = NULL;
    if (!target_find(t, NULL, &client, target, kind, flags, &cause))
        return cause;
    return xasprintf("%s:%d.%%%u", t->session->name, t->winlink == NULL ? -1 : t->winlink->index,
                     t->pane == NULL ? 99 : t->pane->id);
}

START_TEST(a_target_means_this)
{
    struct target t;
    char *text = describe(cases[_i].kind, cases[_i].target, 0, &t);
    ck_assert_msg(strcmp(text, cases[_i].wanted) == 0, "%s: %s, wanted %s",
                  cases[_i].target == NULL ? "(none)" : cases[_i].target, text, cases[_i].wanted);
    if (strchr(text, '%') != NULL && strstr(text, "can't") == NULL)
        ck_assert(target_is_valid(&t));
    free(text);
}
END_TEST

static const struct {
    const char *target;
    int index;
    bool exists;
} indices[] = {
    {":9", 9, false}, {":0", 0, true},   {"fob:", -1, true}, {"fob", -1, true}, {":+", 1, true},
    {"+2", 2, false}, {"fob:3", 3, false}, {"vim", 1, true},   {NULL, -1, true},
};

START_TEST(an_index_that_need_not_exist_is_given_as_a_number)
{
    struct target t;
    char *cause = NULL;
    ck_assert_msg(target_find(&t, NULL, &client, indices[_i].target, TARGET_WINDOW, TARGET_WINDOW_INDEX, &cause),
                  "%s", cause);
    ck_assert_int_eq(t.index, indices[_i].index);
    ck_assert_int_eq(t.winlink != NULL, indices[_i].exists);
    ck_assert_ptr_nonnull(t.session);
}
END_TEST

START_TEST(a_pane_cannot_be_named_where_an_index_is_wanted)
{
    struct target t;
    char *cause = NULL;
    ck_assert(!target_find(&t, NULL, &client, "foo:0.1", TARGET_WINDOW, TARGET_WINDOW_INDEX, &cause));
    ck_assert_str_eq(cause, "can't specify pane here");
    free(cause);
}
END_TEST

START_TEST(pane_indices_count_from_pane_base_index)
{
    struct target t;
    pane_base = 1;
    char *text = describe(TARGET_PANE, ".1", 0, &t);
    ck_assert_str_eq(text, "foo:0.%0");
    free(text);
    text = describe(TARGET_PANE, ".0", 0, &t);
    ck_assert_str_eq(text, "can't find pane: 0");
    free(text);
}
END_TEST

START_TEST(a_marked_pane_and_the_one_under_the_mouse_are_found)
{
    struct target t;
    marked_pane = &panes[7];
    char *text = describe(TARGET_PANE, "~", 0, &t);
    ck_assert_str_eq(text, "fob:0.%7");
    free(text);
    ck_assert(target_find(&t, NULL, &client, NULL, TARGET_PANE, TARGET_DEFAULT_MARKED, NULL));
    ck_assert_ptr_eq(t.pane, &panes[7]);
    has_event = true;
    event = (struct key_event){.is_mouse = true, .pane = &panes[4], .session = &sessions[1]};
    text = describe(TARGET_PANE, "{mouse}", 0, &t);
    ck_assert_str_eq(text, "fob:5.%4");
    free(text);
    event = (struct key_event){.is_mouse = true, .winlink = &links[2], .session = &sessions[0]};
    text = describe(TARGET_WINDOW, "=", 0, &t);
    ck_assert_str_eq(text, "foo:3.%5");
    free(text);
}
END_TEST

START_TEST(an_attached_client_means_its_session_and_its_name_means_it_too)
{
    struct target t;
    static char name[] = "/dev/pts/9";
    attached.session = &sessions[2];
    attached.name = attached.tty = name;
    TAILQ_INSERT_TAIL(&all_clients, &attached, entry);
    ck_assert(target_find(&t, NULL, &attached, NULL, TARGET_PANE, 0, NULL));
    ck_assert_ptr_eq(t.session, &sessions[2]);
    ck_assert(target_find(&t, NULL, &client, "pts/9", TARGET_SESSION, 0, NULL));
    ck_assert_ptr_eq(t.session, &sessions[2]);
    ck_assert_ptr_eq(target_find_client("/dev/pts/9", NULL), &attached);
    ck_assert_ptr_eq(target_find_client("pts/9:", NULL), &attached);
    char *cause = NULL;
    ck_assert_ptr_null(target_find_client("pts/8", &cause));
    ck_assert_str_eq(cause, "can't find client: pts/8");
    free(cause);
    ck_assert_ptr_eq(target_best_client(&client, NULL), &attached);
}
END_TEST

START_TEST(a_command_in_a_pane_means_that_pane_unless_it_is_another_servers)
{
    struct target t;
    client.environ = environ_new();
    environ_set(client.environ, "AMUX_PANE", "%5", false);
    ck_assert(target_find(&t, NULL, &client, NULL, TARGET_PANE, 0, NULL));
    ck_assert_ptr_eq(t.pane, &panes[5]);
    ck_assert_ptr_eq(t.winlink, &links[2]);
    environ_set(client.environ, "AMUX", "/tmp/amux-0/default,1,0", false);
    ck_assert(target_find(&t, NULL, &client, NULL, TARGET_PANE, 0, NULL));
    ck_assert_ptr_eq(t.pane, &panes[5]);
    environ_set(client.environ, "AMUX", "/tmp/amux-0/other,1,0", false);
    ck_assert(target_find(&t, NULL, &client, NULL, TARGET_PANE, 0, NULL));
    ck_assert_ptr_eq(t.pane, &panes[0]);
    environ_free(client.environ);
}
END_TEST

START_TEST(attaching_prefers_a_session_that_nobody_looks_at)
{
    struct target t;
    sessions[0].n_attached = 1;
    ck_assert(target_find(&t, NULL, &client, NULL, TARGET_SESSION, TARGET_PREFER_UNATTACHED, NULL));
    ck_assert_ptr_eq(t.session, &sessions[1]);
    // Unless another command of the line has chosen one.
    struct target current;
    target_from_session(&current, &sessions[2]);
    ck_assert(target_find(&t, &current, &client, NULL, TARGET_SESSION, TARGET_PREFER_UNATTACHED, NULL));
    ck_assert_ptr_eq(t.session, &sessions[2]);
}
END_TEST

START_TEST(without_any_session_nothing_is_current)
{
    struct target t;
    char *cause = NULL;
    TAILQ_INIT(&all_sessions);
    ck_assert(!target_find(&t, NULL, &client, NULL, TARGET_PANE, 0, &cause));
    ck_assert_str_eq(cause, "no current target");
    free(cause);
    ck_assert(!target_find(&t, NULL, &client, ".+", TARGET_PANE, 0, &cause));
    ck_assert_str_eq(cause, "can't find pane: +");
    free(cause);
}
END_TEST

START_TEST(a_target_of_something_gone_is_not_valid)
{
    struct target t;
    target_from_winlink(&t, &links[1]);
    ck_assert(target_is_valid(&t));
    TAILQ_REMOVE(&sessions[0].winlinks, &links[1], entry);
    ck_assert(!target_is_valid(&t));
    target_from_pane(&t, &panes[3]);
    TAILQ_REMOVE(&windows[0].panes, &panes[3], entry);
    ck_assert(!target_is_valid(&t));
    ck_assert(!target_is_valid(NULL));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("target");
    TCase *t = tcase_create("target");
    tcase_add_checked_fixture(t, setup, NULL);
    tcase_add_loop_test(t, a_target_means_this, 0, (int)ARRAY_LEN(cases));
    tcase_add_loop_test(t, an_index_that_need_not_exist_is_given_as_a_number, 0, (int)ARRAY_LEN(indices));
    tcase_add_test(t, a_pane_cannot_be_named_where_an_index_is_wanted);
    tcase_add_test(t, pane_indices_count_from_pane_base_index);
    tcase_add_test(t, a_marked_pane_and_the_one_under_the_mouse_are_found);
    tcase_add_test(t, an_attached_client_means_its_session_and_its_name_means_it_too);
    tcase_add_test(t, a_command_in_a_pane_means_that_pane_unless_it_is_another_servers);
    tcase_add_test(t, attaching_prefers_a_session_that_nobody_looks_at);
    tcase_add_test(t, without_any_session_nothing_is_current);
    tcase_add_test(t, a_target_of_something_gone_is_not_valid);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
