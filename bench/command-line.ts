/** Wall time of `orca --version` and `orca submit` beside `node -e 0`, in turn, 30 (or the first argument) rounds; `./orca` adds its shell. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { BenchOrca, printTable, program, quantile } from './support/orca.ts';

const rounds = Number(process.argv[2] ?? 30);
using orca = new BenchOrca();
orca.run('up');
const wrapper = join(import.meta.dirname, '../orca');
const contenders: readonly (readonly [string, readonly string[]])[] = [
  ['node -e 0', [process.execPath, '-e', '0']],
  ['orca --version', [process.execPath, program, '--version']],
  ['./orca --version', [wrapper, '--version']],
  ['orca submit -- true', [process.execPath, program, 'submit', '--', 'true']],
  ['orca status', [process.execPath, program, 'status']],
];
const times = new Map<string, number[]>();
for (let round = 0; round < rounds; round += 1) {
  for (const [name, [command = '', ...args]] of contenders) {
    const began = performance.now();
    const { status } = spawnSync(command, args, { env: orca.env });
    if (status !== 0) throw new Error(`${name} ended with ${status}`);
    times.set(name, [...(times.get(name) ?? []), performance.now() - began]);
  }
}
const median = (name: string): number => quantile(times.get(name) ?? [], 0.5);
printTable([
  ['', 'ms (median)', 'over bare Node'],
  ...contenders.map(([name]) => [name, median(name).toFixed(0), `+${(median(name) - median('node -e 0')).toFixed(0)}`]),
]);
