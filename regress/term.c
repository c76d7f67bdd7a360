// A terminal for end-to-end tests: runs a command in a PTY of known size, keeps its screen with
// libvterm's screen layer, answers its queries, and is driven by lines on standard input.
//
//   term COLS ROWS COMMAND [ARGUMENT ...]
//
// Requests, one a line, each answered by lines on standard output that end in one of its own:
//   send HEX            types bytes                                   -> ok
//   changed MS          waits for output, at most so long             -> yes | no
//   screen              ROWS lines of text, then the cursor           -> cursor X Y VISIBLE
//   cells Y             a line a cell: hex text, width, fg, bg, flags -> end
//   state               alternate screen, mouse, shape, title         -> state ALT MOUSE SHAPE HEXTITLE
//   raw                 hex of what arrived since the last such call  -> raw HEX
//   count               bytes that arrived in all                     -> count N
//   resize COLS ROWS                                                  -> ok
//   signal N            to the command                                -> ok
//   exit MS             waits for its end                             -> exited N | signalled N | running
//   termios             line settings against those before the start  -> same | differs
//   hold | go           stops and resumes reading the command         -> ok
//   pid                                                               -> pid N
//   answers on | off | late MS | twice | wrong   to queries, from now -> ok
//                       (TERM_ANSWERS in the environment says it for the start)
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <vterm.h>

static struct {
    VTerm *vt;
    VTermScreen *screen;
    int master, slave;
    pid_t pid;
    int status;
    bool has_ended, is_held, is_gone;
    struct termios before;
    bool is_alternate, is_visible;
    int mouse, shape;
    char title[1024];
    uint8_t *raw;
    size_t raw_len, raw_cap;
    unsigned long long total;
} t = {.is_visible = true};

// Answers on their way to the command, oldest first.
enum answering { ANSWERS_ON, ANSWERS_OFF, ANSWERS_LATE, ANSWERS_TWICE, ANSWERS_WRONG };
static enum answering answering;
static int answers_late_ms;
static struct {
    int64_t at_ms;
    size_t len;
    char bytes[256];
} answers[256];
static size_t n_answers;

static int64_t now_ms(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static int on_prop(VTermProp prop, VTermValue *val, void *user)
{
    (void)user;
    switch (prop) {
    case VTERM_PROP_CURSORVISIBLE:
        t.is_visible = val->boolean;
        break;
    case VTERM_PROP_ALTSCREEN:
        t.is_alternate = val->boolean;
        break;
    case VTERM_PROP_MOUSE:
        t.mouse = val->number;
        break;
    case VTERM_PROP_CURSORSHAPE:
        t.shape = val->number;
        break;
    case VTERM_PROP_TITLE:
        snprintf(t.title, sizeof t.title, "%s", val->string);
        break;
    default:
        break;
    }
    return 1;
}

static void answer_send(const char *bytes, size_t len)
{
    if (write(t.master, bytes, len) < 0 && errno != EAGAIN)
        t.is_gone = true;
}

static void on_answer(const char *bytes, size_t len, void *user)
{
    // What no query has as its answer, but begins like some.
    static const char wrong[] = "\033[7;7n\033[?9n\033[;n\033[0;0c\033[>0n\033P>|\033\\";
    (void)user;
    switch (answering) {
    case ANSWERS_OFF:
        break;
    case ANSWERS_WRONG:
        answer_send(wrong, sizeof wrong - 1);
        break;
    case ANSWERS_LATE:
        if (n_answers < sizeof answers / sizeof answers[0] && len <= sizeof answers[0].bytes) {
            answers[n_answers].at_ms = now_ms() + answers_late_ms;
            answers[n_answers].len = len;
            memcpy(answers[n_answers++].bytes, bytes, len);
        }
        break;
    case ANSWERS_TWICE:
        answer_send(bytes, len);
        answer_send(bytes, len);
        break;
    case ANSWERS_ON:
        answer_send(bytes, len);
        break;
    }
}

static void answers_set(const char *how)
{
    static const char *const words[] = {"on", "off", "late", "twice", "wrong"};
    for (int i = 0; i < 5; i++)
        if (strncmp(how, words[i], strlen(words[i])) == 0)
            answering = (enum answering)i;
    if (answering == ANSWERS_LATE)
        answers_late_ms = atoi(how + 4);
}

// Sends the answers that are due. Returns the milliseconds until the next one; -1: there is none.
static int answers_pass(void)
{
    size_t done = 0;
    int64_t now = now_ms();
    while (done < n_answers && answers[done].at_ms <= now) {
        answer_send(answers[done].bytes, answers[done].len);
        done++;
    }
    n_answers -= done;
    memmove(answers, answers + done, n_answers * sizeof answers[0]);
    return n_answers > 0 ? (int)(answers[0].at_ms - now) : -1;
}

// libvterm 0.1.4's parser writes beyond 16 parameters of one CSI: what amux sends has fewer, but a
// broken build under test must fail its test, not this terminal.
static bool is_safe(const uint8_t *data, size_t len)
{
    unsigned params = 0;
    bool in_csi = false;
    for (size_t i = 0; i < len; i++) {
        if (i > 0 && data[i - 1] == 0x1b && data[i] == '[') {
            in_csi = true;
            params = 0;
        } else if (in_csi && (data[i] == ';' || data[i] == ':')) {
            if (++params > 14)
                return false;
        } else if (in_csi && data[i] >= 0x40 && data[i] <= 0x7e)
            in_csi = false;
    }
    return true;
}

static bool read_output(void)
{
    uint8_t buf[65536];
    ssize_t n = read(t.master, buf, sizeof buf);
    if (n <= 0) {
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            return false;
        t.is_gone = true;
        return false;
    }
    t.total += (unsigned long long)n;
    if (t.raw_len + (size_t)n > t.raw_cap) {
        t.raw_cap = (t.raw_len + (size_t)n) * 2;
        t.raw = realloc(t.raw, t.raw_cap);
        if (t.raw == NULL)
            exit(2);
    }
    memcpy(t.raw + t.raw_len, buf, (size_t)n);
    t.raw_len += (size_t)n;
    if (t.raw_len > 16u << 20) { // a flood: the newest is what tests ask for
        memmove(t.raw, t.raw + t.raw_len - (8u << 20), 8u << 20);
        t.raw_len = 8u << 20;
    }
    if (is_safe(buf, (size_t)n))
        vterm_input_write(t.vt, (const char *)buf, (size_t)n);
    return true;
}

static void reap(void)
{
    if (!t.has_ended && waitpid(t.pid, &t.status, WNOHANG) == t.pid)
        t.has_ended = true;
}

// Reads what the command prints until `until_ms`, or until it printed something (stops_on_output).
static bool pump(int64_t until_ms, bool stops_on_output)
{
    for (;;) {
        reap();
        answers_pass();
        int64_t left = until_ms - now_ms();
        struct pollfd p = {.fd = t.is_held || t.is_gone ? -1 : t.master, .events = POLLIN};
        // A child's end raises no descriptor: look again now and then.
        int n = poll(&p, 1, left < 0 ? 0 : (int)(left < 20 ? left : 20));
        bool did_read = n > 0 && read_output();
        if (did_read && stops_on_output) {
            while (poll(&p, 1, 0) > 0 && read_output())
                ;
            return true;
        }
        if (left <= 0 && !did_read)
            return false;
        if (t.is_gone && stops_on_output)
            return false;
    }
}

static void put_text(const uint32_t *chars, int max)
{
    for (int i = 0; i < max && chars[i] != 0; i++) {
        uint32_t c = chars[i];
        if (c == (uint32_t)-1)
            return;
        if (c < 0x80)
            putchar((int)c);
        else if (c < 0x800)
            printf("%c%c", 0xc0 | (c >> 6), 0x80 | (c & 0x3f));
        else if (c < 0x10000)
            printf("%c%c%c", 0xe0 | (c >> 12), 0x80 | ((c >> 6) & 0x3f), 0x80 | (c & 0x3f));
        else
            printf("%c%c%c%c", 0xf0 | (c >> 18), 0x80 | ((c >> 12) & 0x3f), 0x80 | ((c >> 6) & 0x3f),
                   0x80 | (c & 0x3f));
    }
}

static void show_screen(void)
{
    int rows, cols;
    vterm_get_size(t.vt, &rows, &cols);
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < cols;) {
            VTermScreenCell cell;
            vterm_screen_get_cell(t.screen, (VTermPos){y, x}, &cell);
            if (cell.chars[0] == 0)
                putchar(' ');
            else
                put_text(cell.chars, VTERM_MAX_CHARS_PER_CELL);
            x += cell.width > 1 ? cell.width : 1;
        }
        putchar('\n');
    }
    VTermPos pos;
    vterm_state_get_cursorpos(vterm_obtain_state(t.vt), &pos);
    printf("cursor %d %d %d\n", pos.col, pos.row, t.is_visible);
}

static void put_colour(const VTermColor *c, bool is_fg)
{
    if (is_fg ? VTERM_COLOR_IS_DEFAULT_FG(c) : VTERM_COLOR_IS_DEFAULT_BG(c))
        printf(" default");
    else if (VTERM_COLOR_IS_INDEXED(c))
        printf(" %d", c->indexed.idx);
    else
        printf(" #%02x%02x%02x", c->rgb.red, c->rgb.green, c->rgb.blue);
}

static void show_cells(int y)
{
    int rows, cols;
    vterm_get_size(t.vt, &rows, &cols);
    for (int x = 0; y >= 0 && y < rows && x < cols; x++) {
        VTermScreenCell cell;
        vterm_screen_get_cell(t.screen, (VTermPos){y, x}, &cell);
        putchar('=');
        put_text(cell.chars, VTERM_MAX_CHARS_PER_CELL);
        printf(" %d", cell.width);
        put_colour(&cell.fg, true);
        put_colour(&cell.bg, false);
        printf(" %s%s%s%s%s%s.\n", cell.attrs.bold ? "b" : "", cell.attrs.underline ? "u" : "",
               cell.attrs.italic ? "i" : "", cell.attrs.blink ? "l" : "", cell.attrs.reverse ? "r" : "",
               cell.attrs.strike ? "s" : "");
    }
    printf("end\n");
}

static void put_hex(const uint8_t *p, size_t len)
{
    for (size_t i = 0; i < len; i++)
        printf("%02x", p[i]);
}

// In one write, as far as the terminal takes it: what is typed or pasted at once arrives at once.
static void send_hex(const char *hex)
{
    static uint8_t bytes[1 << 17];
    size_t len = 0, at = 0;
    for (; hex[0] != '\0' && hex[1] != '\0' && len < sizeof bytes; hex += 2) {
        char pair[3] = {hex[0], hex[1], 0};
        bytes[len++] = (uint8_t)strtoul(pair, NULL, 16);
    }
    while (at < len) {
        ssize_t n = write(t.master, bytes + at, len - at);
        if (n > 0)
            at += (size_t)n;
        else if (errno == EAGAIN || errno == EINTR)
            pump(now_ms() + 5, true); // its input is full: let it go on
        else
            return;
    }
}

static void handle(char *line)
{
    int a, b;
    if (strncmp(line, "send ", 5) == 0) {
        send_hex(line + 5);
        printf("ok\n");
    } else if (sscanf(line, "changed %d", &a) == 1)
        printf(pump(now_ms() + a, true) ? "yes\n" : "no\n");
    else if (strcmp(line, "screen") == 0)
        show_screen();
    else if (sscanf(line, "cells %d", &a) == 1)
        show_cells(a);
    else if (strcmp(line, "state") == 0) {
        printf("state %d %d %d ", t.is_alternate, t.mouse, t.shape);
        put_hex((const uint8_t *)t.title, strlen(t.title));
        printf("\n");
    } else if (strcmp(line, "raw") == 0) {
        printf("raw ");
        put_hex(t.raw, t.raw_len);
        printf("\n");
        t.raw_len = 0;
    } else if (strcmp(line, "count") == 0)
        printf("count %llu\n", t.total);
    else if (sscanf(line, "resize %d %d", &a, &b) == 2) {
        struct winsize ws = {.ws_col = (unsigned short)a, .ws_row = (unsigned short)b};
        if (a > 0 && b > 0)
            vterm_set_size(t.vt, b, a);
        ioctl(t.master, TIOCSWINSZ, &ws);
        printf("ok\n");
    } else if (sscanf(line, "signal %d", &a) == 1) {
        if (!t.has_ended)
            kill(t.pid, a);
        printf("ok\n");
    } else if (sscanf(line, "exit %d", &a) == 1) {
        int64_t until = now_ms() + a;
        while (!t.has_ended && now_ms() < until)
            pump(now_ms() + 20, false);
        pump(now_ms() + 20, false);
        if (!t.has_ended)
            printf("running\n");
        else if (WIFEXITED(t.status))
            printf("exited %d\n", WEXITSTATUS(t.status));
        else
            printf("signalled %d\n", WTERMSIG(t.status));
    } else if (strcmp(line, "termios") == 0) {
        struct termios after;
        memset(&after, 0, sizeof after);
        tcgetattr(t.slave, &after);
        bool same = after.c_iflag == t.before.c_iflag && after.c_oflag == t.before.c_oflag &&
                    after.c_cflag == t.before.c_cflag && after.c_lflag == t.before.c_lflag &&
                    memcmp(after.c_cc, t.before.c_cc, sizeof after.c_cc) == 0;
        printf(same ? "same\n" : "differs\n");
    } else if (strcmp(line, "hold") == 0) {
        t.is_held = true;
        printf("ok\n");
    } else if (strcmp(line, "go") == 0) {
        t.is_held = false;
        printf("ok\n");
    } else if (strncmp(line, "answers ", 8) == 0) {
        answers_set(line + 8);
        printf("ok\n");
    } else if (strcmp(line, "pid") == 0)
        printf("pid %d\n", (int)t.pid);
    else
        printf("unknown request\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: term COLS ROWS COMMAND [ARGUMENT ...]\n");
        return 2;
    }
    int cols = atoi(argv[1]), rows = atoi(argv[2]);
    struct winsize ws = {.ws_col = (unsigned short)cols, .ws_row = (unsigned short)rows};
    signal(SIGPIPE, SIG_IGN);
    const char *how = getenv("TERM_ANSWERS");
    if (how != NULL)
        answers_set(how);
    if (openpty(&t.master, &t.slave, NULL, NULL, &ws) != 0) {
        perror("openpty");
        return 2;
    }
    tcgetattr(t.slave, &t.before);
    fcntl(t.master, F_SETFD, FD_CLOEXEC);
    t.vt = vterm_new(rows, cols);
    vterm_set_utf8(t.vt, 1);
    vterm_output_set_callback(t.vt, on_answer, NULL);
    t.screen = vterm_obtain_screen(t.vt);
    static const VTermScreenCallbacks callbacks = {.settermprop = on_prop};
    vterm_screen_set_callbacks(t.screen, &callbacks, NULL);
    vterm_screen_enable_altscreen(t.screen, 1);
    vterm_screen_reset(t.screen, 1);
    t.pid = fork();
    if (t.pid == 0) {
        setsid();
        ioctl(t.slave, TIOCSCTTY, 0);
        for (int fd = 0; fd < 3; fd++)
            dup2(t.slave, fd);
        if (t.slave > 2)
            close(t.slave);
        signal(SIGPIPE, SIG_DFL);
        execvp(argv[3], argv + 3);
        perror(argv[3]);
        _exit(127);
    }
    fcntl(t.master, F_SETFL, O_NONBLOCK);

    char line[1 << 18];
    size_t len = 0;
    for (;;) {
        struct pollfd p[2] = {{.fd = 0, .events = POLLIN},
                              {.fd = t.is_held || t.is_gone ? -1 : t.master, .events = POLLIN}};
        if (poll(p, 2, answers_pass()) < 0 && errno != EINTR)
            break;
        if (p[1].revents != 0)
            read_output();
        if (p[0].revents == 0)
            continue;
        ssize_t n = read(0, line + len, sizeof line - 1 - len);
        if (n <= 0)
            break;
        len += (size_t)n;
        line[len] = '\0';
        char *end, *at = line;
        while ((end = strchr(at, '\n')) != NULL) {
            *end = '\0';
            handle(at);
            at = end + 1;
        }
        len -= (size_t)(at - line);
        memmove(line, at, len);
        if (len == sizeof line - 1)
            break;
    }
    // The driver went: the command's terminal hangs up.
    if (!t.has_ended)
        kill(t.pid, SIGHUP);
    return 0;
}
