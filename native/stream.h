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
enum stream_state { STREAM_OVER = -1, STREAM_IDLE = 0, STREAM_READ = 1 };
/* Reads once and handles each whole frame. Over: ended, broken or malformed. Idle: there was nothing to read. */
enum stream_state stream_read(struct stream *s, stream_handler *handler, void *context);
/* Sends what it can; false when the other side does not listen any more or is hopelessly behind. */
bool stream_write(struct stream *s);
#endif
