/* A line of `ctl`, read. */
#ifndef ORCA_CTL_REQUEST_H
#define ORCA_CTL_REQUEST_H
#include "util.h"

enum ctl_verb { CTL_PING, CTL_TERM, CTL_KILL };

struct ctl_request {
    enum ctl_verb verb;
    const char *mark, *text; /* parts of the line */
    int64_t grace_ms;
};

/* NULL, or what is wrong with the line. The line is cut up in place. */
const char *ctl_request_read(char *line, struct ctl_request *request);
#endif
