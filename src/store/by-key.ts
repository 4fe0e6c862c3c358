import { OrcaError } from '../errors/orca-error.ts';
import { commandName } from '../runs/command-name.ts';
import { noNeeds } from '../runs/needs.ts';
import type { Millis, RunId } from '../units/brands.ts';
import type { NewRun } from './insert-runs.ts';
import { keyHolders, type KeyHolder } from './key-holders.ts';
import type { Tx } from './schema.ts';

export interface KeyedRuns {
  readonly runs: readonly NewRun[];
  readonly inside: readonly RunId[];
  readonly keyWindow: Millis;
  readonly now: Millis;
}

export interface ByKey {
  readonly fresh: readonly { readonly index: number; readonly run: NewRun }[];
  /** Commands that get another run: one that is there, or an earlier one of the same submission. */
  readonly others: readonly { readonly index: number; readonly holder: KeyHolder | { readonly fresh: number } }[];
}

/** Which commands of a submission make runs, and which get one by their key. Throws when a key is that of other work. */
export const byKey = async (tx: Tx, asked: KeyedRuns, keys: readonly string[]): Promise<ByKey> => {
  const { held, dying } = await keyHolders(tx, keys, asked.now, asked.keyWindow);
  const fresh: { index: number; run: NewRun }[] = [];
  const others: { index: number; holder: KeyHolder | { fresh: number } }[] = [];
  const mine = new Map<string, number>();
  for (const [index, run] of asked.runs.entries()) {
    const { key = null } = run;
    const holder = key === null ? undefined : held.get(key);
    const twin = key === null ? undefined : mine.get(key);
    if (key !== null && holder !== undefined) {
      check(asked, key, run, holder);
      others.push({ index, holder });
    } else if (key !== null && twin !== undefined) {
      if (commandName(fresh[twin]?.run ?? run) !== commandName(run))
        throw new OrcaError('request-invalid', { why: `keys: ${key} is given to two different commands` });
      others.push({ index, holder: { fresh: twin } });
    } else {
      if (key !== null) mine.set(key, fresh.length);
      fresh.push({ index, run: afterDying(asked, run, key === null ? undefined : dying.get(key)) });
    }
  }
  return { fresh, others };
};

const check = ({ inside }: KeyedRuns, key: string, run: NewRun, holder: KeyHolder): void => {
  if (holder.command !== commandName(run)) throw new OrcaError('key-taken', { key, run: holder.id });
  if (inside.includes(holder.id)) throw new OrcaError('key-inside', { key, run: holder.id });
};

/** The same work is never done by two at once: who follows one that was told to end begins when it has. */
const afterDying = ({ inside }: KeyedRuns, run: NewRun, dying: KeyHolder | undefined): NewRun => {
  if (dying === undefined || inside.includes(dying.id)) return run;
  const needs = run.needs ?? noNeeds;
  return { ...run, needs: { ...needs, after: [...needs.after, { run: dying.id, any: true }] } };
};
