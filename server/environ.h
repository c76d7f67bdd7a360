// Environments: of the server, of sessions, of a new pane.
#ifndef AMUX_SERVER_ENVIRON_H
#define AMUX_SERVER_ENVIRON_H

#include <stdbool.h>
#include <stddef.h>

struct environ;
struct environ_entry {
    char *name;
    char *value; // NULL: removed (-r): masks the one below
    bool is_hidden;
};
struct environ *environ_new(void);
void environ_free(struct environ *env);
void environ_set(struct environ *env, const char *name, const char *value, bool is_hidden);
void environ_clear(struct environ *env, const char *name); // sets it as removed
void environ_unset(struct environ *env, const char *name); // forgets the entry
// "NAME=value"; false if there is no '=' or no name.
bool environ_put(struct environ *env, const char *assignment);
const struct environ_entry *environ_find(const struct environ *env, const char *name);
size_t environ_count(const struct environ *env);
const struct environ_entry *environ_at(const struct environ *env, size_t n); // sorted by name
void environ_copy(const struct environ *from, struct environ *to);
// update-environment: copies what the patterns name from `from`, or marks it removed.
void environ_update(const char *const *patterns, const struct environ *from, struct environ *to);
// "NAME=value" vector without hidden and removed ones, NULL-terminated; owned (strv_free).
char **environ_to_strv(const struct environ *env);
// Variables that a pane never inherits: other multiplexers', agents' and stale terminal ones.
bool environ_is_foreign(const char *name);

#endif
