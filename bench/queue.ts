/**
 * The queue: how many `true` a second drain from it, two at a time, beside others in the same run; then what it is like with very many that wait.
 *
 *     node bench/queue.ts [ROUNDS of 1,000 (3)] [RUNS that wait (100000)]
 *
 * What a decision costs has a bench of its own: `bench/queue/decision.ts`. Read the ratios: the machine's own speed differs from day to day. `TMPDIR` says on which file system.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contenders, drainRates } from './queue/contenders.ts';
import { deepQueue } from './queue/deep.ts';
import { BenchOrca, printTable, quantile } from './support/orca.ts';

const [rounds = 3, deep = 100_000] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'orca-queue-'));
try {
  using orca = new BenchOrca({ ORCA_CAPACITY_CPUS: '2' });
  orca.run('up');
  const those = contenders(folder, orca);
  for (const [count, times] of [
    [1000, rounds],
    [10_000, 1],
  ] as const) {
    if (rounds === 0) continue;
    const rates = await drainRates(those, count, times);
    const median = (name: string): number => quantile(rates.get(name) ?? [], 0.5);
    printTable([
      [`${count} runs`, 'runs/s', 'of the bare keeper'],
      ...[...rates.keys()].map((name) => [
        name,
        median(name).toFixed(0),
        (median(name) / median('bare keeper')).toFixed(2),
      ]),
    ]);
    console.log('');
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

if (deep > 0) {
  using orca = new BenchOrca({ ORCA_CAPACITY_CPUS: '2', ORCA_MAX_QUEUED: '1000000' });
  orca.run('up');
  printTable([[`with ${deep} runs that wait`, ''], ...(await deepQueue(orca, deep))]);
}
