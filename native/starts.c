#include "starts.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *copy(const char *text)
{
    size_t n = strlen(text) + 1;
    return memcpy(must_alloc(NULL, n), text, n);
}

struct start *starts_add(struct starts *all, const struct request *r, pid_t keeper)
{
    struct start *s = must_alloc(NULL, sizeof *s);
    *s = (struct start){.keeper = keeper,
                        .folder = copy(r->folder),
                        .run = copy(r->run),
                        .number = copy(r->start),
                        .uuid = copy(r->uuid),
                        .cgroup = r->cgroup ? copy(r->cgroup) : NULL};
    if (all->count == all->cap) {
        all->cap = all->cap ? all->cap * 2 : 16;
        all->list = must_alloc(all->list, all->cap * sizeof *all->list);
    }
    all->list[all->count++] = s;
    return s;
}

/* A dead keeper's number can be another process's by now, so only living ones are found by it. */
struct start *starts_find(const struct starts *all, pid_t keeper)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->list[i]->keeper == keeper && !all->list[i]->keeper_dead)
            return all->list[i];
    return NULL;
}

void starts_remove(struct starts *all, struct start *s)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->list[i] == s) {
            all->list[i] = all->list[--all->count];
            break;
        }
    free(s->folder);
    free(s->run);
    free(s->number);
    free(s->uuid);
    free(s->cgroup);
    free(s);
}

size_t starts_dead_keepers(const struct starts *all)
{
    size_t n = 0;
    for (size_t i = 0; i < all->count; i++)
        n += all->list[i]->keeper_dead;
    return n;
}

static struct start *dead_start_of(const struct starts *all, pid_t pid)
{
    char uuid[72];
    if (!proc_orca_start(pid, uuid, sizeof uuid))
        return NULL;
    for (size_t i = 0; i < all->count; i++)
        if (all->list[i]->keeper_dead && strcmp(all->list[i]->uuid, uuid) == 0)
            return all->list[i];
    return NULL;
}

static void spare(struct procs *procs, pid_t pid)
{
    struct proc *p = procs_find(procs, pid);
    if (p)
        p->spared = true;
}

/* The leader may have replaced its environment; its record still names it. */
static void choose_recorded(struct procs *procs, const struct start *s)
{
    struct pid_record record;
    int dir = open(s->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (dir >= 0 && pid_record_read(dir, &record)) {
        struct proc *p = procs_find(procs, record.command);
        if (p && p->start == record.command_start && p->state != 'Z')
            p->chosen = true;
    }
    if (dir >= 0)
        close(dir);
}

void starts_sweep(struct starts *all, const struct sweep *sweep)
{
    struct procs procs = {0};
    pid_t self = getpid();
    for (size_t i = 0; i < all->count; i++)
        if (all->list[i]->keeper_dead && all->list[i]->cgroup)
            cgroup_kill(all->list[i]->cgroup);
    if (!procs_read(&procs))
        return;
    spare(&procs, self);
    for (size_t i = 0; i < all->count; i++)
        if (!all->list[i]->keeper_dead)
            spare(&procs, all->list[i]->keeper);
    for (size_t i = 0; i < sweep->daemon_count; i++)
        spare(&procs, sweep->daemons[i]);
    for (size_t i = 0; sweep->anybodys && i < all->count; i++)
        if (all->list[i]->keeper_dead)
            choose_recorded(&procs, all->list[i]);
    for (size_t i = 0; i < procs.count; i++) {
        struct proc *p = &procs.list[i];
        if (p->spared || p->state == 'Z')
            continue;
        if (p->parent == self && proc_is_resident(p->pid))
            p->spared = true; /* another daemon's, orphaned by that daemon's death */
        else if ((p->parent == self && !sweep->anybodys) || dead_start_of(all, p->pid))
            p->chosen = true;
    }
    procs_choose_descendants(&procs);
    size_t alive = procs_kill_chosen(&procs);
    procs_free(&procs);
    if (alive > 0)
        return;
    for (size_t i = all->count; i-- > 0;)
        if (all->list[i]->keeper_dead)
            sweep->over(sweep->context, all->list[i]);
}
