// Which function runs which command: the rows of commands.def bound to their handlers by id.
#include "config.h"

#include "server/command/command.h"

command_fn command_handler(const struct command_spec *spec)
{
    static const command_fn handlers[N_COMMANDS] = {
#define COMMAND(id, name, alias, flags, min, max, usage, help, cflags, target, tflags) cmd_exec_##id,
#include "common/commands.def"
#undef COMMAND
    };
    return handlers[spec - command_specs];
}
