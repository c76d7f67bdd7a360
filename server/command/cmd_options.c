// Options: set-option, set-window-option, show-options and show-window-options.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "server/command/cmd_common.h"
#include "server/options/options.h"
#include "server/server.h"

// Whose options a command means.
enum option_place { PLACE_OF_SERVER, PLACE_OF_SESSION, PLACE_OF_WINDOW, PLACE_OF_PANE };

// The tree of a place. With TARGET_QUIET an object that is not there is NULL: then the error is
// said here, and NULL returned.
static struct options *place_tree(const struct args *args, struct cmdq_item *item,
                                  enum option_place place)
{
    const struct target *t = cmdq_target(item);
    static const char *const names[] = {"server", "session", "window", "pane"};
    struct options *found = NULL;

    switch (place) {
    case PLACE_OF_SERVER:
        return server_options();
    case PLACE_OF_SESSION:
        if (args_has(args, 'g'))
            return server_session_options();
        found = t->session != NULL ? t->session->options : NULL;
        break;
    case PLACE_OF_WINDOW:
        if (args_has(args, 'g'))
            return server_window_options();
        found = t->winlink != NULL  ? t->winlink->window->options
                : t->window != NULL ? t->window->options
                                    : NULL;
        break;
    case PLACE_OF_PANE:
        found = t->pane != NULL ? t->pane->options : NULL;
        break;
    }
    if (found != NULL)
        return found;
    if (args_has(args, 't'))
        cmdq_error(item, "no such %s: %s", names[place], args_get(args, 't'));
    else
        cmdq_error(item, "no current %s", names[place]);
    return NULL;
}

// By the flags alone: user options, and lists of all options.
static enum option_place place_from_flags(const struct args *args, bool is_window)
{
    if (args_has(args, 's'))
        return PLACE_OF_SERVER;
    if (args_has(args, 'p'))
        return PLACE_OF_PANE;
    return is_window || args_has(args, 'w') ? PLACE_OF_WINDOW : PLACE_OF_SESSION;
}

// By the option: the flags choose only where the row leaves a choice.
static enum option_place place_from_row(const struct args *args, const struct option_row *row)
{
    if (row->scope & SCOPE_SERVER)
        return PLACE_OF_SERVER;
    if (row->scope & SCOPE_SESSION)
        return PLACE_OF_SESSION;
    if ((row->scope & SCOPE_PANE) && args_has(args, 'p'))
        return PLACE_OF_PANE;
    return PLACE_OF_WINDOW;
}

// An option as given, found: its full name (owned, with the index) and its place. False: *cause.
struct found_option {
    char *name;
    const struct option_row *row; // NULL: a user option
    enum option_place place;
};
static bool find_option(const struct args *args, const char *given, bool is_window,
                        struct found_option *out, char **cause)
{
    const char *index = strchr(given, '[');

    if (*given == '@') {
        *out = (struct found_option){xstrdup(given), NULL, place_from_flags(args, is_window)};
        return true;
    }
    const struct option_row *row = option_row_find(given, cause);
    if (row == NULL)
        return false;
    *out = (struct found_option){
        .name = xasprintf("%s%s", row->name, index != NULL ? index : ""),
        .row = row,
        .place = place_from_row(args, row),
    };
    return true;
}

// -U: what the window's panes have of their own goes too.
static void unset_in_panes(struct window *w, const char *name)
{
    struct pane *p;
    char *cause = NULL;

    TAILQ_FOREACH (p, &w->panes, entry) {
        if (options_has_own(p->options, name) && !options_unset(p->options, name, &cause)) {
            free(cause);
            cause = NULL;
        }
    }
}

static enum command_result set_option(const struct args *args, struct cmdq_item *item,
                                      bool is_window)
{
    bool is_quiet = args_has(args, 'q');
    struct found_option o;
    char *cause = NULL;
    char *given = cmdq_expand(item, args_at(args, 0));

    if (!find_option(args, given, is_window, &o, &cause)) {
        free(given);
        if (is_quiet) {
            free(cause);
            return COMMAND_OK;
        }
        return cmd_fail(item, cause);
    }
    free(given);
    enum command_result result = COMMAND_OK;
    struct options *tree = place_tree(args, item, o.place);
    if (tree == NULL) {
        free(o.name);
        return is_quiet ? COMMAND_OK : COMMAND_ERROR;
    }
    if (args_has(args, 'u') || args_has(args, 'U')) {
        if (args_has(args, 'U') && o.place == PLACE_OF_WINDOW && !args_has(args, 'g'))
            unset_in_panes(cmdq_target(item)->winlink->window, o.name);
        if (!options_unset(tree, o.name, &cause))
            result = cmd_fail(item, cause);
        free(o.name);
        return result;
    }
    if (args_has(args, 'o') && options_has_own(tree, o.name)) {
        if (!is_quiet) {
            cmdq_error(item, "already set: %s", o.name);
            result = COMMAND_ERROR;
        }
        free(o.name);
        return result;
    }
    char *value = args_count(args) < 2  ? NULL
                  : args_has(args, 'F') ? cmdq_expand(item, args_at(args, 1))
                                        : xstrdup(args_at(args, 1));
    if (value == NULL && o.row == NULL) {
        cmdq_error(item, "empty value");
        result = COMMAND_ERROR;
    } else if (!options_set_text(tree, o.name, value, args_has(args, 'a') ? OPTION_SET_APPEND : 0,
                                 &cause)) {
        result = cmd_fail(item, cause);
    }
    free(value);
    free(o.name);
    return result;
}

enum command_result cmd_exec_SET_OPTION(const struct args *args, struct cmdq_item *item)
{
    return set_option(args, item, false);
}

enum command_result cmd_exec_SET_WINDOW_OPTION(const struct args *args, struct cmdq_item *item)
{
    return set_option(args, item, true);
}

struct option_printer {
    const struct args *args;
    struct strbuf all; // printed at the end in one go
};

// True if a value of this option may hold anything, and so is quoted.
static bool needs_quotes(const char *name)
{
    char *cause = NULL;

    if (*name == '@')
        return true;
    const struct option_row *row = option_row_find(name, &cause);
    free(cause);
    return row == NULL || row->type == OPTION_STRING || row->type == OPTION_COMMAND ||
           row->type == OPTION_STYLE;
}

static void print_option(void *arg, const char *name, const char *value, bool is_inherited)
{
    struct option_printer *out = arg;

    if (args_has(out->args, 'v')) {
        if (value != NULL)
            strbuf_addf(&out->all, "%s\n", value);
        return;
    }
    const char *mark = is_inherited ? "*" : "";
    if (value == NULL) {
        strbuf_addf(&out->all, "%s%s\n", name, mark);
        return;
    }
    char *quoted = needs_quotes(name) ? option_value_quoted(value) : xstrdup(value);
    strbuf_addf(&out->all, "%s%s %s\n", name, mark, quoted);
    free(quoted);
}

static void print_options(struct cmdq_item *item, struct option_printer *out)
{
    if (out->all.len != 0)
        cmdq_print_bytes(item, out->all.data, out->all.len);
    strbuf_free(&out->all);
}

static enum command_result show_options(const struct args *args, struct cmdq_item *item,
                                        bool is_window)
{
    struct option_printer out = {.args = args};
    bool is_quiet = args_has(args, 'q');
    struct found_option o;
    struct options *tree;
    char *cause = NULL;

    if (args_count(args) == 0) {
        tree = place_tree(args, item, place_from_flags(args, is_window));
        if (tree == NULL)
            return is_quiet ? COMMAND_OK : COMMAND_ERROR;
        options_each(tree, args_has(args, 'A'), print_option, &out);
        print_options(item, &out);
        return COMMAND_OK;
    }
    char *given = cmdq_expand(item, args_at(args, 0));
    if (!find_option(args, given, is_window, &o, &cause)) {
        free(given);
        if (!is_quiet)
            return cmd_fail(item, cause);
        free(cause);
        return COMMAND_OK;
    }
    free(given);
    enum command_result result = COMMAND_OK;
    tree = place_tree(args, item, o.place);
    if (tree == NULL) {
        result = is_quiet ? COMMAND_OK : COMMAND_ERROR;
    } else if (!options_each_of(tree, o.name, args_has(args, 'A'), print_option, &out) &&
               o.row == NULL && !is_quiet) {
        cmdq_error(item, "invalid option: %s", o.name);
        result = COMMAND_ERROR;
    }
    print_options(item, &out);
    free(o.name);
    return result;
}

enum command_result cmd_exec_SHOW_OPTIONS(const struct args *args, struct cmdq_item *item)
{
    return show_options(args, item, false);
}

enum command_result cmd_exec_SHOW_WINDOW_OPTIONS(const struct args *args, struct cmdq_item *item)
{
    return show_options(args, item, true);
}
