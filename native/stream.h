/* The resident's end of the stream: frames in, frames out, never blocking. */
#ifndef ORCA_STREAM_H
#define ORCA_STREAM_H
#include "frame.h"

/* More than this unsent means that the daemon hangs: it is dropped, as though it had died. */
#define STREAM_UNSENT_MAX (64u << 20)

struct stream {
    int fd; /* -1: no daemon */
    struct buf in, out;
};

typedef bool stream_handler(void *context, const struct frame *frame); /* false: malformed */

void stream_open(struct stream *s, int fd);
void stream_close(struct stream *s);
/* Reads once and handles each whole frame. False when the stream is over: ended, broken or malformed. */
bool stream_read(struct stream *s, stream_handler *handler, void *context);
/* Sends what it can; false when the other side is gone or hopelessly behind. */
bool stream_write(struct stream *s);
#endif
