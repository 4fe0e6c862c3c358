import { ownedRuns } from '../store/active-runs.ts';
import { kill } from './kill.ts';
import type { Scheduler } from './scheduler.ts';

/** The client that owns these runs is gone: they are stopped, as though it had asked. */
export const ownerGone = async (scheduler: Scheduler, owner: string): Promise<void> => {
  const owned = await ownedRuns(scheduler.store.read, owner);
  const seconds = Math.round(scheduler.ownerPatience / 1000);
  const by = `its orca run went away and did not come back within ${seconds} s`;
  await kill(
    scheduler,
    owned.map(({ id }) => id),
    { by, now: false },
  );
};
