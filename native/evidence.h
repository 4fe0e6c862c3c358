/* What the kernel says of a start's end: files of its cgroup, and the shared counter. */
#ifndef ORCA_EVIDENCE_H
#define ORCA_EVIDENCE_H
#include "record.h"

/* The `oom_kill` number of a memory.events, -1 when it cannot be read or `cgroup` is NULL. */
int64_t cgroup_oom_kill(const char *cgroup);
/* Fills the cgroup's texts of the facts. */
void evidence_cgroup(struct exit_facts *facts, const char *cgroup);
/* Reads the shared counter; of /proc/vmstat only the `oom_kill` line is kept. */
void evidence_shared(struct text *out, const char *file);
#endif
