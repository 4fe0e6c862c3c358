#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define READ_SIZE 16384

void stream_open(struct stream *s, int fd)
{
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    *s = (struct stream){.fd = fd};
}

void stream_close(struct stream *s)
{
    if (s->fd >= 0)
        close(s->fd);
    buf_free(&s->in);
    buf_free(&s->out);
    s->fd = -1;
}

enum stream_state stream_read(struct stream *s, stream_handler *handler, void *context)
{
    buf_reserve(&s->in, READ_SIZE);
    ssize_t n = read(s->fd, s->in.data + s->in.len, s->in.cap - s->in.len - 1);
    if (n < 0)
        return errno == EAGAIN || errno == EINTR ? STREAM_IDLE : STREAM_OVER;
    if (n == 0)
        return STREAM_OVER; /* half a frame may be left: it is dropped */
    s->in.len += (size_t)n;

    struct frame frame = {0};
    enum frame_state state;
    size_t used = 0, done = 0;
    bool good = true;
    while (good && (state = frame_take(s->in.data + done, s->in.len - done, &used, &frame)) != FRAME_MORE) {
        good = state == FRAME_WHOLE && handler(context, &frame);
        done += used;
    }
    frame_free(&frame);
    if (good)
        buf_drop(&s->in, done);
    return good ? STREAM_READ : STREAM_OVER;
}

bool stream_write(struct stream *s)
{
    size_t sent = 0;
    bool good = true;
    while (sent < s->out.len) {
        ssize_t n = write(s->fd, s->out.data + sent, s->out.len - sent);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            good = errno == EAGAIN;
            break;
        }
        sent += (size_t)n;
    }
    if (sent)
        buf_drop(&s->out, sent);
    return good && s->out.len <= STREAM_UNSENT_MAX;
}
