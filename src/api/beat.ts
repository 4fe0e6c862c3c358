import { stuckWait } from '../scheduler/stuck-wait.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import type { RunId } from '../units/brands.ts';
import type { WaitEvent, WaitRequest } from '../wire/api.ts';

/** What a wait says when nothing has happened for a while: that the daemon is there, or that it would never end. */
export const beat = (scheduler: Scheduler, pending: Iterable<RunId>, inside: WaitRequest['inside']): WaitEvent => {
  const stuck = stuckWait(scheduler, pending, inside);
  return stuck === null ? { type: 'beat', at: scheduler.host.now() } : { type: 'stuck', ...stuck };
};
