// Trees of option values: looking up with inheritance, checked setting, listing.
#include "server/options/options.h"

#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "common/style.h"
#include "server/options/value.h"

struct user_option {
    char *name;
    char *text;
};
struct options {
    struct options *parent;
    unsigned default_scope;       // of options_set_defaults; 0: none
    struct option_value **values; // by row; NULL until one is set here
    struct user_option *user;     // by name
    size_t n_user;
};

static void (*change_fn)(struct options *o, const char *name);

void options_on_change(void (*fn)(struct options *o, const char *name))
{
    change_fn = fn;
}

static void say_changed(struct options *o, const char *name)
{
    if (change_fn != NULL)
        change_fn(o, name);
}

// --- Rows by name. Hot paths ask by name, so this is an open-addressed table, made once.

#define ROW_SLOTS 1024u
static uint16_t row_slots[ROW_SLOTS]; // row + 1; 0: free
static bool has_row_slots;

static unsigned name_hash(const char *name, size_t len)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)name[i]) * 16777619u;
    return (h ^ (h >> 15)) & (ROW_SLOTS - 1);
}

static void row_slots_fill(void)
{
    for (size_t i = 0; i < n_option_rows; i++) {
        unsigned slot = name_hash(option_rows[i].name, strlen(option_rows[i].name));
        while (row_slots[slot] != 0)
            slot = (slot + 1) & (ROW_SLOTS - 1);
        row_slots[slot] = (uint16_t)(i + 1);
    }
    has_row_slots = true;
}

// The row of exactly this name, or -1.
static int row_by_name(const char *name, size_t len)
{
    if (!has_row_slots)
        row_slots_fill();
    for (unsigned slot = name_hash(name, len); row_slots[slot] != 0;
         slot = (slot + 1) & (ROW_SLOTS - 1)) {
        const char *row = option_rows[row_slots[slot] - 1].name;
        if (strncmp(row, name, len) == 0 && row[len] == '\0')
            return row_slots[slot] - 1;
    }
    return -1;
}

// Callers mostly ask with the same literals: where a text stands is a good guess which row it
// names, and one comparison makes it sure.
static struct {
    const char *name;
    size_t row;
} guesses[256];

static size_t row_must(const char *name)
{
    uintptr_t place = (uintptr_t)name;
    size_t slot = (place ^ (place >> 8)) % ARRAY_LEN(guesses);
    if (guesses[slot].name == name && strcmp(option_rows[guesses[slot].row].name, name) == 0)
        return guesses[slot].row;
    int row = row_by_name(name, strlen(name));
    if (row < 0)
        fatal("no option is called %s", name);
    guesses[slot].name = name;
    guesses[slot].row = (size_t)row;
    return (size_t)row;
}

// Splits "name[2]". *index is -1 without one. False if the brackets are wrong.
static bool name_split(const char *name, size_t *len, int *index)
{
    const char *open = strchr(name, '[');
    *index = -1;
    *len = strlen(name);
    if (open == NULL)
        return true;
    *len = (size_t)(open - name);
    char *end;
    if (open[1] < '0' || open[1] > '9')
        return false;
    unsigned long n = strtoul(open + 1, &end, 10);
    if (n > OPTION_INDEX_MAX || strcmp(end, "]") != 0)
        return false;
    *index = (int)n;
    return true;
}

// The row of a name or unique prefix. -1: *is_ambiguous tells why.
static int row_match(const char *name, size_t len, bool *is_ambiguous)
{
    *is_ambiguous = false;
    int found = row_by_name(name, len);
    if (found >= 0)
        return found;
    for (size_t i = 0; i < n_option_rows; i++) {
        if (strncmp(option_rows[i].name, name, len) != 0)
            continue;
        if (found >= 0) {
            *is_ambiguous = true;
            return -1;
        }
        found = (int)i;
    }
    if (found >= 0)
        return found;
    // American spelling: -color and -colors.
    char other[64];
    for (size_t i = 0; i + 6 <= len && len < sizeof other - 1; i++) {
        if (strncmp(name + i, "-color", 6) != 0)
            continue;
        memcpy(other, name, i + 5);
        other[i + 5] = 'u';
        memcpy(other + i + 6, name + i + 5, len - i - 5);
        return row_by_name(other, len + 1);
    }
    return -1;
}

// Row and index of a name as a person gives it; -1 with a cause.
static int row_parse(const char *name, int *index, char **cause)
{
    size_t len;
    bool is_ambiguous = true;
    int row = -1;
    if (name_split(name, &len, index))
        row = row_match(name, len, &is_ambiguous);
    if (row < 0 && cause != NULL)
        *cause = xasprintf("%s option: %s", is_ambiguous ? "ambiguous" : "invalid", name);
    return row;
}

const struct option_row *option_row_find(const char *name, char **cause)
{
    int index;
    int row = row_parse(name, &index, cause);
    return row < 0 ? NULL : &option_rows[row];
}

// --- Trees

struct options *options_new(struct options *parent)
{
    struct options *o = xcalloc(1, sizeof *o);
    o->parent = parent;
    return o;
}

void options_free(struct options *o)
{
    if (o == NULL)
        return;
    for (size_t i = 0; o->values != NULL && i < n_option_rows; i++)
        option_value_free(o->values[i]);
    free(o->values);
    for (size_t i = 0; i < o->n_user; i++) {
        free(o->user[i].name);
        free(o->user[i].text);
    }
    free(o->user);
    free(o);
}

struct options *options_parent(const struct options *o)
{
    return o->parent;
}

void options_set_parent(struct options *o, struct options *parent)
{
    o->parent = parent;
}

static struct option_value *own_value(const struct options *o, size_t row)
{
    return o->values == NULL ? NULL : o->values[row];
}

// Puts `v` (owned from now on; NULL removes) in the row's place.
static void own_set(struct options *o, size_t row, struct option_value *v)
{
    if (o->values == NULL)
        o->values = xcalloc(n_option_rows, sizeof(struct option_value *));
    option_value_free(o->values[row]);
    o->values[row] = v;
}

void options_set_defaults(struct options *o, enum option_scope scope)
{
    o->default_scope = scope;
    for (size_t i = 0; i < n_option_rows; i++) {
        if (option_rows[i].scope & scope)
            own_set(o, i, option_default_make(i));
    }
}

static const struct option_value *find_value(const struct options *o, size_t row)
{
    for (; o != NULL; o = o->parent) {
        if (o->values != NULL && o->values[row] != NULL)
            return o->values[row];
    }
    return option_default(row);
}

// The user option, or where it would be inserted.
static size_t user_place(const struct options *o, const char *name, bool *is_there)
{
    size_t low = 0, high = o->n_user;
    *is_there = false;
    while (low < high) {
        size_t mid = (low + high) / 2;
        int order = strcmp(o->user[mid].name, name);
        if (order == 0) {
            *is_there = true;
            return mid;
        }
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static const char *user_text(const struct options *o, const char *name)
{
    bool is_there;
    size_t i = user_place(o, name, &is_there);
    return is_there ? o->user[i].text : NULL;
}

static void user_set(struct options *o, const char *name, char *text)
{
    bool is_there;
    size_t i = user_place(o, name, &is_there);
    if (is_there) {
        free(o->user[i].text);
        o->user[i].text = text;
        return;
    }
    o->user = xreallocarray(o->user, o->n_user + 1, sizeof *o->user);
    memmove(o->user + i + 1, o->user + i, (o->n_user - i) * sizeof *o->user);
    o->n_user++;
    o->user[i] = (struct user_option){xstrdup(name), text};
}

static void user_remove(struct options *o, const char *name)
{
    bool is_there;
    size_t i = user_place(o, name, &is_there);
    if (!is_there)
        return;
    free(o->user[i].name);
    free(o->user[i].text);
    o->n_user--;
    memmove(o->user + i, o->user + i + 1, (o->n_user - i) * sizeof *o->user);
}

// --- Reading

const char *options_string(const struct options *o, const char *name)
{
    const struct option_value *v = find_value(o, row_must(name));
    return v->text == NULL ? "" : v->text;
}

long long options_number(const struct options *o, const char *name)
{
    return find_value(o, row_must(name))->number;
}

key_code options_key(const struct options *o, const char *name)
{
    return find_value(o, row_must(name))->key;
}

size_t options_array_len(const struct options *o, const char *name)
{
    return find_value(o, row_must(name))->n_items;
}

const char *options_array_at(const struct options *o, const char *name, size_t n, unsigned *index)
{
    const struct option_value *v = find_value(o, row_must(name));
    if (n >= v->n_items)
        return NULL;
    if (index != NULL)
        *index = v->items[n].index;
    return v->items[n].text;
}

static char *value_text(const struct option_row *row, const struct option_value *v, int index)
{
    if (!row->is_array)
        return index < 0 ? xstrdup(v->text) : NULL;
    if (index >= 0) {
        const char *text = option_item_text(v, (unsigned)index);
        return text == NULL ? NULL : xstrdup(text);
    }
    struct strbuf b = {0};
    for (size_t i = 0; i < v->n_items; i++) {
        if (i > 0)
            strbuf_add_char(&b, ' ');
        strbuf_add_str(&b, v->items[i].text);
    }
    return strbuf_take(&b);
}

char *options_get_text(const struct options *o, const char *name, bool inherit)
{
    if (*name == '@') {
        for (; o != NULL; o = inherit ? o->parent : NULL) {
            const char *text = user_text(o, name);
            if (text != NULL)
                return xstrdup(text);
        }
        return NULL;
    }
    size_t len;
    int index;
    if (!name_split(name, &len, &index))
        return NULL;
    int row = row_by_name(name, len);
    if (row < 0)
        return NULL;
    for (; o != NULL; o = inherit ? o->parent : NULL) {
        const struct option_value *v = own_value(o, (size_t)row);
        if (v != NULL)
            return value_text(&option_rows[row], v, index);
    }
    return NULL;
}

bool options_has_own(const struct options *o, const char *name)
{
    if (*name == '@')
        return user_text(o, name) != NULL;
    int index;
    int row = row_parse(name, &index, NULL);
    if (row < 0)
        return false;
    const struct option_value *v = own_value(o, (size_t)row);
    return v != NULL && (index < 0 || option_item_text(v, (unsigned)index) != NULL);
}

// --- Setting

static bool user_set_text(struct options *o, const char *name, const char *value, unsigned flags,
                          char **cause)
{
    const char *old = user_text(o, name);
    if (strchr(name, '[') != NULL)
        *cause = xasprintf("not an array: %s", name);
    else if (old != NULL && (flags & OPTION_SET_ONLY_IF_UNSET))
        *cause = xasprintf("already set: %s", name);
    else if (value == NULL)
        *cause = xstrdup("empty value");
    else {
        bool appends = old != NULL && (flags & OPTION_SET_APPEND);
        user_set(o, name, xasprintf("%s%s", appends ? old : "", value));
        say_changed(o, name);
        return true;
    }
    return false;
}

static bool array_set_text(struct options *o, size_t row, int index, const char *value,
                           unsigned flags, char **cause)
{
    const struct option_row *r = &option_rows[row];
    const struct option_value *old = own_value(o, row);
    bool appends = flags & OPTION_SET_APPEND;
    struct option_value *v;
    if (old != NULL && (index >= 0 || appends))
        v = option_value_copy(old);
    else
        v = xcalloc(1, sizeof *v);

    bool ok;
    if (index >= 0) {
        const char *before = appends ? option_item_text(v, (unsigned)index) : NULL;
        char *text = xasprintf("%s%s", before == NULL ? "" : before, value);
        struct option_value checked;
        ok = option_value_check(r, text, &checked, cause);
        if (ok) {
            option_item_set(v, (unsigned)index, checked.text);
            free(checked.text);
        }
        free(text);
    } else {
        ok = option_items_assign(r, v, value, cause);
    }
    if (!ok) {
        option_value_free(v);
        return false;
    }
    own_set(o, row, v);
    return true;
}

// What value NULL means: the other state, as text, or NULL if the type has none.
static const char *toggled(const struct options *o, size_t row)
{
    const struct option_row *r = &option_rows[row];
    long long now = find_value(o, row)->number;
    if (r->type == OPTION_FLAG)
        return now ? "off" : "on";
    if (r->type == OPTION_CHOICE)
        return r->choices[now < 2 ? !now : now];
    return NULL;
}

static char *appended(const struct options *o, size_t row, const char *value)
{
    const struct option_row *r = &option_rows[row];
    if (r->type != OPTION_STRING && r->type != OPTION_STYLE && r->type != OPTION_COMMAND)
        return xstrdup(value);
    const char *old = find_value(o, row)->text;
    bool is_separated = r->separator != NULL && *old != '\0' && *value != '\0';
    return xasprintf("%s%s%s", old, is_separated ? r->separator : "", value);
}

bool options_set_text(struct options *o, const char *name, const char *value, unsigned flags,
                      char **cause)
{
    if (*name == '@')
        return user_set_text(o, name, value, flags, cause);
    int index;
    int found = row_parse(name, &index, cause);
    if (found < 0)
        return false;
    size_t row = (size_t)found;
    const struct option_row *r = &option_rows[row];

    if (index >= 0 && !r->is_array) {
        *cause = xasprintf("not an array: %s", name);
        return false;
    }
    if ((flags & OPTION_SET_ONLY_IF_UNSET) && options_has_own(o, name)) {
        *cause = xasprintf("already set: %s", name);
        return false;
    }
    if (value == NULL)
        value = r->is_array ? NULL : toggled(o, row);
    if (value == NULL) {
        *cause = xstrdup("empty value");
        return false;
    }
    if (r->is_array) {
        if (!array_set_text(o, row, index, value, flags, cause))
            return false;
    } else {
        char *text = flags & OPTION_SET_APPEND ? appended(o, row, value) : xstrdup(value);
        struct option_value v;
        bool ok = option_value_check(r, text, &v, cause);
        free(text);
        if (!ok)
            return false;
        own_set(o, row, xmemdup(&v, sizeof v));
    }
    say_changed(o, r->name);
    return true;
}

bool options_unset(struct options *o, const char *name, char **cause)
{
    if (*name == '@') {
        user_remove(o, name);
        say_changed(o, name);
        return true;
    }
    int index;
    int found = row_parse(name, &index, cause);
    if (found < 0)
        return false;
    size_t row = (size_t)found;
    const struct option_row *r = &option_rows[row];
    struct option_value *v = own_value(o, row);
    if (index >= 0 && !r->is_array) {
        *cause = xasprintf("not an array: %s", name);
        return false;
    }
    if (v == NULL)
        return true;
    if (index >= 0)
        option_item_remove(v, (unsigned)index);
    else
        own_set(o, row, r->scope & o->default_scope ? option_default_make(row) : NULL);
    say_changed(o, r->name);
    return true;
}

void options_set_number(struct options *o, const char *name, long long value)
{
    size_t row = row_must(name);
    const struct option_row *r = &option_rows[row];
    struct option_value v = {.number = value};
    if (r->type == OPTION_FLAG) {
        v.number = value != 0;
        v.text = xstrdup(value != 0 ? "on" : "off");
    } else if (r->type == OPTION_CHOICE) {
        long long n = 0;
        while (r->choices[n] != NULL)
            n++;
        if (value < 0 || value >= n)
            v.number = 0;
        v.text = xstrdup(r->choices[v.number]);
    } else if (r->type == OPTION_COLOUR) {
        v.text = xstrdup(value < 0 ? "none" : colour_to_name((colour_t)value));
    } else {
        v.text = xasprintf("%lld", value);
    }
    own_set(o, row, xmemdup(&v, sizeof v));
    say_changed(o, r->name);
}

void options_set_string(struct options *o, const char *name, const char *value)
{
    char *cause = NULL;
    if (!options_set_text(o, name, value, 0, &cause)) {
        log_debug("option %s: %s", name, cause);
        free(cause);
    }
}

// --- Listing

static void each_value(const struct option_row *row, const struct option_value *v, int index,
                       bool is_inherited, options_each_fn fn, void *arg)
{
    if (!row->is_array) {
        fn(arg, row->name, v->text, is_inherited);
        return;
    }
    if (v->n_items == 0)
        fn(arg, row->name, NULL, is_inherited);
    for (size_t i = 0; i < v->n_items; i++) {
        if (index >= 0 && v->items[i].index != (unsigned)index)
            continue;
        char *name = xasprintf("%s[%u]", row->name, v->items[i].index);
        fn(arg, name, v->items[i].text, is_inherited);
        free(name);
    }
}

// The user option's nearest holder is `o` itself or an ancestor of it: all names of the chain in
// order, each once.
static void each_user(const struct options *o, bool with_inherited, options_each_fn fn, void *arg)
{
    const char *last = "";
    for (;;) {
        const struct user_option *next = NULL;
        const struct options *holder = NULL;
        for (const struct options *at = o; at != NULL; at = with_inherited ? at->parent : NULL) {
            bool is_there;
            size_t i = user_place(at, last, &is_there);
            if (is_there)
                i++;
            if (i < at->n_user && (next == NULL || strcmp(at->user[i].name, next->name) < 0)) {
                next = &at->user[i];
                holder = at;
            }
        }
        if (next == NULL)
            return;
        fn(arg, next->name, next->text, holder != o);
        last = next->name;
    }
}

void options_each(const struct options *o, bool with_inherited, options_each_fn fn, void *arg)
{
    each_user(o, with_inherited, fn, arg);
    for (size_t i = 0; i < n_option_rows; i++) {
        for (const struct options *at = o; at != NULL; at = with_inherited ? at->parent : NULL) {
            const struct option_value *v = own_value(at, i);
            if (v == NULL)
                continue;
            each_value(&option_rows[i], v, -1, at != o, fn, arg);
            break;
        }
    }
}

bool options_each_of(const struct options *o, const char *name, bool with_inherited,
                     options_each_fn fn, void *arg)
{
    size_t len = 0;
    int index = -1;
    int row = -1;
    if (*name != '@' && name_split(name, &len, &index))
        row = row_by_name(name, len);
    if (*name != '@' && (row < 0 || (index >= 0 && !option_rows[row].is_array)))
        return false;
    for (const struct options *at = o; at != NULL; at = with_inherited ? at->parent : NULL) {
        if (*name == '@') {
            const char *text = user_text(at, name);
            if (text == NULL)
                continue;
            fn(arg, name, text, at != o);
            return true;
        }
        const struct option_value *v = own_value(at, (size_t)row);
        if (v == NULL)
            continue;
        if (index >= 0 && option_item_text(v, (unsigned)index) == NULL)
            return false;
        each_value(&option_rows[row], v, index, at != o, fn, arg);
        return true;
    }
    return false;
}

// Escapes as the config language reads them back: \ooo, C's letters, and inside double quotes
// also " and a $ that would name a variable.
static void add_escaped(struct strbuf *b, const char *value, bool in_double_quotes)
{
    for (const char *s = value; *s != '\0'; s++) {
        unsigned char c = (unsigned char)*s;
        const char *letter;
        if (c == '\\')
            strbuf_add_str(b, "\\\\");
        else if (c < 0x20 && (letter = strchr("\aa\bb\tt\nn\vv\ff\rr", c)) != NULL && c != 0)
            strbuf_addf(b, "\\%c", letter[1]);
        else if (c < 0x20 || c == 0x7f)
            strbuf_addf(b, "\\%03o", c);
        else if (in_double_quotes && c == '"')
            strbuf_add_str(b, "\\\"");
        else if (in_double_quotes && c == '$' &&
                 (s[1] == '_' || s[1] == '{' || (s[1] >= 'a' && s[1] <= 'z') ||
                  (s[1] >= 'A' && s[1] <= 'Z')))
            strbuf_add_str(b, "\\$");
        else
            strbuf_add_char(b, (char)c);
    }
}

char *option_value_quoted(const char *value)
{
    struct strbuf b = {0};
    if (*value == '\0')
        return xstrdup("''");
    bool wants_double = value[strcspn(value, " #';${}%")] != '\0';
    bool wants_single = !wants_double && strchr(value, '"') != NULL;
    if (value[0] != ' ' && value[1] == '\0' && (wants_double || wants_single || value[0] == '~'))
        return xasprintf("\\%s", value);
    if (wants_double) {
        strbuf_add_char(&b, '"');
        add_escaped(&b, value, true);
        strbuf_add_char(&b, '"');
    } else if (wants_single) {
        // Between single quotes nothing is an escape: one that is needed asks for double ones.
        if (strpbrk(value, "\\\a\b\t\n\v\f\r\033\177") != NULL) {
            strbuf_add_char(&b, '"');
            add_escaped(&b, value, true);
            strbuf_add_char(&b, '"');
        } else {
            strbuf_addf(&b, "'%s'", value);
        }
    } else {
        if (value[0] == '~')
            strbuf_add_char(&b, '\\');
        add_escaped(&b, value, false);
    }
    return strbuf_take(&b);
}
