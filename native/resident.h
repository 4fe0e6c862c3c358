#ifndef ORCA_RESIDENT_H
#define ORCA_RESIDENT_H
/* The resident of one daemon, until its work is over; gives the exit status. Descriptor 3 is the stream. */
int resident_run(void);
#endif
