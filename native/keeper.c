#include "keeper.h"

#include "cap.h"
#include "child.h"
#include "ctl-request.h"
#include "ctl.h"
#include "evidence.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SWEEP_FIRST_MS 20
#define SWEEP_LAST_MS 200
#define NEVER INT64_MAX
/* How soon a log that grows is looked at again, and at last one that does not. */
#define LOOK_FIRST_MS 25
#define LOOK_LAST_MS 1600

struct keeper {
    const struct request *request;
    const struct keeper_files *files;
    struct ctl ctl;
    struct proc self, command;
    pid_t leader;
    int failure_fd; /* the child's pipe; -1 once it has closed */
    struct failure failure;
    bool failed;
    bool leader_ended, tree_ended, recorded;
    int status;
    struct rusage usage;
    int64_t started_us, started_ms, ended_us, ended_ms;
    int64_t limit_at, kill_at, look_at; /* monotonic ms, NEVER */
    int64_t look_ms;
    struct log_cap caps[2];
    int64_t sweep_ms;
    struct buf marks;
    struct text before;
    struct exit_facts facts;
    struct buf record;
};

static void report(const struct keeper *k, int kind, int refusal, int error)
{
    struct report r = {kind, refusal, error, getpid(), k->leader};
    /* Without a resident nobody hears it; the folder says the same. */
    while (write(k->files->report, &r, sizeof r) < 0 && errno == EINTR)
        ;
}

static _Noreturn void give_up(const struct keeper *k, int kind, int refusal, int error)
{
    report(k, kind, refusal, error);
    _exit(KEEPER_FINISHED);
}

/* ---- the exit record ---- */

static void fill_facts(struct keeper *k)
{
    struct exit_facts *f = &k->facts;
    f->code = f->signal = -1;
    f->started_ms = k->started_ms;
    f->ended_ms = k->ended_ms;
    f->elapsed_us = k->ended_us - k->started_us;
    f->marks = &k->marks;
    if (k->failed) {
        f->how = "not-started";
        f->stage = stage_name(k->failure.stage);
        f->error = k->failure.error;
    } else if (WIFSIGNALED(k->status)) {
        f->how = "signalled";
        f->signal = WTERMSIG(k->status);
    } else {
        f->how = "exited";
        f->code = WEXITSTATUS(k->status);
    }
    f->measured = !k->failed;
    f->usage = k->usage;
    if (k->request->cgroup)
        evidence_cgroup(f, k->request->cgroup);
    if (k->request->shared) {
        f->shared = k->request->shared;
        f->before = k->before;
        evidence_shared(&f->after, k->request->shared);
    }
}

/* True when the record is there, or can never be because its folder is gone. */
static bool write_record(struct keeper *k)
{
    k->recorded = k->recorded || record_replace(AT_FDCWD, "exit", EXIT_DRAFT, &k->record) || errno == ENOENT;
    return k->recorded;
}

static void leader_over(struct keeper *k)
{
    k->ended_us = monotonic_us();
    k->ended_ms = wall_ms();
    fill_facts(k);
    exit_text(&k->record, &k->facts);
    write_record(k);
}

/* Room was taken for it, but where that was not enough (a longer record, a file system that copies on write) the disk may
 * have some later: the run's end is not given up for it. */
static void insist_on_record(struct keeper *k)
{
    for (int64_t wait = 100; !write_record(k); wait = wait < 5000 ? wait * 2 : 5000)
        poll(NULL, 0, (int)wait);
}

/* A start that failed in the keeper's own hands, before there was a child. */
static _Noreturn void not_started(struct keeper *k, enum stage stage, int error)
{
    k->failed = true;
    k->failure = (struct failure){stage, error};
    k->started_us = monotonic_us();
    k->started_ms = wall_ms();
    leader_over(k);
    insist_on_record(k);
    unlink("marks.tmp");
    unlink("ctl");
    _exit(KEEPER_FINISHED);
}

/* ---- watching ---- */

static void read_failure(struct keeper *k)
{
    struct failure failure;
    if (k->failure_fd < 0)
        return;
    ssize_t n = read(k->failure_fd, &failure, sizeof failure);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    close(k->failure_fd);
    k->failure_fd = -1;
    if (n == (ssize_t)sizeof failure) {
        k->failed = true;
        k->failure = failure;
    } else {
        report(k, REPORT_RUNNING, 0, 0); /* the pipe closed by itself: exec succeeded */
    }
}

/* Takes every dead child. As a subreaper's descendants stay its own, having no child means that nothing of the tree is
 * left: no look at /proc is needed for an ordinary end. */
static void reap(struct keeper *k)
{
    for (;;) {
        int status;
        struct rusage usage;
        pid_t pid = wait4(-1, &status, WNOHANG | __WALL, &usage);
        if (pid < 0 && errno == EINTR)
            continue;
        k->tree_ended = pid < 0;
        if (pid <= 0)
            return;
        if (pid == k->leader && !k->leader_ended) {
            k->leader_ended = true;
            k->status = status;
            k->usage = usage;
            read_failure(k);
            leader_over(k);
            if (k->kill_at == NEVER)
                k->kill_at = monotonic_ms(); /* no grace was given, so none is left */
        }
    }
}

/* SIGKILL to all that descends from us. */
static void sweep(struct keeper *k)
{
    struct procs all = {0};
    if (k->request->cgroup)
        cgroup_kill(k->request->cgroup);
    if (procs_read(&all)) {
        struct proc *self = procs_find(&all, getpid());
        if (self)
            self->chosen = true;
        procs_choose_descendants(&all);
        if (self)
            self->chosen = false;
        procs_kill_chosen(&all);
    }
    procs_free(&all);
}

/* The leader's process group, and the leader itself while it has not made its group yet. It is our own child and not
 * reaped yet (see the callers), so its number cannot have become another process's. */
static void signal_leader(const struct keeper *k, int signal)
{
    if (kill(-k->leader, signal) < 0 && errno == ESRCH)
        kill(k->leader, signal);
}

static void mark(struct keeper *k, const char *name, const char *text)
{
    char key[40];
    snprintf(key, sizeof key, "{\"mark\":\"%s\"", name);
    if (strcmp(name, "none") == 0 || (k->marks.len && strstr(k->marks.data, key)))
        return;
    int64_t oom_kill = cgroup_oom_kill(k->request->cgroup);
    mark_add(AT_FDCWD, &k->marks, name, wall_ms(), oom_kill, text);
}

static void terminate(struct keeper *k, int64_t grace_ms)
{
    int64_t at = monotonic_ms() + grace_ms;
    if (at < k->kill_at)
        k->kill_at = at;
    signal_leader(k, SIGTERM);
    signal_leader(k, SIGCONT);
}

static void time_limit(struct keeper *k)
{
    char text[80];
    snprintf(text, sizeof text, "the time limit of %lld ms had passed", (long long)k->request->timeout_ms);
    k->limit_at = NEVER;
    mark(k, "timer", text);
    terminate(k, k->request->grace_ms);
}

static void answer_line(void *context, char *line, struct buf *answer)
{
    struct keeper *k = context;
    struct ctl_request request;
    reap(k); /* a leader that is dead already must not be marked */
    const char *problem = ctl_request_read(line, &request);
    if (k->leader_ended) {
        buf_str(answer, "ended");
    } else if (problem) {
        buf_fmt(answer, "error %s", problem);
    } else if (request.verb == CTL_PING) {
        buf_fmt(answer, "alive %d", (int)k->leader);
    } else {
        mark(k, request.mark, request.text);
        if (request.verb == CTL_TERM)
            terminate(k, request.grace_ms);
        else
            k->kill_at = 0; /* at once, when the loop comes round */
        buf_str(answer, "done");
    }
}

static void look_at_logs(struct keeper *k)
{
    bool grown = cap_look(&k->caps[0]);
    grown = cap_look(&k->caps[1]) || grown;
    bool any = k->caps[0].fd >= 0 || k->caps[1].fd >= 0;
    k->look_ms = grown ? LOOK_FIRST_MS : k->look_ms * 2 < LOOK_LAST_MS ? k->look_ms * 2 : LOOK_LAST_MS;
    k->look_at = any ? monotonic_ms() + k->look_ms : NEVER;
}

static int wait_ms(const struct keeper *k)
{
    int64_t next = k->kill_at < k->look_at ? k->kill_at : k->look_at, now = monotonic_ms();
    if (!k->leader_ended && k->limit_at < next)
        next = k->limit_at;
    if (next == NEVER)
        return -1;
    return next <= now ? 0 : next - now > 60000 ? 60000 : (int)(next - now);
}

static void watch(struct keeper *k)
{
    struct pollfd fds[3 + CTL_CLIENTS];
    for (;;) {
        read_failure(k);
        reap(k);
        if (k->tree_ended)
            return;
        int64_t now = monotonic_ms();
        if (!k->leader_ended && now >= k->limit_at)
            time_limit(k);
        if (now >= k->look_at)
            look_at_logs(k);
        if (now >= k->kill_at) {
            sweep(k);
            k->kill_at = monotonic_ms() + k->sweep_ms;
            k->sweep_ms = k->sweep_ms < SWEEP_LAST_MS ? k->sweep_ms * 2 : SWEEP_LAST_MS;
        }
        fds[0] = (struct pollfd){.fd = k->files->signals, .events = POLLIN};
        fds[1] = (struct pollfd){.fd = k->failure_fd, .events = POLLIN};
        size_t count = ctl_poll_fds(&k->ctl, fds + 2);
        if (poll(fds, (nfds_t)(count + 2), wait_ms(k)) < 0)
            continue;
        struct signalfd_siginfo info;
        if (fds[0].revents && read(k->files->signals, &info, sizeof info) < 0) {
        }
        ctl_serve(&k->ctl, fds + 2, count, answer_line, k);
    }
}

/* ---- starting ---- */

static void start_command(struct keeper *k)
{
    const struct request *r = k->request;
    struct child_files files = {.cgroup = -1};
    int pipes[2], folder = -1, error = ctl_open(&k->ctl);
    if (error)
        not_started(k, STAGE_CTL, error);
    const char *enter = r->cgroup ? r->cgroup : r->enter; /* the latter is another start's: entered, and no more */
    if (enter) {
        struct buf path = {0};
        folder = open(enter, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        buf_str(&path, enter);
        buf_str(&path, "/cgroup.procs");
        files.cgroup = open(path.data, O_WRONLY | O_CLOEXEC);
        if (files.cgroup < 0)
            not_started(k, STAGE_CGROUP, errno);
        buf_free(&path);
    }
    files.out = open(r->out, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0600);
    if (files.out < 0)
        not_started(k, STAGE_STDOUT, errno);
    files.err = open(r->err, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0600);
    if (files.err < 0)
        not_started(k, STAGE_STDERR, errno);
    if (r->shared)
        evidence_shared(&k->before, r->shared);
    if (pipe2(pipes, O_CLOEXEC | O_NONBLOCK) < 0)
        not_started(k, STAGE_FORK, errno);
    files.failure = pipes[1];
    proc_read(getpid(), &k->self);
    k->started_us = monotonic_us();
    k->started_ms = wall_ms();
    pid_t pid = folder < 0 ? -1 : fork_into(folder);
    const bool inside = pid >= 0;
    if (!inside)
        pid = fork();
    if (pid < 0)
        not_started(k, STAGE_FORK, errno);
    if (pid == 0) {
        if (inside)
            files.cgroup = -1;
        child_run(r, &files);
    }
    k->leader = pid;
    k->failure_fd = pipes[0];
    close(pipes[1]);
    close(files.out);
    close(files.err);
    if (files.cgroup >= 0)
        close(files.cgroup);
    if (folder >= 0)
        close(folder);
    cap_open(&k->caps[0], r->out, r->log_max);
    cap_open(&k->caps[1], r->err, r->log_max);
    if (k->caps[0].fd >= 0 || k->caps[1].fd >= 0)
        k->look_at = k->started_us / 1000 + LOOK_FIRST_MS;
    if (r->timeout_ms > 0)
        k->limit_at = k->started_us / 1000 + r->timeout_ms;

    struct buf text = {0};
    proc_read(pid, &k->command); /* our own child, not reaped: always there */
    pid_record_text(&text, r->uuid, &k->self, &k->command, k->started_ms);
    record_replace(AT_FDCWD, "pid", "pid.tmp", &text);
    buf_free(&text);
}

/* Makes `begun`, with room for all that must be written once it is there. */
static void begin(const struct keeper *k)
{
    bool made[RECORD_ROOMS] = {false};
    if (begun_read(AT_FDCWD) != BEGUN_MISSING)
        give_up(k, REPORT_VOID, 0, 0);
    int no_room = rooms_take(AT_FDCWD, made);
    int error = no_room ? no_room : begun_create(AT_FDCWD);
    if (!error)
        return;
    rooms_free(AT_FDCWD, made);
    if (!no_room && error == EEXIST)
        give_up(k, REPORT_VOID, 0, 0);
    give_up(k, REPORT_REFUSED, no_room ? REFUSED_FOLDER : REFUSED_BEGUN, error);
}

_Noreturn void keeper_run(const struct request *r, const struct keeper_files *files)
{
    struct keeper k = {.request = r,
                       .files = files,
                       .failure_fd = -1,
                       .limit_at = NEVER,
                       .kill_at = NEVER,
                       .look_at = NEVER,
                       .look_ms = LOOK_FIRST_MS,
                       .sweep_ms = SWEEP_FIRST_MS};
    struct buf title = {0};
    buf_fmt(&title, "orca-keep keeper %s.%s", r->run, r->start);
    title_set(title.data);
    buf_free(&title);
    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    mode_t inherited = umask(077);
    if (chdir(r->folder) < 0)
        give_up(&k, REPORT_REFUSED, REFUSED_FOLDER, errno);
    begin(&k);
    struct request own = *r;
    if (!own.has_umask) {
        own.has_umask = true;
        own.umask = inherited;
    }
    k.request = &own;
    start_command(&k);
    watch(&k);
    if (own.cgroup && cgroup_populated(own.cgroup))
        cgroup_kill(own.cgroup); /* what came into the cgroup without descending from the command */
    look_at_logs(&k);
    insist_on_record(&k);
    unlink("marks.tmp");
    ctl_close(&k.ctl, answer_line, &k);
    _exit(KEEPER_FINISHED);
}
