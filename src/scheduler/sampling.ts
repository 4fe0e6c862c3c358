import { availableParallelism, hostname } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { localFolders } from '../machine/network-mount.ts';
import { defaultFolders } from '../sample/default-folders.ts';
import { fileWriter } from '../sample/file-writer.ts';
import { HostLooks } from '../sample/host-looks.ts';
import { restoreMinutes } from '../sample/minute-file.ts';
import { minutesKept, type Minutes } from '../sample/minutes.ts';
import type { HostLook, SampleLine } from '../sample/sample-line.ts';
import type { SampleWriter } from '../sample/sample-writer.ts';
import type { Settings } from '../settings/settings.ts';
import type { Host } from './host.ts';
import type { LiveStart } from './live-start.ts';
import type { StateFolder } from './state-folder.ts';

/** What the samples of the machine and of all runs stand on. */
export interface Sampling {
  readonly machine: { readonly host: string; readonly cores: number };
  readonly looks: HostLooks;
  /** The machine's own samples, and what they were rolled up to. */
  readonly hostFile: SampleWriter;
  readonly minuteFile: SampleWriter;
  minutes: Minutes;
  /** What the machine's next line is the difference to; null while nothing runs or waits. */
  hostBefore: HostLook | null;
  /** The sample that was last asked for. */
  asked: { readonly look: HostLook; readonly line: SampleLine } | null;
  /** Kinds of failures that the log was told of: each is worth one message. */
  readonly told: Set<string>;
}

/** An hour of the machine's samples at the usual interval. */
const hostLinesKept = 720;
/** Samples name the caller's folders. */
const mode = 0o600;

export interface SamplingParts {
  readonly host: Host;
  readonly state: StateFolder;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * With the minutes that an earlier daemon left. The folders told are those that runs usually write to, and orca's own; not those on a network
 * file system: while its server is away, asking it would hold up the daemon.
 */
export const openSampling = ({ host, state, env }: SamplingParts): Sampling => {
  const files = { host: join(state.metrics, 'host.jsonl'), minutes: join(state.metrics, 'minutes.jsonl') };
  const looksHost = { procRoot: host.procRoot, sysRoot: '/sys', nowMs: () => sampleMs(host), time: () => host.now() };
  const folders = localFolders(host.procRoot, [...defaultFolders(env), state.folder, state.logs]);
  return {
    machine: { host: hostname(), cores: availableParallelism() },
    looks: new HostLooks(looksHost, folders),
    hostFile: fileWriter(files.host, { keep: hostLinesKept, mode }),
    minuteFile: fileWriter(files.minutes, { keep: minutesKept, mode }),
    minutes: restoreMinutes(files.minutes, files.host),
    hostBefore: null,
    asked: null,
    told: new Set(),
  };
};

/** The clock of samples: milliseconds that no clock set back or forth can disturb. */
export const sampleMs = (host: Pick<Host, 'monotonicUs'>): number => host.monotonicUs() / 1000;

/** Between two samples, in milliseconds; null for none at all. */
export const sampleIntervalMs = (settings: Settings): number | null =>
  settings.get('ORCA_SAMPLE_SECONDS') * 1000 || null;

/** All samples fall due on one beat, so that one look at the machine serves them all. */
export const nextBeat = (nowMs: number, intervalMs: number): number =>
  (Math.floor(nowMs / intervalMs) + 1) * intervalMs;

/** CPU seconds that this process has used. */
export const ownCpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** Of all runs together, as the last pass over `/proc` saw them. */
export const runsRss = (live: Iterable<Pick<LiveStart, 'lastRss' | 'ending'>>): number => {
  let sum = 0;
  for (const { lastRss, ending } of live) if (!ending) sum += lastRss ?? 0;
  return sum;
};

/** A sample that cannot be kept is lost; a kind of failure is told once, and nothing else comes of it. */
export const tellLost = (
  { sampling, log }: { sampling: Sampling; log: Logger },
  error: unknown,
  what: object,
): void => {
  const kind = error instanceof Error && 'code' in error ? String(error.code) : 'other';
  if (sampling.told.has(kind)) return;
  sampling.told.add(kind);
  log.warn({ err: error, ...what }, 'samples cannot be written and are lost; nothing else comes of it');
};
