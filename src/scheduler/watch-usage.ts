import { bytes, bytesOfMib, millis } from '../units/brands.ts';
import { procPass } from '../usage/proc-pass.ts';
import { proportionalBytes } from '../usage/proportional.ts';
import { overCap, worthALook } from '../usage/sampled-cap.ts';
import { deliverAsk } from './deliver-ask.ts';
import { watchHeld } from './watch-held.ts';
import { meterTime, type LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';

/** Whether the pass over `/proc` is going on. */
export interface UsageWatch {
  running: boolean;
}

/** A pass may take this share of a core at most: with thousands of processes the passes get further apart. */
const shareOfACore = 0.05;

/** Measures all running starts, one pass over `/proc` for all of them, for as long as there are any. */
export const watchUsage = (scheduler: Scheduler): void => {
  if (scheduler.usage.running) return;
  scheduler.usage.running = true;
  next(scheduler, scheduler.settings.get('ORCA_USAGE_INTERVAL_MS'));
};

const next = (scheduler: Scheduler, afterMs: number): void => {
  scheduler.host.timers.set(millis(afterMs), () => {
    const running = [...scheduler.live.values()].filter((live) => live.startedAt !== null && !live.ending);
    if (running.length === 0) {
      scheduler.usage.running = false;
      return;
    }
    const began = performance.now();
    measure(scheduler, running);
    watchHeld(scheduler, running);
    const took = performance.now() - began;
    next(scheduler, Math.max(scheduler.settings.get('ORCA_USAGE_INTERVAL_MS'), took / shareOfACore));
  });
};

const measure = (scheduler: Scheduler, running: readonly LiveStart[]): void => {
  const { host } = scheduler;
  const roots = running.map((live) => ({ keeper: live.keeperPid, command: live.pid }));
  const trees = procPass(host.procRoot, roots, scheduler.units);
  const now = meterTime(host);
  for (const [index, live] of running.entries()) {
    const tree = trees[index];
    if (tree === undefined || tree.pids.length === 0) continue;
    live.meter.sample(tree.rssBytes, tree.cpuSeconds, now);
    live.lastRss = bytes(tree.rssBytes);
    if (live.cgroup === null) live.seenPids.note(tree.pids, host.monotonicUs());
    checkCap(scheduler, live, tree.pids);
  }
};

/** Ends a start whose tree is over its cap. */
const checkCap = (scheduler: Scheduler, live: LiveStart, pids: readonly number[]): void => {
  const { cap, lastRss, ask } = live;
  if (cap === null || live.cgroup !== null || lastRss === null || ask !== null || !worthALook(lastRss, cap)) return;
  const text = overCap({
    rssBytes: lastRss,
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
