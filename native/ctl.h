/* `ctl`: one request a connection, one line each way. */
#ifndef ORCA_CTL_H
#define ORCA_CTL_H
#include "util.h"
#include <poll.h>

#define CTL_CLIENTS 8
#define CTL_LINE_MAX 4096

struct ctl_client {
    int fd; /* -1: free */
    struct buf line;
};

struct ctl {
    int fd;
    struct ctl_client clients[CTL_CLIENTS];
    int oldest; /* the next to be hung up on when there is no room */
};

/* Answers one request line (without its newline) by adding to `answer`, newline excluded. */
typedef void ctl_handler(void *context, char *line, struct buf *answer);

/* Binds `ctl` in the working directory (a relative name: the limit of a socket's path is about 100 bytes). 0, or errno. */
int ctl_open(struct ctl *ctl);
size_t ctl_poll_fds(const struct ctl *ctl, struct pollfd *fds);
void ctl_serve(struct ctl *ctl, const struct pollfd *fds, size_t count, ctl_handler *handler, void *context);
/* Answers who is waiting, then closes. */
void ctl_close(struct ctl *ctl, ctl_handler *handler, void *context);

/* The other side: sends a line to the keeper of the start folder `folder` and adds its answer. False: no keeper. */
bool ctl_ask(const char *folder, const char *line, struct buf *answer);
#endif
