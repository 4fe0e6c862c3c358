import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { addToDriver, driverFile } from '../../../src/logs/driver-log.ts';

const setUp = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-driver-log-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, '1.stdout'), 'out one\n');
  writeFileSync(join(folder, '1.stderr'), 'err one, no newline');
  writeFileSync(join(folder, '2.stdout'), 'out two\n');
  return folder;
};
const content = (folder: string): string => readFileSync(driverFile(folder), 'utf8');

test('driver.log has each output once, in the order in which they came, for nobody else to read', async (t) => {
  const folder = setUp(t);
  for (const name of ['1.stdout', '1.stderr', '1.stdout', '2.stdout', '2.stderr', '1.stderr'])
    await addToDriver(folder, name);
  assert.equal(content(folder), 'out one\nerr one, no newlineout two\n');
  assert.equal(statSync(driverFile(folder)).mode & 0o777, 0o600);
});

test('wherever a crash ended the adding of an output, it is there once when it is added again, or after another one', async (t) => {
  const whole = 'out one\nerr one, no newline';
  for (let cut = 'out one\n'.length; cut <= whole.length; cut += 1) {
    for (const next of [['1.stderr'], ['2.stdout', '1.stderr']]) {
      const folder = setUp(t);
      await addToDriver(folder, '1.stdout');
      writeFileSync(driverFile(folder), whole);
      truncateSync(driverFile(folder), cut);
      for (const name of next) await addToDriver(folder, name);
      assert.equal(
        content(folder),
        next.length === 1 ? whole : 'out one\nout two\nerr one, no newline',
        `cut at ${cut}`,
      );
    }
  }
});

test('a driver.log that somebody emptied is gone on with from there; one that cannot be written is an error, and nothing counts as added', async (t) => {
  const folder = setUp(t);
  await addToDriver(folder, '1.stdout');
  writeFileSync(driverFile(folder), '');
  await addToDriver(folder, '1.stderr');
  assert.equal(content(folder), 'err one, no newline');
  const other = setUp(t);
  mkdirSync(driverFile(other));
  await assert.rejects(addToDriver(other, '1.stdout'), { code: 'EISDIR' });
  assert.ok(!existsSync(`${driverFile(other)}.parts`));
  rmdirSync(driverFile(other));
  await addToDriver(other, '1.stdout');
  assert.equal(content(other), 'out one\n');
});
