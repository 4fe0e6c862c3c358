/** What an entry's `{name}` places are filled with. */
export type ErrorParams = Readonly<Record<string, string | number>>;

export interface Entry {
  /** What happened and how we know. */
  readonly message: string;
  /** What to do next. */
  readonly hint: string;
  /** The status a command exits with. */
  readonly exit: number;
  /** The status an API answer has. */
  readonly http: number;
}

/** One part of the catalogue. */
export const entries = <Code extends string>(list: Record<Code, Entry>): Record<Code, Entry> => list;
