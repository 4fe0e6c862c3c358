import { OrcaError } from '../errors/orca-error.ts';
import type { Scheduler } from './scheduler.ts';

/**
 * Refuses runs of which there would be too many that are not over, here and in the requests that follow (`more`): whatever waits costs memory,
 * and a queue that never ends is a mistake.
 */
export const checkRoom = (scheduler: Scheduler, fresh: number, more: number): void => {
  const { queue, live, claiming, entering, settings } = scheduler;
  const most = settings.get('ORCA_MAX_QUEUED');
  const unfinished = queue.size + live.size + claiming.size + entering;
  if (fresh > 0 && unfinished + fresh + more > most)
    throw new OrcaError('queue-full', { asked: fresh + more, unfinished, most });
};
