import { formatDuration } from '../units/format-duration.ts';
import type { DaemonJson } from '../wire/api.ts';
import type { Finding } from './doctor.ts';

/** Where logs go that leave this machine, and whether they do; logs that stay are not worth a line. */
export function logsFindings(logs: DaemonJson['logs'], now: number): Finding[] {
  if (logs === undefined || (logs.to === null && logs.waiting === 0)) return [];
  const what = 'logs';
  const { to, waiting, trouble } = logs;
  const runs = waiting === 1 ? '1 run' : `${waiting} runs`;
  if (trouble === null) {
    const moving = waiting === 0 ? '' : `; those of ${runs} are on their way`;
    return [{ what, level: 'ok', found: `moved to ${to ?? 'where they were to go'}${moving}`, help: null }];
  }
  const goal = trouble.to ?? to;
  const since = formatDuration(Math.max(0, now - trouble.since));
  const found = `those of ${runs} have waited here for ${since}, since they cannot be moved${goal === null ? '' : ` to ${goal}`}: ${trouble.why}`;
  const help =
    'see docs/logs.md, "In an object storage"; nothing of them is lost, and it is tried again every 5 minutes or sooner';
  return [{ what, level: 'warn', found, help }];
}

/** What a daemon that is started now would do. */
export const logsAhead = (place: string): Finding[] =>
  place.startsWith('/') ? [] : [{ what: 'logs', level: 'ok', found: `to be moved to ${place}`, help: null }];
