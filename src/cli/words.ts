import type { RunJson, RunSummaryJson, StartJson, UsageJson } from '../wire/api.ts';
import { formatDuration } from '../units/format-duration.ts';
import { formatSize } from '../units/format-size.ts';
import { usageOf } from '../usage/usage-json.ts';
import { usageText } from '../usage/usage-text.ts';
import { shownPeak, type Peaks } from './shown-peak.ts';

/** `peak 812 MB, CPU 41.2 s on up to 3.9 cores`: as much as is known; empty for nothing. */
export const usageWords = (usage: UsageJson & Peaks): string => {
  const { bytes, byCgroup } = shownPeak(usage);
  return usageText({ ...usageOf(usage), peakRssBytes: bytes }, byCgroup ? ' by its cgroup' : '');
};

/** An older daemon does not say it. */
type EndUnstored = Partial<Pick<RunSummaryJson, 'end_unstored'>>;

/** Why a queued run waits, and for how long still where that can be told. An older daemon cannot. */
export function waitingWords(run: Pick<RunSummaryJson, 'reason'> & Partial<Pick<RunSummaryJson, 'waiting'>>): string {
  const ms = run.waiting?.estimate_ms ?? null;
  return ms === null ? `${run.reason}` : `${run.reason}; starts in ${aboutWords(ms)}`;
}

/** `about 4 min`: an estimate says no more than it knows. */
export function aboutWords(ms: number): string {
  if (ms <= 10_000) return `about ${Math.max(1, Math.ceil(ms / 1000))} s`;
  if (ms < 55_000) return `about ${Math.ceil(ms / 5000) * 5} s`;
  if (ms < 55 * 60_000) return `about ${Math.round(ms / 60_000)} min`;
  if (ms < 36 * 3_600_000) return `about ${Math.round(ms / 3_600_000)} h`;
  return `about ${Math.round(ms / 86_400_000)} days`;
}

/** How a run ended, or what it does now. */
export function outcomeWords(
  run: Pick<RunSummaryJson, 'state' | 'text' | 'reason'> & Partial<Pick<RunSummaryJson, 'waiting'>> & EndUnstored,
): string {
  switch (run.state) {
    case 'queued':
      return run.reason === null ? 'queued' : `queued: ${waitingWords(run)}`;
    case 'starting':
    case 'running':
      return run.reason === null ? stateWord(run) : `${stateWord(run)}: ${run.reason}`;
    case 'succeeded':
      return run.text === null || run.text === 'ended well' ? 'succeeded' : `succeeded: ${run.text}`;
    case 'failed':
      return run.text === null ? 'failed' : `failed: ${run.text}`;
    case 'out-of-memory':
    case 'killed':
    case 'timed-out':
    case 'lost':
      // These texts begin with what happened.
      return run.text ?? run.state;
  }
}

/** The state, where what the store has is not what is: `over` for a command that has ended while that cannot be stored. */
export const stateWord = (run: Pick<RunSummaryJson, 'state'> & EndUnstored): string =>
  run.end_unstored === true ? 'over' : run.state;

/** `3 starts`; void ones are none. */
export const startsWords = (count: number): string => (count === 1 ? '1 start' : `${count} starts`);

/** `256 MB to 2 GB`, `1 GB`, or null without a request. */
export function requestWords(request: RunSummaryJson['request']): string | null {
  const { memory_min_bytes: least, memory_max_bytes: most } = request;
  if (least === null) return null;
  return most === null || most === least ? formatSize(least) : `${formatSize(least)} to ${formatSize(most)}`;
}

/** A start that ended other than well; those of a run that are followed by another one are worth a word. */
export const died = (start: StartJson): boolean =>
  start.state === 'ended' && start.verdict !== null && start.verdict !== 'succeeded';

/** `run 12 start 1: out of memory at 256 MB: …; the next start gets 384 MB`. */
export function deathWords(run: number, start: StartJson): string {
  const text = start.text ?? start.verdict ?? 'ended';
  const next = start.next_limit_bytes;
  const told = next === null || /the next start/i.test(text) ? '' : `; the next start gets ${formatSize(next)}`;
  return `run ${run} start ${start.start}: ${text}${told}`;
}

/** The same in few words, for a line that tells all starts: `start 1 out of memory at 256 MB, the next got 384 MB`. */
export function shortDeathWords(start: StartJson): string {
  const next = start.next_limit_bytes === null ? '' : `, the next got ${formatSize(start.next_limit_bytes)}`;
  return `start ${start.start} ${shortVerdict(start)}${next}`;
}

function shortVerdict({ verdict, limit_bytes: limit, exit_code: code, signal }: StartJson): string {
  if (verdict === 'out-of-memory') return limit === null ? 'out of memory' : `out of memory at ${formatSize(limit)}`;
  if (verdict === 'failed' && signal !== null) return `failed by signal ${signal}`;
  if (verdict === 'failed' && code !== null) return `failed with exit code ${code}`;
  return verdict ?? 'ended';
}

/** What happened, in one line: outcome, time, starts, peak, CPU, and every start that died before the last. */
export function summaryWords(run: RunJson): string {
  const last = run.starts.at(-1)?.start;
  const earlier = run.starts.filter((start) => died(start) && start.start !== last).map(shortDeathWords);
  const label = run.name === null ? `run ${run.id}` : `run ${run.id} (${run.name})`;
  const facts = [timeWords(run), startsWords(run.starts_count), usageWords(run)].filter((part) => part !== '');
  const colon = run.state === 'succeeded' && outcomeWords(run) === 'succeeded' ? ' ' : ': ';
  // A text of several sentences ends in a period, which goes badly before a semicolon.
  const outcome = outcomeWords(run).replace(/\.$/, '');
  return `${label}${colon}${[outcome, facts.join(', '), ...earlier].join('; ')}`;
}

function timeWords({ started_at: from, ended_at: to }: RunSummaryJson): string {
  return from === null || to === null ? '' : formatDuration(to - from);
}
