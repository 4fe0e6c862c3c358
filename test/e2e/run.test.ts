import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Orca } from './support/orca.ts';

test('run passes output and the exit code of a command on', async (t) => {
  const orca = new Orca(t);
  const { status, stdout, stderr } = await orca.run(['run', '--', 'sh', '-c', 'echo out; echo err >&2; exit 3']);
  assert.equal(stdout, 'out\n');
  assert.match(stderr, /^err\n/);
  assert.equal(status, 3);
});
