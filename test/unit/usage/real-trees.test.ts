import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { readProcUnits } from '../../../src/machine/proc-units.ts';
import { procPass, type TreeUsage } from '../../../src/usage/proc-pass.ts';
import { proportionalBytes } from '../../../src/usage/proportional.ts';

const mb = 1048576;
const linux = { skip: process.platform === 'linux' ? false : 'there is no /proc' };
let box = '';
let tree = '';
const started: ChildProcess[] = [];

before(() => {
  box = mkdtempSync(join(tmpdir(), 'orca-tree-'));
  tree = join(box, 'tree');
  if (process.platform === 'linux') execFileSync('cc', ['-O1', '-o', tree, join(import.meta.dirname, 'tree.c')]);
});
after(() => rmSync(box, { recursive: true }));
afterEach(async () => {
  // The end of standard input ends every process of these trees.
  for (const child of started.splice(0)) {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
    child.stdin?.end();
    await ended;
  }
});

/** Runs a shell script under a subreaper; the pid is that keeper's. A shell gives background commands no standard input, so it is on 3 too. */
const keep = (script: string): number => {
  const child = spawn(tree, ['reap', 'sh', '-c', `exec 3<&0; ${script}`, tree], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  started.push(child);
  assert.ok(child.pid !== undefined);
  return child.pid;
};

const measure = (keeper: number): TreeUsage => {
  const [usage] = procPass('/proc', [{ keeper, command: null }], readProcUnits('/proc'));
  assert.ok(usage !== undefined);
  return usage;
};

const until = async (keeper: number, holds: (usage: TreeUsage) => boolean): Promise<TreeUsage> => {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const usage = measure(keeper);
    if (holds(usage)) return usage;
    assert.ok(Date.now() < deadline, `not within 30 s: ${JSON.stringify(usage)}`);
    await setTimeout(10);
  }
};

test('six concurrent children of 120 MB are about 720 MB, not 120', linux, async () => {
  const keeper = keep('for i in 1 2 3 4 5 6; do "$0" hold 120 <&3 & done; wait');
  let proportional = 0;
  const usage = await until(keeper, ({ pids }) => {
    proportional = proportionalBytes('/proc', pids) ?? 0;
    return proportional >= 720 * mb;
  });
  assert.equal(usage.pids.length, 7);
  const { rssBytes } = measure(keeper);
  assert.ok(
    rssBytes >= proportional && rssBytes < 760 * mb,
    `${rssBytes / mb} resident, ${proportional / mb} proportional`,
  );
});

test('a process whose parents ended, in a session of its own, still belongs to its tree', linux, async () => {
  const keeper = keep('(setsid "$0" hold 30 <&3 &); exec "$0" hold 10');
  const usage = await until(keeper, ({ rssBytes, pids }) => rssBytes >= 40 * mb && pids.length === 2);
  assert.ok(usage.rssBytes < 60 * mb, String(usage.rssBytes / mb));
});

test(
  'CPU of children that ended and were waited for stays counted, by their parent or by the keeper',
  linux,
  async () => {
    const keeper = keep('for i in 1 2 3; do "$0" burn 150; done; (setsid "$0" burn 150 &); exec "$0" hold 1');
    const usage = await until(keeper, ({ cpuSeconds, pids }) => cpuSeconds >= 0.55 && pids.length === 1);
    assert.ok(usage.cpuSeconds < 2, String(usage.cpuSeconds));
  },
);

test('a tree that ended is all zero', linux, async () => {
  const keeper = keep('"$0" hold 1');
  await until(keeper, ({ rssBytes }) => rssBytes > mb);
  const [child] = started;
  child?.stdin?.end();
  if (child !== undefined) await once(child, 'exit');
  assert.deepEqual(measure(keeper), { rssBytes: 0, cpuSeconds: 0, pids: [] });
});
