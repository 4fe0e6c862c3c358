import type { DaemonClient } from '../client/daemon-client.ts';
import { readSample, type ReadSample } from '../sample/read-sample.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { metricsLines, unreadWords } from './metrics-lines.ts';
import { openClient } from './open-client.ts';
import { runNumber } from './run-number.ts';
import { printLines, say } from './say.ts';

/** Wider ones are harder to read, and a file has no width. */
const widest = 120;
const usual = 80;

/** `orca metrics RUN`: what a run used over time, from its samples. */
export async function metrics(context: Context, id: string, options: { json?: boolean }): Promise<number> {
  const number = runNumber(id);
  const client = openClient(context);
  if (options.json === true) {
    let lost = 0;
    for await (const line of linesOf(client, number)) {
      if (readSample(line) === null) lost += 1;
      else if (!(await context.out.write(`${line}\n`))) break;
    }
    if (lost > 0) await say(context, unreadWords(lost));
    return exitStatus.ok;
  }
  const run = await client.run(number);
  const samples: ReadSample[] = [];
  let unread = 0;
  for await (const line of linesOf(client, number)) {
    const sample = readSample(line);
    if (sample === null) unread += 1;
    else samples.push(sample);
  }
  const { isTTY, columns } = context.out;
  const width = isTTY ? Math.min(widest, columns) : usual;
  await printLines(context.out, metricsLines(run, samples, width, unread));
  return exitStatus.ok;
}

/** The lines of its samples; the last one may be cut. */
async function* linesOf(client: DaemonClient, run: number): AsyncGenerator<string> {
  const answer = await client.open({ method: 'GET', path: `/api/runs/${run}/metrics`, idleMs: 30_000 });
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of answer.body) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      yield rest.subarray(0, end).toString('utf8');
      rest = rest.subarray(end + 1);
    }
  }
  if (rest.length > 0) yield rest.toString('utf8');
}
