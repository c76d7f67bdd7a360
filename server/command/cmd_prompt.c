// Questions in the status line: command-prompt and confirm-before; and copy-mode.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "server/command/cmd_common.h"
#include "server/mode/mode.h"
#include "server/push/push.h"

// A command that asks one question after another, then runs a template with the answers.
struct question {
    unsigned refs;          // one for each open prompt, which gives its own back when it is freed
    struct cmdq_item *item; // NULL: it does not wait, or its queue died first
    bool waits;
    char *template;             // a text, filled with one answer after another
    struct command_list *block; // in its place, if a { } block was given; NULL
    char **answers;             // for the block
    size_t n_answers;
    unsigned flags; // enum prompt_flag
    char *type;
    char **labels, **initials; // NULL-terminated; there may be fewer initials
    size_t n_labels, n_initials, at;
};

static void question_unref(void *arg)
{
    struct question *q = arg;

    if (--q->refs > 0)
        return;
    // The client went away with the prompt open: nobody will answer.
    struct cmdq_item *item = q->item;
    strv_free(q->labels);
    strv_free(q->initials);
    free(q->template);
    command_list_unref(q->block);
    for (size_t i = 0; i < q->n_answers; i++)
        free(q->answers[i]);
    free(q->answers);
    free(q->type);
    free(q);
    if (item != NULL)
        cmdq_continue(item, COMMAND_STOP);
}

static void question_cancelled(void *arg)
{
    struct question *q = arg;

    q->item = NULL;
}

// What the answers make of one word of the block.
static char *fill_word(void *arg, const char *word)
{
    const struct question *q = arg;
    char *text = xstrdup(word);

    for (size_t i = 0; i < q->n_answers; i++) {
        char *filled = cmd_template_replace(text, q->answers[i], (unsigned)i + 1);
        free(text);
        text = filled;
    }
    return text;
}

// Runs a text of commands (NULL: the block) for the question: behind the command that waits, or on
// its own.
static void run_text(struct client *c, struct question *q, const char *text, bool is_done)
{
    char *cause = NULL;
    struct command_list *list = text != NULL ? command_parse_text(text, NULL, &cause)
                                             : command_list_fill(q->block, fill_word, q);
    struct cmdq_item *item = is_done ? q->item : NULL;

    if (list == NULL) {
        if (item != NULL)
            cmdq_error(item, "%s", cause);
        else
            client_message(c, -1, "%s", cause);
        free(cause);
    } else if (item != NULL) {
        cmdq_insert_after(item, list, cmdq_flags(item));
    } else {
        cmdq_append(c, list, NULL, 0, NULL, NULL);
    }
    if (item != NULL) {
        q->item = NULL;
        cmdq_continue(item, list == NULL ? COMMAND_ERROR : COMMAND_OK);
    }
    command_list_unref(list);
}

static bool answered(struct client *c, void *arg, const char *text, bool is_done);

static void ask(struct client *c, struct question *q)
{
    const char *initial = q->at < q->n_initials ? q->initials[q->at] : "";

    q->refs++;
    prompt_open(c, q->labels[q->at], initial, q->flags, q->type, answered, question_unref, q);
}

static bool answered(struct client *c, void *arg, const char *text, bool is_done)
{
    struct question *q = arg;

    if (text == NULL) {
        struct cmdq_item *item = q->item;
        q->item = NULL;
        if (item != NULL)
            cmdq_continue(item, COMMAND_OK);
        return true;
    }
    if (is_done && (q->flags & PROMPT_INCREMENTAL))
        return true; // it ran at each change; once more would go to the next match
    if (q->block != NULL) {
        q->answers = xreallocarray(q->answers, q->n_answers + 1, sizeof *q->answers);
        q->answers[q->n_answers++] = xstrdup(text);
        if (is_done && ++q->at < q->n_labels) {
            ask(c, q);
            return true;
        }
        run_text(c, q, NULL, is_done);
        if (!is_done) // another answer to the same question comes
            free(q->answers[--q->n_answers]);
        return true;
    }
    char *filled = cmd_template_replace(q->template, text, (unsigned)q->at + 1);
    if (!is_done) {
        run_text(c, q, filled, false);
        free(filled);
        return true;
    }
    free(q->template);
    q->template = filled;
    if (++q->at < q->n_labels) {
        ask(c, q);
        return true;
    }
    run_text(c, q, q->template, true);
    return true;
}

// "a,b" as a vector, each piece expanded and with `suffix` behind it.
static char **split_pieces(struct cmdq_item *item, const char *text, const char *suffix, size_t *n)
{
    char *copy = xstrdup(text), *rest = copy, *piece;
    char **list = NULL;

    *n = 0;
    while ((piece = strsep(&rest, ",")) != NULL) {
        char *expanded = cmdq_expand(item, piece);
        list = xreallocarray(list, *n + 2, sizeof *list);
        list[(*n)++] = xasprintf("%s%s", expanded, suffix);
        free(expanded);
    }
    list[*n] = NULL;
    free(copy);
    return list;
}

static unsigned prompt_flags(const struct args *args)
{
    return args_has(args, '1')   ? PROMPT_SINGLE
           : args_has(args, 'N') ? PROMPT_NUMERIC
           : args_has(args, 'i') ? PROMPT_INCREMENTAL
           : args_has(args, 'k') ? PROMPT_KEY
                                 : 0;
}

enum command_result cmd_exec_COMMAND_PROMPT(const struct args *args, struct cmdq_item *item)
{
    const char *template = args_at(args, 0);
    struct client *c = cmd_need_client(item);

    if (c == NULL)
        return COMMAND_ERROR;
    if (c->prompt != NULL)
        return COMMAND_OK;
    struct question *q = xcalloc(1, sizeof *q);
    q->waits = !args_has(args, 'b') && !args_has(args, 'i');
    q->flags = prompt_flags(args);
    q->type = xstrdup(args_has(args, 'T') ? args_get(args, 'T') : "command");
    if (template == NULL)
        q->template = xstrdup("%1");
    else if (args_is_block(args, 0) && !args_has(args, 'F'))
        q->block = command_parse_text(template, NULL, NULL);
    if (q->template == NULL && q->block == NULL)
        q->template = args_has(args, 'F') ? cmdq_expand(item, template) : xstrdup(template);
    if (args_has(args, 'p')) {
        q->labels = split_pieces(item, args_get(args, 'p'), " ", &q->n_labels);
    } else {
        char *word = template == NULL ? NULL : xstrndup(template, strcspn(template, " \t\n,"));
        char *label = word == NULL ? xstrdup(":") : xasprintf("(%s) ", word);
        q->labels = strv_copy(&label, 1);
        q->n_labels = 1;
        free(label);
        free(word);
    }
    if (args_has(args, 'I'))
        q->initials = split_pieces(item, args_get(args, 'I'), "", &q->n_initials);
    bool waits = q->waits;
    if (waits) {
        q->item = item;
        cmdq_on_cancel(item, question_cancelled, q);
    }
    ask(c, q);
    return waits ? COMMAND_WAIT : COMMAND_OK;
}

// A yes or no before a command.
struct confirmation {
    struct cmdq_item *item; // NULL: it does not wait, or its queue died first
    char *command;
    bool enter_is_yes;
};

static void confirmation_free(void *arg)
{
    struct confirmation *q = arg;
    struct cmdq_item *item = q->item;

    free(q->command);
    free(q);
    if (item != NULL)
        cmdq_continue(item, COMMAND_STOP);
}

static void confirmation_cancelled(void *arg)
{
    struct confirmation *q = arg;

    q->item = NULL;
}

static bool confirmed(struct client *c, void *arg, const char *text, bool is_done)
{
    struct confirmation *q = arg;
    struct cmdq_item *item = q->item;
    char *cause = NULL;

    (void)is_done;
    bool is_yes = text != NULL && ((text[0] == 'y' || text[0] == 'Y') ||
                                   (q->enter_is_yes && (text[0] == '\0' || text[0] == '\r')));
    q->item = NULL;
    if (!is_yes) {
        // A script that asked sees the no in its exit code.
        if (item != NULL) {
            const struct client *asker = cmdq_client(item);
            bool is_script = asker != NULL && !asker->is_attached;
            cmdq_continue(item, is_script ? COMMAND_ERROR : COMMAND_OK);
        }
        return true;
    }
    struct command_list *list = command_parse_text(q->command, NULL, &cause);
    if (list == NULL) {
        if (item != NULL)
            cmdq_error(item, "%s", cause);
        else
            client_message(c, -1, "%s", cause);
        free(cause);
    } else if (item != NULL) {
        cmdq_insert_after(item, list, cmdq_flags(item));
    } else {
        cmdq_append(c, list, NULL, 0, NULL, NULL);
    }
    if (item != NULL)
        cmdq_continue(item, list == NULL ? COMMAND_ERROR : COMMAND_OK);
    command_list_unref(list);
    return true;
}

enum command_result cmd_exec_CONFIRM_BEFORE(const struct args *args, struct cmdq_item *item)
{
    const char *command = args_at(args, 0);
    struct client *c = cmd_need_client(item);
    char *cause = NULL, *label;

    if (c == NULL)
        return COMMAND_ERROR;
    prompt_close(c);
    if (c->prompt != NULL)
        return COMMAND_OK; // the one before asks something more
    // A command that cannot be read is said now, not after the yes.
    struct command_list *list = command_parse_text(command, NULL, &cause);
    if (list == NULL)
        return cmd_fail(item, cause);
    const char *name = list->first != NULL ? list->first->spec->name : "";
    if (args_has(args, 'p')) {
        char *expanded = cmdq_expand(item, args_get(args, 'p'));
        label = xasprintf("%s ", expanded);
        free(expanded);
    } else {
        label = xasprintf("Confirm '%s'? (y/n) ", name);
    }
    command_list_unref(list);
    struct confirmation *q = xcalloc(1, sizeof *q);
    q->command = xstrdup(command);
    q->enter_is_yes = args_has(args, 'y');
    bool waits = !args_has(args, 'b');
    if (waits) {
        q->item = item;
        cmdq_on_cancel(item, confirmation_cancelled, q);
    }
    prompt_open(c, label, "", PROMPT_SINGLE, "command", confirmed, confirmation_free, q);
    free(label);
    return waits ? COMMAND_WAIT : COMMAND_OK;
}

enum command_result cmd_exec_COPY_MODE(const struct args *args, struct cmdq_item *item)
{
    const struct key_event *ev = cmdq_key_event(item);
    struct client *c = cmdq_client(item);
    struct pane *p = cmdq_target(item)->pane;
    char *cause = NULL;

    if (args_has(args, 'q')) {
        mode_pop_all(p);
        return COMMAND_OK;
    }
    if (args_has(args, 'M')) {
        if (ev == NULL || !ev->is_mouse || ev->pane == NULL || c == NULL || !c->is_attached)
            return COMMAND_OK;
        p = ev->pane;
    }
    if ((p->mode == NULL || p->mode->mode != &copy_mode) && !mode_push(p, &copy_mode, args, &cause))
        return cmd_fail(item, cause);
    if (p->mode == NULL)
        return COMMAND_OK;
    if (args_has(args, 'M') && p->mode->mode->mouse != NULL) {
        unsigned x = 0, y = 0;
        if (frame_pane_at(c, ev->x, ev->y, &x, &y) != p)
            return COMMAND_OK;
        struct msg_MOUSE m = {
            .kind = (uint8_t)ev->raw_kind,
            .button = (uint8_t)ev->raw_button,
            .x = (uint16_t)ev->x,
            .y = (uint16_t)ev->y,
            .modifiers = ev->modifiers,
        };
        p->mode->mode->mouse(p->mode, c, &m, x, y);
    }
    if (args_has(args, 'u')) {
        char *const none[] = {NULL};
        if (!p->mode->mode->command(p->mode, c, "page-up", none, 0, 1, &cause))
            return cmd_fail(item, cause);
    }
    return COMMAND_OK;
}
