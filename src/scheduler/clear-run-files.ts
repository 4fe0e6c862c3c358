import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runId } from '../units/brands.ts';
import type { Scheduler } from './scheduler.ts';

/** A client that spools a pipe may take long; what is older than a day is nobody's any more. */
const oldSpool = 86_400_000;

/**
 * Deletes what a daemon that died could not: environments and inputs of runs that are over, captures that came to nothing, old spools. A
 * run's environment may hold secrets of the caller's, so it must not outlive the run. Once the queue and the live starts are known.
 */
export const clearRunFiles = (scheduler: Scheduler): void => {
  const { queue, live } = scheduler;
  const folder = scheduler.state.runs;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const [, id] = /^(\d+)\.(?:env|stdin)$/.exec(name) ?? [];
    const run = id === undefined ? null : runId(Number(id));
    const over = run !== null && !queue.has(run) && !live.has(run);
    if (over || name.startsWith('capture-') || (name.startsWith('spool-') && isOld(scheduler, file))) {
      rmSync(file, { force: true });
    }
  }
};

const isOld = (scheduler: Scheduler, file: string): boolean =>
  scheduler.host.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > oldSpool;
