/* Small things that every part needs: a growing buffer, clocks, whole reads and writes, JSON text. */
#ifndef ORCA_UTIL_H
#define ORCA_UTIL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Bytes that grow; `data[len]` is always NUL once something was added. All zero is empty. */
struct buf {
    char *data;
    size_t len, cap;
};

/* The process ends when there is no memory: a keeper or resident that lost a byte would be worse than one that died. */
void *must_alloc(void *old, size_t size);
void buf_reserve(struct buf *b, size_t more);
void buf_add(struct buf *b, const void *data, size_t len);
void buf_str(struct buf *b, const char *text);
void buf_fmt(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_free(struct buf *b);
/* Drops the first `count` bytes; gives a large allocation back once it is empty. */
void buf_drop(struct buf *b, size_t count);

int64_t monotonic_us(void);
int64_t monotonic_ms(void);
int64_t wall_ms(void);

/* Reads at most `max` bytes of a file into `b` (emptied first). False, with errno, when it cannot be read. */
bool read_file(int dir, const char *path, struct buf *b, size_t max);
bool write_all(int fd, const char *data, size_t len);
/* A short text into a kernel file that must exist already. */
bool write_kernel_file(const char *path, const char *text);

/* A JSON string: valid UTF-8 as it is, invalid bytes as U+FFFD, control bytes escaped. */
void json_text(struct buf *b, const char *data, size_t len);
void json_string(struct buf *b, const char *text);
/* `null` when `known` is false. */
void json_file(struct buf *b, bool known, const struct buf *text);

/* Digits only, no sign; false when out of range or anything else. */
bool parse_number(const char *text, int64_t max, int64_t *out);

/* Every signal as a new program expects it, nothing blocked. Async-signal-safe. */
void signals_to_default(void);
/* Folds `name` into argv's memory, so that `ps` tells resident and keepers apart. */
void title_init(int argc, char **argv);
void title_set(const char *text);
#endif
