import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SubmitAnswer } from '../../src/wire/api.ts';
import { plainSubmission } from '../../test/e2e/support/plain-submission.ts';
import { call } from '../support/call.ts';
import { quantile, timed, type BenchOrca } from '../support/orca.ts';

const asked = 200;

/** What it is like with so many runs that wait, since all is paused, as rows of a table. */
export const deepQueue = async (orca: BenchOrca, count: number): Promise<readonly (readonly string[])[]> => {
  const lines = join(orca.folder, 'lines');
  writeFileSync(lines, Array.from({ length: count }, (_, index) => `${index}\n`).join(''));
  const rows: string[][] = [['memory of the daemon before', memory(orca)]];
  orca.run('pause', '--reason', 'the bench');
  const submitting = await timed(() => void orca.run('submit', '--each-line', lines, '--', 'true', '{}'));
  rows.push(['to submit all of them', `${(submitting / 1000).toFixed(1)} s`]);
  rows.push(['memory of the daemon with them', memory(orca)]);

  const submitted: number[] = [];
  let run = 0;
  for (let index = 0; index < asked; index += 1) {
    const request = plainSubmission(randomUUID(), ['true']);
    submitted.push(
      await timed(async () => void ([run = 0] = (await call<SubmitAnswer>(orca, 'POST', '/api/runs', request)).runs)),
    );
  }
  rows.push(['submit of one more, at the socket', spread(submitted)]);
  for (const [name, path] of [
    ['list of 20', '/api/runs?limit=20'],
    ['status of the last run', `/api/runs/${run}`],
    ['status of orca', '/api/daemon'],
    ['top', '/api/machine'],
  ] as const) {
    const took: number[] = [];
    for (let index = 0; index < asked; index += 1)
      took.push(await timed(async () => void (await call(orca, 'GET', path))));
    rows.push([`${name}, at the socket`, spread(took)]);
  }
  for (const command of [['list'], ['status', String(run)], ['status']])
    rows.push([
      `orca ${command[0]}${command.length > 1 ? ' RUN' : ''}`,
      spread(await several(10, () => void orca.run(...command))),
    ]);
  rows.push(['restart, until it answers', spread(await several(3, () => void orca.run('restart')))]);
  rows.push(['memory of the daemon then', memory(orca)]);
  return rows;
};

const several = async (times: number, work: () => void): Promise<number[]> => {
  const took: number[] = [];
  for (let index = 0; index < times; index += 1) took.push(await timed(work));
  return took;
};

const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
const spread = (values: readonly number[]): string =>
  `p50 ${ms(quantile(values, 0.5))}${values.length >= 100 ? `, p99 ${ms(quantile(values, 0.99))}` : ''}`;

const memory = (orca: BenchOrca): string => {
  const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${orca.daemonPid}/status`, 'utf8'));
  return `${(Number(resident?.[1]) / 1024).toFixed(0)} MB`;
};
