#include "ctl.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const struct sockaddr_un ctl_address = {.sun_family = AF_UNIX, .sun_path = "ctl"};

int ctl_open(struct ctl *ctl)
{
    for (int i = 0; i < CTL_CLIENTS; i++)
        ctl->clients[i] = (struct ctl_client){.fd = -1};
    ctl->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (ctl->fd < 0)
        return errno;
    if (bind(ctl->fd, (const struct sockaddr *)&ctl_address, sizeof ctl_address) < 0 || listen(ctl->fd, 64) < 0)
        return errno;
    return 0;
}

size_t ctl_poll_fds(const struct ctl *ctl, struct pollfd *fds)
{
    size_t used = 1;
    fds[0] = (struct pollfd){.fd = ctl->fd, .events = POLLIN};
    for (int i = 0; i < CTL_CLIENTS; i++)
        if (ctl->clients[i].fd >= 0)
            fds[used++] = (struct pollfd){.fd = ctl->clients[i].fd, .events = POLLIN};
    return used;
}

static void drop(struct ctl_client *client)
{
    close(client->fd);
    buf_free(&client->line);
    client->fd = -1;
}

static void read_client(struct ctl_client *client, ctl_handler *handler, void *context)
{
    buf_reserve(&client->line, CTL_LINE_MAX);
    ssize_t n = read(client->fd, client->line.data + client->line.len, CTL_LINE_MAX - client->line.len);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        drop(client);
        return;
    }
    client->line.len += (size_t)n;
    client->line.data[client->line.len] = 0;
    char *end = memchr(client->line.data, '\n', client->line.len);
    if (!end && client->line.len < CTL_LINE_MAX)
        return;

    struct buf answer = {0};
    if (!end)
        buf_str(&answer, "error the line is longer than 4096 bytes");
    else if (memchr(client->line.data, 0, (size_t)(end - client->line.data)))
        buf_str(&answer, "error the line holds a NUL byte");
    else {
        *end = 0;
        handler(context, client->line.data, &answer);
    }
    buf_str(&answer, "\n");
    /* A few bytes into an empty socket: it never blocks, and who does not read them does not want them. */
    if (send(client->fd, answer.data, answer.len, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
    }
    buf_free(&answer);
    drop(client);
}

/* Room for one more: of those that connected and say nothing the oldest is hung up on, so that they keep nobody out. */
static struct ctl_client *room(struct ctl *ctl)
{
    for (int i = 0; i < CTL_CLIENTS; i++)
        if (ctl->clients[i].fd < 0)
            return &ctl->clients[i];
    struct ctl_client *client = &ctl->clients[ctl->oldest];
    ctl->oldest = (ctl->oldest + 1) % CTL_CLIENTS;
    drop(client);
    return client;
}

/* Takes who has connected; most have sent their line already, so it is read at once. */
static void take(struct ctl *ctl, ctl_handler *handler, void *context)
{
    for (int fd; (fd = accept4(ctl->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0;) {
        struct ctl_client *client = room(ctl);
        client->fd = fd;
        read_client(client, handler, context);
    }
}

void ctl_serve(struct ctl *ctl, const struct pollfd *fds, size_t count, ctl_handler *handler, void *context)
{
    for (int i = 0; i < CTL_CLIENTS; i++) {
        struct ctl_client *client = &ctl->clients[i];
        for (size_t j = 1; j < count && client->fd >= 0; j++)
            if (fds[j].fd == client->fd && fds[j].revents) {
                read_client(client, handler, context);
                break;
            }
    }
    if (fds[0].revents)
        take(ctl, handler, context);
}

void ctl_close(struct ctl *ctl, ctl_handler *handler, void *context)
{
    unlink("ctl");
    take(ctl, handler, context);
    /* Who comes now sees the end, and finds the exit record. */
    close(ctl->fd);
}

bool ctl_ask(const char *folder, const char *line, struct buf *answer)
{
    if (chdir(folder) < 0)
        return false;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return false;
    struct timeval patience = {.tv_sec = 10};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    bool ok = connect(fd, (const struct sockaddr *)&ctl_address, sizeof ctl_address) == 0;
    if (ok) {
        struct buf request = {0};
        buf_str(&request, line);
        buf_str(&request, "\n");
        /* The keeper may have answered and hung up before all was sent: what counts is the answer. */
        if (send(fd, request.data, request.len, MSG_NOSIGNAL) < 0) {
        }
        buf_free(&request);
        char text[512];
        for (ssize_t n; (n = read(fd, text, sizeof text)) > 0 || (n < 0 && errno == EINTR);)
            if (n > 0)
                buf_add(answer, text, (size_t)n);
        ok = answer->len > 0;
    }
    close(fd);
    return ok;
}
