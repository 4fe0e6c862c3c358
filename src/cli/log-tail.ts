import { AnsweredError } from '../client/answered-error.ts';
import type { DaemonClient } from '../client/daemon-client.ts';
import { readLog } from '../client/read-log.ts';
import { OrcaError } from '../errors/orca-error.ts';
import { visibleText } from '../units/visible-text.ts';
import type { Context } from './context.ts';
import { say } from './say.ts';

/** How many lines of a failed run's outputs are shown. */
const lines = 20;

/**
 * The last lines of both outputs of a run's last start, for a person: nothing in them can move the cursor. Where they cannot be had that is said: how the
 * run ended is known all the same.
 */
export async function printLogTail(context: Context, client: DaemonClient, run: number): Promise<void> {
  try {
    await printTails(context, client, run);
  } catch (cause) {
    if (!(cause instanceof AnsweredError) && !(cause instanceof OrcaError)) throw cause;
    await say(context, cause.message);
  }
}

async function printTails(context: Context, client: DaemonClient, run: number): Promise<void> {
  for (const stream of ['stdout', 'stderr'] as const) {
    const shown = lastLines(await tailOf(client, run, stream), lines);
    if (shown.length === 0) continue;
    const name = stream === 'stdout' ? 'output' : 'error';
    const head = `run ${run}, end of standard ${name} (whole: orca logs ${run} --${stream}):`;
    await context.err.write(`orca: ${head}\n${shown.map((line) => `  ${line}\n`).join('')}`);
  }
}

async function tailOf(client: DaemonClient, run: number, stream: 'stdout' | 'stderr'): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const request = { run, stream, start: null, tail: lines, follow: false };
  for await (const chunk of readLog(client, request)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What a line says that was written over again and again, as a progress bar is. */
function lastState(line: Buffer): Buffer {
  const end = line.at(-1) === 13 ? line.length - 1 : line.length;
  return line.subarray(line.lastIndexOf(13, end - 1) + 1, end);
}

/** Made visible and cut to 500 characters each: one line can be the whole log. */
export function lastLines(content: Uint8Array, count: number): string[] {
  const bytes = Buffer.from(content);
  const all: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const newline = bytes.indexOf(10, at);
    const end = newline < 0 ? bytes.length : newline;
    all.push(bytes.subarray(at, end));
    at = end + 1;
  }
  return all.slice(-count).map((line) => {
    const text = visibleText(lastState(line).subarray(0, 2000)).replaceAll('\\t', '  ');
    return text.length > 500 || lastState(line).length > 2000 ? `${text.slice(0, 500)}…` : text;
  });
}
