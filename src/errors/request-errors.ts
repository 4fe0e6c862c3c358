import { entries } from './entry.ts';

/** What was asked for of a run: what is not there, what could never start, what is another’s. */
export const requestErrors = entries({
  'run-unknown': {
    message: 'There is no run {run}.',
    hint: '`orca list --all` shows the runs that there are; one that ended long ago may have been deleted (ORCA_KEEP_DAYS).',
    exit: 127,
    http: 404,
  },
  'group-unknown': {
    message: 'There is no group g{group}.',
    hint: 'A group has the number of its first run; `orca list --all` shows the runs that there are.',
    exit: 127,
    http: 404,
  },
  'start-unknown': {
    message: 'Run {run} has no start {start}.',
    hint: 'See its starts with `orca status {run}`.',
    exit: 127,
    http: 404,
  },
  'event-ahead': {
    message: 'There is no event {event} yet: the last one is {last}.',
    hint: 'Give the number that `orca wait --next` or `orca events` printed here; 0 begins anew.',
    exit: 120,
    http: 400,
  },
  'event-kind-unknown': {
    message: 'There is no kind of event {kind}.',
    hint: 'It may be {kinds}.',
    exit: 120,
    http: 400,
  },
  'cpus-too-many': {
    message: '{asked} cpus were asked for, and this machine has {most} for runs: it could never start.',
    hint: 'Ask for at most {most} with --cpus, or raise ORCA_CAPACITY_CPUS.',
    exit: 120,
    http: 422,
  },
  'memory-too-much': {
    message: 'At least {asked} of memory was asked for, and {most} can be granted here: it could never start.',
    hint: 'Ask for at most {most} with --memory; `orca status` shows the capacity and what is reserved (ORCA_RESERVE_MB).',
    exit: 120,
    http: 422,
  },
  'needs-too-much': {
    message: 'It could never start here: {why}.',
    hint: '{advice}',
    exit: 120,
    http: 422,
  },
  'nested-too-much': {
    message: 'A run inside run {run} works within the {most} that that one has, and {asked} is more.',
    hint: 'Ask for at most {most}, or for more for run {run}; `orca submit` queues a run of its own.',
    exit: 120,
    http: 422,
  },
  'nested-not-held': {
    message: 'A run inside run {run} has what that one has, and {what} is not among it.',
    hint: 'Ask for it for run {run}, before its command; `orca submit` queues a run of its own.',
    exit: 120,
    http: 422,
  },
  'queue-full': {
    message:
      'At most {most} runs may be queued or running at once (ORCA_MAX_QUEUED): {unfinished} are, and {asked} more were asked for.',
    hint: 'Wait until some are over, end what is not needed (`orca kill`), let one run do the work of several lines, or raise ORCA_MAX_QUEUED.',
    exit: 120,
    http: 429,
  },
  'key-taken': {
    message: 'The key {key} is that of run {run}, which is another command or in another folder.',
    hint: 'Give this one a key of its own. `orca status {run}` shows what has that key; a success lets go of it with `--key-window 0`.',
    exit: 120,
    http: 409,
  },
  'key-inside': {
    message: 'The key {key} is that of run {run}, which this command is part of: it would wait for itself.',
    hint: 'Give this one a key of its own, or none.',
    exit: 120,
    http: 409,
  },
  'after-failed': {
    message: '{what} {ended}, so what comes after its success could never start.',
    hint: 'Mend that and submit this again after its retry (`orca retry {handle}`, which also names what it came after itself and did not succeed), or write `--after {handle}:any` for however it ends.',
    exit: 120,
    http: 409,
  },
  'wait-stuck': {
    message: 'Waiting for run {run} would never end: {why}.',
    hint: 'What is queued starts once the run is over inside which this was called. `orca run` works within what that one has, and does not queue.',
    exit: 122,
    http: 409,
  },
  'retry-too-early': {
    message: 'Run {run} is not over: it is {state}.',
    hint: 'Wait for it with `orca wait {run}`, or end it with `orca kill {run}` first.',
    exit: 120,
    http: 409,
  },
  'retry-without-input': {
    message: 'Run {run} read its standard input from a pipe, and that is gone with the run.',
    hint: 'Run the command again with its input.',
    exit: 120,
    http: 409,
  },
  'run-damaged': {
    message: 'What was asked for with run {run} cannot be read: in its record in the store {what}.',
    hint: 'Run the command again as it should be.',
    exit: 120,
    http: 409,
  },
  'token-reused': {
    message: 'This token was used before, for {known} runs; now it came with {given}.',
    hint: 'Send the same submission again, or give a new one a token of its own.',
    exit: 120,
    http: 409,
  },
});
