// What formats take from outside, for their tests and their fuzz target: one session with one
// window and one pane, made by hand, and trees of options, without a server behind them.
#ifndef AMUX_TESTS_FORMAT_OUTSIDE_H
#define AMUX_TESTS_FORMAT_OUTSIDE_H

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/row.h"
#include "common/util.h"
#include "server/environ.h"
#include "server/format/format.h"
#include "server/mode/mode.h"
#include "server/model/client.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/push/push.h"
#include "server/server.h"
#include "server/vt/vt.h"

struct sessions all_sessions = TAILQ_HEAD_INITIALIZER(all_sessions);
struct clients all_clients = TAILQ_HEAD_INITIALIZER(all_clients);
struct pane *marked_pane;

static struct options *outside_server, *outside_session, *outside_window;
static struct environ *outside_environ;
static struct session session;
static struct winlink winlink;
static struct window window;
static struct pane pane;
static struct client client;
static const char *outside_rows[3]; // of the pane's screen
struct vt {
    unsigned modes;
};
static struct vt outside_vt = {VT_MODE_WRAP | VT_MODE_MOUSE_ALL | VT_MODE_MOUSE_SGR};

struct options *server_options(void)
{
    return outside_server;
}

struct options *server_session_options(void)
{
    return outside_session;
}

struct options *server_window_options(void)
{
    return outside_window;
}

struct environ *server_environ(void)
{
    return outside_environ;
}

const char *server_socket_path(void)
{
    return "/tmp/amux-0/default";
}

int64_t server_start_time(void)
{
    return 1445765102;
}

struct session *session_by_name(const char *name)
{
    return strcmp(name, session.name) == 0 ? &session : NULL;
}

struct winlink *winlink_by_window(const struct session *s, const struct window *w)
{
    return s == &session && w == &window ? &winlink : NULL;
}

unsigned window_pane_index(const struct window *w, const struct pane *p)
{
    unsigned n = 0;
    const struct pane *at;
    TAILQ_FOREACH (at, &w->panes, entry) {
        if (at == p)
            break;
        n++;
    }
    return n;
}

unsigned window_count_panes(const struct window *w)
{
    return window_pane_index(w, NULL);
}

char *pane_current_command(struct pane *p)
{
    (void)p;
    return xstrdup("cat");
}

char *pane_current_path(struct pane *p)
{
    return xstrdup(p->cwd);
}

const char *pane_start_command_text(const struct pane *p)
{
    (void)p;
    return "cat";
}

char *layout_dump(const struct window *w, const struct layout_cell *root)
{
    return xasprintf("%s,%ux%u", root == w->saved_layout ? "saved" : "shown", w->cols, w->rows);
}

char *buffer_sample(const struct buffer *b, unsigned cols)
{
    return xstrndup(b->data, MIN_OF(b->size, cols));
}

void frame_window_area(const struct client *c, unsigned *cols, unsigned *rows)
{
    *cols = c->cols;
    *rows = c->rows - 1;
}

void frame_window_offset(const struct client *c, unsigned *x, unsigned *y)
{
    (void)c;
    *x = 3;
    *y = 4;
}

unsigned vt_modes(const struct vt *vt)
{
    return vt->modes;
}

void vt_view(const struct vt *vt, struct view *out)
{
    (void)vt;
    *out = (struct view){.cols = 80, .rows = 24, .cursor = {.x = 5, .y = 1, .is_visible = true}};
}

bool vt_row_pack(const struct vt *vt, unsigned n, struct strbuf *out)
{
    (void)vt;
    if (n < 100 || n - 100 >= ARRAY_LEN(outside_rows))
        return false;
    struct row_packer *packer = row_packer_new();
    const char *text = outside_rows[n - 100] == NULL ? "" : outside_rows[n - 100];
    struct style plain = {0};
    row_packer_begin(packer, 0);
    row_packer_ascii(packer, &plain, NULL, text, strlen(text));
    row_packer_end(packer, out);
    row_packer_free(packer);
    return true;
}

unsigned vt_history_rows(const struct vt *vt)
{
    (void)vt;
    return 100;
}

size_t vt_history_bytes(const struct vt *vt)
{
    (void)vt;
    return 4321;
}

unsigned vt_rows(const struct vt *vt)
{
    (void)vt;
    return ARRAY_LEN(outside_rows);
}

unsigned vt_cols(const struct vt *vt)
{
    (void)vt;
    return 80;
}

unsigned vt_region_top(const struct vt *vt)
{
    (void)vt;
    return 0;
}

unsigned vt_region_bottom(const struct vt *vt)
{
    (void)vt;
    return 23;
}

char *vt_tabs(const struct vt *vt)
{
    (void)vt;
    return xstrdup("8,16,24");
}

static void outside_set(const char *name, const char *value)
{
    char *cause = NULL;
    if (!options_set_text(outside_session, name, value, 0, &cause))
        abort();
}

static void outside_begin(void)
{
    setenv("TZ", "UTC", 1);
    tzset();
    outside_server = options_new(NULL);
    outside_session = options_new(NULL);
    outside_window = options_new(NULL);
    options_set_defaults(outside_server, SCOPE_SERVER);
    options_set_defaults(outside_session, SCOPE_SESSION);
    options_set_defaults(outside_window, SCOPE_WINDOW);
    outside_environ = environ_new();
    environ_put(outside_environ, "EV=val");

    session = (struct session){.name = xstrdup("foo"), .cwd = xstrdup("/srv/work/opts")};
    session.options = options_new(outside_session);
    session.created_us = 1445765102000000;
    winlink = (struct winlink){.session = &session, .window = &window};
    window = (struct window){.name = xstrdup("win"), .cols = 80, .rows = 24};
    window.options = options_new(outside_window);
    pane = (struct pane){.window = &window, .cols = 80, .rows = 24, .vt = &outside_vt, .pid = 77};
    pane.title = xstrdup("vm");
    pane.cwd = xstrdup("/srv/work/opts");
    pane.options = options_new(window.options);
    client = (struct client){.name = xstrdup("/dev/pts/9"), .cols = 60, .rows = 24, .pid = 88};
    client.session = &session;
    client.is_attached = true;

    TAILQ_INIT(&all_sessions);
    TAILQ_INIT(&all_clients);
    TAILQ_INIT(&session.winlinks);
    TAILQ_INIT(&session.last_winlinks);
    TAILQ_INIT(&window.winlinks);
    TAILQ_INIT(&window.panes);
    TAILQ_INIT(&window.last_panes);
    TAILQ_INSERT_TAIL(&all_sessions, &session, entry);
    TAILQ_INSERT_TAIL(&all_clients, &client, entry);
    TAILQ_INSERT_TAIL(&session.winlinks, &winlink, entry);
    TAILQ_INSERT_TAIL(&window.winlinks, &winlink, in_window);
    TAILQ_INSERT_TAIL(&window.panes, &pane, entry);
    session.current = &winlink;
    window.active = &pane;

    outside_set("@h", "#{session_name}");
    outside_set("@n", "5");
    outside_set("@e", "");
    outside_set("@z", "0");
    outside_set("@c", "a,b");
    outside_set("@t", "abcdefghij");
    outside_set("@w", "日本語text");
    outside_set("@st", "#[fg=red]red#[default]x");
    outside_set("@hash", "a#b##c");
    outside_set("@p", "%H");
}

static void outside_end(void)
{
    options_free(pane.options);
    options_free(window.options);
    options_free(session.options);
    options_free(outside_server);
    options_free(outside_session);
    options_free(outside_window);
    environ_free(outside_environ);
    free(session.name);
    free(session.cwd);
    free(window.name);
    free(pane.title);
    free(pane.cwd);
    free(client.name);
    marked_pane = NULL;
}

#endif
