// Regular files read and written in slices by a job, so that the loop never waits long for a disk.
#ifndef AMUX_SERVER_COMMAND_FILE_SLICES_H
#define AMUX_SERVER_COMMAND_FILE_SLICES_H

#include <stdbool.h>
#include <stddef.h>

struct file_slices;
// data (NULL for writing, owned by the callee) and size of what was read; error: NULL, or what is
// wrong, without the path. Called once, from the loop, never from inside the start functions.
typedef void (*file_slices_fn)(void *arg, char *data, size_t size, const char *error);

// The whole of a regular file of at most max_bytes; others (directories, pipes, devices) are
// refused. NUL-terminated behind its size.
struct file_slices *file_slices_read(const char *path, size_t max_bytes, file_slices_fn fn,
                                     void *arg);
// Writes data (owned) to a new or existing regular file; appends it to what is there if asked.
struct file_slices *file_slices_write(const char *path, bool appends, char *data, size_t size,
                                      file_slices_fn fn, void *arg);

#endif
