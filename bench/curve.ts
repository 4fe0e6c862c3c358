/**
 * A run of some minutes, `xz -9` of 150 (or the first argument) MB of this machine's own files, whose daemon is killed in the middle: the curve
 * that `orca metrics` draws of it, and its highest point beside what `/usr/bin/time -v` says of the same process.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { BenchOrca, has, printTable } from './support/orca.ts';

const megabytes = Number(process.argv[2] ?? 150);
const mib = 1048576;
for (const program of ['xz', '/usr/bin/time']) if (!has(program)) throw new Error(`there is no ${program} here`);

using orca = new BenchOrca();
const [input, report] = [join(orca.folder, 'input'), join(orca.folder, 'report')];
execFileSync('sh', ['-c', `tar -cf - /usr/lib 2>/dev/null | head -c ${megabytes * mib} > '${input}'`]);
const number = orca
  .run('submit', '--', '/usr/bin/time', '-v', '-o', report, 'sh', '-c', 'exec xz -9 -c "$0" > /dev/null', input)
  .trim();

/** Half of the input, by what xz has read. */
const half = async (): Promise<void> => {
  for (;;) {
    await setTimeout(1000);
    const pid = spawnSync('pgrep', ['-f', `^xz -9 -c ${input}$`], { encoding: 'utf8' }).stdout.trim();
    if (pid === '') continue;
    const read = Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
    if (read > (megabytes * mib) / 2) return;
  }
};
await half();
process.kill(orca.daemonPid, 'SIGKILL');
orca.run('wait', number);
console.log(orca.run('metrics', number));

const samples = orca
  .run('metrics', number, '--json')
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { mem: { rss: number } }).mem.rss);
const { peak_rss_bytes: peak, cpu_seconds: cpu } = JSON.parse(orca.run('status', number, '--json')) as {
  peak_rss_bytes: number;
  cpu_seconds: number;
};
const said = readFileSync(report, 'utf8');
const field = (name: string): number => Number(new RegExp(`${name}.*: ([\\d.]+)`).exec(said)?.[1]);
const inMb = (bytes: number): string => `${(bytes / mib).toFixed(1)} MB`;
printTable([
  ['', 'most memory', 'CPU'],
  [
    'time -v',
    inMb(field('Maximum resident set size') * 1024),
    `${(field('User time') + field('System time')).toFixed(2)} s`,
  ],
  ['orca, of the run', inMb(peak), `${cpu.toFixed(2)} s`],
  ['orca, in the samples', inMb(Math.max(...samples)), ''],
]);
