// What a changed option means for what is there already.
#include "config.h"

#include <string.h>

#include "server/model/client.h"
#include "server/model/internal.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/push/push.h"
#include "server/server.h"

static void apply_sizes(void)
{
    resize_window_by_clients(NULL);
    redraw_all(REDRAW_ALL);
}

static void apply_limits(void)
{
    struct pane *p;
    TAILQ_FOREACH(p, &all_panes, all_entry)
        pane_apply_limits(p);
}

static void apply_client_options(void)
{
    struct client *c;
    TAILQ_FOREACH(c, &all_clients, entry)
        if (c->is_attached && c->session != NULL)
            client_send_options(c);
}

static void apply_key_table(void)
{
    struct client *c;
    TAILQ_FOREACH(c, &all_clients, entry)
        if (c->is_attached && c->session != NULL)
            input_set_table(c, NULL);
}

static void apply_names(void)
{
    struct window *w;
    TAILQ_FOREACH(w, &all_windows, entry)
        if (w->active != NULL)
            names_pane_changed(w->active);
}

static void apply_silence(void)
{
    struct window *w;
    TAILQ_FOREACH(w, &all_windows, entry)
        alerts_watch_silence(w);
}

static void apply_unattached(void)
{
    struct session *s, *next;
    for (s = TAILQ_FIRST(&all_sessions); s != NULL; s = next) {
        next = TAILQ_NEXT(s, entry);
        // One that was made and not shown yet is left alone.
        if (s->last_attached_us != 0)
            clients_check_unattached(s);
    }
}

static const struct {
    const char *name;
    void (*fn)(void);
} rules[] = {
    {"aggressive-resize", apply_sizes},
    {"alternate-screen", apply_limits},
    {"automatic-rename", apply_names},
    {"automatic-rename-format", apply_names},
    {"destroy-unattached", apply_unattached},
    {"escape-time", apply_client_options},
    {"exit-empty", server_check_empty},
    {"exit-unattached", server_check_empty},
    {"extended-keys", apply_client_options},
    {"focus-events", apply_client_options},
    {"history-bytes", apply_limits},
    {"history-bytes-total", history_total_changed},
    {"key-table", apply_key_table},
    {"monitor-silence", apply_silence},
    {"mouse", apply_client_options},
    {"set-clipboard", apply_client_options},
    {"set-titles", apply_client_options},
    {"status", apply_sizes},
    {"status-style", apply_client_options},
    {"terminal-features", apply_client_options},
    {"terminal-overrides", apply_client_options},
    {"user-keys", apply_client_options},
    {"window-size", apply_sizes},
};

void options_apply_change(struct options *o, const char *name)
{
    (void)o;
    size_t len = strcspn(name, "["); // an array's entry stands for the array
    for (size_t i = 0; i < ARRAY_LEN(rules); i++)
        if (strlen(rules[i].name) == len && strncmp(rules[i].name, name, len) == 0)
            rules[i].fn();
    // Almost every other one is a style or a format of something drawn.
    redraw_all(REDRAW_ALL);
}
