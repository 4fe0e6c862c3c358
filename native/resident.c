#include "resident.h"

#include "revive.h"
#include "say.h"
#include "starts.h"
#include "stream.h"

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
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#define CLOSE_RANGE_ON_EXEC 4u

#define SWEEP_FIRST_MS 20
#define SWEEP_LAST_MS 200

struct resident {
    struct stream stream;
    struct revive revive;
    struct starts starts;
    int signals, reports[2];
    int stops; /* as init: signalfd of SIGTERM and SIGINT; else -1 */
    bool stopping;
    bool draining_stream; /* the daemon is gone: what it left in the stream starts nothing any more */
    int64_t sweep_at, sweep_ms;
};

/* ---- signals ---- */

static sigset_t stop_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    return set;
}

/* Blocks SIGCHLD, which it returns, and nothing else but, where asked, what stops an init. */
static sigset_t block(bool stops)
{
    sigset_t children, all = stop_signals();
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigaddset(&all, SIGCHLD);
    sigprocmask(SIG_SETMASK, stops ? &all : &children, NULL);
    return children;
}

/* ---- keepers ---- */

static int open_folder(const struct start *s)
{
    return open(s->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Nothing is left of the tree of a start whose keeper died. */
static void dead_keeper_over(void *context, struct start *s)
{
    struct resident *r = context;
    int dir = open_folder(s);
    enum begun begun = dir < 0 ? BEGUN_YES : begun_read(dir);
    /* A keeper that died before it began anything: make sure that nobody can. */
    if (begun == BEGUN_MISSING)
        begun = begun_void(dir) ? BEGUN_VOID : begun_read(dir);
    if (begun == BEGUN_VOID) {
        say_void(&r->stream, s);
    } else {
        if (dir >= 0) {
            died_write(dir);
            unlinkat(dir, "ctl", 0);
        }
        say_ended(&r->stream, s, dir);
    }
    if (dir >= 0)
        close(dir);
    starts_remove(&r->starts, s);
}

static void keeper_ended(struct resident *r, struct start *s, int status)
{
    if (!(WIFEXITED(status) && WEXITSTATUS(status) == KEEPER_FINISHED)) {
        s->keeper_dead = true;
        r->sweep_at = 0;
        r->sweep_ms = SWEEP_FIRST_MS;
        return;
    }
    if (!s->reported) {
        int dir = open_folder(s);
        say_ended(&r->stream, s, dir);
        if (dir >= 0)
            close(dir);
    }
    starts_remove(&r->starts, s);
}

static void take_reports(struct resident *r)
{
    struct report report;
    while (read(r->reports[0], &report, sizeof report) == (ssize_t)sizeof report) {
        struct start *s = starts_find(&r->starts, report.keeper);
        if (!s)
            continue;
        s->reported = report.kind != REPORT_RUNNING;
        if (report.kind == REPORT_VOID)
            say_void(&r->stream, s);
        else if (report.kind == REPORT_REFUSED)
            say_refused(&r->stream, s->run, s->number, report.refusal, report.error, NULL);
        else
            say_running(&r->stream, s, report.command);
    }
}

static void reap(struct resident *r)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG | __WALL)) > 0 || (pid < 0 && errno == EINTR)) {
        if (pid < 0 || revive_reaped(&r->revive, pid, status))
            continue;
        take_reports(r); /* what a keeper said before its end comes first */
        struct start *s = starts_find(&r->starts, pid);
        if (s)
            keeper_ended(r, s, status);
    }
}

static void start_keeper(struct resident *r, const struct frame *frame)
{
    struct request request;
    const char *problem = request_read(frame, &request);
    if (problem) {
        say_refused(&r->stream, request.run ? request.run : "", request.start ? request.start : "", REFUSED_REQUEST, EINVAL,
                    problem);
        request_free(&request);
        return;
    }
    pid_t pid = fork();
    if (pid == 0) {
        struct keeper_files files = {.report = r->reports[1], .signals = r->signals};
        /* The daemon must see the stream end when the resident dies, whatever keepers live on. */
        close(r->stream.fd);
        close(r->reports[0]);
        if (r->stops >= 0) {
            close(r->stops);
            block(false);
        }
        keeper_run(&request, &files);
    }
    if (pid < 0)
        say_refused(&r->stream, request.run, request.start, REFUSED_FORK, errno, NULL);
    else
        starts_add(&r->starts, &request, pid);
    request_free(&request);
}

/* ---- from the daemon ---- */

static bool handle_frame(void *context, const struct frame *f)
{
    struct resident *r = context;
    const struct field *verb = &f->fields[0];
    if (field_is(verb, "start")) {
        if (!r->draining_stream)
            start_keeper(r, f);
        return true;
    }
    if (field_is(verb, "work")) {
        const struct field *queued = frame_get(f, "queued");
        r->revive.queued = queued && field_is(queued, "1");
        return queued != NULL;
    }
    if (field_is(verb, "goodbye")) {
        r->revive.ended = true;
        return true;
    }
    if (field_is(verb, "handover"))
        return r->revive.at_once = revive_program(&r->revive, f);
    return field_is(verb, "program") && revive_program(&r->revive, f);
}

static void stream_over(struct resident *r)
{
    stream_close(&r->stream);
    r->draining_stream = false;
    revive_stream_ended(&r->revive, r->starts.count);
}

/* The daemon is gone, or does not listen. Its last words (handover, goodbye) count; what it asked for and we had not read
 * yet is never carried out. */
static void hang_up(struct resident *r)
{
    r->draining_stream = true;
    while (stream_read(&r->stream, handle_frame, r) == STREAM_READ)
        ;
    stream_over(r);
}

static void serve_stream(struct resident *r, short events)
{
    if (events & (POLLHUP | POLLERR))
        hang_up(r);
    else if ((events & POLLIN) && stream_read(&r->stream, handle_frame, r) == STREAM_OVER)
        stream_over(r);
}

static void connect_daemon(struct resident *r, int fd)
{
    if (fd < 0)
        return;
    stream_open(&r->stream, fd);
    say_hello(&r->stream, r->starts.count);
}

/* ---- the loop ---- */

static bool finished(const struct resident *r)
{
    /* An init ends with its last daemon, whose status it passes on; told to stop, it waits for nothing else. */
    if (r->revive.daemon_count > 0 && r->stops >= 0)
        return false;
    return r->stopping || (r->starts.count == 0 && (r->revive.ended || (r->stream.fd < 0 && r->revive.at < 0)));
}

static int wait_ms(const struct resident *r)
{
    int64_t next = -1;
    if (r->stream.fd < 0 && r->revive.at >= 0)
        next = r->revive.at;
    if (starts_dead_keepers(&r->starts) && (next < 0 || r->sweep_at < next))
        next = r->sweep_at;
    if (next < 0)
        return -1;
    next -= monotonic_ms();
    return next < 0 ? 0 : next > 60000 ? 60000 : (int)next;
}

static void do_what_is_due(struct resident *r)
{
    int64_t now = monotonic_ms();
    if (r->stream.fd < 0 && r->revive.at >= 0 && now >= r->revive.at)
        connect_daemon(r, revive_start(&r->revive, r->starts.count));
    if (starts_dead_keepers(&r->starts) && now >= r->sweep_at) {
        const struct sweep sweep = {.daemons = r->revive.daemons,
                                    .daemon_count = r->revive.daemon_count,
                                    .anybodys = getpid() == 1,
                                    .over = dead_keeper_over,
                                    .context = r};
        starts_sweep(&r->starts, &sweep);
        r->sweep_at = monotonic_ms() + r->sweep_ms;
        r->sweep_ms = r->sweep_ms * 2 < SWEEP_LAST_MS ? r->sweep_ms * 2 : SWEEP_LAST_MS;
    }
}

static void serve(struct resident *r)
{
    for (;;) {
        if (r->stream.fd >= 0 && r->stream.out.len && !stream_write(&r->stream))
            hang_up(r);
        if (finished(r))
            return;
        struct pollfd fds[] = {
            {.fd = r->signals, .events = POLLIN},
            {.fd = r->reports[0], .events = POLLIN},
            {.fd = r->stream.fd, .events = (short)(POLLIN | (r->stream.out.len ? POLLOUT : 0))},
            {.fd = r->stops, .events = POLLIN},
        };
        if (poll(fds, 4, wait_ms(r)) < 0)
            continue;
        struct signalfd_siginfo info;
        if (fds[3].revents && read(r->stops, &info, sizeof info) == (ssize_t)sizeof info) {
            r->stopping = true;
            revive_stop(&r->revive, SIGTERM);
        }
        if (fds[0].revents && read(r->signals, &info, sizeof info) < 0) {
        }
        if (fds[1].revents)
            take_reports(r);
        if (fds[0].revents)
            reap(r);
        if (r->stream.fd >= 0 && fds[2].revents)
            serve_stream(r, fds[2].revents);
        do_what_is_due(r);
    }
}

static void ignore(int signal_number)
{
    signal(signal_number, SIG_IGN);
}

static int exit_status(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int resident_run(char **program)
{
    struct resident r = {.stream.fd = -1, .stops = -1};
    if (!program && fcntl(3, F_GETFD) < 0) {
        fputs("orca-keep: descriptor 3 is not open; the resident is started by the orca daemon\n", stderr);
        return 2;
    }
    for (int fd; (fd = open("/dev/null", O_RDWR | O_CLOEXEC)) >= 0;)
        if (fd > 2) {
            close(fd);
            break;
        } else {
            fcntl(fd, F_SETFD, 0);
        }
    /* Whatever the daemon left open must not reach a run. */
    syscall(SYS_close_range, program ? 3u : 4u, ~0u, CLOSE_RANGE_ON_EXEC);
    setsid(); /* a terminal's interrupt is not for us */
    ignore(SIGHUP);
    ignore(SIGINT);
    ignore(SIGQUIT);
    ignore(SIGPIPE);
    signal(SIGCHLD, SIG_DFL); /* if it was ignored, no child could be waited for */
    sigset_t children = block(program != NULL);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    mode_t inherited = umask(077);
    umask(inherited);
    boot_id();
    r.signals = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    if (program) {
        sigset_t stops = stop_signals();
        r.stops = signalfd(-1, &stops, SFD_CLOEXEC | SFD_NONBLOCK);
    }
    if (r.signals < 0 || (program && r.stops < 0) || pipe2(r.reports, O_CLOEXEC) < 0 || fcntl(r.reports[0], F_SETFL, O_NONBLOCK) < 0 || chdir("/") < 0) {
        fprintf(stderr, "orca-keep: the resident cannot start: %s\n", strerror(errno));
        return 1;
    }
    revive_init(&r.revive, inherited);
    if (program)
        revive_as_init(&r.revive, program);
    else
        connect_daemon(&r, 3);
    serve(&r);
    int status = program ? exit_status(r.revive.last_status) : 0;
    stream_close(&r.stream);
    revive_free(&r.revive);
    free(r.starts.list);
    return status;
}
