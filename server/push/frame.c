// Frames: what an attached client is sent, built from the newest state when its credit allows.
//
// A latch a client says that something may differ; its job builds the frame. Nothing is queued for
// a client beyond one frame: whatever happens while it cannot take more is seen, once, in its next.
#include "server/push/push.h"

#include <stdlib.h>
#include <string.h>

#include "common/wire.h"
#include "server/format/format.h"
#include "server/mode/mode.h"
#include "server/model/client.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/push/frame_state.h"
#include "server/server.h"
#include "server/vt/vt.h"

#define FRAME_INTERVAL_US 16667 // paced: 60 frames a second
#define INPUT_WINDOW_US   50000 // what happens this soon after input is likely its answer
#define INPUT_FRAMES      6     // that may go at once for one input
#define TITLE_MAX_BYTES   4000  // below the messages' limits, so that only a full queue refuses one
#define STYLE_MAX_BYTES   1000
#define GRANT_BYTES       2048 // of rows, where credit would hold the frame back

static struct due frame_due(const void *state, int64_t now_us);
static void frame_run(void *state);
static const struct job_spec frame_job = {"frame", frame_due, frame_run};

bool frame_send(struct client *c, enum message_type type, const void *msg, size_t size)
{
    if (c->frame->is_failed)
        return false;
    if (!peer_send(c->peer, type, msg)) {
        c->frame->is_failed = true; // its queue is full: what was not taken is found again later
        return false;
    }
    c->frame->frame_bytes += WIRE_HEADER_BYTES + size;
    return true;
}

void frame_text_cut(char *text, size_t max_bytes)
{
    size_t len = strlen(text);
    if (len <= max_bytes)
        return;
    while (max_bytes > 0 && ((unsigned char)text[max_bytes] & 0xC0) == 0x80)
        max_bytes--;
    text[max_bytes] = '\0';
}

// --- panes known to the client

static void frame_pane_free(struct frame_pane *fp)
{
    free(fp->sent);
    free(fp->border_style);
}

static void frame_forget_panes(struct frame_state *fs)
{
    for (unsigned i = 0; i < fs->n_panes; i++)
        frame_pane_free(&fs->panes[i]);
    free(fs->panes);
    fs->panes = NULL;
    fs->n_panes = 0;
}

static uint32_t pane_flags(const struct window *w, const struct pane *p)
{
    return (p == w->active ? PANE_ACTIVE : 0) | (p == marked_pane ? PANE_MARKED : 0) |
           (p->mode != NULL ? PANE_IN_MODE : 0) | (p->is_dead ? PANE_DEAD : 0);
}

static char *pane_border_style(struct client *c, struct window *w, struct pane *p)
{
    const char *style = options_string(p->options, p == w->active ? "pane-active-border-style"
                                                                  : "pane-border-style");
    struct format_context ctx = {
        .client = c, .session = c->session, .winlink = c->session->current, .window = w, .pane = p};
    char *text = strstr(style, "#{") == NULL ? xstrdup(style) : format_expand(&ctx, style);
    frame_text_cut(text, STYLE_MAX_BYTES);
    return text;
}

static bool pane_is_shown(const struct window *w, const struct pane *p)
{
    return !w->is_zoomed || p == w->active;
}

static bool frame_pane_is_at(const struct frame_pane *fp, const struct pane *p)
{
    return fp->id == p->id && fp->x == p->x && fp->y == p->y && fp->cols == p->cols &&
           fp->rows == p->rows;
}

// Whether the client's list of panes is the window's.
static bool frame_panes_match(const struct frame_state *fs, const struct window *w)
{
    unsigned i = 0;
    const struct pane *p;
    TAILQ_FOREACH (p, &w->panes, entry) {
        if (!pane_is_shown(w, p))
            continue;
        if (i == fs->n_panes || !frame_pane_is_at(&fs->panes[i], p))
            return false;
        i++;
    }
    return i == fs->n_panes;
}

static void frame_send_pane(struct client *c, const struct frame_pane *fp)
{
    struct msg_PANE msg = {.pane = fp->id,
                           .x = fp->x,
                           .y = fp->y,
                           .cols = fp->cols,
                           .rows = fp->rows,
                           .flags = fp->flags,
                           .border_style = fp->border_style};
    frame_send(c, MSG_PANE, &msg, 20 + strlen(fp->border_style));
}

// The new list of panes; rows that the client keeps are taken over from the old one.
static void frame_take_panes(struct client *c, struct window *w)
{
    struct frame_state *fs = c->frame;
    unsigned n = 0;
    struct pane *p;
    TAILQ_FOREACH (p, &w->panes, entry) {
        n += pane_is_shown(w, p);
    }
    struct frame_pane *panes = xcalloc(MAX_OF(n, 1u), sizeof *panes);
    unsigned i = 0;
    TAILQ_FOREACH (p, &w->panes, entry) {
        if (!pane_is_shown(w, p))
            continue;
        struct frame_pane *fp = &panes[i++];
        *fp = (struct frame_pane){.id = p->id,
                                  .x = (uint16_t)p->x,
                                  .y = (uint16_t)p->y,
                                  .cols = (uint16_t)p->cols,
                                  .rows = (uint16_t)p->rows,
                                  .flags = pane_flags(w, p),
                                  .border_style = pane_border_style(c, w, p)};
        for (unsigned j = 0; j < fs->n_panes && fp->sent == NULL; j++) {
            struct frame_pane *old = &fs->panes[j];
            if (old->id != fp->id || old->cols != fp->cols || old->rows != fp->rows ||
                old->sent == NULL)
                continue;
            fp->sent = old->sent;
            old->sent = NULL;
            fp->is_seen = old->is_seen;
            fp->seen_change = old->seen_change;
            fp->seen_from = old->seen_from;
            fp->seen_to = old->seen_to;
        }
        if (fp->sent == NULL) {
            fp->sent = xreallocarray(NULL, MAX_OF(fp->rows, 1u), sizeof *fp->sent);
            for (unsigned y = 0; y < fp->rows; y++)
                fp->sent[y] = TAG_NONE;
        }
    }
    frame_forget_panes(fs);
    fs->panes = panes;
    fs->n_panes = n;
}

static bool scene_equal(const struct msg_SCENE *a, const struct msg_SCENE *b)
{
    return a->cols == b->cols && a->rows == b->rows && a->offset_x == b->offset_x &&
           a->offset_y == b->offset_y && a->view_y == b->view_y && a->view_rows == b->view_rows &&
           a->active == b->active && a->flags == b->flags;
}

// Scene and panes, as far as they differ. True if it is another scene.
static bool frame_send_scene(struct client *c, struct window *w, const struct msg_SCENE *scene,
                             unsigned redraw)
{
    struct frame_state *fs = c->frame;
    if (!fs->has_scene || !scene_equal(&fs->scene, scene) || !frame_panes_match(fs, w)) {
        bool is_other_active = !fs->has_scene || fs->scene.active != scene->active;
        frame_take_panes(c, w);
        fs->scene = *scene;
        struct msg_SCENE msg = *scene;
        msg.flags |= fs->must_redraw ? SCENE_REDRAW : 0u;
        if (frame_send(c, MSG_SCENE, &msg, sizeof msg))
            fs->must_redraw = false;
        for (unsigned i = 0; i < fs->n_panes; i++)
            frame_send_pane(c, &fs->panes[i]);
        fs->has_scene = !fs->is_failed; // what was cut off is said again as a whole
        if (is_other_active)
            input_focus_update();
        return true;
    }
    unsigned i = 0;
    struct pane *p;
    TAILQ_FOREACH (p, &w->panes, entry) {
        if (!pane_is_shown(w, p))
            continue;
        struct frame_pane *fp = &fs->panes[i++];
        uint32_t flags = pane_flags(w, p);
        if (flags == fp->flags && (redraw & (REDRAW_ALL | REDRAW_BORDERS)) == 0)
            continue;
        char *style = pane_border_style(c, w, p);
        if (flags == fp->flags && strcmp(style, fp->border_style) == 0) {
            free(style);
            continue;
        }
        free(fp->border_style);
        fp->border_style = style;
        if (((flags ^ fp->flags) & PANE_IN_MODE) != 0)
            fp->is_seen = false;
        fp->flags = flags;
        frame_send_pane(c, fp);
    }
    fs->has_scene = !fs->is_failed;
    return false;
}

// --- what is in the panes

// Rows of all panes shown. True if the client then has everything.
static bool frame_send_rows(struct client *c, struct window *w, size_t max_bytes)
{
    struct frame_state *fs = c->frame;
    bool is_whole = true;
    unsigned i = 0;
    struct pane *p;
    TAILQ_FOREACH (p, &w->panes, entry) {
        if (!pane_is_shown(w, p))
            continue;
        struct frame_pane *fp = &fs->panes[i++];
        // Only what lies in the view: a window may be larger than the terminal.
        unsigned view_from = fs->scene.offset_y, view_to = view_from + fs->scene.view_rows;
        unsigned from = view_from > fp->y ? view_from - fp->y : 0;
        unsigned to = view_to > fp->y ? MIN_OF(view_to - fp->y, fp->rows) : 0;
        bool is_moved = from != fp->seen_from || to != fp->seen_to;
        if (from >= to)
            continue;
        // Read before the view: a change in between would only be looked at once more.
        uint64_t change = vt_change_count(p->vt);
        if (fp->is_seen && !is_moved && p->mode == NULL && change == fp->seen_change)
            continue;
        if (max_bytes != 0 && p != w->active) {
            is_whole = false;
            continue;
        }
        struct view view;
        pane_view(p, &view);
        bool is_sent = rows_send(c, fp, &view, from, to, max_bytes, view.cursor.y);
        fp->seen_from = from;
        fp->seen_to = to;
        fp->seen_change = change;
        fp->is_seen = is_sent && p->mode == NULL;
        is_whole = is_whole && is_sent;
    }
    return is_whole && !fs->is_failed;
}

// What a program left open, the options say. A mode's cursor is its own.
static void cursor_by_options(const struct pane *p, struct msg_CURSOR *cursor)
{
    long long colour = options_number(p->options, "cursor-colour");
    if (p->mode != NULL)
        return;
    if (cursor->shape == CURSOR_DEFAULT)
        cursor->shape = (uint8_t)options_number(p->options, "cursor-style"); // in the same order
    if (cursor->colour != 0 || colour < 0)
        return;
    if (colour_kind((colour_t)colour) == COLOUR_RGB)
        cursor->colour = 0x01000000u | ((uint32_t)colour & 0xFFFFFFu);
    else if (colour_kind((colour_t)colour) == COLOUR_INDEXED)
        cursor->colour = 0x01000000u | vt_palette_rgb(p->vt, (unsigned)colour & 0xFFu);
}

static void frame_send_cursor(struct client *c, struct pane *p)
{
    struct frame_state *fs = c->frame;
    struct view view;
    pane_view(p, &view);
    struct msg_CURSOR now = {.pane = p->id,
                             .x = (uint16_t)view.cursor.x,
                             .y = (uint16_t)view.cursor.y,
                             .is_visible = view.cursor.is_visible,
                             .shape = view.cursor.shape,
                             .colour = view.cursor.colour};
    cursor_by_options(p, &now);
    if (fs->has_cursor && now.pane == fs->cursor.pane && now.x == fs->cursor.x &&
        now.y == fs->cursor.y && now.is_visible == fs->cursor.is_visible &&
        now.shape == fs->cursor.shape && now.colour == fs->cursor.colour)
        return;
    fs->has_cursor = frame_send(c, MSG_CURSOR, &now, 14);
    fs->cursor = now;
}

static void frame_send_modes(struct client *c, struct pane *p)
{
    static const struct {
        unsigned vt;
        uint32_t flag;
    } map[] = {
        {VT_MODE_MOUSE_X10, MODE_MOUSE_BUTTONS},
        {VT_MODE_MOUSE_BUTTONS, MODE_MOUSE_BUTTONS},
        {VT_MODE_MOUSE_DRAG, MODE_MOUSE_DRAG},
        {VT_MODE_MOUSE_ALL, MODE_MOUSE_ALL},
        {VT_MODE_PASTE, MODE_PASTE},
        {VT_MODE_FOCUS, MODE_FOCUS},
    };
    struct frame_state *fs = c->frame;
    unsigned modes = vt_modes(p->vt);
    uint32_t flags = 0;
    for (size_t i = 0; i < ARRAY_LEN(map); i++)
        if (modes & map[i].vt)
            flags |= map[i].flag;
    if (p->mode != NULL) // the program below does not get the mouse; keys and pastes go to the mode
        flags &= (uint32_t)MODE_FOCUS;
    if (c->prompt != NULL)
        flags |= MODE_PASTE; // a paste is text there, never keys
    if (fs->has_modes && fs->modes == flags)
        return;
    struct msg_MODES msg = {.flags = flags};
    fs->has_modes = frame_send(c, MSG_MODES, &msg, 4);
    fs->modes = flags;
}

static void frame_send_title(struct client *c)
{
    struct frame_state *fs = c->frame;
    if (options_number(c->session->options, "set-titles") == 0) {
        free(fs->title);
        fs->title = NULL;
        return;
    }
    struct window *w = c->session->current->window;
    struct format_context ctx = {.client = c,
                                 .session = c->session,
                                 .winlink = c->session->current,
                                 .window = w,
                                 .pane = w->active};
    char *title =
        format_expand_time(&ctx, options_string(c->session->options, "set-titles-string"));
    frame_text_cut(title, TITLE_MAX_BYTES);
    if (fs->title != NULL && strcmp(title, fs->title) == 0) {
        free(title);
        return;
    }
    struct msg_TITLE msg = {.title = title};
    free(fs->title);
    fs->title = NULL;
    if (frame_send(c, MSG_TITLE, &msg, 4 + strlen(title)))
        fs->title = title;
    else
        free(title);
}

// --- the job

static bool frame_is_blocked(const struct frame_state *fs)
{
    const struct client *c = fs->client;
    if (c->session == NULL || c->is_suspended || c->is_exiting || fs->needs_drain ||
        peer_unsent(c->peer) != 0)
        return true;
    return credit_is_used_up(&fs->credit) && !(fs->has_grant && fs->is_urgent);
}

static struct due frame_due(const void *state, int64_t now_us)
{
    (void)now_us;
    const struct frame_state *fs = state;
    if (!fs->latch.is_up || frame_is_blocked(fs))
        return due_never();
    return due_at(fs->last_us + (fs->is_urgent ? 0 : FRAME_INTERVAL_US));
}

static void frame_run(void *state)
{
    struct frame_state *fs = state;
    struct client *c = fs->client;
    int64_t now_us = clock_monotonic_us();
    struct msg_SCENE scene;
    struct window *w;
    if (frame_is_blocked(fs))
        return;
    latch_lower(&fs->latch);
    unsigned redraw = fs->redraw;
    bool is_over_credit = credit_is_used_up(&fs->credit);
    fs->redraw = 0;
    fs->is_urgent = false;
    fs->has_grant = false;
    fs->frame_bytes = 0;
    fs->is_failed = false;
    if ((w = geometry_scene(c, &scene)) == NULL) {
        fs->redraw = redraw; // for when there is a window again
        return;
    }

    if (frame_send_scene(c, w, &scene, redraw))
        redraw |= REDRAW_STATUS;
    bool is_whole = frame_send_rows(c, w, is_over_credit ? GRANT_BYTES : 0);
    frame_send_cursor(c, w->active);
    frame_send_modes(c, w->active);
    if (redraw & (REDRAW_ALL | REDRAW_STATUS)) {
        status_send(c);
        frame_send_title(c);
        if (fs->is_failed)
            fs->redraw |= REDRAW_STATUS;
    }
    fs->needs_drain = fs->is_failed;
    if (fs->frame_bytes != 0) {
        struct msg_FRAME_END end = {.seq = ++fs->seq};
        fs->is_failed = false; // the end must come even if the rest did not
        frame_send(c, MSG_FRAME_END, &end, 4);
        credit_sent(&fs->credit, fs->seq, fs->frame_bytes, now_us);
        fs->last_us = now_us;
        c->burst_keys = 0; // what is typed from here on may be an answer to what is seen
    }
    if (!is_whole || fs->redraw != 0) {
        fs->is_urgent = !is_over_credit; // only the turn's time was up
        latch_raise(&fs->latch);
    }
}

static void frame_on_drain(void *arg)
{
    struct frame_state *fs = arg;
    fs->needs_drain = false;
    job_ask(fs->job);
}

// --- called from outside

void frame_start(struct client *c)
{
    if (c->frame != NULL)
        frame_stop(c);
    struct frame_state *fs = xcalloc(1, sizeof *fs);
    fs->client = c;
    c->frame = fs;
    fs->job = job_add(server_jobs(), &frame_job, fs);
    fs->latch.job = fs->job;
    fs->last_us = clock_monotonic_us() - FRAME_INTERVAL_US;
    fs->redraw = REDRAW_ALL;
    fs->has_grant = true;
    fs->is_urgent = true;
    c->is_focused = true; // until its terminal says otherwise: not every one reports
    status_start(c);
    peer_on_drain(c->peer, frame_on_drain, fs);
    latch_raise(&fs->latch);
}

void frame_stop(struct client *c)
{
    struct frame_state *fs = c->frame;
    if (fs == NULL)
        return;
    peer_on_drain(c->peer, NULL, NULL);
    status_stop(c);
    job_remove(fs->job);
    frame_forget_panes(fs);
    free(fs->title);
    free(fs);
    c->frame = NULL;
    input_focus_update();
}

// What now happens is the answer to a key if one came a moment ago; a few such frames go at once.
static void frame_hurry(struct frame_state *fs)
{
    if (fs->is_urgent || fs->n_at_once == 0)
        return;
    if (clock_monotonic_us() - fs->input_us > INPUT_WINDOW_US) {
        fs->n_at_once = 0;
        return;
    }
    fs->n_at_once--;
    fs->is_urgent = true;
    if (fs->latch.is_up)
        job_ask(fs->job);
}

void frame_invalidate(struct client *c, unsigned what)
{
    struct frame_state *fs = c->frame;
    if (fs == NULL)
        return;
    fs->redraw |= what;
    frame_hurry(fs);
    if (fs->latch.is_up)
        job_ask(fs->job); // what held it back (suspended, no session) may have ended
    latch_raise(&fs->latch);
}

void frame_refresh(struct client *c)
{
    struct frame_state *fs = c->frame;
    if (fs == NULL)
        return;
    frame_forget_panes(fs);
    fs->has_scene = fs->has_cursor = fs->has_modes = false;
    fs->must_redraw = true;
    free(fs->title);
    fs->title = NULL;
    status_stop(c);
    status_start(c);
    frame_invalidate(c, REDRAW_ALL);
}

void frame_pane_changed(struct pane *p)
{
    struct client *c;
    TAILQ_FOREACH (c, &all_clients, entry) {
        struct frame_state *fs = c->frame;
        if (fs == NULL || c->session == NULL || c->session->current == NULL)
            continue;
        const struct window *w = c->session->current->window;
        if (p->window != w || !pane_is_shown(w, p))
            continue;
        if (p == w->active) // a flood beside it does not use up what input granted
            frame_hurry(fs);
        latch_raise(&fs->latch);
    }
}

void frame_ack(struct client *c, const struct msg_ACK *ack)
{
    struct frame_state *fs = c->frame;
    if (fs == NULL)
        return;
    // Something waited for this answer: the next frame's rate is the link's, not the pane's.
    if (fs->latch.is_up && credit_is_used_up(&fs->credit))
        fs->credit.was_used_up = true;
    credit_acked(&fs->credit, ack->seq, ack->rtt_us, clock_monotonic_us());
    if (fs->latch.is_up)
        job_ask(fs->job);
}

void frame_input(struct client *c)
{
    struct frame_state *fs = c->frame;
    if (fs == NULL)
        return;
    fs->input_us = clock_monotonic_us();
    fs->n_at_once = INPUT_FRAMES;
    // The grant is for what the input brings about, not for what waited already.
    fs->has_grant = true;
    if (credit_is_used_up(&fs->credit))
        fs->is_urgent = false;
}
