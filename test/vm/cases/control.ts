import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { Orca } from '../../e2e/support/orca.ts';
import { until } from '../../e2e/support/until.ts';
import { eat } from '../support/place.ts';

const mib = 1048576;

describe('the cap of the control placement, in cgroups', () => {
  const orca = new Orca({ after }, { ORCA_CONTROL_MEMORY_MB: '32', ORCA_RUN_MEMORY_HELD_SECONDS: '3' });

  test('a run on control that asks for more than the cap is contained at the cap, and stands back for the CPU', async () => {
    const go = `${orca.folder}/go`;
    const asked = ['--placement', 'control', '--memory', '64MB..1GB'];
    const run = await orca.submit(...asked, '--', eat, 'fork', '1', 'wait', go);
    const { starts } = await orca.untilRun(run, ({ state }) => state === 'running', 'running');
    const pid = starts[0]?.pid ?? 0;
    const path = /^0::(.*)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))?.[1] ?? 'none';
    const read = (file: string): string => readFileSync(`/sys/fs/cgroup${path}/${file}`, 'utf8').trim();
    assert.deepEqual([read('memory.high'), read('memory.max')], [String(32 * mib), String(40 * mib)]);
    const pids = await until(() => {
      const inside = read('cgroup.procs').split('\n');
      return inside.length === 2 ? inside : null;
    }, 'both are inside');
    for (const one of pids) {
      const stat = readFileSync(`/proc/${one}/stat`, 'utf8');
      assert.equal(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16], '10');
      assert.equal(readFileSync(`/proc/${one}/oom_score_adj`, 'utf8').trim(), '1000');
    }
    writeFileSync(go, '');
    assert.equal((await orca.run(['wait', String(run)])).status, 0);
  });

  test('a run on control that passes the cap is killed by its cgroup, whatever it asked for, and not tried again there', async () => {
    const asked = ['--placement', 'control', '--memory', '64MB..1GB', '--json'];
    const { status, stdout } = await orca.run(['run', ...asked, '--', eat, 'anon', '60M', 'say', 'done']);
    assert.equal(status, 99);
    const { starts, text } = JSON.parse(stdout) as { starts: { limit_bytes: number }[]; text: string };
    assert.deepEqual(
      starts.map(({ limit_bytes: limit }) => limit / mib),
      [32],
    );
    assert.match(text, /^out of memory at 32 MB.*more than 32 MB, the most that a run on control may have/);
  });
});
