import { factsOf } from '../admission/facts.ts';
import type { Seen } from '../admission/kept-back.ts';
import { inOrder } from '../admission/place.ts';
import { reasonWords } from '../admission/reason-words.ts';
import type { Queue } from '../admission/queue.ts';
import type { Round } from '../admission/round.ts';
import type { Waiting } from '../admission/types.ts';
import type { Millis } from '../units/brands.ts';
import type { Scheduler } from './scheduler.ts';

/** So many of the first in the order are looked at, and so often at most: their past is told in seconds. */
const most = 8;
const every = 100;

/** Keeps what the last decision saw that keeps the first runs of the queue, for the story of their starts. */
export const noteKeptBack = (scheduler: Scheduler, round: Round, now: Millis): void => {
  const { queue, keptBack, host } = scheduler;
  if (now - keptBack.notedAt < every) return;
  keptBack.notedAt = now;
  const seen = firstOf(queue, round).flatMap((entry): Seen[] => {
    const fact = factsOf(queue, round, entry, now, host.now()).find(({ kind }) => kind !== 'behind');
    if (fact === undefined) return [];
    const { run } = entry;
    return [{ run, kind: fact.kind, holders: 'holders' in fact ? fact.holders : [], words: reasonWords([fact]) ?? '' }];
  });
  keptBack.log.note(now, seen);
};

const firstOf = (queue: Queue, round: Round): Waiting[] => {
  const first: Waiting[] = [];
  for (const entry of inOrder(queue, round)) {
    if (first.length === most) break;
    if (!round.taken.has(entry.run)) first.push(entry);
  }
  return first;
};
