/* The files of a start folder: begun, pid, marks, exit. Each appears whole (temporary name, then rename or link).
 * Nothing is synced: the records are for the crash of processes, not of power; after a reboot the boot id tells all. */
#ifndef ORCA_RECORD_H
#define ORCA_RECORD_H
#include "tree.h"
#include <sys/resource.h>

enum begun { BEGUN_MISSING, BEGUN_YES, BEGUN_VOID };

/* Kernel files of a start's cgroup and the shared counter, as they were read; `known` false: could not be read. */
struct text {
    bool known;
    struct buf bytes;
};

struct exit_facts {
    const char *how;
    int code, signal;  /* -1: null */
    const char *stage; /* NULL unless not started */
    int error;
    bool measured;
    struct rusage usage;
    int64_t started_ms, ended_ms, elapsed_us;
    const struct buf *marks; /* objects, separated by commas */
    const char *cgroup, *shared;
    struct text events, peak, pressure, cpu, oomd_kill, oomd_ooms, before, after;
};

struct pid_record {
    char boot[64];
    pid_t keeper, command;
    unsigned long long keeper_start, command_start;
    long long at_ms;
};

/* The id of this boot, read once. */
const char *boot_id(void);

/* Room for the records of a start, so that they can be written whatever becomes of the disk. 0, or errno; `made` says which
 * files are ours, for rooms_free, which must be called unless the start is begun. */
#define RECORD_ROOMS 3
#define EXIT_DRAFT "exit.tmp"
int rooms_take(int dir, bool *made);
void rooms_free(int dir, const bool *made);

/* 0, or errno; EEXIST when someone was first. */
int begun_create(int dir);
enum begun begun_read(int dir);
/* Makes `begun` say void, so that nobody can begin any more. False when it could not; EEXIST when someone was first. */
bool begun_void(int dir);

void pid_record_text(struct buf *out, const char *uuid, const struct proc *keeper, const struct proc *command, int64_t at_ms);
bool pid_record_read(int dir, struct pid_record *out);

void exit_text(struct buf *out, const struct exit_facts *facts);
/* The record of a start whose keeper died, with the marks that it left. */
void died_text(struct buf *out, int dir);
/* Writes `exit` of a dead keeper's start unless there is one; false when there is none in the end. */
bool died_write(int dir);

/* Adds one object to `marks` (the memory) and a line to the file; true even when only the memory has it. */
void mark_add(int dir, struct buf *marks, const char *mark, int64_t at_ms, int64_t oom_kill, const char *text);
bool record_replace(int dir, const char *name, const char *temporary, const struct buf *text);
#endif
