import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRoom, scarceRoom } from '../../../src/client/room.ts';
import { thisStateHost, type FileSystemRoom } from '../../../src/client/state-host.ts';

const wide = { type: 0xef53, bsize: 4096, bavail: 1e6, bfree: 1e6, blocks: 2e6, ffree: 1e6, files: 2e6 };
const hostWith = (changes: Partial<FileSystemRoom>, uid = 1000) => ({
  ...thisStateHost(() => {}),
  uid,
  statfs: () => ({ ...wide, ...changes }),
});

test('a full file system is told from one that counts nothing', () => {
  const withRoom = (changes: Partial<FileSystemRoom>, uid?: number): void =>
    checkRoom('/state', hostWith(changes, uid));
  const full = { code: 'state-full', exitStatus: 120 };
  withRoom({});
  withRoom({ blocks: 0, bavail: 0, bfree: 0, files: 0, ffree: 0 });
  // Root may use the reserved blocks, others not.
  withRoom({ bavail: 0 }, 0);
  assert.throws(() => withRoom({ bavail: 0 }), full);
  assert.throws(() => withRoom({ bfree: 0 }, 0), full);
  assert.throws(() => withRoom({ ffree: 0 }), full);
});

test('a file system that is nearly full is worth a warning, one that counts nothing is not', () => {
  assert.equal(scarceRoom('/state', hostWith({})), null);
  assert.equal(scarceRoom('/state', hostWith({ blocks: 0, bavail: 0, files: 0, ffree: 0 })), null);
  assert.deepEqual(scarceRoom('/state', hostWith({ bavail: 100 })), { bytes: 409_600, files: null });
  assert.deepEqual(scarceRoom('/state', hostWith({ ffree: 7 })), { bytes: null, files: 7 });
});
