/* Between fork and exec: the command's own process. */
#ifndef ORCA_CHILD_H
#define ORCA_CHILD_H
#include "request.h"

#include <sys/types.h>

/* What the child sends over its close-on-exec pipe when it cannot become the command. */
struct failure {
    int32_t stage, error;
};

enum stage { STAGE_CTL, STAGE_CWD, STAGE_STDIN, STAGE_STDOUT, STAGE_STDERR, STAGE_CGROUP, STAGE_LIMITS, STAGE_FORK, STAGE_EXEC };
const char *stage_name(int stage);

struct child_files {
    int out, err, cgroup, failure; /* cgroup -1: none */
};

/* A child, as fork(2) makes one; in a cgroup from its first moment when `cgroup` is its folder, opened. -1 where this kernel, or what
 * guards its calls, does not do that. */
pid_t fork_into(int cgroup);
/* Never returns. Only async-signal-safe calls. */
_Noreturn void child_run(const struct request *request, const struct child_files *files);
#endif
