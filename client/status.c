// Lines of markup, notices and prompts drawn as cells; when the times in them change.
#include "config.h"

#include "client/status.h"

#include <string.h>
#include <time.h>

#include "common/status_layout.h"
#include "common/util.h"

// --- time

// How often a conversion's text changes, finest first.
enum { EACH_SECOND, EACH_MINUTE, EACH_HOUR, EACH_DAY, NEVER };

static int conversion_changes(char c)
{
    if (strchr("STcrsX+", c) != NULL)
        return EACH_SECOND;
    if (strchr("MR", c) != NULL)
        return EACH_MINUTE;
    if (strchr("HIklpP", c) != NULL)
        return EACH_HOUR;
    return c == '%' || c == 'n' || c == 't' ? NEVER : EACH_DAY;
}

static int format_changes(const char *format, size_t len)
{
    int finest = NEVER;
    for (size_t i = 0; i + 1 < len; i++) {
        if (format[i] != '%')
            continue;
        i++;
        while (i < len && strchr("_-0^#EO123456789", format[i]) != NULL)
            i++; // flags and widths
        if (i < len)
            finest = MIN_OF(finest, conversion_changes(format[i]));
    }
    return finest;
}

int64_t status_next_change_us(const char *line, int64_t now_wall_us)
{
    int finest = NEVER;
    for (const char *s = line; (s = strchr(s, STATUS_TIME)) != NULL; s++) {
        const char *end = strchr(s, STATUS_TIME_END);
        if (end == NULL)
            break;
        finest = MIN_OF(finest, format_changes(s + 1, (size_t)(end - s - 1)));
    }
    time_t now = (time_t)(now_wall_us / 1000000), next;
    struct tm tm;
    if (finest == NEVER || localtime_r(&now, &tm) == NULL)
        return 0;
    switch (finest) {
    case EACH_SECOND:
        next = now + 1;
        break;
    case EACH_MINUTE:
        next = now + 60 - MIN_OF(tm.tm_sec, 59);
        break;
    case EACH_HOUR:
        next = now + 3600 - tm.tm_min * 60 - MIN_OF(tm.tm_sec, 59);
        break;
    default:
        tm.tm_mday++;
        tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
        tm.tm_isdst = -1;
        next = mktime(&tm);
        if (next <= now) // a midnight that is left out where clocks are set forward
            next = now + 3600;
        break;
    }
    return (int64_t)next * 1000000;
}

// --- drawing

static void draw_markup(struct draw_cell *row, unsigned cols, const char *line,
                        const struct style *base, struct texts *clusters, int64_t now_wall_us,
                        unsigned flags)
{
    struct status_layout l;
    status_layout_build(&l, line, cols, base, now_wall_us, flags);
    for (unsigned x = 0; x < cols; x++) {
        const struct status_cell *cell = &l.cells[x];
        struct style style = style_for_drawing(&cell->style);
        uint32_t glyph = 0;
        unsigned width;
        if (cell->width == 0)
            continue;
        if (cell->len > 0) // the layout's opinion of the width is the one that counts
            glyph_next(l.text.data + cell->at, cell->len, clusters, &glyph, &width);
        cells_put(row, cols, x, glyph, cell->width, &style);
    }
    status_layout_free(&l);
}

void status_draw(struct draw_cell *row, unsigned cols, const char *line, const struct style *base,
                 struct texts *clusters, int64_t now_wall_us)
{
    draw_markup(row, cols, line, base, clusters, now_wall_us, 0);
}

void status_draw_notice(struct draw_cell *row, unsigned cols, const char *text,
                        const struct style *base, struct texts *clusters)
{
    draw_markup(row, cols, text, base, clusters, 0, STATUS_LAYOUT_NOTICE);
}

void status_draw_prompt(struct draw_cell *row, unsigned cols, const char *text,
                        const struct style *base, struct texts *clusters)
{
    draw_markup(row, cols, text, base, clusters, 0, 0);
}
