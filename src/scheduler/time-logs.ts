import { statSync, type Stats } from 'node:fs';
import { addTimes, readTimesNow } from '../logs/time-file.ts';
import type { LogTime } from '../logs/log-times.ts';
import type { Stream } from '../logs/stage-folder.ts';
import type { RunId } from '../units/brands.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';
import { outputName } from './staged-logs.ts';

const streams = ['stdout', 'stderr'] as const;

/** How often the logs of a start are looked at; one that is over before its first look has no index. */
const everyMs = 1000;

/** What is known of when a start's outputs were written. */
export interface LogTimes {
  dueMs: number;
  readonly outputs: readonly OutputTimes[];
}

interface OutputTimes {
  readonly file: string;
  readonly stream: Stream;
  /** Of the file as it was first seen; null: not yet. */
  inode: number | null;
  /** The last record; null: none yet. */
  last: LogTime | null;
  /** When it was last seen to be that long; null: not by this daemon. */
  seenMs: number | null;
}

/** Notes how long the outputs of running starts are by now, where they have grown. */
export const timeLogs = (scheduler: Scheduler, running: readonly LiveStart[]): void => {
  const now = scheduler.host.now();
  for (const live of running) {
    // A clock that was set back makes none wait.
    const waitMs = live.times === null ? (live.startedAt ?? now) + everyMs - now : live.times.dueMs - now;
    if (waitMs > 0 && waitMs <= everyMs) continue;
    live.times ??= begin(scheduler, live);
    live.times.dueMs = now + everyMs;
    for (const output of live.times.outputs) look(output, now);
  }
};

/** At a start's end: what it wrote last was written after the last look. */
export const endTimes = (live: LiveStart): void => {
  for (const output of live.times?.outputs ?? []) {
    const seen = quiet(output);
    if (seen !== null && (statOf(output.file)?.size ?? 0) > seen.offset) add(output, [seen]);
    output.seenMs = null;
  }
};

/** What is known of an output now, and is in no record. */
export const seenNow = ({ live }: Scheduler, run: RunId, start: number, stream: Stream): LogTime | null => {
  const found = live.get(run);
  const output = found?.start === start ? found.times?.outputs.find((one) => one.stream === stream) : undefined;
  return output === undefined ? null : quiet(output);
};

/** It was that long still when it was seen last; null: that is its last record. */
const quiet = ({ last, seenMs }: OutputTimes): LogTime | null =>
  seenMs === null || seenMs <= (last?.ms ?? 0) ? null : { offset: last?.offset ?? 0, ms: seenMs };

const begin = (scheduler: Scheduler, live: LiveStart): LogTimes => ({
  dueMs: 0,
  outputs: streams.map((stream) => {
    const file = outputName(scheduler, live, stream);
    return { file, stream, inode: null, last: readTimesNow(file).at(-1) ?? null, seenMs: null };
  }),
});

const look = (output: OutputTimes, now: number): void => {
  const { size = 0, ino = null } = statOf(output.file) ?? {};
  output.inode ??= ino;
  if (size > (output.last?.offset ?? 0)) {
    const record = { offset: size, ms: now };
    const seen = quiet(output);
    // What came now came after the last look.
    add(output, seen === null ? [record] : [seen, record]);
    output.last = record;
  }
  output.seenMs = now;
};

/** Without an index more of the log is shown than was asked for: a full disk is no reason to say anything. */
const add = (output: OutputTimes, times: readonly LogTime[]): void => {
  try {
    addTimes(output.file, times);
  } catch {
    // The next growth is noted again.
  }
};

const statOf = (file: string): Stats | undefined => {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};
