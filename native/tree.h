/* The processes of this machine as /proc shows them, and signals that reach the right one. */
#ifndef ORCA_TREE_H
#define ORCA_TREE_H
#include "util.h"

struct proc {
    pid_t pid, parent;
    uint64_t start; /* clock ticks since boot: with the pid, a name that is never reused in one boot */
    char state;
    bool chosen, spared;
};

struct procs {
    struct proc *list; /* ordered by pid */
    size_t count, cap;
};

/* False when there is no such process (any more). */
bool proc_read(pid_t pid, struct proc *out);
bool procs_read(struct procs *all);
void procs_free(struct procs *all);
struct proc *procs_find(struct procs *all, pid_t pid);
/* Chooses all descendants of chosen processes; one that is spared is left out with its own descendants. */
void procs_choose_descendants(struct procs *all);
/* The value of ORCA_START in a process's environment; false when it has none or cannot be read. */
bool proc_orca_start(pid_t pid, char *value, size_t size);
/* Whether its command line begins with the two words `orca-keep resident`. */
bool proc_is_resident(pid_t pid);

/* Opens a pidfd, reads the process again, and signals it only if it is still the same one. */
bool proc_signal(const struct proc *p, int signal);
/* Sends SIGKILL to every chosen process that is not dead yet; how many such there were. */
size_t procs_kill_chosen(const struct procs *all);

/* Ends what is in a cgroup, at once. False when it could not. */
bool cgroup_kill(const char *cgroup);
/* Whether cgroup.events says that a process is left. */
bool cgroup_populated(const char *cgroup);

int pidfd_open_pid(pid_t pid);
#endif
