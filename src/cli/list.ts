import { OrcaError } from '../errors/orca-error.ts';
import { formatDuration } from '../units/format-duration.ts';
import { formatSize } from '../units/format-size.ts';
import { shellWords } from '../units/shell-words.ts';
import { visibleText } from '../units/visible-text.ts';
import type { RunSummaryJson } from '../wire/api.ts';
import { colourState, wantsColour } from './colour.ts';
import type { ListFilter } from '../client/daemon-client.ts';
import type { TagOption } from './chosen.ts';
import { handleOf } from './handle.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { isRunState, runStates, unfinishedStates } from './final-state.ts';
import { openClient } from './open-client.ts';
import { printJson, printLines, say } from './say.ts';
import { peakCell } from './shown-peak.ts';
import { tableLines, type Column } from './table.ts';
import { stateWord, waitingWords } from './words.ts';
import { wholeNumber } from './whole-number.ts';

export interface ListOptions extends TagOption {
  readonly group?: string;
  readonly key?: string;
  readonly name?: string;
  readonly all?: boolean;
  readonly state?: readonly string[];
  readonly limit?: string;
  readonly json?: boolean;
}

/** What the API gives at once. */
const mostListed = 10_000;

/** `orca list`: the runs that are not over, or those asked for, newest first. */
export async function list(context: Context, options: ListOptions): Promise<number> {
  const limit = options.limit === undefined ? 50 : wholeNumber('--limit', options.limit, 1, mostListed);
  const states = statesOf(options);
  const client = openClient(context);
  const found = await client.runs({ states, limit: Math.min(mostListed, limit + 1), ...onlyOf(options) });
  const runs = found.slice(0, limit);
  if (options.json === true) {
    await printJson(context.out, { runs });
    return exitStatus.ok;
  }
  if (runs.length === 0) {
    await say(context, noneWords(options));
    return exitStatus.ok;
  }
  const lines = listLines(runs, context.clock.now(), context.out.columns);
  const colour = wantsColour(context.out.isTTY, context.env);
  const coloured = lines.map((line, index) => {
    const run = runs[index - 1];
    return run === undefined || run.end_unstored ? line : colourState(line, run.state, colour);
  });
  await printLines(context.out, coloured);
  const more = moreWords(limit, found.length);
  if (more !== null) await say(context, more);
  return exitStatus.ok;
}

/** Which of those in such a state are meant. */
function onlyOf({ tag = [], group, key, name }: ListOptions): Partial<ListFilter> {
  const handle = group === undefined ? null : handleOf(group);
  return {
    tags: tag,
    ...(handle === null ? {} : { group: 'group' in handle ? handle.group : handle.run }),
    ...(key === undefined ? {} : { key }),
    ...(name === undefined ? {} : { name }),
  };
}

function noneWords({ all, state, tag, group, key, name }: ListOptions): string {
  const only = [tag, group, key, name].some((value) => value !== undefined);
  if (only)
    return `no such run${all === true || state !== undefined ? '' : ' runs or waits; `--all` lists those that are over, too'}`;
  if (state !== undefined) return 'no run is in such a state';
  return all === true
    ? 'there are no runs yet'
    : 'nothing runs or waits; `orca list --all` shows the runs that are over';
}

/** Said under a list that may not be all: how many more there are is not known, only whether. */
export function moreWords(limit: number, found: number): string | null {
  if (limit >= mostListed) return found < mostListed ? null : `these are the newest ${mostListed}; there may be more`;
  const next = Math.min(mostListed, limit * 2);
  return found > limit ? `there are more than these ${limit}; --limit ${next} shows up to ${next}` : null;
}

function statesOf(options: ListOptions): readonly string[] {
  const wanted = options.state?.flatMap((word) => word.split(',')) ?? [];
  const bad = wanted.find((word) => !isRunState(word));
  if (bad !== undefined) {
    const why = 'it is not a state of runs';
    const hint = `Write one of ${runStates.join(', ')}.`;
    throw new OrcaError('option-invalid', { option: '--state', value: bad, why, hint });
  }
  return wanted.length > 0 || options.all === true ? wanted : unfinishedStates;
}

const columns: readonly Column[] = [
  { head: 'RUN', right: true },
  { head: 'STATE' },
  { head: 'STARTS', right: true },
  { head: 'MEMORY', right: true },
  { head: 'TIME', right: true },
  { head: 'WHAT', flexible: true },
];

/** The table of `orca list`, no wider than the terminal. */
export function listLines(runs: readonly RunSummaryJson[], now: number, width: number): string[] {
  const rows = runs.map((run) => [
    String(run.id),
    stateWord(run),
    String(run.starts_count),
    memoryWords(run),
    timeWords(run, now),
    whatWords(run),
  ]);
  return tableLines(columns, rows, width);
}

/** The peak where one is known, else what was asked for. */
function memoryWords(run: RunSummaryJson): string {
  // While a run goes on it is that of its last start, and no earlier one's.
  const peak = peakCell(run.ended_at === null ? { peak_rss_bytes: run.peak_rss_bytes } : run);
  if (peak !== '') return peak;
  return run.request.memory_min_bytes === null ? '' : formatSize(run.request.memory_min_bytes);
}

/** How long it ran, or has waited. */
function timeWords(run: RunSummaryJson, now: number): string {
  return formatDuration((run.ended_at ?? now) - (run.started_at ?? run.submitted_at));
}

function whatWords(run: RunSummaryJson): string {
  const command = shellWords(run.argv);
  const named = run.name === null ? command : `${visibleText(run.name)}: ${command}`;
  return run.reason !== null ? `${named} (${visibleText(waitingWords(run))})` : named;
}
