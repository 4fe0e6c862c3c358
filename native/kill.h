#ifndef ORCA_KILL_H
#define ORCA_KILL_H
/* `orca-keep kill`: ends the tree of a start whose keeper is gone. Gives the exit status of docs/keeper-protocol.md. */
int kill_run(const char *folder, const char *uuid, const char *cgroup);
#endif
