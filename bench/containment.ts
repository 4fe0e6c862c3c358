/**
 * What containment costs: how long a start takes and how many there are in a second, with and without cgroups (ORCA_CGROUPS=0), and the
 * daemon's CPU with 1, 10 and 100 runs, each of them at rest far from its limit, at rest at it, or busy at it. Without cgroups the daemon makes the same passes over
 * /proc; the rest is what the watch over the cgroups costs. Needs a kernel with cgroup v2: `npm run test:vm -- --bench containment`.
 * Arguments: runs for the rate (200), seconds to measure CPU (20).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { RunJson, SubmitAnswer } from '../src/wire/api.ts';
import { plainSubmission } from '../test/e2e/support/plain-submission.ts';
import { diskFolder, eat } from '../test/vm/support/place.ts';
import { call } from './support/call.ts';
import { cpuSeconds } from './support/cpu-seconds.ts';
import { firstInstructions } from './support/first-instruction.ts';
import { BenchOrca, printTable, quantile, timed } from './support/orca.ts';

const count = Number(process.argv[2] ?? 200);
const seconds = Number(process.argv[3] ?? 20);
const rounds = 3;
const ways = ['1', '0'] as const;
type Way = (typeof ways)[number];

const open = (way: Way): BenchOrca => {
  const orca = new BenchOrca({ ORCA_CGROUPS: way, ORCA_CAPACITY_CPUS: '200', ORCA_CAPACITY_MB: '65536' });
  orca.run('up');
  return orca;
};

const measureStarts = async (): Promise<void> => {
  const latencies: Record<Way, number[]> = { '1': [], '0': [] };
  const rates: Record<Way, number[]> = { '1': [], '0': [] };
  const begins = { '1': open('1'), '0': open('0') };
  for (let run = 0; run < count; run += 1)
    for (const way of ways) latencies[way].push(...(await firstInstructions(begins[way], [eat, 'clock'], 1)));
  for (let round = 0; round < rounds; round += 1) {
    for (const way of ways) {
      const orca = begins[way];
      const ms = await timed(async () => {
        const commands = Array.from({ length: count }, () => [eat, 'exit', '0']);
        const request = { ...plainSubmission(randomUUID(), []), commands, cpus: 100 };
        const { runs } = await call<SubmitAnswer>(orca, 'POST', '/api/runs', request);
        await call(orca, 'POST', '/api/wait', { runs, detail: 'final' });
      });
      rates[way].push((count * 1000) / ms);
    }
  }
  for (const way of ways) begins[way][Symbol.dispose]();
  const row = (name: string, of: (way: Way) => number, digits: number): string[] => [
    name,
    ...ways.map((way) => of(way).toFixed(digits)),
    (of('1') / of('0')).toFixed(2),
  ];
  printTable([
    ['', 'cgroups', 'none', 'ratio'],
    row('ms to the first instruction, p50', (way) => quantile(latencies[way], 0.5), 1),
    row('p90', (way) => quantile(latencies[way], 0.9), 1),
    row('runs a second', (way) => quantile(rates[way], 0.5), 1),
  ]);
};

type Words = (index: number) => readonly string[];
const kinds: readonly (readonly [string, Words, readonly number[]])[] = [
  ['at rest', () => ['anon', '1M', 'hold'], [1, 10, 100]],
  ['at rest at their limit', () => ['anon', '4M', 'hold'], [1, 10, 100]],
  ['busy at their limit', (index) => ['rate', '256K', 'loop', 'write', `${diskFolder}/${index}`, '8M'], [1, 10]],
];

/** The daemon's share of a core, in percent, while so many runs of 4 MB go on. */
const shareWith = async (way: Way, runs: number, words: Words): Promise<number> => {
  using orca = open(way);
  const memory = { min_bytes: 4 << 20, max_bytes: 4 << 20 };
  const commands = Array.from({ length: runs }, (_, index) => [eat, ...words(index)]);
  const request = { ...plainSubmission(randomUUID(), []), commands, memory };
  const submitted = await call<SubmitAnswer>(orca, 'POST', '/api/runs', request);
  const running = async (): Promise<boolean> => {
    const last = await call<RunJson>(orca, 'GET', `/api/runs/${submitted.runs.at(-1)}`);
    return last.state === 'running';
  };
  while (!(await running())) await setTimeout(200);
  // Until what stirred when it began is calm.
  await setTimeout(15_000);
  const before = cpuSeconds(orca.daemonPid);
  await setTimeout(seconds * 1000);
  const used = cpuSeconds(orca.daemonPid) - before;
  await call(orca, 'POST', '/api/kill', { runs: submitted.runs, by: 'the bench', now: true });
  await call(orca, 'POST', '/api/wait', { runs: submitted.runs, detail: 'final' });
  return (used / seconds) * 100;
};

await measureStarts();
const rows: string[][] = [['daemon, % of a core', 'runs', 'cgroups', 'none', 'the watch']];
for (const [name, words, counts] of kinds) {
  for (const runs of counts) {
    const [on, off] = [await shareWith('1', runs, words), await shareWith('0', runs, words)];
    rows.push([name, String(runs), on.toFixed(2), off.toFixed(2), (on - off).toFixed(2)]);
  }
}
console.log('');
printTable(rows);
