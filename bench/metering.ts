/**
 * How far off what is measured of a run is: programs whose peak is known, under orca, under `time -v`, under pidusage (every 250 ms, as orca
 * looks; where `ORCA_BENCH_PIDUSAGE` names a folder that it is installed in), and by the kernel's own count of the very run that orca measured:
 * `memory.peak` of its cgroup, or where runs have none, cgroups of version 1 as root. Then the same for CPU time. Three rounds, or the first
 * argument; the second is the largest program in MB. On a real kernel with cgroup v2: `npm run test:vm -- --bench metering 1 1024`.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { plainSubmission } from '../test/e2e/support/plain-submission.ts';
import type { RunJson, StartJson, SubmitAnswer } from '../src/wire/api.ts';
import { call } from './support/call.ts';
import { KernelFigure } from './support/kernel-figure.ts';
import { BenchOrca, has, printTable, quantile } from './support/orca.ts';

const rounds = Number(process.argv[2] ?? 3);
const largestMb = Number(process.argv[3] ?? 4096);
const mb = 1048576;

using orca = new BenchOrca();
const eat = process.env['ORCA_TEST_EAT'] ?? join(orca.folder, 'eat');
if (process.env['ORCA_TEST_EAT'] === undefined)
  execFileSync('cc', ['-static', '-O1', '-o', eat, join(import.meta.dirname, '../test/vm/eat.c')]);
const file = join(process.env['ORCA_TEST_DISK'] ?? orca.folder, 'metered');

/** A program and its peak in MB. */
type Case = readonly [name: string, knownMb: number, words: readonly string[]];
const words = (text: string): string[] => text.split(' ');
const cases: readonly Case[] = [
  ...[10, 100, 1024, 4096].map((size): Case => [`${size} MB`, size, words(`anon ${size}M ms 600`)]),
  ...[50, 250, 1000, 5000].map((ms): Case => [
    `spike of ${ms} ms`,
    300,
    words(`anon 20M ms 400 anon 280M ms ${ms} free ms 400`),
  ]),
  ...[50, 250, 1000, 5000].map((ms): Case => [
    `${ms} ms in a tree of 2`,
    300,
    words(`fork 2 anon 20M ms 400 anon 130M ms ${ms} free ms 400`),
  ]),
  ['tree of 6 × 120 MB', 720, words('fork 6 anon 120M ms 1500')],
  ['200 MB, shared by 5', 200, words('shared 200M fork 4 again ms 1000')],
  ['200 MB of page cache', 0, ['write', file, '200M', 'read', file, 'ms', '600']],
];

interface Measured {
  readonly start: StartJson;
  readonly kernelPeak: number | null;
  readonly kernelCpu: number | null;
}

let number = 0;
const underOrca = async (command: readonly string[]): Promise<Measured> => {
  number += 1;
  using kernel = KernelFigure.make(`orca-bench-${process.pid}-${number}`);
  const request = plainSubmission(`metering-${number}`, kernel?.around(command) ?? command);
  const { runs } = await call<SubmitAnswer>(orca, 'POST', '/api/runs', request);
  await call(orca, 'POST', '/api/wait', { runs, detail: 'final' });
  const { starts, state, text } = await call<RunJson>(orca, 'GET', `/api/runs/${runs[0]}`);
  const start = starts.at(-1);
  if (start === undefined || state !== 'succeeded') throw new Error(`${command.join(' ')}: ${state}: ${text}`);
  return {
    start,
    kernelPeak: start.kernel_peak_bytes ?? kernel?.peakBytes ?? null,
    kernelCpu: start.kernel_cpu_seconds ?? kernel?.cpuSeconds ?? null,
  };
};

/** Peak in bytes and CPU seconds. */
const underTime = (command: readonly string[]): { peak: number; cpu: number } | null => {
  if (!has('/usr/bin/time')) return null;
  const [program = '', ...args] = command;
  const { stderr } = spawnSync('/usr/bin/time', ['-v', program, ...args], { encoding: 'utf8' });
  const field = (name: string): number => Number(new RegExp(`${name}[^:]*: ([\\d.]+)`).exec(stderr)?.[1]);
  return {
    peak: field('Maximum resident set size') * 1024,
    cpu: field('User time') + field('System time'),
  };
};

type PidUsage = (pid: number) => Promise<{ readonly memory: number }>;
const pidusageFolder = process.env['ORCA_BENCH_PIDUSAGE'];
const pidusage =
  pidusageFolder === undefined
    ? null
    : ((await import(join(pidusageFolder, 'node_modules/pidusage/index.js'))) as { readonly default: PidUsage })
        .default;

const underPidusage = async ([program = '', ...args]: readonly string[]): Promise<number | null> => {
  if (pidusage === null) return null;
  const child = spawn(program, args, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    const seen = await pidusage(child.pid ?? 0).catch(() => null);
    peak = Math.max(peak, seen?.memory ?? 0);
    await Promise.race([ended, setTimeout(250)]);
  }
  return peak;
};

/** The median, with how far it is from what is true. */
const figure = (values: readonly (number | null)[], truth: number, per: number, unit: string): string => {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return '–';
  const median = quantile(known, 0.5);
  const off = truth === 0 ? '' : ` (${((100 * (median - truth)) / truth).toFixed(1)} %)`;
  return `${(median / per).toFixed(per === 1 ? 2 : 1)}${unit}${off}`;
};

/** What several rounds of one program gave, by who measured it. */
const measured = async (command: readonly string[]) => {
  const all = { orca: [] as Measured[], time: [] as ReturnType<typeof underTime>[], pidusage: [] as (number | null)[] };
  for (let round = 0; round < rounds; round += 1) {
    all.orca.push(await underOrca(command));
    all.time.push(underTime(command));
    all.pidusage.push(await underPidusage(command));
  }
  return all;
};

orca.run('up');
const peaks: string[][] = [['peak', 'known', 'kernel', 'orca', '', 'time -v', 'pidusage']];
for (const [name, knownMb, steps] of cases) {
  if (knownMb > largestMb) continue;
  const all = await measured([eat, ...steps]);
  const kernel = all.orca.map(({ kernelPeak }) => kernelPeak);
  const truth = quantile(
    kernel.filter((peak) => peak !== null),
    0.5,
  );
  const off = (values: readonly (number | null)[]): string =>
    figure(values, Number.isNaN(truth) ? knownMb * mb : truth, mb, ' MB');
  peaks.push([
    name,
    `${knownMb} MB`,
    figure(kernel, 0, mb, ' MB'),
    off(all.orca.map(({ start }) => start.peak_rss_bytes)),
    [...new Set(all.orca.map(({ start }) => start.peak_source))].join('/'),
    off(all.time.map((time) => time?.peak ?? null)),
    off(all.pidusage),
  ]);
}
printTable(peaks);

const work = 'anon 60M random 40000000';
const trees: readonly (readonly [string, readonly string[]])[] = [
  ['one process', [eat, ...words(work)]],
  ['4 children, waited for', [eat, ...words(`fork 4 ${work}`)]],
  ['a child that nobody waits for', ['sh', '-c', `( '${eat}' ${work} & ); sleep 5`]],
];
console.log();
const cpus: string[][] = [['CPU', 'kernel', 'orca', '', 'time -v']];
for (const [name, command] of trees) {
  const all = await measured(command);
  const kernel = all.orca.map(({ kernelCpu }) => kernelCpu);
  const truth = quantile(
    kernel.filter((cpu) => cpu !== null),
    0.5,
  );
  cpus.push([
    name,
    figure(kernel, 0, 1, ' s'),
    figure(
      all.orca.map(({ start }) => start.cpu_seconds),
      truth,
      1,
      ' s',
    ),
    [...new Set(all.orca.map(({ start }) => start.cpu_source))].join('/'),
    figure(
      all.time.map((time) => time?.cpu ?? null),
      truth,
      1,
      ' s',
    ),
  ]);
}
printTable(cpus);
