import { statSync } from 'node:fs';

/** The program that a client is part of; the daemon compares it with its own and hands over to a newer one. */
export interface Program {
  readonly version: string;
  /** When it was built, ms since the epoch. */
  readonly builtAt: number;
  /** The file that `node` runs, links resolved; `<entry> daemon` is the daemon. */
  readonly entry: string;
  /** The `node` that runs it. */
  readonly node: string;
}

/** The value of the `orca-program` header. Bytes that a header cannot carry are percent-encoded. */
export function programHeader(program: Program): string {
  return `${program.version} ${program.builtAt} ${encodeURI(program.entry)}`;
}

/** The build's own time, else (sources run as they are) the entry's. */
export function builtAt(stamp: number | null, entry: string): number {
  return stamp ?? Math.trunc(statSync(entry).mtimeMs);
}
