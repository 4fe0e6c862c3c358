import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Orca } from './support/orca.ts';

/** A grandchild's. */
const command = ['sh', '-c', 'sh -c "cat /proc/self/oom_score_adj; :"; :'];

const scoreWith = async (t: TestContext, env: NodeJS.ProcessEnv): Promise<string> => {
  const orca = new Orca(t, { ORCA_CGROUPS: '0', ...env });
  const { stdout, stderr } = await orca.run(['run', '--', ...command]);
  return stdout || stderr;
};

test('without cgroups, too, a run is what the kernel takes first, a grandchild of it as well, and the setting changes it', async (t) => {
  assert.equal(await scoreWith(t, {}), '1000\n');
  assert.equal(await scoreWith(t, { ORCA_OOM_SCORE_ADJ: '500' }), '500\n');
});
