import { bytes, bytesOfMib, millis, type RunId } from '../units/brands.ts';
import type { PassPace } from '../usage/pass-pace.ts';
import { procPass, type TreeUsage } from '../usage/proc-pass.ts';
import { proportionalBytes } from '../usage/proportional.ts';
import { overCap, worthALook } from '../usage/sampled-cap.ts';
import { keepPeaks } from './keep-peaks.ts';
import { deliverAsk } from './deliver-ask.ts';
import { sampleStarts } from './sample-starts.ts';
import { timeLogs } from './time-logs.ts';
import { watchMemory } from './watch-memory.ts';
import { meterTime, type LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';

/** Whether the pass over `/proc` is going on, and how often. */
export interface UsageWatch {
  running: boolean;
  readonly pace: PassPace;
  /** When the peaks of running starts were stored last, in meters' time. */
  peaksKeptAt: number;
}

/** The first samples are due then. */
const firstPassMs = 200;
const youngMs = 100;

/** Measures all running starts, one pass over `/proc` for all of them, for as long as there are any. */
export const watchUsage = (scheduler: Scheduler): void => {
  if (scheduler.usage.running) return;
  scheduler.usage.running = true;
  next(scheduler, Math.min(firstPassMs, scheduler.settings.get('ORCA_USAGE_INTERVAL_MS')));
};

const next = (scheduler: Scheduler, afterMs: number): void => {
  scheduler.host.timers.set(millis(afterMs), () => {
    const running = [...scheduler.live.values()].filter((live) => live.startedAt !== null && !live.ending);
    if (running.length === 0) {
      watchMemory(scheduler, running);
      scheduler.usage.running = false;
      return;
    }
    const young = Math.min(youngMs, scheduler.settings.get('ORCA_USAGE_INTERVAL_MS'));
    if (areYounger(scheduler, running, young)) return next(scheduler, young);
    const before = process.threadCpuUsage();
    const measured = measure(scheduler, running);
    watchMemory(scheduler, running);
    const afterMs = paced(scheduler, process.threadCpuUsage(before));
    // Not a part of the pass: what it costs must not put the next one off.
    sampleStarts(scheduler, measured);
    timeLogs(scheduler, running);
    next(scheduler, afterMs);
  });
};

/** So short ones would be over before they were measured twice, and of those over the kernel tells. A drain of them needs no passes at all. */
const areYounger = ({ host }: Scheduler, running: readonly LiveStart[], thanMs: number): boolean => {
  const now = host.now();
  return running.every(({ startedAt }) => startedAt !== null && now >= startedAt && now - startedAt < thanMs);
};

/** When the next pass is due, in milliseconds; that they are slower than asked for, or no longer, goes into the log. */
const paced = ({ usage, settings, log }: Scheduler, { user, system }: NodeJS.CpuUsage): number => {
  const cpuMs = (user + system) / 1000;
  const wantedMs = settings.get('ORCA_USAGE_INTERVAL_MS');
  const { afterMs, changed } = usage.pace.next(cpuMs, wantedMs);
  if (changed) {
    const figures = { every_ms: Math.round(afterMs), wanted_ms: wantedMs, cpu_ms: Math.round(cpuMs) };
    if (usage.pace.slowed)
      log.warn(figures, 'a look at all processes is dear here: running starts are measured less often');
    else log.info(figures, 'running starts are measured as often as wanted again');
  }
  return afterMs;
};

/** Those of which something was there. */
const measure = (scheduler: Scheduler, running: readonly LiveStart[]): LiveStart[] => {
  const { host } = scheduler;
  const roots = running.map((live) => ({ keeper: live.keeperPid, command: live.pid }));
  const trees = procPass(host.procRoot, roots, scheduler.units);
  const now = meterTime(host);
  const measured: LiveStart[] = [];
  const treeOf = new Map(running.map((live, index) => [live.run, trees[index]]));
  const inside = Map.groupBy(running, ({ parent }) => parent?.run ?? null);
  for (const [index, live] of running.entries()) {
    const tree = trees[index];
    const whole = withInner(live.run, inside, treeOf);
    const rssBytes = whole.reduce((sum, one) => sum + one.rssBytes, 0);
    if (tree !== undefined && tree.pids.length > 0) {
      // What runs inside it would be a part of its tree, had its command been called without orca.
      live.meter.sample(rssBytes, tree.cpuSeconds, now);
      live.lastRss = bytes(tree.rssBytes);
      if (live.cgroup === null) live.seenPids.note(tree.pids, host.monotonicUs());
      measured.push(live);
    }
    checkCap(scheduler, live, whole, rssBytes);
  }
  keepPeaks(scheduler, running, now);
  return measured;
};

/** The trees of a start and of the starts inside it: a cap is one on all of them. */
const withInner = (
  run: RunId,
  inside: ReadonlyMap<RunId | null, readonly LiveStart[]>,
  trees: ReadonlyMap<RunId, TreeUsage | undefined>,
): TreeUsage[] => [
  ...[trees.get(run) ?? []].flat(),
  ...(inside.get(run) ?? []).flatMap((other) => withInner(other.run, inside, trees)),
];

/** Ends a start that is over its cap. */
const checkCap = (scheduler: Scheduler, live: LiveStart, trees: readonly TreeUsage[], rssBytes: number): void => {
  const { cap, ask } = live;
  if (cap === null || live.cgroup !== null || ask !== null || !worthALook(rssBytes, cap)) return;
  const pids = trees.flatMap((tree) => tree.pids);
  const text = overCap({
    rssBytes,
    proportionalBytes: settledBytes(scheduler, pids, cap),
    limitBytes: bytesOfMib(live.limit),
    capBytes: cap,
  });
  if (text === null) return;
  live.ask = { mark: 'cap', text, now: true };
  void deliverAsk(scheduler, live);
};

/**
 * Proportional memory, read again before it counts as over: while a tree forks, what its processes share may be counted whole in the one
 * that is read first and in parts in those read after.
 */
const settledBytes = ({ host }: Scheduler, pids: readonly number[], cap: number): number | null => {
  const first = proportionalBytes(host.procRoot, pids);
  if (first === null || first <= cap) return first;
  const second = proportionalBytes(host.procRoot, pids);
  return second === null ? first : Math.min(first, second);
};
