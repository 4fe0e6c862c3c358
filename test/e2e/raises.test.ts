import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileHog } from './support/hog.ts';
import { Orca } from './support/orca.ts';

/** Needs 60 MB until it is given 48 MB or more, and then ends well: so a machine's speed decides nothing. */
const growing = (hog: string): string[] => [
  'sh',
  '-c',
  `[ $ORCA_MEMORY_MB -ge 48 ] && exit 0; exec '${hog}' hold 60 20000`,
];

test('what a death taught holds for later runs of the same command, over a restart, until it is forgotten', async (t) => {
  const orca = new Orca(t);
  const command = growing(compileHog(orca.folder));
  const limits = async (memory: string): Promise<number[]> => {
    const { status, stderr } = await orca.run(['run', '--memory', memory, '--', ...command]);
    assert.equal(status, 0, stderr);
    const { stdout } = await orca.run(['list', '--all', '--limit', '1', '--json']);
    const [run] = (JSON.parse(stdout) as { runs: { id: number }[] }).runs;
    return (await orca.status(run?.id ?? 0)).starts.map(({ limit_bytes }) => (limit_bytes ?? 0) / 1048576);
  };
  assert.deepEqual(await limits('32MB..96MB'), [32, 48]);
  assert.deepEqual(await limits('32MB..96MB'), [48]);
  await orca.run(['restart']);
  assert.deepEqual(await limits('32MB..96MB'), [48]);
  // Another request was made since: it begins as it says.
  assert.deepEqual(await limits('32MB..97MB'), [32, 48]);

  const forgotten = await orca.run(['forget', '1']);
  assert.equal(forgotten.status, 0, forgotten.stderr);
  assert.deepEqual(await limits('32MB..97MB'), [32, 48]);
  assert.equal((await orca.run(['forget', '99'])).status, 127);
});
