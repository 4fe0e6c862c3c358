import { ctlKind } from '../keeper/ctl.ts';
import { readStartFolder, voidStart, type StartFolderState } from '../keeper/start-folder.ts';
import { millis } from '../units/brands.ts';
import { finish } from './finish.ts';
import type { LiveStart } from './live-start.ts';
import { markRunning } from './mark-running.ts';
import { markVoid } from './mark-void.ts';
import type { Scheduler } from './scheduler.ts';
import { steadyNow } from './steady.ts';

/** How long a start that has begun may be without a pid record before its keeper counts as dead: it writes one within milliseconds. */
const pidRecordWithin = 5000;
const againAfter = millis(20);

/**
 * Reads a start's folder and does what it calls for. Serves adopted starts, whose ends nobody reports, and every start now and then, so
 * that no lost report leaves one running for ever.
 */
export const lookAt = async (scheduler: Scheduler, live: LiveStart): Promise<void> => {
  if (live.ending) return;
  const folder = readStartFolder(live.folder, { procRoot: scheduler.host.procRoot, bootId: scheduler.bootId });
  switch (folder.begun) {
    case 'void':
      return live.startedAt === null ? markVoid(scheduler, live) : lookAtLostFolder(scheduler, live);
    case 'no':
      // A keeper of this daemon's own resident may be about to begin.
      if (!live.adopted) return;
      voidStart(live.folder);
      return lookAt(scheduler, live);
    case 'begun':
      return lookAtBegun(scheduler, live, folder);
  }
};

/** It ran, and its folder was taken away: nobody can tell any more how it ended. */
const lookAtLostFolder = async (scheduler: Scheduler, live: LiveStart): Promise<void> => {
  if (live.otherBoot) return finish(scheduler, live, { lost: 'reboot' });
  if ((await scheduler.keepers.kill(live.folder, live.uuid, live.cgroup)) !== 'gone') return;
  scheduler.log.warn({ run: live.run, start: live.start }, 'the start folder of a run was taken away');
  return finish(scheduler, live, { lost: 'keeper-died' });
};

const lookAtBegun = async (scheduler: Scheduler, live: LiveStart, folder: StartFolderState): Promise<void> => {
  if (folder.otherBoot || live.otherBoot) {
    return finish(scheduler, live, folder.exit?.value == null ? { lost: 'reboot' } : { record: folder.exit.value });
  }
  if (folder.keeperAlive === true) {
    const { pid } = folder;
    if (live.startedAt === null && pid?.value != null && folder.exit === null) {
      markRunning(scheduler, live, { keeper: pid.value.keeper.pid, pid: pid.value.command.pid, at: pid.value.at_ms });
    }
    // The last that its keeper does in the folder is to remove `ctl`: nothing there tells of its own end a moment later.
    if (live.adopted && folder.exit !== null && ctlKind(live.folder) === 'none') lookAgain(scheduler, live);
    return;
  }
  // Nobody knows its keeper: it is just writing its pids, or the record is broken.
  if (folder.keeperAlive === null && (await keeperAnswers(scheduler, live))) return;
  // The resident reports its own keepers' ends, and a keeper without a record may still be writing one: both get their time.
  const sure = live.adopted && (folder.keeperAlive === false || folder.exit !== null);
  if (!sure && !missingLongEnough(scheduler, live)) return;
  // Dead, with a record or without: no process of its tree may be left before anyone hears of an end.
  const result = await scheduler.keepers.kill(live.folder, live.uuid, live.cgroup);
  if (result === 'alive') return;
  if (result === 'left') {
    scheduler.log.warn({ run: live.run, start: live.start }, 'a tree whose keeper died could not be ended yet');
    return;
  }
  const { exit } = readStartFolder(live.folder, { procRoot: scheduler.host.procRoot, bootId: scheduler.bootId });
  if (exit?.why != null)
    scheduler.log.warn({ run: live.run, start: live.start, why: exit.why }, 'a broken exit record');
  return finish(scheduler, live, exit?.value == null ? { lost: 'keeper-died' } : { record: exit.value });
};

const lookAgain = (scheduler: Scheduler, live: LiveStart): void => {
  scheduler.host.timers.set(againAfter, () => {
    lookAt(scheduler, live).catch((error: unknown) => {
      scheduler.log.error({ err: error, run: live.run, start: live.start }, 'a start folder could not be looked at');
    });
  });
};

const keeperAnswers = async (scheduler: Scheduler, live: LiveStart): Promise<boolean> => {
  const answer = await scheduler.keepers.ctl(live.folder, { ask: 'ping' });
  return answer.answer === 'alive' || answer.answer === 'ended';
};

const missingLongEnough = (scheduler: Scheduler, live: LiveStart): boolean => {
  const now = steadyNow(scheduler.host);
  live.missingSince ??= now;
  return now - live.missingSince >= pidRecordWithin;
};
