import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { spoolStdin } from '../../../src/cli/spool-stdin.ts';
import { leavesRoom } from '../../../src/cli/stdin-request.ts';
import { temporaryState } from '../client/fake-daemon.ts';

const signal = new AbortController().signal;

test('what a pipe gives is kept whole', async (t) => {
  const state = temporaryState(t);
  async function* input(): AsyncGenerator<Buffer> {
    yield Buffer.from('a');
    yield await Promise.resolve(Buffer.from([0, 255]));
  }
  const path = await spoolStdin(state, 'x', input(), { signal, hasRoom: () => true });
  assert.deepEqual([...readFileSync(path ?? '')], [97, 0, 255]);
});

test('a pipe without an end is given up before the disk is full, and leaves nothing', async (t) => {
  const state = temporaryState(t);
  const megabyte = Buffer.alloc(1048576);
  let given = 0;
  async function* input(): AsyncGenerator<Buffer> {
    for (;;) {
      given += 1;
      yield await Promise.resolve(megabyte);
    }
  }
  const spooling = spoolStdin(state, 'x', input(), { signal, hasRoom: () => given < 20 });
  await assert.rejects(spooling, { code: 'spool-failed', exitStatus: 120, message: /last tenth of the file system/ });
  assert.ok(given <= 32);
  assert.deepEqual(readdirSync(join(state, 'runs')), []);
});

test('a source that breaks leaves nothing', async (t) => {
  const state = temporaryState(t);
  async function* input(): AsyncGenerator<Buffer> {
    yield await Promise.resolve(Buffer.from('a'));
    throw new Error('broken');
  }
  await assert.rejects(spoolStdin(state, 'x', input(), { signal, hasRoom: () => true }), { code: 'spool-failed' });
  assert.equal(existsSync(join(state, 'runs', 'spool-x.stdin')), false);
});

test('a tenth of a small file system stays free, and 10 GB of a large one', () => {
  const room = { type: 0, bsize: 4096, bfree: 0, files: 0, ffree: 0 };
  const gb = 1024 ** 3 / 4096;
  assert.equal(leavesRoom({ ...room, blocks: 50 * gb, bavail: 5 * gb }), false);
  assert.equal(leavesRoom({ ...room, blocks: 50 * gb, bavail: 5 * gb + 1 }), true);
  assert.equal(leavesRoom({ ...room, blocks: 1000 * gb, bavail: 11 * gb }), true);
  assert.equal(leavesRoom({ ...room, blocks: 1000 * gb, bavail: 10 * gb }), false);
  assert.equal(leavesRoom({ ...room, blocks: 0, bavail: 0 }), true);
});
