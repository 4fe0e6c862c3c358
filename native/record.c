#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define RECORD_MAX (1u << 20)

const char *boot_id(void)
{
    static char id[64];
    if (!id[0]) {
        struct buf text = {0};
        if (read_file(AT_FDCWD, "/proc/sys/kernel/random/boot_id", &text, sizeof id - 1) && text.len) {
            text.data[strcspn(text.data, "\n")] = 0;
            snprintf(id, sizeof id, "%s", text.data);
        } else {
            snprintf(id, sizeof id, "unknown");
        }
        buf_free(&text);
    }
    return id;
}

static int write_file(int dir, const char *name, const char *data, size_t len, int flags)
{
    int fd = openat(dir, name, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
    if (fd < 0)
        return errno;
    int error = write_all(fd, data, len) ? 0 : errno;
    /* Cut to its length only now: what the file holds already is the room that was taken for it. */
    if (!error && !(flags & O_APPEND) && ftruncate(fd, (off_t)len) < 0)
        error = errno;
    if (close(fd) < 0 && !error && errno != EINTR)
        error = errno;
    return error;
}

static const struct {
    const char *name;
    size_t size;
} rooms[RECORD_ROOMS] = {{"pid.tmp", 4096}, {"marks.tmp", 4096}, {EXIT_DRAFT, 16384}};

/* Zeros and no fallocate: on ext4 that took 200 to 300 us of a start, zeros 10 (2026-11-30), and they work everywhere. */
int rooms_take(int dir, bool *made)
{
    static const char zeros[16384];
    for (size_t i = 0; i < RECORD_ROOMS; i++) {
        int error = write_file(dir, rooms[i].name, zeros, rooms[i].size, O_EXCL);
        made[i] = error != EEXIST; /* another keeper's: who makes `begun` has it */
        if (error && error != EEXIST)
            return error;
    }
    return 0;
}

void rooms_free(int dir, const bool *made)
{
    for (size_t i = 0; i < RECORD_ROOMS; i++)
        if (made[i])
            unlinkat(dir, rooms[i].name, 0);
}

int begun_create(int dir)
{
    int fd = openat(dir, "begun", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return errno;
    /* The name is the claim; on a full disk it stays empty and counts all the same. */
    write_all(fd, "begun\n", 6);
    close(fd);
    return 0;
}

enum begun begun_read(int dir)
{
    struct buf text = {0};
    enum begun is = BEGUN_YES;
    if (!read_file(dir, "begun", &text, 64))
        is = errno == ENOENT ? BEGUN_MISSING : BEGUN_YES;
    else if (strncmp(text.data, "void", 4) == 0)
        is = BEGUN_VOID;
    buf_free(&text);
    return is;
}

/* A whole file under a name that must not exist yet: written beside it (into `room`, unless that is NULL or not there), then
 * hard-linked. 0, or errno. */
static int link_new(int dir, const char *name, const char *room, const char *data, size_t len)
{
    char temporary[64];
    snprintf(temporary, sizeof temporary, "%s.%d.tmp", name, (int)getpid());
    /* Renamed first, so that of several who write the same record only one has it. */
    if (room && renameat(dir, room, dir, temporary) < 0 && errno != ENOENT)
        return errno;
    int error = write_file(dir, temporary, data, len, 0);
    if (!error && linkat(dir, temporary, dir, name, 0) < 0)
        error = errno;
    unlinkat(dir, temporary, 0);
    return error;
}

bool begun_void(int dir)
{
    errno = link_new(dir, "begun", NULL, "void\n", 5);
    return errno == 0;
}

bool record_replace(int dir, const char *name, const char *temporary, const struct buf *text)
{
    int error = write_file(dir, temporary, text->data, text->len, 0);
    if (!error && renameat(dir, temporary, dir, name) < 0)
        error = errno;
    errno = error;
    return error == 0;
}

void pid_record_text(struct buf *out, const char *uuid, const struct proc *keeper, const struct proc *command, int64_t at_ms)
{
    buf_str(out, "{\"boot\":");
    json_string(out, boot_id());
    buf_str(out, ",\"uuid\":");
    json_string(out, uuid);
    buf_fmt(out, ",\"keeper\":{\"pid\":%d,\"start\":%llu},\"command\":{\"pid\":%d,\"start\":%llu},\"at_ms\":%lld}\n",
            (int)keeper->pid, (unsigned long long)keeper->start, (int)command->pid, (unsigned long long)command->start,
            (long long)at_ms);
}

bool pid_record_read(int dir, struct pid_record *out)
{
    struct buf text = {0};
    bool ok = false;
    *out = (struct pid_record){0};
    if (read_file(dir, "pid", &text, RECORD_MAX)) {
        const char *boot = strstr(text.data, "\"boot\":\""), *keeper = strstr(text.data, "\"keeper\":{"),
                   *command = strstr(text.data, "\"command\":{"), *at = strstr(text.data, "\"at_ms\":");
        ok = boot && keeper && command && at && sscanf(boot, "\"boot\":\"%63[^\"]\"", out->boot) == 1 &&
             sscanf(keeper, "\"keeper\":{\"pid\":%d,\"start\":%llu}", &out->keeper, &out->keeper_start) == 2 &&
             sscanf(command, "\"command\":{\"pid\":%d,\"start\":%llu}", &out->command, &out->command_start) == 2 &&
             sscanf(at, "\"at_ms\":%lld", &out->at_ms) == 1;
    }
    buf_free(&text);
    return ok;
}

static void put_number(struct buf *out, const char *key, bool known, int64_t value)
{
    if (known)
        buf_fmt(out, ",\"%s\":%lld", key, (long long)value);
    else
        buf_fmt(out, ",\"%s\":null", key);
}

static void put_text(struct buf *out, const char *key, const struct text *text)
{
    buf_fmt(out, "\"%s\":", key);
    json_file(out, text->known, &text->bytes);
}

static int64_t time_us(struct timeval t)
{
    return (int64_t)t.tv_sec * 1000000 + t.tv_usec;
}

void exit_text(struct buf *out, const struct exit_facts *f)
{
    buf_fmt(out, "{\"protocol\":1,\"keeper\":\"native\",\"how\":\"%s\"", f->how);
    put_number(out, "code", f->code >= 0, f->code);
    put_number(out, "signal", f->signal >= 0, f->signal);
    buf_str(out, ",\"failed\":");
    if (f->stage) {
        buf_fmt(out, "{\"stage\":\"%s\",\"errno\":%d,\"message\":", f->stage, f->error);
        json_string(out, strerror(f->error));
        buf_str(out, "}");
    } else {
        buf_str(out, "null");
    }
    put_number(out, "max_rss_bytes", f->measured, (int64_t)f->usage.ru_maxrss * 1024);
    put_number(out, "user_us", f->measured, time_us(f->usage.ru_utime));
    put_number(out, "system_us", f->measured, time_us(f->usage.ru_stime));
    buf_str(out, ",\"boot\":");
    json_string(out, boot_id());
    put_number(out, "started_ms", f->started_ms > 0, f->started_ms);
    put_number(out, "ended_ms", true, f->ended_ms);
    put_number(out, "elapsed_us", f->elapsed_us >= 0, f->elapsed_us);
    buf_str(out, ",\"marks\":[");
    if (f->marks)
        buf_add(out, f->marks->data, f->marks->len);
    buf_str(out, "],\"cgroup\":");
    if (f->cgroup) {
        static const char *const keys[] = {"events", "peak", "pressure", "cpu", "oomd_kill", "oomd_ooms"};
        const struct text *texts[] = {&f->events, &f->peak, &f->pressure, &f->cpu, &f->oomd_kill, &f->oomd_ooms};
        buf_str(out, "{\"path\":");
        json_string(out, f->cgroup);
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
            buf_str(out, ",");
            put_text(out, keys[i], texts[i]);
        }
        buf_str(out, "}");
    } else {
        buf_str(out, "null");
    }
    buf_str(out, ",\"shared\":");
    if (f->shared) {
        buf_str(out, "{\"file\":");
        json_string(out, f->shared);
        buf_str(out, ",");
        put_text(out, "before", &f->before);
        buf_str(out, ",");
        put_text(out, "after", &f->after);
        buf_str(out, "}");
    } else {
        buf_str(out, "null");
    }
    buf_str(out, "}\n");
}

/* The marks that a dead keeper left, as a list's content; a line that was cut off is no mark. */
static void marks_read(int dir, struct buf *marks)
{
    struct buf text = {0};
    if (read_file(dir, "marks", &text, RECORD_MAX))
        for (char *line = text.data, *end; (end = strchr(line, '\n')); line = end + 1)
            if (strncmp(line, "{\"mark\":", 8) == 0 && end[-1] == '}') {
                if (marks->len)
                    buf_str(marks, ",");
                buf_add(marks, line, (size_t)(end - line));
            }
    buf_free(&text);
}

void died_text(struct buf *out, int dir)
{
    struct pid_record pid;
    struct buf marks = {0};
    bool known = pid_record_read(dir, &pid);
    marks_read(dir, &marks);
    buf_str(out, "{\"protocol\":1,\"keeper\":\"native\",\"how\":\"keeper-died\",\"code\":null,\"signal\":null,\"failed\":null,"
                 "\"max_rss_bytes\":null,\"user_us\":null,\"system_us\":null,\"boot\":");
    json_string(out, known ? pid.boot : boot_id());
    put_number(out, "started_ms", known, pid.at_ms);
    put_number(out, "ended_ms", true, wall_ms());
    buf_str(out, ",\"elapsed_us\":null,\"marks\":[");
    buf_add(out, marks.data, marks.len);
    buf_str(out, "],\"cgroup\":null,\"shared\":null}\n");
    buf_free(&marks);
}

bool died_write(int dir)
{
    struct buf text = {0};
    if (faccessat(dir, "exit", F_OK, 0) == 0)
        return true;
    died_text(&text, dir);
    int error = link_new(dir, "exit", EXIT_DRAFT, text.data, text.len);
    buf_free(&text);
    return error == 0 || error == EEXIST;
}

void mark_add(int dir, struct buf *marks, const char *mark, int64_t at_ms, int64_t oom_kill, const char *text)
{
    struct buf line = {0};
    buf_fmt(&line, "{\"mark\":\"%s\",\"at_ms\":%lld", mark, (long long)at_ms);
    put_number(&line, "oom_kill", oom_kill >= 0, oom_kill);
    buf_str(&line, ",\"text\":");
    json_string(&line, text);
    buf_str(&line, "}");
    bool first = marks->len == 0;
    if (!first)
        buf_str(marks, ",");
    buf_add(marks, line.data, line.len);
    buf_str(&line, "\n");
    /* The first takes the room that was kept for it, whose block may hold the others too. That one cannot be written must
     * not keep a person from killing: the exit record holds it as well. */
    if (!first || !record_replace(dir, "marks", "marks.tmp", &line))
        write_file(dir, "marks", line.data, line.len, O_APPEND);
    buf_free(&line);
}
