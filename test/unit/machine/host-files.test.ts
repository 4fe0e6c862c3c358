import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { parseDiskstats, wholeDisks } from '../../../src/machine/disk-counters.ts';
import { diskSpaces, type FileSystem } from '../../../src/machine/disk-space.ts';
import { readHostCounters } from '../../../src/machine/host-counters.ts';
import { readHostPressure } from '../../../src/machine/host-pressure.ts';
import { parseLoadAverage } from '../../../src/machine/load-average.ts';
import { memoryUse } from '../../../src/machine/memory-use.ts';
import { parseMeminfo } from '../../../src/machine/meminfo.ts';
import { parseNetDev } from '../../../src/machine/net-counters.ts';
import { perSecond } from '../../../src/machine/traffic.ts';

let box = '';
beforeEach(() => {
  box = mkdtempSync(join(tmpdir(), 'orca-host-'));
});
afterEach(() => {
  rmSync(box, { recursive: true });
});
const put = (file: string, text: string): void => {
  mkdirSync(dirname(join(box, file)), { recursive: true });
  writeFileSync(join(box, file), text);
};

const kb = 1024;

test('used memory is exactly the total less what is available, and the cache is what files stand behind', () => {
  const text =
    'MemTotal: 1000 kB\nMemFree: 100 kB\nMemAvailable: 600 kB\nBuffers: 50 kB\nCached: 500 kB\nShmem: 200 kB\nSwapTotal: 80 kB\nSwapFree: 30 kB\n';
  assert.deepEqual(memoryUse(parseMeminfo(text)), {
    total: 1000 * kb,
    used: 400 * kb,
    available: 600 * kb,
    cache: 350 * kb,
    swapTotal: 80 * kb,
    swapUsed: 50 * kb,
  });
});

test('a kernel that does not say what is available has its free memory and its cache', () => {
  const use = memoryUse(parseMeminfo('MemTotal: 1000 kB\nMemFree: 100 kB\nCached: 300 kB\n'));
  assert.equal(use?.available, 400 * kb);
});

test('memory is unknown without a total, and never below 0', () => {
  assert.equal(memoryUse(parseMeminfo('MemFree: 100 kB\n')), null);
  const odd = memoryUse(
    parseMeminfo('MemTotal: 10 kB\nMemAvailable: 99 kB\nShmem: 9 kB\nSwapTotal: 1 kB\nSwapFree: 9 kB\n'),
  );
  assert.deepEqual([odd?.used, odd?.cache, odd?.swapUsed], [0, 0, 0]);
});

const diskstats = ` 254       0 vda 100 1 2000 5 300 1 4000 9 0 1 1 0 0 0 0 0 0
 254       1 vda1 90 1 1800 5 300 1 4000 9 0 1 1
   7       0 loop0 10 0 700 0 0 0 0 0 0 0 0
 253       0 dm-0 10 0 900 0 0 0 800 0 0 0 0
 garbage
   8       0 sdb x 0 y 0 z 0 q 0 0 0 0
`;

test('only the whole disks of /sys/block count, in sectors of 512 bytes', () => {
  for (const name of ['vda', 'loop0', 'dm-0', 'zram0']) mkdirSync(join(box, 'sys/block', name), { recursive: true });
  assert.deepEqual(wholeDisks(join(box, 'sys')), ['vda']);
  assert.deepEqual([...parseDiskstats(diskstats, ['vda'])], [['vda', { in: 2000 * 512, out: 4000 * 512 }]]);
});

test('without /sys/block all that is no loop and lies on nothing else counts, partitions too', () => {
  assert.deepEqual(wholeDisks(join(box, 'nowhere')), []);
  assert.deepEqual([...parseDiskstats(diskstats, []).keys()], ['vda', 'vda1']);
});

const netDev = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo:   12786     186    0    0    0     0          0         0    12786     186    0    0    0     0       0          0
  eth0: 824179348   21480    0    0    0     0          0         0  1719038   13668    0    0    0     0       0          0
eth0:1:5 0 0 0 0 0 0 0 6 0 0 0 0 0 0 0
  bad0: x 0
`;

test('every interface but the loopback counts, one whose numbers touch its colon too', () => {
  assert.deepEqual(
    [...parseNetDev(netDev)],
    [
      ['eth0', { in: 824179348, out: 1719038 }],
      ['eth0:1', { in: 5, out: 6 }],
    ],
  );
});

test('rates are whole bytes a second, summed over what both readings have', () => {
  const before = new Map([
    ['a', { in: 0, out: 100 }],
    ['gone', { in: 7, out: 7 }],
  ]);
  const now = new Map([
    ['a', { in: 3001, out: 100 }],
    ['new', { in: 9e9, out: 9e9 }],
  ]);
  assert.deepEqual(perSecond(before, now, 2), { in: 1501, out: 0 });
});

test('a counter that wrapped or went back gives no rate, and takes nothing from the others', () => {
  const before = new Map([
    ['a', { in: 4294967290, out: 50 }],
    ['b', { in: 0, out: 0 }],
  ]);
  const now = new Map([
    ['a', { in: 10, out: 20 }],
    ['b', { in: 100, out: 200 }],
  ]);
  assert.deepEqual(perSecond(before, now, 1), { in: 100, out: 200 });
  for (const seconds of [0, -3600, Number.NaN]) assert.deepEqual(perSecond(before, now, seconds), { in: 0, out: 0 });
});

test('the load is three averages or nothing', () => {
  assert.deepEqual(parseLoadAverage('1.35 1.00 12.48 2/131 31925\n'), [1.35, 1, 12.48]);
  for (const bad of ['', '1 2', 'a b c', '1.0 -2 3', '1.0 1e9 3']) assert.equal(parseLoadAverage(bad), null, bad);
});

const system = (id: number): FileSystem => ({ id, blockBytes: 4096, blocks: 100, free: 40, available: 30 });

test('two folders on one file system are one entry, by the first, and one that cannot be looked at is none', () => {
  const systems = new Map([
    ['/a', system(1)],
    ['/b', system(1)],
    ['/c', system(2)],
  ]);
  const spaces = diskSpaces(['/missing', '/a', '/b', '/c'], (folder) => systems.get(folder) ?? null);
  assert.deepEqual(
    spaces.map(({ path }) => path),
    ['/a', '/c'],
  );
});

test('free space is what a process without privileges can use, used what is not free to anyone', () => {
  assert.deepEqual(
    diskSpaces(['/a'], () => system(1)),
    [{ path: '/a', total: 409600, used: 245760, free: 122880 }],
  );
});

test('the file systems of this machine have sizes, and a folder that is not there has none', () => {
  const [space, ...more] = diskSpaces([box, `${box}/.`, `${box}/missing`]);
  assert.equal(more.length, 0);
  assert.ok(space !== undefined && space.total > 0 && space.free <= space.total - space.used);
});

test('the pressure of the machine is what each file says, unknown where there is none', () => {
  const psi = (value: string): string => `some avg10=${value} avg60=0.00 avg300=0.00 total=1\n`;
  assert.equal(readHostPressure(box), null);
  put('pressure/cpu', psi('12.50'));
  put('pressure/memory', `${psi('3.00')}full avg10=1.25 avg60=0.00 avg300=0.00 total=1\n`);
  assert.deepEqual(readHostPressure(box), {
    cpu: { some: 12.5, full: null },
    memory: { some: 3, full: 1.25 },
    io: { some: null, full: null },
  });
});

test('a machine that tells nothing gives a look without numbers', () => {
  const look = readHostCounters(box, []);
  assert.deepEqual(
    { ...look, cpu: look.cpu.size, net: look.net.size },
    { cpu: 0, memory: null, io: null, net: 0, load: null, pressure: null },
  );
});
