#include "evidence.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>

#define KERNEL_FILE_MAX (256u << 10)

static void read_text(struct text *out, const char *cgroup, const char *name)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/%s", cgroup, name);
    out->known = n > 0 && (size_t)n < sizeof path && read_file(AT_FDCWD, path, &out->bytes, KERNEL_FILE_MAX);
}

static void read_attribute(struct text *out, const char *cgroup, const char *name)
{
    char value[256];
    ssize_t n = getxattr(cgroup, name, value, sizeof value);
    out->known = n >= 0;
    if (out->known)
        buf_add(&out->bytes, value, (size_t)n);
}

/* The line that begins with `key` and a space, or NULL. */
static char *find_line(char *text, const char *key)
{
    size_t n = strlen(key);
    for (char *line = text; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, n) == 0 && line[n] == ' ')
            return line;
    }
    return NULL;
}

int64_t cgroup_oom_kill(const char *cgroup)
{
    struct text events = {0};
    int64_t count = -1;
    if (cgroup)
        read_text(&events, cgroup, "memory.events");
    if (events.known) {
        const char *line = find_line(events.bytes.data, "oom_kill");
        if (line)
            count = strtoll(line + strlen("oom_kill "), NULL, 10);
    }
    buf_free(&events.bytes);
    return count;
}

void evidence_cgroup(struct exit_facts *f, const char *cgroup)
{
    f->cgroup = cgroup;
    read_text(&f->events, cgroup, "memory.events");
    read_text(&f->peak, cgroup, "memory.peak");
    read_text(&f->pressure, cgroup, "memory.pressure");
    read_text(&f->cpu, cgroup, "cpu.stat");
    read_attribute(&f->oomd_kill, cgroup, "user.oomd_kill");
    read_attribute(&f->oomd_ooms, cgroup, "user.oomd_ooms");
}

void evidence_shared(struct text *out, const char *file)
{
    out->known = read_file(AT_FDCWD, file, &out->bytes, KERNEL_FILE_MAX);
    if (!out->known || strcmp(file, "/proc/vmstat") != 0)
        return;
    char *line = find_line(out->bytes.data, "oom_kill");
    if (!line) {
        out->known = false;
        return;
    }
    size_t n = strcspn(line, "\n") + 1;
    memmove(out->bytes.data, line, n);
    out->bytes.data[n - 1] = '\n';
    out->bytes.data[n] = 0;
    out->bytes.len = n;
}
