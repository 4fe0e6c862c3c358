import { formatDuration } from '../units/format-duration.ts';
import { formatSize } from '../units/format-size.ts';
import { shellWords } from '../units/shell-words.ts';
import { visibleText } from '../units/visible-text.ts';
import type { EventJson, RunJson, StartJson } from '../wire/api.ts';
import { adviceOf } from './explain-advice.ts';
import { groupHandle } from '../runs/handle.ts';
import { shortestWait, waitParts, type WaitSpan } from './explain-waits.ts';
import { isFinalState } from './final-state.ts';
import { runWaitingWords } from './stage-words.ts';
import { aboutWords, outcomeWords, requestWords, usageWords } from './words.ts';

/** One thing that happened to a run, or what comes next (`at` null). */
export interface StoryLine {
  readonly at: number | null;
  readonly about: 'submitted' | 'waited' | 'started' | 'died' | 'kill' | 'now' | 'ended' | 'logs' | 'advice';
  readonly text: string;
}

/** The short story of a run, in the order of time, from what is kept of it: each line is a fact, with what it is known by. `unmet` is as in `adviceOf`. */
export function storyOf(run: RunJson, events: readonly EventJson[], now: number, unmet = run.after): StoryLine[] {
  const lines: StoryLine[] = [{ at: run.submitted_at, about: 'submitted', text: submittedWords(run) }];
  let from = run.submitted_at;
  let before: StartJson | null = null;
  for (const start of run.starts) {
    const also = before === null ? afterWords(run) : againWords(run, before, events);
    lines.push(...waitLines(run, { start: start.start, from, to: start.claimed_at, also }, events));
    // A secret that cannot be had, a program that cannot be executed: its end says what.
    const isUnbegun = start.state === 'void' || (start.started_at === null && start.evidence === 'start');
    if (isUnbegun) lines.push({ at: start.claimed_at, about: 'started', text: `start ${start.start} was never begun` });
    if (start.state !== 'void') {
      const at = start.started_at ?? start.claimed_at;
      if (!isUnbegun) lines.push({ at, about: 'started', text: startedWords(run, start, before) });
      // The end of the run tells that of its last start, unless it ended by something else later.
      const isTold =
        start.start === run.starts.at(-1)?.start && isFinalState(run.state) && start.evidence === run.evidence;
      if (start.state === 'ended' && !isTold) lines.push(diedLine(start));
      before = start;
    }
    from = start.ended_at ?? from;
  }
  if (run.kill !== null) lines.push({ at: run.kill.at, about: 'kill', text: `its end was asked for: ${run.kill.by}` });
  if (isFinalState(run.state)) lines.push(...endLines(run, from, events, unmet));
  else lines.push(...nowLines(run, from, now, events));
  lines.push(...movingLines(run.starts));
  // A kill may have come long before the end.
  const never = Number.POSITIVE_INFINITY;
  return lines.sort((a, b) => (a.at === b.at ? 0 : (a.at ?? never) - (b.at ?? never)));
}

/** Time of day in UTC, under its day. Nothing in them moves a cursor. */
export function explainLines(run: RunJson, events: readonly EventJson[], now: number, unmet = run.after): string[] {
  let day: string | null = null;
  return storyOf(run, events, now, unmet).map(({ at, text, about }) => {
    const moment = at === null ? '' : new Date(at).toISOString();
    const head = at === null ? (about === 'advice' ? 'next' : 'now') : moment.slice(11, 19);
    const date = at === null || moment.slice(0, 10) === day ? '' : `${moment.slice(0, 10)} (UTC)\n`;
    if (at !== null) day = moment.slice(0, 10);
    return `${date}${head.padEnd(8)}  ${visibleText(text)}`;
  });
}

function submittedWords(run: RunJson): string {
  const by = run.submitter == null ? '' : ` by ${run.submitter}`;
  const cpus = `${run.request.cpus} ${run.request.cpus === 1 ? 'cpu' : 'cpus'}`;
  const needs = [
    cpus,
    requestWords(run.request) ?? 'no memory named',
    ...(run.gpus > 0 ? [`${run.gpus} ${run.gpus === 1 ? 'GPU' : 'GPUs'}`] : []),
    ...run.locks.map((lock) => `lock ${lock}`),
    ...Object.entries(run.resources).map(([name, amount]) => `${amount} of ${name}`),
    ...(run.priority === 0 ? [] : [`priority ${run.priority}`]),
  ];
  const inside = run.inside === null ? '' : `, inside run ${run.inside}`;
  const damage =
    run.damage == null ? '' : `; not all of that is so: its record in the store is damaged (${run.damage})`;
  return `run ${run.id} was submitted${by}${inside}: ${shellWords(run.argv)} (${needs.join(', ')})${damage}`;
}

function waitLines(run: RunJson, span: Omit<WaitSpan, 'run'>, events: readonly EventJson[]): StoryLine[] {
  const { from, to, start } = span;
  const parts = waitParts({ run: run.id, ...span }, events);
  if (parts.length === 0 && (start !== null || to - from < shortestWait)) return [];
  const text = [`waited ${formatDuration(to - from)}`, parts.join('; ')].filter((words) => words !== '').join(': ');
  return [{ at: from, about: 'waited', text: start === null && run.state === 'queued' ? `has ${text}` : text }];
}

/** What it had to come after, as far as it is still known. */
const afterWords = ({ after }: RunJson): string[] =>
  after.length === 0
    ? []
    : [`for ${after.map((one) => ('run' in one ? `run ${one.run}` : groupHandle(one.group))).join(', ')}`];

/** How long was set before another start is told by the end of the one before, which may have been deleted. */
const againWords = ({ id }: RunJson, { start }: StartJson, events: readonly EventJson[]): string[] =>
  events.some((event) => event.run === id && event.kind === 'start-ended' && event.data['start'] === start)
    ? []
    : ['for the time before another start'];

function startedWords(run: RunJson, start: StartJson, before: StartJson | null): string {
  const { limit_bytes: limit, cap_bytes: cap } = start;
  const facts: string[] = [];
  if (run.inside !== null) facts.push(`within what run ${run.inside} has`);
  if (limit !== null && (run.request.memory_min_bytes !== null || cap !== null)) {
    facts.push(`limit ${formatSize(limit)}${limitSource(run, start, before)}`);
    facts.push(cap === null ? 'nothing ends it over that' : `killed over ${formatSize(cap)}`);
  } else facts.push('no limit');
  if (run.placement !== null) facts.push(`on ${run.placement}`);
  return `start ${start.start} ${start.state === 'starting' ? 'is about to begin' : 'began'}: ${facts.join(', ')}`;
}

/** Why it is that much. */
function limitSource({ request }: RunJson, { limit_bytes: limit }: StartJson, before: StartJson | null): string {
  if (before?.next_limit_bytes === limit) return ` (raised after start ${before?.start ?? 0})`;
  if (request.memory_min_bytes === null) return ' (it named none)';
  if (limit === request.memory_min_bytes) return ' (the minimum that it asked for)';
  return limit !== null && limit > request.memory_min_bytes ? ' (raised: its command died for memory before)' : '';
}

function diedLine(start: StartJson): StoryLine {
  const evidence = start.evidence === null ? '' : ` [${start.evidence}]`;
  const text = `start ${start.start} ended: ${start.text ?? start.verdict ?? 'ended'}${evidence}`;
  return { at: start.ended_at, about: 'died', text };
}

function endLines(run: RunJson, from: number, events: readonly EventJson[], unmet: RunJson['after']): StoryLine[] {
  const ended = run.ended_at ?? from;
  const lines =
    run.starts.length === 0 ? waitLines(run, { start: null, from, to: ended, also: afterWords(run) }, events) : [];
  const began = run.starts.find((start) => start.started_at !== null)?.started_at ?? null;
  const took = began === null ? '' : `, ${formatDuration(ended - began)} after its first start`;
  const used = usageWords(run);
  const evidence = run.evidence === null ? '' : ` [${run.evidence}]`;
  const text = `${outcomeWords(run).replace(/\.$/, '')}${evidence}${took}${used === '' ? '' : `; ${used}`}`;
  const advice = adviceOf(run, unmet);
  return [
    ...lines,
    { at: run.ended_at, about: 'ended', text },
    ...runWaitingWords(run).map((words) => ({ at: null, about: 'now' as const, text: words })),
    ...(advice === null ? [] : [{ at: null, about: 'advice' as const, text: advice }]),
  ];
}

/** Logs that cannot be moved to where they go are said; those on their way are not worth it. */
function movingLines(starts: readonly StartJson[]): StoryLine[] {
  return starts.flatMap(({ start, logs: { moving } }) => {
    if (moving?.why == null) return [];
    const text = `the logs of start ${start} are still on this machine: they cannot be moved to ${moving.to} (${moving.why}), which is tried again`;
    return [{ at: null, about: 'logs' as const, text }];
  });
}

function nowLines(run: RunJson, from: number, now: number, events: readonly EventJson[]): StoryLine[] {
  const line = (text: string): StoryLine => ({ at: null, about: 'now', text });
  if (run.state !== 'queued') {
    const used = usageWords(run);
    return [line(`${outcomeWords(run)}${used === '' ? '' : `; ${used} so far`}`)];
  }
  const estimate = run.waiting?.estimate_ms ?? null;
  const when = estimate === null ? '' : `; starts in ${aboutWords(estimate)}`;
  return [
    ...waitLines(run, { start: null, from, to: now, also: [] }, events),
    line(`${run.reason === null ? 'is about to be started' : run.reason}${when}`),
  ];
}
