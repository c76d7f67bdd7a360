// source-file: the commands of files, one after another.
#include "config.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "server/command/cmd_common.h"

// What standard input may hold of commands.
#define STDIN_MAX_BYTES ((size_t)4 << 20)

struct sourcing {
    struct cmdq_item *item; // NULL: its queue died first
    char **paths;           // NULL-terminated
    size_t at;
    unsigned flags;
    bool has_failed;
    struct strbuf input; // of "-"
    bool is_too_large;
};

static void sourcing_free(struct sourcing *s)
{
    strv_free(s->paths);
    strbuf_free(&s->input);
    free(s);
}

static void sourcing_cancelled(void *arg)
{
    struct sourcing *s = arg;

    s->item = NULL;
}

static void next_file(struct sourcing *s);

static void file_done(void *arg, int code)
{
    struct sourcing *s = arg;

    if (code != 0)
        s->has_failed = true;
    s->at++;
    next_file(s);
}

static void stdin_error(void *arg, const char *text)
{
    struct sourcing *s = arg;

    s->has_failed = true;
    if (s->item != NULL)
        cmdq_error(s->item, "%s", text);
}

static void stdin_data(struct client *c, const void *data, size_t len, bool is_end, void *arg)
{
    struct sourcing *s = arg;

    (void)c;
    if (s->input.len + len > STDIN_MAX_BYTES) {
        s->is_too_large = true;
        strbuf_clear(&s->input);
    } else if (!s->is_too_large && len != 0) {
        strbuf_add(&s->input, data, len);
    }
    if (!is_end)
        return;
    if (s->is_too_large) {
        stdin_error(s, "-: input is too large");
    } else if (s->item != NULL && s->input.len != 0) {
        struct parse_input in = {.file = "-"};
        struct command_list *list = command_parse_config(s->input.data, &in, stdin_error, s);
        if (list != NULL && !(s->flags & SOURCE_PARSE_ONLY))
            cmdq_insert_after(s->item, list, cmdq_flags(s->item));
        command_list_unref(list);
    }
    s->at++;
    next_file(s);
}

static void next_file(struct sourcing *s)
{
    struct cmdq_item *item = s->item;

    if (item == NULL) {
        sourcing_free(s);
        return;
    }
    const char *path = s->paths[s->at];
    if (path == NULL) {
        bool has_failed = s->has_failed;
        sourcing_free(s);
        cmdq_continue(item, has_failed ? COMMAND_ERROR : COMMAND_OK);
        return;
    }
    struct client *c = cmdq_client(item);
    if (strcmp(path, "-") != 0) {
        source_file_request(path, item, s->flags, file_done, s);
    } else if (c != NULL && !c->is_attached) {
        client_read_stdin(c, stdin_data, s);
    } else {
        cmdq_error(item, "-: no standard input to read");
        file_done(s, 1);
    }
}

// A pattern below `dir`, whose own special characters mean themselves. Owned.
static char *pattern_below(const char *dir, const char *pattern)
{
    struct strbuf out = {0};

    if (*pattern == '/')
        return xstrdup(pattern);
    for (const char *s = dir; *s != '\0'; s++) {
        if (strchr("\\*?[", *s) != NULL)
            strbuf_add_char(&out, '\\');
        strbuf_add_char(&out, *s);
    }
    strbuf_add_char(&out, '/');
    strbuf_add_str(&out, pattern);
    return strbuf_take(&out);
}

// Adds the files that one argument names. False: none, and the error was said.
static bool add_paths(const struct args *args, struct cmdq_item *item, const char *path,
                      struct strbuf *list)
{
    glob_t found;

    if (strcmp(path, "-") == 0) {
        strbuf_add(list, path, strlen(path) + 1);
        return true;
    }
    char *pattern = pattern_below(cmd_client_dir(item, NULL), path);
    int result = glob(pattern, 0, NULL, &found);
    free(pattern);
    if (result != 0) {
        int error = result == GLOB_NOMATCH ? ENOENT : result == GLOB_NOSPACE ? ENOMEM : EINVAL;
        if (args_has(args, 'q') && error == ENOENT)
            return true;
        cmdq_error(item, "%s: %s", path, strerror(error));
        return false;
    }
    for (size_t i = 0; i < found.gl_pathc; i++)
        strbuf_add(list, found.gl_pathv[i], strlen(found.gl_pathv[i]) + 1);
    globfree(&found);
    return true;
}

enum command_result cmd_exec_SOURCE_FILE(const struct args *args, struct cmdq_item *item)
{
    struct strbuf list = {0}; // NUL between paths
    bool has_failed = false;

    for (size_t i = 0; i < args_count(args); i++) {
        char *path =
            args_has(args, 'F') ? cmdq_expand(item, args_at(args, i)) : xstrdup(args_at(args, i));
        if (!add_paths(args, item, path, &list))
            has_failed = true;
        free(path);
    }
    struct sourcing *s = xcalloc(1, sizeof *s);
    size_t n = 0;
    for (size_t at = 0; at < list.len; at += strlen(list.data + at) + 1) {
        s->paths = xreallocarray(s->paths, n + 2, sizeof *s->paths);
        s->paths[n++] = xstrdup(list.data + at);
    }
    strbuf_free(&list);
    if (n == 0) {
        free(s);
        return has_failed ? COMMAND_ERROR : COMMAND_OK;
    }
    s->paths[n] = NULL;
    s->item = item;
    s->has_failed = has_failed;
    s->flags = cmdq_flags(item) | (args_has(args, 'n') ? SOURCE_PARSE_ONLY : 0) |
               (args_has(args, 'v') ? SOURCE_VERBOSE : 0);
    cmdq_on_cancel(item, sourcing_cancelled, s);
    next_file(s);
    return COMMAND_WAIT;
}
