import { addEvent } from '../store/events.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';
import type { Looked } from './watch-held.ts';

/** What was told of the kills for memory in one start. */
export interface KillsSeen {
  readonly count: bigint;
  /** When that count was first seen, in monotonic ms. */
  readonly sinceMs: number;
  readonly told: boolean;
}

/** A run that dies whole is over by then, and its verdict says it. */
const goesOnAfterMs = 1000;

/**
 * Tells of runs that go on though the kernel killed processes of them for memory (group kill off, or a cgroup of their own inside): an
 * event of the run, and a word in its status. What such a run makes of its loss is not known before its end.
 */
export const tellKills = (scheduler: Scheduler, contained: readonly Looked[], nowMs: number): void => {
  for (const { live, look } of contained) {
    const seen = killsSeen(live, look.kills, nowMs);
    live.kills = seen;
    if (seen.count === 0n || seen.told || nowMs - seen.sinceMs < goesOnAfterMs) continue;
    live.kills = { ...seen, told: true };
    storeKills(scheduler, live, seen.count).catch((error: unknown) => {
      scheduler.log.error({ err: error, run: live.run, start: live.start }, 'a kill for memory could not be stored');
    });
  }
};

/** A new daemon does not tell again what one before it may have told. */
const killsSeen = ({ kills, adopted }: LiveStart, count: bigint, nowMs: number): KillsSeen => {
  if (kills === null) return { count, sinceMs: nowMs, told: adopted };
  return kills.count === count ? kills : { count, sinceMs: nowMs, told: false };
};

const storeKills = async (scheduler: Scheduler, live: LiveStart, count: bigint): Promise<void> => {
  const { run, start } = live;
  scheduler.log.warn(
    { run, start, count: Number(count) },
    'the kernel killed processes of a run for memory, and it goes on',
  );
  const stored = await scheduler.store.command(async (tx) => {
    if (live.ending) return false;
    await addEvent(tx, { run, at: scheduler.host.now(), kind: 'memory-kill', data: { start, killed: Number(count) } });
    return true;
  });
  if (!stored) return;
  scheduler.eventsWritten.raise();
  scheduler.changes.tell(run, false);
};
