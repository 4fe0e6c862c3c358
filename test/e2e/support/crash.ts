import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Orca } from './orca.ts';
import { killHard } from './processes.ts';

/** Daemon and resident die in the same moment: nobody is left who would start another daemon. Keepers and commands go on. */
export const crash = (orca: Orca): Promise<void> => killHard(...orca.residents(), orca.daemonPid());

export const startFile = (orca: Orca, run: number, name: string, start = 1): string =>
  join(orca.state, 'starts', `${run}.${start}`, name);

/** Replaces a record of a start as its keeper would: by rename. */
export const writeRecord = (orca: Orca, run: number, name: string, text: string): void => {
  const file = startFile(orca, run, name);
  writeFileSync(`${file}.draft`, text);
  renameSync(`${file}.draft`, file);
};

interface PidRecord {
  readonly boot: string;
  readonly keeper: { readonly pid: number; readonly start: number };
  readonly command: { readonly pid: number; readonly start: number };
}

/** Changes what the record of a start's pids says. */
export const changePids = (orca: Orca, run: number, change: Partial<PidRecord>): void => {
  const record = JSON.parse(readFileSync(startFile(orca, run, 'pid'), 'utf8')) as PidRecord;
  writeRecord(orca, run, 'pid', JSON.stringify({ ...record, ...change }));
};

/** Changes the store while no daemon has it. */
export const changeStore = (orca: Orca, ...statements: readonly string[]): void => {
  const database = new DatabaseSync(join(orca.state, 'orca.db'), { timeout: 10_000 });
  for (const statement of statements) database.exec(statement);
  database.close();
};
