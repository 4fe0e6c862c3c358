/**
 * What watching contained runs costs: the daemon's CPU with 1, 10 and 100 runs, at rest far from their limit, at rest at it, and busy at it; beside it the
 * same runs without cgroups (ORCA_CGROUPS=0), where it makes the same passes over /proc and no other looks. Needs a kernel with cgroup v2:
 * `npm run test:vm -- --bench watch`. The argument: for how many seconds it is measured (15).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { RunJson, SubmitAnswer } from '../src/wire/api.ts';
import { plainSubmission } from '../test/e2e/support/plain-submission.ts';
import { diskFolder, eat } from '../test/vm/support/place.ts';
import { call } from './support/call.ts';
import { cpuSeconds } from './support/cpu-seconds.ts';
import { BenchOrca, printTable } from './support/orca.ts';

const seconds = Number(process.argv[2] ?? 15);
/** What stirred when a run began is calm 10 s later. */
const settleMs = 12_000;
const limitBytes = 4 << 20;

type Words = (index: number) => readonly string[];
const kinds: readonly (readonly [string, Words, readonly number[]])[] = [
  ['at rest', () => ['anon', '1M', 'hold'], [1, 10, 100]],
  ['at rest at the limit', () => ['anon', '4M', 'hold'], [100]],
  ['busy at the limit', (index) => ['rate', '256K', 'loop', 'write', `${diskFolder}/${index}`, '8M'], [10]],
];

/** The daemon's share of a core, in percent, while so many runs of 4 MB go on. */
const shareWith = async (cgroups: string, runs: number, words: Words): Promise<number> => {
  using orca = new BenchOrca({ ORCA_CGROUPS: cgroups, ORCA_CAPACITY_CPUS: '200', ORCA_CAPACITY_MB: '65536' });
  orca.run('up');
  const submitted = await call<SubmitAnswer>(orca, 'POST', '/api/runs', {
    ...plainSubmission(randomUUID(), []),
    commands: Array.from({ length: runs }, (_, index) => [eat, ...words(index)]),
    memory: { min_bytes: limitBytes, max_bytes: limitBytes },
  });
  const lastRuns = async (): Promise<boolean> =>
    (await call<RunJson>(orca, 'GET', `/api/runs/${submitted.runs.at(-1)}`)).state === 'running';
  while (!(await lastRuns())) await setTimeout(200);
  await setTimeout(settleMs);
  const before = cpuSeconds(orca.daemonPid);
  await setTimeout(seconds * 1000);
  const used = cpuSeconds(orca.daemonPid) - before;
  await call(orca, 'POST', '/api/kill', { runs: submitted.runs, by: 'the bench', now: true });
  await call(orca, 'POST', '/api/wait', { runs: submitted.runs, detail: 'final' });
  return (used / seconds) * 100;
};

const rows: string[][] = [['the daemon, % of a core', 'runs', 'cgroups', 'none', 'more']];
for (const [name, words, counts] of kinds) {
  for (const runs of counts) {
    const [on, off] = [await shareWith('1', runs, words), await shareWith('0', runs, words)];
    rows.push([name, String(runs), on.toFixed(2), off.toFixed(2), (on - off).toFixed(2)]);
    console.log(rows.at(-1)?.join('  '));
  }
}
printTable(rows);
