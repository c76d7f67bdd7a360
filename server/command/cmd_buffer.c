// Paste buffers: set-buffer, show-buffer, list-buffers, delete-buffer, load-buffer, save-buffer and
// paste-buffer.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "server/command/cmd_common.h"
#include "server/command/file_slices.h"
#include "server/mode/mode.h"
#include "server/options/options.h"
#include "server/vt/vt.h"

// The most that a file or standard input may hold to become a buffer.
#define BUFFER_MAX_BYTES    ((size_t)64 << 20)
#define CLIPBOARD_MAX_BYTES ((size_t)1 << 20)

// -b, or the newest one. NULL: the error was said with `unknown` before the name.
static struct buffer *find_buffer(const struct args *args, struct cmdq_item *item,
                                  const char *unknown, const char *none)
{
    const char *name = args_get(args, 'b');
    struct buffer *b = name != NULL ? buffer_by_name(name) : buffer_top();

    if (b != NULL)
        return b;
    if (name != NULL)
        cmdq_error(item, "%s %s", unknown, name);
    else
        cmdq_error(item, "%s", none);
    return NULL;
}

// -w: the terminal's clipboard has it too.
static void to_clipboard(struct cmdq_item *item, const char *data, size_t size)
{
    struct client *c = cmdq_target_client(item);

    if (c == NULL || !c->is_attached || size > CLIPBOARD_MAX_BYTES)
        return;
    struct msg_CLIPBOARD m = {.selection = "", .data = {data, (uint32_t)size}};
    peer_send(c->peer, MSG_CLIPBOARD, &m);
}

enum command_result cmd_exec_SET_BUFFER(const struct args *args, struct cmdq_item *item)
{
    const char *name = args_get(args, 'b'), *data = args_at(args, 0);
    struct buffer *b = name != NULL ? buffer_by_name(name) : NULL;
    char *cause = NULL;

    if (args_has(args, 'n')) {
        if (b == NULL && (b = find_buffer(args, item, "unknown buffer:", "no buffer")) == NULL)
            return COMMAND_ERROR;
        if (!buffer_rename(b, args_get(args, 'n'), &cause))
            return cmd_fail(item, cause);
        return COMMAND_OK;
    }
    if (data == NULL) {
        cmdq_error(item, "no data specified");
        return COMMAND_ERROR;
    }
    struct strbuf text = {0};
    if (args_has(args, 'a') && b != NULL)
        strbuf_add(&text, b->data, b->size);
    strbuf_add_str(&text, data);
    if (text.len == 0) {
        strbuf_free(&text);
        return COMMAND_OK;
    }
    if (args_has(args, 'w'))
        to_clipboard(item, text.data, text.len);
    size_t size = text.len;
    if (!buffer_set(strbuf_take(&text), size, name, &cause))
        return cmd_fail(item, cause);
    return COMMAND_OK;
}

enum command_result cmd_exec_SHOW_BUFFER(const struct args *args, struct cmdq_item *item)
{
    struct buffer *b = find_buffer(args, item, "no buffer", "no buffers");

    if (b == NULL)
        return COMMAND_ERROR;
    return cmd_print_large(item, xmemdup(b->data, b->size), b->size);
}

enum command_result cmd_exec_LIST_BUFFERS(const struct args *args, struct cmdq_item *item)
{
    const char *line = args_get(args, 'F');
    struct buffer *b = NULL;

    if (line == NULL)
        line = "#{buffer_name}: #{buffer_size} bytes: \"#{buffer_sample}\"";
    while ((b = buffer_next(b)) != NULL) {
        struct format_context ctx = {.client = cmdq_client(item), .buffer = b};
        cmd_print_filtered(item, &ctx, args_get(args, 'f'), line);
    }
    return COMMAND_OK;
}

enum command_result cmd_exec_DELETE_BUFFER(const struct args *args, struct cmdq_item *item)
{
    struct buffer *b = find_buffer(args, item, "unknown buffer:", "no buffer");

    if (b == NULL)
        return COMMAND_ERROR;
    buffer_free(b);
    return COMMAND_OK;
}

// A load or save under way.
struct transfer {
    struct cmdq_item *item; // NULL: its queue died first
    char *path;
    char *buffer_name;
    bool goes_to_clipboard;
    struct strbuf input; // from standard input
    bool is_too_large;
};

static void transfer_free(struct transfer *t)
{
    strbuf_free(&t->input);
    free(t->path);
    free(t->buffer_name);
    free(t);
}

static void transfer_cancelled(void *arg)
{
    struct transfer *t = arg;

    t->item = NULL;
}

static struct transfer *transfer_new(struct cmdq_item *item, const struct args *args, char *path)
{
    struct transfer *t = xcalloc(1, sizeof *t);

    t->item = item;
    t->path = path;
    t->buffer_name = args_has(args, 'b') ? xstrdup(args_get(args, 'b')) : NULL;
    t->goes_to_clipboard = args_has(args, 'w');
    cmdq_on_cancel(item, transfer_cancelled, t);
    return t;
}

// Makes the buffer and lets the command go on. Takes data.
static void loaded(struct transfer *t, char *data, size_t size, const char *error)
{
    struct cmdq_item *item = t->item;
    enum command_result result = COMMAND_OK;
    char *cause = NULL;

    if (item == NULL) {
        free(data);
        transfer_free(t);
        return;
    }
    if (error != NULL) {
        cmdq_error(item, "%s: %s", t->path, error);
        free(data);
        result = COMMAND_ERROR;
    } else if (size == 0) {
        free(data);
    } else {
        if (t->goes_to_clipboard)
            to_clipboard(item, data, size);
        if (!buffer_set(data, size, t->buffer_name, &cause))
            result = cmd_fail(item, cause);
    }
    transfer_free(t);
    cmdq_continue(item, result);
}

static void file_loaded(void *arg, char *data, size_t size, const char *error)
{
    loaded(arg, data, size, error);
}

static void stdin_loaded(struct client *c, const void *data, size_t len, bool is_end, void *arg)
{
    struct transfer *t = arg;

    (void)c;
    if (t->input.len + len > BUFFER_MAX_BYTES) {
        t->is_too_large = true;
        strbuf_clear(&t->input);
    } else if (!t->is_too_large && len != 0) {
        strbuf_add(&t->input, data, len);
    }
    if (!is_end)
        return;
    size_t size = t->input.len;
    loaded(t, size != 0 ? strbuf_take(&t->input) : NULL, size,
           t->is_too_large ? "input is too large for a buffer" : NULL);
}

// The file that `path` means for who typed it. Owned.
static char *file_path(struct cmdq_item *item, const char *path)
{
    char *expanded = cmdq_expand(item, path);
    char *whole = cmd_path_from(cmd_client_dir(item, NULL), expanded);

    free(expanded);
    return whole;
}

enum command_result cmd_exec_LOAD_BUFFER(const struct args *args, struct cmdq_item *item)
{
    const char *path = args_at(args, 0);
    struct client *c = cmdq_client(item);

    if (strcmp(path, "-") == 0) {
        if (c == NULL || c->is_attached) {
            cmdq_error(item, "no standard input to read");
            return COMMAND_ERROR;
        }
        client_read_stdin(c, stdin_loaded, transfer_new(item, args, xstrdup("-")));
        return COMMAND_WAIT;
    }
    struct transfer *t = transfer_new(item, args, file_path(item, path));
    file_slices_read(t->path, BUFFER_MAX_BYTES, file_loaded, t);
    return COMMAND_WAIT;
}

static void file_saved(void *arg, char *data, size_t size, const char *error)
{
    struct transfer *t = arg;
    struct cmdq_item *item = t->item;

    (void)data;
    (void)size;
    if (item != NULL && error != NULL)
        cmdq_error(item, "%s: %s", t->path, error);
    transfer_free(t);
    if (item != NULL)
        cmdq_continue(item, error != NULL ? COMMAND_ERROR : COMMAND_OK);
}

enum command_result cmd_exec_SAVE_BUFFER(const struct args *args, struct cmdq_item *item)
{
    const char *path = args_at(args, 0);
    struct client *c = cmdq_client(item);
    struct buffer *b = find_buffer(args, item, "no buffer", "no buffers");

    if (b == NULL)
        return COMMAND_ERROR;
    if (strcmp(path, "-") == 0) {
        if (c == NULL || c->is_attached) {
            cmdq_error(item, "no standard output to write");
            return COMMAND_ERROR;
        }
        return cmd_print_large(item, xmemdup(b->data, b->size), b->size);
    }
    struct transfer *t = transfer_new(item, args, file_path(item, path));
    char *copy = xmalloc(b->size + 1);
    memcpy(copy, b->data, b->size);
    file_slices_write(t->path, args_has(args, 'a'), copy, b->size, file_saved, t);
    return COMMAND_WAIT;
}

// Line feeds replaced by `separator`. Inside brackets, what could end them or start a sequence is
// taken out: ESC and the C1 controls.
static void separated(const struct buffer *b, const char *separator, bool is_bracketed,
                      struct strbuf *out)
{
    const char *data = b->data;
    size_t from = 0; // what was not copied yet

    for (size_t i = 0; i < b->size; i++) {
        unsigned char byte = (unsigned char)data[i];
        unsigned char next = i + 1 < b->size ? (unsigned char)data[i + 1] : 0;
        bool is_c1 = byte == 0xc2 && next >= 0x80 && next <= 0x9f;
        if (byte != '\n' && !(is_bracketed && (byte == 0x1b || is_c1)))
            continue;
        strbuf_add(out, data + from, i - from);
        if (byte == '\n')
            strbuf_add_str(out, separator);
        else if (is_c1)
            i++;
        from = i + 1;
    }
    if (from < b->size)
        strbuf_add(out, data + from, b->size - from);
}

static enum command_result paste(const struct args *args, struct cmdq_item *item, struct pane *p,
                                 const struct buffer *b)
{
    enum command_result result = COMMAND_OK;
    bool is_bracketed = args_has(args, 'p') && (vt_modes(p->vt) & VT_MODE_PASTE);
    const char *separator = args_get(args, 's');
    struct strbuf out = {0};

    if (separator == NULL)
        separator = args_has(args, 'r') ? "\n" : "\r";
    if (is_bracketed)
        vt_encode_paste(p->vt, true, false, "", 0, &out);
    separated(b, separator, is_bracketed, &out);
    if (is_bracketed)
        vt_encode_paste(p->vt, false, true, "", 0, &out);
    size_t room = pane_write_room(p);
    if (out.len > room) {
        cmdq_error(item, "%zu bytes are too many: the pane takes %zu now", out.len, room);
        result = COMMAND_ERROR;
    } else if (out.len != 0) {
        pane_write(p, out.data, out.len);
    }
    strbuf_free(&out);
    return result;
}

enum command_result cmd_exec_PASTE_BUFFER(const struct args *args, struct cmdq_item *item)
{
    struct pane *p = cmdq_target(item)->pane;
    const char *name = args_get(args, 'b');
    struct buffer *b = name != NULL ? buffer_by_name(name) : buffer_top();

    if (b == NULL && name != NULL) {
        cmdq_error(item, "no buffer %s", name);
        return COMMAND_ERROR;
    }
    if (b == NULL)
        return COMMAND_OK;
    if (!p->is_input_off && paste(args, item, p, b) != COMMAND_OK)
        return COMMAND_ERROR;
    if (args_has(args, 'd'))
        buffer_free(b);
    return COMMAND_OK;
}
