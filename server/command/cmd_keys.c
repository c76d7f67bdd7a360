// Key tables and the command table: bind-key, unbind-key, list-keys and list-commands.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "server/command/cmd_common.h"
#include "server/command/language.h"
#include "server/options/options.h"
#include "server/server.h"

static const char *table_flag(const struct args *args)
{
    if (args_has(args, 'T'))
        return args_get(args, 'T');
    return args_has(args, 'n') ? "root" : "prefix";
}

enum command_result cmd_exec_BIND_KEY(const struct args *args, struct cmdq_item *item)
{
    const char *table = table_flag(args);
    key_code key = key_from_name(args_at(args, 0));
    struct command_list *list = NULL;
    char *cause = NULL;

    if (key == KEY_UNKNOWN) {
        cmdq_error(item, "unknown key: %s", args_at(args, 0));
        return COMMAND_ERROR;
    }
    if (args_count(args) > 1 && (list = command_parse_args(args, 1, &cause)) == NULL)
        return cmd_fail(item, cause);
    key_table_bind(table, key, args_get(args, 'N'), args_has(args, 'r'), list);
    command_list_unref(list);
    return COMMAND_OK;
}

enum command_result cmd_exec_UNBIND_KEY(const struct args *args, struct cmdq_item *item)
{
    const char *name = args_at(args, 0), *table = table_flag(args);
    bool is_quiet = args_has(args, 'q');

    if (args_has(args, 'a')) {
        if (name != NULL) {
            if (is_quiet)
                return COMMAND_OK;
            cmdq_error(item, "key given with -a");
            return COMMAND_ERROR;
        }
        if (key_table_get(table, false) == NULL) {
            if (is_quiet)
                return COMMAND_OK;
            cmdq_error(item, "table %s doesn't exist", table);
            return COMMAND_ERROR;
        }
        key_table_unbind_all(table);
        return COMMAND_OK;
    }
    if (name == NULL) {
        if (is_quiet)
            return COMMAND_OK;
        cmdq_error(item, "missing key");
        return COMMAND_ERROR;
    }
    key_code key = key_from_name(name);
    if (key == KEY_UNKNOWN) {
        if (is_quiet)
            return COMMAND_OK;
        cmdq_error(item, "unknown key: %s", name);
        return COMMAND_ERROR;
    }
    if (args_has(args, 'T') && key_table_get(table, false) == NULL) {
        if (is_quiet)
            return COMMAND_OK;
        cmdq_error(item, "table %s doesn't exist", table);
        return COMMAND_ERROR;
    }
    key_table_unbind(table, key);
    return COMMAND_OK;
}

// A key as the config language needs it: what would start something else there is escaped.
static char *key_quoted(key_code key)
{
    struct strbuf out = {0};

    word_add_quoted(&out, key_to_name(key));
    return strbuf_take(&out);
}

// One line of a list under way: its columns are as wide as the widest entry in them.
struct key_row {
    const struct key_table *table;
    const struct binding *binding;
};
struct key_rows {
    struct key_row *rows;
    size_t n;
};

static void rows_add(struct key_rows *list, const struct key_table *table, const struct binding *b)
{
    list->rows = xreallocarray(list->rows, list->n + 1, sizeof *list->rows);
    list->rows[list->n++] = (struct key_row){table, b};
}

// The key of a binding without what does not tell keys apart.
static bool is_key(const struct binding *b, key_code only)
{
    return only == KEY_UNKNOWN || b->key == only;
}

static void padded(struct strbuf *out, const char *text, size_t width)
{
    size_t cols = utf8_string_width(text);

    strbuf_add_str(out, text);
    for (; cols < width; cols++)
        strbuf_add_char(out, ' ');
}

// Adds a line to `all`, which is printed at the end in one go.
static void print_line(const struct args *args, struct cmdq_item *item, const char *text,
                       struct strbuf *all)
{
    struct client *c = cmdq_client(item);

    // -1 is asked by a key: the answer is a message, not a screen full of one line.
    if (args_has(args, '1') && c != NULL && c->is_attached) {
        client_message(c, -1, "%s", text);
        return;
    }
    strbuf_add_str(all, text);
    strbuf_add_char(all, '\n');
}

static void print_all(struct cmdq_item *item, struct strbuf *all)
{
    if (all->len != 0)
        cmdq_print_bytes(item, all->data, all->len);
    strbuf_free(all);
}

static void print_commands(const struct args *args, struct cmdq_item *item,
                           const struct key_rows *list)
{
    size_t key_width = 0, table_width = 0;
    struct strbuf all = {0};
    bool any_repeats = false;

    for (size_t i = 0; i < list->n; i++) {
        char *key = key_quoted(list->rows[i].binding->key);
        key_width = MAX_OF(key_width, utf8_string_width(key));
        table_width = MAX_OF(table_width, utf8_string_width(list->rows[i].table->name));
        any_repeats |= list->rows[i].binding->repeats;
        free(key);
    }
    for (size_t i = 0; i < list->n && !(args_has(args, '1') && i == 1); i++) {
        const struct binding *b = list->rows[i].binding;
        struct strbuf line = {0};
        char *key = key_quoted(b->key);
        char *text = command_list_to_text(b->list, true);
        strbuf_add_str(&line, "bind-key ");
        if (any_repeats)
            strbuf_add_str(&line, b->repeats ? "-r " : "   ");
        strbuf_add_str(&line, "-T ");
        padded(&line, list->rows[i].table->name, table_width);
        strbuf_add_char(&line, ' ');
        padded(&line, key, key_width);
        strbuf_add_char(&line, ' ');
        strbuf_add_str(&line, text);
        print_line(args, item, line.data, &all);
        free(text);
        free(key);
        strbuf_free(&line);
    }
    print_all(item, &all);
}

static void print_notes(const struct args *args, struct cmdq_item *item,
                        const struct key_rows *list, const char *prefix)
{
    size_t key_width = 0;
    struct strbuf all = {0};

    for (size_t i = 0; i < list->n; i++)
        key_width = MAX_OF(key_width, utf8_string_width(key_to_name(list->rows[i].binding->key)));
    for (size_t i = 0; i < list->n && !(args_has(args, '1') && i == 1); i++) {
        const struct binding *b = list->rows[i].binding;
        struct strbuf line = {0};
        size_t prefix_width = utf8_string_width(prefix);
        // Keys of the root table need no prefix, but stand in line with those that do.
        bool has_prefix = args_has(args, 'T') || strcmp(list->rows[i].table->name, "root") != 0;
        padded(&line, has_prefix ? prefix : "", prefix_width);
        padded(&line, key_to_name(b->key), key_width);
        strbuf_add_char(&line, ' ');
        if (b->note != NULL && *b->note != '\0') {
            strbuf_add_str(&line, b->note);
        } else {
            char *text = command_list_to_text(b->list, true);
            strbuf_add_str(&line, text);
            free(text);
        }
        print_line(args, item, line.data, &all);
        strbuf_free(&line);
    }
    print_all(item, &all);
}

static void collect(const struct args *args, struct key_rows *list, const struct key_table *table,
                    key_code only)
{
    for (size_t i = 0; table != NULL && i < table->n; i++) {
        const struct binding *b = &table->bindings[i];
        if (b->list == NULL || !is_key(b, only))
            continue;
        if (args_has(args, 'N') && !args_has(args, 'a') && (b->note == NULL || *b->note == '\0'))
            continue;
        rows_add(list, table, b);
    }
}

enum command_result cmd_exec_LIST_KEYS(const struct args *args, struct cmdq_item *item)
{
    const char *name = args_get(args, 'T'), *key_name = args_at(args, 0);
    const struct key_table *table = NULL;
    key_code only = KEY_UNKNOWN;
    struct key_rows list = {0};

    if (key_name != NULL && (only = key_from_name(key_name)) == KEY_UNKNOWN) {
        cmdq_error(item, "invalid key: %s", key_name);
        return COMMAND_ERROR;
    }
    if (name != NULL && (table = key_table_get(name, false)) == NULL) {
        cmdq_error(item, "table %s doesn't exist", name);
        return COMMAND_ERROR;
    }
    if (table != NULL) {
        collect(args, &list, table, only);
    } else if (args_has(args, 'N')) {
        collect(args, &list, key_table_get("root", false), only);
        collect(args, &list, key_table_get("prefix", false), only);
    } else {
        while ((table = key_table_next(table)) != NULL)
            collect(args, &list, table, only);
    }
    if (args_has(args, 'N')) {
        key_code key = options_key(server_session_options(), "prefix");
        char *prefix = args_has(args, 'P') ? xstrdup(args_get(args, 'P'))
                       : key == KEY_NONE || args_has(args, 'T')
                           ? xstrdup("")
                           : xasprintf("%s ", key_to_name(key));
        print_notes(args, item, &list, prefix);
        free(prefix);
    } else {
        print_commands(args, item, &list);
    }
    free(list.rows);
    if (only != KEY_UNKNOWN && list.n == 0) {
        cmdq_error(item, "unknown key: %s", key_name);
        return COMMAND_ERROR;
    }
    return COMMAND_OK;
}

enum command_result cmd_exec_LIST_COMMANDS(const struct args *args, struct cmdq_item *item)
{
    const char *line = args_get(args, 'F'), *only = args_at(args, 0);

    if (line == NULL)
        line = "#{command_list_name}#{?command_list_alias, (#{command_list_alias}),}"
               "#{?command_list_usage, #{command_list_usage},}";
    for (size_t i = 0; i < N_COMMANDS; i++) {
        const struct command_spec *spec = &command_specs[i];
        if (only != NULL && strcmp(spec->name, only) != 0 && strcmp(spec->alias, only) != 0)
            continue;
        const struct format_extra extra[] = {
            {"command_list_name", spec->name},
            {"command_list_alias", spec->alias},
            {"command_list_usage", spec->usage},
            {NULL, NULL},
        };
        struct format_context ctx = {.client = cmdq_client(item), .extra = extra};
        cmd_print_filtered(item, &ctx, NULL, line);
    }
    return COMMAND_OK;
}
