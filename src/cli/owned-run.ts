import type { DaemonClient } from '../client/daemon-client.ts';
import { waitRuns } from '../client/wait-runs.ts';
import { FoldReturns } from '../units/fold-returns.ts';
import { visibleText } from '../units/visible-text.ts';
import type { RunJson } from '../wire/api.ts';
import { callerInside } from './caller-inside.ts';
import type { Context } from './context.ts';
import { FollowStarts, passLog } from './follow-starts.ts';
import { StatusLine } from './status-line.ts';
import { watchReader } from './watch-reader.ts';
import { WaitNotice, waitWords } from './wait-notice.ts';
import { deathWords, died } from './words.ts';

export interface OwnedRun {
  readonly id: number;
  /** Null: it is another one's, and is only watched. */
  readonly owner: string | null;
  /** Standard output as it comes, or only the final start's at its end, or not at all. */
  readonly stdout: 'live' | 'final' | 'none';
  /** Ends the watching without an answer: the person left. */
  readonly leave: AbortSignal;
  /** Whether the person interrupted: then a reader of our outputs that is stuck is not waited for. */
  readonly hurried: () => boolean;
  /** Called with every news of the run. */
  readonly onNews: (run: RunJson) => void;
  /** Nobody reads our standard output any more. */
  readonly outputClosed: () => void;
}

/** How long what an interrupted run wrote may still take to be passed on. */
const hurriedMs = 2000;

/** Shows a run to whoever gave its command until it is final: its outputs, why it waits, and how each start died. Null when they left. */
export async function watchOwnedRun(context: Context, client: DaemonClient, owned: OwnedRun): Promise<RunJson | null> {
  const { id, owner, leave } = owned;
  const line = new StatusLine(context.err);
  const notice = new WaitNotice(context.err, context.clock);
  const toStdout = async (chunk: Buffer): Promise<boolean> => {
    await line.clear();
    const open = await context.out.write(chunk);
    if (!open) owned.outputClosed();
    return open;
  };
  const fold = context.err.isTTY ? null : new FoldReturns();
  const toStderr = async (chunk: Buffer): Promise<boolean> => {
    await line.clear();
    // A closed standard error takes nothing away from the result.
    await context.err.write(fold === null ? chunk : fold.push(chunk));
    return true;
  };
  const errors = new FollowStarts(client, 'stderr', toStderr, leave);
  const outputs = owned.stdout === 'live' ? new FollowStarts(client, 'stdout', toStdout, leave) : null;
  const deaths = new Set<number>();
  let last: RunJson | null = null;
  // What is passed on hears of it by itself.
  const reader = owned.stdout === 'final' ? watchReader(context, owned.outputClosed) : null;
  await waitRuns(
    client,
    { runs: [id], ...(owner === null ? {} : { owner }), detail: 'full', ...callerInside(context, client) },
    (run) => {
      last = run;
      owned.onNews(run);
      errors.update(run);
      outputs?.update(run);
      for (const start of run.starts.slice(0, -1)) {
        if (!died(start) || deaths.has(start.start)) continue;
        deaths.add(start.start);
        void line.clear();
        void context.err.write(`orca: ${visibleText(deathWords(run.id, start))}\n`);
      }
      notice.update(run);
      const waits = waitWords(run);
      if (waits === null) void line.clear();
      else void line.show(waits);
    },
    leave,
    true,
  ).finally(() => reader?.close());
  if (leave.aborted) return null;
  const run = await finalOf(client, id, last);
  const passOn = async (): Promise<void> => {
    await errors.done();
    if (fold !== null) await context.err.write(fold.end());
    await outputs?.done();
    const final = run.starts.findLast((start) => start.state !== 'void');
    if (owned.stdout !== 'final' || final === undefined) return;
    await passLog(
      client,
      { run: id, stream: 'stdout', start: final.start, follow: false, patient: true },
      toStdout,
      leave,
    );
  };
  const passed = new AbortController();
  const enough = owned.hurried() ? [context.clock.sleep(hurriedMs, passed.signal)] : [];
  await Promise.race([passOn(), ...enough]).finally(() => passed.abort());
  await line.clear();
  return leave.aborted ? null : run;
}

/** What the last event said; asked for when the connection broke just before it. */
const finalOf = async (client: DaemonClient, id: number, last: RunJson | null): Promise<RunJson> =>
  last !== null && last.exit_status !== null ? last : client.run(id);
