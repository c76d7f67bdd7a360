// Clients: their life, the session they show, and what they are told.
#include "config.h"

#include "server/model/client.h"

#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "server/command/command.h"
#include "server/environ.h"
#include "server/mode/mode.h"
#include "server/model/internal.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/push/push.h"
#include "server/server.h"

#define OUTPUT_BYTES (256u << 10) // of one OUTPUT message
// What of long options fits a message beside the others.
#define OPTIONS_TEXT_MOST 16384u
#define USER_KEYS         100u
#define USER_KEY_MOST     64u

struct clients all_clients = TAILQ_HEAD_INITIALIZER(all_clients);

struct client *client_new(struct peer *peer)
{
    struct client *c = xcalloc(1, sizeof *c);
    c->peer = peer;
    c->name = xstrdup("");
    c->tty = xstrdup("");
    c->term = xstrdup("");
    c->cwd = xstrdup("/");
    c->program = xstrdup("");
    c->terminal_cause = xstrdup("not a terminal");
    c->environ = environ_new();
    c->cols = 80;
    c->rows = 24;
    c->created_us = c->activity_us = clock_wall_us();
    c->queue = cmdq_list_new(c);
    TAILQ_INSERT_TAIL(&all_clients, c, entry);
    return c;
}

struct client *client_by_name(const char *name)
{
    struct client *c;
    TAILQ_FOREACH(c, &all_clients, entry)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

struct options *client_options(struct client *c)
{
    return c->session != NULL ? c->session->options : server_session_options();
}

struct client *client_next_in_session(struct session *s, struct client *prev)
{
    struct client *c = prev == NULL ? TAILQ_FIRST(&all_clients) : TAILQ_NEXT(prev, entry);
    while (c != NULL && c->session != s)
        c = TAILQ_NEXT(c, entry);
    return c;
}

// --- the session it shows

void clients_check_unattached(struct session *s)
{
    enum { DESTROY_OFF, DESTROY_ON, DESTROY_KEEP_LAST, DESTROY_KEEP_GROUP };
    if (s->is_destroyed || s->n_attached > 0)
        return;
    struct session *other;
    bool has_sibling = false;
    if (s->group != NULL)
        TAILQ_FOREACH(other, &s->group->sessions, in_group)
            has_sibling = has_sibling || other != s;
    switch (options_number(s->options, "destroy-unattached")) {
    case DESTROY_OFF:
        return;
    case DESTROY_KEEP_LAST:
        if (s->group != NULL && !has_sibling)
            return;
        break;
    case DESTROY_KEEP_GROUP:
        if (s->group == NULL || !has_sibling)
            return;
        break;
    default:
        break;
    }
    session_destroy(s);
}

// Nobody who is not there decides a window's size.
static void forget_latest(struct client *c)
{
    struct window *w;
    TAILQ_FOREACH(w, &all_windows, entry)
        if (w->latest == c)
            w->latest = NULL;
}

// Takes c out of its session; the session may be destroyed by that.
static void leave_session(struct client *c, bool may_destroy)
{
    struct session *s = c->session;
    if (s == NULL)
        return;
    c->session = NULL;
    s->n_attached--;
    forget_latest(c);
    if (may_destroy)
        clients_check_unattached(s);
}

static void enter_session(struct client *c, struct session *s)
{
    c->session = s;
    s->n_attached++;
    s->last_attached_us = clock_wall_us();
    session_touch(s);
    if (s->current != NULL) {
        s->current->window->latest = c;
        alerts_seen(s->current);
    }
    resize_window_by_clients(NULL);
    redraw_session(s, REDRAW_STATUS);
}

void client_set_session(struct client *c, struct session *s)
{
    struct session *old = c->session;
    if (old == s)
        return;
    if (old != NULL)
        c->last_session = old;
    // The old one may be destroyed only after the new one is entered.
    if (old != NULL) {
        c->session = NULL;
        old->n_attached--;
        forget_latest(c);
    }
    enter_session(c, s);
    struct msg_ATTACH m = {s->name, s->id};
    peer_send(c->peer, MSG_ATTACH, &m);
    client_send_options(c);
    input_set_table(c, NULL);
    client_redraw(c, REDRAW_ALL);
    if (old != NULL)
        clients_check_unattached(old);
}

void client_attach(struct client *c, struct session *s)
{
    if (c->is_attached) {
        client_set_session(c, s);
        return;
    }
    c->is_attached = true;
    struct msg_ATTACH m = {s->name, s->id};
    enter_session(c, s);
    peer_send(c->peer, MSG_ATTACH, &m);
    client_send_options(c);
    input_set_table(c, NULL);
    frame_start(c);
    resize_window_by_clients(NULL);
}

void clients_leave_session(struct session *s, struct session *to)
{
    struct client *c, *next;
    for (c = TAILQ_FIRST(&all_clients); c != NULL; c = next) {
        next = TAILQ_NEXT(c, entry);
        if (c->session != s)
            continue;
        if (to != NULL && c->is_attached) {
            client_set_session(c, to);
            c->last_session = NULL;
        } else {
            client_detach(c, server_is_shutting_down() ? DETACH_SERVER_EXIT : DETACH_EXITED, NULL);
        }
    }
}

// --- leaving

static void stop_showing(struct client *c)
{
    if (!c->is_attached)
        return;
    c->is_attached = false;
    prompt_free(c);
    c->prompt = NULL;
    input_stop(c);
    frame_stop(c);
}

static void detach_with(struct client *c, const struct msg_DETACH *m)
{
    if (c->is_exiting)
        return;
    c->is_exiting = true;
    stop_showing(c);
    peer_send(c->peer, MSG_DETACH, m);
    peer_close_when_sent(c->peer);
    leave_session(c, true);
    resize_window_by_clients(NULL);
    server_check_empty();
}

void client_detach(struct client *c, enum detach_reason reason, const char *exec)
{
    char *name = xstrdup(c->session != NULL ? c->session->name : "");
    struct msg_DETACH m = {(uint8_t)reason, name, (uint8_t)c->exit_code, exec == NULL ? "" : exec};
    detach_with(c, &m);
    free(name);
}

void client_detach_message(struct client *c, int code, const char *text)
{
    struct msg_DETACH m = {DETACH_MESSAGE, text, (uint8_t)code, ""};
    detach_with(c, &m);
}

void client_leaves(struct client *c)
{
    if (c->is_exiting)
        return;
    c->is_exiting = true;
    stop_showing(c);
    peer_close_when_sent(c->peer);
    leave_session(c, true);
    resize_window_by_clients(NULL);
    server_check_empty();
}

void client_exit(struct client *c, int code)
{
    if (c->is_exiting)
        return;
    if (c->is_attached) {
        c->exit_code = code;
        client_detach(c, DETACH_EXITED, NULL);
        return;
    }
    c->is_exiting = true;
    c->exit_code = code;
    struct msg_EXIT m = {(uint8_t)code};
    peer_send(c->peer, MSG_EXIT, &m);
    peer_close_when_sent(c->peer);
}

void client_server_exits(struct client *c)
{
    if (c->is_exiting)
        return;
    // A command that runs (kill-server itself, a start that is being cancelled) ends by itself and
    // says how; one that waits for its client's answer does not.
    if (!c->is_attached && c->has_command && c->stdin_fn == NULL && c->jobs_fn == NULL)
        return;
    client_detach(c, DETACH_SERVER_EXIT, NULL);
}

void client_lost(struct client *c)
{
    log_debug("client %s (pid %ld) is gone", c->name, (long)c->pid);
    TAILQ_REMOVE(&all_clients, c, entry);
    stop_showing(c);
    struct session *s = c->session;
    c->session = NULL;
    forget_latest(c);
    client_forget_waiting(c);
    job_remove(c->size_job);
    cmdq_list_free(c->queue);
    // Who waits for something from it hears that nothing comes.
    if (c->stdin_fn != NULL)
        c->stdin_fn(c, NULL, 0, true, c->stdin_arg);
    if (c->jobs_fn != NULL)
        c->jobs_fn(c, NULL, c->jobs_arg);
    input_stop(c);
    environ_free(c->environ);
    peer_free(c->peer);
    free(c->name);
    free(c->tty);
    free(c->term);
    free(c->cwd);
    free(c->program);
    free(c->terminal_cause);
    free(c->terminal_name);
    free(c);
    if (s != NULL) {
        s->n_attached--;
        clients_check_unattached(s);
        resize_window_by_clients(NULL);
    }
    server_check_empty();
}

// --- what it is told

void client_print(struct client *c, int stream, const void *data, size_t len)
{
    const char *at = data;
    while (len > 0) {
        size_t n = MIN_OF(len, (size_t)OUTPUT_BYTES);
        struct msg_OUTPUT m = {(uint8_t)stream, {at, (uint32_t)n}};
        if (!peer_send(c->peer, MSG_OUTPUT, &m))
            return;
        at += n;
        len -= n;
    }
}

void client_read_stdin(struct client *c,
                       void (*fn)(struct client *, const void *, size_t, bool, void *), void *arg)
{
    c->stdin_fn = fn;
    c->stdin_arg = arg;
    struct msg_READ_STDIN m = {0};
    peer_send(c->peer, MSG_READ_STDIN, &m);
}

void client_message(struct client *c, int delay_ms, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = xvasprintf(fmt, ap);
    va_end(ap);
    server_add_message("%s message: %s", c->name, text);
    c->message_kept_until_us = 0;
    if (c->is_attached) {
        struct options *o = client_options(c);
        long long ms = delay_ms >= 0 ? delay_ms : options_number(o, "display-time");
        char *visible = text_visible(text);
        struct msg_NOTICE m = {visible, (uint32_t)ms, options_string(o, "message-style")};
        c->has_message = peer_send(c->peer, MSG_NOTICE, &m);
        free(visible);
    }
    free(text);
}

void client_keep_message(struct client *c, int ms)
{
    c->message_kept_until_us = clock_monotonic_us() + (int64_t)ms * 1000;
}

void client_clear_message(struct client *c)
{
    struct msg_CLEAR_NOTICE m = {0};
    if (c->message_kept_until_us != 0 && clock_monotonic_us() < c->message_kept_until_us)
        return;
    c->message_kept_until_us = 0;
    if (c->is_attached && c->has_message)
        peer_send(c->peer, MSG_CLEAR_NOTICE, &m);
    c->has_message = false;
}

void client_suspend(struct client *c)
{
    if (!c->is_attached || c->is_suspended)
        return;
    struct msg_SUSPEND m = {0};
    c->is_suspended = true;
    peer_send(c->peer, MSG_SUSPEND, &m);
}

// The entries of an array as one text; what is beyond all reason is left out.
static char *array_text(const char *name)
{
    struct options *server = server_options();
    struct strbuf b = {0};
    size_t n = options_array_len(server, name);
    strbuf_add_str(&b, "");
    for (size_t i = 0; i < n; i++) {
        const char *entry = options_array_at(server, name, i, NULL);
        if (b.len + strlen(entry) > OPTIONS_TEXT_MOST)
            break;
        if (i > 0)
            strbuf_add_char(&b, ',');
        strbuf_add_str(&b, entry);
    }
    return strbuf_take(&b);
}

// user-keys by their index, "" where there is none; NULL at the end.
static void user_keys(const char *out[USER_KEYS + 1])
{
    struct options *server = server_options();
    size_t n = options_array_len(server, "user-keys"), end = 0;
    for (size_t i = 0; i < USER_KEYS; i++)
        out[i] = "";
    for (size_t i = 0; i < n; i++) {
        unsigned index;
        const char *bytes = options_array_at(server, "user-keys", i, &index);
        if (index < USER_KEYS && strlen(bytes) <= USER_KEY_MOST) {
            out[index] = bytes;
            end = MAX_OF(end, (size_t)index + 1);
        }
    }
    out[end] = NULL;
}

void client_send_options(struct client *c)
{
    struct options *o = client_options(c), *server = server_options();
    const char *keys[USER_KEYS + 1];
    unsigned flags = 0;
    if (options_number(o, "mouse"))
        flags |= OPTIONS_MOUSE;
    if (options_number(server, "focus-events"))
        flags |= OPTIONS_FOCUS;
    if (options_number(o, "set-titles"))
        flags |= OPTIONS_SET_TITLES;
    if (options_number(server, "extended-keys"))
        flags |= OPTIONS_EXTENDED_KEYS;
    if (options_number(server, "set-clipboard"))
        flags |= OPTIONS_CLIPBOARD;
    char *overrides = array_text("terminal-overrides"), *features = array_text("terminal-features");
    user_keys(keys);
    struct msg_OPTIONS m = {
        .flags = flags,
        .escape_time_ms = (uint32_t)options_number(server, "escape-time"),
        .overrides = overrides,
        .status_style = options_string(o, "status-style"),
        .features = features,
        .user_keys = keys,
    };
    peer_send(c->peer, MSG_OPTIONS, &m);
    free(overrides);
    free(features);
}

// --- redraws

void client_redraw(struct client *c, unsigned what)
{
    if (c->is_attached && c->session != NULL)
        frame_invalidate(c, what);
}

void redraw_session(struct session *s, unsigned what)
{
    struct client *c = NULL;
    while ((c = client_next_in_session(s, c)) != NULL)
        client_redraw(c, what);
}

void redraw_window(struct window *w, unsigned what)
{
    struct client *c;
    TAILQ_FOREACH(c, &all_clients, entry)
        if (c->session != NULL && c->session->current != NULL && c->session->current->window == w)
            client_redraw(c, what);
}

void redraw_all(unsigned what)
{
    struct client *c;
    TAILQ_FOREACH(c, &all_clients, entry)
        client_redraw(c, what);
}

void client_touch(struct client *c)
{
    c->activity_us = clock_wall_us();
    if (c->session == NULL || c->session->current == NULL)
        return;
    session_touch(c->session);
    struct window *w = c->session->current->window;
    if (w->latest == c || c->ignores_size)
        return;
    w->latest = c;
    resize_window_by_clients(w);
}
