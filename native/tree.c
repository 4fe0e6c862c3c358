#include "tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel lets arguments and environment have 6 MiB together at most. */
#define ENVIRON_MAX (8u << 20)

/* The numbers are the same on every architecture; older C libraries do not name them. */
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif

int pidfd_open_pid(pid_t pid)
{
    return (int)syscall(SYS_pidfd_open, pid, 0); /* close-on-exec by itself */
}

bool proc_read(pid_t pid, struct proc *out)
{
    char path[40], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0)
        return false;
    text[n] = 0;
    /* The name may hold anything, parentheses too: what follows the last one is numbers. */
    char *rest = strrchr(text, ')');
    int parent;
    unsigned long long start;
    char state;
    if (!rest || sscanf(rest + 1, " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &state,
                        &parent, &start) != 3)
        return false;
    *out = (struct proc){.pid = pid, .parent = parent, .start = start, .state = state};
    return true;
}

static int by_pid(const void *a, const void *b)
{
    pid_t x = ((const struct proc *)a)->pid, y = ((const struct proc *)b)->pid;
    return (x > y) - (x < y);
}

bool procs_read(struct procs *all)
{
    all->count = 0;
    DIR *dir = opendir("/proc");
    if (!dir)
        return false;
    for (struct dirent *entry; (entry = readdir(dir));) {
        int64_t pid;
        struct proc p;
        if (!parse_number(entry->d_name, INT32_MAX, &pid) || !proc_read((pid_t)pid, &p))
            continue;
        if (all->count == all->cap) {
            all->cap = all->cap ? all->cap * 2 : 256;
            all->list = must_alloc(all->list, all->cap * sizeof *all->list);
        }
        all->list[all->count++] = p;
    }
    closedir(dir);
    if (all->count)
        qsort(all->list, all->count, sizeof *all->list, by_pid);
    return true;
}

void procs_free(struct procs *all)
{
    free(all->list);
    *all = (struct procs){0};
}

struct proc *procs_find(struct procs *all, pid_t pid)
{
    struct proc key = {.pid = pid};
    return all->count ? bsearch(&key, all->list, all->count, sizeof key, by_pid) : NULL;
}

void procs_choose_descendants(struct procs *all)
{
    /* Parents mostly have the smaller number, so a pass or two is enough. */
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < all->count; i++) {
            struct proc *p = &all->list[i];
            if (p->chosen || p->spared)
                continue;
            const struct proc *parent = procs_find(all, p->parent);
            if (parent && parent->chosen)
                changed = p->chosen = true;
        }
    }
}

bool proc_orca_start(pid_t pid, char *value, size_t size)
{
    static const char name[] = "ORCA_START=";
    char path[40];
    struct buf text = {0};
    bool found = false;
    snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    if (read_file(AT_FDCWD, path, &text, ENVIRON_MAX) && text.len)
        for (char *entry = text.data; entry < text.data + text.len && !found; entry += strlen(entry) + 1)
            if (strncmp(entry, name, sizeof name - 1) == 0) {
                found = true;
                snprintf(value, size, "%s", entry + sizeof name - 1);
            }
    buf_free(&text);
    return found;
}

bool proc_is_resident(pid_t pid)
{
    static const char title[] = "orca-keep resident";
    char path[40];
    struct buf text = {0};
    snprintf(path, sizeof path, "/proc/%d/cmdline", (int)pid);
    bool is = read_file(AT_FDCWD, path, &text, 64) && text.len >= sizeof title - 1 &&
              memcmp(text.data, title, sizeof title - 1) == 0;
    buf_free(&text);
    return is;
}

bool proc_signal(const struct proc *p, int signal)
{
    struct proc now;
    int fd = pidfd_open_pid(p->pid);
    if (fd < 0) {
        /* A kernel without pidfds (before 5.3): only an own child that nobody but us can reap is surely the same. */
        if (errno == ENOSYS && proc_read(p->pid, &now) && now.start == p->start && now.parent == getpid())
            return kill(p->pid, signal) == 0;
        return false;
    }
    bool sent = proc_read(p->pid, &now) && now.start == p->start &&
                syscall(SYS_pidfd_send_signal, fd, signal, NULL, 0) == 0;
    close(fd);
    return sent;
}

size_t procs_kill_chosen(const struct procs *all)
{
    size_t alive = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct proc *p = &all->list[i];
        if (!p->chosen || p->state == 'Z' || p->state == 'X')
            continue;
        alive++;
        proc_signal(p, SIGKILL);
    }
    return alive;
}

static bool cgroup_path(char *out, size_t size, const char *cgroup, const char *file)
{
    int n = snprintf(out, size, "%s/%s", cgroup, file);
    return n > 0 && (size_t)n < size;
}

bool cgroup_kill(const char *cgroup)
{
    char path[4096];
    return cgroup_path(path, sizeof path, cgroup, "cgroup.kill") && write_kernel_file(path, "1");
}

bool cgroup_populated(const char *cgroup)
{
    char path[4096];
    struct buf text = {0};
    bool yes = cgroup_path(path, sizeof path, cgroup, "cgroup.events") && read_file(AT_FDCWD, path, &text, 4096) &&
               strstr(text.data, "populated 1");
    buf_free(&text);
    return yes;
}
