/** `orca help agents`: one page that is enough for a program that runs commands, and for the person who reads its log. */
export const agentsPage = `orca for agents

Run heavy commands through orca: it queues what does not fit, so that you and others on this machine do not kill each
other's work, and it says truly how each command ended. No set-up is needed; the first command starts the daemon.

RUN AND WAIT IN ONE GO
  orca run [--memory 2GB] [--cpus 2] -- make -j2 test
      Its output comes through, the exit status is the command's. When your call is ended, the run is stopped.

WHEN YOUR CALL MAY BE CUT OFF BY A TIME LIMIT: submit, then wait as often as you like
  orca submit --key build-4f2a --wait -- make -j2 all
      Call the very same line again after you were cut off: the key finds the run that is there, so nothing runs twice.
      A success keeps its key for a day; what failed frees it at once. Put into the key what makes the work another one
      (a commit, a date); --key-window 0 keeps it only while the run is not over.
  id=$(orca submit --memory 1GB -- ./step1)      prints the number, at once
  orca wait --timeout 90s $id                    124: not over yet; wait again. Else the run's own exit status.
  orca wait --next $id1 $id2 $id3                the first that ends; call it again with the others
  orca submit --after $id -- ./step2             starts when $id has succeeded (--after $id:any: however it ended)
  orca submit --each-line list.txt -- ./job {}   a run for each line, and a group: g12 stands for all of them

MEMORY
  --memory 2GB         starts with 2 GB and is killed over it; nothing is tried again
  --memory 2GB..8GB    may be started again bigger (3, 4.5, … up to 8 GB) when memory was proved to be the cause. Only then, so the command must bear a second start.
  Without --memory a run counts for its last peaks, or for a share of the machine.

EXIT STATUSES of run and wait
  0-96 the command's own   97 its time limit (--timeout)   98 a signal, or a code over 96   99 out of memory
  120 bad usage or refused: read the message, do not repeat   121 lost or never started   122 the wait broke: wait again
  124 the wait's --timeout   125 killed by somebody   127 no such run

LOOKING
  orca list                      what runs and waits, and why it waits
  orca status RUN                one run: limits, peaks, starts, where its logs are
  orca explain RUN               in few lines: why it waited, died, was made bigger, and what comes next
  orca logs RUN --tail 50        the end of its output
  orca top                       the machine and all runs, once

STOPPING
  orca kill RUN…                 the whole tree, in any state, for good

SHARING
  --as NAME       who you are; the machine is shared fairly between names (default:
                  the terminal or program that you come from; ORCA_AS=NAME says it once for all)
  --lock NAME     only one run with this lock at a time: a database, a device, a folder
  --priority -1   let others go first

FOR PROGRAMS
  --json on nearly every command: one value on a line, on standard output. orca schema COMMAND shows its shape.
  Errors with --json: {"error":{"code","message","hint","exit"}} on standard error; codes are stable, texts are not.
  Off a terminal there are no colours and no progress bars, and lines that were written over are folded.
  orca events --since ID --json: all that happened; the last number is where to go on.
`;
