// Variables of clients.
#include "server/format/internal.h"

#include <stdlib.h>
#include <string.h>

#include "server/command/command.h"
#include "server/model/client.h"
#include "server/model/model.h"
#include "server/options/options.h"

static char *number(unsigned long long n)
{
    return xasprintf("%llu", n);
}

static char *copy(const char *s)
{
    return s == NULL ? NULL : xstrdup(s);
}

#define CLIENT(st, c)                           \
    const struct client *c = (st)->ctx.client; \
    (void)name;                                 \
    if (c == NULL)                              \
        return NULL

static char *get_time(const struct format_state *st, const char *name)
{
    CLIENT(st, c);
    int64_t us = strcmp(name, "client_created") == 0 ? c->created_us : c->activity_us;
    return us <= 0 ? NULL : xasprintf("%lld", (long long)(us / 1000000));
}

static char *get_size(const struct format_state *st, const char *name)
{
    CLIENT(st, c);
    if (strcmp(name, "client_width") == 0)
        return number(c->cols);
    if (strcmp(name, "client_height") == 0)
        return number(c->rows);
    if (strcmp(name, "client_cell_width") == 0)
        return number(c->cols == 0 ? 0 : c->xpixel / c->cols);
    return number(c->rows == 0 ? 0 : c->ypixel / c->rows);
}

static char *get_bytes(const struct format_state *st, const char *name)
{
    CLIENT(st, c);
    bool is_written = strcmp(name, "client_written") == 0;
    return number(is_written ? c->bytes_written : c->bytes_discarded);
}

static char *get_flags(const struct format_state *st, const char *name)
{
    CLIENT(st, c);
    struct strbuf b = {0};
    const struct {
        const char *word;
        bool is_on;
    } flags[] = {
        {"attached", c->is_attached},       {"focused", c->is_focused},
        {"ignore-size", c->ignores_size},   {"read-only", c->is_read_only},
        {"suspended", c->is_suspended},     {"UTF-8", c->hello_flags & HELLO_UTF8},
    };
    for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
        if (flags[i].is_on)
            strbuf_addf(&b, "%s%s", b.len > 0 ? "," : "", flags[i].word);
    }
    return strbuf_take(&b);
}

static const char *default_table(const struct client *c)
{
    return c->session != NULL && c->session->options != NULL
               ? options_string(c->session->options, "key-table")
               : "root";
}

static char *get_key_table(const struct format_state *st, const char *name)
{
    CLIENT(st, c);
    const char *table = c->key_table != NULL ? c->key_table->name : default_table(c);
    if (strcmp(name, "client_prefix") == 0)
        return format_bool(strcmp(table, default_table(c)) != 0);
    return xstrdup(table);
}

static char *get_flag(const struct format_state *st, const char *name)
{
    CLIENT(st, c);
    if (strcmp(name, "client_control_mode") == 0)
        return format_bool(c->hello_flags & HELLO_CONTROL);
    if (strcmp(name, "client_readonly") == 0)
        return format_bool(c->is_read_only);
    return format_bool(c->hello_flags & HELLO_UTF8);
}

static char *get_session(const struct format_state *st, const char *name)
{
    CLIENT(st, c);
    const struct session *s =
        strcmp(name, "client_session") == 0 ? c->session : c->last_session;
    return s == NULL ? NULL : xstrdup(s->name);
}

static char *get_name(const struct format_state *st, const char *name)
{
    CLIENT(st, c);
    return copy(c->name);
}

static char *get_pid(const struct format_state *st, const char *name)
{
    CLIENT(st, c);
    return xasprintf("%ld", (long)c->pid);
}

static char *get_terminal(const struct format_state *st, const char *name)
{
    CLIENT(st, c);
    if (strcmp(name, "client_termname") == 0)
        return copy(c->term);
    if (strcmp(name, "client_termtype") == 0)
        return copy(c->terminal_name);
    return copy(c->tty);
}

static char *get_uid(const struct format_state *st, const char *name)
{
    CLIENT(st, c);
    return number(c->uid);
}

static char *get_user(const struct format_state *st, const char *name)
{
    CLIENT(st, c);
    return format_user_name(c->uid);
}

#define F VARIABLE_FOREIGN
const struct format_variable format_client_variables[] = {
    {"client_activity", get_time, 0, "When the client last typed."},
    {"client_cell_height", get_size, 0, "Height of a cell in pixels."},
    {"client_cell_width", get_size, 0, "Width of a cell in pixels."},
    {"client_control_mode", get_flag, 0, "1 if the client is in control mode."},
    {"client_created", get_time, 0, "When the client connected."},
    {"client_discarded", get_bytes, 0, "Bytes not sent because the client was behind."},
    {"client_flags", get_flags, 0, "Flags of the client."},
    {"client_height", get_size, 0, "Rows of the client's terminal."},
    {"client_key_table", get_key_table, 0, "Key table that the next key is looked up in."},
    {"client_last_session", get_session, F, "Session that the client showed before."},
    {"client_name", get_name, F, "Name of the client."},
    {"client_pid", get_pid, 0, "Process of the client."},
    {"client_prefix", get_key_table, 0, "1 if the prefix was pressed."},
    {"client_readonly", get_flag, 0, "1 if the client may only look."},
    {"client_session", get_session, F, "Session that the client shows."},
    {"client_termname", get_terminal, F, "TERM of the client."},
    {"client_termtype", get_terminal, F, "What the client's terminal calls itself."},
    {"client_tty", get_terminal, F, "Terminal device of the client."},
    {"client_uid", get_uid, 0, "User id of the client."},
    {"client_user", get_user, 0, "User of the client."},
    {"client_utf8", get_flag, 0, "1 if the client's terminal takes UTF-8."},
    {"client_width", get_size, 0, "Columns of the client's terminal."},
    {"client_written", get_bytes, 0, "Bytes sent to the client."},
    {NULL, NULL, 0, NULL},
};
