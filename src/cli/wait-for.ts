import type { DaemonClient } from '../client/daemon-client.ts';
import { waitRuns } from '../client/wait-runs.ts';
import { isFinalState } from './final-state.ts';
import { formatDuration } from '../units/format-duration.ts';
import type { RunJson } from '../wire/api.ts';
import { callerInside } from './caller-inside.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { leaving } from './leaving.ts';
import { lastLostOutput } from './lost-output.ts';
import { printLogTail } from './log-tail.ts';
import { printJson, say } from './say.ts';
import { StatusLine } from './status-line.ts';
import { WaitNotice, waitWords } from './wait-notice.ts';
import { summaryWords } from './words.ts';

export interface WaitOptions {
  readonly json: boolean;
  readonly timeoutMs: number | null;
}

/** So many failed runs get the end of their output shown; the others one line each. */
const tailsShown = 3;

/** Waits for all, tells what happened, and gives the exit status: that of the first, in the order given, that is not 0. */
export async function waitFor(
  context: Context,
  client: DaemonClient,
  runs: readonly number[],
  { json, timeoutMs }: WaitOptions,
): Promise<number> {
  using left = leaving(context, timeoutMs);
  const line = new StatusLine(context.err);
  const notice = new WaitNotice(context.err, context.clock);
  const ended = new Map<number, RunJson>();
  let telling: Promise<void> = Promise.resolve();
  let tails = 0;
  try {
    await waitRuns(
      client,
      // One run is shown why it waits; a thousand are counted. A wait that ends by itself keeps nobody for ever.
      {
        runs,
        detail: runs.length === 1 ? 'full' : 'final',
        ...(timeoutMs === null ? callerInside(context, client) : {}),
      },
      (run) => {
        if (run.state !== 'queued') notice.update(run);
        if (!isFinalState(run.state)) return void line.show(waitingWords(run));
        if (ended.has(run.id)) return;
        ended.set(run.id, run);
        const withTail = run.state !== 'succeeded' && tails++ < tailsShown;
        telling = telling.then(() => tell(context, client, run, { json, withTail, alone: runs.length === 1, line }));
        // It is heard of below.
        telling.catch(() => undefined);
        if (runs.length > 1) void line.show(`orca: ${ended.size} of ${runs.length} runs have ended`);
      },
      left.signal,
    );
    if (left.why === null) await telling;
  } finally {
    await line.clear();
  }
  if (left.why !== null) return await leftWith(context, left.why, runs, ended, timeoutMs);
  if (!json && runs.length > 1) await say(context, countWords([...ended.values()]));
  return (
    runs.map((id) => ended.get(id)?.exit_status ?? exitStatus.waitBroke).find((status) => status !== 0) ?? exitStatus.ok
  );
}

export interface Telling {
  readonly json: boolean;
  readonly withTail: boolean;
  readonly alone: boolean;
  readonly line: StatusLine;
}

export async function tell(context: Context, client: DaemonClient, run: RunJson, how: Telling): Promise<void> {
  if (how.json) return void (await printJson(context.out, run));
  if (run.state === 'succeeded' && !(how.alone && context.err.isTTY) && !lastLostOutput(run)) return;
  await how.line.clear();
  if (how.withTail) await printLogTail(context, client, run.id);
  await say(context, summaryWords(run));
}

const waitingWords = (run: RunJson): string =>
  waitWords(run) ?? (run.state === 'queued' ? `orca: run ${run.id} waits` : `orca: run ${run.id} is ${run.state}`);

function countWords(runs: readonly RunJson[]): string {
  const counts = new Map<string, number>();
  for (const { state } of runs) counts.set(state, (counts.get(state) ?? 0) + 1);
  return `${runs.length} runs: ${[...counts].map(([state, count]) => `${count} ${state}`).join(', ')}`;
}

async function leftWith(
  context: Context,
  why: 'interrupt' | 'timeout',
  runs: readonly number[],
  ended: ReadonlyMap<number, RunJson>,
  timeoutMs: number | null,
): Promise<number> {
  const open = runs.filter((id) => !ended.has(id));
  const what = open.length === 1 ? `run ${open[0]} goes on` : `${open.length} runs go on`;
  const again = `\`orca wait ${open.slice(0, 20).join(' ')}${open.length > 20 ? ' …' : ''}\` waits again.`;
  if (why === 'interrupt') {
    await say(context, `no longer waiting; ${what}. ${again}`);
    return exitStatus.interrupted;
  }
  await say(context, `${formatDuration(timeoutMs ?? 0)} have passed; ${what}. ${again}`);
  return exitStatus.waitTimedOut;
}
