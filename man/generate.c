// Writes what is derived from the tables of commands and options: completions of the shells, the
// options' section of amux.conf(5), and the tables as text for the manual check.
//
//   generate bash|zsh|fish|options|tables
#include "config.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "common/commands.h"
#include "common/util.h"
#include "server/options/options.h"

// The flags of a row as words "-a -b", for completion.
static void put_flags(const struct command_spec *spec, const char *separator)
{
    for (const char *f = spec->flags; *f != '\0'; f++)
        if (*f != ':')
            printf("%s-%c", f == spec->flags ? "" : separator, *f);
}

static const char *target_function(const struct command_spec *spec)
{
    switch (spec->target) {
    case TARGET_SESSION:
        return "session";
    case TARGET_WINDOW:
    case TARGET_PANE:
        return "window";
    case TARGET_CLIENT:
        return "client";
    case TARGET_NONE:
        break;
    }
    return "session";
}

static void put_names(const char *separator)
{
    for (int i = 0; i < N_COMMANDS; i++) {
        printf("%s%s", i == 0 ? "" : separator, command_specs[i].name);
        if (*command_specs[i].alias != '\0')
            printf("%s%s", separator, command_specs[i].alias);
    }
}

static void bash(void)
{
    printf("# bash completion for amux, made from its tables of commands and options.\n"
           "_amux() {\n"
           "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} word command= i\n"
           "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
           "        word=${COMP_WORDS[i]}\n"
           "        case $word in\n"
           "        -L | -S | -f | -c) [ -n \"$command\" ] || ((i++)) ;;\n"
           "        -*) ;;\n"
           "        *) [ -n \"$command\" ] || command=$word ;;\n"
           "        esac\n"
           "    done\n"
           "    COMPREPLY=()\n"
           "    if [ -z \"$command\" ]; then\n"
           "        case $prev in -f | -S) COMPREPLY=($(compgen -f -- \"$cur\")); return ;; esac\n"
           "        COMPREPLY=($(compgen -W '-2 -D -L -S -V -c -f -h -l -u -v ");
    put_names(" ");
    printf("' -- \"$cur\"))\n"
           "        return\n"
           "    fi\n"
           "    local targets= flags= options=\n"
           "    case $command in\n");
    for (int i = 0; i < N_COMMANDS; i++) {
        const struct command_spec *spec = &command_specs[i];
        printf("    %s%s%s) flags='", spec->name, *spec->alias != '\0' ? " | " : "", spec->alias);
        put_flags(spec, " ");
        printf("' targets=%s ;;\n", target_function(spec));
    }
    printf("    *) return ;;\n"
           "    esac\n"
           "    case $prev in\n"
           "    -t | -s)\n"
           "        case $targets in\n"
           "        session) COMPREPLY=($(compgen -W \"$(amux list-sessions -F '#{session_name}' 2>/dev/null)\" -- \"$cur\")) ;;\n"
           "        client) COMPREPLY=($(compgen -W \"$(amux list-clients -F '#{client_name}' 2>/dev/null)\" -- \"$cur\")) ;;\n"
           "        window) COMPREPLY=($(compgen -W \"$(amux list-windows -a -F '#{session_name}:#{window_index}' 2>/dev/null)\" -- \"$cur\")) ;;\n"
           "        esac\n"
           "        return ;;\n"
           "    -c) COMPREPLY=($(compgen -d -- \"$cur\")); return ;;\n"
           "    esac\n"
           "    case $command in\n"
           "    set | set-option | setw | set-window-option | show | show-options | showw | show-window-options)\n"
           "        options='");
    for (const struct option_row *row = option_rows; row->name != NULL; row++)
        printf("%s%s", row == option_rows ? "" : " ", row->name);
    printf("' ;;\n"
           "    source | source-file | loadb | load-buffer | saveb | save-buffer) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n"
           "    lscm | list-commands) options='");
    put_names(" ");
    printf("' ;;\n"
           "    esac\n"
           "    case $cur in\n"
           "    -*) COMPREPLY=($(compgen -W \"$flags\" -- \"$cur\")) ;;\n"
           "    *) [ -z \"$options\" ] || COMPREPLY=($(compgen -W \"$options\" -- \"$cur\")) ;;\n"
           "    esac\n"
           "}\n"
           "complete -F _amux amux\n");
}

// A text inside single quotes of a shell, with what zsh and fish take as markup left out.
static void put_help(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            printf("'\\''");
        else if (*text == '[' || *text == ']' || *text == ':')
            putchar(' ');
        else
            putchar(*text);
    }
}

static void zsh(void)
{
    printf("#compdef amux\n"
           "# zsh completion for amux, made from its tables of commands and options.\n"
           "_amux_sessions() { local -a s; s=(${(f)\"$(amux list-sessions -F '#{session_name}' 2>/dev/null)\"}); _describe session s }\n"
           "_amux_clients() { local -a s; s=(${(f)\"$(amux list-clients -F '#{client_name}' 2>/dev/null)\"}); _describe client s }\n"
           "_amux_windows() { local -a s; s=(${(f)\"$(amux list-windows -a -F '#{session_name}:#{window_index}' 2>/dev/null)\"}); compadd -a s }\n"
           "_amux_options() { compadd --");
    for (const struct option_row *row = option_rows; row->name != NULL; row++)
        printf(" %s", row->name);
    printf(" }\n"
           "_amux() {\n"
           "    local curcontext=$curcontext state line\n"
           "    typeset -A opt_args\n"
           "    _arguments -C '-2[assume 256 colours]' '-L[name of the socket]:name:' '-S[path of the socket]:path:_files' \\\n"
           "        '-V[print the version]' '-f[config file]:file:_files' '-u[assume UTF-8]' '-v[log]' '1:command:->commands' '*::argument:->arguments'\n"
           "    case $state in\n"
           "    commands)\n"
           "        local -a commands\n"
           "        commands=(\n");
    for (int i = 0; i < N_COMMANDS; i++) {
        printf("            '%s:", command_specs[i].name);
        put_help(command_specs[i].help);
        printf("'\n");
    }
    printf("        )\n"
           "        _describe command commands ;;\n"
           "    arguments)\n"
           "        case $words[1] in\n");
    for (int i = 0; i < N_COMMANDS; i++) {
        const struct command_spec *spec = &command_specs[i];
        printf("        %s%s%s) _arguments", spec->name, *spec->alias != '\0' ? "|" : "", spec->alias);
        for (const char *f = spec->flags; *f != '\0'; f++) {
            if (*f == ':')
                continue;
            bool has_value = f[1] == ':';
            printf(" '-%c%s'", *f, !has_value ? "" : *f == 't' || *f == 's' ? "" : ":value:_files");
            if (has_value && (*f == 't' || *f == 's'))
                printf("':target:_amux_%ss'", target_function(spec));
        }
        if (strstr(spec->name, "option") != NULL)
            printf(" '1:option:_amux_options'");
        if (strcmp(spec->name, "source-file") == 0 || strstr(spec->usage, "path") != NULL)
            printf(" '*:file:_files'");
        printf(" ;;\n");
    }
    printf("        esac ;;\n"
           "    esac\n"
           "}\n"
           "_amux \"$@\"\n");
}

static void fish(void)
{
    printf("# fish completion for amux, made from its tables of commands and options.\n"
           "complete -c amux -f\n"
           "complete -c amux -n __fish_use_subcommand -s L -x -d 'name of the socket'\n"
           "complete -c amux -n __fish_use_subcommand -s S -r -d 'path of the socket'\n"
           "complete -c amux -n __fish_use_subcommand -s f -r -d 'config file'\n"
           "complete -c amux -n __fish_use_subcommand -s V -d 'print the version'\n");
    for (int i = 0; i < N_COMMANDS; i++) {
        const struct command_spec *spec = &command_specs[i];
        printf("complete -c amux -n __fish_use_subcommand -a %s -d '", spec->name);
        for (const char *s = spec->help; *s != '\0'; s++)
            printf(*s == '\'' ? "\\'" : "%c", *s);
        printf("'\n");
        for (const char *f = spec->flags; *f != '\0'; f++) {
            if (*f == ':')
                continue;
            printf("complete -c amux -n '__fish_seen_subcommand_from %s %s' -s %c", spec->name, spec->alias, *f);
            if (f[1] == ':' && (*f == 't' || *f == 's')) {
                const char *kind = target_function(spec);
                if (strcmp(kind, "client") == 0)
                    printf(" -x -a '(amux list-clients -F \"#{client_name}\" 2>/dev/null)'");
                else if (strcmp(kind, "window") == 0)
                    printf(" -x -a '(amux list-windows -a -F \"#{session_name}:#{window_index}\" 2>/dev/null)'");
                else
                    printf(" -x -a '(amux list-sessions -F \"#{session_name}\" 2>/dev/null)'");
            } else if (f[1] == ':')
                printf(" -r");
            printf("\n");
        }
    }
    printf("complete -c amux -n '__fish_seen_subcommand_from set set-option show show-options setw showw' -a '");
    for (const struct option_row *row = option_rows; row->name != NULL; row++)
        printf("%s%s", row == option_rows ? "" : " ", row->name);
    printf("'\n");
}

// A text in mdoc, wrapped: a line must not begin with a control character, backslashes are doubled.
static void put_mdoc(const char *text)
{
    size_t col = 0;
    for (; *text != '\0'; text++) {
        if (*text == ' ' && col + strcspn(text + 1, " ") > 72) {
            putchar('\n');
            col = 0;
            continue;
        }
        if (col == 0 && (*text == '.' || *text == '\''))
            printf("\\&");
        if (*text == '\\')
            printf("\\e");
        else
            putchar(*text);
        col++;
    }
}

static void options_of(enum option_scope scope)
{
    for (const struct option_row *row = option_rows; row->name != NULL; row++) {
        // An option is listed once, under the widest of its scopes.
        unsigned first = row->scope & (~row->scope + 1);
        if (first != (unsigned)scope)
            continue;
        printf(".It Ic %s%s", row->name, row->is_array ? "[]" : "");
        if (row->choices != NULL) {
            printf(" Oo ");
            for (size_t i = 0; row->choices[i] != NULL; i++)
                printf("%sCm %s ", i == 0 ? "" : "| ", row->choices[i]);
            printf("Oc");
        } else if (row->type == OPTION_FLAG)
            printf(" Op Cm on | off");
        else {
            static const char *const kinds[] = {"string", "number", "key", "colour", "flag", "choice", "style", "command"};
            printf(" Ar %s", kinds[row->type]);
        }
        printf("\n");
        put_mdoc(row->help);
        printf("\n");
        if (row->text != NULL && *row->text != '\0' && strlen(row->text) < 60) {
            printf("Default: ");
            put_mdoc(row->text);
            printf("%s%s.\n", row->unit != NULL ? " " : "", row->unit != NULL ? row->unit : "");
        } else if (row->text == NULL || *row->text == '\0')
            printf("Empty by default.\n");
    }
}

static void options(void)
{
    static const struct {
        enum option_scope scope;
        const char *title, *text;
    } parts[] = {
        {SCOPE_SERVER, "SERVER OPTIONS", "Set with\n.Ic set-option Fl s ."},
        {SCOPE_SESSION, "SESSION OPTIONS", "Set for a session, or with\n.Fl g\nfor all that have no value of their own."},
        {SCOPE_WINDOW, "WINDOW OPTIONS", "Set with\n.Fl w ,\nor with\n.Fl gw\nfor all."},
        {SCOPE_PANE, "PANE OPTIONS", "Set with\n.Fl p ."},
    };
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        bool has_any = false;
        for (const struct option_row *row = option_rows; row->name != NULL; row++)
            has_any |= (row->scope & (~row->scope + 1)) == (unsigned)parts[i].scope;
        if (!has_any)
            continue;
        printf(".Sh %s\n%s\n.Bl -tag -width Ds\n", parts[i].title, parts[i].text);
        options_of(parts[i].scope);
        printf(".El\n");
    }
}

static void tables(void)
{
    for (int i = 0; i < N_COMMANDS; i++)
        printf("command\t%s\t%s\t%s\n", command_specs[i].name, command_specs[i].alias, command_specs[i].flags);
    for (const struct option_row *row = option_rows; row->name != NULL; row++)
        printf("option\t%s\n", row->name);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*fn)(void);
    } outputs[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}, {"options", options}, {"tables", tables}};
    for (size_t i = 0; argc == 2 && i < ARRAY_LEN(outputs); i++) {
        if (strcmp(argv[1], outputs[i].name) == 0) {
            outputs[i].fn();
            return fflush(stdout) == 0 ? 0 : 1;
        }
    }
    fprintf(stderr, "usage: generate bash|zsh|fish|options|tables\n");
    return 1;
}
