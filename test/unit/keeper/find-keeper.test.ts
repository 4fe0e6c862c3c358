import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { findKeeper, type KeeperPlace } from '../../../src/keeper/find-keeper.ts';
import { packagesForCompiler } from '../../../src/keeper/packages-for-compiler.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'orca-find-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const place = (choice: KeeperPlace['choice'], platform = 'linux'): KeeperPlace => ({
  ...{ root, choice, platform, arch: 'x64' },
});
const built = 'native/build/orca-keep';
const prebuilt = 'native/prebuilt/linux-x64/orca-keep';
const put = (path: string, script: string, mode = 0o755): void => {
  const file = join(root, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, mode);
};

describe('finding a keeper', () => {
  test('one that was compiled here comes before a prebuilt one', async () => {
    put(built, 'echo 1');
    put(prebuilt, 'echo 1');
    const found = await findKeeper(place('auto'));
    assert.deepEqual([found.kind, found.binary, found.why], ['native', join(root, built), null]);
  });

  for (const [what, script, mode] of [
    ['speaks another protocol', 'echo 2', 0o755],
    ['fails', 'exit 1', 0o755],
    ['is not executable', 'echo 1', 0o644],
  ] as const) {
    test(`one that ${what} is passed over for the next`, async () => {
      put(built, script, mode);
      put(prebuilt, 'echo 1');
      assert.equal((await findKeeper(place('auto'))).binary, join(root, prebuilt));
    });
  }

  test('one for another processor is passed over', async () => {
    put('native/prebuilt/linux-arm64/orca-keep', 'echo 1');
    assert.equal((await findKeeper(place('auto'))).kind, 'sh');
  });

  test('with none the script is used, and why it is says what was tried and what to install', async () => {
    put(built, 'echo 2');
    const found = await findKeeper(place('auto'));
    assert.equal(found.kind, 'sh');
    assert.match(found.why ?? '', /build\/orca-keep speaks protocol "2", not 1; .*prebuilt.* is not there\)/);
    assert.match(found.why ?? '', /Install .*, then run `sh native\/build\.sh/);
    assert.match((await findKeeper(place('auto', 'darwin'))).why ?? '', /needs Linux, and this is darwin/);
  });

  test('the script can be chosen though there is a binary', async () => {
    put(built, 'echo 1');
    const found = await findKeeper(place('sh'));
    assert.deepEqual([found.kind, found.why?.startsWith('ORCA_KEEPER is sh')], ['sh', true]);
  });

  test('to demand a native one where there is none is an error', async () => {
    await assert.rejects(findKeeper(place('native')), { code: 'keeper-missing' });
  });
});

test('the packages for a compiler are those of the distribution or of its family', () => {
  assert.equal(packagesForCompiler('NAME="X"\nID=debian\n'), 'gcc and libc6-dev');
  assert.equal(packagesForCompiler('ID=linuxmint\nID_LIKE="ubuntu debian"\n'), 'gcc and libc6-dev');
  assert.equal(packagesForCompiler('ID="rocky"\nID_LIKE="rhel centos fedora"\n'), 'gcc and glibc-devel');
  assert.equal(packagesForCompiler('ID=alpine\n'), 'gcc, musl-dev and linux-headers');
  assert.equal(packagesForCompiler('NAME="not debian"\n'), 'a C compiler with the headers of its C library');
});
