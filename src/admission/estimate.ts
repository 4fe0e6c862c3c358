import { bytes, millis, type Millis, type RunId } from '../units/brands.ts';
import { admit } from './admit.ts';
import type { MachineState } from './machine-state.ts';
import type { Queue } from './queue.ts';
import type { Remembered } from './round.ts';
import type { AdmissionState, Holding } from './types.ts';
import { Taken } from './walk.ts';

/** An estimate looks no further than so many ends. */
const mostEnds = 500;
/** And looks at so many shapes in all: a queue of many different ones is dear to think through. */
const mostLooked = 10_000;

/**
 * When runs that stand in the order would start, by thinking the same decisions through on the durations that are known. Who is over its
 * time, or of whom nothing is known, ends in here never: a run that waits for such a one has no estimate. All else is taken to stay as
 * it is.
 */
export const estimates = (
  queue: Queue,
  state: AdmissionState,
  before: Remembered,
  now: Millis,
): ReadonlyMap<RunId, Millis> => {
  const starts = new Map<RunId, Millis>();
  const taken = new Taken();
  let at = now;
  let remembered = before;
  let { machine } = state;
  let holding: readonly Holding[] = state.holding.map((one) => withEnd(one, now));
  let looked = 0;
  for (let ends = 0; ends < mostEnds && looked < mostLooked; ends += 1) {
    const round = admit(queue, { ...state, machine, holding }, remembered, at, taken);
    for (const { run } of round.admitted) starts.set(run, at);
    remembered = round.remembered;
    // Passing a shape over costs little once, and not many times over.
    looked += Math.max(round.looks, round.closed.size / 4);
    const next = nextEnd(round.room.holding);
    if (next === null) break;
    at = next;
    const over = (one: Holding): boolean => one.endsAt !== null && one.endsAt <= at;
    machine = withFreed(machine, round.room.holding.filter(over));
    holding = round.room.holding.filter((one) => !over(one));
  }
  return starts;
};

const withEnd = (one: Holding, now: Millis): Holding =>
  one.endsAt === null || one.endsAt > now ? one : { ...one, endsAt: null };

/** What they used is the machine's again. */
const withFreed = (machine: MachineState, over: readonly Holding[]): MachineState =>
  machine.availableBytes === null
    ? machine
    : {
        ...machine,
        availableBytes: bytes(
          over.reduce((sum, { residentBytes }) => sum + (residentBytes ?? 0), machine.availableBytes as number),
        ),
      };

const nextEnd = (holding: readonly Holding[]): Millis | null => {
  let next = Infinity;
  for (const { endsAt } of holding) next = Math.min(next, endsAt ?? Infinity);
  return next === Infinity ? null : millis(next);
};
