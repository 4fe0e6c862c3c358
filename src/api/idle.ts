import type { Server } from 'node:http';
import { millis } from '../units/brands.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';

/** Leaves after a while with no run, no queue and nobody connected. */
export const watchIdle = (scheduler: Scheduler, server: Server, leave: () => void): void => {
  const seconds = scheduler.settings.get('ORCA_IDLE_SECONDS');
  if (seconds === 0) return;
  let busyAt = scheduler.host.now();
  const touch = (): void => {
    busyAt = scheduler.host.now();
  };
  scheduler.moved.listen(touch);
  server.on('request', touch);
  const check = (): void => {
    server.getConnections((_error, connections) => {
      const working = scheduler.live.size > 0 || scheduler.claiming.size > 0 || connections > 0;
      // After `down` a queue is no reason to stay: nothing is started from it.
      if (working || (scheduler.queue.size > 0 && !scheduler.down)) touch();
      const left = busyAt + seconds * 1000 - scheduler.host.now();
      if (left <= 0) return leave();
      scheduler.host.timers.set(millis(Math.max(100, left)), check);
    });
  };
  check();
};
