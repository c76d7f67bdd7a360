// Small utilities that every part uses: memory, strings, descriptors, clocks.
#include "config.h"

#include "common/util.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "common/log.h"
#include "common/utf8.h"

void *xmalloc(size_t size)
{
    void *p = malloc(size == 0 ? 1 : size);
    if (p == NULL)
        fatal("out of memory (%zu bytes)", size);
    return p;
}

void *xcalloc(size_t n, size_t size)
{
    void *p = calloc(n == 0 ? 1 : n, size == 0 ? 1 : size);
    if (p == NULL)
        fatal("out of memory (%zu x %zu bytes)", n, size);
    return p;
}

void *xrealloc(void *p, size_t size)
{
    void *q = realloc(p, size == 0 ? 1 : size);
    if (q == NULL)
        fatal("out of memory (%zu bytes)", size);
    return q;
}

void *xreallocarray(void *p, size_t n, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(n, size, &total))
        fatal("out of memory (%zu x %zu bytes)", n, size);
    return xrealloc(p, total);
}

char *xstrdup(const char *s)
{
    return xmemdup(s, strlen(s) + 1);
}

char *xstrndup(const char *s, size_t max_bytes)
{
    size_t len = strnlen(s, max_bytes);
    char *copy = xmalloc(len + 1);
    memcpy(copy, s, len);
    copy[len] = '\0';
    return copy;
}

void *xmemdup(const void *p, size_t size)
{
    void *copy = xmalloc(size);
    if (size != 0)
        memcpy(copy, p, size);
    return copy;
}

char *xvasprintf(const char *fmt, va_list ap)
{
    char *s;
    if (vasprintf(&s, fmt, ap) < 0)
        fatal("out of memory (a formatted string)");
    return s;
}

char *xasprintf(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *s = xvasprintf(fmt, ap);
    va_end(ap);
    return s;
}

char *strbuf_reserve(struct strbuf *b, size_t extra)
{
    // One more for the NUL, so that data is a C string at any time.
    size_t want = b->len + extra + 1;
    if (want < extra)
        fatal("out of memory (%zu bytes)", extra);
    if (want > b->cap) {
        size_t cap = b->cap < 64 ? 64 : b->cap;
        while (cap < want)
            cap += cap / 2;
        b->data = xrealloc(b->data, cap);
        b->cap = cap;
    }
    return b->data + b->len;
}

void strbuf_add(struct strbuf *b, const void *data, size_t len)
{
    char *at = strbuf_reserve(b, len);
    if (len != 0)
        memcpy(at, data, len);
    b->len += len;
    b->data[b->len] = '\0';
}

void strbuf_add_str(struct strbuf *b, const char *s)
{
    strbuf_add(b, s, strlen(s));
}

void strbuf_add_char(struct strbuf *b, char c)
{
    strbuf_add(b, &c, 1);
}

void strbuf_addf(struct strbuf *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *s = xvasprintf(fmt, ap);
    va_end(ap);
    strbuf_add_str(b, s);
    free(s);
}

void strbuf_clear(struct strbuf *b)
{
    b->len = 0;
    if (b->data != NULL)
        b->data[0] = '\0';
}

void strbuf_free(struct strbuf *b)
{
    free(b->data);
    *b = (struct strbuf){0};
}

char *strbuf_take(struct strbuf *b)
{
    char *s = b->data == NULL ? xstrdup("") : b->data;
    *b = (struct strbuf){0};
    return s;
}

char **strv_copy(char *const *v, size_t n)
{
    char **copy = xcalloc(n + 1, sizeof *copy);
    for (size_t i = 0; i < n; i++)
        copy[i] = xstrdup(v[i]);
    return copy;
}

size_t strv_len(char *const *v)
{
    size_t n = 0;
    while (v != NULL && v[n] != NULL)
        n++;
    return n;
}

void strv_free(char **v)
{
    if (v == NULL)
        return;
    for (size_t i = 0; v[i] != NULL; i++)
        free(v[i]);
    free(v);
}

char *shell_quote(const char *s)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "@%+=:,./_-";
    if (*s != '\0' && s[strspn(s, plain)] == '\0')
        return xstrdup(s);
    struct strbuf b = {0};
    strbuf_add_char(&b, '\'');
    for (; *s != '\0'; s++) {
        if (*s == '\'')
            strbuf_add_str(&b, "'\\''");
        else
            strbuf_add_char(&b, *s);
    }
    strbuf_add_char(&b, '\'');
    return strbuf_take(&b);
}

char *strv_to_shell(char *const *v)
{
    struct strbuf b = {0};
    for (size_t i = 0; v != NULL && v[i] != NULL; i++) {
        if (i != 0)
            strbuf_add_char(&b, ' ');
        char *word = shell_quote(v[i]);
        strbuf_add_str(&b, word);
        free(word);
    }
    return strbuf_take(&b);
}

bool parse_number(const char *s, long long min, long long max, long long *out, const char **cause)
{
    char *end;
    errno = 0;
    long long v = strtoll(s, &end, 10);
    if (*s == '\0' || isspace((unsigned char)*s) || *end != '\0') {
        *cause = "invalid";
        return false;
    }
    if ((errno == ERANGE && v < 0) || v < min) {
        *cause = "too small";
        return false;
    }
    if (errno == ERANGE || v > max) {
        *cause = "too large";
        return false;
    }
    *out = v;
    return true;
}

char *text_visible(const char *s)
{
    struct strbuf b = {0};
    size_t len = strlen(s);
    strbuf_reserve(&b, len);
    b.data[0] = '\0';
    while (len > 0) {
        uint32_t cp;
        size_t n = utf8_next(s, len, &cp);
        bool is_bad = cp == UTF8_REPLACEMENT && !(n == 3 && memcmp(s, "\xef\xbf\xbd", 3) == 0);
        if (cp == '\n')
            strbuf_add_str(&b, "\\n");
        else if (cp == '\t')
            strbuf_add_str(&b, "\\t");
        else if (cp == '\r')
            strbuf_add_str(&b, "\\r");
        else if (is_bad || cp < 0x20 || (cp >= 0x7f && cp < 0xa0)) {
            for (size_t i = 0; i < n; i++)
                strbuf_addf(&b, "\\%03o", (unsigned char)s[i]);
        } else
            strbuf_add(&b, s, n);
        s += n;
        len -= n;
    }
    return strbuf_take(&b);
}

bool fd_set_nonblocking(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    return flags != -1 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) != -1;
}

bool fd_set_cloexec(int fd)
{
    int flags = fcntl(fd, F_GETFD);
    return flags != -1 && fcntl(fd, F_SETFD, flags | FD_CLOEXEC) != -1;
}

void fd_close_from(int first)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, ~0u, 0u) == 0)
        return;
#endif
    long most = sysconf(_SC_OPEN_MAX);
    if (most < 0 || most > 65536)
        most = 65536;
    for (int fd = first; fd < (int)most; fd++)
        close(fd);
}

static int64_t clock_us(clockid_t id)
{
    struct timespec ts;
    clock_gettime(id, &ts);
    return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

int64_t clock_monotonic_us(void)
{
    return clock_us(CLOCK_MONOTONIC);
}

int64_t clock_wall_us(void)
{
    return clock_us(CLOCK_REALTIME);
}

static struct {
    char *start; // argv and the environment lie in one piece here
    size_t size;
} title;

void setproctitle_init(int argc, char **argv)
{
    extern char **environ;
    if (argc < 1)
        return;
    char *end = argv[0];
    for (int i = 0; i < argc; i++)
        if (argv[i] == end)
            end = argv[i] + strlen(argv[i]) + 1;
    size_t n = strv_len(environ);
    for (size_t i = 0; i < n; i++)
        if (environ[i] == end)
            end = environ[i] + strlen(environ[i]) + 1;
    // The room is taken over, so what lies there moves out first.
    char **moved = strv_copy(environ, n);
    for (int i = 1; i < argc; i++)
        argv[i] = xstrdup(argv[i]);
    title.start = argv[0];
    title.size = (size_t)(end - argv[0]);
    argv[0] = xstrdup(argv[0]);
    environ = moved;
}

void setproctitle_set(const char *fmt, ...)
{
    if (title.start == NULL || title.size < 2)
        return;
    va_list ap;
    va_start(ap, fmt);
    char *s = xvasprintf(fmt, ap);
    va_end(ap);
    size_t len = MIN_OF(strlen(s), title.size - 1);
    memcpy(title.start, s, len);
    memset(title.start + len, 0, title.size - len);
    free(s);
}

const char *user_home(void)
{
    static char *found;
    const char *home = getenv("HOME");
    if (home == NULL || *home != '/') {
        struct passwd *pw = getpwuid(getuid());
        home = pw != NULL && pw->pw_dir != NULL && *pw->pw_dir == '/' ? pw->pw_dir : "/";
    }
    if (found == NULL || strcmp(found, home) != 0) {
        free(found);
        found = xstrdup(home);
    }
    return found;
}

bool is_usable_shell(const char *path)
{
    if (path == NULL || *path != '/' || access(path, X_OK) != 0)
        return false;
    const char *name = strrchr(path, '/') + 1;
    return strcmp(name, "amux") != 0;
}

const char *user_shell(void)
{
    static char *found;
    const char *shell = getenv("SHELL");
    if (!is_usable_shell(shell)) {
        struct passwd *pw = getpwuid(getuid());
        shell = pw != NULL && is_usable_shell(pw->pw_shell) ? pw->pw_shell : "/bin/sh";
    }
    if (found == NULL || strcmp(found, shell) != 0) {
        free(found);
        found = xstrdup(shell);
    }
    return found;
}
