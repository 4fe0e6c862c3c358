/* Frames of the stream: see docs/keeper-protocol.md, "Frames". */
#ifndef ORCA_FRAME_H
#define ORCA_FRAME_H
#include "util.h"

#define FRAME_MAX_BYTES (16u << 20)
#define FRAME_MAX_FIELDS 200000u

struct field {
    char *data; /* NUL-terminated besides: `data[len]` is 0 */
    uint32_t len;
};

struct frame {
    struct field *fields; /* the verb, then keys and values */
    size_t count, cap;
};

enum frame_state { FRAME_BAD = -1, FRAME_MORE = 0, FRAME_WHOLE = 1 };

/* Takes one frame from the front of `data`, rewriting it in place; `*used` is its size. The fields point into `data`. */
enum frame_state frame_take(char *data, size_t len, size_t *used, struct frame *frame);
void frame_free(struct frame *frame);
/* The value of the first such key, or NULL. */
const struct field *frame_get(const struct frame *frame, const char *key);
size_t frame_count(const struct frame *frame, const char *key);
bool field_is(const struct field *field, const char *text);
/* Whether the value can be a C string. */
bool field_is_text(const struct field *field);

/* Building: begin, put any number of fields, end. `begin` gives what `end` needs. */
size_t frame_begin(struct buf *out, const char *verb);
void frame_put(struct buf *out, const char *key, const char *value, size_t len);
void frame_put_text(struct buf *out, const char *key, const char *value);
void frame_put_number(struct buf *out, const char *key, int64_t value);
void frame_end(struct buf *out, size_t begin);
#endif
