#include "revive.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void revive_init(struct revive *r, mode_t inherited_umask)
{
    *r = (struct revive){.wait_ms = REVIVE_FIRST_MS, .at = -1, .connected_at = monotonic_ms(), .umask = inherited_umask};
}

static void free_list(char **list)
{
    for (char **p = list; p && *p; p++)
        free(*p);
    free(list);
}

static void free_program(struct program *p)
{
    free_list(p->argv);
    free_list(p->envp);
    free(p->log);
    *p = (struct program){0};
}

static char *copy(const char *text)
{
    size_t n = strlen(text) + 1;
    return memcpy(must_alloc(NULL, n), text, n);
}

/* Copies; what begins with `own` is left out, and `last`, which may be NULL, comes after the others. */
static char **copy_list(char *const *values, const char *own, const char *last)
{
    size_t n = 0;
    while (values[n])
        n++;
    char **list = must_alloc(NULL, (n + 2) * sizeof *list);
    n = 0;
    for (; *values; values++)
        if (!own || strncmp(*values, own, strlen(own)) != 0)
            list[n++] = copy(*values);
    if (last)
        list[n++] = copy(last);
    list[n] = NULL;
    return list;
}

static char **values_of(const struct frame *f, const char *key)
{
    size_t n = 0;
    char **list = must_alloc(NULL, (frame_count(f, key) + 1) * sizeof *list);
    for (size_t i = 1; i + 1 < f->count; i += 2)
        if (field_is(&f->fields[i], key))
            list[n++] = f->fields[i + 1].data;
    list[n] = NULL;
    return list;
}

static void set_program(struct revive *r, char **argv, char **envp, const char *log)
{
    free_program(&r->program);
    r->program.argv = copy_list(argv, NULL, NULL);
    r->program.envp = copy_list(envp, "ORCA_KEEPER_FD=", "ORCA_KEEPER_FD=3");
    r->program.log = copy(log);
}

void revive_as_init(struct revive *r, char **argv)
{
    set_program(r, argv, environ, "/dev/null");
    r->stays = true;
    r->at = monotonic_ms();
}

bool revive_program(struct revive *r, const struct frame *f)
{
    for (size_t i = 2; i < f->count; i += 2)
        if (!field_is_text(&f->fields[i]))
            return false;
    if (frame_count(f, "arg") == 0)
        return false;
    const struct field *log = frame_get(f, "log");
    char **argv = values_of(f, "arg"), **envp = values_of(f, "env");
    set_program(r, argv, envp, log ? log->data : "/dev/null");
    free(argv);
    free(envp);
    r->known = true;
    return true;
}

void revive_stream_ended(struct revive *r, size_t active)
{
    int64_t now = monotonic_ms();
    r->at = -1;
    if (r->ended || !r->known)
        return;
    if (now - r->connected_at >= REVIVE_STAYED_MS) {
        r->wait_ms = REVIVE_FIRST_MS;
        r->tries = 0;
    }
    if (r->at_once) {
        r->at_once = false;
        r->at = now;
        return;
    }
    /* A restart that was decided on goes on for a while, though the last command ended meanwhile: somebody has to record
     * its end, and perhaps to try it again. */
    if (active == 0 && !r->queued && ((r->tries == 0 && !r->stays) || r->tries >= REVIVE_IDLE_TRIES))
        return;
    r->at = now + r->wait_ms;
    r->wait_ms = r->wait_ms * 2 < REVIVE_LAST_MS ? r->wait_ms * 2 : REVIVE_LAST_MS;
}

static int open_log(const struct revive *r)
{
    umask(077);
    int log = open(r->program.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0600);
    umask(r->umask);
    return log < 0 ? open("/dev/null", O_WRONLY | O_CLOEXEC) : log;
}

static _Noreturn void become_daemon(const struct revive *r, int stream)
{
    const struct program *p = &r->program;
    setsid();
    int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int log = r->stays ? -1 : open_log(r);
    /* dup2 onto itself would leave the descriptor close-on-exec. */
    if (stream == 3 ? fcntl(3, F_SETFD, 0) < 0 : dup2(stream, 3) < 0)
        _exit(127);
    dup2(in, 0);
    if (log >= 0) {
        dup2(log, 1);
        dup2(log, 2);
    }
    signals_to_default();
    environ = p->envp;
    execvp(p->argv[0], p->argv);
    static const char text[] = "orca-keep: the daemon's program could not be started again: ";
    const char *why = strerror(errno);
    if (write(2, text, sizeof text - 1) < 0 || write(2, why, strlen(why)) < 0 || write(2, "\n", 1) < 0) {
    }
    _exit(127);
}

int revive_start(struct revive *r, size_t active)
{
    int pair[2];
    r->at = -1;
    r->tries++;
    r->connected_at = monotonic_ms();
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) {
        revive_stream_ended(r, active);
        return -1;
    }
    pid_t pid = fork();
    if (pid == 0)
        become_daemon(r, pair[1]);
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        revive_stream_ended(r, active);
        return -1;
    }
    if (r->daemon_count == r->daemon_cap) {
        r->daemon_cap = r->daemon_cap ? r->daemon_cap * 2 : 4;
        r->daemons = must_alloc(r->daemons, r->daemon_cap * sizeof *r->daemons);
    }
    r->daemons[r->daemon_count++] = pid;
    return pair[0];
}

void revive_stop(struct revive *r, int signal)
{
    r->ended = true;
    r->at = -1;
    /* Not reaped yet, so the numbers are still theirs. */
    for (size_t i = 0; i < r->daemon_count; i++)
        kill(r->daemons[i], signal);
}

bool revive_reaped(struct revive *r, pid_t pid, int status)
{
    for (size_t i = 0; i < r->daemon_count; i++) {
        if (r->daemons[i] != pid)
            continue;
        r->daemons[i] = r->daemons[--r->daemon_count];
        r->last_status = status;
        bool not_in_charge = WIFEXITED(status) && WEXITSTATUS(status) == DAEMON_NOT_IN_CHARGE;
        if (not_in_charge && r->stays && r->known) {
            /* Some command was quicker in starting the next one. The container is that one's, too; we take over when it goes. */
            r->tries = 0;
        } else if (not_in_charge) {
            r->ended = true;
            r->at = -1;
        }
        return true;
    }
    return false;
}

void revive_free(struct revive *r)
{
    free_program(&r->program);
    free(r->daemons);
}
