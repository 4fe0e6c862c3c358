import type { Mib } from '../units/brands.ts';

interface Common {
  /** What it means, one line. */
  readonly doc: string;
  /** `run`: the client's value travels with each submission. `daemon`: the daemon's own value holds. */
  readonly scope: 'daemon' | 'run';
  /** False: only the environment sets it, since it says where everything else lies. */
  readonly toml?: false;
  /** Read when the daemon starts: a file that changes later counts from its next start on. */
  readonly atStart?: true;
}
interface NumberSetting extends Common {
  readonly type: 'size-mb' | 'int' | 'number' | 'percent' | 'duration-seconds';
  readonly unit: 'MB' | '%' | 's' | 'ms' | 'days' | null;
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** A value that cannot be used becomes the default with one warning, where a seed demands that; else it is an error. */
  readonly lenient?: true;
}
interface TextSetting extends Common {
  readonly type: 'string';
  readonly unit: null;
  readonly default: string;
  readonly oneOf?: readonly string[];
  /** What a value must begin with, when it is not empty. */
  readonly prefixes?: readonly string[];
  /** What it must look like, and that in words. */
  readonly shape?: { readonly pattern: RegExp; readonly words: string };
  /** It is a command line, split into words by quotes and backslashes alone (`splitWords`). */
  readonly words?: true;
}
interface PathSetting extends Common {
  readonly type: 'path';
  readonly unit: null;
  /** As people read it; the value itself is worked out from the state folder or the environment. */
  readonly default:
    '<state>/logs' | '$XDG_STATE_HOME/orca, else ~/.local/state/orca' | '$TMPDIR/orca-logs, else /tmp/orca-logs';
  /** `s3://BUCKET/PREFIX` will do, too. */
  readonly orAddress?: true;
}
export type Setting = NumberSetting | TextSetting | PathSetting;

const settings = <const T extends Record<`ORCA_${string}`, Setting>>(list: T): T => list;

const day = 86400;

/**
 * Every setting, in one list; `orca config show`, `docs/settings.md` and all validation come from it. In a
 * `config.toml` a setting has its name without `ORCA_`, in lower case.
 */
export const table = settings({
  ORCA_HOME: {
    type: 'path',
    unit: null,
    default: '$XDG_STATE_HOME/orca, else ~/.local/state/orca',
    scope: 'daemon',
    toml: false,
    doc: 'The state folder. It says which daemon is meant: one state folder, one daemon.',
  },
  ORCA_CAPACITY_CPUS: {
    type: 'number',
    unit: null,
    default: 0,
    min: 0,
    max: 65536,
    scope: 'daemon',
    doc: 'Processors that runs may have together; 0: what the machine has.',
  },
  ORCA_CAPACITY_MB: {
    type: 'size-mb',
    unit: 'MB',
    default: 0,
    min: 0,
    max: 2 ** 33,
    scope: 'daemon',
    doc: 'Memory that runs and the reserve share; 0: what the machine has.',
  },
  ORCA_RESERVE_MB: {
    type: 'size-mb',
    unit: 'MB',
    default: 0,
    min: 0,
    max: 2 ** 33,
    scope: 'daemon',
    doc: 'Memory that is never granted to runs; 0: the larger of 512 MB and 10 % of the capacity.',
  },
  ORCA_MAX_QUEUED: {
    type: 'int',
    unit: null,
    default: 200_000,
    min: 1,
    max: 1_000_000,
    scope: 'daemon',
    doc: 'Runs that may be queued or running at once, by whoever; what would be more is refused before any of it is accepted. Each that waits takes the daemon about 1.5 KB.',
  },
  ORCA_PRESSURE_MEMORY: {
    type: 'percent',
    unit: '%',
    default: 20,
    min: 0,
    max: 100,
    scope: 'daemon',
    doc: 'Nothing more is started while programs wait for memory for more of the time than this (`some avg10`), runs at their own limits left out; 0: never held for that.',
  },
  ORCA_PRESSURE_IO: {
    type: 'percent',
    unit: '%',
    default: 60,
    min: 0,
    max: 100,
    scope: 'daemon',
    doc: 'The same for the disks.',
  },
  ORCA_GPUS: {
    type: 'string',
    unit: null,
    default: 'auto',
    shape: {
      pattern: /^(auto|\d{1,3}|(\d{1,3},)+\d{0,3})$/,
      words: 'auto, a number of devices, or indexes such as 0,2',
    },
    scope: 'daemon',
    atStart: true,
    doc: 'Devices that runs may be given: auto, all that `nvidia-smi -L` tells; a number, so many of them; `0,2` (or `0,`), those; 0, none.',
  },
  ORCA_RUN_MEMORY_MB: {
    type: 'size-mb',
    unit: 'MB',
    default: 0,
    min: 0,
    max: 2 ** 33,
    scope: 'daemon',
    doc: 'Limit of a run that asked for no memory; 0: what the host can grant.',
  },
  ORCA_RUN_MEMORY_MARGIN: {
    type: 'percent',
    unit: '%',
    default: 25,
    min: 0,
    max: 1000,
    scope: 'daemon',
    doc: 'How far over its limit a run may go before it is killed.',
  },
  ORCA_RUN_MEMORY_GROWTH: {
    type: 'number',
    unit: null,
    default: 1.5,
    min: 1,
    max: 1000,
    lenient: true,
    scope: 'daemon',
    doc: 'What the limit is multiplied by after an out-of-memory kill; 1: never more.',
  },
  ORCA_RUN_MEMORY_HELD_SECONDS: {
    type: 'duration-seconds',
    unit: 's',
    default: 120,
    min: 0,
    max: day,
    scope: 'daemon',
    doc: 'How long a run may be held at its limit without getting on before it is ended as out of memory; 0: for ever.',
  },
  ORCA_CGROUPS: {
    type: 'int',
    unit: null,
    default: 1,
    min: 0,
    max: 1,
    scope: 'daemon',
    atStart: true,
    doc: 'Whether each run gets a cgroup of its own where that is possible; 0: never, limits are watched by sampling.',
  },
  ORCA_OOM_GROUP: {
    type: 'int',
    unit: null,
    default: 1,
    min: 0,
    max: 1,
    scope: 'daemon',
    doc: 'Whether the kernel ends the whole run when one of its processes goes over its memory; 0: only that process.',
  },
  ORCA_OOM_RETRIES: {
    type: 'int',
    unit: null,
    default: 5,
    min: 0,
    max: 1000,
    scope: 'daemon',
    doc: 'How often a run is started again because its memory was too small, at most; ordinary retries are counted apart.',
  },
  ORCA_RETRY_DELAY_SECONDS: {
    type: 'duration-seconds',
    unit: 's',
    default: 1,
    min: 0,
    max: day,
    scope: 'run',
    doc: 'Wait before the first ordinary retry, give or take a fifth; it doubles with each further one, up to 5 minutes or to this, whichever is more.',
  },
  ORCA_CAPTURE_ENV: {
    type: 'string',
    unit: null,
    default: 'all',
    oneOf: ['all', 'minimal', 'none'],
    scope: 'run',
    doc: "How much of its caller's environment a run gets, where --capture-env does not say it.",
  },
  ORCA_THREAD_HINTS: {
    type: 'int',
    unit: null,
    default: 1,
    min: 0,
    max: 2,
    scope: 'run',
    doc: 'Whether OMP_NUM_THREADS and its like tell a run how many cpus it has; 0: never, 1: where --cpus was given, 2: always.',
  },
  ORCA_AS: {
    type: 'string',
    unit: null,
    default: '',
    scope: 'run',
    doc: 'Who submits, where --as does not say it; empty: the terminal or program that it comes from.',
  },
  ORCA_KILL_GRACE_SECONDS: {
    type: 'duration-seconds',
    unit: 's',
    default: 10,
    min: 0,
    max: day,
    scope: 'run',
    doc: 'Time between the polite signal (TERM) and the kill.',
  },
  ORCA_OWNER_SECONDS: {
    type: 'duration-seconds',
    unit: 's',
    default: 10,
    min: 0.1,
    max: day,
    scope: 'daemon',
    atStart: true,
    doc: 'How long the `orca run` that owns a run may be gone before the run is stopped.',
  },
  ORCA_OOM_SCORE_ADJ: {
    type: 'int',
    unit: null,
    default: 1000,
    min: -1000,
    max: 1000,
    scope: 'daemon',
    doc: 'How readily the kernel kills a run when the whole machine is out of memory; 1000: first.',
  },
  ORCA_RUN_NICE: {
    type: 'int',
    unit: null,
    default: 0,
    min: -20,
    max: 19,
    scope: 'daemon',
    doc: 'How far runs stand back for the CPU; below 0 needs root.',
  },
  ORCA_USAGE_INTERVAL_MS: {
    type: 'int',
    unit: 'ms',
    default: 250,
    min: 50,
    max: 60000,
    scope: 'daemon',
    doc: 'Time between two looks at what the runs use.',
  },
  ORCA_SAMPLE_SECONDS: {
    type: 'duration-seconds',
    unit: 's',
    default: 5,
    min: 0,
    max: day,
    lenient: true,
    scope: 'daemon',
    doc: 'Time between two samples of the machine and of a run; 0: none are taken.',
  },
  ORCA_SAMPLE_UPLOAD_SECONDS: {
    type: 'duration-seconds',
    unit: 's',
    default: 30,
    min: 0.1,
    max: day,
    lenient: true,
    scope: 'daemon',
    doc: 'Time between two uploads of samples to an object storage.',
  },
  ORCA_IDLE_SECONDS: {
    type: 'duration-seconds',
    unit: 's',
    default: 3600,
    min: 0,
    max: 365 * day,
    scope: 'daemon',
    atStart: true,
    doc: 'After how long with nothing to do the daemon leaves; 0: never.',
  },
  ORCA_EVENTS_DAYS: {
    type: 'int',
    unit: 'days',
    default: 7,
    min: 0,
    max: 36500,
    scope: 'daemon',
    doc: 'How long the events of finished runs are kept.',
  },
  ORCA_KEEP_DAYS: {
    type: 'int',
    unit: 'days',
    default: 30,
    min: 0,
    max: 36500,
    scope: 'daemon',
    doc: 'How long runs that are over are kept, with their logs and samples; 0: for ever.',
  },
  ORCA_KEEP_LOGS_MB: {
    type: 'size-mb',
    unit: 'MB',
    default: 10240,
    min: 0,
    max: 2 ** 33,
    scope: 'daemon',
    doc: 'What logs and samples may have together, before those of the oldest runs are deleted; 0: any amount.',
  },
  ORCA_KEEPER: {
    type: 'string',
    unit: null,
    default: 'auto',
    oneOf: ['auto', 'native', 'sh'],
    scope: 'daemon',
    atStart: true,
    doc: 'Which keeper starts the commands; auto: the native one where there is one, else the shell script.',
  },
  ORCA_LOGS: {
    type: 'path',
    unit: null,
    default: '<state>/logs',
    orAddress: true,
    scope: 'daemon',
    atStart: true,
    doc: 'Where the output of runs is kept: a folder, or an object storage, to which the logs of starts that are over are moved.',
  },
  ORCA_LOG_MAX_MB: {
    type: 'size-mb',
    unit: 'MB',
    default: 64,
    min: 0,
    max: 2 ** 33,
    scope: 'run',
    doc: 'How large the log of each output of a start may become; its first quarter and its newest part are kept. 0: as large as it will.',
  },
  ORCA_LOG_STAGE: {
    type: 'path',
    unit: null,
    default: '$TMPDIR/orca-logs, else /tmp/orca-logs',
    scope: 'daemon',
    atStart: true,
    doc: "Where what is on its way to another place waits; nobody else may read there. Where the default one is another user's, it is one beside it with `-` and the user's number after its name.",
  },
  ORCA_STORE_URL: {
    type: 'string',
    unit: null,
    default: '',
    prefixes: ['postgres://', 'postgresql://'],
    scope: 'daemon',
    atStart: true,
    doc: 'The PostgreSQL to keep runs in, as postgres://…; empty: a file in the state folder.',
  },
  ORCA_RUNNER: {
    type: 'string',
    unit: null,
    default: 'local',
    oneOf: ['local', 'control'],
    scope: 'daemon',
    atStart: true,
    doc: 'What the default placement means.',
  },
  ORCA_CONTROL_MAX_RUNS: {
    type: 'int',
    unit: null,
    default: 2,
    min: 1,
    max: 1000,
    scope: 'daemon',
    doc: 'How many runs may be on the control placement at once.',
  },
  ORCA_CONTROL_MEMORY_MB: {
    type: 'size-mb',
    unit: 'MB',
    default: 1024,
    min: 1,
    max: 2 ** 33,
    scope: 'daemon',
    atStart: true,
    doc: 'The most memory that a run on the control placement may have.',
  },
  ORCA_CONTROL_NICE: {
    type: 'int',
    unit: null,
    default: 10,
    min: 0,
    max: 19,
    scope: 'daemon',
    doc: 'How far runs on the control placement stand back for the CPU.',
  },
  ORCA_CONTROL_WORKERS: {
    type: 'int',
    unit: null,
    default: 1,
    min: 1,
    max: 1000,
    scope: 'daemon',
    doc: 'How many workers of its own a run on the control placement should start; it finds the number in this variable.',
  },
  ORCA_SECRET_FETCH: {
    type: 'string',
    unit: null,
    default: '',
    words: true,
    scope: 'daemon',
    doc: 'A command that prints the secret whose id is added as its last argument; quotes and backslashes keep words whole, no shell reads it. Empty: secrets come from AWS Secrets Manager, file:PATH and env:NAME.',
  },
  ORCA_SECRETS_ENDPOINT: {
    type: 'string',
    unit: null,
    default: '',
    prefixes: ['https://', 'http://'],
    scope: 'daemon',
    doc: 'Where Secrets Manager answers, when that is not at AWS.',
  },
});

type Table = typeof table;
export type SettingName = keyof Table;

type ValueOf<S> = S extends { readonly type: 'size-mb' }
  ? Mib
  : S extends { readonly oneOf: readonly (infer Word)[] }
    ? Word
    : S extends { readonly type: 'string' | 'path' }
      ? string
      : number;
/** What `settings.get(name)` gives: a `*_MB` is `Mib`, a `*_SECONDS` seconds, one of few words their union. */
export type SettingValue<Name extends SettingName> = ValueOf<Table[Name]>;

export const settingNames = Object.keys(table) as readonly SettingName[];

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(table, name);

/** The key in a `config.toml`; null for what only the environment sets. */
export const tomlKey = (name: SettingName): string | null => {
  const setting: Setting = table[name];
  return setting.toml === false ? null : name.slice('ORCA_'.length).toLowerCase();
};
