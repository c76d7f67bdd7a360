// Options: one table of rows (name, type, scope, default, range, help), and trees of values with
// inheritance: pane -> window -> global window; session -> global session; server.
#ifndef AMUX_SERVER_OPTIONS_OPTIONS_H
#define AMUX_SERVER_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include "common/cell.h"
#include "common/key.h"
#include "common/util.h"

enum option_type {
    OPTION_STRING, OPTION_NUMBER, OPTION_KEY, OPTION_COLOUR, OPTION_FLAG, OPTION_CHOICE, OPTION_STYLE,
    OPTION_COMMAND,
};
enum option_scope { SCOPE_SERVER = 1, SCOPE_SESSION = 2, SCOPE_WINDOW = 4, SCOPE_PANE = 8 };
struct option_row {
    const char *name;
    enum option_type type;
    unsigned scope;
    bool is_array;
    const char *const *choices; // NULL-terminated
    long long min, max;
    const char *text;  // default as text (arrays: separated by ',')
    const char *unit;  // "ms", "seconds", or NULL
    const char *help;  // one sentence for the manual
    const char *separator; // arrays: bytes that separate entries set at once ("": none does);
                           // styles: what append puts between
    const char *pattern;   // strings: fnmatch pattern that values must match
    bool is_shell;         // strings: the value must be a usable shell
};
extern const struct option_row option_rows[]; // sorted by name, ended by a NULL name
extern const size_t n_option_rows;
// Exact or unique prefix; an index behind it ("name[2]") is left out of account, and -color stands
// for -colour. NULL: *cause (owned) says "invalid option: x" or "ambiguous option: x".
const struct option_row *option_row_find(const char *name, char **cause);

struct options;
struct options *options_new(struct options *parent);
void options_free(struct options *o);
struct options *options_parent(const struct options *o);
void options_set_parent(struct options *o, struct options *parent);
// Fills a root tree with every row of `scope`'s defaults. default-shell, editor, status-keys and
// mode-keys follow the environment (SHELL, VISUAL, EDITOR) as in tmux.
void options_set_defaults(struct options *o, enum option_scope scope);

// Reading, with inheritance; the table's default where no tree of the chain holds the option. The
// option must exist in the table (else fatal: a wrong name is a bug). Texts stay valid until the
// option is next set. A choice is the number of its text in `choices`, a colour a colour_t, or -1
// for "none".
const char *options_string(const struct options *o, const char *name);
long long options_number(const struct options *o, const char *name); // also flag, choice, colour
key_code options_key(const struct options *o, const char *name);
// Arrays: number of entries, and the n-th in index order (its index in *index, which may be NULL).
size_t options_array_len(const struct options *o, const char *name);
const char *options_array_at(const struct options *o, const char *name, size_t n, unsigned *index);

// Setting by text, checked: "name", "name[2]", "@user". false: *cause (owned) is tmux's sentence.
// value NULL toggles a flag and a choice that stands at its first or second text. An array without
// an index is set as a whole, or with APPEND gets more entries.
enum option_set_flag { OPTION_SET_APPEND = 1, OPTION_SET_ONLY_IF_UNSET = 2 };
bool options_set_text(struct options *o, const char *name, const char *value, unsigned flags, char **cause);
bool options_unset(struct options *o, const char *name, char **cause); // back to the parent or default
void options_set_number(struct options *o, const char *name, long long value);
void options_set_string(struct options *o, const char *name, const char *value);
bool options_has_own(const struct options *o, const char *name);
// Any option, "@user" ones and entries "name[2]" included, as text; an array's entries with blanks
// between. NULL if unset or unknown. Owned by the caller.
char *options_get_text(const struct options *o, const char *name, bool inherit);
// Own entries in order, for show-options: calls fn(name or name[index], value as text, inherited).
// User options come first. The value of an array without entries is NULL.
typedef void (*options_each_fn)(void *arg, const char *name, const char *value, bool is_inherited);
void options_each(const struct options *o, bool with_inherited, options_each_fn fn, void *arg);
// One option likewise (exact name, or "name[2]"); returns false if it is not set here.
bool options_each_of(const struct options *o, const char *name, bool with_inherited,
                     options_each_fn fn, void *arg);
// A value as show-options prints it, quoted where the config language needs it. Owned.
char *option_value_quoted(const char *value);
// Called after any change of any tree (name of the option); one listener: the server's.
void options_on_change(void (*fn)(struct options *o, const char *name));

#endif
