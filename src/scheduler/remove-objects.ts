import { ObjectFailure } from '../objects/object-failure.ts';
import { startsOf } from '../store/get-run.ts';
import { millis, type RunId } from '../units/brands.ts';
import type { ObjectAddress } from '../units/object-address.ts';
import { errorWords } from './error-words.ts';
import { isOthers } from './log-owner.ts';
import { moveLogs, stopMoving } from './move-logs.ts';
import { baseOfLogs, placeOfLogs } from './moved-logs.ts';
import type { Scheduler } from './scheduler.ts';

/** A storage that is away is not asked anew for each of many runs. */
const restMs = 60_000;

/** Deletes what object storages have of a run, whatever it is, where the place is this store's. Throws where that fails. */
export const removeObjects = async (scheduler: Scheduler, run: RunId): Promise<void> => {
  if (!scheduler.logMoving.on) return;
  await stopMoving(scheduler, run);
  try {
    const starts = await startsOf(scheduler.store.read, run);
    const places = new Map(starts.map((start) => [start.logs_to, placeOfLogs(start)]));
    for (const [to, place] of places)
      if (to !== null && place !== null) await removeBelow(scheduler, baseOfLogs(to, run), place);
  } catch (error) {
    // It stays, and so does what of it was on its way.
    moveLogs(scheduler, run);
    throw error;
  }
};

const removeBelow = async (scheduler: Scheduler, base: string, place: ObjectAddress): Promise<void> => {
  const { logMoving, env, host } = scheduler;
  const rest = logMoving.resting.get(base);
  if (rest !== undefined && host.now() < rest.until) throw new ObjectFailure(rest.why);
  const storage = logMoving.storage(place.bucket, env);
  const { signal } = new AbortController();
  try {
    if (!(await isOthers(scheduler, storage, place, signal)))
      for (const { key } of await storage.list(`${place.prefix}/`, signal)) await storage.remove(key, signal);
    logMoving.resting.delete(base);
  } catch (error) {
    logMoving.resting.set(base, { until: millis(host.now() + restMs), why: errorWords(error) });
    throw error;
  }
};
