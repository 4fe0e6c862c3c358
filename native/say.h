/* The resident's reports to the daemon. Without a daemon nothing is kept: the folders tell the same. */
#ifndef ORCA_SAY_H
#define ORCA_SAY_H
#include "starts.h"
#include "stream.h"

void say_hello(struct stream *stream, size_t active);
void say_running(struct stream *stream, const struct start *start, pid_t command);
void say_void(struct stream *stream, const struct start *start);
/* `message` NULL: what the error means. */
void say_refused(struct stream *stream, const char *run, const char *start, enum refusal refusal, int error, const char *message);
/* With the record of the start folder `dir`; -1 when that cannot be opened. */
void say_ended(struct stream *stream, const struct start *start, int dir);
#endif
