// The rows of a pane on the way to a client: scrolls found by row ids, then only rows that differ.
#include "server/push/frame_state.h"

#include <stdlib.h>
#include <string.h>

#include "common/row.h"
#include "common/wire.h"
#include "server/model/client.h"
#include "server/server.h"

#define SCROLLS_MAX     4   // in one frame of one pane
#define SEARCHES_MAX    8   // rows looked up without a match before a pane counts as rewritten
#define ROWS_AT_LEAST   100 // that a frame takes, however late the turn is already
#define ROW_MAX_BYTES   ((1u << 20) - 64)
#define SCROLL_MIN_ROWS 2 // rows that a scroll must save

static bool tag_equal(struct row_tag a, struct row_tag b)
{
    return a.id == b.id && a.gen == b.gen;
}

// Length of the run of rows of `now` from y on that stood k lines lower in `sent`.
static unsigned run_length(const struct row_tag *sent, const struct row_tag *now, unsigned y, int k,
                           unsigned from, unsigned to)
{
    unsigned n = 0;
    while (y + n < to) {
        long there = (long)(y + n) + k;
        if (there < (long)from || there >= (long)to || now[y + n].id != sent[there].id)
            break;
        n++;
    }
    return n;
}

bool rows_find_scroll(const struct row_tag *sent, const struct row_tag *now, unsigned from,
                      unsigned to, unsigned *top, unsigned *bottom, int *lines)
{
    unsigned searches = 0;
    for (unsigned y = from; y < to && searches < SEARCHES_MAX; y++) {
        if (now[y].id == sent[y].id)
            continue;
        searches++;
        for (unsigned at = y + 1; at < to; at++) { // moved up: stood lower
            if (sent[at].id != now[y].id)
                continue;
            unsigned n = run_length(sent, now, y, (int)(at - y), from, to);
            if (n >= SCROLL_MIN_ROWS) {
                *top = y;
                *bottom = at + n - 1;
                *lines = (int)(at - y);
                return true;
            }
            break;
        }
        for (unsigned at = y + 1; at < to; at++) { // moved down: what stood here is lower now
            if (now[at].id != sent[y].id)
                continue;
            unsigned n = run_length(sent, now, at, -(int)(at - y), from, to);
            if (n >= SCROLL_MIN_ROWS) {
                *top = y;
                *bottom = at + n - 1;
                *lines = -(int)(at - y);
                return true;
            }
            break;
        }
    }
    return false;
}

void rows_apply_scroll(struct row_tag *sent, unsigned top, unsigned bottom, int lines)
{
    unsigned n = bottom - top + 1, k = (unsigned)abs(lines);
    if (k >= n)
        k = n;
    if (lines > 0) {
        memmove(&sent[top], &sent[top + k], (n - k) * sizeof *sent);
        for (unsigned y = bottom + 1 - k; y <= bottom; y++)
            sent[y] = TAG_NONE;
    } else {
        memmove(&sent[top + k], &sent[top], (n - k) * sizeof *sent);
        for (unsigned y = top; y < top + k; y++)
            sent[y] = TAG_NONE;
    }
}

// Sends row y. False if the socket would not take it.
static bool row_send(struct client *c, struct frame_pane *fp, const struct view *view, unsigned y,
                     struct row_tag tag, struct strbuf *buf)
{
    strbuf_clear(buf);
    view->ops->pack(view, y, buf);
    struct msg_ROW msg = {.pane = fp->id, .y = (uint16_t)y, .row = {buf->data, (uint32_t)buf->len}};
    // A row that no message can hold stays at the client as it was.
    if (buf->len < ROW_MAX_BYTES && !frame_send(c, MSG_ROW, &msg, buf->len + 10))
        return false;
    fp->sent[y] = tag;
    return true;
}

bool rows_send(struct client *c, struct frame_pane *fp, const struct view *view, unsigned from,
               unsigned to, size_t max_bytes, unsigned near_y)
{
    to = MIN_OF(MIN_OF(to, fp->rows), view->rows);
    if (from >= to)
        return true;
    struct row_tag *now = xreallocarray(NULL, to, sizeof *now);
    bool differs = false;
    for (unsigned y = from; y < to; y++) {
        now[y] = view->ops->tag(view, y);
        differs = differs || !tag_equal(now[y], fp->sent[y]);
    }
    if (!differs) {
        free(now);
        return true;
    }

    bool is_whole = true;
    unsigned top, bottom;
    int lines;
    for (int i = 0;
         i < SCROLLS_MAX && rows_find_scroll(fp->sent, now, from, to, &top, &bottom, &lines); i++) {
        struct msg_SCROLL msg = {
            .pane = fp->id, .top = (uint16_t)top, .bottom = (uint16_t)bottom, .lines = lines};
        if (!frame_send(c, MSG_SCROLL, &msg, 12)) {
            is_whole = false;
            break;
        }
        rows_apply_scroll(fp->sent, top, bottom, lines);
    }

    struct strbuf buf = {0};
    size_t start = c->frame->frame_bytes;
    unsigned n_sent = 0;
    if (max_bytes == 0) {
        for (unsigned y = from; y < to && is_whole; y++) {
            if (tag_equal(now[y], fp->sent[y]))
                continue;
            is_whole =
                row_send(c, fp, view, y, now[y], &buf) &&
                (++n_sent < ROWS_AT_LEAST || loop_turn_us(server_jobs()) < TURN_LIMIT_US * 4 / 5);
        }
    } else {
        // Outwards from the row that the person looks at.
        near_y = MIN_OF(MAX_OF(near_y, from), to - 1);
        for (unsigned d = 0; d < to - from && is_whole; d++) {
            for (int side = 0; side < (d == 0 ? 1 : 2) && is_whole; side++) {
                unsigned y = side == 0 ? near_y - d : near_y + d; // below 0 wraps beyond `to`
                if (y < from || y >= to || tag_equal(now[y], fp->sent[y]))
                    continue;
                is_whole = row_send(c, fp, view, y, now[y], &buf) &&
                           c->frame->frame_bytes - start < max_bytes;
            }
        }
    }
    // Stopped early though nothing was left: then it is whole all the same.
    if (!is_whole) {
        is_whole = true;
        for (unsigned y = from; y < to && is_whole; y++)
            is_whole = tag_equal(now[y], fp->sent[y]);
    }
    strbuf_free(&buf);
    free(now);
    return is_whole;
}
