// Small utilities that every part uses: memory, strings, descriptors, clocks.
#ifndef AMUX_COMMON_UTIL_H
#define AMUX_COMMON_UTIL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define MIN_OF(a, b) ((a) < (b) ? (a) : (b))
#define MAX_OF(a, b) ((a) > (b) ? (a) : (b))

// Allocation never returns NULL: running out of memory is fatal().
void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t size);
void *xreallocarray(void *p, size_t n, size_t size);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t max_bytes);
void *xmemdup(const void *p, size_t size);
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2);
char *xvasprintf(const char *fmt, va_list ap) PRINTF_LIKE(1, 0);

// A growing run of bytes. Zero-initialise; data is always NUL-terminated once something was added.
struct strbuf {
    char *data;
    size_t len;
    size_t cap;
};
void strbuf_add(struct strbuf *b, const void *data, size_t len);
void strbuf_add_str(struct strbuf *b, const char *s);
void strbuf_add_char(struct strbuf *b, char c);
void strbuf_addf(struct strbuf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
// Makes room for `extra` more bytes and returns where they go; the caller then adds to b->len.
char *strbuf_reserve(struct strbuf *b, size_t extra);
void strbuf_clear(struct strbuf *b); // keeps the memory
void strbuf_free(struct strbuf *b);  // gives it back; b is as if zero-initialised
// Takes the string out (never NULL, owned by the caller) and leaves b empty.
char *strbuf_take(struct strbuf *b);

// NULL-terminated vectors of owned strings.
char **strv_copy(char *const *v, size_t n);
size_t strv_len(char *const *v);
void strv_free(char **v);
// The vector as one line that a shell would split into the same words. Owned by the caller.
char *strv_to_shell(char *const *v);
// `s` quoted for /bin/sh when it needs it. Owned by the caller.
char *shell_quote(const char *s);

// A decimal number in [min, max]; on error returns false and sets *cause to a static text
// ("invalid", "too small", "too large"), as tmux words it.
bool parse_number(const char *s, long long min, long long max, long long *out, const char **cause);

// Visible form of a text that may hold control bytes or invalid UTF-8 (\ooo, \n, \t ...), for
// messages, names and lists. Owned by the caller.
char *text_visible(const char *s);

bool fd_set_nonblocking(int fd);
bool fd_set_cloexec(int fd);
// Closes every descriptor from `first` on. Async-signal-safe.
void fd_close_from(int first);

int64_t clock_monotonic_us(void);
int64_t clock_wall_us(void);

// The server and client name themselves in ps ("amux: server (/path)"). Call setproctitle_init
// from main before anything else.
void setproctitle_init(int argc, char **argv);
void setproctitle_set(const char *fmt, ...) PRINTF_LIKE(1, 2);

// Home of the user: $HOME, else the password file's, else "/". Static storage.
const char *user_home(void);
// The user's shell: $SHELL if it is usable, else the password file's, else /bin/sh. Static.
const char *user_shell(void);
// True if `path` is an absolute path of an executable shell that is not amux itself.
bool is_usable_shell(const char *path);

#endif
