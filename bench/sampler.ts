/**
 * What sampling costs with about 100 and about 1,000 processes on the machine: CPU of one pass in a process that is warm, and of `orca sample` itself at 1 s and 5 s, with bytes
 * a line, beside sysstat's `sar` and `pidstat` in the same time. `node bench/sampler.ts [SECONDS]`: how long each is watched, 20 by default.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readProcUnits } from '../src/machine/proc-units.ts';
import { linuxSource } from '../src/sample/linux-source.ts';
import type { SampleLine } from '../src/sample/sample-line.ts';
import { Sampler } from '../src/sample/sampler.ts';
import { procPass } from '../src/usage/proc-pass.ts';
import { has, printTable, program, quantile } from './support/orca.ts';

const seconds = Number(process.argv[2] ?? 20);
const folder = mkdtempSync(join(tmpdir(), 'orca-bench-sampler-'));
const { PATH } = process.env;
const cpuOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;
const processes = (): number => readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length;

/** A tree to watch, and others, until there are so many processes. */
const fill = async (count: number): Promise<{ tree: number; end: () => Promise<void> }> => {
  const tree = spawn('sh', ['-c', 'for i in 1 2 3 4 5 6 7 8 9; do sleep 900 & done; wait'], { detached: true });
  const others: ChildProcess[] = [];
  await setTimeout(500);
  for (let more = count - processes(); more > 0; more -= 1) others.push(spawn('sleep', ['900'], { stdio: 'ignore' }));
  await setTimeout(1000);
  return {
    tree: tree.pid ?? 0,
    end: async () => {
      process.kill(-(tree.pid ?? 0), 'SIGKILL');
      for (const other of others) other.kill('SIGKILL');
      await Promise.all([tree, ...others].map(gone));
    },
  };
};

const gone = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};

/** CPU milliseconds of a line, median of 40 after 20 that warm up. */
const passMs = async (pid: number | null): Promise<number> => {
  const host = { host: 'bench', cores: 2, now: () => performance.now(), time: () => Date.now(), selfCpu: () => 0 };
  const wanted = { pid, match: null, folders: ['/tmp'], cgroup: null, names: null };
  const source = linuxSource(wanted, host, { procRoot: '/proc', sysRoot: '/sys', cgroupRoot: '/sys/fs/cgroup' });
  const sampler = await Sampler.open(source);
  const costs: number[] = [];
  for (let round = 0; round < 60; round += 1) {
    const before = process.cpuUsage();
    JSON.stringify(await sampler.line());
    if (round >= 20) costs.push(cpuOf(process.cpuUsage(before)));
  }
  source.close();
  return quantile(costs, 0.5);
};

/** CPU seconds of a process and all that descends from it so far: `sar` has its reading done by another program. */
const cpuSoFar = (pid: number): number =>
  procPass('/proc', [{ keeper: null, command: pid }], readProcUnits('/proc'))[0]?.cpuSeconds ?? 0;

/** CPU of a program that goes on, from its second second to the end of the measurement. */
const watched = async (file: string, args: readonly string[]): Promise<number> => {
  const child = spawn(file, args, {
    stdio: 'ignore',
    detached: true,
    env: { PATH, HOME: folder, LC_ALL: 'C' },
  });
  await setTimeout(2000);
  const before = cpuSoFar(child.pid ?? 0);
  await setTimeout(seconds * 1000);
  const used = cpuSoFar(child.pid ?? 0) - before;
  process.kill(-(child.pid ?? 0), 'SIGKILL');
  await once(child, 'exit');
  return used;
};

const lineOf = (every: number): { bytes: number; self: number } => {
  const lines = readFileSync(join(folder, `${every}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  const last = JSON.parse(lines.at(-1) ?? '{}') as SampleLine;
  const second = JSON.parse(lines[1] ?? '{}') as SampleLine;
  return {
    bytes: Math.round(lines.join('').length / lines.length),
    self: (last.self_cpu - second.self_cpu) / (lines.length - 2),
  };
};

const percent = (used: number): string => `${((100 * used) / seconds).toFixed(2)} %`;
const rows: string[][] = [];
for (const count of [100, 1000]) {
  const { tree, end } = await fill(count);
  try {
    const there = String(processes());
    rows.push([`a line without --pid, ${there} processes`, `${(await passMs(null)).toFixed(2)} ms`, '']);
    rows.push([`a line with --pid, ${there} processes`, `${(await passMs(tree)).toFixed(2)} ms`, '']);
    const sample = (every: number) =>
      watched(process.execPath, [
        program,
        'sample',
        '--out',
        join(folder, `${every}.jsonl`),
        '--seconds',
        String(every),
        '--pid',
        String(tree),
      ]);
    const sysstat = has('sar') ? ['sar -u -r -b -n DEV -d 1', 'pidstat -u -r -p ALL 1', 'pidstat -u -r -p ALL 5'] : [];
    const [one, five, ...others] = await Promise.all([
      sample(1),
      sample(5),
      ...sysstat.map((line) => watched(line.split(' ')[0] ?? '', line.split(' ').slice(1))),
    ]);
    for (const [every, used] of [
      [1, one],
      [5, five],
    ] as const) {
      const { bytes, self } = lineOf(every);
      rows.push([
        `orca sample every ${every} s`,
        `${(self * 1000).toFixed(1)} ms a line`,
        `${percent(used)}, ${bytes} bytes a line`,
      ]);
      rmSync(join(folder, `${every}.jsonl`));
    }
    for (const [index, line] of sysstat.entries()) rows.push([line, '', percent(others[index] ?? Number.NaN)]);
  } finally {
    await end();
  }
}
rmSync(folder, { recursive: true });
printTable([['', 'CPU', 'of a core'], ...rows]);
