import { OrcaError } from '../errors/orca-error.ts';
import { getRun } from '../store/get-run.ts';
import type { RunId } from '../units/brands.ts';
import { forgetRaise } from './raises.ts';
import type { Scheduler } from './scheduler.ts';

/** Forgets what deaths of a run's command taught of its memory; whether anything was known. */
export const forget = async (scheduler: Scheduler, id: RunId): Promise<boolean> => {
  const run = await getRun(scheduler.store.read, id);
  if (run === null) throw new OrcaError('run-unknown', { run: id });
  return forgetRaise(scheduler, run);
};
