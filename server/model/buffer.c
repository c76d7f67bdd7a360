// Paste buffers: automatic ones, bounded by buffer-limit, and named ones.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/server.h"

static TAILQ_HEAD(buffers, buffer) buffers = TAILQ_HEAD_INITIALIZER(buffers);
static unsigned next_number; // of an automatic name
static unsigned next_order;

struct buffer *buffer_top(void)
{
    struct buffer *b;
    TAILQ_FOREACH(b, &buffers, entry)
        if (b->is_automatic)
            return b;
    return NULL;
}

struct buffer *buffer_by_name(const char *name)
{
    struct buffer *b;
    TAILQ_FOREACH(b, &buffers, entry)
        if (strcmp(b->name, name) == 0)
            return b;
    return NULL;
}

struct buffer *buffer_next(struct buffer *b)
{
    return b == NULL ? TAILQ_FIRST(&buffers) : TAILQ_NEXT(b, entry);
}

void buffer_free(struct buffer *b)
{
    TAILQ_REMOVE(&buffers, b, entry);
    free(b->name);
    free(b->data);
    free(b);
}

// The oldest automatic ones go until one more has room.
static void make_room(void)
{
    long long limit = options_number(server_options(), "buffer-limit"), n = 0;
    struct buffer *b, *previous;
    TAILQ_FOREACH(b, &buffers, entry)
        n += b->is_automatic;
    for (b = TAILQ_LAST(&buffers, buffers); b != NULL && n >= limit; b = previous) {
        previous = TAILQ_PREV(b, buffers, entry);
        if (b->is_automatic) {
            buffer_free(b);
            n--;
        }
    }
}

static char *automatic_name(void)
{
    for (;;) {
        char *name = xasprintf("buffer%u", next_number++);
        if (buffer_by_name(name) == NULL)
            return name;
        free(name);
    }
}

static bool is_fit(const char *name, char **cause)
{
    if (*name != '\0')
        return true;
    if (cause != NULL)
        *cause = xstrdup("empty buffer name");
    return false;
}

bool buffer_set(char *data, size_t size, const char *name, char **cause)
{
    if (name != NULL && !is_fit(name, cause)) {
        free(data);
        return false;
    }
    if (size == 0) { // nothing to keep: an error to nobody
        free(data);
        return true;
    }
    struct buffer *b = name == NULL ? NULL : buffer_by_name(name);
    if (b != NULL) {
        free(b->data);
        TAILQ_REMOVE(&buffers, b, entry);
    } else {
        if (name == NULL)
            make_room();
        b = xcalloc(1, sizeof *b);
        b->name = name == NULL ? automatic_name() : text_visible(name);
    }
    b->is_automatic = name == NULL;
    b->data = data;
    b->size = size;
    b->created_us = clock_wall_us();
    b->order = next_order++;
    TAILQ_INSERT_HEAD(&buffers, b, entry);
    return true;
}

bool buffer_rename(struct buffer *b, const char *name, char **cause)
{
    if (!is_fit(name, cause))
        return false;
    struct buffer *there = buffer_by_name(name);
    if (there == b)
        return true;
    if (there != NULL)
        buffer_free(there);
    free(b->name);
    b->name = text_visible(name);
    b->is_automatic = false;
    return true;
}

char *buffer_sample(const struct buffer *b, unsigned cols)
{
    // Four bytes are the longest character: more than this cannot be shown.
    size_t most = (size_t)cols * UTF8_MAX_BYTES, len = MIN_OF(b->size, most);
    char *start = xstrndup(b->data, len); // up to a NUL byte, if it holds one
    char *visible = text_visible(start);
    free(start);
    size_t fits = utf8_prefix(visible, cols);
    if (visible[fits] != '\0' || len < b->size) {
        fits = utf8_prefix(visible, cols > 3 ? cols - 3 : cols);
        visible[fits] = '\0';
        start = xasprintf("%s%s", visible, cols > 3 ? "..." : "");
        free(visible);
        return start;
    }
    return visible;
}
