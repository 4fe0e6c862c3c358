import type { Run } from '../store/run.ts';
import { formatDuration } from '../units/format-duration.ts';
import type { Scheduler } from './scheduler.ts';
import { steadyNow } from './steady.ts';

/** Of a run that goes on over its time limit, at which its keeper asks it to end by itself; null for any other. */
export const timeLimitNote = (
  { live, host }: Pick<Scheduler, 'live' | 'host'>,
  { id, timeout_ms: limit }: Pick<Run, 'id' | 'timeout_ms'>,
): string | null => {
  const start = live.get(id);
  if (start === undefined || start.startedAt === null || limit === null) return null;
  if (steadyNow(host) - start.since <= limit) return null;
  return `was told to stop at its time limit of ${formatDuration(limit)}, and has not ended yet`;
};
