import type { Run } from '../store/run.ts';
import { dropEnvironment } from './environment.ts';
import type { Scheduler } from './scheduler.ts';
import { dropSpool } from './spool.ts';

/** Deletes what only starts of this run would have needed. Its logs stay. */
export const dropRunFiles = (scheduler: Scheduler, run: Pick<Run, 'id' | 'stdin_kind'>): void => {
  dropEnvironment(scheduler.state, run.id);
  if (run.stdin_kind === 'spool') dropSpool(scheduler.state, run.id);
  scheduler.keptSecrets.delete(run.id);
  scheduler.troubles.delete(run.id);
};
