/* The starts that this resident has keepers for, and the trees of those whose keeper died. */
#ifndef ORCA_STARTS_H
#define ORCA_STARTS_H
#include "keeper.h"
#include "record.h"

struct start {
    pid_t keeper;
    char *folder, *run, *number, *uuid, *cgroup; /* cgroup: NULL for none */
    bool reported;                               /* void or refused was said: nothing more is to come */
    bool keeper_dead;                            /* its tree is being ended by us */
};

struct starts {
    struct start **list;
    size_t count, cap;
};

struct start *starts_add(struct starts *all, const struct request *request, pid_t keeper);
struct start *starts_find(const struct starts *all, pid_t keeper);
void starts_remove(struct starts *all, struct start *start);
size_t starts_dead_keepers(const struct starts *all);

struct sweep {
    const pid_t *daemons;
    size_t daemon_count;
    bool anybodys; /* we are pid 1: a child of ours may be an orphan of something that is no run */
    void (*over)(void *context, struct start *start);
    void *context;
};

/* One pass of ending the trees of dead keepers: every child of ours that is neither a keeper nor in `daemons` (where children
 * are anybody's, the recorded leaders instead), whatever carries one of their ORCA_START, and all that descends from these.
 * `over` is called for each start of which nothing is left. */
void starts_sweep(struct starts *all, const struct sweep *sweep);
#endif
