// How fast a terminal takes bytes, and what a line of history costs: one line a figure.
//
// Without arguments it makes its own text of the kinds that the design measures; with files it
// feeds those. Each is fed in 64 kB pieces to a terminal of 200x50.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "server/vt/vt.h"

#define PIECE 65536u

static uint32_t seed = 1;
static unsigned below(unsigned n)
{
    seed = seed * 1664525u + 1013904223u;
    return (unsigned)((uint64_t)(seed >> 8) * n >> 24);
}

static int64_t cpu_ns(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
    return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static void feed(const char *name, const struct strbuf *text)
{
    struct vt_limits limits = {50000, 16u << 20};
    int64_t best = INT64_MAX;
    unsigned rows = 0;
    size_t bytes = 0;

    for (unsigned round = 0; round < 5; round++) {
        struct vt *vt = vt_new(200, 50, &limits, NULL, NULL);
        int64_t from, ns;

        from = cpu_ns();
        for (size_t at = 0; at < text->len; at += PIECE)
            vt_feed(vt, text->data + at, MIN_OF(PIECE, text->len - at));
        ns = cpu_ns() - from;
        best = MIN_OF(best, ns);
        rows = vt_history_rows(vt);
        bytes = vt_history_bytes(vt);
        vt_free(vt);
    }
    printf("vt_feed %s: %.2f ns/byte, %.0f MB/s", name, (double)best / (double)text->len,
           (double)text->len * 1e3 / (double)best);
    if (rows > 0)
        printf("; history %u rows, %.0f bytes each", rows, (double)bytes / rows);
    printf("\n");
}

static void add_words(struct strbuf *b, size_t n)
{
    static const char *const words[] = {"alpha", "config", "make", "error:", "static", "return"};
    size_t end = b->len + n;

    while (b->len < end) {
        strbuf_add_str(b, words[below(ARRAY_LEN(words))]);
        strbuf_add_char(b, ' ');
    }
    b->len = end;
}

static void make_text(unsigned kind, struct strbuf *b)
{
    while (b->len < (8u << 20)) {
        switch (kind) {
        case 0: // lines of words
            add_words(b, 20 + below(120));
            break;
        case 1: // words in colours
            for (unsigned i = 0; i < 12; i++) {
                strbuf_addf(b, "\033[1;38;5;%um", below(256));
                add_words(b, 6);
                strbuf_add_str(b, "\033[0m ");
            }
            break;
        case 2: // ideographs
            for (unsigned i = 0; i < 60; i++)
                strbuf_add(
                    b, (char[]){(char)0xE4, (char)(0xB8 + below(8)), (char)(0x80 + below(64))}, 3);
            break;
        default: // repaints of the whole screen
            strbuf_add_str(b, "\033[?2026h\033[H");
            for (unsigned y = 0; y < 50; y++) {
                strbuf_addf(b, "\033[%u;1H", y + 1);
                for (unsigned i = 0; i < 10; i++) {
                    strbuf_addf(b, "\033[38;2;%u;%u;%um", below(256), below(256), below(256));
                    add_words(b, 18);
                }
            }
            strbuf_add_str(b, "\033[0m\033[?2026l");
            continue;
        }
        strbuf_add_str(b, "\r\n");
    }
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"ascii", "colour", "cjk", "repaint"};

    for (int i = 1; i < argc; i++) {
        struct strbuf text = {0};
        FILE *f = fopen(argv[i], "r");
        size_t n;

        if (f == NULL) {
            perror(argv[i]);
            return 1;
        }
        while ((n = fread(strbuf_reserve(&text, PIECE), 1, PIECE, f)) > 0)
            text.len += n;
        fclose(f);
        feed(argv[i], &text);
        strbuf_free(&text);
    }
    for (unsigned kind = 0; argc == 1 && kind < ARRAY_LEN(names); kind++) {
        struct strbuf text = {0};

        make_text(kind, &text);
        feed(names[kind], &text);
        strbuf_free(&text);
    }
    return 0;
}
