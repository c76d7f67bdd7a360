// What a pane's terminal tells the model: titles, bells, directories, clipboards.
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <termios.h>
#include <unistd.h>
#include <fcntl.h>

#include "server/model/client.h"
#include "server/model/internal.h"
#include "server/options/options.h"
#include "server/push/push.h"
#include "server/server.h"
#include "server/vt/vt.h"

#define CLIPBOARD_MOST (1u << 20)
#define PROC_READ_BYTES 4096

static void on_reply(void *arg, const void *data, size_t len)
{
    pane_write(arg, data, len);
}

static void on_bell(void *arg)
{
    struct pane *p = arg;
    p->has_bell = true; // told once a turn
}

static void on_title(void *arg, const char *title)
{
    struct pane *p = arg;
    if (!options_number(p->options, "allow-set-title") || strcmp(p->title, title) == 0)
        return;
    free(p->title);
    p->title = xstrdup(title);
    redraw_window(p->window, REDRAW_STATUS);
}

// ESC k: the program names its window, and that stays.
static void on_rename(void *arg, const char *name)
{
    struct pane *p = arg;
    if (!options_number(p->options, "allow-rename"))
        return;
    struct window *w = p->window;
    if (*name == '\0') {
        char *cause = NULL;
        options_unset(w->options, "automatic-rename", &cause);
        free(cause);
        names_pane_changed(p);
        return;
    }
    window_set_name(w, name);
    options_set_number(w->options, "automatic-rename", 0);
}

static void on_cwd(void *arg, const char *path)
{
    struct pane *p = arg;
    free(p->osc_cwd);
    p->osc_cwd = *path == '\0' ? NULL : xstrdup(path);
}

static void on_clipboard(void *arg, const char *selection, const void *data, size_t len)
{
    enum { CLIPBOARD_OFF, CLIPBOARD_EXTERNAL, CLIPBOARD_ON };
    struct pane *p = arg;
    struct client *c;
    if (options_number(server_options(), "set-clipboard") != CLIPBOARD_ON || len > CLIPBOARD_MOST)
        return;
    char *cause = NULL;
    if (len > 0 && !buffer_set(xmemdup(data, len), len, NULL, &cause))
        free(cause);
    struct msg_CLIPBOARD m = {selection, {data, (uint32_t)len}};
    TAILQ_FOREACH(c, &all_clients, entry)
        // One that is far behind does without: a program could fill its queue with clipboards.
        if (c->is_attached && c->session != NULL && peer_unsent(c->peer) < CLIPBOARD_MOST &&
            winlink_by_window(c->session, p->window) != NULL)
            peer_send(c->peer, MSG_CLIPBOARD, &m);
}

static const struct vt_callbacks callbacks = {
    .reply = on_reply,
    .bell = on_bell,
    .title = on_title,
    .rename = on_rename,
    .cwd = on_cwd,
    .clipboard = on_clipboard,
};

struct vt *pane_make_vt(struct pane *p, const struct vt_limits *limits)
{
    return vt_new(p->cols, p->rows, limits, &callbacks, p);
}

// --- what runs in it, from /proc

static pid_t foreground_group(const struct pane *p)
{
    pid_t group = p->fd == -1 ? -1 : tcgetpgrp(p->fd);
    return group > 0 ? group : p->pid;
}

char *pane_current_path(struct pane *p)
{
    char link[64], path[PROC_READ_BYTES];
    if (p->osc_cwd != NULL)
        return xstrdup(p->osc_cwd);
    const pid_t pids[] = {foreground_group(p), p->pid};
    for (size_t i = 0; i < ARRAY_LEN(pids); i++) {
        if (pids[i] <= 0 || p->has_status)
            continue;
        snprintf(link, sizeof link, "/proc/%ld/cwd", (long)pids[i]);
        ssize_t n = readlink(link, path, sizeof path - 1);
        if (n > 0) {
            path[n] = '\0';
            return xstrdup(path);
        }
    }
    return xstrdup(p->cwd);
}

static char *base_name(const char *path)
{
    if (*path == '-')
        path++;
    const char *slash = strrchr(path, '/');
    return text_visible(slash != NULL && slash[1] != '\0' ? slash + 1 : path);
}

// The first word of a shell's command line, without what stands before it.
static char *command_name(const char *command)
{
    static const char exec[] = "exec ";
    if (strncmp(command, exec, sizeof exec - 1) == 0)
        command += sizeof exec - 1;
    command += strspn(command, " ");
    char *word = xstrndup(command, strcspn(command, " "));
    char *name = base_name(word);
    free(word);
    return name;
}

char *names_default(struct pane *p)
{
    char *name = p->argv[0] == NULL ? base_name(p->shell) : command_name(p->argv[0]);
    if (*name == '\0') {
        free(name);
        return base_name(p->shell);
    }
    return name;
}

char *pane_current_command(struct pane *p)
{
    char file[64], text[PROC_READ_BYTES];
    pid_t pid = p->has_status ? -1 : foreground_group(p);
    if (pid <= 0)
        return names_default(p);
    snprintf(file, sizeof file, "/proc/%ld/cmdline", (long)pid);
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd == -1)
        return names_default(p);
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0 || text[0] == '\0')
        return names_default(p);
    text[n] = '\0';
    return command_name(text);
}
