import { addEvent } from '../store/events.ts';
import { startRunning } from '../store/start-running.ts';
import { millis } from '../units/brands.ts';
import { deliverAsk } from './deliver-ask.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';
import { steadyOf } from './steady.ts';
import { beginSamples } from './sample-starts.ts';
import { recallMask } from './start-masks.ts';
import { watchUsage } from './watch-usage.ts';

export interface Processes {
  readonly keeper: number;
  readonly pid: number;
  /** When it began, in epoch ms. */
  readonly at: number;
}

/** A command that is over by then costs no write for its beginning: a third of all that a short one writes. */
const storedAfter = millis(25);
const again = millis(5000);

/** The command was executed: it is measured from now on. Stored a moment later, unless its end is known by then. */
export const markRunning = (scheduler: Scheduler, live: LiveStart, processes: Processes): void => {
  if (live.startedAt !== null || live.ending) return;
  const at = millis(processes.at);
  live.startedAt = at;
  live.since = steadyOf(scheduler.host, at);
  live.keeperPid = processes.keeper;
  live.pid = processes.pid;
  if (live.adopted) recallMask(scheduler, live);
  scheduler.troubles.delete(live.run);
  beginSamples(scheduler, live);
  watchUsage(scheduler);
  storeBeginning(scheduler, live);
  if (live.ask !== null) void deliverAsk(scheduler, live);
};

/** Tried again for as long as it goes on: else it would be told as starting until its end. */
export const storeBeginning = (scheduler: Scheduler, live: LiveStart, after = storedAfter): void => {
  scheduler.host.timers.set(after, () => {
    if (live.ending) return;
    storeRunning(scheduler, live).catch((error: unknown) => {
      scheduler.log.error({ err: error, run: live.run, start: live.start }, 'a beginning could not be stored');
      if (!live.ending && !scheduler.closing) storeBeginning(scheduler, live, again);
    });
  });
};

const storeRunning = async (scheduler: Scheduler, live: LiveStart): Promise<void> => {
  const at = live.startedAt ?? scheduler.host.now();
  const stored = await scheduler.store.command(async (tx) => {
    if (live.ending) return false;
    const { run, start, pid, keeperPid, keptBack } = live;
    if (!(await startRunning(tx, { run, start, pid, keeper_pid: keeperPid, boot: scheduler.bootId, at }))) return false;
    await addEvent(tx, {
      run,
      at,
      kind: 'running',
      data: { start, pid, ...(keptBack.length > 0 && { kept_back: keptBack }) },
    });
    return true;
  });
  if (!stored) return;
  live.keptBackTold = true;
  scheduler.eventsWritten.raise();
  scheduler.changes.tell(live.run, false);
};
