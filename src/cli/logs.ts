import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { readLog, type LogRequest } from '../client/read-log.ts';
import type { DaemonClient } from '../client/daemon-client.ts';
import { isFinal } from '../runs/transitions.ts';
import { FoldReturns } from '../units/fold-returns.ts';
import { isAddress } from '../units/object-address.ts';
import { visibleText } from '../units/visible-text.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { leaving } from './leaving.ts';
import { hasLostOutput } from './lost-output.ts';
import { openClient } from './open-client.ts';
import { advising, type Output } from './output.ts';
import { runNumber } from './run-number.ts';
import { parseMoment } from './since.ts';
import { say } from './say.ts';
import { startWaitingWords } from './stage-words.ts';
import { wholeNumber } from './whole-number.ts';

/** Less is not worth a word. */
const unsureMs = 10_000;

export interface LogsOptions {
  readonly follow?: boolean;
  readonly tail?: string;
  readonly since?: string;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  readonly start?: string;
  readonly raw?: boolean;
}

/** `orca logs`: a start's outputs, each to the caller's own of the same name; the bytes as they are, except on a terminal and in a tail. */
export async function logs(context: Context, id: string, options: LogsOptions): Promise<number> {
  const run = runNumber(id);
  const start = options.start === undefined ? null : wholeNumber('--start', options.start, 1, 1_000_000);
  const tail = options.tail === undefined ? null : wholeNumber('--tail', options.tail, 0, 1_000_000_000);
  const sinceMs = options.since === undefined ? null : parseMoment(options.since, context.clock.now());
  const both = options.stdout === options.stderr;
  const client = openClient(context);
  // A tail is for a reader, the whole for a file.
  const fold = tail !== null && options.raw !== true;
  const wanted = (['stdout', 'stderr'] as const).filter((stream) => both || options[stream] === true);
  let waiting: string | null = null;
  const onWaiting = (why: string): void => {
    waiting = why;
  };
  let isTold = false;
  const onTrouble = async (words: string): Promise<void> => {
    // Once for both outputs: it is the same storage.
    if (isTold) return;
    isTold = true;
    await say(context, `${words} It is tried again.`);
  };
  const follow = options.follow === true;
  const requests = wanted.map((stream) => ({ run, stream, start, tail, sinceMs, follow, onWaiting, onTrouble }));
  const tellWaiting = async (): Promise<void> => {
    const words = startWaitingWords({ logs_waiting: waiting });
    if (words !== null) await say(context, `run ${run}: ${words}`);
    await tellLost(context, client, run, start);
  };
  const passOne = (request: LogRequest, signal?: AbortSignal) =>
    advising(`The log is kept: \`orca logs ${run} > FILE\` writes it to where there is room.`, () =>
      pass(context, client, request, fold, signal),
    );
  if (!follow) {
    let passed = 0;
    for (const request of requests) passed += await passOne(request);
    if (passed === 0 && sinceMs === null) await tellDeleted(context, client, run);
    await tellWaiting();
    return exitStatus.ok;
  }
  using left = leaving(context);
  const { promise: gone, resolve: go } = Promise.withResolvers<void>();
  left.signal.addEventListener('abort', () => go());
  // A reader that has paused keeps nobody from leaving.
  await Promise.race([Promise.all(requests.map((request) => passOne(request, left.signal))), gone]).catch(
    (cause: unknown) => {
      if (left.why === null) throw cause;
    },
  );
  if (left.why === null) {
    await tellWaiting();
    return exitStatus.ok;
  }
  await say(context, `no longer following run ${run}, which is as it was. \`orca logs -f ${run}\` follows it again.`);
  return exitStatus.interrupted;
}

/** What is missing in an output is said after it. */
async function tellLost(context: Context, client: DaemonClient, run: number, start: number | null): Promise<void> {
  const { starts } = await client.run(run);
  const shown = start === null ? starts.at(-1) : starts.find((one) => one.start === start);
  if (hasLostOutput(shown)) await say(context, `run ${run}: ${shown?.text ?? ''}`);
}

/** Nothing written and nothing kept are not the same. */
async function tellDeleted(context: Context, client: DaemonClient, run: number): Promise<void> {
  const { state, starts } = await client.run(run);
  const last = starts.findLast((start) => start.state === 'ended');
  // Of logs that were moved the daemon itself says that they are gone.
  if (!isFinal(state) || last === undefined || isAddress(last.logs.stdout)) return;
  if (existsSync(dirname(last.logs.stdout))) return;
  const why = 'they were deleted to make room (ORCA_KEEP_LOGS_MB), or by somebody';
  await say(context, `the logs of run ${run} are not there any more: ${why}`);
}

/** Gives how many bytes there were. */
async function pass(
  context: Context,
  client: DaemonClient,
  request: LogRequest,
  fold: boolean,
  signal?: AbortSignal,
): Promise<number> {
  let bytes = 0;
  let after: number | null = null;
  const out: Output = request.stream === 'stdout' ? context.out : context.err;
  const onAfter = (ms: number): void => {
    after ??= ms;
  };
  const decoder = new StringDecoder('utf8');
  // Who follows sees that something is going on; of what is over each line is one.
  const folding = fold && !out.isTTY ? new FoldReturns({ lastOnly: !request.follow }) : null;
  for await (const chunk of readLog(client, { ...request, onAfter }, signal)) {
    if (bytes === 0) await tellUnsure(context, request, after);
    bytes += chunk.length;
    const shown = out.isTTY ? visibleLines(decoder.write(chunk)) : (folding?.push(chunk) ?? chunk);
    if (!(await out.write(shown))) return bytes;
  }
  if (out.isTTY) await out.write(visibleLines(decoder.end()));
  if (folding !== null) await out.write(folding.end());
  return bytes;
}

/** Most of what is shown may be older than asked for. */
async function tellUnsure(
  context: Context,
  { stream, sinceMs }: Pick<LogRequest, 'stream' | 'sinceMs'>,
  after: number | null,
): Promise<void> {
  if (sinceMs == null || after === null || sinceMs - after < unsureMs) return;
  const from = new Date(after).toISOString().slice(0, 19);
  await say(context, `of ${stream} it is not known what was written just then: this is all since ${from}Z`);
}

/** Text with its lines and tabs kept, and nothing else that a terminal would obey. */
export const visibleLines = (text: string): string => text.replace(/[^\n\t]+/g, visibleText);
