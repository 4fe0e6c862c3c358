import { commandName } from '../runs/command-name.ts';
import { afterDeath, afterSuccess, raiseFor, type Raise } from '../runs/raise.ts';
import { allRaises, dropRaise, putRaise } from '../store/raises.ts';
import type { Run } from '../store/run.ts';
import type { Tx } from '../store/schema.ts';
import type { Bytes } from '../units/brands.ts';
import type { Scheduler } from './scheduler.ts';

type Command = Pick<Run, 'cwd' | 'argv'>;
type Requested = Pick<Run, 'memory_min_bytes' | 'memory_max_bytes'>;

const requestOf = (run: Requested): Raise['request'] => ({ min: run.memory_min_bytes, max: run.memory_max_bytes });

export const loadRaises = async ({ store, raises }: Pick<Scheduler, 'store' | 'raises'>): Promise<void> => {
  for (const row of await allRaises(store.read)) {
    const request = { min: row.memory_min_bytes, max: row.memory_max_bytes };
    raises.set(row.command, { bytes: row.raised_bytes, request, successes: row.successes });
  }
};

/** What a new run begins with; null for nothing. Most commands never died for memory, so mostly nothing is hashed. */
export const knownRaise = ({ raises }: Scheduler, run: Command & Requested): Bytes | null =>
  raises.size === 0 ? null : raiseFor(raises.get(commandName(run)) ?? null, requestOf(run));

/** What a start's end does to its command's raise: stored inside the command, in memory once that is committed. */
export interface RaiseChange {
  readonly command: string;
  readonly to: Raise | null;
}

export const raiseAfterEnd = (
  { raises }: Scheduler,
  run: Command & Requested,
  end: { readonly raised: Bytes | null; readonly teaches: boolean },
): RaiseChange | null => {
  if (end.raised === null && (!end.teaches || raises.size === 0)) return null;
  const command = commandName(run);
  const known = raises.get(command) ?? null;
  if (end.raised !== null) return { command, to: afterDeath(known, end.raised, requestOf(run)) };
  return known === null ? null : { command, to: afterSuccess(known) };
};

export const storeRaise = async (tx: Tx, { command, to }: RaiseChange, at: Scheduler['host']): Promise<void> => {
  if (to === null) {
    await dropRaise(tx, command);
    return;
  }
  await putRaise(tx, {
    command,
    raised_bytes: to.bytes,
    memory_min_bytes: to.request.min,
    memory_max_bytes: to.request.max,
    successes: to.successes,
    raised_at: at.now(),
  });
};

export const keepRaise = ({ raises }: Scheduler, { command, to }: RaiseChange): void => {
  if (to === null) raises.delete(command);
  else raises.set(command, to);
};

/** Forgets what is known of a run's command; whether there was anything. */
export const forgetRaise = async (scheduler: Scheduler, run: Command): Promise<boolean> => {
  const command = commandName(run);
  const known = await scheduler.store.command((tx) => dropRaise(tx, command), { durable: true });
  scheduler.raises.delete(command);
  return known;
};
