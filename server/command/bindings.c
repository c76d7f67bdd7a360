// Key tables: which key runs which commands.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "server/command/command.h"
#include "server/command/language.h"

// Sorted by name. A table stays as long as it has bindings or a client uses it.
static struct key_table **tables;
static size_t n_tables;

static size_t table_place(const char *name, bool *is_there)
{
    size_t low = 0, high = n_tables;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(tables[middle]->name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *is_there = low < n_tables && strcmp(tables[low]->name, name) == 0;
    return low;
}

struct key_table *key_table_get(const char *name, bool create)
{
    bool is_there;
    size_t at = table_place(name, &is_there);

    if (is_there)
        return tables[at];
    if (!create)
        return NULL;
    struct key_table *t = xcalloc(1, sizeof *t);
    t->name = xstrdup(name);
    t->refs = 1; // the list's own
    tables = xreallocarray(tables, n_tables + 1, sizeof *tables);
    memmove(tables + at + 1, tables + at, (n_tables - at) * sizeof *tables);
    tables[at] = t;
    n_tables++;
    return t;
}

static void binding_clear(struct binding *b)
{
    command_list_unref(b->list);
    free(b->note);
}

void key_table_unref(struct key_table *t)
{
    if (t == NULL || --t->refs > 0)
        return;
    for (size_t i = 0; i < t->n; i++)
        binding_clear(&t->bindings[i]);
    free(t->bindings);
    free(t->name);
    free(t);
}

const struct key_table *key_table_next(const struct key_table *prev)
{
    bool is_there;
    size_t at = 0;

    if (prev != NULL) {
        at = table_place(prev->name, &is_there);
        at += is_there;
    }
    return at < n_tables ? tables[at] : NULL;
}

static size_t binding_place(const struct key_table *t, key_code key, bool *is_there)
{
    size_t low = 0, high = t->n;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (t->bindings[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    *is_there = low < t->n && t->bindings[low].key == key;
    return low;
}

// What a key is bound as, however it was pressed: the keypad's keys have names of their own.
static key_code bound_form(key_code key)
{
    return key & (KEY_MASK | KEY_MODIFIERS);
}

const struct binding *key_table_find(const struct key_table *t, key_code key)
{
    bool is_there;
    size_t at = binding_place(t, bound_form(key), &is_there);

    return is_there ? &t->bindings[at] : NULL;
}

void key_table_bind(const char *table, key_code key, const char *note, bool repeats, struct command_list *list)
{
    struct key_table *t = key_table_get(table, true);
    bool is_there;
    size_t at = binding_place(t, bound_form(key), &is_there);

    if (is_there) {
        binding_clear(&t->bindings[at]);
    } else {
        t->bindings = xreallocarray(t->bindings, t->n + 1, sizeof *t->bindings);
        memmove(t->bindings + at + 1, t->bindings + at, (t->n - at) * sizeof *t->bindings);
        t->n++;
    }
    t->bindings[at] = (struct binding){
        .key = bound_form(key),
        // A key may be bound to nothing: it is then taken and does nothing.
        .list = list == NULL ? command_parse_text("", NULL, NULL) : command_list_ref(list),
        .note = note == NULL ? NULL : xstrdup(note),
        .repeats = repeats,
    };
}

static void table_drop_if_empty(size_t at)
{
    struct key_table *t = tables[at];

    if (t->n > 0 || t->refs > 1) // a client in it must see what is bound later
        return;
    memmove(tables + at, tables + at + 1, (n_tables - at - 1) * sizeof *tables);
    n_tables--;
    key_table_unref(t);
}

bool key_table_unbind(const char *table, key_code key)
{
    bool is_there;
    size_t table_at = table_place(table, &is_there);

    if (!is_there)
        return false;
    struct key_table *t = tables[table_at];
    size_t at = binding_place(t, bound_form(key), &is_there);
    if (!is_there)
        return false;
    binding_clear(&t->bindings[at]);
    memmove(t->bindings + at, t->bindings + at + 1, (t->n - at - 1) * sizeof *t->bindings);
    t->n--;
    table_drop_if_empty(table_at);
    return true;
}

void key_table_unbind_all(const char *table)
{
    bool is_there;
    size_t at = table_place(table, &is_there);

    if (!is_there)
        return;
    struct key_table *t = tables[at];
    for (size_t i = 0; i < t->n; i++)
        binding_clear(&t->bindings[i]);
    t->n = 0;
    table_drop_if_empty(at);
}

void bindings_init(void)
{
    // They exist even when everything in them is unbound: clients are put into them.
    key_table_get("root", true)->refs++;
    key_table_get("prefix", true)->refs++;
    for (const struct default_key *d = default_keys; d->table != NULL; d++) {
        char *cause = NULL;
        key_code key = key_from_name(d->key);
        struct command_list *list = command_parse_text(d->command, NULL, &cause);
        if (key == KEY_UNKNOWN || list == NULL)
            fatal("default key %s: %s", d->key, cause == NULL ? "unknown key" : cause);
        key_table_bind(d->table, key, d->note, d->repeats, list);
        command_list_unref(list);
    }
}
