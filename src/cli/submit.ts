import { readFileSync } from 'node:fs';
import { systemErrorCode, systemErrorWords } from '../client/system-error.ts';
import { OrcaError } from '../errors/orca-error.ts';
import type { Context } from './context.ts';
import { batches, commandsOfLines } from './each-line.ts';
import type { EnvironmentOptions } from './environment-options.ts';
import { exitStatus } from './exit-status.ts';
import { openClientToSubmit } from './open-client.ts';
import { pathHere } from './path-here.ts';
import { PrintedNumbers, rangeWords } from './printed-numbers.ts';
import { reportError } from './report-error.ts';
import type { RequestOptions } from './request-options.ts';
import { say } from './say.ts';
import { isFolder, namedStdin } from './stdin-source.ts';
import { submission, submissionFields } from './submission.ts';
import { waitFor } from './wait-for.ts';
import { warnDifferences } from './warn-differences.ts';
import { warnEnvironment } from './warn-environment.ts';
import { warnOutside } from './warn-outside.ts';

export interface SubmitOptions extends RequestOptions, EnvironmentOptions {
  readonly eachLine?: string;
  readonly wait?: boolean;
  readonly json?: boolean;
}

/** `orca submit`: queues runs that belong to nobody and prints their numbers. */
export async function submit(context: Context, command: readonly string[], options: SubmitOptions): Promise<number> {
  const fields = await submissionFields(context, options);
  const source = options.stdin === undefined ? ({ kind: 'null' } as const) : namedStdin(options.stdin, context);
  const stdin = source.kind === 'pipe' ? ({ kind: 'null' } as const) : source;
  const commands =
    options.eachLine === undefined ? [[...command]] : await commandsOf(context, command, options.eachLine);
  const client = openClientToSubmit(context, fields.secrets);
  await warnDifferences(context, client);
  await warnEnvironment(context, fields.env);
  await warnOutside(context, commands);
  const token = context.newToken();
  const runs: number[] = [];
  const numbers = new PrintedNumbers(context.out);
  try {
    for (const [index, batch] of batches(commands).entries()) {
      const request = submission(fields, { token: `${token}.${index}`, commands: batch, stdin, owner: null });
      const answer = await client.submit(request);
      runs.push(...answer.runs);
      if (options.json !== true) await numbers.lines(answer.runs);
    }
  } catch (cause) {
    // The runs of the batches before this one go on.
    if (runs.length > 0) await say(context, `accepted before this: ${rangeWords(runs)}`);
    throw cause;
  }
  if (options.wait !== true) {
    if (options.json === true) await numbers.json({ runs });
    numbers.check();
    return exitStatus.ok;
  }
  const { fault } = numbers;
  if (fault !== null) await reportError(fault, { err: context.err, json: options.json === true, trace: false });
  return runs.length === 0
    ? exitStatus.ok
    : waitFor(context, client, runs, { json: options.json === true, timeoutMs: null });
}

async function commandsOf(context: Context, template: readonly string[], file: string): Promise<string[][]> {
  if (file === '-') return commandsOfLines(template, await standardInput(), 'standard input');
  const path = pathHere(context, file);
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch (cause) {
    const why = systemErrorCode(cause) === 'EISDIR' ? isFolder : systemErrorWords(cause);
    throw new OrcaError('file-unreadable', { path, why }, cause);
  }
  return commandsOfLines(template, content, path);
}

async function standardInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks);
}
