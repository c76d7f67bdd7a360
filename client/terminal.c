// The terminal's device: its modes, the way in and the ways out, output that never blocks.
#include "config.h"

#include "client/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "common/log.h"
#include "common/protocol.h"
#include "common/utf8.h"

struct terminal {
    const struct caps *caps;
    const struct terminal_events *events;
    void *arg;
    int fd;
    struct io *io;
    struct strbuf out;
    size_t out_at; // written so far of out
    uint64_t written;
    struct termios line; // as it was found
    bool is_entered, is_lost, is_held;
    // How it was entered, so that it is left likewise whatever options say meanwhile.
    char *rmcup;
    bool has_paste;
    char *title; // that was set; NULL: none
    struct terminal_modes modes;
};

// What a crash needs, in static storage: only async-signal-safe calls may use it.
static struct {
    volatile sig_atomic_t is_armed;
    int fd;
    struct termios line;
    char reset[1024];
    size_t reset_len;
} crash;

// Crashes, and what ends a process that does not expect it.
static const int crash_signals[] = {
    SIGSEGV, SIGBUS,  SIGILL,  SIGFPE,  SIGABRT, SIGSYS,    SIGTRAP, SIGQUIT,
    SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGPOLL,
};

static void crash_arm(const struct terminal *t);

static void crash_restore(void)
{
    if (!crash.is_armed)
        return;
    crash.is_armed = 0;
    // The descriptor does not block: what a terminal that stands still does not take is lost.
    for (size_t at = 0; at < crash.reset_len;) {
        ssize_t n = write(crash.fd, crash.reset + at, crash.reset_len - at);
        if (n <= 0)
            break;
        at += (size_t)n;
    }
    tcsetattr(crash.fd, TCSANOW, &crash.line);
}

static void crash_handler(int signo)
{
    int saved = errno;
    crash_restore();
    errno = saved;
    signal(signo, SIG_DFL);
    raise(signo);
}

// --- what is switched on and off

static void add_mode(struct strbuf *b, unsigned mode, bool is_on)
{
    strbuf_addf(b, "\033[?%u%c", mode, is_on ? 'h' : 'l');
}

static void modes_change(const struct terminal_modes *from, const struct terminal_modes *to,
                         struct strbuf *b)
{
    if (from->mouse != to->mouse) {
        if (from->mouse != 0)
            add_mode(b, from->mouse, false);
        if (to->mouse != 0)
            add_mode(b, to->mouse, true);
        if ((from->mouse != 0) != (to->mouse != 0))
            add_mode(b, 1006, to->mouse != 0);
    }
    if (from->wants_focus != to->wants_focus)
        add_mode(b, 1004, to->wants_focus);
    if (from->wants_extended_keys != to->wants_extended_keys)
        strbuf_add_str(b, to->wants_extended_keys ? "\033[>4;1m" : "\033[>4m");
}

static void add_title(const struct terminal *t, struct strbuf *b)
{
    strbuf_addf(b, "\033]0;%s\007", t->title);
}

static void add_enter(struct terminal *t, struct strbuf *b)
{
    free(t->rmcup);
    t->rmcup = xstrdup(t->caps->rmcup);
    t->has_paste = caps_has(t->caps, FEATURE_PASTE);
    strbuf_add_str(b, t->caps->smcup);
    strbuf_add_str(b, t->caps->smkx);
    if (t->has_paste)
        add_mode(b, 2004, true);
    if (t->title != NULL)
        add_title(t, b);
}

// Everything that may be on goes off, whatever is thought to be on: in a crash nothing is sure.
static void add_leave(const struct terminal *t, struct strbuf *b)
{
    const struct caps *c = t->caps;

    if (caps_has(c, FEATURE_SYNC))
        add_mode(b, 2026, false);
    if (caps_has(c, FEATURE_LINKS))
        strbuf_add_str(b, "\033]8;;\033\\");
    if (caps_has(c, FEATURE_CSR))
        strbuf_add_str(b, "\033[r");
    strbuf_add_str(b, c->rmacs);
    strbuf_add_str(b, "\033[m");
    if (caps_has(c, FEATURE_MOUSE)) {
        static const unsigned mouse[] = {1006, 1003, 1002, 1000};
        for (size_t i = 0; i < ARRAY_LEN(mouse); i++)
            add_mode(b, mouse[i], false);
    }
    if (caps_has(c, FEATURE_FOCUS))
        add_mode(b, 1004, false);
    if (t->has_paste)
        add_mode(b, 2004, false);
    if (caps_has(c, FEATURE_EXTENDED_KEYS))
        strbuf_add_str(b, "\033[>4m");
    strbuf_add_str(b, c->rmkx);
    if (caps_has(c, FEATURE_CURSOR_SHAPE))
        strbuf_add_str(b, "\033[0 q");
    if (caps_has(c, FEATURE_CURSOR_COLOUR))
        strbuf_add_str(b, "\033]112\007");
    strbuf_add_str(b, c->cnorm);
    // Where entering put the old title on a stack, leaving takes it back.
    if (t->title != NULL && strstr(t->rmcup, "\033[23;") == NULL)
        strbuf_add_str(b, "\033]0;\007");
    if (t->rmcup[0] != '\0') {
        strbuf_add_str(b, c->clear);
        strbuf_add_str(b, t->rmcup);
    } else {
        // No second screen: what is said next stands below what was shown.
        struct terminal_size size = terminal_size_of(t->fd);
        strbuf_addf(b, "\033[%uH\r\n", size.rows);
    }
}

// --- output

static void terminal_lose(struct terminal *t)
{
    if (t->is_lost)
        return;
    t->is_lost = true;
    io_set(t->io, 0);
    t->events->lost(t->arg);
}

static void terminal_watch(struct terminal *t, bool has_output)
{
    io_set(t->io, (t->is_held ? 0u : IO_READ) | (has_output ? IO_WRITE : 0u));
}

static void terminal_write(struct terminal *t)
{
    while (t->out_at < t->out.len) {
        ssize_t n = write(t->fd, t->out.data + t->out_at, t->out.len - t->out_at);
        if (n > 0) {
            t->out_at += (size_t)n;
            t->written += (uint64_t)n;
            continue;
        }
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            terminal_watch(t, true);
            return;
        }
        terminal_lose(t);
        return;
    }
    strbuf_clear(&t->out);
    t->out_at = 0;
    terminal_watch(t, false);
    t->events->drained(t->arg);
}

static void terminal_io(int fd, unsigned events, void *arg)
{
    struct terminal *t = arg;

    if (events & IO_READ) {
        char buffer[16384];
        ssize_t n = read(fd, buffer, sizeof buffer);
        if (n > 0) {
            t->events->input(t->arg, buffer, (size_t)n);
        } else if (n == 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)) {
            terminal_lose(t);
            return;
        }
    }
    if ((events & IO_WRITE) && !t->is_lost)
        terminal_write(t);
}

size_t terminal_pending(const struct terminal *t)
{
    int n = 0;
    if (t->is_lost || t->is_held || ioctl(t->fd, FIONREAD, &n) != 0 || n < 0)
        return 0;
    return (size_t)n;
}

void terminal_read_pending(struct terminal *t)
{
    if (terminal_pending(t) > 0)
        terminal_io(t->fd, IO_READ, t);
}

struct strbuf *terminal_out(struct terminal *t)
{
    // What is written already does not pile up in front of what is to come.
    if (t->out_at > 65536) {
        memmove(t->out.data, t->out.data + t->out_at, t->out.len - t->out_at);
        t->out.len -= t->out_at;
        t->out_at = 0;
    }
    return &t->out;
}

void terminal_flush(struct terminal *t)
{
    // A write that waits is continued by the loop.
    if (!t->is_lost && t->out_at < t->out.len && !(io_get(t->io) & IO_WRITE))
        terminal_write(t);
}

void terminal_hold_input(struct terminal *t, bool is_held)
{
    if (t->is_lost || t->is_held == is_held)
        return;
    t->is_held = is_held;
    terminal_watch(t, io_get(t->io) & IO_WRITE);
}

uint64_t terminal_queued(const struct terminal *t)
{
    return t->written + (t->out.len - t->out_at);
}

uint64_t terminal_written(const struct terminal *t)
{
    return t->written;
}

// --- life

struct terminal *terminal_open(struct job_queue *q, const struct caps *caps,
                               const struct terminal_events *events, void *arg, char **cause)
{
    // A description of its own, so that not blocking stays this process's matter: the shell's is
    // shared. Where the device may not be opened anew (after su), the given one must do.
    const char *name = ttyname(STDIN_FILENO);
    int fd = name != NULL ? open(name, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1;
    if (fd < 0)
        fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    if (fd < 0 || !fd_set_nonblocking(fd)) {
        *cause = xasprintf("the terminal cannot be opened (%s)", strerror(errno));
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    struct terminal *t = xcalloc(1, sizeof *t);
    t->caps = caps;
    t->events = events;
    t->arg = arg;
    t->fd = fd;
    if (tcgetattr(fd, &t->line) != 0) {
        *cause = xasprintf("the terminal's modes cannot be read (%s)", strerror(errno));
        close(fd);
        free(t);
        return NULL;
    }
    t->io = io_add(q, fd, IO_READ, "terminal", terminal_io, t);
    io_set_urgent(t->io);
    return t;
}

void terminal_free(struct terminal *t)
{
    if (t == NULL)
        return;
    if (t->is_entered) {
        struct strbuf nothing = {0};
        terminal_leave(t, &nothing);
        if (!t->is_lost && t->out_at < t->out.len)
            (void)!write(t->fd, t->out.data + t->out_at, t->out.len - t->out_at);
        terminal_restore(t);
    }
    io_remove(t->io);
    // The description may be the shell's.
    int flags = fcntl(t->fd, F_GETFL);
    if (flags >= 0)
        fcntl(t->fd, F_SETFL, flags & ~O_NONBLOCK);
    close(t->fd);
    strbuf_free(&t->out);
    free(t->rmcup);
    free(t->title);
    free(t);
}

void terminal_caps_changed(struct terminal *t)
{
    if (t->is_entered)
        crash_arm(t);
}

static void crash_arm(const struct terminal *t)
{
    static bool has_handlers;
    struct strbuf b = {0};

    add_leave(t, &b);
    crash.is_armed = 0;
    crash.fd = t->fd;
    crash.line = t->line;
    crash.reset_len = MIN_OF(b.len, sizeof crash.reset);
    memcpy(crash.reset, b.data, crash.reset_len);
    strbuf_free(&b);
    crash.is_armed = 1;
    if (has_handlers)
        return;
    has_handlers = true;
    struct sigaction sa = {.sa_handler = crash_handler};
    sigemptyset(&sa.sa_mask);
    for (size_t i = 0; i < ARRAY_LEN(crash_signals); i++)
        sigaction(crash_signals[i], &sa, NULL);
    atexit(crash_restore); // fatal() and anything else that ends the process
}

bool terminal_enter(struct terminal *t, char **cause)
{
    struct termios raw;

    if (tcgetattr(t->fd, &raw) == 0 && !t->is_entered)
        t->line = raw;
    raw = t->line;
    cfmakeraw(&raw);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    // Stopped from outside and continued: what was saved at first (cursor, title) is taken back
    // before it is saved again, or what others left behind would be restored at the end.
    if (t->is_entered)
        strbuf_add_str(terminal_out(t), t->rmcup);
    add_enter(t, terminal_out(t));
    crash_arm(t);
    if (tcsetattr(t->fd, TCSANOW, &raw) != 0) {
        crash.is_armed = 0;
        *cause = xasprintf("the terminal's modes cannot be set (%s)", strerror(errno));
        return false;
    }
    t->is_entered = true;
    memset(&t->modes, 0, sizeof t->modes);
    return true;
}

void terminal_leave(struct terminal *t, const struct strbuf *before)
{
    if (before->len > 0)
        strbuf_add(terminal_out(t), before->data, before->len);
    add_leave(t, terminal_out(t));
    memset(&t->modes, 0, sizeof t->modes);
}

void terminal_restore(struct terminal *t)
{
    t->is_entered = false;
    crash.is_armed = 0;
    tcsetattr(t->fd, TCSANOW, &t->line);
}

bool terminal_is_entered(const struct terminal *t)
{
    return t->is_entered;
}

void terminal_set_modes(struct terminal *t, const struct terminal_modes *modes)
{
    struct terminal_modes m = *modes;
    if (!caps_has(t->caps, FEATURE_MOUSE))
        m.mouse = 0;
    m.wants_focus = m.wants_focus && caps_has(t->caps, FEATURE_FOCUS);
    m.wants_extended_keys = m.wants_extended_keys && caps_has(t->caps, FEATURE_EXTENDED_KEYS);
    modes_change(&t->modes, &m, terminal_out(t));
    t->modes = m;
}

void terminal_set_title(struct terminal *t, const char *title)
{
    if (!caps_has(t->caps, FEATURE_TITLE))
        return;
    struct strbuf b = {0};
    strbuf_add_str(&b, "");
    size_t len = strlen(title);
    for (size_t i = 0; i < len;) {
        uint32_t cp;
        size_t n = utf8_next(title + i, len - i, &cp);
        if (cp >= 0x20 && cp != 0x7f && !(cp >= 0x80 && cp < 0xa0))
            strbuf_add(&b, title + i, n);
        i += n;
    }
    free(t->title);
    t->title = strbuf_take(&b);
    add_title(t, terminal_out(t));
    crash_arm(t);
}

static void add_base64(struct strbuf *b, const uint8_t *data, size_t len)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < len; i += 3) {
        uint32_t v = (uint32_t)data[i] << 16;
        if (i + 1 < len)
            v |= (uint32_t)data[i + 1] << 8;
        if (i + 2 < len)
            v |= data[i + 2];
        strbuf_add_char(b, digits[v >> 18]);
        strbuf_add_char(b, digits[v >> 12 & 63]);
        strbuf_add_char(b, i + 1 < len ? digits[v >> 6 & 63] : '=');
        strbuf_add_char(b, i + 2 < len ? digits[v & 63] : '=');
    }
}

void terminal_set_clipboard(struct terminal *t, const char *selection, const void *data, size_t len)
{
    if (!caps_has(t->caps, FEATURE_CLIPBOARD))
        return;
    struct strbuf *b = terminal_out(t);
    strbuf_add_str(b, "\033]52;");
    for (const char *s = selection; *s != '\0'; s++) {
        if (strchr("cpqs01234567", *s) != NULL)
            strbuf_add_char(b, *s);
    }
    strbuf_add_char(b, ';');
    add_base64(b, data, len);
    strbuf_add_char(b, '\007');
}

void terminal_bell(struct terminal *t)
{
    strbuf_add_char(terminal_out(t), '\007');
}

struct terminal_size terminal_size_of(int fd)
{
    struct terminal_size size = {.cols = 80, .rows = 24};
    struct winsize ws;
    if (ioctl(fd, TIOCGWINSZ, &ws) == 0 && ws.ws_col > 0 && ws.ws_row > 0) {
        size.cols = ws.ws_col;
        size.rows = ws.ws_row;
        terminal_size_clamp(&size.cols, &size.rows);
        size.xpixel = ws.ws_xpixel;
        size.ypixel = ws.ws_ypixel;
    }
    return size;
}

uint8_t terminal_erase_byte(const struct terminal *t)
{
    cc_t c = t->line.c_cc[VERASE];
    return c != _POSIX_VDISABLE ? c : 0x7f;
}
