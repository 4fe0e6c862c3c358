/* orca-keep: starts commands and stays with them. See docs/keeper-protocol.md; this file only chooses what to do. */
#include "ctl.h"
#include "kill.h"
#include "resident.h"
#include "util.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int usage(void)
{
    fputs("orca-keep: usage: orca-keep resident STATE | kill FOLDER UUID [CGROUP] | ctl FOLDER LINE | version\n", stderr);
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

static int resident(int argc, char **argv)
{
    struct buf title = {0};
    buf_fmt(&title, "orca-keep resident %s", argv[2]);
    title_init(argc, argv);
    title_set(title.data);
    buf_free(&title);
    return resident_run();
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "version") == 0)
        return puts("1") < 0;
    if (argc == 3 && strcmp(argv[1], "resident") == 0)
        return resident(argc, argv);
    if ((argc == 4 || argc == 5) && strcmp(argv[1], "kill") == 0)
        return kill_run(argv[2], argv[3], argc == 5 ? argv[4] : NULL);
    if (argc == 4 && strcmp(argv[1], "ctl") == 0)
        return ctl(argv[2], argv[3]);
    return usage();
}
