/* orca-keep: starts commands and stays with them. See docs/keeper-protocol.md; this file only chooses what to do. */
#include "ctl.h"
#include "kill.h"
#include "resident.h"
#include "util.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int usage(void)
{
    fputs("orca-keep: usage: orca-keep resident STATE | init STATE PROGRAM [ARG...] | kill FOLDER UUID [CGROUP] | "
          "ctl FOLDER LINE | reader | version\n",
          stderr);
    return 2;
}

static int ctl(const char *folder, const char *line)
{
    struct buf answer = {0};
    if (strchr(line, '\n'))
        return usage();
    bool answered = ctl_ask(folder, line, &answer) && write_all(1, answer.data, answer.len);
    buf_free(&answer);
    return answered ? 0 : 1;
}

/* Ends with 3 once nobody reads our standard output any more, with 0 once standard input has ended. */
static int reader(void)
{
    struct pollfd fds[] = {{.fd = 0, .events = POLLIN}, {.fd = 1}};
    for (;;) {
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return 1;
        if (fds[1].revents & (POLLERR | POLLHUP))
            return 3;
        if (fds[0].revents)
            return 0;
    }
}

/* `program`: the daemon of an init, else NULL. */
static int resident(int argc, char **argv, char **program)
{
    struct buf title = {0};
    buf_fmt(&title, "orca-keep resident %s", argv[2]);
    title_init(argc, argv);
    title_set(title.data);
    buf_free(&title);
    return resident_run(program);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "version") == 0)
        return puts("1") < 0;
    if (argc == 3 && strcmp(argv[1], "resident") == 0)
        return resident(argc, argv, NULL);
    if (argc >= 4 && strcmp(argv[1], "init") == 0) {
        char **program = must_alloc(NULL, (size_t)(argc - 2) * sizeof *program);
        for (int i = 3; i <= argc; i++)
            program[i - 3] = argv[i] ? strdup(argv[i]) : NULL; /* the title is written over the arguments */
        return resident(argc, argv, program);
    }
    if ((argc == 4 || argc == 5) && strcmp(argv[1], "kill") == 0)
        return kill_run(argv[2], argv[3], argc == 5 ? argv[4] : NULL);
    if (argc == 2 && strcmp(argv[1], "reader") == 0)
        return reader();
    if (argc == 4 && strcmp(argv[1], "ctl") == 0)
        return ctl(argv[2], argv[3]);
    return usage();
}
