import { formatDuration } from '../units/format-duration.ts';
import { formatSize } from '../units/format-size.ts';
import { shellWord, shellWords } from '../units/shell-words.ts';
import { visibleText } from '../units/visible-text.ts';
import type { RunJson, StartJson } from '../wire/api.ts';
import { givenWords, inputWords, submitterWords } from './environment-words.ts';
import { measuredWords } from './measured-words.ts';
import { afterWords, groupWords, keyWords, needsWords, retryOnWords, tagsWords } from './needs-words.ts';
import { peakCell, peaksOfStart } from './shown-peak.ts';
import { startWaitingWords } from './stage-words.ts';
import { tableLines, type Column } from './table.ts';
import { outsideWords } from './warn-outside.ts';
import { deathWords, outcomeWords, requestWords, startsWords, usageWords } from './words.ts';

/** Everything about one run, for a person. */
export function storyLines(run: RunJson, now: number, width: number): string[] {
  const facts: [string, string | null][] = [
    ['run', `${run.id}${run.name === null ? '' : ` (${visibleText(run.name)})`}`],
    ['state', visibleText(outcomeWords(run))],
    ['damaged', run.damage == null ? null : visibleText(`its record in the store: ${run.damage}`)],
    ['command', shellWords(run.argv)],
    ['inside', run.inside == null ? null : `run ${run.inside}, within what that one has`],
    ['outside', outsideLine(run)],
    ['folder', visibleText(run.cwd)],
    ['request', requestLine(run)],
    ['needs', needsWords(run)],
    ['after', afterWords(run)],
    ['group', groupWords(run)],
    ['key', keyWords(run)],
    ['tags', tagsWords(run)],
    ['inputs', inputWords(run)],
    ['gets', givenWords(run)],
    ['placement', run.placement == null ? null : visibleText(run.placement)],
    ['secrets', secretsLine(run)],
    ['submitted', `${momentWords(run.submitted_at, now)}${submitterWords(run)}`],
    ['started', run.started_at === null ? null : momentWords(run.started_at, now)],
    ['ended', run.ended_at === null ? null : endedWords(run, run.ended_at, now)],
    ['used', usageWords({ ...run, peak_rss_bytes: highestPeak(run) }) || null],
    ['killed by', run.kill === null ? null : `${visibleText(run.kill.by)}, ${momentWords(run.kill.at, now)}`],
    ['exit', run.exit_status === null ? null : exitWords(run, run.exit_status)],
  ];
  const lines = facts.flatMap(([name, value]) => (value === null ? [] : [`${name.padEnd(10)} ${value}`]));
  if (run.starts.length > 0)
    lines.push(
      '',
      ...tableLines(
        columns,
        run.starts.map((start) => startRow(run, start)),
        width,
      ),
    );
  const told = run.starts.filter((start) => start.text !== null);
  if (told.length > 0) lines.push('', ...told.map((start) => visibleText(startText(run.id, start))));
  const logged = run.starts.filter((start) => start.state !== 'void');
  if (logged.length > 0) {
    lines.push(
      '',
      ...logged.flatMap((start) => [
        ...measuredLine(start),
        ...logLines(start.start, start.logs),
        ...waitingLine(start),
      ]),
    );
  }
  return lines;
}

/** The run's own is its last start's while that runs, and an earlier one may have needed more. */
function highestPeak({ peak_rss_bytes: own, starts }: RunJson): number | null {
  const known = [own, ...starts.map((start) => start.peak_rss_bytes)].filter((peak) => peak !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** A daemon of an older version does not say. */
const outsideLine = ({ work_outside: client = null }: Partial<RunJson>): string | null =>
  client === null ? null : outsideWords(client);

/** Where each is kept: no value is known here. */
const secretsLine = ({ secrets = {} }: Partial<RunJson>): string | null =>
  Object.keys(secrets).length === 0
    ? null
    : Object.entries(secrets)
        .map(([name, id]) => visibleText(`${name} from ${id}`))
        .join(', ');

function requestLine(run: RunJson): string {
  const parts = [`${run.request.cpus} ${run.request.cpus === 1 ? 'cpu' : 'cpus'}`];
  const memory = requestWords(run.request);
  parts.push(memory === null ? 'no memory asked for' : `memory ${memory}`);
  if (run.retries > 0) parts.push(`${run.retries} ${run.retries === 1 ? 'retry' : 'retries'}${retryOnWords(run)}`);
  if (run.timeout_ms !== null) parts.push(`at most ${formatDuration(run.timeout_ms)} a start`);
  parts.push(...oomWords(run.oom));
  if (run.priority !== 0) parts.push(`priority ${run.priority}`);
  return parts.join(', ');
}

/** As they are typed. */
const oomWords = ({ retry, exit_codes, text }: RunJson['oom']): string[] => [
  ...(exit_codes.length === 0 ? [] : [`--oom-exit ${exit_codes.join(',')}`]),
  ...(text === null ? [] : [`--oom-text ${shellWord(text)}`]),
  ...(retry === 'proved' ? [] : [`--oom-retry ${retry}`]),
];

/** `2026-11-30 08:12:03 UTC (5m 2s ago)`: the same on every machine that reads it. */
export function momentWords(at: number, now: number): string {
  const text = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
  return `${text} UTC (${formatDuration(now - at)} ago)`;
}

function endedWords(run: RunJson, ended: number, now: number): string {
  const took = run.started_at === null ? '' : `, after ${formatDuration(ended - run.started_at)}`;
  return `${momentWords(ended, now)}${took}, ${startsWords(run.starts_count)}`;
}

function exitWords(run: RunJson, status: number): string {
  const real =
    run.signal !== null ? ` (signal ${run.signal})` : run.exit_code === null ? '' : ` (exit code ${run.exit_code})`;
  return `orca wait exits with ${status}${run.exit_code === status ? '' : real}`;
}

const columns: readonly Column[] = [
  { head: 'START', right: true },
  { head: 'LIMIT', right: true },
  { head: 'PEAK', right: true },
  { head: 'CPU', right: true },
  { head: 'TIME', right: true },
  { head: 'ENDED', flexible: true },
  { head: 'NEXT', right: true },
];

function startRow({ request }: RunJson, start: StartJson): string[] {
  const time =
    start.started_at === null || start.ended_at === null ? '' : formatDuration(start.ended_at - start.started_at);
  return [
    String(start.start),
    limitWords(request, start),
    peakCell(peaksOfStart(start)),
    start.cpu_seconds === null ? '' : `${start.cpu_seconds.toFixed(1)} s`,
    time,
    start.verdict === null ? start.state : `${start.verdict}${start.evidence === null ? '' : ` (${start.evidence})`}`,
    start.next_limit_bytes === null ? '' : formatSize(start.next_limit_bytes),
  ];
}

/** `-`: a run that asked for no memory has no limit to keep to; what the store has is what it was counted as. */
function limitWords(request: RunJson['request'], { limit_bytes: limit, cap_bytes: cap }: StartJson): string {
  if (request.memory_min_bytes === null && cap === null) return '-';
  return limit === null ? '' : formatSize(limit);
}

/** A void start never began, and its text says why it is there. */
const startText = (run: number, start: StartJson): string => deathWords(run, start).replace(`run ${run} `, '');

function measuredLine(start: StartJson): string[] {
  const words = measuredWords(start);
  return words === '' ? [] : [`start ${start.start} usage   ${words}`];
}

const waitingLine = (start: StartJson): string[] => {
  const words = startWaitingWords(start);
  return words === null ? [] : [`start ${start.start} logs    ${visibleText(words)}`];
};

const logLines = (start: number, { stdout, stderr }: StartJson['logs']): string[] => [
  `start ${start} output  ${visibleText(stdout)}`,
  `start ${start} errors  ${visibleText(stderr)}`,
];
