import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { containerMemory, containerName } from '../../../src/machine/containers.ts';
import { cpuShare } from '../../../src/machine/cpu-share.ts';
import { parseProcStat } from '../../../src/machine/cpu-times.ts';
import { parseDiskstats } from '../../../src/machine/disk-counters.ts';
import { parseLoadAverage } from '../../../src/machine/load-average.ts';
import { parseNetstat } from '../../../src/machine/macos/netstat.ts';
import { parsePs, treeRssOf } from '../../../src/machine/macos/processes.ts';
import { parseVmStat } from '../../../src/machine/macos/vm-stat.ts';
import { memoryUse } from '../../../src/machine/memory-use.ts';
import { parseMeminfo } from '../../../src/machine/meminfo.ts';
import { parseNetDev } from '../../../src/machine/net-counters.ts';
import { parseBytes } from '../../../src/machine/parse-bytes.ts';
import { avg10Of } from '../../../src/machine/pressure.ts';
import { perSecond, type Counters } from '../../../src/machine/traffic.ts';
import { netstat, ps, swapUsage, vmStat } from '../sample/mac-outputs.ts';

const procStat =
  'cpu  877650 18 460002 876672 6675 0 1836 1232 0 0\ncpu0 432159 9 229498 447140 2052 0 138 613 0 0\nintr 5\n';
const meminfo =
  'MemTotal: 24684084 kB\nMemAvailable: 100 kB\nCached: 5 kB\nShmem: 9 kB\nSwapTotal: 7 kB\nSwapFree: 8 kB\n';
const diskstats =
  ' 254 0 vda 164416 21777 6383498 578271 676312 710497 256306712 2255857 0 258644 2952142\n 7 0 loop0 0 0 0 0 0 0 0 0 0 0 0\n';
const netDev =
  ' face |bytes\n    lo:   12786     186    0\n  eth0: 824179348   21480    0    0    0     0          0         0  1719038   13668    0\n';
const psi =
  'some avg10=98.50 avg60=40.00 avg300=10.00 total=12166226\nfull avg10=95.25 avg60=30.00 avg300=9.00 total=4794908\n';
const real = [
  procStat,
  meminfo,
  diskstats,
  netDev,
  psi,
  vmStat,
  swapUsage,
  netstat,
  ps,
  '1.35 1.00 1.48 2/131 31925\n',
  '{"Name":"/postgres"}',
];

/** Random text, real text that was cut, doubled, turned round or spiked with what numbers must not be. */
const spike = fc.constantFrom(
  '-1',
  '-',
  '99999999999999999999999',
  '1e308',
  'NaN',
  'Infinity',
  '\0',
  '\n',
  ' ',
  ':',
  '__proto__',
  '0x10',
  '١٢',
  '\ud800',
  '"',
  '{',
);
const mangled = fc
  .tuple(fc.constantFrom(...real), fc.array(fc.tuple(fc.nat(3000), fc.nat(40), spike), { maxLength: 6 }))
  .map(([text, edits]) =>
    edits.reduce(
      (so, [at, length, put]) => so.slice(0, at % (so.length + 1)) + put + so.slice((at % (so.length + 1)) + length),
      text,
    ),
  );
const hostile = fc.oneof(fc.string({ unit: 'binary' }), mangled, fc.constantFrom(...real));

const isCount = (value: number): boolean => Number.isFinite(value) && value >= 0;
const checkCounters = (counters: Counters): void => {
  for (const { in: a, out: b } of counters.values()) assert.ok(isCount(a) && isCount(b));
};

/** Every parser of what a sample is made of, on one text. */
const checkAll = (text: string): void => {
  for (const times of parseProcStat(text).values()) assert.ok(Object.values(times).every(isCount));
  for (const size of parseMeminfo(text).values()) assert.ok(isCount(size));
  const use = memoryUse(parseMeminfo(text));
  assert.ok(use === null || Object.values(use).every(isCount), JSON.stringify(use));
  checkCounters(parseDiskstats(text, []));
  checkCounters(parseDiskstats(text, ['vda']));
  checkCounters(parseNetDev(text));
  checkCounters(parseNetstat(text));
  const mac = parseVmStat(text, text, 2 ** 34);
  assert.ok(mac === null || Object.values(mac).every(isCount), JSON.stringify(mac));
  const processes = parsePs(text);
  for (const { pid, rssBytes } of processes) assert.ok(isCount(pid) && isCount(rssBytes));
  assert.ok(isCount(treeRssOf(processes, 501)));
  assert.ok(parseLoadAverage(text)?.every(isCount) ?? true);
  assert.ok(isCount(avg10Of(text, 'some') ?? 0));
  assert.ok(isCount(parseBytes(text) ?? 0));
  assert.ok(isCount(containerMemory('5000', text) ?? 0) && isCount(containerMemory(text, text) ?? 0));
  assert.equal(typeof containerName(text), 'string');
};

test('no text makes a parser throw, or gives a number below 0 or one that is none', () => {
  fc.assert(fc.property(hostile, checkAll), { numRuns: 2000 });
});

test('whatever two readings say, no rate and no share is negative or endless', () => {
  fc.assert(
    fc.property(hostile, hostile, fc.double({ min: 0.001, max: 1e6, noNaN: true }), (a, b, seconds) => {
      for (const parse of [parseNetDev, parseNetstat, (text: string) => parseDiskstats(text, [])]) {
        const rate = perSecond(parse(a), parse(b), seconds);
        assert.ok(isCount(rate.in) && isCount(rate.out), JSON.stringify(rate));
      }
      for (const share of Object.values(cpuShare(parseProcStat(a), parseProcStat(b))))
        assert.ok(share >= 0 && share <= 100, String(share));
    }),
    { numRuns: 1000 },
  );
});

test('a line of a megabyte is read in no time, whatever it is made of', () => {
  const pieces = [' ', '1', '1 ', ':', '"', 'Pages ', '[', '.'];
  const begun = performance.now();
  for (const [index, piece] of pieces.entries()) {
    const long = piece.repeat(Math.ceil(2 ** 20 / piece.length));
    checkAll(long);
    checkAll(`${['cpu ', 'MemTotal: ', 'eth0: ', 'some '][index % 4]}${long}kB`);
  }
  const took = performance.now() - begun;
  assert.ok(took < 60_000, `${Math.round(took)} ms`);
});
