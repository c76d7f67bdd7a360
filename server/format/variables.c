// Looking names up: variables, options, the environment; and the variables of the server itself.
#include "config.h"

#include "server/format/internal.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/environ.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/server.h"

#define DEAR_WORK 2000 // what a look at the kernel counts as

static char *get_host(const struct format_state *st, const char *name)
{
    (void)st;
    char host[256];
    if (gethostname(host, sizeof host) != 0)
        return NULL;
    host[sizeof host - 1] = '\0';
    if (strcmp(name, "host_short") == 0)
        host[strcspn(host, ".")] = '\0';
    return xstrdup(host);
}

static char *get_pid(const struct format_state *st, const char *name)
{
    (void)st, (void)name;
    return xasprintf("%ld", (long)getpid());
}

static char *get_socket_path(const struct format_state *st, const char *name)
{
    (void)st, (void)name;
    const char *path = server_socket_path();
    return path == NULL ? NULL : xstrdup(path);
}

static char *get_start_time(const struct format_state *st, const char *name)
{
    (void)st, (void)name;
    return xasprintf("%lld", (long long)server_start_time());
}

static char *get_uid(const struct format_state *st, const char *name)
{
    (void)st, (void)name;
    return xasprintf("%lu", (unsigned long)getuid());
}

// The user's name by the password file alone: getpwuid() may ask a name service, and the loop must
// not wait. Looked up once.
static const char *own_user(void)
{
    static char *user;
    FILE *f;
    if (user != NULL || (f = fopen("/etc/passwd", "re")) == NULL)
        return user;
    for (const struct passwd *pw; user == NULL && (pw = fgetpwent(f)) != NULL;) {
        if (pw->pw_uid == getuid())
            user = xstrdup(pw->pw_name);
    }
    fclose(f);
    if (user == NULL)
        user = xstrdup(getenv("USER") != NULL ? getenv("USER") : "");
    return user;
}

char *format_user_name(uid_t uid)
{
    const char *user = uid == getuid() ? own_user() : NULL;
    return user != NULL && *user != '\0' ? xstrdup(user) : xasprintf("%lu", (unsigned long)uid);
}

static char *get_user(const struct format_state *st, const char *name)
{
    (void)st, (void)name;
    return format_user_name(getuid());
}

static char *get_version(const struct format_state *st, const char *name)
{
    (void)st, (void)name;
    return xstrdup(PACKAGE_VERSION);
}

static char *get_marked_set(const struct format_state *st, const char *name)
{
    (void)st, (void)name;
    return format_bool(marked_pane != NULL);
}

const struct format_variable format_server_variables[] = {
    {"host", get_host, 0, "Name of this host."},
    {"host_short", get_host, 0, "Name of this host without its domain."},
    {"pane_marked_set", get_marked_set, 0, "1 if a pane is marked."},
    {"pid", get_pid, 0, "Process of the server."},
    {"socket_path", get_socket_path, 0, "Path of the server's socket."},
    {"start_time", get_start_time, 0, "When the server was started."},
    {"uid", get_uid, 0, "User id of the server."},
    {"user", get_user, 0, "User of the server."},
    {"version", get_version, 0, "Version of amux."},
    {NULL, NULL, 0, NULL},
};

// --- All tables as one, sorted; made at the first look-up, for the life of the process.

static const struct format_variable **variables;
static size_t n_variables;

static int by_name(const void *a, const void *b)
{
    const struct format_variable *const *left = a, *const *right = b;
    return strcmp((*left)->name, (*right)->name);
}

static void collect(void)
{
    const struct format_variable *const tables[] = {
        format_pane_variables,   format_window_variables, format_session_variables,
        format_client_variables, format_server_variables,
    };
    for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
        for (const struct format_variable *v = tables[i]; v->name != NULL; v++) {
            variables = xreallocarray(variables, n_variables + 1, sizeof(*variables));
            variables[n_variables++] = v;
        }
    }
    qsort(variables, n_variables, sizeof(*variables), by_name);
}

static const struct format_variable *find(const char *name)
{
    if (variables == NULL)
        collect();
    size_t low = 0, high = n_variables;
    while (low < high) {
        size_t mid = (low + high) / 2;
        int order = strcmp(variables[mid]->name, name);
        if (order == 0)
            return variables[mid];
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

const struct format_variable_doc *format_variables(void)
{
    static struct format_variable_doc *docs;
    if (docs != NULL)
        return docs;
    if (variables == NULL)
        collect();
    docs = xcalloc(n_variables + 1, sizeof *docs);
    for (size_t i = 0; i < n_variables; i++)
        docs[i] = (struct format_variable_doc){variables[i]->name, variables[i]->help};
    return docs;
}

// A text from outside, made fit: control bytes visible, and no # of it taken for a format.
static char *tame(char *value)
{
    char *visible = text_visible(value);
    free(value);
    for (char *c = visible; *c != '\0'; c++) {
        if (*c == '#')
            *c = MARK_HASH;
    }
    return visible;
}

static char *without_marks(char *value)
{
    char *to = value;
    for (const char *from = value; *from != '\0'; from++) {
        if ((unsigned char)*from < 0xfd)
            *to++ = *from;
    }
    *to = '\0';
    return value;
}

static char *option_text(const struct format_state *st, const char *name)
{
    const struct options *trees[] = {
        server_options(),
        st->ctx.pane != NULL     ? st->ctx.pane->options
        : st->ctx.window != NULL ? st->ctx.window->options
                                 : server_window_options(),
        st->ctx.session != NULL ? st->ctx.session->options : server_session_options(),
    };
    char *value = NULL;
    for (size_t i = 0; i < ARRAY_LEN(trees) && value == NULL; i++) {
        if (trees[i] != NULL)
            value = options_get_text(trees[i], name, true);
    }
    if (value == NULL || *name == '@')
        return value;
    const struct option_row *row = option_row_find(name, NULL);
    if (row != NULL && row->type == OPTION_FLAG) {
        char *number = format_bool(strcmp(value, "on") == 0);
        free(value);
        return number;
    }
    return value;
}

static char *environ_text(const struct format_state *st, const char *name)
{
    const struct environ_entry *e = NULL;
    if (st->ctx.session != NULL && st->ctx.session->environ != NULL)
        e = environ_find(st->ctx.session->environ, name);
    if (e == NULL && server_environ() != NULL)
        e = environ_find(server_environ(), name);
    return e == NULL || e->value == NULL ? NULL : xstrdup(e->value);
}

char *format_lookup(const struct format_state *st, const char *name)
{
    if (*name == '\0')
        return NULL;
    for (const struct format_extra *e = st->ctx.extra; e != NULL && e->name != NULL; e++) {
        if (strcmp(e->name, name) == 0)
            return without_marks(xstrdup(e->value == NULL ? "" : e->value));
    }
    const struct format_variable *v = find(name);
    if (v != NULL) {
        if (!format_work(st, v->flags & VARIABLE_DEAR ? DEAR_WORK : 20))
            return xstrdup("");
        char *value = v->get(st, name);
        if (value == NULL)
            return xstrdup("");
        return v->flags & VARIABLE_FOREIGN ? tame(value) : without_marks(value);
    }
    char *value = option_text(st, name);
    if (value == NULL)
        value = environ_text(st, name);
    if (value == NULL)
        return NULL;
    format_work(st, strlen(value));
    return without_marks(value);
}
