import { shortenLog } from '../logs/shorten-log.ts';
import { lastEventId } from '../store/events.ts';
import { bytesOfMib, millis } from '../units/brands.ts';
import { nothingDeleted, type Deleted } from './delete-runs.ts';
import { gc, type GcRule } from './gc.ts';
import type { Scheduler } from './scheduler.ts';
import { shrinkLogs } from './shrink-logs.ts';

/** Deletions go one after the other. */
export class Retention {
  /** The one that goes on. */
  #last: Promise<unknown> = Promise.resolve();
  /** The last event when the logs were last measured: without another one they are no larger. */
  measuredAt: number | null = null;

  next<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#last.then(act);
    this.#last = done.catch(() => {});
    return done;
  }
}

/** Of the daemon's own log. */
const daemonLog = { most: 16 * 1048576, keep: 1048576 };
const hour = millis(3_600_000);
const day = 86_400_000;

/** Deletes what the settings say is too old or too much, now and once an hour. */
export const retainHourly = (scheduler: Scheduler): void => {
  const go = (): void => {
    retain(scheduler)
      .then((deleted) => {
        if (deleted.runs + deleted.logs > 0) scheduler.log.info(deleted, 'old runs or logs were deleted');
      })
      .catch((error: unknown) => scheduler.log.error({ err: error }, 'old runs could not be deleted'));
    scheduler.host.timers.set(hour, go);
  };
  go();
};

const retain = (scheduler: Scheduler): Promise<Deleted> =>
  scheduler.retention.next(async () => {
    if (shortenLog(scheduler.state.daemonLog, daemonLog)) scheduler.log.info('the beginning of this log was deleted');
    const byAge = await gc(scheduler, ageRule(scheduler, false));
    const event = await lastEventId(scheduler.store.read);
    if (event === scheduler.retention.measuredAt) return byAge;
    const bySize = await bySettings(scheduler, false);
    scheduler.retention.measuredAt = event;
    return sum(byAge, bySize);
  });

/** Deletes at once: what the settings say where `rule` is null. */
export const collect = (scheduler: Scheduler, rule: Omit<GcRule, 'dryRun'> | null, dryRun: boolean): Promise<Deleted> =>
  scheduler.retention.next(async () => {
    if (rule !== null) return gc(scheduler, { ...rule, dryRun });
    const byAge = await gc(scheduler, ageRule(scheduler, dryRun));
    return sum(byAge, await bySettings(scheduler, dryRun));
  });

const ageRule = ({ settings, host }: Scheduler, dryRun: boolean): GcRule => {
  const days = settings.get('ORCA_KEEP_DAYS');
  return { before: days === 0 ? null : millis(host.now() - days * day), keep: null, dryRun };
};

const bySettings = async (scheduler: Scheduler, dryRun: boolean): Promise<Deleted> => {
  const most = scheduler.settings.get('ORCA_KEEP_LOGS_MB');
  return most === 0 ? nothingDeleted() : shrinkLogs(scheduler, bytesOfMib(most), dryRun);
};

const sum = (a: Deleted, b: Deleted): Deleted => ({
  runs: a.runs + b.runs,
  logs: a.logs + b.logs,
  bytes: a.bytes + b.bytes,
  kept: a.kept + b.kept,
  failed: a.failed + b.failed,
});
