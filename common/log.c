// Logging to a file of the process, on with -v; and fatal().
#include "config.h"

#include "common/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int log_fd = -1;
static int level;

void log_open(const char *role, int wanted)
{
    log_close();
    level = wanted;
    if (wanted <= 0)
        return;
    char *name = xasprintf("amux-%s-%ld.log", role, (long)getpid());
    // Non-blocking, so that a log that is a FIFO or a stuck mount never holds a loop.
    log_fd = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    free(name);
    log_debug("log opened by process %ld", (long)getpid());
}

int log_level(void)
{
    return level;
}

void log_close(void)
{
    if (log_fd != -1)
        close(log_fd);
    log_fd = -1;
    level = 0;
}

static void log_line(const char *text)
{
    struct timespec ts;
    clock_gettime(CLOCK_REALTIME, &ts);
    char *visible = text_visible(text);
    char *line = xasprintf("%lld.%06ld %s\n", (long long)ts.tv_sec, ts.tv_nsec / 1000, visible);
    ssize_t n = write(log_fd, line, strlen(line));
    (void)n; // a log that cannot be written is no reason to stop
    free(visible);
    free(line);
}

void log_debug(const char *fmt, ...)
{
    if (log_fd == -1)
        return;
    int saved = errno;
    va_list ap;
    va_start(ap, fmt);
    char *s = xvasprintf(fmt, ap);
    va_end(ap);
    log_line(s);
    free(s);
    errno = saved;
}

void fatal(const char *fmt, ...)
{
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (log_fd != -1)
        log_line(text);
    fprintf(stderr, "amux: %s\n", text);
    exit(1);
}
