// The command table: name, alias, flags and usage of every command, from commands.def. The server
// binds handlers to the rows; parsing, list-commands, completion and the manual check read it.
#ifndef AMUX_COMMON_COMMANDS_H
#define AMUX_COMMON_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

enum command_flag {
    COMMAND_STARTS_SERVER = 1 << 0,
    COMMAND_READS_ONLY = 1 << 1, // allowed to a read-only client
    COMMAND_NO_SERVER_OK = 1 << 2,
};
enum command_target { TARGET_NONE, TARGET_SESSION, TARGET_WINDOW, TARGET_PANE, TARGET_CLIENT };
// What -t (or -s) names, and how it is looked up when it is missing or new.
enum target_flag {
    TARGET_QUIET = 1 << 0,         // not there: no error, the handler sees it as unset
    TARGET_WINDOW_INDEX = 1 << 1,  // an index that need not exist (new-window -t)
    TARGET_DEFAULT_MARKED = 1 << 2,
    TARGET_PREFER_UNATTACHED = 1 << 3,
    TARGET_CAN_FAIL = 1 << 4,      // no current session needed
};
struct command_spec {
    const char *id;     // "NEW_SESSION"
    const char *name;   // "new-session"
    const char *alias;  // "new"; "" if none
    const char *flags;  // getopt-like: "Ac:d": letters, ':' after those that take a value
    int args_min;       // arguments after the flags
    int args_max;       // -1: any number
    const char *usage;  // "[-Ad] [-c start-directory]"
    const char *help;   // one line
    unsigned cmd_flags; // enum command_flag
    enum command_target target; // of -t
    unsigned target_flags;
};
enum command_id {
#define COMMAND(id, name, alias, flags, min, max, usage, help, cflags, target, tflags) CMD_##id,
#include "common/commands.def"
#undef COMMAND
    N_COMMANDS
};
extern const struct command_spec command_specs[N_COMMANDS]; // sorted by name

// By name, alias or unique prefix. NULL: *cause (owned) says "unknown command: x" or
// "ambiguous command: x, could be: a, b".
const struct command_spec *command_spec_find(const char *name, char **cause);

#endif
