import { createReadStream } from 'node:fs';
import { systemErrorCode, systemErrorWords } from '../client/system-error.ts';
import type { DaemonClient } from '../client/daemon-client.ts';
import { OrcaError } from '../errors/orca-error.ts';
import { groupHandle } from '../runs/handle.ts';
import { visibleText } from '../units/visible-text.ts';
import type { SubmitRequest } from '../wire/api.ts';
import type { Context } from './context.ts';
import { commandsOfLines, linesOf } from './each-line.ts';
import type { EnvironmentOptions } from './environment-options.ts';
import { exitStatus } from './exit-status.ts';
import { isFinalState } from './final-state.ts';
import { IdFile, idFileLost } from './id-file.ts';
import { insideStart } from './inside-start.ts';
import { keyOf, keysOfLines } from './key-options.ts';
import { knownOfManyWords, knownWords } from './known-words.ts';
import { openClientToSubmit } from './open-client.ts';
import { refusedOption } from './option-word.ts';
import { pathHere } from './path-here.ts';
import { PrintedNumbers } from './printed-numbers.ts';
import { reportError } from './report-error.ts';
import type { RequestOptions } from './request-options.ts';
import { say } from './say.ts';
import { isFolder, namedStdin } from './stdin-source.ts';
import { submissionFields } from './submission.ts';
import { submitBatches, type Sent, type Work } from './submit-batches.ts';
import { waitFor } from './wait-for.ts';
import { warnDifferences } from './warn-differences.ts';
import { warnEnvironment } from './warn-environment.ts';
import { warnOutside } from './warn-outside.ts';
import { wholeNumber } from './whole-number.ts';

export interface SubmitOptions extends RequestOptions, EnvironmentOptions {
  readonly eachLine?: string;
  readonly maxParallel?: string;
  readonly wait?: boolean;
  readonly json?: boolean;
}

/** `orca submit`: queues runs that belong to nobody and prints their numbers. */
export async function submit(context: Context, command: readonly string[], options: SubmitOptions): Promise<number> {
  const json = options.json === true;
  const fields = { ...(await submissionFields(context, options)), ...parallelFields(options) };
  const work = await workOf(context, command, options);
  const idFile = options.idFile === undefined ? null : IdFile.check(context, options.idFile);
  const client = openClientToSubmit(context, fields.secrets);
  await warnDifferences(context, client);
  await warnEnvironment(context, fields.env);
  await warnOutside(context, work.commands);
  const numbers = new PrintedNumbers(context.out);
  const sent = await submitBatches(context, client, work, { fields, numbers, print: !json, idFile });
  if (sent.interrupted) return stopped(context, sent, work, numbers);
  await sayWhatCameOfIt(context, sent, work, options);
  const { runs, group, known } = sent;
  if (options.wait !== true) {
    if (json) await numbers.json({ runs, group, known });
    numbers.check();
    if (sent.idFault !== null) throw idFileLost(runs, sent.idFault);
    return exitStatus.ok;
  }
  const faults = [numbers.fault, sent.idFault === null ? null : idFileLost(runs, sent.idFault)];
  for (const fault of faults) if (fault !== null) await reportError(fault, { err: context.err, json, trace: false });
  checkNotAround(context, client, sent, options);
  return runs.length === 0 ? exitStatus.ok : waitFor(context, client, [...new Set(runs)], { json, timeoutMs: null });
}

/** A part of the lines is accepted, and goes on. */
async function stopped(context: Context, sent: Sent, work: Work, numbers: PrintedNumbers): Promise<number> {
  const { runs, group, idFault } = sent;
  const many = `${runs.length} of ${work.count} lines`;
  if (group === null) await say(context, 'interrupted before anything was submitted');
  else {
    const handle = groupHandle(group);
    await say(
      context,
      `interrupted: ${many} are submitted, as group ${handle}, and go on; \`orca kill ${handle}\` ends them`,
    );
  }
  for (const fault of [numbers.fault, idFault === null ? null : idFileLost(runs, idFault)])
    if (fault !== null) await reportError(fault, { err: context.err, json: false, trace: false });
  return exitStatus.interrupted;
}

/** A run that waits for the answer to its own key would wait for ever. */
function checkNotAround(context: Context, client: DaemonClient, { known }: Sent, { key = '' }: SubmitOptions): void {
  if (known.length === 0) return;
  const around = insideStart(client.place.state, { env: context.env, pid: context.pid, procRoot: '/proc' });
  const own = known.find(({ run }) => run === around?.run);
  if (own !== undefined) throw new OrcaError('key-inside', { key, run: own.run });
}

/** Programs have it in the JSON. */
async function sayWhatCameOfIt(context: Context, sent: Sent, work: Work, options: SubmitOptions): Promise<void> {
  const { group, known } = sent;
  if (work.count === 0) return say(context, `no line in ${fileWords(options)}: nothing was submitted`);
  if (group !== null && options.json !== true) {
    // The same line twice, with a key, is one run.
    const of = new Set(sent.runs).size - known.length;
    await say(context, `group ${groupHandle(group)}: ${of} ${of === 1 ? 'run' : 'runs'}`);
  }
  const [first] = known;
  if (first === undefined) return;
  if (work.grouped) return say(context, knownOfManyWords(known, work.count));
  const waits = options.wait === true && !isFinalState(first.state) ? '; waiting for it' : '';
  await say(context, `${knownWords(first, context.clock.now())}${waits}`);
}

const fileWords = ({ eachLine = '-' }: SubmitOptions): string =>
  eachLine === '-' ? 'standard input' : visibleText(eachLine);

function parallelFields({ maxParallel, eachLine }: SubmitOptions): Pick<SubmitRequest, 'max_parallel'> {
  if (maxParallel === undefined) return {};
  const max_parallel = wholeNumber('--max-parallel', maxParallel, 1, 1_000_000);
  if (eachLine !== undefined) return { max_parallel };
  const hint = 'Give --each-line with it, or leave it out.';
  throw refusedOption(
    '--max-parallel',
    maxParallel,
    'a single run has nothing beside it; it goes with --each-line',
    hint,
  );
}

async function workOf(context: Context, command: readonly string[], options: SubmitOptions): Promise<Work> {
  const source = options.stdin === undefined ? ({ kind: 'null' } as const) : namedStdin(options.stdin, context);
  const stdin = source.kind === 'pipe' ? ({ kind: 'null' } as const) : source;
  if (options.eachLine === undefined) {
    const key = keyOf(options);
    return { commands: [[...command]], count: 1, keys: key === null ? null : [key], grouped: false, stdin };
  }
  const lines = await linesIn(context, options.eachLine);
  const commands = commandsOfLines(command, lines);
  return { commands, count: lines.length, keys: keysOfLines(options, lines), grouped: true, stdin };
}

async function linesIn(context: Context, file: string): Promise<string[]> {
  if (file === '-') return linesOf(standardInput(), 'standard input');
  const path = pathHere(context, file);
  try {
    return await linesOf(createReadStream(path) as AsyncIterable<Uint8Array>, path);
  } catch (cause) {
    if (cause instanceof OrcaError) throw cause;
    const why = systemErrorCode(cause) === 'EISDIR' ? isFolder : systemErrorWords(cause);
    throw new OrcaError('file-unreadable', { path, why }, cause);
  }
}

const standardInput = (): AsyncIterable<Uint8Array> => process.stdin as AsyncIterable<Uint8Array>;
