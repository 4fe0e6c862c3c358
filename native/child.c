#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;

const char *stage_name(int stage)
{
    static const char *const names[] = {"ctl", "cwd", "stdin", "stdout", "stderr", "cgroup", "limits", "fork", "exec"};
    return stage >= 0 && stage < (int)(sizeof names / sizeof *names) ? names[stage] : "exec";
}

static _Noreturn void fail(const struct child_files *files, enum stage stage)
{
    struct failure failure = {stage, errno};
    if (write(files->failure, &failure, sizeof failure) < 0) {
    }
    _exit(127);
}

static bool write_oom_score(const char *text)
{
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT || errno == EROFS; /* a sandbox without it: the command can run all the same */
    ssize_t n = write(fd, text, strlen(text));
    close(fd);
    return n >= 0;
}

/* clone3(2) with CLONE_INTO_CGROUP, since Linux 5.7. A process that enters a cgroup by cgroup.procs waits until every processor of the machine has
 * passed a quiet moment, often tens of milliseconds; one that is made there does not. The kernel's own headers may be older. */
pid_t fork_into(int cgroup)
{
    const uint64_t into_cgroup = UINT64_C(0x200000000);
    struct {
        uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid, set_tid_size, cgroup;
    } args = {.flags = into_cgroup, .exit_signal = SIGCHLD, .cgroup = (uint64_t)cgroup};
#ifdef SYS_clone3
    return (pid_t)syscall(SYS_clone3, &args, sizeof args);
#else
    return (pid_t)syscall(435, &args, sizeof args);
#endif
}

static void set_limits(const struct request *r, const struct child_files *files)
{
    if (r->oom_score_adj && !write_oom_score(r->oom_score_adj))
        fail(files, STAGE_LIMITS);
    /* Who may not go back to a smaller number yields more than was asked, which is what nice is for. */
    if (r->has_nice && setpriority(PRIO_PROCESS, 0, r->nice) < 0 && errno != EACCES && errno != EPERM)
        fail(files, STAGE_LIMITS);
    if (r->has_umask)
        umask(r->umask);
    for (size_t i = 0; i < r->rlimit_count; i++)
        if (setrlimit(r->rlimits[i].what, &r->rlimits[i].limit) < 0)
            fail(files, STAGE_LIMITS);
}

_Noreturn void child_run(const struct request *r, const struct child_files *files)
{
    setsid();
    /* First of all, so that whatever follows is already counted there. */
    if (files->cgroup >= 0 && write(files->cgroup, "0", 1) < 0)
        fail(files, STAGE_CGROUP);
    /* Reset before anything that can block, so that SIGTERM ends even a child that waits for its input to open. */
    signals_to_default();
    set_limits(r, files);
    if (chdir(r->cwd) < 0)
        fail(files, STAGE_CWD);
    /* Opened here, not by the keeper: a FIFO without a writer blocks, and only what can be killed may block. */
    int in = open(r->in, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (in < 0)
        fail(files, STAGE_STDIN);
    if (dup2(in, 0) < 0)
        fail(files, STAGE_STDIN);
    if (dup2(files->out, 1) < 0)
        fail(files, STAGE_STDOUT);
    if (dup2(files->err, 2) < 0)
        fail(files, STAGE_STDERR);
    environ = r->envp; /* the search below must use the run's own PATH */
    execvp(r->argv[0], r->argv);
    fail(files, STAGE_EXEC);
}
