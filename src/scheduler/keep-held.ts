import { nameOf } from '../admission/dimension.ts';
import type { Block, Round } from '../admission/round.ts';
import type { Shape } from '../admission/shape.ts';
import { slotsReason } from '../runs/control-reasons.ts';
import { runnerReason } from '../runs/placement.ts';
import { setHeld } from '../store/set-held.ts';
import { millis, type RunId } from '../units/brands.ts';
import type { Scheduler } from './scheduler.ts';

const every = millis(250);
/** In one command: others have their turn between. */
const atOnce = 500;

/**
 * Keeps in the store (`runs.held`) why runs wait that are not simply for this machine: for a slot of control, for the machine to be less full, for a runner that
 * is not here. Only what has changed is written, some times a second at most.
 */
export const keepHeld = (scheduler: Scheduler): void => {
  const { host, log } = scheduler;
  let armed = false;
  let writing = false;
  const arm = (): void => {
    if (armed || scheduler.closing || scheduler.heldStored.size === 0) return;
    armed = true;
    host.timers.set(every, () => {
      armed = false;
      if (writing) return arm();
      writing = true;
      storeChanges(scheduler)
        .then((more) => {
          writing = false;
          if (more) arm();
        })
        .catch((error: unknown) => {
          writing = false;
          log.error({ err: error }, 'why runs wait could not be stored');
        });
    });
  };
  scheduler.moved.listen(arm);
  arm();
};

interface Change {
  readonly run: RunId;
  readonly words: string | null;
}

/** Whether there are more than were written. */
const storeChanges = async (scheduler: Scheduler): Promise<boolean> => {
  const { heldStored, store, closing } = scheduler;
  const all = closing ? [] : changes(scheduler);
  const some = all.slice(0, atOnce);
  if (some.length === 0) return false;
  await store.command(async (tx) => {
    for (const { run, words } of some) await setHeld(tx, run, words);
  });
  for (const { run, words } of some) if (heldStored.has(run)) heldStored.set(run, words);
  return all.length > some.length;
};

/** By what the last decision saw. Runs of one shape wait for the same. */
const changes = ({ heldStored, queue, round }: Scheduler): Change[] => {
  if (round === null) return [];
  const ofShape = new Map<Shape, string | null>();
  const changed: Change[] = [];
  for (const [run, stored] of heldStored) {
    if (!queue.has(run)) {
      heldStored.delete(run);
      continue;
    }
    // Whoever is not due waits for something else.
    const entry = queue.standing(run);
    const known = entry === null ? null : ofShape.get(entry.shape);
    const words = entry === null || known !== undefined ? (known ?? null) : heldWords(round, round.blockOf(entry));
    if (entry !== null) ofShape.set(entry.shape, words);
    if (words !== stored) changed.push({ run, words });
  }
  return changed;
};

/** Without the numbers of those that hold the slots: they change with every start, for all that wait. */
const heldWords = ({ room, state }: Round, block: Block | null): string | null => {
  if (block?.kind === 'control') return block.words;
  if (block?.kind !== 'short') return null;
  for (const need of block.short) {
    const named = nameOf(need.of);
    if (named?.kind !== 'slot') continue;
    if (!state.amounts.has(need.of)) return runnerReason(named.name, 'local');
    const there = room.there(need);
    return slotsReason(there - room.free(need), there);
  }
  return null;
};
