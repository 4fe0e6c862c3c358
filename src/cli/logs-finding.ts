import { formatDuration } from '../units/format-duration.ts';
import type { DaemonJson } from '../wire/api.ts';
import type { Finding } from './doctor.ts';

type Logs = NonNullable<DaemonJson['logs']>;

/** Where logs go that leave this machine, and whether they do; logs that stay are not worth a line. */
export function logsFindings(logs: DaemonJson['logs'], now: number): Finding[] {
  if (logs === undefined || (logs.to === null && logs.waiting === 0)) return [];
  const { to, waiting, troubles } = logs;
  const what = 'logs';
  const held = troubles.reduce((sum, { runs }) => sum + runs, 0);
  const moving = waiting <= held ? '' : `; those of ${runsWords(waiting - held)} are on their way`;
  const goal: Finding = { what, level: 'ok', found: `moved to ${to ?? 'where they were to go'}${moving}`, help: null };
  const help =
    'see docs/logs.md, "In an object storage"; nothing of them is lost, and it is tried again every 5 minutes or sooner';
  const wrong = troubles.map((trouble): Finding => {
    const since = formatDuration(Math.max(0, now - trouble.since));
    return { what, level: 'warn', found: troubleWords(trouble, `have waited here for ${since}, since they`), help };
  });
  const works = troubles.every((trouble) => trouble.to !== to) && (to !== null || moving !== '');
  return troubles.length === 0 || works ? [goal, ...wrong] : wrong;
}

/** For the overview; null: all is well. */
export function logsLine(logs: DaemonJson['logs']): string | null {
  const words = (logs?.troubles ?? []).map((trouble) => troubleWords(trouble, 'are here and'));
  return words.length === 0 ? null : `${words.join('; ')} (\`orca doctor\`)`;
}

const runsWords = (count: number): string => (count === 1 ? '1 run' : `${count} runs`);

const troubleWords = ({ to, why, runs }: Logs['troubles'][number], how: string): string =>
  `those of ${runsWords(runs)} ${how} cannot be moved${to === null ? '' : ` to ${to}`}: ${why}`;

/** What a daemon that is started now would do. */
export const logsAhead = (place: string): Finding[] =>
  place.startsWith('/') ? [] : [{ what: 'logs', level: 'ok', found: `to be moved to ${place}`, help: null }];
