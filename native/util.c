#include "util.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void *must_alloc(void *old, size_t size)
{
    void *p = realloc(old, size ? size : 1);
    if (!p) {
        static const char text[] = "orca-keep: out of memory\n";
        if (write(2, text, sizeof text - 1) < 0) {
        }
        _exit(70);
    }
    return p;
}

void buf_reserve(struct buf *b, size_t more)
{
    if (b->cap - b->len > more)
        return;
    size_t cap = b->cap ? b->cap : 256;
    while (cap - b->len <= more)
        cap *= 2;
    b->data = must_alloc(b->data, cap);
    b->cap = cap;
}

void buf_add(struct buf *b, const void *data, size_t len)
{
    buf_reserve(b, len);
    if (len)
        memcpy(b->data + b->len, data, len);
    b->len += len;
    b->data[b->len] = 0;
}

void buf_str(struct buf *b, const char *text)
{
    buf_add(b, text, strlen(text));
}

void buf_fmt(struct buf *b, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n > 0)
        buf_add(b, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

void buf_free(struct buf *b)
{
    free(b->data);
    *b = (struct buf){0};
}

void buf_drop(struct buf *b, size_t count)
{
    if (count < b->len) {
        if (count)
            memmove(b->data, b->data + count, b->len - count);
        b->len -= count;
        return;
    }
    b->len = 0;
    if (b->cap > 65536)
        buf_free(b);
}

static int64_t clock_us(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

int64_t monotonic_us(void)
{
    return clock_us(CLOCK_MONOTONIC);
}

int64_t monotonic_ms(void)
{
    return clock_us(CLOCK_MONOTONIC) / 1000;
}

int64_t wall_ms(void)
{
    return clock_us(CLOCK_REALTIME) / 1000;
}

bool read_file(int dir, const char *path, struct buf *b, size_t max)
{
    b->len = 0;
    int fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return false;
    bool ok = true;
    while (b->len < max) {
        size_t want = max - b->len < 4096 ? max - b->len : 4096;
        buf_reserve(b, want);
        ssize_t n = read(fd, b->data + b->len, want);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            ok = false;
        if (n <= 0)
            break;
        b->len += (size_t)n;
    }
    buf_reserve(b, 0);
    b->data[b->len] = 0;
    int saved = errno;
    close(fd);
    errno = saved;
    return ok;
}

bool write_all(int fd, const char *data, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, data, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        data += n;
        len -= (size_t)n;
    }
    return true;
}

bool write_kernel_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool ok = write_all(fd, text, strlen(text));
    int saved = errno;
    close(fd);
    errno = saved;
    return ok;
}

bool parse_number(const char *text, int64_t max, int64_t *out)
{
    int64_t value = 0;
    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        int digit = *text - '0';
        if (value > (max - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

void signals_to_default(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    for (int s = 1; s <= 64; s++)
        sigaction(s, &action, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static char *title_start;
static size_t title_room;

void title_init(int argc, char **argv)
{
    char *end = argv[0];
    /* The kernel lays the arguments out one after the other; stop where that does not hold. */
    for (int i = 0; i < argc && argv[i] == end; i++)
        end += strlen(argv[i]) + 1;
    title_start = argv[0];
    title_room = (size_t)(end - argv[0]);
}

void title_set(const char *text)
{
    size_t len = strlen(text);
    if (title_room < 2)
        return;
    if (len > title_room - 1)
        len = title_room - 1;
    memcpy(title_start, text, len);
    memset(title_start + len, 0, title_room - len);
}
