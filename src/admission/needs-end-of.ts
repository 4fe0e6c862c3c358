import type { RunId } from '../units/brands.ts';
import { nothingRemembered } from './admit.ts';
import { unknownMachine } from './machine-state.ts';
import type { Queue } from './queue.ts';
import { Round } from './round.ts';
import type { Waiting } from './types.ts';
import { Taken } from './walk.ts';

/**
 * Whether a queued run cannot start before one of `holders` is over, whatever else ends: what they hold alone leaves too little for it, or
 * for a head that it must not delay. Whoever among them waits for that run waits for ever.
 */
export const needsEndOf = (queue: Queue, round: Round, entry: Waiting, holders: ReadonlySet<RunId>): boolean => {
  if (queue.standing(entry.run) === null) return false;
  const { state, now } = round;
  const holding = state.holding.filter(({ run }) => holders.has(run));
  // Others' memory, pressure and what else uses the machine pass; the devices are there for good.
  const gpus = state.machine.gpus.map((device) => ({ ...device, foreign: [] }));
  const alone = new Round(
    queue,
    { ...state, machine: { ...unknownMachine, gpus }, holding },
    nothingRemembered,
    now,
    new Taken(),
  );
  // A head minds only earlier ones, so this ends.
  for (let one: Waiting | null = entry; one !== null;) {
    if (alone.blockOf(one)?.kind === 'short') return true;
    const block = round.blockOf(one);
    one = block?.kind === 'delays' ? queue.standing(block.head) : null;
  }
  return false;
};
