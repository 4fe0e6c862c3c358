import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemErrorWords } from '../client/system-error.ts';
import { OrcaError } from '../errors/orca-error.ts';
import type { Context } from './context.ts';
import { batches, commandsOfLines } from './each-line.ts';
import { exitStatus } from './exit-status.ts';
import { openClientToSubmit } from './open-client.ts';
import type { RequestOptions } from './request-options.ts';
import { printJson, printLines } from './say.ts';
import { namedStdin } from './stdin-source.ts';
import { checkArguments, submission, submissionFields } from './submission.ts';
import { waitFor } from './wait-for.ts';
import { warnDifferences } from './warn-differences.ts';

export interface SubmitOptions extends RequestOptions {
  readonly eachLine?: string;
  readonly wait?: boolean;
  readonly json?: boolean;
}

/** `orca submit`: queues runs that belong to nobody and prints their numbers. */
export async function submit(context: Context, command: readonly string[], options: SubmitOptions): Promise<number> {
  checkArguments(command);
  const fields = submissionFields(context, options);
  const source = options.stdin === undefined ? ({ kind: 'null' } as const) : namedStdin(options.stdin, context.cwd);
  const stdin = source.kind === 'pipe' ? ({ kind: 'null' } as const) : source;
  const commands =
    options.eachLine === undefined ? [[...command]] : await commandsOf(context, command, options.eachLine);
  const client = openClientToSubmit(context);
  await warnDifferences(context, client);
  const token = context.newToken();
  const runs: number[] = [];
  for (const [index, batch] of batches(commands).entries()) {
    const request = submission(fields, { token: `${token}.${index}`, commands: batch, stdin, owner: null });
    const answer = await client.submit(request);
    runs.push(...answer.runs);
    // As soon as they are accepted: were a later batch to fail, these would go on unknown.
    if (options.json !== true) await printLines(context.out, answer.runs.map(String));
  }
  if (options.wait !== true) {
    if (options.json === true) await printJson(context.out, { runs });
    return exitStatus.ok;
  }
  return runs.length === 0
    ? exitStatus.ok
    : waitFor(context, client, runs, { json: options.json === true, timeoutMs: null });
}

async function commandsOf(context: Context, template: readonly string[], file: string): Promise<string[][]> {
  if (file === '-') return commandsOfLines(template, await standardInput(), 'standard input');
  const path = resolve(context.cwd, file);
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch (cause) {
    throw new OrcaError('file-unreadable', { path, why: systemErrorWords(cause) }, cause);
  }
  return commandsOfLines(template, content, path);
}

async function standardInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks);
}
