// What the files of server/format share: one expansion under way, and the steps it is made of.
#ifndef AMUX_SERVER_FORMAT_INTERNAL_H
#define AMUX_SERVER_FORMAT_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include "common/util.h"
#include "server/format/format.h"

// While it is expanded a text holds three bytes that UTF-8 never has, so that no value can be
// mistaken for them: a '#' that came with a value from outside and must stay a '#', and the ends
// of a time field. format_finish() turns them into what they stand for.
#define MARK_HASH '\xfd'
#define MARK_TIME '\xfe'
#define MARK_TIME_END '\xff'

#define FORMAT_MAX_DEPTH 100
// Bytes looked at or made, and the dearer steps at their price. At a few nanoseconds each this keeps
// one expansion within a turn of the loop.
#define FORMAT_MAX_WORK 1000000L
#define FORMAT_MAX_COLS 10000 // of padding

enum format_type { FORMAT_OF_NONE, FORMAT_OF_SESSION, FORMAT_OF_WINDOW, FORMAT_OF_PANE };

// Shared by all levels of one expansion.
struct format_run {
    long work;          // left
    unsigned time_step; // as format_last_time_step()
    time_t now; // 0: not asked for yet
    struct tm tm;
};
// One level: what it is over, and how.
struct format_state {
    struct format_context ctx; // with its gaps filled
    enum format_type type;
    struct format_run *run;
    unsigned depth;
    bool expands_time; // strftime conversions in literal text
    bool is_top;       // and they become fields for the client
};

// Takes `amount` of work; false when there is none left.
bool format_work(const struct format_state *st, size_t amount);

// --- format.c
char *format_expand_text(const struct format_state *st, const char *fmt); // one level deeper; owned
// The first byte of `s` out of `ends` that stands outside nested #{} and is not escaped; NULL: none.
const char *format_skip(const struct format_state *st, const char *s, const char *ends);
// Takes the # from escapes such as "#," and "#:". Owned.
char *format_unescape(const char *s);
// Fills what is missing of a context.
void format_fill_context(struct format_context *ctx);
// Copies `s`, marks taken back to '#'; owned.
char *format_unmark(const char *s);

// --- replace.c: #{...}
char *format_replace(const struct format_state *st, const char *key); // owned

// --- modifiers.c: the part of #{...} before the colon
struct format_modifier {
    char name[3];
    char **argv;
    size_t argc;
};
struct format_modifiers {
    struct format_modifier *list;
    size_t n;
};
// Reads modifiers from *key and moves it behind them; none: *key stays.
void format_modifiers_parse(const struct format_state *st, const char **key,
                            struct format_modifiers *out);
void format_modifiers_free(struct format_modifiers *m);
const struct format_modifier *format_modifier_find(const struct format_modifiers *m,
                                                   const char *name);
// Argument n of a modifier, "" if it is not there.
const char *format_modifier_arg(const struct format_modifier *m, size_t n);

// --- transform.c: what modifiers do to a value. Each returns an owned text.
char *format_basename(const char *s);
char *format_dirname(const char *s);
char *format_quote_shell(const char *s);
char *format_quote_style(const char *s);
char *format_ascii(const char *s);
char *format_colour_hex(const char *s);
char *format_arithmetic(const struct format_modifier *m, const char *left, const char *right);
char *format_time_text(const struct format_state *st, const struct format_modifier *m,
                       const char *value);
// At most |cols| columns from the start, or with negative cols from the end; markup such as #[...]
// is kept and counts nothing. marker stands where something was cut.
char *format_trim(const char *s, long cols, const char *marker);
char *format_pad(const char *s, long cols); // positive: text to the left
unsigned format_width(const char *s);       // in columns, markup counting nothing

// --- match.c
bool format_glob_matches(const char *pattern, const char *text, bool ignores_case);
bool format_regex_matches(const char *pattern, const char *text, bool ignores_case);
// Each match replaced, \0 to \9 being groups. `text` may hold marks. Owned.
char *format_regex_replace(const struct format_state *st, const char *pattern, const char *with,
                           const char *text, bool ignores_case);

// --- time.c
// strftime conversions of `fmt` as st says: expanded now, or made fields. Owned.
char *format_time_expand(const struct format_state *st, const char *fmt);

// --- variables.c
// Value of a variable, option, or environment variable; NULL: there is none of that name. Owned.
char *format_lookup(const struct format_state *st, const char *name);
// Name of the server's own user, the number of any other. Owned.
char *format_user_name(uid_t uid);

// --- variables_*.c: getters. NULL: nothing to say. Owned by the caller.
typedef char *(*format_variable_fn)(const struct format_state *st, const char *name);
enum format_variable_flag {
    VARIABLE_FOREIGN = 1, // programs in panes choose the text
    VARIABLE_DEAR = 2,    // asks the kernel
};
struct format_variable {
    const char *name;
    format_variable_fn get;
    unsigned flags;
    const char *help;
};
// Tables sorted by name, ended by a NULL name.
extern const struct format_variable format_pane_variables[], format_window_variables[],
    format_session_variables[], format_client_variables[], format_server_variables[];

static inline char *format_bool(bool value)
{
    return xstrdup(value ? "1" : "0");
}

#endif
