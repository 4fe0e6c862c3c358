/** What the queue remembers from one decision to the next, handed to the daemon that comes after this one: for whom room is saved up, what was let past, and whose turn it is. */
import { nothingRemembered } from '../admission/admit.ts';
import type { Head } from '../admission/heads.ts';
import type { Remembered } from '../admission/round.ts';
import { getMeta, setMeta } from '../store/meta.ts';
import { count, listOf, mapOf, number, objectOf, pairOf, text } from '../store/shapes.ts';
import { runId, type RunId } from '../units/brands.ts';
import type { Scheduler } from './scheduler.ts';

/** By which admission each run that goes on was let in. */
export type Turns = ReadonlyMap<RunId, number>;

interface Recalled {
  readonly remembered: Remembered;
  readonly turns: Turns;
}

/** Kept by a daemon that ends in order; one that is killed takes it along. */
export const storeRemembered = async ({ store, remembered, live }: Scheduler): Promise<void> => {
  if (remembered.heads.length === 0 && remembered.passes.of.size === 0) return;
  const turns = new Map([...live.values()].map(({ run, turn }) => [run, turn]));
  await store.command((tx) => setMeta(tx, 'queue', rememberedText({ remembered, turns })));
};

/** What an earlier daemon kept, once: it is true only for the one right after it. */
export const recallRemembered = async (scheduler: Scheduler): Promise<Turns> => {
  const { store, log } = scheduler;
  const kept = await getMeta(store.read, 'queue');
  if (kept === null) return new Map();
  await store.command((tx) => setMeta(tx, 'queue', null));
  const recalled = readRemembered(kept);
  if (recalled === null) {
    log.warn('what the queue remembered of an earlier daemon’s decisions cannot be read, and is forgotten');
    return new Map();
  }
  scheduler.remembered = recalled.remembered;
  return recalled.turns;
};

export const rememberedText = ({ remembered, turns }: Recalled): string =>
  JSON.stringify({
    passes: [...remembered.passes.of],
    active: [...remembered.passes.active],
    heads: remembered.heads.map(({ run, priority, order, since }) => ({
      run,
      priority,
      order,
      since: Object.fromEntries(since),
    })),
    turn: remembered.turn,
    turns: [...turns],
  });

/** Null: it is damaged, or of a program that keeps something else. */
export const readRemembered = (kept: string): Recalled | null => {
  let value: unknown;
  try {
    value = JSON.parse(kept);
  } catch {
    return null;
  }
  if (shape(value) !== null) return null;
  const { passes, active, heads, turn, turns } = value as Kept;
  return {
    remembered: {
      ...nothingRemembered,
      passes: { of: new Map(passes), active: new Set(active) },
      heads: heads.map((head) => ({ ...head, run: runId(head.run), since: sinceOf(head) })),
      turn,
    },
    turns: new Map(turns.map(([run, at]) => [runId(run), at])),
  };
};

interface Kept {
  readonly passes: readonly (readonly [string, number])[];
  readonly active: readonly string[];
  readonly heads: readonly (Omit<Head, 'run' | 'since'> & {
    readonly run: number;
    readonly since: Readonly<Record<string, number>>;
  })[];
  readonly turn: number;
  readonly turns: readonly (readonly [number, number])[];
}

const shape = objectOf({
  passes: listOf(pairOf(text, number)),
  active: listOf(text),
  heads: listOf(objectOf({ run: count, priority: number, order: count, since: mapOf(count) })),
  turn: count,
  turns: listOf(pairOf(count, count)),
});

/** What is saved up by a name that nothing has any more is saved up for nobody. */
const sinceOf = ({ since }: Kept['heads'][number]): Head['since'] => new Map(Object.entries(since)) as Head['since'];
