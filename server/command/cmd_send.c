// Typing into panes: send-keys and send-prefix.
#include "config.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "server/command/cmd_common.h"
#include "server/mode/mode.h"
#include "server/options/options.h"
#include "server/push/push.h"
#include "server/vt/vt.h"

// Keys on their way to one pane. What bindings of a mode's table they ran is kept in order.
struct sender {
    struct cmdq_item *item;
    struct pane *pane;
    struct command_list **lists;
    size_t n_lists;
    struct strbuf bytes; // for the pane alone: written in one go
};

// Writes to the pane, and with synchronize-panes for the window's other panes that take input.
static void write_to_panes(struct pane *p, const void *data, size_t len)
{
    struct pane *other;

    if (!p->is_input_off)
        pane_write(p, data, len);
    if (!options_number(p->options, "synchronize-panes"))
        return;
    TAILQ_FOREACH (other, &p->window->panes, entry) {
        if (other != p && other->mode == NULL && !other->is_input_off &&
            options_number(other->options, "synchronize-panes") && pane_is_visible(other))
            pane_write(other, data, len);
    }
}

static void key_to_panes(struct pane *p, key_code key)
{
    struct pane *other;

    if (!p->is_input_off)
        pane_send_key(p, key);
    if (!options_number(p->options, "synchronize-panes"))
        return;
    TAILQ_FOREACH (other, &p->window->panes, entry) {
        if (other != p && other->mode == NULL && !other->is_input_off &&
            options_number(other->options, "synchronize-panes") && pane_is_visible(other))
            pane_send_key(other, key);
    }
}

static void send_key(struct sender *to, key_code key)
{
    struct pane_mode_entry *e = to->pane->mode;

    if (e == NULL && options_number(to->pane->options, "synchronize-panes")) {
        key_to_panes(to->pane, key); // each encodes it by its own modes
        return;
    }
    if (e == NULL) {
        vt_encode_key(to->pane->vt, key, &to->bytes);
        return;
    }
    const char *name = e->mode->key_table != NULL ? e->mode->key_table(e) : NULL;
    if (name == NULL) {
        if (e->mode->key != NULL)
            e->mode->key(e, cmdq_target_client(to->item), key);
        return;
    }
    const struct key_table *table = key_table_get(name, false);
    const struct binding *b = table != NULL ? key_table_find(table, key) : NULL;
    if (b == NULL || b->list == NULL)
        return;
    to->lists = xreallocarray(to->lists, to->n_lists + 1, sizeof *to->lists);
    to->lists[to->n_lists++] = command_list_ref(b->list);
}

static void send_bytes(struct sender *to, const void *data, size_t len)
{
    if (options_number(to->pane->options, "synchronize-panes"))
        write_to_panes(to->pane, data, len);
    else
        strbuf_add(&to->bytes, data, len);
}

static void send_literal(struct sender *to, const char *text)
{
    size_t len = strlen(text), at = 0;

    if (to->pane->mode == NULL) {
        send_bytes(to, text, len);
        return;
    }
    while (at < len) {
        uint32_t cp;
        at += utf8_next(text + at, len - at, &cp);
        send_key(to, cp);
    }
}

static void send_hex(struct sender *to, const char *text)
{
    char *end;
    unsigned long value = strtoul(text, &end, 16);

    if (*text == '\0' || *end != '\0' || value > 0xff)
        return;
    unsigned char byte = (unsigned char)value;
    if (to->pane->mode == NULL)
        send_bytes(to, &byte, 1);
    else
        send_key(to, byte);
}

static void send_word(struct sender *to, const struct args *args, const char *word)
{
    if (args_has(args, 'H')) {
        send_hex(to, word);
        return;
    }
    key_code key = args_has(args, 'l') ? KEY_UNKNOWN : key_from_name(word);
    if (key != KEY_UNKNOWN)
        send_key(to, key);
    else
        send_literal(to, word);
}

// A command that a mouse key ran acts where the mouse is, a drag's where the button went down.
static void point_mode(struct cmdq_item *item, struct pane_mode_entry *e)
{
    const struct key_event *ev = cmdq_key_event(item);
    struct client *c = cmdq_client(item);
    unsigned x, y;

    if (ev == NULL || !ev->is_mouse || c == NULL || e->mode->point == NULL ||
        ev->raw_kind == MOUSE_WHEEL_UP || ev->raw_kind == MOUSE_WHEEL_DOWN ||
        ev->raw_kind == MOUSE_UP)
        return;
    bool is_drag = ev->raw_kind == MOUSE_DRAG;
    if (frame_pane_at(c, is_drag ? c->last_click_x : ev->x, is_drag ? c->last_click_y : ev->y, &x,
                      &y) == e->pane)
        e->mode->point(e, x, y);
}

static enum command_result mode_command(const struct args *args, struct cmdq_item *item,
                                        struct pane *p)
{
    struct pane_mode_entry *e = p->mode;
    char *cause = NULL;

    if (e == NULL || e->mode->command == NULL) {
        cmdq_error(item, "not in a mode");
        return COMMAND_ERROR;
    }
    if (args_count(args) == 0)
        return COMMAND_OK;
    unsigned repeat = e->prefix != 0 ? e->prefix : 1;
    e->prefix = 0;
    point_mode(item, e);
    if (!e->mode->command(e, cmdq_target_client(item), args_at(args, 0), args_rest(args, 1),
                          (unsigned)(args_count(args) - 1), repeat, &cause))
        return cmd_fail(item, cause);
    return COMMAND_OK;
}

static enum command_result pass_mouse(struct cmdq_item *item, struct pane *p)
{
    const struct key_event *ev = cmdq_key_event(item);
    struct client *c = cmdq_client(item);
    unsigned x = 0, y = 0;

    if (ev == NULL || !ev->is_mouse || c == NULL) {
        cmdq_error(item, "no mouse target");
        return COMMAND_ERROR;
    }
    if (frame_pane_at(c, ev->x, ev->y, &x, &y) != p)
        return COMMAND_OK;
    if (p->mode != NULL) {
        struct msg_MOUSE m = {
            .kind = (uint8_t)ev->raw_kind,
            .button = (uint8_t)ev->raw_button,
            .x = (uint16_t)ev->x,
            .y = (uint16_t)ev->y,
            .modifiers = ev->modifiers,
        };
        if (p->mode->mode->mouse != NULL)
            p->mode->mode->mouse(p->mode, c, &m, x, y);
        return COMMAND_OK;
    }
    struct vt_mouse m = {
        .kind = (enum mouse_kind)ev->raw_kind,
        .button = ev->raw_button,
        .x = x,
        .y = y,
        .modifiers = ev->modifiers,
    };
    struct strbuf out = {0};
    if (!p->is_input_off && vt_wants_mouse(p->vt, &m))
        vt_encode_mouse(p->vt, &m, &out);
    if (out.len != 0)
        pane_write(p, out.data, out.len);
    strbuf_free(&out);
    return COMMAND_OK;
}

// Hands the bytes to the pane, whole or not at all.
static enum command_result write_bytes(struct sender *to)
{
    enum command_result result = COMMAND_OK;
    size_t room = pane_write_room(to->pane);

    if (to->bytes.len > room) {
        cmdq_error(to->item, "%zu bytes are too many: the pane takes %zu now", to->bytes.len, room);
        result = COMMAND_ERROR;
    } else if (to->bytes.len != 0 && !to->pane->is_input_off) {
        pane_write(to->pane, to->bytes.data, to->bytes.len);
    }
    strbuf_free(&to->bytes);
    return result;
}

// Runs what the keys were bound to, in the order of the keys, over the pane they were sent to.
static void run_lists(struct sender *to)
{
    struct target t;

    target_from_pane(&t, to->pane);
    for (size_t i = to->n_lists; i-- > 0;) {
        cmdq_insert_after_at(to->item, to->lists[i], &t, cmdq_flags(to->item));
        command_list_unref(to->lists[i]);
    }
    free(to->lists);
}

enum command_result cmd_exec_SEND_KEYS(const struct args *args, struct cmdq_item *item)
{
    struct sender to = {.item = item, .pane = cmdq_target(item)->pane};
    long long repeat = 1;
    char *cause = NULL;

    if (args_has(args, 'N')) {
        if (!args_number(args, 'N', 1, INT_MAX, &repeat, &cause, "repeat count"))
            return cmd_fail(item, cause);
        if (args_has(args, 'X') || args_count(args) == 0) {
            // A count for the mode's next command; without a mode nobody waits for one.
            if (to.pane->mode != NULL && to.pane->mode->mode->command != NULL)
                to.pane->mode->prefix = (unsigned)repeat;
        }
    }
    if (args_has(args, 'X'))
        return mode_command(args, item, to.pane);
    if (args_has(args, 'M'))
        return pass_mouse(item, to.pane);
    if (args_has(args, 'R')) {
        vt_reset(to.pane->vt);
        latch_raise(&to.pane->changed);
        frame_pane_changed(to.pane);
    }
    if (args_has(args, 'l') && args_count(args) == 0) {
        // "send-keys -l ';'" is a command that ends there: not to be taken for typed.
        cmdq_error(item, "send-keys: no text to type (\";\" alone is written \"\\;\")");
        return COMMAND_ERROR;
    }
    // A count that no one means is bounded by what a pane's input can hold anyway.
    repeat = MIN_OF(repeat, 1000000);
    for (long long i = 0; i < repeat && args_count(args) != 0; i++) {
        for (size_t n = 0; n < args_count(args); n++) {
            if (args_has(args, 'F')) {
                char *word = cmdq_expand(item, args_at(args, n));
                send_word(&to, args, word);
                free(word);
            } else {
                send_word(&to, args, args_at(args, n));
            }
        }
    }
    run_lists(&to);
    return write_bytes(&to);
}

enum command_result cmd_exec_SEND_PREFIX(const struct args *args, struct cmdq_item *item)
{
    struct target *t = cmdq_target(item);
    struct sender to = {.item = item, .pane = t->pane};
    key_code key = options_key(t->session->options, args_has(args, '2') ? "prefix2" : "prefix");

    if (key != KEY_NONE)
        send_key(&to, key);
    run_lists(&to);
    return write_bytes(&to);
}
