// Values of options: what a text means by its row's type, entries of arrays, defaults.
#include "server/options/value.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/style.h"

static void option_items_free(struct option_value *v)
{
    for (size_t i = 0; i < v->n_items; i++)
        free(v->items[i].text);
    free(v->items);
    v->items = NULL;
    v->n_items = 0;
}

void option_value_free(struct option_value *v)
{
    if (v == NULL)
        return;
    option_items_free(v);
    free(v->text);
    free(v);
}

struct option_value *option_value_copy(const struct option_value *from)
{
    struct option_value *v = xmalloc(sizeof *v);
    *v = *from;
    v->text = from->text == NULL ? NULL : xstrdup(from->text);
    v->items = from->n_items == 0 ? NULL : xcalloc(from->n_items, sizeof *v->items);
    for (size_t i = 0; i < from->n_items; i++) {
        v->items[i].index = from->items[i].index;
        v->items[i].text = xstrdup(from->items[i].text);
    }
    return v;
}

// Where the entry `index` is, or would be.
static size_t item_place(const struct option_value *v, unsigned index, bool *is_there)
{
    size_t i = 0;
    while (i < v->n_items && v->items[i].index < index)
        i++;
    *is_there = i < v->n_items && v->items[i].index == index;
    return i;
}

const char *option_item_text(const struct option_value *v, unsigned index)
{
    bool is_there;
    size_t i = item_place(v, index, &is_there);
    return is_there ? v->items[i].text : NULL;
}

void option_item_set(struct option_value *v, unsigned index, const char *text)
{
    bool is_there;
    size_t i = item_place(v, index, &is_there);
    char *copy = xstrdup(text);
    if (is_there) {
        free(v->items[i].text);
    } else {
        v->items = xreallocarray(v->items, v->n_items + 1, sizeof *v->items);
        memmove(v->items + i + 1, v->items + i, (v->n_items - i) * sizeof *v->items);
        v->n_items++;
    }
    v->items[i] = (struct option_item){index, copy};
}

void option_item_remove(struct option_value *v, unsigned index)
{
    bool is_there;
    size_t i = item_place(v, index, &is_there);
    if (!is_there)
        return;
    free(v->items[i].text);
    v->n_items--;
    memmove(v->items + i, v->items + i + 1, (v->n_items - i) * sizeof *v->items);
}

// --- Checking

static bool is_word(const char *value, const char *const *words)
{
    for (; *words != NULL; words++) {
        if (strcasecmp(value, *words) == 0)
            return true;
    }
    return false;
}

// A value's text to what it means; false with a cause. Canonical text goes to *text (owned).
static bool check_number(const struct option_row *row, const char *value, long long *number,
                         char **text, char **cause)
{
    const char *why;
    if (!parse_number(value, row->min, row->max, number, &why)) {
        *cause = xasprintf("value is %s: %s", why, value);
        return false;
    }
    *text = xasprintf("%lld", *number);
    return true;
}

static bool check_flag(const char *value, long long *number, char **text, char **cause)
{
    if (is_word(value, (const char *const[]){"1", "on", "yes", NULL})) {
        *number = 1;
    } else if (is_word(value, (const char *const[]){"0", "off", "no", NULL})) {
        *number = 0;
    } else {
        *cause = xasprintf("bad value: %s", value);
        return false;
    }
    *text = xstrdup(*number ? "on" : "off");
    return true;
}

static bool check_choice(const struct option_row *row, const char *value, long long *number,
                         char **text, char **cause)
{
    for (long long i = 0; row->choices[i] != NULL; i++) {
        if (strcmp(row->choices[i], value) == 0) {
            *number = i;
            *text = xstrdup(value);
            return true;
        }
    }
    *cause = xasprintf("unknown value: %s", value);
    return false;
}

static bool check_colour(const char *value, long long *number, char **text, char **cause)
{
    colour_t colour;
    if (strcmp(value, "none") == 0) {
        *number = -1;
        *text = xstrdup(value);
        return true;
    }
    if (!colour_from_name(value, &colour)) {
        *cause = xasprintf("bad colour: %s", value);
        return false;
    }
    *number = colour;
    *text = xstrdup(colour_to_name(colour));
    return true;
}

static bool check_key(const char *value, key_code *key, char **text, char **cause)
{
    if (strcasecmp(value, "none") == 0) {
        *key = KEY_NONE;
        *text = xstrdup("None");
        return true;
    }
    *key = key_from_name(value);
    if (*key == KEY_UNKNOWN) {
        *cause = xasprintf("bad key: %s", value);
        return false;
    }
    *text = xstrdup(key_to_name(*key));
    return true;
}

static bool check_string(const struct option_row *row, const char *value, char **cause)
{
    if (row->pattern != NULL && fnmatch(row->pattern, value, 0) != 0) {
        *cause = xasprintf("value is invalid: %s", value);
        return false;
    }
    if (row->is_shell && !is_usable_shell(value)) {
        *cause = xasprintf("not a suitable shell: %s", value);
        return false;
    }
    struct style style = {0}, base = {0};
    // What a format makes of a style is known only when it is expanded.
    if (row->type == OPTION_STYLE && strstr(value, "#{") == NULL &&
        !style_parse(&style, &base, value)) {
        *cause = xasprintf("invalid style: %s", value);
        return false;
    }
    return true;
}

// Fills *v (text, number, key) by `value`.
bool option_value_check(const struct option_row *row, const char *value, struct option_value *v,
                        char **cause)
{
    *v = (struct option_value){0};
    switch (row->type) {
    case OPTION_NUMBER:
        return check_number(row, value, &v->number, &v->text, cause);
    case OPTION_FLAG:
        return check_flag(value, &v->number, &v->text, cause);
    case OPTION_CHOICE:
        return check_choice(row, value, &v->number, &v->text, cause);
    case OPTION_COLOUR:
        return check_colour(value, &v->number, &v->text, cause);
    case OPTION_KEY:
        return check_key(value, &v->key, &v->text, cause);
    case OPTION_STRING:
    case OPTION_STYLE:
    case OPTION_COMMAND:
        break;
    }
    if (!check_string(row, value, cause))
        return false;
    v->text = xstrdup(value);
    return true;
}

// Sets entries by a text with separators: from index 0 on, at the first free places.
bool option_items_assign(const struct option_row *row, struct option_value *v, const char *text,
                         char **cause)
{
    const char *separator = row->separator == NULL ? " ," : row->separator;
    unsigned index = 0;
    while (*text != '\0') {
        size_t len = *separator == '\0' ? strlen(text) : strcspn(text, separator);
        char *part = xstrndup(text, len);
        text += len;
        if (*text != '\0')
            text++;
        struct option_value checked;
        if (*part == '\0') {
            free(part);
            continue;
        }
        if (!option_value_check(row, part, &checked, cause)) {
            free(part);
            return false;
        }
        free(part);
        while (option_item_text(v, index) != NULL)
            index++;
        if (index <= OPTION_INDEX_MAX)
            option_item_set(v, index, checked.text);
        free(checked.text);
    }
    return true;
}

// --- Defaults

static const char *default_editor(void)
{
    const char *editor = getenv("VISUAL");
    if (editor == NULL || *editor == '\0')
        editor = getenv("EDITOR");
    return editor == NULL || *editor == '\0' ? NULL : editor;
}

static const char *default_keys(void)
{
    const char *editor = default_editor();
    if (editor == NULL)
        return "emacs";
    const char *slash = strrchr(editor, '/');
    return strstr(slash == NULL ? editor : slash + 1, "vi") != NULL ? "vi" : "emacs";
}

static const char *default_text(const struct option_row *row)
{
    if (row->is_shell)
        return user_shell();
    if (strcmp(row->name, "editor") == 0)
        return default_editor() != NULL ? default_editor() : row->text;
    if (strcmp(row->name, "status-keys") == 0 || strcmp(row->name, "mode-keys") == 0)
        return default_keys();
    return row->text;
}

struct option_value *option_default_make(size_t row)
{
    struct option_value v = {0};
    char *cause = NULL;
    const struct option_row *r = &option_rows[row];
    if (r->is_array ? !option_items_assign(r, &v, r->text, &cause)
                    : !option_value_check(r, default_text(r), &v, &cause)) {
        // What the environment names may be of no use (a shell that is not there).
        free(cause);
        v = (struct option_value){.text = xstrdup(r->text)};
    }
    return xmemdup(&v, sizeof v);
}

// For trees that hold no root of the row's scope. Made once, for the life of the process.
const struct option_value *option_default(size_t row)
{
    static struct option_value **values;
    if (values == NULL)
        values = xcalloc(n_option_rows, sizeof(struct option_value *));
    if (values[row] == NULL)
        values[row] = option_default_make(row);
    return values[row];
}
