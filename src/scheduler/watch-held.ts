import { held } from '../containment/held.ts';
import { readCurrent, readPressure, readProgress } from '../containment/read.ts';
import { bytesOfMib, type RunId } from '../units/brands.ts';
import { deliverAsk } from './deliver-ask.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';

/** Ends the contained starts that have been held at their memory limit for too long: the kernel would leave them so for hours. */
export const watchHeld = (scheduler: Scheduler, running: readonly LiveStart[]): void => {
  const contained = running.filter((live) => live.cgroup !== null);
  const heldSeconds = scheduler.settings.get('ORCA_RUN_MEMORY_HELD_SECONDS');
  const checks = contained.map((live) => check(scheduler, live));
  for (const run of scheduler.held.due(checks, heldSeconds, performance.now())) {
    const live = scheduler.live.get(run);
    if (live === undefined || live.ask !== null) continue;
    const text = `held at its limit for ${heldSeconds} s, every process waiting for memory`;
    live.ask = { mark: 'held', text, now: true };
    void deliverAsk(scheduler, live);
  }
};

const check = ({ cgroupFs: fs }: Scheduler, live: LiveStart) => {
  const path = live.cgroup ?? '';
  const fullAvg10 = readPressure(fs, path)?.fullAvg10 ?? null;
  const isHeld = held(readCurrent(fs, path), bytesOfMib(live.limit), fullAvg10);
  return { key: live.run satisfies RunId, held: isHeld, progress: isHeld ? readProgress(fs, path) : null };
};
