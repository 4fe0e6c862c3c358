import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { DaemonJson, RunJson } from '../../../src/wire/api.ts';
import { Orca } from '../../e2e/support/orca.ts';
import { until } from '../../e2e/support/until.ts';
import { Cgroup } from '../support/cgroup.ts';
import { eat } from '../support/place.ts';

const mb = 1048576;

/** Brings a daemon up that begins in that cgroup. */
const upIn = async (orca: Orca, folder: string): Promise<DaemonJson> => {
  const { status, stderr } = await orca.shell(`echo $$ >'${folder}/cgroup.procs' && orca up`);
  assert.equal(status, 0, stderr);
  return orca.daemon();
};

describe('the ceiling over all runs', () => {
  const capacity = 248;
  const reserve = 8;
  const ceiling = (capacity - reserve / 2) * mb;
  const orca = new Orca(
    { after },
    { ORCA_CAPACITY_CPUS: '8', ORCA_CAPACITY_MB: String(capacity), ORCA_RESERVE_MB: String(reserve) },
  );
  const cgroup = new Cgroup();
  after(() => cgroup[Symbol.asyncDispose]());

  test('is the limit of the cgroup that holds them and the daemon, and the daemon says so', async () => {
    const { containment } = await upIn(orca, cgroup.path);
    assert.equal(containment.ceiling_bytes, ceiling, containment.ceiling_why ?? containment.why);
    assert.equal(cgroup.read('memory.max').trim(), String(ceiling));
    assert.match((await orca.run(['doctor'])).stdout, /all together may have 244 MB/);
  });

  test('runs that pass it together lose one of them, by no limit of its own; it is tried again at its size, and the daemon never notices', async () => {
    const { pid } = await orca.daemon();
    const go = join(orca.folder, 'go');
    // Each stays below its own limit of 80 MB; two of them and the daemon fit below the ceiling, three do not.
    const words = ['--memory', '80MB..160MB', '--', eat, 'anon', '74M', 'wait', go, 'say', 'done'];
    const runs: number[] = [];
    for (let n = 0; n < 3; n += 1) runs.push(await orca.submit(...words));
    const all = (): Promise<RunJson[]> => Promise.all(runs.map((run) => orca.status(run)));
    await until(async () => ((await all()).some(({ starts_count }) => starts_count > 1) ? true : null), 'one died');
    writeFileSync(go, '');
    for (const run of runs) assert.equal((await orca.run(['wait', String(run)])).status, 0);
    const starts = (await all()).flatMap((run) => run.starts);
    const dead = starts.filter(({ verdict }) => verdict !== 'succeeded');
    assert.ok(dead.length > 0);
    for (const { verdict, evidence, text, next_limit_bytes } of dead) {
      assert.deepEqual([verdict, evidence, next_limit_bytes], ['out-of-memory', 'host', 80 * mb], text ?? '');
      assert.match(text ?? '', /^out of memory at 80 MB: .*the machine or a cgroup above/);
    }
    assert.deepEqual([...new Set(starts.map(({ limit_bytes }) => limit_bytes))], [80 * mb]);
    assert.ok(cgroup.count('oom') > 0);
    assert.equal((await orca.daemon()).pid, pid);
  });
});

describe('the ceiling of a daemon that was there before', () => {
  const orca = new Orca({ after });
  const cgroup = new Cgroup();
  after(() => cgroup[Symbol.asyncDispose]());

  test('is not taken for the machine’s memory by the next one, and goes when a daemon leaves for good', async () => {
    const first = await upIn(orca, cgroup.path);
    assert.ok(first.containment.ceiling_bytes !== null, first.containment.ceiling_why ?? '');
    assert.equal(cgroup.read('memory.max').trim(), String(first.containment.ceiling_bytes));
    orca.killDaemon();
    const second = await upIn(orca, join(cgroup.path, 'orca'));
    assert.notEqual(second.pid, first.pid);
    assert.deepEqual(second.capacity, first.capacity);
    assert.deepEqual(second.containment, first.containment);
    await orca.run(['down']);
    await until(() => (cgroup.read('memory.max').trim() === 'max' ? true : null), 'the limit is gone');
  });

  test('a limit that a person set is the machine’s memory, and stays', async () => {
    writeFileSync(join(cgroup.path, 'memory.max'), String(1500 * mb));
    const { capacity, containment } = await upIn(orca, join(cgroup.path, 'orca'));
    assert.equal(capacity.memory_bytes, 1500 * mb);
    assert.equal(containment.ceiling_bytes, null);
    assert.equal(cgroup.read('memory.max').trim(), String(1500 * mb));
  });
});
