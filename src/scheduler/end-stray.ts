import { readStartFolder, voidStart, type StartId } from '../keeper/start-folder.ts';
import { runId } from '../units/brands.ts';
import { findCgroup } from './contain.ts';
import type { Scheduler } from './scheduler.ts';

/** A start folder that belongs to no active run, left by a store that was deleted or set back: whatever runs there is ended. */
export const endStray = async (scheduler: Scheduler, folder: string, id: StartId): Promise<void> => {
  scheduler.log.warn({ ...id }, 'a start folder that belongs to no active run: it is ended');
  if (voidStart(folder) === 'void') return scheduler.startFolders.remove(folder);
  const { pid, keeperAlive } = readStartFolder(folder, { procRoot: scheduler.host.procRoot, bootId: scheduler.bootId });
  if (keeperAlive === true) {
    await scheduler.keepers.ctl(folder, { ask: 'kill', mark: 'none', text: 'orca does not know this start' });
    // Its keeper still writes here; the folder goes with the next daemon.
    return;
  }
  if (pid?.value != null)
    await scheduler.keepers.kill(folder, pid.value.uuid, findCgroup(scheduler, runId(id.run), id.start));
  scheduler.startFolders.remove(folder);
};
