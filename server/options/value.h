// One option's value, and how a text becomes one. Inside server/options only.
#ifndef AMUX_SERVER_OPTIONS_VALUE_H
#define AMUX_SERVER_OPTIONS_VALUE_H

#include "server/options/options.h"

#define OPTION_INDEX_MAX 9999 // of an array's entry

struct option_item {
    unsigned index;
    char *text;
};
struct option_value {
    char *text; // canonical; NULL for arrays
    long long number;
    key_code key;
    struct option_item *items; // arrays, by index
    size_t n_items;
};
void option_value_free(struct option_value *v); // NULL is allowed
struct option_value *option_value_copy(const struct option_value *from);

// Entries of an array by index. option_item_text gives NULL where there is none; it stays valid
// until the value changes.
const char *option_item_text(const struct option_value *v, unsigned index);
void option_item_set(struct option_value *v, unsigned index, const char *text);
void option_item_remove(struct option_value *v, unsigned index);

// Fills *v (canonical text, number, key) by `value`. False with tmux's sentence in *cause (owned).
bool option_value_check(const struct option_row *row, const char *value, struct option_value *v,
                        char **cause);
// Sets entries by a text with separators, at the first free indexes. On error false, *cause
// (owned); some entries may then be set.
bool option_items_assign(const struct option_row *row, struct option_value *v, const char *text,
                         char **cause);

// The default of a row as a new value, and one shared for the life of the process.
struct option_value *option_default_make(size_t row);
const struct option_value *option_default(size_t row);

#endif
