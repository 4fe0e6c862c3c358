import { held } from '../containment/held.ts';
import { readCurrent, readPressure, readProgress } from '../containment/read.ts';
import { heldText } from '../containment/texts.ts';
import { bytesOfMib } from '../units/brands.ts';
import { deliverAsk } from './deliver-ask.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';

/** Ends the contained starts that have been held at their memory limit for too long: the kernel would leave them so for hours. */
export const watchHeld = (scheduler: Scheduler, running: readonly LiveStart[]): void => {
  const { cgroupFs: fs, settings } = scheduler;
  const heldSeconds = settings.get('ORCA_RUN_MEMORY_HELD_SECONDS');
  const contained = running.flatMap((live) => {
    if (live.cgroup === null) return [];
    const limitBytes = bytesOfMib(live.limit);
    const fullAvg10 = readPressure(fs, live.cgroup)?.fullAvg10 ?? null;
    const isHeld = held(readCurrent(fs, live.cgroup), limitBytes, fullAvg10);
    const check = { key: live.uuid, held: isHeld, progress: isHeld ? readProgress(fs, live.cgroup) : null };
    return [{ live, limitBytes, fullAvg10, check }];
  });
  const checks = contained.map(({ check }) => check);
  const due = new Set(scheduler.held.due(checks, heldSeconds, performance.now()));
  for (const { live, limitBytes, fullAvg10 } of contained) {
    if (!due.has(live.uuid) || live.ask !== null) continue;
    live.ask = { mark: 'held', text: heldText({ limitBytes, heldSeconds, fullAvg10: fullAvg10 ?? 0 }), now: true };
    void deliverAsk(scheduler, live);
  }
};
