import { heldText } from '../containment/texts.ts';
import { deliverAsk } from './deliver-ask.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';
import type { Look } from './watch-contained.ts';

/** A contained start and what was last read of it. */
export interface Looked {
  readonly live: LiveStart;
  readonly look: Look;
}

/** Ends the contained starts that have been held at their memory limit for too long: the kernel would leave them so for hours. */
export const endHeld = (scheduler: Scheduler, contained: readonly Looked[], nowMs: number): void => {
  const heldSeconds = scheduler.settings.get('ORCA_RUN_MEMORY_HELD_SECONDS');
  const checks = contained.map(({ live, look: { held, progress } }) => ({ key: live.uuid, held, progress }));
  const due = new Set(scheduler.held.due(checks, heldSeconds, nowMs));
  for (const { live, look } of contained) {
    if (!due.has(live.uuid) || live.ask !== null) continue;
    const { limitBytes, held, fullAvg10, ioFullAvg10 } = look;
    const by = held ?? 'memory';
    const percent = (by === 'files' ? ioFullAvg10 : fullAvg10) ?? 0;
    live.ask = { mark: 'held', text: heldText({ limitBytes, heldSeconds, by, fullAvg10: percent }), now: true };
    void deliverAsk(scheduler, live);
  }
};
