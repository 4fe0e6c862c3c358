import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleLine } from '../../../src/sample/sample-line.ts';
import { look, run } from './looks.ts';

const machine = { host: 'ip-10-0-1-5', cores: 4 };

test('a line has exactly the keys that readers know, in their order, and ours after them', () => {
  const line = sampleLine(machine, look(0), look(5000), run());
  const seed = ['v', 't', 'dt', 'host', 'cores', 'cpu', 'mem', 'disk', 'io', 'net', 'self_cpu'];
  assert.deepEqual(Object.keys(line), [...seed, 'load', 'psi', 'cgroup']);
  assert.deepEqual(Object.keys(line.cpu), ['user', 'system', 'iowait', 'steal', 'busiest']);
  assert.deepEqual(Object.keys(line.mem), ['total', 'used', 'available', 'cache', 'swap_total', 'swap_used', 'rss']);
  assert.deepEqual(line.disk.map(Object.keys), [['path', 'total', 'used', 'free']]);
});

test('containers are in a line only where they were asked for, be there none or some', () => {
  assert.ok(!('containers' in sampleLine(machine, look(0), look(1), run())));
  assert.deepEqual(sampleLine(machine, look(0), look(1), run({ containers: [] })).containers, []);
  const containers = [{ name: 'postgres', mem: 412000000 }];
  const keys = Object.keys(sampleLine(machine, look(0), look(1), run({ containers })));
  assert.deepEqual(keys.slice(keys.indexOf('net'), -3), ['net', 'containers', 'self_cpu']);
});

test('a line says when it is, how long it covers, and what that time held', () => {
  const line = sampleLine(
    machine,
    look(0),
    look(5000, { io: new Map([['vda', { in: 5000, out: 10000 }]]), net: new Map([['eth0', { in: 50, out: 500 }]]) }),
    run(),
  );
  assert.deepEqual(
    { v: line.v, t: line.t, dt: line.dt, io: line.io, net: line.net, rss: line.mem.rss, self: line.self_cpu },
    { v: 1, t: 1762250005.123, dt: 5, io: { read: 1000, write: 2000 }, net: { in: 10, out: 100 }, rss: 77, self: 0.42 },
  );
});

test('a clock that was set back by an hour changes the time told, and no rate', () => {
  const net = new Map([['eth0', { in: 500, out: 0 }]]);
  const line = sampleLine(machine, look(0), look(5000, { net }, 1762250000123 - 3600_000), run());
  assert.deepEqual([line.dt, line.net.in], [5, 100]);
  assert.equal(line.t, 1762246400.123);
});

test('two looks at the same moment give no endless rate', () => {
  const net = new Map([['eth0', { in: 500, out: 0 }]]);
  const line = sampleLine(machine, look(7), look(7, { net }), run());
  assert.ok(line.dt > 0 && Number.isFinite(line.net.in));
});

test('a machine that tells no bytes of disks has null for them, also when only one look had some', () => {
  assert.equal(sampleLine(machine, look(0, { io: null }), look(5), run()).io, null);
  assert.equal(sampleLine(machine, look(0), look(5, { io: null }), run()).io, null);
});

test('memory that is not told is null, and the memory of the run stays a number', () => {
  const { mem } = sampleLine(machine, look(0), look(5, { memory: null }), run());
  assert.deepEqual([mem.total, mem.used, mem.rss], [null, null, 77]);
});

test('cores are those that the machine shows, else those that the system counts', () => {
  assert.equal(sampleLine(machine, look(0), look(5), run()).cores, 2);
  assert.equal(sampleLine(machine, look(0), look(5, { cpu: new Map() }), run()).cores, 4);
});

test('one pair of looks serves the lines of many runs', () => {
  const [before, now] = [look(0), look(5000)];
  const lines = [1, 2].map((rss) => sampleLine(machine, before, now, run({ rss })));
  assert.deepEqual(
    lines.map(({ mem }) => mem.rss),
    [1, 2],
  );
  assert.deepEqual({ ...lines[0], mem: null }, { ...lines[1], mem: null });
});
