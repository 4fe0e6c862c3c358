import { ObjectFailure } from '../objects/object-failure.ts';
import { startsOf } from '../store/get-run.ts';
import { millis, type RunId } from '../units/brands.ts';
import { errorWords } from './error-words.ts';
import { stopMoving } from './move-logs.ts';
import { placeOfLogs } from './moved-logs.ts';
import type { Scheduler } from './scheduler.ts';

/** A storage that is away is not asked anew for each of many runs. */
const restMs = 60_000;

/** Deletes what object storages have of a run, whatever it is. Throws where that fails. */
export const removeObjects = async (scheduler: Scheduler, run: RunId): Promise<void> => {
  const { logMoving, store, env, host } = scheduler;
  if (!logMoving.on) return;
  await stopMoving(scheduler, run);
  const starts = await startsOf(store.read, run);
  const places = new Map(starts.flatMap((start) => (start.logs_to === null ? [] : [[start.logs_to, start] as const])));
  for (const start of places.values()) {
    const place = placeOfLogs(start);
    if (place === null) continue;
    if (logMoving.resting !== null && host.now() < logMoving.resting.until)
      throw new ObjectFailure(logMoving.resting.why);
    const storage = logMoving.storage(place.bucket, env);
    const { signal } = new AbortController();
    try {
      const found = await storage.list(`${place.prefix}/`, signal);
      for (const { key } of found) await storage.remove(key, signal);
      logMoving.resting = null;
    } catch (error) {
      logMoving.resting = { until: millis(host.now() + restMs), why: errorWords(error) };
      throw error;
    }
  }
};
