import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Handover, isNewer, parseProgram, type Program } from '../../../src/api/handover.ts';

const own: Program = { version: '1.2.3', builtAt: 1000, entry: '/a/main.js' };

test('a program is read from its header, whatever its path holds', () => {
  assert.deepEqual(parseProgram('1.2.3 1000 /a%20b/%C3%A4/main.js'), { ...own, entry: '/a b/ä/main.js' });
  for (const bad of ['', '1.2.3', '1.2.3 x /a', '1.2.3 1 a', 'x 1 /a']) assert.equal(parseProgram(bad), null, bad);
  assert.equal(parseProgram('1.2.3 1 /a%E0%A4%A')?.entry, '/a%E0%A4%A');
});

test('a higher version takes over, or a later build of the same one; never the same file', () => {
  const other = (more: Partial<Program>): boolean => isNewer({ ...own, entry: '/b/main.js', ...more }, own);
  assert.equal(other({ version: '1.10.0', builtAt: 1 }), true);
  assert.equal(other({ version: '1.2.2', builtAt: 9999 }), false);
  assert.equal(other({ builtAt: 1001 }), true);
  assert.equal(other({ builtAt: 1000 }), false);
  assert.equal(isNewer({ ...own, version: '9.0.0' }, own), false);
});

const setUp = (t: TestContext) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'orca-handover-')));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const build = (hash: string, seconds: number): Program => {
    mkdirSync(join(root, 'dist', hash), { recursive: true });
    const entry = join(root, 'dist', hash, 'main.js');
    writeFileSync(entry, '');
    utimesSync(entry, seconds, seconds);
    return { version: '1.0.0', builtAt: seconds * 1000, entry };
  };
  const pointTo = (hash: string): void => {
    rmSync(join(root, 'dist', 'current'), { force: true });
    symlinkSync(hash, join(root, 'dist', 'current'));
  };
  return { build, pointTo };
};

test('a replaced build takes over at the next request, once', (t) => {
  const { build, pointTo } = setUp(t);
  const first = build('one', 100);
  pointTo('one');
  const begun: string[] = [];
  const handover = new Handover(first, (to) => begun.push(to.entry));
  handover.consider(undefined);
  assert.deepEqual(begun, []);
  const second = build('two', 200);
  pointTo('two');
  handover.consider(undefined);
  handover.consider(undefined);
  assert.deepEqual(begun, [second.entry]);
});

test('a client that names a program which is not there, or an older build, changes nothing', (t) => {
  const { build, pointTo } = setUp(t);
  const [older, newer] = [build('one', 100), build('two', 200)];
  pointTo('two');
  const begun: string[] = [];
  const handover = new Handover(newer, (to) => begun.push(to.entry));
  handover.consider('9.9.9 999999 /nowhere/main.js');
  handover.consider(`1.0.0 100000 ${older.entry}`);
  pointTo('one');
  handover.consider('garbage');
  unlinkSync(older.entry);
  handover.consider(undefined);
  assert.deepEqual(begun, []);
});
