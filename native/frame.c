#include "frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t get_u32(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;
    return (uint32_t)u[0] << 24 | (uint32_t)u[1] << 16 | (uint32_t)u[2] << 8 | u[3];
}

static void put_u32(char *p, uint32_t n)
{
    p[0] = (char)(n >> 24);
    p[1] = (char)(n >> 16);
    p[2] = (char)(n >> 8);
    p[3] = (char)n;
}

enum frame_state frame_take(char *data, size_t len, size_t *used, struct frame *frame)
{
    if (len < 4)
        return FRAME_MORE;
    uint32_t size = get_u32(data);
    if (size < 4 || size > FRAME_MAX_BYTES)
        return FRAME_BAD;
    if (len - 4 < size)
        return FRAME_MORE;

    char *body = data + 4;
    size_t count = 0;
    for (size_t at = 0; at < size; count++) {
        if (size - at < 4 || count == FRAME_MAX_FIELDS)
            return FRAME_BAD;
        uint32_t n = get_u32(body + at);
        if (n > size - at - 4)
            return FRAME_BAD;
        at += 4 + (size_t)n;
    }
    if (count % 2 == 0) /* a key without its value */
        return FRAME_BAD;

    if (frame->cap < count) {
        frame->fields = must_alloc(frame->fields, count * sizeof *frame->fields);
        frame->cap = count;
    }
    frame->count = count;
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t n = get_u32(body + at);
        /* One byte to the left, over the length, so that the NUL has room: no copy of a large frame is needed. */
        char *value = body + at + 3;
        memmove(value, value + 1, n);
        value[n] = 0;
        frame->fields[i] = (struct field){value, n};
        at += 4 + (size_t)n;
    }
    *used = 4 + (size_t)size;
    return FRAME_WHOLE;
}

void frame_free(struct frame *frame)
{
    free(frame->fields);
    *frame = (struct frame){0};
}

bool field_is(const struct field *field, const char *text)
{
    size_t n = strlen(text);
    return field->len == n && memcmp(field->data, text, n) == 0;
}

bool field_is_text(const struct field *field)
{
    return memchr(field->data, 0, field->len) == NULL;
}

const struct field *frame_get(const struct frame *frame, const char *key)
{
    for (size_t i = 1; i + 1 < frame->count; i += 2)
        if (field_is(&frame->fields[i], key))
            return &frame->fields[i + 1];
    return NULL;
}

size_t frame_count(const struct frame *frame, const char *key)
{
    size_t n = 0;
    for (size_t i = 1; i + 1 < frame->count; i += 2)
        n += field_is(&frame->fields[i], key);
    return n;
}

static void put_field(struct buf *out, const char *data, size_t len)
{
    char size[4];
    put_u32(size, (uint32_t)len);
    buf_add(out, size, 4);
    buf_add(out, data, len);
}

size_t frame_begin(struct buf *out, const char *verb)
{
    size_t begin = out->len;
    buf_add(out, "\0\0\0\0", 4);
    put_field(out, verb, strlen(verb));
    return begin;
}

void frame_put(struct buf *out, const char *key, const char *value, size_t len)
{
    put_field(out, key, strlen(key));
    put_field(out, value, len);
}

void frame_put_text(struct buf *out, const char *key, const char *value)
{
    frame_put(out, key, value, strlen(value));
}

void frame_put_number(struct buf *out, const char *key, int64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)value);
    frame_put_text(out, key, text);
}

void frame_end(struct buf *out, size_t begin)
{
    put_u32(out->data + begin, (uint32_t)(out->len - begin - 4));
}
