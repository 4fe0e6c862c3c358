import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { linuxSource, type SourceHost, type Wanted } from '../../../src/sample/linux-source.ts';
import { macSource } from '../../../src/sample/macos-source.ts';
import { Sampler, type SampleSource } from '../../../src/sample/sampler.ts';
import { netstat, ps, swapUsage, vmStat } from './mac-outputs.ts';

let box = '';
beforeEach(() => {
  box = mkdtempSync(join(tmpdir(), 'orca-sources-'));
  machine();
});
afterEach(() => {
  for (const source of open.splice(0)) source.close();
  rmSync(box, { recursive: true });
});

const put = (file: string, text: string): void => {
  mkdirSync(dirname(join(box, file)), { recursive: true });
  writeFileSync(join(box, file), text);
};
const process = (pid: number, parent: number, { start = pid, state = 'S', pages = 10, command = 'x' } = {}): void => {
  const rest = `0 0 0 0 0 0 0 0 0 1 2 3 4 20 0 1 0 ${start} 0 ${pages} 0`;
  put(`proc/${pid}/stat`, `${pid} (x) ${state} ${parent} ${rest}\n`);
  put(`proc/${pid}/cmdline`, `${command}\0`);
};
const machine = (): void => {
  put('proc/stat', 'cpu 10 0 10 100 0 0 0 0\ncpu0 10 0 10 100 0 0 0 0\n');
  put('proc/meminfo', 'MemTotal: 100 kB\nMemAvailable: 40 kB\n');
  put('proc/diskstats', ' 254 0 vda 1 1 100 1 1 1 200 1 0 1 1\n 254 1 vda1 1 1 100 1 1 1 200 1 0 1 1\n');
  put('proc/net/dev', '  eth0: 1000 1 0 0 0 0 0 0 2000 1 0\n');
  put('proc/loadavg', '1.00 2.00 3.00 1/1 1\n');
  mkdirSync(join(box, 'sys/block/vda'), { recursive: true });
  process(5, 1);
  process(6, 5);
};

let now = 0;
const host: SourceHost = { host: 'box', cores: 8, now: () => (now += 1000), time: () => 5000, selfCpu: () => 0.5 };
const nothing: Wanted = { pid: null, match: null, folders: [], cgroup: null, names: null };
const open: SampleSource[] = [];
const linux = (wanted: Partial<Wanted> = {}): SampleSource => {
  const roots = { procRoot: join(box, 'proc'), sysRoot: join(box, 'sys'), cgroupRoot: join(box, 'cgroup') };
  const source = linuxSource({ ...nothing, ...wanted }, host, roots);
  open.push(source);
  return source;
};

test('a line is the difference between two looks at the files of a machine', async () => {
  const sampler = await Sampler.open(linux({ pid: 5 }));
  put('proc/stat', 'cpu 40 0 20 160 0 0 0 0\ncpu0 40 0 20 160 0 0 0 0\n');
  put('proc/diskstats', ' 254 0 vda 1 1 102 1 1 1 204 1 0 1 1\n');
  put('proc/net/dev', '  eth0: 1500 1 0 0 0 0 0 0 2100 1 0\n');
  const { cpu, mem, io, net, load, cores, dt, host: name } = await sampler.line();
  assert.deepEqual(
    { cpu, io, net, load, cores, dt, name, rss: mem.rss, used: mem.used },
    {
      cpu: { user: 30, system: 10, iowait: 0, steal: 0, busiest: 40 },
      io: { read: 1024, write: 2048 },
      net: { in: 500, out: 100 },
      load: [1, 2, 3],
      cores: 1,
      dt: 1,
      name: 'box',
      rss: 20 * 4096,
      used: 60 * 1024,
    },
  );
});

test('each line covers the time since the one before', async () => {
  const sampler = await Sampler.open(linux());
  put('proc/net/dev', '  eth0: 1500 1 0 0 0 0 0 0 2000 1 0\n');
  assert.equal((await sampler.line()).net.in, 500);
  assert.equal((await sampler.line()).net.in, 0);
});

test('what is watched has ended when it is a zombie, gone, or another process with its pid', () => {
  const source = linux({ pid: 5 });
  assert.ok(!source.hasEnded());
  process(5, 1, { state: 'Z' });
  assert.ok(source.hasEnded());
  process(5, 1, { start: 99 });
  assert.ok(source.hasEnded());
  rmSync(join(box, 'proc/5'), { recursive: true });
  assert.ok(source.hasEnded());
  assert.ok(linux({ pid: 12345 }).hasEnded());
  assert.ok(!linux().hasEnded());
});

test('the memory of a stranger with the same pid is not counted', async () => {
  const source = linux({ pid: 5 });
  process(5, 1, { start: 99, pages: 1000 });
  assert.equal((await source.look()).run.rss, 0);
});

test('without anything to watch no process is looked at, and with --match those that are called so', async () => {
  process(7, 1, { command: '/bin/job', pages: 3 });
  assert.equal((await linux().look()).run.rss, 0);
  assert.equal((await linux({ match: '/bin/job' }).look()).run.rss, 3 * 4096);
  assert.equal((await linux({ match: '/bin/job', pid: 7 }).look()).run.rss, 3 * 4096);
});

test('containers are looked for only where that was asked for', async () => {
  assert.equal((await linux().look()).run.containers, null);
  assert.deepEqual((await linux({ cgroup: join(box, 'cgroup') }).look()).run.containers, []);
});

test('the cgroup told is that of what is watched, and none once that has ended', async () => {
  put('proc/5/cgroup', '0::/run\n');
  put('cgroup/run/memory.current', '500\n');
  const source = linux({ pid: 5 });
  assert.equal((await source.look()).run.cgroup?.current, 500);
  process(5, 1, { state: 'Z' });
  assert.equal((await source.look()).run.cgroup, null);
});

test('files of /proc that hold a megabyte of nonsense in one line cost numbers, not the line', async () => {
  const sampler = await Sampler.open(linux({ pid: 5, match: 'x' }));
  const nonsense = `cpu ${'9 '.repeat(2 ** 19)}`;
  for (const file of ['stat', 'meminfo', 'diskstats', 'net/dev', 'loadavg', 'pressure/cpu', '6/stat', '6/cmdline'])
    put(`proc/${file}`, nonsense);
  const line = await sampler.line();
  assert.deepEqual([line.mem.total, line.net.in, line.load], [null, 0, null]);
  assert.ok(line.cpu.user >= 0 && line.cpu.busiest <= 100);
  assert.equal(line.mem.rss, 10 * 4096);
});

test('a machine without any of the files still has its lines', async () => {
  rmSync(join(box, 'proc'), { recursive: true });
  const sampler = await Sampler.open(linux());
  const line = await sampler.line();
  assert.deepEqual([line.cores, line.io, line.psi, line.disk], [8, null, null, []]);
});

const outputs: Readonly<Record<string, string>> = { vm_stat: vmStat, sysctl: swapUsage, netstat, ps };
const mac = (pid: number | null, say: (file: string) => string = (file) => outputs[file] ?? '', lives = () => true) =>
  macSource({ ...nothing, pid }, host, (file) => Promise.resolve(say(file)), lives);

test('a macOS line has no iowait, no steal, null for io, and the memory of the tree', async () => {
  const line = await (await Sampler.open(mac(501))).line();
  assert.deepEqual(
    {
      iowait: line.cpu.iowait,
      steal: line.cpu.steal,
      io: line.io,
      psi: line.psi,
      cgroup: line.cgroup,
      rss: line.mem.rss,
    },
    { iowait: 0, steal: 0, io: null, psi: null, cgroup: null, rss: (20480 + 4096 + 1024) * 1024 },
  );
  assert.ok((line.mem.cache ?? 0) > 0 && !('containers' in line));
});

test('on macOS a process has ended when it is a zombie, gone, or was started at another time', async () => {
  const ended = async (later: (list: string) => string): Promise<boolean> => {
    let list = ps;
    const source = mac(501, (file) => (file === 'ps' ? list : ''));
    await source.look();
    list = later(ps);
    await source.look();
    return source.hasEnded();
  };
  assert.ok(!(await ended((list) => list)));
  assert.ok(await ended((list) => list.replace('20480 S ', '20480 Z ')));
  assert.ok(await ended((list) => list.replace('10:00:01', '10:00:09')));
  assert.ok(await ended((list) => list.replace(/^ +501 .*\n/m, '')));
  assert.ok(mac(501, undefined, () => false).hasEnded());
});

test('on macOS a ps that fails ends nothing', async () => {
  const source = mac(501, () => '');
  const { run } = await source.look();
  assert.deepEqual([run.rss, source.hasEnded()], [0, false]);
});
