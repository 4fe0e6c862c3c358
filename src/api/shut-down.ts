import type { Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Program } from '../keeper/keepers.ts';
import { dropCeiling } from '../scheduler/ceiling.ts';
import { storePeaks } from '../scheduler/keep-peaks.ts';
import type { Lock } from '../scheduler/lock.ts';
import { endMoving } from '../scheduler/move-logs.ts';
import { storeRemembered } from '../scheduler/remembered.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import { announceSuccessor } from './starting-file.ts';

export interface How {
  /** Nobody starts a daemon again by itself. */
  readonly goodbye: boolean;
  /** What takes over at once. */
  readonly next?: Program;
  /** The store's file was deleted: what it held is written to its name again. */
  readonly rescue?: boolean;
}

/** Long enough for an answer that was just given to leave. */
const answersWithin = 100;

/** Ends the daemon's work in order: no new starts, what was begun is stored, the keepers are told, all is closed. Runs go on. */
export const shutDown = async (scheduler: Scheduler, server: Server, lock: Lock, how: How): Promise<void> => {
  if (scheduler.closing) return new Promise(() => {});
  scheduler.closing = true;
  scheduler.cancelWake?.();
  scheduler.logKeeping.cancelAgain?.();
  for (const fetching of scheduler.fetching.values()) fetching.abort();
  if (how.next !== undefined) announceSuccessor(scheduler.state.folder);
  server.close();
  await setTimeout(answersWithin);
  while (scheduler.claiming.size > 0) await setTimeout(1);
  if (how.goodbye) {
    dropCeiling(scheduler);
    scheduler.keepers.goodbye();
  }
  if (how.next !== undefined) scheduler.keepers.handover(how.next);
  server.closeAllConnections();
  await endMoving(scheduler);
  await Promise.allSettled(scheduler.logKeeping.going.values());
  // Whatever is wrong with the store is said by closing it.
  await storePeaks(scheduler, scheduler.live.values()).catch(() => {});
  await storeRemembered(scheduler).catch(() => {});
  await scheduler.store.close({ rescue: how.rescue ?? false });
  // Before the stream ends, since its end is what starts the successor.
  lock.release();
  await scheduler.keepers.close();
};
