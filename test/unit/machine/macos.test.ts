import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuShare } from '../../../src/machine/cpu-share.ts';
import { cpuReadingOf } from '../../../src/machine/macos/cores.ts';
import { parseNetstat } from '../../../src/machine/macos/netstat.ts';
import { parsePs, treeRssOf } from '../../../src/machine/macos/processes.ts';
import { parseVmStat } from '../../../src/machine/macos/vm-stat.ts';
import { netstat, ps, swapUsage, vmStat } from '../sample/mac-outputs.ts';

const gib = 1024 ** 3;

test('used memory is that of applications, wired and compressed; the cache is what files stand behind', () => {
  const page = 16384;
  assert.deepEqual(parseVmStat(vmStat, swapUsage, 16 * gib), {
    total: 16 * gib,
    used: (402113 - 20114 + 131887 + 95021) * page,
    available: 16 * gib - (402113 - 20114 + 131887 + 95021) * page,
    cache: 201442 * page,
    swapTotal: 2 * gib,
    swapUsed: 1036.25 * 1024 ** 2,
  });
});

test('what vm_stat does not say is unknown, and used memory is at most the total', () => {
  assert.equal(parseVmStat('', swapUsage, gib), null);
  assert.equal(parseVmStat(vmStat, '', gib)?.used, gib);
  assert.equal(parseVmStat(vmStat, 'total = 0,50G  used = 0.00M', gib)?.swapTotal, gib / 2);
});

test('each interface counts once, by its link, without the loopback', () => {
  assert.deepEqual(
    [...parseNetstat(netstat)],
    [
      ['gif0', { in: 0, out: 0 }],
      ['en0', { in: 1834467215, out: 226411992 }],
      ['utun0', { in: 0, out: 1420 }],
    ],
  );
});

test('a row for an address of an interface is none for the interface', () => {
  const address = netstat.split('\n').filter((line) => !line.includes('<Link#'));
  assert.equal(parseNetstat(address.join('\n')).size, 0);
});

test('the list of processes gives trees, zombies and start times', () => {
  const processes = parsePs(ps);
  assert.equal(processes.length, 6);
  assert.equal(treeRssOf(processes, 501), (20480 + 4096 + 1024) * 1024);
  assert.equal(treeRssOf(processes, 99999), 0);
  assert.deepEqual(
    processes.filter(({ zombie }) => zombie).map(({ pid }) => pid),
    [640],
  );
  assert.equal(processes.find(({ pid }) => pid === 501)?.started, 'Mon Nov 30 10:00:01 2026');
});

test('iowait and steal are 0 there', () => {
  const times = { user: 10, nice: 5, sys: 5, idle: 80, irq: 0 };
  const idle = { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 };
  assert.deepEqual(
    cpuShare(cpuReadingOf([{ times: idle }, { times: idle }]), cpuReadingOf([{ times }, { times: idle }])),
    {
      user: 15,
      system: 5,
      iowait: 0,
      steal: 0,
      busiest: 20,
    },
  );
});
