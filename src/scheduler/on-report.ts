import type { KeeperReport } from '../keeper/keepers.ts';
import { runId } from '../units/brands.ts';
import { adopt } from './adopt.ts';
import { finish } from './finish.ts';
import type { LiveStart } from './live-start.ts';
import { look } from './look-after.ts';
import { markRunning } from './mark-running.ts';
import { markVoid } from './mark-void.ts';
import type { Scheduler } from './scheduler.ts';

/** What the keepers tell, carried out. A report on a start that is not live any more is late and changes nothing. */
export const onReport = (scheduler: Scheduler, report: KeeperReport): void => {
  switch (report.type) {
    case 'hello':
      scheduler.log.info({ resident: report.pid, active: report.active }, 'the resident is there');
      return;
    case 'closed':
      scheduler.log.warn({ why: report.why }, 'the resident is gone; the starts are looked after by their folders');
      for (const live of scheduler.live.values()) adopt(scheduler, live);
      return;
    case 'running':
      return withStart(scheduler, report, (live) =>
        markRunning(scheduler, live, { keeper: report.keeper, pid: report.pid, at: scheduler.host.now() }),
      );
    case 'void':
      return withStart(scheduler, report, (live) => void markVoid(scheduler, live));
    case 'refused':
      return withStart(scheduler, report, (live) => {
        const { stage, errno, message } = report;
        void finish(scheduler, live, { refused: { stage, errno, message } });
      });
    case 'ended':
      return withStart(scheduler, report, (live) => {
        if (report.record.value !== null) return void finish(scheduler, live, { record: report.record.value });
        scheduler.log.warn({ run: live.run, start: live.start, why: report.record.why }, 'a broken exit record');
        return void look(scheduler, live);
      });
  }
};

const withStart = (
  scheduler: Scheduler,
  { run, start }: { run: number; start: number },
  then: (live: LiveStart) => void,
): void => {
  const live = scheduler.live.get(runId(run));
  if (live?.start === start) then(live);
};
