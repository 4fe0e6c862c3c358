#include "say.h"

#include <string.h>
#include <unistd.h>

/* A report's first fields; false when there is no daemon. */
static bool say(struct stream *s, const char *verb, const char *run, const char *start, size_t *begin)
{
    if (s->fd < 0)
        return false;
    *begin = frame_begin(&s->out, verb);
    frame_put_text(&s->out, "run", run);
    frame_put_text(&s->out, "start", start);
    return true;
}

void say_hello(struct stream *s, size_t active)
{
    size_t begin = frame_begin(&s->out, "hello");
    frame_put_text(&s->out, "protocol", "1");
    frame_put_number(&s->out, "pid", getpid());
    frame_put_number(&s->out, "active", (int64_t)active);
    frame_end(&s->out, begin);
}

void say_running(struct stream *s, const struct start *start, pid_t command)
{
    size_t begin;
    if (!say(s, "running", start->run, start->number, &begin))
        return;
    frame_put_number(&s->out, "keeper", start->keeper);
    frame_put_number(&s->out, "pid", command);
    frame_end(&s->out, begin);
}

void say_void(struct stream *s, const struct start *start)
{
    size_t begin;
    if (say(s, "void", start->run, start->number, &begin))
        frame_end(&s->out, begin);
}

void say_refused(struct stream *s, const char *run, const char *start, enum refusal refusal, int error, const char *message)
{
    static const char *const stages[] = {"request", "folder", "begun", "fork"};
    size_t begin;
    if (!say(s, "refused", run, start, &begin))
        return;
    frame_put_text(&s->out, "stage", stages[refusal]);
    frame_put_number(&s->out, "errno", error);
    frame_put_text(&s->out, "message", message ? message : strerror(error));
    frame_end(&s->out, begin);
}

void say_ended(struct stream *s, const struct start *start, int dir)
{
    struct buf record = {0};
    size_t begin;
    if (!say(s, "ended", start->run, start->number, &begin))
        return;
    if (dir < 0 || !read_file(dir, "exit", &record, FRAME_MAX_BYTES / 2)) {
        record.len = 0; /* the folder was taken away: what its record would say */
        died_text(&record, dir);
    }
    frame_put(&s->out, "record", record.data, record.len);
    frame_end(&s->out, begin);
    buf_free(&record);
}
