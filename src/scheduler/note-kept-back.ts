import { factsOf } from '../admission/facts.ts';
import type { Seen } from '../admission/kept-back.ts';
import { reasonWords } from '../admission/reason-words.ts';
import type { Round } from '../admission/round.ts';
import type { Millis } from '../units/brands.ts';
import type { Scheduler } from './scheduler.ts';

/** So many heads of the queue are looked at, and so often at most: their past is told in seconds. */
const most = 8;
const every = 100;

/** Keeps what the last decision saw that keeps the first runs of the queue, for the story of their starts. */
export const noteKeptBack = (scheduler: Scheduler, round: Round, now: Millis): void => {
  const { queue, keptBack, host } = scheduler;
  if (now - keptBack.notedAt < every) return;
  keptBack.notedAt = now;
  const seen = round.heads.all.slice(0, most).flatMap(({ run }): Seen[] => {
    const entry = queue.get(run);
    const fact =
      entry === null ? undefined : factsOf(queue, round, entry, now, host.now()).find(({ kind }) => kind !== 'behind');
    if (fact === undefined) return [];
    return [{ run, kind: fact.kind, holders: 'holders' in fact ? fact.holders : [], words: reasonWords([fact]) ?? '' }];
  });
  keptBack.log.note(now, seen);
};
