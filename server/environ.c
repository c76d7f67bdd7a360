// Environments as sorted lists of variables, and which variables a pane must not inherit.
#include "server/environ.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "common/util.h"

struct environ {
    struct environ_entry *entries; // by name
    size_t n;
};

struct environ *environ_new(void)
{
    return xcalloc(1, sizeof(struct environ));
}

static void entry_free(struct environ_entry *e)
{
    free(e->name);
    free(e->value);
}

void environ_free(struct environ *env)
{
    if (env == NULL)
        return;
    for (size_t i = 0; i < env->n; i++)
        entry_free(&env->entries[i]);
    free(env->entries);
    free(env);
}

// Where the variable is, or would be inserted.
static size_t place(const struct environ *env, const char *name, bool *is_there)
{
    size_t low = 0, high = env->n;
    *is_there = false;
    while (low < high) {
        size_t mid = (low + high) / 2;
        int order = strcmp(env->entries[mid].name, name);
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

void environ_set(struct environ *env, const char *name, const char *value, bool is_hidden)
{
    // Copied first: name and value may belong to the entry that is replaced.
    struct environ_entry entry = {
        .name = xstrdup(name),
        .value = value == NULL ? NULL : xstrdup(value),
        .is_hidden = is_hidden,
    };
    bool is_there;
    size_t i = place(env, name, &is_there);
    if (is_there) {
        entry_free(&env->entries[i]);
    } else {
        env->entries = xreallocarray(env->entries, env->n + 1, sizeof *env->entries);
        memmove(env->entries + i + 1, env->entries + i, (env->n - i) * sizeof *env->entries);
        env->n++;
    }
    env->entries[i] = entry;
}

void environ_clear(struct environ *env, const char *name)
{
    environ_set(env, name, NULL, false);
}

void environ_unset(struct environ *env, const char *name)
{
    bool is_there;
    size_t i = place(env, name, &is_there);
    if (!is_there)
        return;
    entry_free(&env->entries[i]);
    env->n--;
    memmove(env->entries + i, env->entries + i + 1, (env->n - i) * sizeof *env->entries);
}

bool environ_put(struct environ *env, const char *assignment)
{
    const char *equals = strchr(assignment, '=');
    if (equals == NULL || equals == assignment)
        return false;
    char *name = xstrndup(assignment, (size_t)(equals - assignment));
    environ_set(env, name, equals + 1, false);
    free(name);
    return true;
}

const struct environ_entry *environ_find(const struct environ *env, const char *name)
{
    bool is_there;
    size_t i = place(env, name, &is_there);
    return is_there ? &env->entries[i] : NULL;
}

size_t environ_count(const struct environ *env)
{
    return env->n;
}

const struct environ_entry *environ_at(const struct environ *env, size_t n)
{
    return n < env->n ? &env->entries[n] : NULL;
}

void environ_copy(const struct environ *from, struct environ *to)
{
    for (size_t i = 0; i < from->n; i++) {
        const struct environ_entry *e = &from->entries[i];
        environ_set(to, e->name, e->value, e->is_hidden);
    }
}

void environ_update(const char *const *patterns, const struct environ *from, struct environ *to)
{
    for (; *patterns != NULL; patterns++) {
        bool is_found = false;
        for (size_t i = 0; i < from->n; i++) {
            const struct environ_entry *e = &from->entries[i];
            if (e->value == NULL || fnmatch(*patterns, e->name, 0) != 0)
                continue;
            environ_set(to, e->name, e->value, false);
            is_found = true;
        }
        // Only a name can be marked removed; a pattern that matched nothing names none.
        if (!is_found && strpbrk(*patterns, "*?[") == NULL)
            environ_clear(to, *patterns);
    }
}

char **environ_to_strv(const struct environ *env)
{
    char **v = xcalloc(env->n + 1, sizeof *v);
    size_t n = 0;
    for (size_t i = 0; i < env->n; i++) {
        const struct environ_entry *e = &env->entries[i];
        if (e->value != NULL && !e->is_hidden)
            v[n++] = xasprintf("%s=%s", e->name, e->value);
    }
    return v;
}

// What a program set for its own children: other multiplexers, terminals and agents. Found in a
// pane, it would make programs believe in a terminal that is not there, or an agent that its
// session is a part of another one.
static const char *const foreign_patterns[] = {
    // multiplexers
    "AMUX*", "CMUX_*", "DVTM*", "HERDR*", "STY", "TMUX*", "TUIOS*", "WINDOW", "ZELLIJ*",
    // terminals
    "ALACRITTY_*", "COLORFGBG", "COLORTERM", "COLUMNS", "GHOSTTY_*", "GNOME_TERMINAL_*", "ITERM_*",
    "KITTY_*", "KONSOLE_*", "LC_TERMINAL", "LC_TERMINAL_VERSION", "LINES", "TERM", "TERMCAP",
    "TERM_PROGRAM*", "TERM_SESSION_ID", "TERMINAL_EMULATOR", "TILIX_ID", "VTE_VERSION",
    "VSCODE_INJECTION", "WEZTERM_*", "WINDOWID", "WT_PROFILE_ID", "WT_SESSION", "XTERM_LOCALE",
    "XTERM_SHELL", "XTERM_VERSION",
    // agents: marks of a running session and of its sandbox
    "AI_AGENT", "CLAUDECODE", "CLAUDE_AGENT_SDK_VERSION", "CLAUDE_CODE_AGENT*",
    "CLAUDE_CODE_CHILD*", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_EXECPATH",
    "CLAUDE_CODE_MESSAGING_SOCKET", "CLAUDE_CODE_PARENT*", "CLAUDE_CODE_SESSION*",
    "CLAUDE_CODE_SSE_PORT", "CLAUDE_CODE_TASK*", "CLAUDE_CODE_TEAM*", "CLAUDE_CODE_TMUX*",
    "CLAUDE_ENV_FILE", "CLAUDE_PROJECT_DIR", "CODEX_CI", "CODEX_INTERNAL*", "CODEX_MANAGED*",
    "CODEX_SANDBOX*", "CODEX_THREAD*", "COPILOT_CLI", "CURSOR_AGENT", "CURSOR_TRACE_ID",
    "GEMINI_CLI", "GEMINI_CLI_NO_RELAUNCH", "OPENCODE", "OPENCODE_CALLER", "OPENCODE_PID",
    "OPENCODE_RUN_ID", "QWEN_CODE",
};
// What the person set and a program needs, though its name looks like the above.
static const char *const kept[] = {
    "AMUX_QOS", "AMUX_TMPDIR", "KITTY_CONFIG_DIRECTORY", "TMUX_PLUGIN_MANAGER_PATH", "TMUX_TMPDIR",
    "WEZTERM_CONFIG_FILE", "ZELLIJ_CONFIG_DIR", "ZELLIJ_CONFIG_FILE",
};

bool environ_is_foreign(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(kept); i++) {
        if (strcmp(kept[i], name) == 0)
            return false;
    }
    for (size_t i = 0; i < ARRAY_LEN(foreign_patterns); i++) {
        if (fnmatch(foreign_patterns[i], name, 0) == 0)
            return true;
    }
    return false;
}
