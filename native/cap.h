/* Keeps a growing log under its cap: the middle is given back to the disk, its first quarter and its newest part stay. */
#ifndef ORCA_CAP_H
#define ORCA_CAP_H
#include <stdbool.h>
#include <stdint.h>

struct log_cap {
    int fd;           /* -1: there is no cap, or the file system has no holes */
    const char *path; /* absolute */
    int64_t max, size, from, to; /* `from` and `to`: what is gone; both 0 while nothing is */
};

/* A cap of 0 bytes is none. */
void cap_open(struct log_cap *cap, const char *path, int64_t max);
/* Looks at the log, and cuts it when it is over. True when it has grown since the last look. */
bool cap_look(struct log_cap *cap);
#endif
