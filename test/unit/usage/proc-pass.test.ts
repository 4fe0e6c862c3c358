import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PidStat } from '../../../src/machine/pid-stat.ts';
import { procPass, treesOf } from '../../../src/usage/proc-pass.ts';
import { proportionalBytes } from '../../../src/usage/proportional.ts';

const units = { pageBytes: 4096, ticksPerSecond: 100 };
const process = (pid: number, parent: number, rest: Partial<PidStat> = {}): PidStat => ({
  pid,
  parent,
  state: 'S',
  ownTicks: 100,
  waitedTicks: 0,
  startTicks: 1,
  rssPages: 10,
  ...rest,
});
const sorted = (pids: readonly number[] | undefined): number[] => [...(pids ?? [])].sort((a, b) => a - b);

const stats = [
  process(1, 0, { rssPages: 9999 }),
  process(10, 1, { ownTicks: 7, waitedTicks: 50 }),
  process(11, 10),
  process(12, 11),
  process(13, 12, { waitedTicks: 300 }),
  process(14, 10),
  process(20, 1),
  process(21, 20),
];

test('a tree is what descends from its keeper, without the keeper itself', () => {
  const [first, second] = treesOf(
    stats,
    [
      { keeper: 10, command: 11 },
      { keeper: 20, command: 21 },
    ],
    units,
  );
  assert.deepEqual(sorted(first?.pids), [11, 12, 13, 14]);
  assert.equal(first?.rssBytes, 40 * 4096);
  assert.deepEqual(sorted(second?.pids), [21]);
});

test('CPU counts what the tree waited for, and what its keeper did: the orphans of the tree', () => {
  const [tree] = treesOf(stats, [{ keeper: 10, command: 11 }], units);
  assert.equal(tree?.cpuSeconds, 4 + 3 + 0.5);
});

test('the command is found wherever it hangs, and counts once', () => {
  const [tree] = treesOf(stats, [{ keeper: null, command: 12 }], units);
  assert.deepEqual(sorted(tree?.pids), [12, 13]);
  const [elsewhere] = treesOf(stats, [{ keeper: 10, command: 20 }], units);
  assert.deepEqual(sorted(elsewhere?.pids), [11, 12, 13, 14, 20, 21]);
});

test('a zombie keeps its CPU and is no living process', () => {
  const [tree] = treesOf(
    [process(10, 1), process(11, 10, { state: 'Z', rssPages: 0 })],
    [{ keeper: 10, command: 11 }],
    units,
  );
  assert.deepEqual(tree, { rssBytes: 0, cpuSeconds: 1, pids: [] });
});

test('a root of which nothing is left is all zero', () => {
  const nothing = { rssBytes: 0, cpuSeconds: 0, pids: [] };
  assert.deepEqual(
    treesOf(
      stats,
      [
        { keeper: 77, command: 78 },
        { keeper: null, command: null },
      ],
      units,
    ),
    [nothing, nothing],
  );
  assert.deepEqual(procPass('/nonexistent', [{ keeper: 1, command: 2 }], units), [nothing]);
  assert.deepEqual(procPass('/nonexistent', [], units), []);
});

test('readings that contradict each other end all the same, each process counted at most once', () => {
  const any = fc.uniqueArray(
    fc.tuple(fc.nat(6), fc.nat(6)).map(([pid, parent]) => process(pid, parent)),
    { selector: ({ pid }) => pid },
  );
  fc.assert(
    fc.property(any, (list) => {
      const [tree] = treesOf(list, [{ keeper: 1, command: 2 }], units);
      assert.ok((tree?.pids.length ?? 0) <= list.length);
      assert.ok(!tree?.pids.includes(1));
    }),
  );
});

test('proportional memory is a sum over the living, and null where one may not be read', () => {
  const root = mkdtempSync(join(tmpdir(), 'orca-pss-'));
  try {
    for (const [pid, kb] of [
      [5, 100],
      [6, 50],
    ]) {
      mkdirSync(join(root, String(pid)));
      writeFileSync(join(root, String(pid), 'smaps_rollup'), `Rss: 900 kB\nPss: ${kb} kB\n`);
    }
    assert.equal(proportionalBytes(root, [5, 6, 7]), 150 * 1024);
    assert.equal(proportionalBytes(root, []), 0);
    mkdirSync(join(root, '8'));
    writeFileSync(join(root, '8/stat'), '8 (x) S 1');
    assert.equal(proportionalBytes(root, [5, 8]), null);
  } finally {
    rmSync(root, { recursive: true });
  }
});
