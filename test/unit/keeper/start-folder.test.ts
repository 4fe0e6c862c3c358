import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import {
  listStartFolders,
  makeStartFolder,
  readStartFolder,
  startFolder,
  voidStart,
} from '../../../src/keeper/start-folder.ts';

let state: string;
let folder: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'orca-starts-'));
  folder = startFolder(state, { run: 7, start: 2 });
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

/** A `/proc` with one process, whose name has all that makes parsing hard. */
const procWith = (pid: number, start: number, letter = 'S'): string => {
  const root = join(state, 'proc');
  mkdirSync(join(root, `${pid}`), { recursive: true });
  const fields = [letter, ...new Array<string>(18).fill('0'), `${start}`, '0', '0'];
  writeFileSync(join(root, `${pid}`, 'stat'), `${pid} (a) S 1 (b)) ${fields.join(' ')}\n`);
  return root;
};
const host = (procRoot: string, bootId = 'b1'): { procRoot: string; bootId: string } => ({ procRoot, bootId });
const nobody = host('/nonexistent');
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const pidRecord = (boot = 'b1'): string =>
  JSON.stringify({ boot, uuid: 'u', keeper: { pid: 41, start: 500 }, command: { pid: 42, start: 501 }, at_ms: 1 });

describe('making and listing', () => {
  test('a folder is made once, for its owner only, its parents too', () => {
    assert.equal(makeStartFolder(folder), true);
    assert.equal(makeStartFolder(folder), false);
  });

  test('a list has the starts and nothing else that lies there; without the folder it is empty', () => {
    assert.deepEqual(listStartFolders(state), []);
    for (const name of ['7.2', '7.10', '0.1', '7', 'x.1', '07.1', '7.2.3'])
      makeStartFolder(join(state, 'starts', name));
    assert.deepEqual(
      listStartFolders(state).sort((a, b) => a.start - b.start),
      [
        { run: 7, start: 2 },
        { run: 7, start: 10 },
      ],
    );
  });
});

describe('voiding', () => {
  test('a start that nobody began is void for ever, and no draft is left', () => {
    makeStartFolder(folder);
    assert.equal(voidStart(folder), 'void');
    assert.equal(voidStart(folder), 'void');
    assert.deepEqual(readdirSync(folder), ['begun']);
    assert.throws(() => writeFileSync(join(folder, 'begun'), '', { flag: 'wx' }), { code: 'EEXIST' });
  });

  test('a start whose folder was never made is void too', () => {
    assert.equal(voidStart(folder), 'void');
    assert.equal(readStartFolder(folder, nobody).begun, 'void');
  });

  for (const text of ['begun\n', '', 'voi']) {
    test(`one that has begun stays so, also with ${JSON.stringify(text)} in it`, () => {
      makeStartFolder(folder);
      write('begun', text);
      assert.equal(voidStart(folder), 'begun');
      assert.equal(readFileSync(join(folder, 'begun'), 'utf8'), text);
    });
  }
});

describe('reading', () => {
  test('an empty folder has not begun and nobody is alive', () => {
    makeStartFolder(folder);
    assert.deepEqual(readStartFolder(folder, nobody), {
      begun: 'no',
      pid: null,
      exit: null,
      marks: [],
      problems: [],
      keeperAlive: false,
      commandAlive: false,
      otherBoot: false,
    });
  });

  test('begun without a pid record: nobody can say whether the keeper lives', () => {
    makeStartFolder(folder);
    write('begun', 'begun\n');
    assert.equal(readStartFolder(folder, nobody).keeperAlive, null);
  });

  test('a keeper is alive only under its own start time, in its own boot, and not as a zombie', () => {
    makeStartFolder(folder);
    write('begun', 'begun\n');
    write('pid', pidRecord());
    const alive = readStartFolder(folder, host(procWith(41, 500)));
    assert.deepEqual([alive.keeperAlive, alive.commandAlive, alive.otherBoot], [true, false, false]);
    assert.equal(readStartFolder(folder, host(procWith(41, 499))).keeperAlive, false);
    assert.equal(readStartFolder(folder, host(procWith(41, 500, 'Z'))).keeperAlive, false);
    const rebooted = readStartFolder(folder, host(procWith(41, 500), 'b2'));
    assert.deepEqual([rebooted.keeperAlive, rebooted.otherBoot], [false, true]);
  });

  test('corrupt records are null with a reason and hide nothing else', () => {
    makeStartFolder(folder);
    write('begun', 'begun\n');
    write('pid', '{');
    mkdirSync(join(folder, 'exit'));
    write('marks', 'x\n{"mark":"user","at_ms":1}\n');
    const read = readStartFolder(folder, nobody);
    assert.deepEqual(read.pid, { value: null, why: 'it is not JSON' });
    assert.deepEqual(read.exit, { value: null, why: 'it cannot be read: EISDIR' });
    assert.equal(read.marks.length, 1);
    assert.equal(read.problems.length, 1);
    assert.equal(read.keeperAlive, null);
  });
});
