import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { holderOf, lockHolder } from '../../../src/client/lock-holder.ts';

const locks = `1: POSIX  ADVISORY  READ  11 fe:00:2531 1073741824 1073741824
2: POSIX  ADVISORY  WRITE 12 fe:01:2531 1073741825 1073742335
3: POSIX  ADVISORY  WRITE 13 fe:00:2531 1073741825 1073742335
3: -> POSIX  ADVISORY  WRITE 14 fe:00:2531 1073741825 1073742335
`;

test('the holder is who writes to that file; who waits or reads is none', () => {
  assert.equal(holderOf(locks, 2531, 0xfe00), 13);
  assert.equal(holderOf(locks, 2531, 0xaa00), 12);
  assert.equal(holderOf(locks, 253, 0xfe00), null);
  assert.equal(holderOf('', 2531, 0xfe00), null);
});

test('the lock that a daemon takes is seen by its pid, until it is released', (t) => {
  const state = mkdtempSync(join(tmpdir(), 'orca-lock-'));
  t.after(() => rmSync(state, { recursive: true }));
  assert.equal(lockHolder(state), null);
  const database = new DatabaseSync(join(state, 'lock.db'));
  database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  assert.equal(lockHolder(state), process.pid);
  database.close();
  assert.equal(lockHolder(state), null);
});
