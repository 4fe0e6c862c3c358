import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { Orca } from '../../e2e/support/orca.ts';
import { eat } from '../support/place.ts';

describe('the program on a bare machine', () => {
  // Without a PATH but that of init, without a machine id, on a tmpfs.
  const orca = new Orca({ after });

  test('run passes on output and exit code', async () => {
    const { status, stdout, stderr } = await orca.run(['run', '--', eat, 'say', 'eaten', 'exit', '3']);
    assert.deepEqual([status, stdout], [3, 'eaten\n'], stderr);
  });

  test('a run that was going when its daemon was killed ends under the next', async () => {
    const run = await orca.submit('--', eat, 'wait', `${orca.folder}/go`, 'exit', '4');
    await orca.untilRun(run, ({ state }) => state === 'running', 'running');
    orca.killDaemon();
    writeFileSync(`${orca.folder}/go`, '');
    assert.equal((await orca.run(['wait', String(run)])).status, 4);
  });

  test('doctor knows the cgroups of this kernel, by its daemon and without one', async () => {
    await orca.run(['up']);
    const { status, stdout, stderr } = await orca.run(['doctor']);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^ok +cgroups +runs have cgroups of their own in \/sys\/fs\/cgroup/m);
    await orca.run(['down']);
    assert.match((await orca.run(['doctor'])).stdout, /^ok +cgroups +runs will have cgroups of their own in /m);
    await orca.run(['up']);
  });
});
