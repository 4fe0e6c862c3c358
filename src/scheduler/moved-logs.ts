import { OrcaError } from '../errors/orca-error.ts';
import type { LogObject } from '../logs/object-log.ts';
import type { Stream } from '../logs/stage-folder.ts';
import { ObjectFailure } from '../objects/object-failure.ts';
import type { ObjectStorage } from '../objects/object-storage.ts';
import { startsOf } from '../store/get-run.ts';
import { movedLogsOf } from '../store/json-columns.ts';
import type { StartRow } from '../store/schema.ts';
import { formatObjectAddress, keyBelow, parseObjectAddress, type ObjectAddress } from '../units/object-address.ts';
import type { RunId } from '../units/brands.ts';
import type { Scheduler } from './scheduler.ts';
import { plainPipeline } from './state-folder.ts';

/** Null: its logs stay in their files. */
export const placeOfLogs = ({ logs_to: text }: Pick<StartRow, 'logs_to'>): ObjectAddress | null =>
  text === null ? null : parseObjectAddress(text).address;

/** Where the logs of a run that is started now go; null: they stay. */
export const logsTo = ({ logMoving: { to } }: Scheduler, run: RunId): string | null =>
  to === null ? null : `${formatObjectAddress(to)}/${plainPipeline}/${run}`;

/** The setting that a run's logs go by. */
export const baseOfLogs = (to: string, run: RunId): string => {
  const own = `/${plainPipeline}/${run}`;
  return to.endsWith(own) ? to.slice(0, -own.length) : to;
};

export const logName = (start: number, stream: Stream): string => `${start}.${stream}`;

/** Where a start's log is now: a file, or an address. */
export const whereLogIs = (start: StartRow, stream: Stream): string => {
  if (start.logs_to === null || start.moved_logs === null) return start[`${stream}_path`];
  return `${start.logs_to}/${logName(start.start, stream)}`;
};

/** Of a run's starts, in object storages. */
export const movedBytes = (starts: readonly StartRow[]): number =>
  starts.reduce((sum, start) => {
    const moved = movedLogsOf(start.moved_logs);
    return moved === null || moved === 'damaged' ? sum : sum + moved.stdout.bytes + moved.stderr.bytes;
  }, 0);

/** A start's log where it lies once its file is gone; as the store has it now, since it may just have been moved. Null: it was not moved. */
export const logObject = async (
  scheduler: Scheduler,
  run: RunId,
  number: number,
  stream: Stream,
): Promise<LogObject | null> => {
  if (!scheduler.logMoving.on) return null;
  const start = (await startsOf(scheduler.store.read, run)).find((one) => one.start === number);
  const place = start === undefined ? null : placeOfLogs(start);
  const moved = start === undefined ? null : movedLogsOf(start.moved_logs);
  if (place === null || moved === null) return null;
  if (moved === 'damaged') {
    const why = 'what the store has of it is damaged';
    throw new OrcaError('log-object-unreachable', { run, place: `${start?.logs_to}/${logName(number, stream)}`, why });
  }
  const storage = telling(scheduler.logMoving.storage(place.bucket, scheduler.env), run, place.bucket);
  return { storage, key: keyBelow(place, logName(number, stream)), log: moved[stream] };
};

/** The samples of a run whose files are gone, wherever they lie. Null: there are none. */
export const samplesObject = async (scheduler: Scheduler, run: RunId): Promise<LogObject | null> => {
  if (!scheduler.logMoving.on) return null;
  const start = (await startsOf(scheduler.store.read, run)).findLast(
    ({ logs_to: to, moved_logs: moved }) => to !== null && moved !== null,
  );
  const place = start === undefined ? null : placeOfLogs(start);
  if (place === null) return null;
  const storage = telling(scheduler.logMoving.storage(place.bucket, scheduler.env), run, place.bucket);
  for (const name of ['control', 'local']) {
    const key = keyBelow(place, `metrics/${name}.jsonl`);
    const bytes = await sizeIfThere(storage, key);
    if (bytes !== null) return { storage, key, log: { bytes, gone: null, times: false } };
  }
  return null;
};

const sizeIfThere = async (storage: ObjectStorage, key: string): Promise<number | null> => {
  try {
    return await storage.size(key, new AbortController().signal);
  } catch (error) {
    if (error instanceof OrcaError && error.code === 'log-object-gone') return null;
    throw error;
  }
};

/** Says which log of which run it is that cannot be read. */
const telling = (storage: ObjectStorage, run: RunId, bucket: string): ObjectStorage => {
  const told = async <T>(key: string, act: Promise<T>): Promise<T> => {
    try {
      return await act;
    } catch (cause) {
      if (!(cause instanceof ObjectFailure)) throw cause;
      const params = { run, place: formatObjectAddress({ bucket, prefix: key }), why: cause.message };
      throw new OrcaError(cause.absent ? 'log-object-gone' : 'log-object-unreachable', params, cause);
    }
  };
  return {
    ...storage,
    read: (key, begin, end, signal) => told(key, storage.read(key, begin, end, signal)),
    size: (key, signal) => told(key, storage.size(key, signal)),
  };
};
