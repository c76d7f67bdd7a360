// What a client's messages do. Their bytes were checked; what they say was not.
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "server/command/command.h"
#include "server/environ.h"
#include "server/model/client.h"
#include "server/model/internal.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/push/push.h"
#include "server/server.h"
#include "server/vt/vt.h"

#define ENVIRON_MOST 4096u
#define SIZE_SETTLE_US 75000 // with the panes' own settling below 200 ms

// The command line of a client that came before the configuration was read.
struct waiting {
    struct client *client;
    char **argv;
    TAILQ_ENTRY(waiting) entry;
};
static TAILQ_HEAD(, waiting) waiting_commands = TAILQ_HEAD_INITIALIZER(waiting_commands);

static void set_text(char **to, const char *text)
{
    free(*to);
    *to = text_visible(text);
}

static void set_size(struct client *c, unsigned cols, unsigned rows, unsigned xpixel,
                     unsigned ypixel)
{
    if (cols == 0 || rows == 0)
        return; // not known: what was known stays
    terminal_size_clamp(&cols, &rows);
    c->cols = cols;
    c->rows = rows;
    c->xpixel = xpixel;
    c->ypixel = ypixel;
}

static void on_hello(struct client *c, const struct msg_HELLO *m)
{
    set_text(&c->program, m->program);
    set_text(&c->term, m->term);
    set_text(&c->tty, m->tty);
    set_text(&c->terminal_cause, m->terminal_cause);
    free(c->cwd);
    c->cwd = xstrdup(*m->cwd == '/' ? m->cwd : "/");
    c->hello_flags = m->flags;
    set_size(c, m->cols, m->rows, m->xpixel, m->ypixel);
    for (size_t i = 0; m->environ[i] != NULL && i < ENVIRON_MOST; i++)
        environ_put(c->environ, m->environ[i]);
    free(c->name);
    if (*c->tty != '\0' && (c->hello_flags & HELLO_HAS_TERMINAL))
        c->name = xstrdup(c->tty);
    else
        c->name = xasprintf("client-%ld", (long)c->pid);
    log_debug("client %s: pid %ld, TERM %s, %ux%u", c->name, (long)c->pid, c->term, c->cols,
              c->rows);
}

// --- commands

static void command_done(void *arg, int code)
{
    struct client *c = arg;
    if (!c->is_attached)
        client_exit(c, code);
}

static void run_command(struct client *c, const char *const *argv)
{
    static char *const no_words[] = {(char *)(uintptr_t)"new-session", NULL};
    char *const *words = (char *const *)(uintptr_t)argv;
    char *cause = NULL;
    size_t n = strv_len(words);
    if (n == 0) {
        words = no_words;
        n = 1;
    }
    struct command_list *list = command_parse_words(words, n, &cause);
    if (list == NULL) {
        if (cause != NULL) {
            client_print(c, 2, cause, strlen(cause));
            client_print(c, 2, "\n", 1);
        }
        free(cause);
        client_exit(c, 1);
        return;
    }
    cmdq_append(c, list, NULL, 0, command_done, c);
    command_list_unref(list);
}

static void on_command(struct client *c, const struct msg_COMMAND *m)
{
    if (server_has_finished_config()) {
        run_command(c, m->argv);
        return;
    }
    struct waiting *w = xcalloc(1, sizeof *w);
    w->client = c;
    w->argv =
        strv_copy((char *const *)(uintptr_t)m->argv, strv_len((char *const *)(uintptr_t)m->argv));
    TAILQ_INSERT_TAIL(&waiting_commands, w, entry);
}

void client_config_finished(struct client *c)
{
    struct waiting *w;
    TAILQ_FOREACH(w, &waiting_commands, entry)
        if (w->client == c)
            break;
    if (w == NULL)
        return;
    TAILQ_REMOVE(&waiting_commands, w, entry);
    run_command(c, (const char *const *)(uintptr_t)w->argv);
    strv_free(w->argv);
    free(w);
}

void client_forget_waiting(struct client *c)
{
    struct waiting *w, *next;
    for (w = TAILQ_FIRST(&waiting_commands); w != NULL; w = next) {
        next = TAILQ_NEXT(w, entry);
        if (w->client != c)
            continue;
        TAILQ_REMOVE(&waiting_commands, w, entry);
        strv_free(w->argv);
        free(w);
    }
}

// --- its terminal

static void apply_size(struct client *c, unsigned cols, unsigned rows, unsigned xpixel,
                       unsigned ypixel)
{
    set_size(c, cols, rows, xpixel, ypixel);
    c->is_size_waiting = false;
    c->sized_us = clock_monotonic_us();
    if (c->session == NULL)
        return;
    if (c->session->current != NULL && !c->ignores_size)
        c->session->current->window->latest = c;
    resize_window_by_clients(NULL);
    client_redraw(c, REDRAW_ALL);
}

static struct due size_due(const void *state, int64_t now_us)
{
    const struct client *c = state;
    (void)now_us;
    return c->is_size_waiting ? due_at(c->sized_us + SIZE_SETTLE_US) : due_never();
}

static void size_run(void *state)
{
    struct client *c = state;
    apply_size(c, c->next_cols, c->next_rows, c->next_xpixel, c->next_ypixel);
}

static const struct job_spec size_spec = {"client resize", size_due, size_run};

// The first size is taken at once; those of a storm one each SIZE_SETTLE_US, and the last one
// always.
static void on_size(struct client *c, unsigned cols, unsigned rows, unsigned xpixel,
                    unsigned ypixel)
{
    if (c->size_job == NULL)
        c->size_job = job_add(server_jobs(), &size_spec, c);
    if (clock_monotonic_us() - c->sized_us >= SIZE_SETTLE_US) {
        apply_size(c, cols, rows, xpixel, ypixel);
    } else {
        c->is_size_waiting = true;
        c->next_cols = cols;
        c->next_rows = rows;
        c->next_xpixel = xpixel;
        c->next_ypixel = ypixel;
    }
    job_ask(c->size_job);
}

// "rgb:RRRR/GGGG/BBBB" with 1 to 4 digits each, or "#RRGGBB"; 0: not a colour.
static uint32_t report_colour(const char *value)
{
    unsigned r, g, b;
    char rest;
    if (sscanf(value, "#%2x%2x%2x%c", &r, &g, &b, &rest) == 3)
        return 0x01000000u | r << 16 | g << 8 | b;
    if (strncmp(value, "rgb:", 4) != 0)
        return 0;
    uint32_t colour = 1;
    const char *s = value + 4;
    for (int i = 0; i < 3; i++) {
        size_t n = strspn(s, "0123456789abcdefABCDEF");
        if (n == 0 || n > 4)
            return 0;
        unsigned long v = strtoul(s, NULL, 16), most = (1ul << (4 * n)) - 1;
        colour = colour << 8 | (uint32_t)(v * 255 / most);
        s += n;
        if (i < 2 && *s++ != '/')
            return 0;
    }
    return *s == '\0' ? colour : 0;
}

// Programs that ask for the colours get those of the terminal last attached.
static void tell_colours(struct client *c)
{
    struct pane *p;
    if (c->report_fg == 0 || c->report_bg == 0)
        return;
    TAILQ_FOREACH(p, &all_panes, all_entry)
        vt_set_default_colours(p->vt, c->report_fg & 0xFFFFFF, c->report_bg & 0xFFFFFF);
}

static void on_report(struct client *c, const struct msg_REPORT *m)
{
    if (strcmp(m->name, "terminal") == 0) {
        free(c->terminal_name);
        c->terminal_name = text_visible(m->value);
    } else if (strcmp(m->name, "fg") == 0) {
        c->report_fg = report_colour(m->value);
        tell_colours(c);
    } else if (strcmp(m->name, "bg") == 0) {
        c->report_bg = report_colour(m->value);
        tell_colours(c);
    }
}

static void on_stdin(struct client *c, const struct msg_STDIN *m)
{
    if (c->stdin_fn == NULL)
        return;
    void (*fn)(struct client *, const void *, size_t, bool, void *) = c->stdin_fn;
    if (m->is_end)
        c->stdin_fn = NULL;
    fn(c, m->data.data, m->data.len, m->is_end != 0, c->stdin_arg);
}

static void on_jobs(struct client *c, const struct msg_JOBS *m)
{
    void (*fn)(struct client *, const char *, void *) = c->jobs_fn;
    c->jobs_fn = NULL;
    if (fn != NULL)
        fn(c, m->json, c->jobs_arg);
}

// Messages of a client that shows a session; others have no screen to speak of.
static void on_attached(struct client *c, const struct message *m)
{
    switch (m->type) {
    case MSG_KEY:
        input_key(c, m->u.KEY.key, m->u.KEY.raw.data, m->u.KEY.raw.len);
        break;
    case MSG_MOUSE:
        input_mouse(c, &m->u.MOUSE);
        break;
    case MSG_PASTE:
        input_paste(c, &m->u.PASTE);
        break;
    case MSG_FOCUS:
        c->is_focused = m->u.FOCUS.is_in != 0;
        input_focus(c, c->is_focused);
        break;
    case MSG_ACK:
        frame_ack(c, &m->u.ACK);
        break;
    case MSG_RESUMED:
        c->is_suspended = false;
        on_size(c, m->u.RESUMED.cols, m->u.RESUMED.rows, m->u.RESUMED.xpixel, m->u.RESUMED.ypixel);
        client_send_options(c);
        break;
    default:
        break;
    }
}

bool client_receive(struct client *c, const struct message *m, const char **cause)
{
    switch (m->type) {
    case MSG_HELLO:
        if (c->has_greeted) {
            *cause = "a second greeting";
            return false;
        }
        c->has_greeted = true;
        on_hello(c, &m->u.HELLO);
        break;
    case MSG_COMMAND:
        if (c->has_command) {
            *cause = "a second command";
            return false;
        }
        c->has_command = true;
        on_command(c, &m->u.COMMAND);
        break;
    case MSG_STDIN:
        on_stdin(c, &m->u.STDIN);
        break;
    case MSG_RESIZE:
        on_size(c, m->u.RESIZE.cols, m->u.RESIZE.rows, m->u.RESIZE.xpixel, m->u.RESIZE.ypixel);
        break;
    case MSG_REPORT:
        on_report(c, &m->u.REPORT);
        break;
    case MSG_LEAVING:
        client_leaves(c);
        break;
    case MSG_JOBS:
        on_jobs(c, &m->u.JOBS);
        break;
    default:
        if (c->is_attached)
            on_attached(c, m);
        break;
    }
    return true;
}
