// What a pane shows, as text: capture-pane and clear-history.
#include "config.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "server/command/cmd_common.h"
#include "server/mode/mode.h"
#include "server/server.h"
#include "server/vt/vt.h"

// Rows taken in one turn: a long history is captured in slices, so that the loop goes on.
#define SLICE_ROWS 500u

struct capture {
    struct cmdq_item *item; // NULL: its queue died first
    unsigned pane_id;
    uint64_t next, end; // rows counted from the first that the pane ever had
    unsigned flags;
    bool prints;
    char *buffer_name;
    struct strbuf text;
    struct job *job; // NULL: all in one go
};

// -S and -E: "-" is the one end or the other, a number counts from the top of the screen, negative
// ones into the history. `otherwise` is what no or a bad value means.
static unsigned line_of(const char *value, const struct vt *vt, bool is_start, unsigned otherwise)
{
    unsigned history = vt_history_rows(vt), last = history + vt_rows(vt) - 1;
    const char *why;
    long long n;

    if (value == NULL)
        return otherwise;
    if (strcmp(value, "-") == 0)
        return is_start ? 0 : last;
    if (!parse_number(value, INT_MIN, INT_MAX, &n, &why))
        return otherwise;
    n += history;
    return n < 0 ? 0 : n > last ? last : (unsigned)n;
}

static void capture_free(struct capture *cap)
{
    job_remove(cap->job);
    strbuf_free(&cap->text);
    free(cap->buffer_name);
    free(cap);
}

static enum command_result deliver(struct capture *cap)
{
    char *cause = NULL;

    if (cap->prints) {
        if (cap->text.len != 0)
            cmdq_print_bytes(cap->item, cap->text.data, cap->text.len);
        return COMMAND_OK;
    }
    size_t size = cap->text.len;
    if (!buffer_set(strbuf_take(&cap->text), size, cap->buffer_name, &cause))
        return cmd_fail(cap->item, cause);
    return COMMAND_OK;
}

static struct due capture_due(const void *state, int64_t now_us)
{
    (void)state;
    return due_at(now_us);
}

static void capture_run(void *state)
{
    struct capture *cap = state;
    struct cmdq_item *item = cap->item;
    struct pane *p = pane_by_id(cap->pane_id);

    if (item == NULL) {
        capture_free(cap);
        return;
    }
    if (p != NULL && cap->next < cap->end) {
        // Rows that have dropped off the old end meanwhile are gone; the others have moved.
        uint64_t dropped = vt_history_dropped(p->vt);
        uint64_t there = dropped + vt_history_rows(p->vt) + vt_rows(p->vt);
        uint64_t from = MAX_OF(cap->next, dropped);
        uint64_t to = MIN_OF(MIN_OF(from + SLICE_ROWS, cap->end), there);
        if (from < to)
            vt_capture(p->vt, (unsigned)(from - dropped), (unsigned)(to - dropped - 1), cap->flags,
                       &cap->text);
        cap->next = from < to ? to : cap->end;
        if (cap->prints && cap->text.len != 0) {
            cmdq_print_bytes(item, cap->text.data, cap->text.len);
            strbuf_clear(&cap->text);
        }
        if (cap->next < cap->end) {
            job_ask(cap->job);
            return;
        }
    }
    enum command_result result = deliver(cap);
    capture_free(cap);
    cmdq_continue(item, result);
}

static const struct job_spec capture_job = {"capture", capture_due, capture_run};

static void capture_cancelled(void *arg)
{
    struct capture *cap = arg;

    cap->item = NULL;
}

static unsigned capture_flags(const struct args *args)
{
    static const struct {
        char flag;
        unsigned means;
    } all[] = {
        {'e', VT_CAPTURE_STYLES}, {'J', VT_CAPTURE_JOIN},  {'N', VT_CAPTURE_KEEP_BLANKS},
        {'C', VT_CAPTURE_ESCAPE}, {'a', VT_CAPTURE_SAVED}, {'T', VT_CAPTURE_NO_BLANK_CELLS},
    };
    unsigned flags = 0;

    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        if (args_has(args, all[i].flag))
            flags |= all[i].means;
    }
    return flags;
}

enum command_result cmd_exec_CAPTURE_PANE(const struct args *args, struct cmdq_item *item)
{
    struct pane *p = cmdq_target(item)->pane;
    struct vt *vt = p->vt;
    unsigned history = vt_history_rows(vt), rows = vt_rows(vt), from, to;
    struct capture once = {
        .item = item,
        .flags = capture_flags(args),
        .prints = args_has(args, 'p'),
        .buffer_name = args_has(args, 'b') ? xstrdup(args_get(args, 'b')) : NULL,
    };

    if (args_has(args, 'P'))
        once.flags = 0; // an escape sequence begun and not ended is kept in the gate, not as text
    if (args_has(args, 'a')) {
        bool has_saved = vt_saved_row_pack(vt, 0, &once.text);
        strbuf_clear(&once.text);
        if (!has_saved) {
            strbuf_free(&once.text);
            free(once.buffer_name);
            if (args_has(args, 'q')) {
                if (args_has(args, 'p'))
                    cmdq_print(item, "%s", "");
                return COMMAND_OK;
            }
            cmdq_error(item, "no alternate screen");
            return COMMAND_ERROR;
        }
        // The screen that is not shown has no history of its own.
        from = args_has(args, 'S') ? line_of(args_get(args, 'S'), vt, true, history) : history;
        to = args_has(args, 'E') ? line_of(args_get(args, 'E'), vt, false, history + rows - 1)
                                 : history + rows - 1;
        from = MAX_OF(from, history);
        to = MAX_OF(to, history);
    } else {
        from = line_of(args_get(args, 'S'), vt, true, history);
        to = line_of(args_get(args, 'E'), vt, false, history + rows - 1);
    }
    if (to < from) {
        unsigned swapped = from;
        from = to;
        to = swapped;
    }
    if (!args_has(args, 'P') && (to - from < SLICE_ROWS * 2 || args_has(args, 'a')))
        vt_capture(vt, from, to, once.flags, &once.text);
    else if (!args_has(args, 'P')) {
        struct capture *cap = xmemdup(&once, sizeof once);
        cap->pane_id = p->id;
        cap->next = vt_history_dropped(vt) + from;
        cap->end = vt_history_dropped(vt) + to + 1;
        cap->job = job_add(server_jobs(), &capture_job, cap);
        cmdq_on_cancel(item, capture_cancelled, cap);
        return COMMAND_WAIT;
    }
    enum command_result result = deliver(&once);
    strbuf_free(&once.text);
    free(once.buffer_name);
    return result;
}

enum command_result cmd_exec_CLEAR_HISTORY(const struct args *args, struct cmdq_item *item)
{
    struct pane *p = cmdq_target(item)->pane;

    (void)args;
    mode_pop_all(p); // a mode would stand on rows that are gone
    vt_clear_history(p->vt);
    latch_raise(&p->changed);
    return COMMAND_OK;
}
