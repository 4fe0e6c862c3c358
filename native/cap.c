#include "cap.h"

#include "util.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE 4096
#define LINE_MAX 65536 /* a longer line is cut through */

void cap_open(struct log_cap *cap, const char *path, int64_t max)
{
    *cap = (struct log_cap){.fd = -1, .path = path, .max = max};
    if (max > 0)
        cap->fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    struct stat stat;
    if (cap->fd >= 0 && (fstat(cap->fd, &stat) < 0 || !S_ISREG(stat.st_mode))) {
        close(cap->fd);
        cap->fd = -1;
    }
}

/* Just behind the last newline before `end`; `end` itself where there is none near. */
static int64_t line_end_before(int fd, int64_t end)
{
    static char text[LINE_MAX];
    int64_t begin = end > LINE_MAX ? end - LINE_MAX : 0;
    ssize_t length = pread(fd, text, (size_t)(end - begin), begin);
    const char *newline = length > 0 ? memrchr(text, '\n', (size_t)length) : NULL;
    return newline ? begin + (newline - text) + 1 : end;
}

/* Just behind the first newline from `begin` on; `begin` itself where there is none near. */
static int64_t line_begin_after(int fd, int64_t begin)
{
    static char text[LINE_MAX];
    ssize_t length = pread(fd, text, sizeof text, begin);
    const char *newline = length > 0 ? memchr(text, '\n', (size_t)length) : NULL;
    return newline ? begin + (newline - text) + 1 : begin;
}

/* Whoever reads the log learns from this file that it must not read there; so it comes first. */
static bool say_gone(const struct log_cap *cap, int64_t to)
{
    struct buf name = {0}, temporary = {0}, text = {0};
    buf_fmt(&name, "%s.gone", cap->path);
    buf_fmt(&temporary, "%s.gone.tmp", cap->path);
    buf_fmt(&text, "%lld %lld\n", (long long)cap->from, (long long)to);
    int fd = open(temporary.data, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool ok = fd >= 0 && write_all(fd, text.data, text.len);
    if (fd >= 0)
        close(fd);
    ok = ok && rename(temporary.data, name.data) == 0;
    if (!ok)
        unlink(temporary.data);
    buf_free(&name);
    buf_free(&temporary);
    buf_free(&text);
    return ok;
}

static bool has_holes(int fd)
{
    /* Past any end that a file can have: nothing changes, but a file system without holes says so. */
    return fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, INT64_C(1) << 40, PAGE) == 0;
}

static void cut(struct log_cap *cap)
{
    if (cap->to == 0) {
        if (!has_holes(cap->fd)) {
            close(cap->fd);
            cap->fd = -1;
            return;
        }
        cap->from = line_end_before(cap->fd, cap->max / 4);
    }
    /* Some less than fits, so that it is not cut at each look. */
    int64_t to = line_begin_after(cap->fd, cap->size - (cap->max - cap->max / 4) / 16 * 15);
    int64_t first = (cap->from + PAGE - 1) / PAGE * PAGE, last = to / PAGE * PAGE;
    if (to <= cap->to || last <= first || !say_gone(cap, to))
        return;
    cap->to = to;
    fallocate(cap->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, first, last - first);
}

bool cap_look(struct log_cap *cap)
{
    struct stat stat;
    if (cap->fd < 0 || fstat(cap->fd, &stat) < 0)
        return false;
    bool grown = stat.st_size > cap->size;
    cap->size = stat.st_size;
    if (cap->size - (cap->to - cap->from) > cap->max)
        cut(cap);
    return grown;
}
