// The server's children: one place reaps them all and passes their statuses on.
#include "config.h"

#include "server/children.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/queue.h>
#include <sys/wait.h>

#include "common/log.h"
#include "server/model/ending.h"
#include "server/model/model.h"
#include "server/server.h"
#include "server/spawn.h"

struct watch {
    pid_t pid;
    void (*fn)(void *arg, pid_t pid, int status);
    void *arg;
    TAILQ_ENTRY(watch) entry;
};
static TAILQ_HEAD(, watch) watches = TAILQ_HEAD_INITIALIZER(watches);

static struct watch *watch_find(pid_t pid)
{
    struct watch *w;
    TAILQ_FOREACH(w, &watches, entry)
        if (w->pid == pid)
            return w;
    return NULL;
}

void server_watch_child(pid_t pid, void (*fn)(void *arg, pid_t pid, int status), void *arg)
{
    struct watch *w = xcalloc(1, sizeof *w);
    *w = (struct watch){.pid = pid, .fn = fn, .arg = arg};
    TAILQ_INSERT_TAIL(&watches, w, entry);
}

void server_unwatch_child(pid_t pid)
{
    struct watch *w = watch_find(pid);
    if (w == NULL)
        return;
    TAILQ_REMOVE(&watches, w, entry);
    free(w);
}

// A stopped pane program goes on, as nobody could wake it; one that stopped for terminal access in
// the background is its shell's business.
static void child_stopped(pid_t pid, int status)
{
    struct pane *p;
    if (WSTOPSIG(status) == SIGTTIN || WSTOPSIG(status) == SIGTTOU)
        return;
    TAILQ_FOREACH(p, &all_panes, all_entry)
        if (p->pid == pid && !p->has_status) {
            if (killpg(pid, SIGCONT) != 0)
                kill(pid, SIGCONT);
            return;
        }
}

static void child_exited(pid_t pid, int status)
{
    log_debug("child %ld ended, status 0x%x", (long)pid, (unsigned)status);
    ending_reaped(pid);
    struct watch *w = watch_find(pid);
    if (w != NULL) {
        struct watch copy = *w;
        TAILQ_REMOVE(&watches, w, entry);
        free(w);
        copy.fn(copy.arg, pid, status);
        return;
    }
    if (!spawn_note_exit(pid, status))
        pane_exited(pid, status);
}

void children_reap(void)
{
    for (;;) {
        int status;
        pid_t pid = waitpid(-1, &status, WNOHANG | WUNTRACED);
        if (pid == -1 && errno == EINTR)
            continue;
        if (pid <= 0)
            return;
        if (WIFSTOPPED(status))
            child_stopped(pid, status);
        else if (WIFEXITED(status) || WIFSIGNALED(status))
            child_exited(pid, status);
    }
}
