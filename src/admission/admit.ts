import type { Millis } from '../units/brands.ts';
import { noPasses } from './fair-shares.ts';
import { headsAt } from './place.ts';
import type { Level, Queue } from './queue.ts';
import { Round, type Remembered } from './round.ts';
import type { AdmissionState, Waiting } from './types.ts';
import { Taken, Walk } from './walk.ts';

/** So many shapes are looked at in vain before a decision ends: who stands further back is looked at when something changed. */
export const mostLooks = 256;

export const nothingRemembered: Remembered = { passes: noPasses, heads: [], turn: 1 };

/**
 * Which runs start now (docs/queue.md has the rules). Nothing is changed: whoever asks takes the admitted out of the queue, counts them
 * among what is held, and hands the `remembered` in the next time. The queue must be awake for `now` (`Queue.wake`).
 */
export const admit = (
  queue: Queue,
  state: AdmissionState,
  before: Remembered,
  now: Millis,
  taken: Taken = new Taken(),
): Round => {
  const round = new Round(queue, state, before, now, taken);
  for (const entry of queue.nested()) if (isDue(entry, now) && !taken.has(entry.run)) round.admitNested(entry);
  if (state.down || state.paused !== null) return round;
  for (const level of queue.levels()) {
    if (admitLevel(queue, round, level)) continue;
    gather(queue, round, level);
    break;
  }
  return round;
};

/** The heads first, but only with what they have: what they want next may be another one's turn. False: nothing more is looked at. */
const admitLevel = (queue: Queue, round: Round, level: Level): boolean => {
  for (const entry of headsAt(queue, round, level)) if (round.consider(entry, false)?.kind === 'pressure') return false;
  do if (!walk(round, level)) return false;
  while (gather(queue, round, level) && round.reopen());
  return true;
};

const walk = (round: Round, { lines }: Level): boolean => {
  const walks = [...lines.values()].map((line) => new Walk(line, round.taken, round.closed));
  for (let next = nextOf(round, walks); next !== null; next = nextOf(round, walks)) {
    const block = round.passOver(next) ? null : round.consider(next, true);
    if (block?.kind === 'pressure' || round.looks >= mostLooks) return false;
  }
  return true;
};

/** Whether the heads have something else saved up for them now. */
const gather = (queue: Queue, round: Round, level: Level): boolean => {
  let changed = false;
  for (const entry of headsAt(queue, round, level)) changed = round.gather(entry) || changed;
  return changed;
};

/** Whether a run inside another may start; the others are where they are in the queue. */
const isDue = ({ notBefore, paused, after, damage }: Waiting, now: Millis): boolean =>
  paused === null && after === null && damage === null && (notBefore === null || notBefore <= now);

/** The run whose turn it is: of the submitter that goes first, else the oldest. */
const nextOf = ({ shares }: Round, walks: Walk[]): Waiting | null => {
  let next: Waiting | null = null;
  for (let at = walks.length - 1; at >= 0; at -= 1) {
    const entry = walks[at]?.peek() ?? null;
    if (entry === null) {
      // Nothing of this line is open any more, and nothing opens again within a decision.
      walks.splice(at, 1);
      continue;
    }
    const order = next === null ? -1 : shares.order(entry.submitter, next.submitter) || entry.run - next.run;
    if (order < 0) next = entry;
  }
  return next;
};
