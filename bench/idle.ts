/**
 * What the daemon costs: memory when idle and with 10 runs, and, over 20 s (or the first argument) with nothing to do, its CPU and the writes and
 * syncs that strace sees of it and of its resident.
 */
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { BenchOrca, has, printTable } from './support/orca.ts';

const seconds = Number(process.argv[2] ?? 20);
using orca = new BenchOrca({ ORCA_CAPACITY_CPUS: '16' });
orca.run('up');
await setTimeout(1000);
const pid = orca.daemonPid;

const rss = (of: number): string => {
  const kb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${of}/status`, 'utf8'))?.[1]);
  return `${(kb / 1024).toFixed(1)} MB`;
};
const cpuMs = (of: number): number => {
  const fields = readFileSync(`/proc/${of}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
};
const resident = readdirSync('/proc')
  .filter((name) => /^\d+$/.test(name))
  .map(Number)
  .find((other) => {
    try {
      return readFileSync(`/proc/${other}/cmdline`, 'utf8').includes(join(orca.folder, 'state'));
    } catch {
      return false;
    }
  });

const idleRss = rss(pid);
for (let run = 0; run < 10; run += 1) orca.run('submit', '--', 'sleep', '3');
await setTimeout(1000);
const busyRss = rss(pid);
await setTimeout(4000);

const traced = has('strace')
  ? spawn('strace', ['-f', '-qq', '-e', 'trace=write,writev,pwrite64,pwritev,fsync,fdatasync', '-p', String(pid)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  : null;
let calls = '';
traced?.stderr.setEncoding('utf8').on('data', (piece: string) => (calls += piece));
await setTimeout(500);
const before = cpuMs(pid);
await setTimeout(seconds * 1000);
const used = cpuMs(pid) - before;
traced?.kill('SIGINT');
await setTimeout(500);
// A byte to an event descriptor wakes a thread of the process itself and goes to no disk.
const writes = calls
  .split('\n')
  .filter(
    (line) => /\b(p?writev?(64)?|fd?a?t?a?sync)\(/.test(line) && !/write\(\d+, "(\\1(\\0){7}|\*)", \d\)/.test(line),
  );

printTable([
  ['daemon', ''],
  ['memory, idle', idleRss],
  ['memory, 10 runs', busyRss],
  ['resident keeper', resident === undefined ? 'none' : rss(resident)],
  [`CPU in ${seconds} s of idleness`, `${used} ms`],
  [`writes and syncs in ${seconds} s`, traced === null ? 'no strace here' : String(writes.length)],
]);
for (const line of writes.slice(0, 5)) console.log(line);
