import { pruneAnswers } from '../store/answers.ts';
import { pruneEvents } from '../store/prune-events.ts';
import { millis } from '../units/brands.ts';
import type { Scheduler } from './scheduler.ts';

const day = 86_400_000;

/** Deletes old events of finished runs, and what submissions were answered, now and once a day. */
export const pruneDaily = (scheduler: Scheduler): void => {
  const prune = async (): Promise<void> => {
    const before = millis(scheduler.host.now() - scheduler.settings.get('ORCA_EVENTS_DAYS') * day);
    while ((await scheduler.store.command((tx) => pruneEvents(tx, before))) > 0);
    await scheduler.store.command((tx) => pruneAnswers(tx, millis(scheduler.host.now() - day)));
  };
  const go = (): void => {
    prune().catch((error: unknown) => scheduler.log.error({ err: error }, 'old events could not be deleted'));
    scheduler.host.timers.set(millis(day), go);
  };
  go();
};
