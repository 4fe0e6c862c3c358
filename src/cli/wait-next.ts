import type { DaemonClient } from '../client/daemon-client.ts';
import { waitRuns } from '../client/wait-runs.ts';
import { formatDuration } from '../units/format-duration.ts';
import { shellWord } from '../units/shell-words.ts';
import type { RunJson } from '../wire/api.ts';
import { callerInside } from './caller-inside.ts';
import type { TagOption } from './chosen.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { leaving } from './leaving.ts';
import { printJson, say } from './say.ts';
import { StatusLine } from './status-line.ts';
import { tell } from './wait-for.ts';

export interface WaitNextOptions {
  readonly json: boolean;
  readonly timeoutMs: number | null;
  /** Only ends that were told after this event; null: all. */
  readonly since: number | null;
  /** As they were typed. */
  readonly handles: readonly string[];
  readonly options: TagOption;
}

/**
 * Waits for the first of the runs that ends, prints it (`12 failed 3 417`: number, state, exit status, event), and gives its exit status. Prints
 * nothing when all have been told before `since`.
 */
export async function waitNext(
  context: Context,
  client: DaemonClient,
  runs: readonly number[],
  { json, timeoutMs, since, handles, options }: WaitNextOptions,
): Promise<number> {
  using left = leaving(context, timeoutMs);
  const line = new StatusLine(context.err);
  let ended: { readonly run: RunJson; readonly event: number | null } | null = null;
  await line.show(`orca: waiting for the next of ${runs.length === 1 ? '1 run' : `${runs.length} runs`}`);
  try {
    // One that ends by itself keeps nobody for ever.
    const inside = timeoutMs === null ? callerInside(context, client) : {};
    const request = { runs, detail: 'final', next: { since }, ...inside } as const;
    await waitRuns(client, request, (run, event) => (ended = { run, event }), left.signal);
  } finally {
    await line.clear();
  }
  if (left.why !== null) {
    const typed = [...handles, ...(options.tag ?? []).flatMap((tag) => ['--tag', shellWord(tag)])];
    const from = since === null ? '' : ` --since ${since}`;
    const passed = left.why === 'timeout' ? `${formatDuration(timeoutMs ?? 0)} have passed` : 'no longer waiting';
    await say(
      context,
      `${passed}; none of them has ended. \`orca wait --next${from} ${typed.join(' ')}\` waits again.`,
    );
    return left.why === 'timeout' ? exitStatus.waitTimedOut : exitStatus.interrupted;
  }
  return ended === null ? exitStatus.ok : await told(context, client, ended, json);
}

async function told(
  context: Context,
  client: DaemonClient,
  { run, event }: { readonly run: RunJson; readonly event: number | null },
  json: boolean,
): Promise<number> {
  const status = run.exit_status ?? exitStatus.waitBroke;
  if (json) await printJson(context.out, { ...run, event });
  else {
    const line = new StatusLine(context.err);
    await tell(context, client, run, { json: false, withTail: run.state !== 'succeeded', alone: true, line });
    await context.out.write(`${run.id} ${run.state} ${status} ${event ?? 0}\n`);
  }
  return status;
}
