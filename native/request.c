#include "request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int what;
} rlimit_names[] = {
    {"as", RLIMIT_AS},           {"core", RLIMIT_CORE},
    {"cpu", RLIMIT_CPU},         {"data", RLIMIT_DATA},
    {"fsize", RLIMIT_FSIZE},     {"locks", RLIMIT_LOCKS},
    {"memlock", RLIMIT_MEMLOCK}, {"msgqueue", RLIMIT_MSGQUEUE},
    {"nice", RLIMIT_NICE},       {"nofile", RLIMIT_NOFILE},
    {"nproc", RLIMIT_NPROC},     {"rss", RLIMIT_RSS},
    {"rtprio", RLIMIT_RTPRIO},   {"rttime", RLIMIT_RTTIME},
    {"sigpending", RLIMIT_SIGPENDING}, {"stack", RLIMIT_STACK},
};

bool is_digits(const char *text)
{
    size_t n = strspn(text, "0123456789");
    return n > 0 && n <= 18 && text[n] == 0;
}

bool is_uuid(const char *text)
{
    size_t n = strspn(text, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-");
    return n > 0 && n <= 64 && text[n] == 0;
}

static bool read_rlimit_value(const char *text, rlim_t *out)
{
    int64_t value;
    if (strcmp(text, "unlimited") == 0) {
        *out = RLIM_INFINITY;
        return true;
    }
    if (!parse_number(text, INT64_MAX, &value))
        return false;
    *out = (rlim_t)value;
    return true;
}

static bool read_rlimit(const char *text, struct request *r)
{
    char name[16], soft[24], hard[24], rest;
    if (r->rlimit_count == REQUEST_RLIMITS || sscanf(text, "%15s %23s %23s %c", name, soft, hard, &rest) != 3)
        return false;
    for (size_t i = 0; i < sizeof rlimit_names / sizeof *rlimit_names; i++) {
        if (strcmp(name, rlimit_names[i].name) != 0)
            continue;
        r->rlimits[r->rlimit_count].what = rlimit_names[i].what;
        struct rlimit *limit = &r->rlimits[r->rlimit_count].limit;
        if (!read_rlimit_value(soft, &limit->rlim_cur) || !read_rlimit_value(hard, &limit->rlim_max))
            return false;
        r->rlimit_count++;
        return true;
    }
    return false;
}

static bool read_signed(const char *text, int low, int high, int *out)
{
    int64_t value;
    if (!parse_number(text + (*text == '-'), 100000, &value))
        return false;
    value = *text == '-' ? -value : value;
    *out = (int)value;
    return value >= low && value <= high;
}

static bool read_umask(const char *text, mode_t *out)
{
    char *end;
    unsigned long value = strtoul(text, &end, 8);
    *out = (mode_t)value;
    return *text >= '0' && *text <= '7' && *end == 0 && value <= 0777;
}

/* A value as a C string; NULL where the key is missing, which the caller judges. */
static const char *text_of(const struct frame *f, const char *key)
{
    const struct field *field = frame_get(f, key);
    return field ? field->data : NULL;
}

static const char *read_key(struct request *r, const struct field *key, const struct field *value, size_t *args, size_t *envs)
{
    const char *text = value->data;
    int number;
    if (field_is(key, "arg"))
        r->argv[(*args)++] = value->data;
    else if (field_is(key, "env"))
        r->envp[(*envs)++] = value->data;
    else if (field_is(key, "cgroup"))
        r->cgroup = text;
    else if (field_is(key, "enter"))
        r->enter = text;
    else if (field_is(key, "shared"))
        r->shared = text;
    else if (field_is(key, "oom_score_adj")) {
        r->oom_score_adj = text;
        if (!read_signed(text, -1000, 1000, &number))
            return "oom_score_adj is not a number from -1000 to 1000";
    } else if (field_is(key, "nice")) {
        r->has_nice = true;
        if (!read_signed(text, -20, 19, &r->nice))
            return "nice is not a number from -20 to 19";
    } else if (field_is(key, "umask")) {
        r->has_umask = true;
        if (!read_umask(text, &r->umask))
            return "umask is not an octal number up to 777";
    } else if (field_is(key, "rlimit")) {
        if (!read_rlimit(text, r))
            return "rlimit is not a known name with a soft and a hard limit";
    } else if (field_is(key, "timeout_ms")) {
        if (!parse_number(text, INT64_MAX / 4096, &r->timeout_ms))
            return "timeout_ms is not a number";
    } else if (field_is(key, "log_max")) {
        if (!parse_number(text, INT64_MAX / 4096, &r->log_max))
            return "log_max is not a number";
    } else if (field_is(key, "grace_ms")) {
        if (!parse_number(text, INT64_MAX / 4096, &r->grace_ms))
            return "grace_ms is not a number";
    }
    return NULL;
}

const char *request_read(const struct frame *f, struct request *r)
{
    static const char *const absolute[] = {"folder", "cwd", "stdin", "stdout", "stderr", "cgroup", "enter", "shared"};
    *r = (struct request){.grace_ms = 10000};
    r->run = text_of(f, "run");
    r->start = text_of(f, "start");
    for (size_t i = 2; i < f->count; i += 2)
        if (!field_is_text(&f->fields[i]))
            return "a value holds a NUL byte";
    if (!r->run || !r->start || !is_digits(r->run) || !is_digits(r->start))
        return "run or start is not a number";
    for (size_t i = 0; i < sizeof absolute / sizeof *absolute; i++) {
        const char *path = text_of(f, absolute[i]);
        if (!path && i < 5)
            return "one of folder, cwd, stdin, stdout, stderr is missing";
        if (path && *path != '/')
            return "a path is not absolute";
    }
    r->folder = text_of(f, "folder");
    r->cwd = text_of(f, "cwd");
    r->in = text_of(f, "stdin");
    r->out = text_of(f, "stdout");
    r->err = text_of(f, "stderr");
    r->uuid = text_of(f, "uuid");
    if (!r->uuid || !is_uuid(r->uuid))
        return "uuid is missing or has other bytes than letters, digits and -";

    size_t args = 0, envs = 0;
    r->argv = must_alloc(NULL, (frame_count(f, "arg") + 1) * sizeof *r->argv);
    r->envp = must_alloc(NULL, (frame_count(f, "env") + 1) * sizeof *r->envp);
    for (size_t i = 1; i + 1 < f->count; i += 2) {
        const char *problem = read_key(r, &f->fields[i], &f->fields[i + 1], &args, &envs);
        if (problem)
            return problem;
    }
    r->argv[args] = NULL;
    r->envp[envs] = NULL;
    return args > 0 ? NULL : "arg is missing";
}

void request_free(struct request *r)
{
    free(r->argv);
    free(r->envp);
    r->argv = r->envp = NULL;
}
