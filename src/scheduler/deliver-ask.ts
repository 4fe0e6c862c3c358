import type { CtlRequest } from '../keeper/ctl.ts';
import { settingsForRun } from '../settings/run-settings.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';

/**
 * Passes a request to end a start on to its keeper, which marks it and signals. A keeper that is not there yet gets it when it reports
 * that it runs; one that is gone leaves it to the look at its folder.
 */
export const deliverAsk = async (scheduler: Scheduler, live: LiveStart): Promise<void> => {
  const { ask } = live;
  if (ask === null) return;
  const answer = await scheduler.keepers.ctl(live.folder, requestOf(scheduler, live));
  if (answer.answer === 'done' || answer.answer === 'ended') {
    // Another one may have been asked for meanwhile: `now` after a grace.
    if (live.ask === ask) live.ask = null;
    return;
  }
  if (answer.answer !== 'alive') {
    scheduler.log.info({ run: live.run, start: live.start, why: answer.why }, 'the keeper did not take a request yet');
  }
};

const requestOf = (scheduler: Scheduler, { ask, row }: LiveStart): CtlRequest => {
  if (ask === null) return { ask: 'ping' };
  if (ask.now) return { ask: 'kill', mark: ask.mark, text: ask.text };
  const graceMs = settingsForRun(scheduler.settings, row.settings).get('ORCA_KILL_GRACE_SECONDS') * 1000;
  return { ask: 'term', mark: ask.mark, graceMs, text: ask.text };
};
