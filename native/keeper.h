/* One start, from `begun` to the end of its tree. */
#ifndef ORCA_KEEPER_H
#define ORCA_KEEPER_H
#include "request.h"

enum report_kind { REPORT_RUNNING = 1, REPORT_VOID, REPORT_REFUSED };
enum refusal { REFUSED_REQUEST, REFUSED_FOLDER, REFUSED_BEGUN, REFUSED_FORK };

/* What a keeper tells the resident over their pipe; small enough that a write is whole or not at all. */
struct report {
    int32_t kind, refusal, error;
    pid_t keeper, command;
};

#define KEEPER_FINISHED 0 /* its exit status when nothing of the tree is left, or nothing was begun and that was reported */

struct keeper_files {
    int report;  /* write end of the resident's pipe */
    int signals; /* signalfd of SIGCHLD, which is blocked */
};

/* Never returns. */
_Noreturn void keeper_run(const struct request *request, const struct keeper_files *files);
#endif
