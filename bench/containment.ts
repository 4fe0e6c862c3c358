/**
 * What containment costs a start: how long it takes and how many there are in a second, with and without cgroups (ORCA_CGROUPS=0), in turn in the
 * same machine. Needs a kernel with cgroup v2: `npm run test:vm -- --bench containment`. The argument: how many starts of each (120).
 */
import { randomUUID } from 'node:crypto';
import { plainSubmission } from '../test/e2e/support/plain-submission.ts';
import { eat } from '../test/vm/support/place.ts';
import type { SubmitAnswer } from '../src/wire/api.ts';
import { call } from './support/call.ts';
import { firstInstructions } from './support/first-instruction.ts';
import { BenchOrca, printTable, quantile, timed } from './support/orca.ts';

const count = Number(process.argv[2] ?? 120);
const rounds = 3;

interface Way {
  readonly orca: BenchOrca;
  readonly latencies: number[];
  readonly rates: number[];
}
const open = (cgroups: string): Way => {
  const orca = new BenchOrca({ ORCA_CGROUPS: cgroups, ORCA_CAPACITY_CPUS: '2' });
  orca.run('up');
  return { orca, latencies: [], rates: [] };
};

const drain = (orca: BenchOrca): Promise<number> =>
  timed(async () => {
    const commands = Array.from({ length: count }, () => [eat, 'exit', '0']);
    const { runs } = await call<SubmitAnswer>(orca, 'POST', '/api/runs', {
      ...plainSubmission(randomUUID(), []),
      commands,
    });
    await call(orca, 'POST', '/api/wait', { runs, detail: 'final' });
  });

const [on, off] = [open('1'), open('0')];
for (let run = 0; run < count; run += 1)
  for (const { orca, latencies } of [on, off]) latencies.push(...(await firstInstructions(orca, [eat, 'clock'], 1)));
for (let round = 0; round < rounds; round += 1)
  for (const { orca, rates } of [on, off]) rates.push((count * 1000) / (await drain(orca)));
for (const { orca } of [on, off]) orca[Symbol.dispose]();

const row = (name: string, of: (way: Way) => number): string[] => [
  name,
  of(on).toFixed(1),
  of(off).toFixed(1),
  (of(on) / of(off)).toFixed(2),
];
printTable([
  ['', 'cgroups', 'none', 'ratio'],
  row('ms to the first instruction, p50', ({ latencies }) => quantile(latencies, 0.5)),
  row('p90', ({ latencies }) => quantile(latencies, 0.9)),
  row('runs a second, two at a time', ({ rates }) => quantile(rates, 0.5)),
]);
