// The command line: global options, the choice of the socket, and whether a server is to be started.
#include "config.h"

#include "client/client.h"

#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "client/connect.h"
#include "common/commands.h"
#include "common/log.h"
#include "common/socket_path.h"
#include "common/util.h"

struct cli {
    const char *label, *path, *config_file, *shell_command;
    bool is_utf8, has_256, no_start, in_foreground;
    int log_level;
};

static const char usage_text[] =
    "usage: amux [-2DhluNvV] [-c shell-command] [-f file] [-L socket-name]\n"
    "            [-S socket-path] [command [flags]]\n"
    "\n"
    "Without a command: new-session. amux list-commands shows the commands,\n"
    "man amux explains them.\n";

static int print_usage(FILE *to, int code)
{
    fputs(usage_text, to);
    return code;
}

static bool is_number(const char *s, size_t len)
{
    if (len == 0)
        return false;
    for (size_t i = 0; i < len; i++) {
        if (s[i] < '0' || s[i] > '9')
            return false;
    }
    return true;
}

char *cli_socket_of_environment(const char *value)
{
    if (value == NULL || value[0] != '/')
        return NULL;
    const char *session = strrchr(value, ',');
    if (session == NULL)
        return NULL;
    const char *pid = session;
    while (pid > value && pid[-1] != ',')
        pid--;
    if (pid == value || !is_number(pid, (size_t)(session - pid)) ||
        !is_number(session + 1, strlen(session + 1)))
        return NULL;
    return xstrndup(value, (size_t)(pid - 1 - value));
}

bool cli_environment_is_utf8(const char *lc_all, const char *lc_ctype, const char *lang,
                             const char *term)
{
    const char *const values[] = {lc_all, lc_ctype, lang};
    for (size_t i = 0; i < ARRAY_LEN(values); i++) {
        if (values[i] != NULL && values[i][0] != '\0')
            return strcasestr(values[i], "UTF-8") != NULL || strcasestr(values[i], "UTF8") != NULL;
    }
    return term == NULL || (strcmp(term, "linux") != 0 && strncmp(term, "vt", 2) != 0);
}

// A word that ends a command of a chain: ";", or ending in one that is not escaped.
static bool ends_command(const char *word)
{
    size_t len = strlen(word);
    return len > 0 && word[len - 1] == ';' && !(len > 1 && word[len - 2] == '\\');
}

// Whether a command of the line starts a server. False with *cause if a name is unknown.
static bool line_starts_server(char *const *words, char **cause)
{
    bool is_first = true, starts = false;

    *cause = NULL;
    for (size_t i = 0; words[i] != NULL; i++) {
        bool ends = ends_command(words[i]);
        if (is_first && strcmp(words[i], ";") != 0) {
            char *name = xstrdup(words[i]);
            if (ends)
                name[strlen(name) - 1] = '\0';
            const struct command_spec *spec = command_spec_find(name, cause);
            free(name);
            if (spec == NULL)
                return false;
            if (spec->cmd_flags & COMMAND_STARTS_SERVER)
                starts = true;
        }
        is_first = ends;
    }
    return starts;
}

static bool cli_parse(struct cli *cli, int argc, char **argv, int *code)
{
    static const struct option long_options[] = {
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'V'},
        {NULL, 0, NULL, 0},
    };
    int option;

    *code = -1;
    while ((option = getopt_long(argc, argv, "+2c:Df:hlL:NqS:uUvV", long_options, NULL)) != -1) {
        switch (option) {
        case '2':
            cli->has_256 = true;
            break;
        case 'c':
            cli->shell_command = optarg;
            break;
        case 'D':
            cli->in_foreground = true;
            break;
        case 'f':
            cli->config_file = optarg;
            break;
        case 'h':
            *code = print_usage(stdout, 0);
            return false;
        case 'l':
        case 'q':
            break;
        case 'L':
            cli->label = optarg;
            break;
        case 'N':
            cli->no_start = true;
            break;
        case 'S':
            cli->path = optarg;
            break;
        case 'u':
            cli->is_utf8 = true;
            break;
        case 'v':
            cli->log_level++;
            break;
        case 'V':
            printf("%s\n", PACKAGE_STRING);
            *code = 0;
            return false;
        default:
            *code = print_usage(stderr, 1);
            return false;
        }
    }
    return true;
}

// The socket's path, owned by the caller. NULL: *cause.
static char *choose_socket(const struct cli *cli, const char *from_environment, char **cause)
{
    *cause = NULL;
    if (cli->path != NULL)
        return socket_path_fits(cli->path, cause) ? xstrdup(cli->path) : NULL;
    if (cli->label == NULL && from_environment != NULL)
        return socket_path_fits(from_environment, cause) ? xstrdup(from_environment) : NULL;
    return socket_path_make(cli->label != NULL ? cli->label : "default", cause);
}

static int run_shell(const char *command)
{
    const char *shell = user_shell();
    execl(shell, shell, "-c", command, (char *)NULL);
    fprintf(stderr, "%s cannot be run (%s)\n", shell, strerror(errno));
    return 1;
}

static int fail(char *cause)
{
    fprintf(stderr, "%s\n", cause);
    free(cause);
    return 1;
}

int cli_main(int argc, char **argv, server_main_fn server_main)
{
    static char new_session[] = "new-session";
    static char *const default_command[] = {new_session, NULL};
    struct cli cli = {0};
    int code;
    char *cause;

    if (!cli_parse(&cli, argc, argv, &code))
        return code;
    argc -= optind;
    if (cli.shell_command != NULL)
        return argc > 0 ? print_usage(stderr, 1) : run_shell(cli.shell_command);
    setlocale(LC_TIME, "");
    tzset();

    char *from_environment = cli_socket_of_environment(getenv("AMUX"));
    char *socket_path = choose_socket(&cli, from_environment, &cause);
    if (socket_path == NULL) {
        free(from_environment);
        return fail(cause);
    }
    if (cli.in_foreground) {
        free(from_environment);
        if (argc > 0)
            return print_usage(stderr, 1);
        return server_main(socket_path, cli.config_file, -1, -1, cli.log_level);
    }

    char *const *command = argc > 0 ? argv + optind : default_command;
    bool starts = line_starts_server(command, &cause);
    if (cause != NULL) {
        // A running server may know more names than this program.
        if (connect_is_refused(socket_path)) {
            free(from_environment);
            free(socket_path);
            return fail(cause);
        }
        free(cause);
    }
    struct client_setup setup = {
        .argc = argc,
        .argv = argv,
        .command = command,
        .socket_path = socket_path,
        .config_file = cli.config_file,
        .may_start_server = starts && !cli.no_start,
        .is_utf8 = cli.is_utf8 || cli_environment_is_utf8(getenv("LC_ALL"), getenv("LC_CTYPE"),
                                                          getenv("LANG"), getenv("TERM")),
        .has_256 = cli.has_256,
        .is_nested = from_environment != NULL,
        .log_level = cli.log_level,
        .server_main = server_main,
    };
    code = client_run(&setup);
    free(from_environment);
    free(socket_path);
    return code;
}
