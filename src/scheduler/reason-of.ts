import { admit } from '../admission/admit.ts';
import { factsOf, type Fact } from '../admission/facts.ts';
import { placeOf } from '../admission/place.ts';
import { reasonWords } from '../admission/reason-words.ts';
import type { Round } from '../admission/round.ts';
import type { RunId } from '../units/brands.ts';
import type { WaitingRunJson } from '../wire/api.ts';
import { admissionState } from './admission-state.ts';
import type { Scheduler } from './scheduler.ts';
import { steadyNow } from './steady.ts';

export interface Wait {
  /** In a person's words. */
  readonly reason: string | null;
  readonly waiting: WaitingRunJson | null;
}

const noWait: Wait = { reason: null, waiting: null };

/** Why a queued run waits, by what the last decision saw; nothing when it does not, or is just being started. */
export const waitOf = (scheduler: Scheduler, run: RunId): Wait => {
  const { queue, host, troubles } = scheduler;
  const entry = queue.get(run);
  if (entry === null) return noWait;
  const round = lastRound(scheduler);
  const place = placeOf(queue, round, entry);
  const estimate_ms = place === null ? null : scheduler.outlook.untilStart(scheduler, run);
  const where = { position: place?.position ?? null, of: place?.of ?? null, estimate_ms };
  const facts = factsOf(queue, round, entry, steadyNow(host), host.now());
  const first = facts[0];
  // What went wrong at the last try keeps it until the next one, and no longer: then it may wait for something else.
  const trouble = first?.kind === 'back-off' ? (troubles.get(run) ?? null) : stallOf(scheduler, run);
  if (trouble !== null) return { reason: trouble, waiting: { kind: 'trouble', holders: [], ...where } };
  if (first === undefined) return noWait;
  return { reason: reasonWords(facts), waiting: { kind: first.kind, holders: holdersOf(facts), ...where } };
};

const stallOf = ({ queue, stall, host, paused, down }: Scheduler, run: RunId): string | null =>
  paused !== null || down || queue.standing(run) === null ? null : (stall.at(steadyNow(host))?.why ?? null);

/** The last decision; before the first, one that nothing follows from. */
export const lastRound = (scheduler: Scheduler): Round =>
  scheduler.round ?? admit(scheduler.queue, admissionState(scheduler), scheduler.remembered, steadyNow(scheduler.host));

const holdersOf = (facts: readonly Fact[]): readonly RunId[] => {
  for (const fact of facts) if ('holders' in fact && fact.holders.length > 0) return fact.holders.slice(0, 20);
  for (const fact of facts) if (fact.kind === 'delays') return [fact.head];
  return [];
};
