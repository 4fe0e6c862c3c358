/**
 * Runs a second that 1,000 (or the first argument) `true` drain with, two at a time: orca beside a bare keeper, `xargs -P2`, task-spooler, nq and
 * GNU parallel, all in one run, three rounds, medians. Read the ratios: the machine's own speed differs from day to day.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareKeeper } from './support/bare-keeper.ts';
import { BenchOrca, has, printTable, quantile, timed } from './support/orca.ts';

const count = Number(process.argv[2] ?? 1000);
const rounds = 3;
const folder = mkdtempSync(join(tmpdir(), 'orca-drain-'));
const lines = join(folder, 'lines');
writeFileSync(lines, Array.from({ length: count }, (_, index) => `${index}\n`).join(''));

const sh = (script: string, env: NodeJS.ProcessEnv = {}): void => {
  const { status, stderr } = spawnSync('sh', ['-c', script], { env: { ...process.env, ...env }, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${script}: ${stderr}`);
};

using orca = new BenchOrca({ ORCA_CAPACITY_CPUS: '2' });
orca.run('up');

const contenders: readonly (readonly [string, string, () => void | Promise<void>])[] = [
  ['orca', '', () => void orca.run('submit', '--each-line', lines, '--wait', '--', 'true', '{}')],
  ['bare keeper', '', () => bareKeeper(count, 2)],
  ['xargs -P2', 'xargs', () => sh(`xargs -P2 -n1 true < ${lines}`)],
  [
    'task-spooler',
    'tsp',
    () =>
      sh(`tsp -S 2; while read -r line; do tsp -n true "$line" > /dev/null; done < ${lines}; tsp -w; tsp -K`, {
        TS_SOCKET: join(folder, 'tsp'),
        TS_MAXFINISHED: '10',
      }),
  ],
  [
    'nq (one at a time)',
    'nq',
    () =>
      sh(`while read -r line; do nq -q true "$line"; done < ${lines}; nq -w`, {
        NQDIR: mkdtempSync(join(folder, 'nq-')),
      }),
  ],
  ['GNU parallel', 'parallel', () => sh(`parallel -j2 true < ${lines}`)],
];

const rates = new Map<string, number[]>();
for (let round = 0; round < rounds; round += 1) {
  for (const [name, needs, work] of contenders) {
    if (needs !== '' && !has(needs)) continue;
    const ms = await timed(work);
    rates.set(name, [...(rates.get(name) ?? []), (count * 1000) / ms]);
  }
}
rmSync(folder, { recursive: true, force: true });

const median = (name: string): number => quantile(rates.get(name) ?? [], 0.5);
printTable([
  ['', 'runs/s', 'of the bare keeper'],
  ...[...rates.keys()].map((name) => [
    name,
    median(name).toFixed(0),
    (median(name) / median('bare keeper')).toFixed(2),
  ]),
]);
