import type { RunId } from '../units/brands.ts';
import type { Line } from './line.ts';
import type { Level, Queue } from './queue.ts';
import type { Round } from './round.ts';
import type { Shape } from './shape.ts';
import type { SortedRuns } from './sorted-runs.ts';
import type { Waiting } from './types.ts';

/**
 * Where a run stands, as people are told it: higher priorities first, then the heads, then the submitters in turns, each with its oldest
 * run first. What fits starts out of turn, and turns shift with what is held.
 */
export interface Place {
  /** From 1. */
  readonly position: number;
  readonly of: number;
}

/**
 * Null for one that does not stand in the order, or can never start here: it is before nobody, and counts for none. Costs as much as there are submitters,
 * however many wait.
 */
export const placeOf = (queue: Queue, round: Round, entry: Waiting): Place | null => {
  const never = round.neverOf(queue);
  if (queue.standing(entry.run) === null || round.sizedOf(entry).never !== null) return null;
  let position: number | null = null;
  let of = 0;
  for (const level of queue.levels()) {
    if (level.priority === entry.priority) position = of + placeIn(level, queue, round, entry);
    for (const line of level.lines.values()) of += countIn(line, never);
  }
  return position === null ? null : { position, of };
};

/** How many of a line can start here at all; with `before` those of them that are older. */
const countIn = (line: Line, never: readonly Shape[], before: RunId | null = null): number => {
  const count = (runs: SortedRuns<Waiting> | null): number =>
    runs === null ? 0 : before === null ? runs.size : runs.before(before);
  return never.reduce((left, shape) => left - count(line.of(shape)), count(line.runs));
};

/** The first in the order that can start here at all; null when there is none. */
export const firstInOrder = (queue: Queue, round: Round): Waiting | null => {
  for (const entry of inOrder(queue, round)) if (round.sizedOf(entry).never === null) return entry;
  return null;
};

/** All that stand in the order; what can never start here takes nobody's turn, and comes last of its priority. */
export function* inOrder(queue: Queue, round: Round): Generator<Waiting> {
  const never = round.neverOf(queue);
  for (const level of queue.levels()) {
    const heads = headsAt(queue, round, level);
    yield* heads;
    const lines = turnsOf(level, round);
    let turns = lines.map((line) => startable(line, never));
    while (turns.length > 0) {
      const open: typeof turns = [];
      for (const turn of turns) {
        const next = turn.next();
        if (next.done === true) continue;
        open.push(turn);
        if (!heads.includes(next.value)) yield next.value;
      }
      turns = open;
    }
    for (const shape of never) for (const line of lines) yield* line.of(shape) ?? [];
  }
}

function* startable({ runs }: Line, never: readonly Shape[]): Generator<Waiting, void> {
  for (const entry of runs) if (!never.includes(entry.shape)) yield entry;
}

const placeIn = (level: Level, queue: Queue, round: Round, entry: Waiting): number => {
  const heads = headsAt(queue, round, level);
  const asHead = heads.indexOf(entry);
  if (asHead >= 0) return asHead + 1;
  const lines = turnsOf(level, round);
  const never = round.neverOf(queue);
  const own = turnIn(lines, never, entry);
  return own + heads.filter((head) => turnIn(lines, never, head) > own).length;
};

/** Its place if there were no heads. */
const turnIn = (lines: readonly Line[], never: readonly Shape[], entry: Waiting): number => {
  const rank = lines.findIndex(({ submitter }) => submitter === entry.submitter);
  const line = lines[rank];
  const turn = line === undefined ? 0 : countIn(line, never, entry.run);
  let before = turn;
  for (const [other, one] of lines.entries())
    if (other !== rank) before += Math.min(countIn(one, never), other < rank ? turn + 1 : turn);
  return before + 1;
};

/** In their order. */
export const headsAt = (queue: Queue, { heads }: Round, { priority }: Level): Waiting[] =>
  heads.all.flatMap((head) => (head.priority === priority ? (queue.standing(head.run) ?? []) : []));

/** The submitters in the order in which their turns come. */
const turnsOf = ({ lines }: Level, { shares }: Round): Line[] =>
  [...lines.values()].sort(
    (a, b) => shares.order(a.submitter, b.submitter) || (a.runs.first?.run ?? 0) - (b.runs.first?.run ?? 0),
  );
