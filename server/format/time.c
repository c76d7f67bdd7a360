// strftime in formats: conversions expanded now, or made fields that a client fills in.
#include "server/format/internal.h"

#include <stdlib.h>
#include <string.h>

// The one place where a format is not a literal: people write these.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static size_t add_time(char *text, size_t size, const char *fmt, const struct tm *tm)
{
    return strftime(text, size, fmt, tm);
}
#pragma GCC diagnostic pop

// Length of the conversion that begins at s ("%H", "%-d", "%Ey"); 0 if it is none.
static size_t conversion_len(const char *s)
{
    size_t n = 1 + strspn(s + 1, "_-0^#");
    size_t digits = strspn(s + n, "0123456789");
    if (digits > 2)
        return 0;
    n += digits;
    if (s[n] == 'E' || s[n] == 'O')
        n++;
    if (s[n] == '\0' || strchr("aAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYzZ+", s[n]) == NULL)
        return 0;
    return n + 1;
}

// Seconds for which the result of a conversion stays.
static unsigned conversion_step(char letter)
{
    if (strchr("crsSTX+", letter) != NULL)
        return 1;
    if (strchr("MR", letter) != NULL)
        return 60;
    return strchr("HIklpP", letter) != NULL ? 3600 : 86400;
}

// The moment of the expansion; most formats never ask.
static const struct tm *run_time(struct format_run *run)
{
    if (run->now == 0) {
        run->now = (time_t)(clock_wall_us() / 1000000);
        localtime_r(&run->now, &run->tm);
    }
    return &run->tm;
}

static void note_step(struct format_run *run, unsigned step)
{
    if (run->time_step == 0 || step < run->time_step)
        run->time_step = step;
}

static void add_now(const struct format_state *st, const char *conversion, struct strbuf *out)
{
    char text[256];
    size_t n = add_time(text, sizeof text, conversion, run_time(st->run));
    for (size_t i = 0; i < n; i++) {
        if ((unsigned char)text[i] >= 0x20 && (unsigned char)text[i] < 0xfd)
            strbuf_add_char(out, text[i]);
    }
    note_step(st->run, conversion_step(conversion[strlen(conversion) - 1]));
}

char *format_time_expand(const struct format_state *st, const char *fmt)
{
    struct strbuf out = {0};
    unsigned braces = 0, parentheses = 0;
    for (const char *s = fmt; *s != '\0'; s++) {
        if (!format_work(st, 1))
            break;
        if (*s == '#' && s[1] == '{') {
            braces++;
        } else if (*s == '}' && braces > 0) {
            braces--;
        } else if (parentheses > 0 ? *s == '(' : *s == '#' && s[1] == '(') {
            parentheses++;
            if (*s == '#')
                strbuf_add_char(&out, *s++);
        } else if (*s == ')' && parentheses > 0) {
            parentheses--;
        } else if (*s == '#' && s[1] != '\0' && strchr("#,}", s[1]) != NULL) {
            // "##{" opens nothing, "#}" closes nothing.
            strbuf_add_char(&out, *s++);
        } else if (*s == '%' && s[1] == '%') {
            s++;
        } else if (*s == '%' && conversion_len(s) > 0) {
            char *conversion = xstrndup(s, conversion_len(s));
            if (st->is_top && braces == 0 && parentheses == 0) {
                strbuf_add_char(&out, MARK_TIME);
                strbuf_add_str(&out, conversion);
                strbuf_add_char(&out, MARK_TIME_END);
            } else {
                add_now(st, conversion, &out);
            }
            s += strlen(conversion) - 1;
            free(conversion);
            continue;
        }
        strbuf_add_char(&out, *s);
    }
    return strbuf_take(&out);
}

// The words of tmux's t/p: the nearer, the finer.
static const char *past_format(time_t when, const struct tm *then, struct format_run *run,
                               unsigned *step)
{
    const struct tm *now = run_time(run);
    double age = difftime(run->now, when);
    *step = 86400;
    if (age < 0)
        age = 0;
    if (age < 24 * 3600)
        return "%H:%M";
    if ((then->tm_year == now->tm_year && then->tm_mon == now->tm_mon) ||
        age < 28 * 24 * 3600)
        return "%a%d";
    bool is_within_year =
        then->tm_year == now->tm_year ||
        (then->tm_year == now->tm_year - 1 && then->tm_mon > now->tm_mon);
    return is_within_year ? "%d%b" : "%h%y";
}

char *format_time_text(const struct format_state *st, const struct format_modifier *m,
                       const char *value)
{
    char *end;
    long long seconds = strtoll(value, &end, 10);
    time_t when = (time_t)seconds;
    struct tm tm;
    if (*value == '\0' || *end != '\0' || seconds <= 0 || localtime_r(&when, &tm) == NULL)
        return xstrdup("");

    const char *kind = format_modifier_arg(m, 0);
    char *custom = NULL;
    const char *fmt = "%a %b %e %H:%M:%S %Y";
    if (strchr(kind, 'p') != NULL) {
        unsigned step;
        fmt = past_format(when, &tm, st->run, &step);
        note_step(st->run, step);
    } else if (strchr(kind, 'f') != NULL && m->argc >= 2) {
        fmt = custom = format_unescape(m->argv[1]);
    }
    char text[512];
    size_t n = strlen(fmt) > sizeof text ? 0 : add_time(text, sizeof text, fmt, &tm);
    free(custom);
    return xstrndup(text, n);
}
