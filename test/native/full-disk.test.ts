import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { fillUp, Tmpfs, tmpfsMissing } from '../e2e/support/tmpfs.ts';
import { withoutKeeper } from './support/binary.ts';
import type { Pair } from './support/frames.ts';
import { Resident } from './support/resident.ts';
import { ShStart } from './support/sh-start.ts';

const noTmpfs = await tmpfsMissing(process.env['ORCA_TEST_REQUIRE']);
const enospc = 28;

/** Takes whatever room is given back, so that the disk stays full, until it is disposed of. */
const eater = (file: string): Disposable => {
  const child = spawn('sh', ['-c', 'while :; do cat /dev/zero >>"$1"; done', 'sh', file], { stdio: 'ignore' });
  return { [Symbol.dispose]: () => child.kill('SIGKILL') };
};

/** A file system of 1 MB with the folder of a start on it; unmounted after the test. */
const smallDisk = (t: TestContext): { folder: string; filler: string } => {
  const outside = mkdtempSync(join(tmpdir(), 'orca-small-'));
  const disk = new Tmpfs(join(outside, 'disk'), '1m');
  t.after(async () => {
    await disk.unmount();
    rmSync(outside, { recursive: true, force: true });
  });
  const folder = join(disk.folder, '1.1');
  mkdirSync(folder);
  return { folder, filler: join(disk.folder, 'filler') };
};

const marksIn = (folder: string): string[] =>
  readFileSync(join(folder, 'marks'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { mark: string }).mark);

/** Fills the disk, and says so; its output is elsewhere. */
const fills = 'dd if=/dev/zero of="$FILLER" bs=4096 2>/dev/null; echo full';
const endsWhenTold = `${fills}; while [ ! -e go ]; do sleep 0.02; done; exit 3`;
const loops = `trap '' TERM; ${fills}; while :; do sleep 0.02; done`;

describe('on a full disk the native keeper', { skip: noTmpfs || withoutKeeper() }, () => {
  const at = (folder: string, filler: string): { keys: Pair[]; env: Record<string, string> } => ({
    keys: [['folder', folder]],
    env: { FILLER: filler },
  });

  test('writes how the command ended that filled it, at once', async (t) => {
    const { folder, filler } = smallDisk(t);
    await using resident = new Resident();
    const { keys, env } = at(folder, filler);
    const options = { keys: [...keys, ['shared', '/proc/vmstat'] as const], env };
    const started = { ...resident.sh(endsWhenTold, options), folder };
    await resident.said(started, 'full');
    using _ = eater(filler);
    writeFileSync(join(resident.dir, 'go'), '');
    assert.equal((await resident.ended(started, 1000)).code, 3);
    assert.equal((await resident.exitRecord(started)).code, 3);
    assert.ok((await resident.pids(started)).command > 0);
    assert.deepEqual(readdirSync(folder).toSorted(), ['begun', 'exit', 'pid'], 'no draft is left');
  });

  test('takes requests, and their marks are on disk before the end and in the record', async (t) => {
    const { folder, filler } = smallDisk(t);
    await using resident = new Resident();
    const started = { ...resident.sh(loops, at(folder, filler)), folder };
    await resident.said(started, 'full');
    using _ = eater(filler);
    assert.equal(resident.ctl(started, 'term held 60000 at its limit'), 'done');
    assert.equal(resident.ctl(started, 'term user 60000 by ada'), 'done');
    assert.deepEqual(marksIn(folder), ['held', 'user']);
    assert.equal(resident.ctl(started, 'kill user'), 'done');
    const { signal, marks } = await resident.ended(started, 1000);
    assert.deepEqual([signal, marks.map(({ mark }) => mark)], [9, ['held', 'user']]);
  });

  test('may die, and that is recorded all the same', async (t) => {
    const { folder, filler } = smallDisk(t);
    await using resident = new Resident();
    const started = { ...resident.sh(loops, at(folder, filler)), folder };
    await resident.said(started, 'full');
    using _ = eater(filler);
    assert.equal(resident.ctl(started, 'term user 60000 by ada'), 'done');
    process.kill((await resident.pids(started)).keeper, 'SIGKILL');
    await resident.ended(started);
    const { how, marks } = await resident.exitRecord(started);
    assert.deepEqual([how, marks.map(({ mark }) => mark)], ['keeper-died', ['user']]);
  });

  test('begins nothing, and says why', async (t) => {
    const { folder, filler } = smallDisk(t);
    await using resident = new Resident();
    fillUp(filler);
    const started = resident.sh('echo ran', at(folder, filler));
    const refused = await resident.frame('refused', started);
    assert.deepEqual([refused.get('stage'), refused.get('errno')], ['folder', String(enospc)]);
    assert.deepEqual(readdirSync(folder), [], 'nothing is claimed, and nothing takes up room');
    assert.equal(existsSync(started.out), false);
    rmSync(filler);
    const again = resident.sh('exit 4', at(folder, filler));
    assert.equal((await resident.ended(again)).code, 4, 'the same folder will do once there is room');
  });
});

for (const shell of [['/bin/sh'], ['bash', '--posix'], ['busybox', 'ash']]) {
  const there = spawnSync(shell[0] ?? '', [...shell.slice(1), '-c', ':']).status === 0;
  describe(`on a full disk the sh keeper under ${shell.join(' ')}`, { skip: noTmpfs || !there }, () => {
    test('writes how the command ended that filled it', async (t) => {
      const { folder, filler } = smallDisk(t);
      await using start = new ShStart(shell, folder).start(['sh', '-c', endsWhenTold], { env: { FILLER: filler } });
      await start.said('full');
      using _ = eater(filler);
      writeFileSync(join(start.dir, 'go'), '');
      assert.equal((await start.ended()).code, 3);
      assert.ok((await start.pids()).command > 0);
      assert.deepEqual(readdirSync(folder).toSorted(), ['begun', 'exit', 'pid']);
    });

    test('takes requests, and keeps their marks', async (t) => {
      const { folder, filler } = smallDisk(t);
      await using start = new ShStart(shell, folder).start(['sh', '-c', loops], { env: { FILLER: filler } });
      await start.said('full');
      assert.equal(start.ctl('kill user by ada'), 'done');
      const { code, marks } = await start.ended();
      assert.deepEqual([code, marks.map(({ mark }) => mark)], [137, ['user']]);
    });

    test('begins nothing, and says that there is no room', async (t) => {
      const { folder, filler } = smallDisk(t);
      fillUp(filler);
      await using start = new ShStart(shell, folder).start(['sh', '-c', 'echo ran']);
      assert.equal(await start.status(), 12);
      assert.deepEqual([readdirSync(folder), existsSync(start.out)], [[], false]);
    });
  });
}
