import { getRun } from '../store/get-run.ts';
import { releaseOwner } from '../store/release-owner.ts';
import { OrcaError } from '../errors/orca-error.ts';
import type { RunId } from '../units/brands.ts';
import type { Scheduler } from './scheduler.ts';

/** Lets a run go on without the client that started it. */
export const detach = async (scheduler: Scheduler, run: RunId, owner: string): Promise<void> => {
  const known = await scheduler.store.command(
    async (tx) => (await releaseOwner(tx, run, owner)) || (await getRun(tx, run)) !== null,
    { durable: true },
  );
  if (!known) throw new OrcaError('run-unknown', { run });
  scheduler.owners.forget(owner);
};
