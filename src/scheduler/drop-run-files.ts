import type { Run } from '../store/run.ts';
import { dropEnvironment } from './environment.ts';
import type { Scheduler } from './scheduler.ts';
import { dropSpool } from './spool.ts';

/** Deletes what only starts of this run would have needed. Its logs stay. What cannot be deleted is left to the next daemon, and keeps nobody from hearing of the run's end. */
export const dropRunFiles = (scheduler: Scheduler, run: Pick<Run, 'id' | 'stdin_kind'>): void => {
  try {
    dropEnvironment(scheduler.state, run.id);
    if (run.stdin_kind === 'spool') dropSpool(scheduler.state, run.id);
  } catch (error) {
    scheduler.log.warn(
      { err: error, run: run.id },
      'the environment or input of a run that is over could not be deleted',
    );
  }
  scheduler.keptSecrets.delete(run.id);
  scheduler.troubles.delete(run.id);
};
