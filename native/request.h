/* A `start` request, read out of its frame and checked; the strings point into the frame. */
#ifndef ORCA_REQUEST_H
#define ORCA_REQUEST_H
#include "frame.h"
#include <sys/resource.h>

#define REQUEST_RLIMITS 16

struct request {
    const char *folder, *run, *start, *uuid, *cwd, *in, *out, *err;
    const char *cgroup, *enter, *shared, *oom_score_adj; /* NULL: not asked for */
    char **argv, **envp;
    bool has_nice, has_umask;
    int nice;
    mode_t umask;
    struct {
        int what;
        struct rlimit limit;
    } rlimits[REQUEST_RLIMITS];
    size_t rlimit_count;
    int64_t timeout_ms, grace_ms, log_max; /* 0: none */
};

/* NULL, or what is wrong with it. `run` and `start` are set whenever the frame has them. */
const char *request_read(const struct frame *frame, struct request *request);
void request_free(struct request *request);
/* Digits only. */
bool is_digits(const char *text);
bool is_uuid(const char *text);
#endif
