/* Starting a daemon again: which program, when, and when no more. */
#ifndef ORCA_REVIVE_H
#define ORCA_REVIVE_H
#include "frame.h"

#define REVIVE_FIRST_MS 100
#define REVIVE_LAST_MS 30000
#define REVIVE_STAYED_MS 10000
/* With nothing running and nothing queued, a program that never stays is given up after this many tries (about a minute). */
#define REVIVE_IDLE_TRIES 9
#define DAEMON_NOT_IN_CHARGE 3

struct program {
    char **argv, **envp;
    char *log;
};

struct revive {
    struct program program;
    bool stays;   /* as init: also a daemon without work is started again, and its output goes where ours goes */
    bool known;   /* a daemon named the program */
    bool ended;   /* goodbye, or another daemon is in charge: never start one */
    bool at_once; /* handover */
    bool queued;
    int tries; /* since a daemon last stayed */
    int64_t wait_ms, at; /* monotonic ms of the next try; -1: none planned */
    int64_t connected_at;
    pid_t *daemons; /* those that we started and that have not ended */
    size_t daemon_count, daemon_cap;
    int last_status; /* of wait(2), of the daemon that ended last */
    mode_t umask;
};

void revive_init(struct revive *r, mode_t inherited_umask);
/* As init: the program that is started at once, with our own environment. */
void revive_as_init(struct revive *r, char **argv);
/* False: the frame is not a program. */
bool revive_program(struct revive *r, const struct frame *frame);
/* The stream ended: plans the next daemon, or none. */
void revive_stream_ended(struct revive *r, size_t active);
/* Starts the planned daemon; the new stream's descriptor, or -1 (then the next try is planned or given up). */
int revive_start(struct revive *r, size_t active);
/* Starts none any more and passes the signal on to those that live. */
void revive_stop(struct revive *r, int signal);
/* True when the dead child was a daemon of ours. */
bool revive_reaped(struct revive *r, pid_t pid, int status);
void revive_free(struct revive *r);
#endif
