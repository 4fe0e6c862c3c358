import type { Server } from 'node:http';
import { millis } from '../units/brands.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import { steadyNow } from '../scheduler/steady.ts';

/** How long a daemon stays that starts nothing, for whoever reads: `orca down` means that none is there. One that a resident has brought back, not knowing of `down`, sees running runs to their ends first. */
const downMs = 5000;
const never = 86_400_000;

/** Leaves after a while with no run, no queue and nobody connected; after `down` soon. */
export const watchIdle = (scheduler: Scheduler, server: Server, leave: () => void): void => {
  const idleMs = scheduler.settings.get('ORCA_IDLE_SECONDS') * 1000;
  const limitMs = (): number => (scheduler.down ? downMs : idleMs || never);
  let busyAt = steadyNow(scheduler.host);
  const touch = (): void => {
    busyAt = steadyNow(scheduler.host);
  };
  scheduler.moved.listen(touch);
  server.on('request', touch);
  const check = (): void => {
    server.getConnections((_error, connections) => {
      const working =
        scheduler.live.size > 0 ||
        scheduler.claiming.size > 0 ||
        connections > 0 ||
        scheduler.logKeeping.going.size > 0 ||
        scheduler.logMoving.busy;
      // After `down`, and while all is paused, a queue is no reason to stay: nothing is started from it.
      const stays = !scheduler.down && ((scheduler.queue.size > 0 && scheduler.paused === null) || idleMs === 0);
      if (working || stays) touch();
      const left = busyAt + limitMs() - steadyNow(scheduler.host);
      if (left <= 0) return leave();
      scheduler.host.timers.set(millis(Math.max(100, left)), check);
    });
  };
  check();
};
