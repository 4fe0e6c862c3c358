/**
 * What the daemon's own samples cost: its CPU over 30 s while 200 (or the first argument) runs sleep, without samples and with one every 5 s, in
 * turns, two rounds; and the bytes of a line.
 */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { cpuSeconds } from './support/cpu-seconds.ts';
import { BenchOrca, printTable } from './support/orca.ts';

const count = Number(process.argv[2] ?? 200);
const seconds = 30;

const measured = async (every: string): Promise<{ ms: number; bytes: number }> => {
  using orca = new BenchOrca({
    ORCA_SAMPLE_SECONDS: every,
    ORCA_CAPACITY_CPUS: String(count),
    ORCA_CAPACITY_MB: String(count * 100 + 2048),
    ORCA_RESERVE_MB: '1024',
  });
  const lines = join(orca.folder, 'lines');
  writeFileSync(lines, Array.from({ length: count }, () => '600\n').join(''));
  const runs = orca.run('submit', '--each-line', lines, '--memory', '10MB', '--', 'sleep', '{}').trim().split('\n');
  while (
    (JSON.parse(orca.run('list', '--state', 'running', '--limit', '10000', '--json')) as { runs: unknown[] }).runs
      .length < count
  )
    await setTimeout(500);
  // The burst of the starts is over by then.
  await setTimeout(5000);
  const before = cpuSeconds(orca.daemonPid);
  await setTimeout(seconds * 1000);
  const ms = (cpuSeconds(orca.daemonPid) - before) * 1000;
  const file = join(orca.folder, `state/logs/_command/${runs[0] ?? ''}/metrics/local.jsonl`);
  const bytes = every === '0' ? 0 : statSync(file).size / readFileSync(file, 'utf8').trim().split('\n').length;
  orca.run('kill', '--now', '--json', ...runs);
  return { ms, bytes };
};

const rows: string[][] = [['a sample every', `CPU in ${seconds} s`, 'bytes a line']];
for (let round = 0; round < 2; round += 1) {
  for (const every of ['0', '5']) {
    const { ms, bytes } = await measured(every);
    rows.push([every === '0' ? 'never' : `${every} s`, `${ms.toFixed(0)} ms`, bytes.toFixed(0)]);
  }
}
printTable(rows);
