/** What an entry's `{name}` places are filled with. */
export type ErrorParams = Readonly<Record<string, string | number>>;

interface Entry {
  /** What happened and how we know. */
  readonly message: string;
  /** What to do next. */
  readonly hint: string;
  /** The status a command exits with. */
  readonly exit: number;
  /** The status an API answer has. */
  readonly http: number;
}

const entries = <Code extends string>(list: Record<Code, Entry>): Record<Code, Entry> => list;

/** Every error that a person may meet, in one list; `docs/errors.md` is made from it. */
export const catalogue = entries({
  'size-invalid': {
    message: '{value} is not a size: {why}.',
    hint: 'Write a number with a unit, such as 512MB, 1.5GB or 2GB..8GB; units are powers of 1024.',
    exit: 120,
    http: 400,
  },
  'duration-invalid': {
    message: '{value} is not a duration: {why}.',
    hint: 'Write numbers with units, such as 500ms, 20s, 5m or 1h30m.',
    exit: 120,
    http: 400,
  },
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
  'stage-full': {
    message: '{path} (ORCA_LOG_STAGE) has less than 1 MB of room, and what the run writes goes there first.',
    hint: 'Make room there, or set ORCA_LOG_STAGE to a larger place; `orca doctor` says whether output waits there.',
    exit: 120,
    http: 507,
  },
  'logs-unwritable': {
    message: 'The folder {path}, where the run would write, cannot be made: {why}.',
    hint: 'Set ORCA_LOGS to a folder that you may write, and `orca restart`.',
    exit: 120,
    http: 500,
  },
  'log-no-file': {
    message: 'What the run wrote cannot be read: {path} is no ordinary file.',
    hint: 'Somebody put something else in its place. Move that away; what the run wrote before may be gone.',
    exit: 120,
    http: 409,
  },

  'log-kept-back': {
    message: 'What run {run} wrote is not in its log yet, and cannot be masked now: {why}.',
    hint: 'It stays in ORCA_LOG_STAGE and is tried again by itself, from time to time, and at once after `orca restart`. By hand, with the values as they were: `{hand}`.',
    exit: 120,
    http: 409,
  },
  'log-values-lost': {
    message: 'What run {run} wrote is not in its log, and cannot be masked any more: {why}.',
    hint: 'It stays in ORCA_LOG_STAGE and is not tried again by itself, except after `orca restart`. With the values as they were `{hand}` takes it into the log; without them it goes with its run (`orca gc`).',
    exit: 120,
    http: 409,
  },

  'values-unsure': {
    message: 'Nothing of {stage} was taken into a log, since a secret could get there in clear: {why}.',
    hint: '{help}.',
    exit: 120,
    http: 400,
  },

  'log-object-gone': {
    message: 'What run {run} wrote is not at {place} any more, where it was moved to.',
    hint: 'Somebody, or a rule of that bucket, deleted it. ORCA_KEEP_DAYS says how long orca keeps it.',
    exit: 120,
    http: 410,
  },
  'log-object-unreachable': {
    message: 'What run {run} wrote lies at {place}, which cannot be read now: {why}.',
    hint: 'Try again once that storage can be reached with the credentials of the daemon (docs/logs.md).',
    exit: 120,
    http: 503,
  },

  // What was typed.
  'usage-invalid': {
    message: '{why}.',
    hint: 'See `{help}`.',
    exit: 120,
    http: 400,
  },
  'option-invalid': {
    message: '{option} {value} is refused: {why}.',
    hint: '{hint}',
    exit: 120,
    http: 400,
  },
  'secret-variable-missing': {
    message: 'A secret is to come from the variable {name}, but your environment has none of that name.',
    hint: 'Set and export it, or name another source: file:PATH, or a name in Secrets Manager.',
    exit: 120,
    http: 400,
  },
  'memory-env-invalid': {
    message: '--memory-env {value} is refused: {why}.',
    hint: "Write java, node, or a format such as --memory-env 'SORT_BUFFER={mb*0.5}M' (docs/environment.md).",
    exit: 120,
    http: 400,
  },
  'run-number-invalid': {
    message: '{value} is not the number of a run.',
    hint: 'A run has a positive whole number, such as 12; `orca list --all` shows them.',
    exit: 120,
    http: 400,
  },
  'handle-invalid': {
    message: '{value} is neither the number of a run nor the handle of a group.',
    hint: 'A run has a positive whole number, such as 12, and a group a g before its number, such as g12.',
    exit: 120,
    http: 400,
  },
  'folder-missing': {
    message: 'There is no folder {folder} to run in.',
    hint: 'Make it, or name another one with --cwd.',
    exit: 120,
    http: 400,
  },
  'folder-gone': {
    message: 'The folder you are in is gone.',
    hint: 'cd to one that is there, or give --cwd; files then need their whole paths.',
    exit: 120,
    http: 400,
  },
  'program-missing': {
    message: 'There is no program {program}: no file of that path, nor one of that name in a folder of PATH.',
    hint: 'Check the spelling, or give its path. A shell command line goes as `sh -c "…"`.',
    exit: 120,
    http: 400,
  },
  'program-not-executable': {
    message: 'The program {program} is there, but may not be executed.',
    hint: 'Make it executable (`chmod +x`), or put its interpreter before it, such as `sh` or `python3`.',
    exit: 120,
    http: 400,
  },
  'text-not-utf8': {
    message: '{what} is not valid UTF-8, and orca would have to change its bytes to pass it on.',
    hint: 'Rename the file or put the bytes into a script, and give that to orca.',
    exit: 120,
    http: 400,
  },
  'file-unreadable': {
    message: 'The file {path} cannot be read: {why}.',
    hint: 'Check the path and its permissions.',
    exit: 120,
    http: 400,
  },
  'id-file-unwritable': {
    message: 'The file {path} cannot be written: {why}.',
    hint: 'Name an ordinary file in a folder that you may write with --id-file. Nothing was submitted.',
    exit: 120,
    http: 400,
  },
  'id-file-lost': {
    message: '{what} accepted, but {why}.',
    hint: '`orca wait {runs}` waits for the end.',
    exit: 122,
    http: 500,
  },
  'output-failed': {
    message: 'Standard output could not be written: {why}.',
    hint: '{advice}',
    exit: 122,
    http: 500,
  },
  'accepted-unprinted': {
    message: '{what} accepted, but standard output could not be written: {why}.',
    hint: '`orca wait {runs}` waits for the end.',
    exit: 122,
    http: 500,
  },
  'spool-failed': {
    message: 'Standard input could not be kept in {path}: {why}.',
    hint: 'Make room there, or give a file: `orca run --stdin FILE …` or `… < FILE`.',
    exit: 120,
    http: 500,
  },

  // The state folder.
  'state-link': {
    message: 'The state folder {path} is a symbolic link, which another program could point elsewhere.',
    hint: 'Set ORCA_HOME to the folder that it points to.',
    exit: 120,
    http: 500,
  },
  'state-not-folder': {
    message: 'The state folder {path} is not a folder.',
    hint: 'Move that file away, or set ORCA_HOME to a folder of your own.',
    exit: 120,
    http: 500,
  },
  'state-not-ours': {
    message: 'The folder {path} is not empty and is no state folder of orca.',
    hint: 'Set ORCA_HOME to a folder that is empty, or that is not there yet.',
    exit: 120,
    http: 500,
  },
  'state-foreign': {
    message: 'The state folder {path} belongs to user {owner}, and you are user {uid}.',
    hint: 'Set ORCA_HOME to a folder of your own; every user has an own daemon.',
    exit: 120,
    http: 500,
  },
  'state-shared': {
    message: 'Others may write into the state folder {path} (its mode is {mode}), so they could run commands as you.',
    hint: 'Run `chmod go-w {path}`, or set ORCA_HOME to another folder.',
    exit: 120,
    http: 500,
  },
  'state-unwritable': {
    message: 'The state folder {path} cannot be written: {why}.',
    hint: 'Set ORCA_HOME to a folder that you may write.',
    exit: 120,
    http: 500,
  },
  'state-full': {
    message: 'The file system of the state folder {path} is full: {why}.',
    hint: 'Make room there, or set ORCA_HOME to a folder elsewhere.',
    exit: 120,
    http: 507,
  },
  'state-network': {
    message: 'The state folder {path} is on a network file system ({type}), where locks do not hold.',
    hint: 'Set ORCA_HOME to a folder on a disk of this machine.',
    exit: 120,
    http: 500,
  },

  // The client's way to the daemon.
  'daemon-unstartable': {
    message: 'The daemon could not be started: {why}.',
    hint: 'Its own words are in {log}; `orca doctor` checks the rest.',
    exit: 121,
    http: 500,
  },
  'daemon-gone': {
    message: 'The daemon does not answer ({why}), and did not come back within {seconds} s.',
    hint: 'Runs that were begun go on under their keepers. `orca up` starts the daemon, `orca doctor` looks for the cause.',
    exit: 122,
    http: 500,
  },
  'daemon-silent': {
    message: 'A daemon (pid {pid}) is in charge of {state}, but it does not answer.',
    hint: '`kill -9 {pid}` ends it: it is made for that. Runs go on, and the next command starts another.',
    exit: 122,
    http: 500,
  },
  'daemon-gone-inside': {
    message:
      'The daemon does not answer, and did not come back within {seconds} s. This command is part of run {run}, so it starts none: that would end with the run.',
    hint: 'Run `orca up` outside of the run.',
    exit: 122,
    http: 500,
  },
  'answer-unreadable': {
    message: 'The daemon answered {path} with something that is not expected: {why}.',
    hint: 'Client and daemon may be of different versions: `orca restart` starts the newer one.',
    exit: 122,
    http: 500,
  },
  unexpected: {
    message: 'orca failed in a way that it does not know: {why}.',
    hint: 'Please report it, with the command that you gave. ORCA_TRACE=1 shows where it happened.',
    exit: 122,
    http: 500,
  },
  'setting-invalid': {
    message: '{place} sets {name} to {value}, but {why}.',
    hint: 'It may be {allowed}. `orca config show` lists every setting.',
    exit: 120,
    http: 400,
  },
  'setting-not-for-runs': {
    message: '{name} was sent with a run, but it is no setting of a single run.',
    hint: "Set it where the daemon is started; docs/settings.md says which settings are a run's own (scope run).",
    exit: 120,
    http: 400,
  },
  'config-unreadable': {
    message: 'The configuration file {file} cannot be read: {why}.',
    hint: 'Make it readable, or move it away.',
    exit: 120,
    http: 500,
  },
  'config-syntax': {
    message: 'The configuration file {file} is not TOML at line {line}: {why}.',
    hint: 'Correct that line; each setting is written as `name = value`.',
    exit: 120,
    http: 500,
  },
  'config-key-unknown': {
    message: '{place} sets {key}, but there is no such setting.',
    hint: '{advice}. docs/settings.md lists the settings.',
    exit: 120,
    http: 500,
  },
  'keeper-missing': {
    message: 'ORCA_KEEPER is native, but there is no native keeper that works here: {why}.',
    hint: '{advice}; or leave ORCA_KEEPER unset to use the shell script instead.',
    exit: 120,
    http: 500,
  },
  'text-nul': {
    message: '{what} holds a NUL byte, which no argument, path or name of a process can hold.',
    hint: 'Remove it.',
    exit: 120,
    http: 400,
  },
  'token-reused': {
    message: 'This token was used before, for {known} runs; now it came with {given}.',
    hint: 'Send the same submission again, or give a new one a token of its own.',
    exit: 120,
    http: 409,
  },
  'store-unwritable': {
    message: 'The store {file} cannot be opened or written: {why}.',
    hint: 'Its folder must be there, belong to you and be writable. ORCA_HOME names another state folder.',
    exit: 120,
    http: 500,
  },
  'store-full': {
    message: 'The disk of the store {file} is full: {why}. Nothing new is accepted; what was accepted before is kept.',
    hint: 'Make room on that disk, then try again.',
    exit: 120,
    http: 507,
  },
  'store-busy': {
    message: 'Another program has held the store {file} for over 5 s: {why}.',
    hint: 'Find it with `fuser {file}` and end it; only one daemon may use a store.',
    exit: 120,
    http: 503,
  },
  'store-io': {
    message: 'The disk of the store {file} failed: {why}.',
    hint: 'Look at the kernel log (`dmesg`) for that disk.',
    exit: 120,
    http: 500,
  },
  'store-corrupt': {
    message: 'The store {file} is damaged, or is not a store of orca: {why}.',
    hint: 'Move it away to begin with an empty one, or put back a copy of it.',
    exit: 120,
    http: 500,
  },
  'store-newer': {
    message: 'A newer orca changed this store: it needs schema {needs}, and this program understands {understood}.',
    hint: 'Use the newer orca, or another state folder (ORCA_HOME).',
    exit: 120,
    http: 500,
  },
  'store-unreachable': {
    message: 'Postgres cannot be reached: {why}.',
    hint: 'Check that the server runs, and the address, user and database that orca was given.',
    exit: 120,
    http: 503,
  },
  'postgres-too-old': {
    message: 'The server is PostgreSQL {version}; orca needs 15 or newer.',
    hint: 'Upgrade the server, or leave the address out to use the embedded store.',
    exit: 120,
    http: 500,
  },
  'request-invalid': {
    message: 'The request cannot be used: {why}.',
    hint: 'docs/api.md says what a request holds, and docs/cli.md what each option may be.',
    exit: 120,
    http: 400,
  },
  'route-unknown': {
    message: 'The daemon has nothing at {path}.',
    hint: 'The paths of the API are listed in docs/api.md.',
    exit: 120,
    http: 404,
  },
  'api-mismatch': {
    message: 'This client speaks API {client}, the running daemon API {daemon}.',
    hint: 'Use the orca that the daemon runs, or let the newer one take over with `orca restart`.',
    exit: 120,
    http: 426,
  },
  'daemon-closing': {
    message: 'The daemon is just handing over to another one.',
    hint: 'Try again in a moment.',
    exit: 122,
    http: 503,
  },
  internal: {
    message: 'The daemon failed at this: {what}.',
    hint: 'Its log says more: daemon.log in the state folder. What was accepted before is kept.',
    exit: 122,
    http: 500,
  },
  'start-unknown': {
    message: 'Run {run} has no start {start}.',
    hint: 'See its starts with `orca status {run}`.',
    exit: 127,
    http: 404,
  },
  'cpus-too-many': {
    message: '{asked} cpus were asked for, and this machine has {most} for runs: it could never start.',
    hint: 'Ask for at most {most} with --cpus, or raise ORCA_CAPACITY_CPUS.',
    exit: 120,
    http: 422,
  },
  'reserve-too-large': {
    message: 'ORCA_RESERVE_MB keeps {reserve} MB back, and the capacity is {capacity} MB: no run could ever start.',
    hint: 'Make the reserve smaller, or raise ORCA_CAPACITY_MB. `orca config show` tells where each value came from.',
    exit: 120,
    http: 500,
  },
  'memory-too-much': {
    message: 'At least {asked} of memory was asked for, and {most} can be granted here: it could never start.',
    hint: 'Ask for at most {most} with --memory; `orca status` shows the capacity and what is reserved (ORCA_RESERVE_MB).',
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
  'lines-too-many': {
    message: '{from} has {what}, too much for one submission; nothing was submitted.',
    hint: 'Give it in parts, one after the other, or let one run do the work of several lines.',
    exit: 120,
    http: 400,
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
  'wait-stuck': {
    message: 'Waiting for run {run} would never end: {why}.',
    hint: 'What is queued starts once the run is over inside which this was called. `orca run` works within what that one has, and does not queue.',
    exit: 122,
    http: 409,
  },
  'stdin-unreadable': {
    message: 'The standard input {path} cannot be read.',
    hint: 'Check that the file is there and may be read.',
    exit: 120,
    http: 400,
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
  'retry-too-early': {
    message: 'Run {run} is not over: it is {state}.',
    hint: 'Wait for it with `orca wait {run}`, or end it with `orca kill {run}` first.',
    exit: 120,
    http: 409,
  },
  'run-damaged': {
    message: 'What was asked for with run {run} cannot be read: in its record in the store {what}.',
    hint: 'Run the command again as it should be.',
    exit: 120,
    http: 409,
  },
  'retry-without-input': {
    message: 'Run {run} read its standard input from a pipe, and that is gone with the run.',
    hint: 'Run the command again with its input.',
    exit: 120,
    http: 409,
  },
});

export type ErrorCode = keyof typeof catalogue;
