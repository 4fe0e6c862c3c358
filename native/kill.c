#include "kill.h"

#include "ctl.h"
#include "record.h"
#include "request.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE_MS 30000

enum { TREE_GONE = 0, SOME_LEFT = 1, BAD_USAGE = 2, KEEPER_ALIVE = 3 };

/* Whether the recorded process still is that one: same boot, same start time, not a zombie. */
static bool is_alive(const struct pid_record *record, pid_t pid, unsigned long long start)
{
    struct proc p;
    return strcmp(record->boot, boot_id()) == 0 && proc_read(pid, &p) && p.start == start && p.state != 'Z' && p.state != 'X';
}

static bool keeper_alive(const struct pid_record *record, bool known)
{
    struct buf answer = {0};
    /* A socket that answers is proof, also before the pid record was written. */
    bool alive = (known && is_alive(record, record->keeper, record->keeper_start)) || ctl_ask(".", "ping", &answer);
    buf_free(&answer);
    return alive;
}

/* One pass; how many were still alive. */
static size_t pass(const struct pid_record *record, bool known, const char *uuid, const char *cgroup)
{
    struct procs all = {0};
    size_t alive = 0;
    if (cgroup)
        cgroup_kill(cgroup);
    if (!procs_read(&all))
        return 1;
    struct proc *self = procs_find(&all, getpid());
    if (self)
        self->spared = true;
    for (size_t i = 0; i < all.count; i++) {
        struct proc *p = &all.list[i];
        char value[72];
        if (p->spared || p->state == 'Z')
            continue;
        /* The command may have replaced its environment; its record still names it. */
        bool recorded = known && p->pid == record->command && is_alive(record, p->pid, record->command_start);
        p->chosen = recorded || (proc_orca_start(p->pid, value, sizeof value) && strcmp(value, uuid) == 0);
    }
    procs_choose_descendants(&all);
    alive = procs_kill_chosen(&all);
    procs_free(&all);
    return alive + (cgroup && cgroup_populated(cgroup));
}

int kill_run(const char *folder, const char *uuid, const char *cgroup)
{
    struct pid_record record;
    if (!is_uuid(uuid) || (cgroup && *cgroup != '/') || chdir(folder) < 0) {
        fprintf(stderr, "orca-keep: usage: orca-keep kill FOLDER UUID [CGROUP], with a folder that is there%s%s\n",
                errno ? ": " : "", errno ? strerror(errno) : "");
        return BAD_USAGE;
    }
    int dir = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    bool known = pid_record_read(dir, &record);
    if (keeper_alive(&record, known))
        return KEEPER_ALIVE;
    int64_t until = monotonic_ms() + PATIENCE_MS;
    for (int wait = 20; pass(&record, known, uuid, cgroup) > 0; wait = wait < 200 ? wait * 2 : 200) {
        if (monotonic_ms() >= until)
            return SOME_LEFT;
        poll(NULL, 0, wait);
    }
    if (begun_read(dir) == BEGUN_YES)
        died_write(dir);
    unlinkat(dir, "ctl", 0);
    return TREE_GONE;
}
