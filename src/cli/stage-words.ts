import type { DaemonJson, RunJson, StartJson } from '../wire/api.ts';
import type { Finding } from './doctor.ts';

type Stage = NonNullable<DaemonJson['stage']>;

/** So many are named. */
const mostNamed = 5;

/** What is wrong with the stage and with what waits there, a line each; nothing where all is well. */
export function stageFindings(stage: DaemonJson['stage']): Finding[] {
  if (stage === undefined) return [];
  const what = 'stage';
  const findings: Finding[] = [];
  if (stage.full) {
    const found = `${stage.folder} has less than 1 MB of room: runs with secrets and on control wait`;
    findings.push({ what, level: 'warn', found, help: 'make room there, or set ORCA_LOG_STAGE to a larger place' });
  }
  const [first] = stage.waiting;
  if (first !== undefined) {
    const found = `${waitingWords(stage)}: ${first.why}`;
    findings.push({ what, level: 'warn', found, help: `\`orca logs ${first.run}\` says more of run ${first.run}` });
  }
  return findings;
}

/** For the overview; null: all is well. */
export function stageLine(stage: DaemonJson['stage']): string | null {
  if (stage === undefined) return null;
  const full = stage.full ? [`${stage.folder} is full: runs with secrets and on control wait`] : [];
  const waiting = stage.waiting.length > 0 ? [waitingWords(stage)] : [];
  const words = [...full, ...waiting].join('; ');
  return words === '' ? null : `${words} (\`orca doctor\`)`;
}

const waitingWords = ({ folder, waiting }: Stage): string => {
  const runs = [...new Set(waiting.map(({ run }) => run))];
  const named = runs.slice(0, mostNamed).join(', ');
  const more = runs.length > mostNamed ? ` and ${runs.length - mostNamed} more` : '';
  const folders = [...new Set(waiting.map((one) => one.folder ?? folder))].join(' and ');
  return `output of ${runs.length === 1 ? 'run' : 'runs'} ${named}${more} waits in ${folders} and is not in the logs`;
};

/** Of one start. */
export const startWaitingWords = ({ logs_waiting: why = null }: Pick<StartJson, 'logs_waiting'>): string | null =>
  why === null ? null : `output of it waits in ORCA_LOG_STAGE and is not in its log: ${why}`;

/** Of the starts of a run. */
export const runWaitingWords = ({ id, starts }: Pick<RunJson, 'id' | 'starts'>): string[] =>
  starts.flatMap((start) => {
    const words = startWaitingWords(start);
    return words === null
      ? []
      : [`start ${start.start}: ${words}; \`orca logs ${id} --start ${start.start}\` says more`];
  });
