// What a client's keys, mouse, pastes and focus do. The server alone keeps each client's key table,
// prefix and repeat state; the client only decodes bytes.
#include "server/input.h"

#include <stdlib.h>
#include <string.h>

#include "common/key.h"
#include "server/command/command.h"
#include "server/mode/mode.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/push/push.h"
#include "server/server.h"
#include "server/vt/vt.h"

#define CLICK_TIME_US 300000 // between the clicks of a double or triple click
#define FOCUSED_MAX   64

// --- key tables

static bool is_in_prefix_table(const struct client *c)
{
    return c->key_table != NULL && strcmp(c->key_table->name, "prefix") == 0;
}

static struct due repeat_due(const void *state, int64_t now_us)
{
    (void)now_us;
    const struct client *c = state;
    if (c->session == NULL)
        return due_never();
    if (c->is_repeating)
        return due_at(c->key_time_us + options_number(c->session->options, "repeat-time") * 1000);
    long long timeout_ms = options_number(server_options(), "prefix-timeout");
    if (timeout_ms > 0 && is_in_prefix_table(c))
        return due_at(c->key_time_us + timeout_ms * 1000);
    return due_never();
}

static void repeat_run(void *state)
{
    struct client *c = state;
    input_set_table(c, NULL);
}

static const struct job_spec repeat_job = {"key table", repeat_due, repeat_run};

static void repeat_ask(struct client *c)
{
    if (c->repeat_job != NULL)
        job_ask(c->repeat_job);
    else if (c->is_repeating || is_in_prefix_table(c))
        c->repeat_job = job_add(server_jobs(), &repeat_job, c);
}

static const char *default_table_name(struct client *c)
{
    const char *name = c->session != NULL ? options_string(c->session->options, "key-table") : "";
    return *name != '\0' ? name : "root";
}

void input_set_table(struct client *c, const char *name)
{
    if (name == NULL)
        name = default_table_name(c);
    bool is_same = c->key_table != NULL && strcmp(c->key_table->name, name) == 0;
    if (!is_same) {
        struct key_table *table = key_table_get(name, true);
        if (c->key_table != NULL)
            key_table_unref(c->key_table);
        c->key_table = table;
        table->refs++;
    }
    c->is_repeating = false;
    repeat_ask(c);
    if (!is_same)
        client_redraw(c, REDRAW_STATUS); // formats may show client_prefix
}

static bool is_in_default_table(struct client *c)
{
    return c->key_table == NULL || strcmp(c->key_table->name, default_table_name(c)) == 0;
}

static struct pane *active_pane(const struct client *c)
{
    if (c->session == NULL || c->session->current == NULL)
        return NULL;
    return c->session->current->window->active;
}

// --- bindings

// A read-only client may only run what changes nothing.
static bool list_reads_only(const struct command_list *list)
{
    for (const struct command *cmd = list->first; cmd != NULL; cmd = cmd->next)
        if ((cmd->spec->cmd_flags & COMMAND_READS_ONLY) == 0)
            return false;
    return true;
}

static void run_binding(struct client *c, const struct binding *b, const struct key_event *event)
{
    struct target current = {.index = -1};
    struct command_list *list = command_list_ref(b->list); // the binding may go while it runs

    if (b->repeats && options_number(c->session->options, "repeat-time") > 0) {
        c->is_repeating = true;
        repeat_ask(c);
    } else {
        input_set_table(c, NULL);
    }
    if (c->is_read_only && !list_reads_only(list)) {
        client_message(c, -1, "Client is read-only");
        command_list_unref(list);
        return;
    }
    if (event->is_mouse && event->pane != NULL)
        target_from_pane(&current, event->pane);
    else if (event->is_mouse && event->winlink != NULL)
        target_from_winlink(&current, event->winlink);
    else
        target_from_session(&current, c->session);
    cmdq_set_key_event(event);
    cmdq_append(c, list, &current, CMDQ_FROM_KEY, NULL, NULL);
    command_list_unref(list);
}

static const struct binding *find_binding(const struct key_table *table, key_code key)
{
    const struct binding *b = key_table_find(table, key);
    return b != NULL || key_is_mouse(key) ? b : key_table_find(table, key_special(KS_ANY));
}

enum key_outcome { KEY_TAKEN, KEY_FREE };

// Looks the key up as tmux does: the mode's table stands in for the default one; what a repeating
// or prefix table does not know is tried in the default one; an unknown key after the prefix is
// swallowed. KEY_FREE: nobody wants it, it is the program's.
static enum key_outcome look_up(struct client *c, struct pane *p, const struct key_event *event)
{
    key_code key = event->key;
    if (c->key_table == NULL)
        input_set_table(c, NULL);

    const char *mode_table = NULL;
    if (p != NULL && p->mode != NULL && p->mode->mode->key_table != NULL)
        mode_table = p->mode->mode->key_table(p->mode);

    if (!event->is_mouse && !is_in_prefix_table(c) &&
        (key == options_key(c->session->options, "prefix") ||
         key == options_key(c->session->options, "prefix2"))) {
        input_set_table(c, "prefix");
        return KEY_TAKEN;
    }

    bool was_special = !is_in_default_table(c), was_repeating = c->is_repeating;
    struct key_table *table = c->key_table;
    if (!was_special && mode_table != NULL)
        table = key_table_get(mode_table, true);
    const struct binding *b = find_binding(table, key);
    if (b != NULL && (!was_repeating || b->repeats)) {
        run_binding(c, b, event);
        return KEY_TAKEN;
    }

    if (event->is_mouse && event->raw_kind == MOUSE_MOVE)
        return KEY_FREE; // the hand on the mouse does not undo a prefix

    // Not in this table: back to the default one. The prefix is one there too.
    if (was_special || was_repeating) {
        input_set_table(c, NULL);
        if (was_repeating)
            return look_up(c, p, event); // as if the repeat had timed out
    }
    if (was_special || mode_table != NULL) {
        b = find_binding(c->key_table, key);
        if (b != NULL) {
            run_binding(c, b, event);
            return KEY_TAKEN;
        }
    }
    return was_special && !event->is_mouse ? KEY_TAKEN : KEY_FREE;
}

// --- keys to programs

static bool pane_takes_input(const struct pane *p)
{
    return p->mode == NULL && !p->is_input_off && !p->is_dead;
}

// Calls fn for the pane, or for all panes of its window when they are synchronized.
static void each_input_pane(struct pane *p, void (*fn)(struct pane *p, void *arg), void *arg)
{
    if (options_number(p->options, "synchronize-panes") == 0) {
        if (pane_takes_input(p))
            fn(p, arg);
        return;
    }
    struct pane *other;
    TAILQ_FOREACH (other, &p->window->panes, entry) {
        bool is_in = other == p || options_number(other->options, "synchronize-panes") != 0;
        if (is_in && pane_takes_input(other))
            fn(other, arg);
    }
}

static void send_key(struct pane *p, void *arg)
{
    pane_send_key(p, *(const key_code *)arg);
}

// Keys that arrive in one piece, faster than anybody types, are a paste by a terminal that knows no
// brackets (burst_keys begins anew with each piece). A burst that began with a binding is not one:
// scripts and a stalled link send those.
static bool is_assumed_paste(struct client *c, const struct pane *p)
{
    if (p == NULL || p->mode != NULL || !is_in_default_table(c) ||
        options_number(c->session->options, "assume-paste-time") == 0)
        c->burst_keys = 0;
    return c->burst_keys >= 2;
}

void input_key_now(struct client *c, key_code key, const void *raw, size_t raw_len)
{
    if (!c->is_attached || c->session == NULL || c->is_exiting || key == KEY_NONE)
        return;
    c->key_time_us = clock_monotonic_us();
    frame_input(c);
    client_touch(c);
    client_clear_message(c);
    if (c->prompt != NULL) {
        prompt_key(c, key, raw, raw_len);
        return;
    }

    struct pane *p = active_pane(c);
    key_code plain = key & (KEY_MASK | KEY_MODIFIERS);
    struct key_event event = {.key = plain,
                              .pane = p,
                              .session = c->session,
                              .winlink = c->session->current,
                              .modifiers = plain & KEY_MODIFIERS};
    if (!is_assumed_paste(c, p) && look_up(c, p, &event) == KEY_TAKEN) {
        c->burst_keys = 0;
        return;
    }
    if (p == NULL || c->is_read_only)
        return;
    if (p->mode != NULL) {
        if (p->mode->mode->key != NULL && p->mode->mode->key_table == NULL)
            p->mode->mode->key(p->mode, c, key);
        return; // unknown in its table: not the program's either
    }
    c->burst_keys++;
    each_input_pane(p, send_key, &key);
}

// --- pastes

struct paste {
    const struct msg_PASTE *msg;
    struct strbuf bytes;
};

static void send_paste(struct pane *p, void *arg)
{
    struct paste *paste = arg;
    const struct msg_PASTE *m = paste->msg;
    strbuf_clear(&paste->bytes);
    vt_encode_paste(p->vt, m->is_first != 0, m->is_last != 0, m->data.data, m->data.len,
                    &paste->bytes);
    if (paste->bytes.len != 0)
        pane_write(p, paste->bytes.data, paste->bytes.len);
}

// Pasted bytes are text: never looked up in a key table.
void input_paste_now(struct client *c, const struct msg_PASTE *m)
{
    if (!c->is_attached || c->session == NULL || c->is_exiting)
        return;
    frame_input(c);
    if (m->is_first) {
        client_touch(c);
        client_clear_message(c);
    }
    c->in_paste = !m->is_last;
    if (c->prompt != NULL) {
        prompt_paste(c, m->data.data, m->data.len);
        return;
    }
    struct pane *p = active_pane(c);
    if (p == NULL || c->is_read_only)
        return;
    struct paste paste = {.msg = m};
    if (p->mode == NULL)
        each_input_pane(p, send_paste, &paste);
    strbuf_free(&paste.bytes);
}

// --- mouse

struct mouse_at {
    enum mouse_place place;
    struct pane *pane;
    struct winlink *winlink;
    unsigned x, y; // in the pane
};

static struct mouse_at mouse_find(struct client *c, unsigned x, unsigned y)
{
    struct mouse_at at = {.place = PLACE_STATUS_DEFAULT};
    bool has_status, is_vertical;
    unsigned row = frame_status_row(c, &has_status);
    unsigned cols, rows;
    frame_window_area(c, &cols, &rows);
    if (has_status && y >= row && y < row + (c->rows - rows)) {
        at.place = status_place_at(c, x, y - row, &at.winlink);
    } else if ((at.pane = frame_pane_at(c, x, y, &at.x, &at.y)) != NULL) {
        at.place = PLACE_PANE;
    } else if (frame_is_border_at(c, x, y, &at.pane, &is_vertical)) {
        at.place = PLACE_BORDER;
    } else {
        at.place = MOUSE_PLACES; // nothing there
    }
    return at;
}

static struct pane *press_pane(struct client *c)
{
    struct pane *p = pane_by_id(c->press_pane_id);
    return p != NULL && c->session != NULL && c->session->current != NULL &&
                   p->window == c->session->current->window
               ? p
               : NULL;
}

// A place in a pane that the mouse may have left while a button is held.
static struct mouse_at mouse_in_pane(struct client *c, struct pane *p, unsigned x, unsigned y)
{
    struct mouse_at at = {.place = PLACE_PANE, .pane = p};
    frame_pane_nearest(c, p, x, y, &at.x, &at.y);
    return at;
}

// Gives the event to what is in the pane: its mode, or the program if it asked for the mouse.
static void mouse_forward(struct client *c, const struct msg_MOUSE *m, const struct mouse_at *at)
{
    struct pane *p = at->pane;
    if (p == NULL || at->place != PLACE_PANE || c->is_read_only)
        return;
    if (p->mode != NULL) {
        if (p->mode->mode->mouse != NULL)
            p->mode->mode->mouse(p->mode, c, m, at->x, at->y);
        return;
    }
    if (!pane_takes_input(p))
        return;
    struct vt_mouse event = {.kind = (enum mouse_kind)m->kind,
                             .button = m->button,
                             .x = at->x,
                             .y = at->y,
                             .modifiers = m->modifiers & KEY_MODIFIERS};
    if (!vt_wants_mouse(p->vt, &event))
        return;
    struct strbuf bytes = {0};
    vt_encode_mouse(p->vt, &event, &bytes);
    if (bytes.len != 0)
        pane_write(p, bytes.data, bytes.len);
    strbuf_free(&bytes);
}

// Runs the binding of a kind of mouse event. KEY_FREE: there is none.
static enum key_outcome mouse_look_up(struct client *c, enum mouse_kind kind,
                                      const struct msg_MOUSE *m, const struct mouse_at *at)
{
    if (at->place == MOUSE_PLACES)
        return KEY_FREE;
    bool has_button = kind != MOUSE_MOVE && kind != MOUSE_WHEEL_UP && kind != MOUSE_WHEEL_DOWN;
    struct key_event event = {.key = key_mouse(kind, has_button ? m->button : 0, at->place) |
                                     (m->modifiers & KEY_MODIFIERS),
                              .is_mouse = true,
                              .x = m->x,
                              .y = m->y,
                              .pane = at->pane,
                              .session = c->session,
                              .winlink = at->winlink != NULL ? at->winlink : c->session->current,
                              .modifiers = m->modifiers & KEY_MODIFIERS,
                              .raw_kind = m->kind,
                              .raw_button = m->button};
    return look_up(c, at->place == PLACE_PANE ? at->pane : NULL, &event);
}

// Two clicks are a double click once no third has come in time.
static struct due click_due(const void *state, int64_t now_us)
{
    (void)now_us;
    const struct client *c = state;
    return c->click_count == 2 ? due_at(c->last_click_us + CLICK_TIME_US) : due_never();
}

static void click_run(void *state)
{
    struct client *c = state;
    c->click_count = 0;
    if (!c->is_attached || c->session == NULL || c->is_exiting)
        return;
    struct msg_MOUSE m = {.kind = MOUSE_DOWN,
                          .button = (uint8_t)c->last_click_button,
                          .x = (uint16_t)c->last_click_x,
                          .y = (uint16_t)c->last_click_y,
                          .modifiers = c->last_click_modifiers};
    struct mouse_at at = mouse_find(c, m.x, m.y);
    mouse_look_up(c, MOUSE_DOUBLE_CLICK, &m, &at);
}

static const struct job_spec click_job = {"double click", click_due, click_run};

// Counts clicks of one button at one place; returns what this one is.
static enum mouse_kind count_click(struct client *c, const struct msg_MOUSE *m)
{
    int64_t now_us = clock_monotonic_us();
    bool is_next = c->click_count > 0 && m->button == c->last_click_button &&
                   m->x == c->last_click_x && m->y == c->last_click_y &&
                   now_us - c->last_click_us < CLICK_TIME_US;
    c->click_count = is_next ? c->click_count + 1 : 1;
    c->last_click_button = m->button;
    c->last_click_x = m->x;
    c->last_click_y = m->y;
    c->last_click_us = now_us;
    c->last_click_modifiers = m->modifiers & KEY_MODIFIERS;
    enum mouse_kind kind = MOUSE_DOWN;
    if (c->click_count == 2) {
        kind = MOUSE_SECOND_CLICK;
    } else if (c->click_count == 3) {
        kind = MOUSE_TRIPLE_CLICK;
        c->click_count = 0;
    }
    if (c->click_job == NULL)
        c->click_job = job_add(server_jobs(), &click_job, c);
    job_ask(c->click_job);
    return kind;
}

// A drag in a pane in a mode: the mode hears first where the button went down. The first drag is
// left to its binding (begin-selection); what follows moves the end of what that began.
static void mode_drag(struct client *c, const struct msg_MOUSE *m, const struct mouse_at *at,
                      bool is_first)
{
    if (!c->is_mode_drag) {
        struct msg_MOUSE press = *m;
        struct mouse_at from = mouse_in_pane(c, at->pane, c->press_x, c->press_y);
        press.kind = MOUSE_DOWN;
        press.x = (uint16_t)c->press_x;
        press.y = (uint16_t)c->press_y;
        mouse_forward(c, &press, &from);
        c->is_mode_drag = true;
    }
    if (!is_first)
        mouse_forward(c, m, at);
}

void input_mouse_now(struct client *c, const struct msg_MOUSE *m)
{
    if (!c->is_attached || c->session == NULL || c->session->current == NULL || c->is_exiting)
        return;
    if (m->kind > MOUSE_WHEEL_DOWN || m->button > 11 || m->x >= c->cols || m->y >= c->rows)
        return;
    enum mouse_kind kind = (enum mouse_kind)m->kind;
    frame_input(c);
    if (kind != MOUSE_MOVE) {
        client_touch(c);
        if (kind == MOUSE_DOWN)
            client_clear_message(c);
    }
    if (c->prompt != NULL)
        return;
    bool is_on = options_number(c->session->options, "mouse") != 0;
    struct mouse_at at = mouse_find(c, m->x, m->y);

    switch (kind) {
    case MOUSE_DOWN:
        c->is_button_down = true;
        c->is_dragging = c->is_mode_drag = false;
        c->press_x = m->x;
        c->press_y = m->y;
        c->press_place = at.place;
        c->press_pane_id = at.pane != NULL ? at.pane->id : UINT32_MAX;
        if (is_on)
            kind = count_click(c, m);
        break;
    case MOUSE_DRAG:
    case MOUSE_UP:
        // They belong to where the button went down, wherever the mouse is by now.
        if (c->is_button_down) {
            struct pane *p = press_pane(c);
            if (c->press_place == PLACE_PANE && p != NULL)
                at = mouse_in_pane(c, p, m->x, m->y);
            else if (c->press_place == PLACE_PANE || c->press_place == MOUSE_PLACES)
                at.place = MOUSE_PLACES;
            else if (c->press_place == PLACE_BORDER)
                at = (struct mouse_at){.place = PLACE_BORDER, .pane = p};
        }
        if (kind == MOUSE_DRAG) {
            bool is_first = !c->is_dragging;
            c->is_dragging = true;
            c->click_count = 0;
            if (c->click_job != NULL)
                job_ask(c->click_job);
            if (at.place == PLACE_PANE && at.pane != NULL && at.pane->mode != NULL) {
                mode_drag(c, m, &at, is_first);
                if (!is_first)
                    return;
            }
        } else {
            if (c->is_dragging)
                kind = MOUSE_DRAG_END;
            if (c->is_mode_drag)
                mouse_forward(c, m, &at); // ends its scrolling, whatever the binding does
            c->is_button_down = c->is_dragging = c->is_mode_drag = false;
        }
        break;
    default:
        break;
    }
    c->last_mouse = kind;
    if (is_on && mouse_look_up(c, kind, m, &at) == KEY_TAKEN)
        return;
    mouse_forward(c, m, &at);
}

// --- focus

static unsigned focused[FOCUSED_MAX]; // ids of panes that were told they have it
static unsigned n_focused;

static void tell_focus(unsigned id, bool is_in)
{
    struct pane *p = pane_by_id(id);
    if (p == NULL || p->vt == NULL || (vt_modes(p->vt) & VT_MODE_FOCUS) == 0 ||
        options_number(server_options(), "focus-events") == 0)
        return;
    struct strbuf bytes = {0};
    vt_encode_focus(p->vt, is_in, &bytes);
    if (bytes.len != 0)
        pane_write(p, bytes.data, bytes.len);
    strbuf_free(&bytes);
}

static bool has_id(const unsigned *ids, unsigned n, unsigned id)
{
    for (unsigned i = 0; i < n; i++)
        if (ids[i] == id)
            return true;
    return false;
}

void input_focus_update(void)
{
    unsigned now[FOCUSED_MAX], before[FOCUSED_MAX], n = 0, n_before = n_focused;
    const struct client *c;
    TAILQ_FOREACH (c, &all_clients, entry) {
        const struct pane *p = c->is_attached && c->is_focused && c->frame != NULL && !c->is_exiting
                                   ? active_pane(c)
                                   : NULL;
        if (p != NULL && n < FOCUSED_MAX && !has_id(now, n, p->id))
            now[n++] = p->id;
    }
    memcpy(before, focused, sizeof before[0] * n_before);
    memcpy(focused, now, sizeof now[0] * n);
    n_focused = n;
    for (unsigned i = 0; i < n_before; i++)
        if (!has_id(now, n, before[i]))
            tell_focus(before[i], false);
    for (unsigned i = 0; i < n; i++)
        if (!has_id(before, n_before, now[i]))
            tell_focus(now[i], true);
}

void input_focus(struct client *c, bool is_in)
{
    if (!c->is_attached)
        return;
    c->is_focused = is_in;
    input_focus_update();
}

void input_stop(struct client *c)
{
    input_hold_stop(c);
    job_remove(c->repeat_job);
    job_remove(c->click_job);
    c->repeat_job = c->click_job = NULL;
    c->is_repeating = false;
    c->click_count = 0;
    if (c->key_table != NULL)
        key_table_unref(c->key_table);
    c->key_table = NULL;
}
