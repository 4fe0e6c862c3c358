import type { Line } from './line.ts';
import type { Level, Queue } from './queue.ts';
import type { Round } from './round.ts';
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

/** Null for one that does not stand in the order. Costs as much as there are submitters, however many wait. */
export const placeOf = (queue: Queue, round: Round, entry: Waiting): Place | null => {
  if (queue.standing(entry.run) === null) return null;
  let before = 0;
  for (const level of queue.levels()) {
    if (level.priority === entry.priority)
      return { position: before + placeIn(level, queue, round, entry), of: queue.due };
    for (const { runs } of level.lines.values()) before += runs.size;
  }
  return null;
};

/** The first in the order that can start here at all; null when there is none. */
export const firstInOrder = (queue: Queue, round: Round): Waiting | null => {
  for (const entry of inOrder(queue, round)) if (round.sizedOf(entry).never === null) return entry;
  return null;
};

/** All that stand in the order. */
export function* inOrder(queue: Queue, round: Round): Generator<Waiting> {
  for (const level of queue.levels()) {
    const heads = headsAt(queue, round, level);
    yield* heads;
    const lines = turnsOf(level, round);
    const longest = Math.max(...lines.map(({ runs }) => runs.size));
    for (let turn = 0; turn < longest; turn += 1) {
      for (const { runs } of lines) {
        const entry = runs.at(turn);
        if (entry !== null && !heads.includes(entry)) yield entry;
      }
    }
  }
}

const placeIn = (level: Level, queue: Queue, round: Round, entry: Waiting): number => {
  const heads = headsAt(queue, round, level);
  const asHead = heads.indexOf(entry);
  if (asHead >= 0) return asHead + 1;
  const lines = turnsOf(level, round);
  const own = turnIn(lines, entry);
  return own + heads.filter((head) => turnIn(lines, head) > own).length;
};

/** Its place if there were no heads. */
const turnIn = (lines: readonly Line[], entry: Waiting): number => {
  const rank = lines.findIndex(({ submitter }) => submitter === entry.submitter);
  const turn = lines[rank]?.runs.before(entry.run) ?? 0;
  let before = turn;
  for (const [other, { runs }] of lines.entries())
    if (other !== rank) before += Math.min(runs.size, other < rank ? turn + 1 : turn);
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
