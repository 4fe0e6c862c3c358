import { askKills } from '../store/ask-kill.ts';
import { addEvent } from '../store/events.ts';
import { getRun } from '../store/get-run.ts';
import type { Run } from '../store/run.ts';
import { voidStart } from '../store/void-start.ts';
import { dropRunFiles } from './drop-run-files.ts';
import { finishKilled } from './finish-killed.ts';
import { enqueue } from './enqueue.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';
import { keepLogs } from './keep-logs.ts';

/** Nothing was begun for this start, and nothing ever will be: its run waits again, or is over when a person asked for that. */
export const markVoid = async (scheduler: Scheduler, live: LiveStart): Promise<void> => {
  if (live.ending) return;
  live.ending = true;
  live.unwatch?.();
  const at = scheduler.host.now();
  try {
    const run = await scheduler.store.command(async (tx) => {
      if (!(await voidStart(tx, live.run, live.start, at))) return null;
      await addEvent(tx, { run: live.run, at, kind: 'start-void', data: { start: live.start } });
      const row = await getRun(tx, live.run);
      const by = row === null ? null : killerOf(row, live);
      if (row === null || by === null) return row;
      if (row.kill_at === null) await askKills(tx, [row.id], { at, by, now: true });
      await finishKilled(tx, [row], { at, by });
      return getRun(tx, live.run);
    });
    if (scheduler.live.get(live.run) === live) scheduler.live.delete(live.run);
    if (run?.state === 'queued') enqueue(scheduler, run);
    else if (run !== null) dropRunFiles(scheduler, run);
    keepLogs(scheduler, live.row, live);
    scheduler.eventsWritten.raise();
    scheduler.changes.tell(live.run, run?.state === 'killed');
    scheduler.moved.raise();
    scheduler.startFolders.remove(live.folder);
  } catch (error) {
    live.ending = false;
    scheduler.log.error({ err: error, run: live.run, start: live.start }, 'a void start could not be stored');
  }
};

/** Who wanted its end; also where that could not be recorded, as on a full disk. Null: nobody did. */
const killerOf = (run: Pick<Run, 'kill_at' | 'kill_by'>, { ask }: LiveStart): string | null => {
  if (run.kill_at !== null) return run.kill_by ?? 'a person';
  return ask?.mark === 'user' ? ask.text : null;
};
