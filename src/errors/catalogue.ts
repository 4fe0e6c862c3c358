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
  'run-unknown': {
    message: 'There is no run {run}.',
    hint: 'List the runs with `orca list`.',
    exit: 127,
    http: 404,
  },
});

export type ErrorCode = keyof typeof catalogue;
