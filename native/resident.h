#ifndef ORCA_RESIDENT_H
#define ORCA_RESIDENT_H
/* The resident of one daemon, until its work is over; gives the exit status. Descriptor 3 is the stream; with a `program`
 * there is none yet: as the init of a container it starts that as the daemon, and keeps it running. */
int resident_run(char **program);
#endif
