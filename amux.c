// The program: client and command line, or, in a child that the client makes, the server.
#include "config.h"

#include <fcntl.h>
#include <unistd.h>

#include "client/client.h"
#include "common/util.h"
#include "server/server.h"

static int become_server(const char *socket_path, const char *config_file, int lock_fd,
                         int ready_fd, int log_level)
{
    struct server_start start = {
        .socket_path = socket_path,
        .config_file = config_file,
        .lock_fd = lock_fd,
        .ready_fd = ready_fd,
        .log_level = log_level,
    };
    return server_main(&start);
}

int main(int argc, char **argv)
{
    setproctitle_init(argc, argv);
    // Standard descriptors that were closed would be taken by the next files that are opened.
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", O_RDWR) != fd)
            return 1;
    }
    return cli_main(argc, argv, become_server);
}
