// The server's children: reaping, and who wants to know.
#ifndef AMUX_SERVER_CHILDREN_H
#define AMUX_SERVER_CHILDREN_H

// Reaps whatever has ended (one SIGCHLD can stand for many) and tells panes, spawn requests, endings
// and watchers (server_watch_child). Never waits.
void children_reap(void);

#endif
