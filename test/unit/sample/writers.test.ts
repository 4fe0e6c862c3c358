import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ObjectWriter, type PutObject } from '../../../src/sample/object-writer.ts';
import type { SampleWriter } from '../../../src/sample/sample-writer.ts';
import { stageFile } from '../../../src/sample/stage.ts';
import { stdoutWriter } from '../../../src/sample/stdout-writer.ts';
import type { LoopClock } from '../../../src/sample/sample-loop.ts';

const noTime = (): Promise<void> => Promise.resolve();

test('lines on standard output begin with orca-sample', async () => {
  let text = '';
  const writer = stdoutWriter((part) => {
    text += part;
    return Promise.resolve(true);
  }, noTime);
  await writer.write('{"v":1}');
  await writer.write('{"v":1}');
  assert.equal(text, 'orca-sample {"v":1}\norca-sample {"v":1}\n');
});

test('a reader that pauses costs lines and does not hold the sampler', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const got: string[] = [];
  const writer = stdoutWriter(
    (part) => {
      got.push(part);
      return got.length === 1 ? promise : Promise.resolve(true);
    },
    setImmediate as unknown as () => Promise<void>,
  );
  await writer.write('1');
  await assert.rejects(writer.write('2'), /does not read/);
  resolve(true);
  await writer.close();
  await writer.write('3');
  assert.deepEqual(got, ['orca-sample 1\n', 'orca-sample 3\n']);
});

test('standard output that is closed or full is told as the cause', async () => {
  await assert.rejects(
    stdoutWriter(() => Promise.resolve(false), setImmediate as unknown as () => Promise<void>).write('1'),
    /nobody reads/,
  );
  const full = (): Promise<boolean> => Promise.reject(new Error('full'));
  await assert.rejects(stdoutWriter(full, setImmediate as unknown as () => Promise<void>).write('1'), /full/);
});

/** Time that a test lets pass. */
class SteppedClock implements LoopClock {
  time = 0;
  #sleepers: { at: number; wake: () => void }[] = [];
  readonly now = (): number => this.time;
  readonly sleep = (ms: number): Promise<void> =>
    new Promise((wake) => void this.#sleepers.push({ at: this.time + ms, wake }));
  async pass(ms: number): Promise<void> {
    this.time += ms;
    for (const { at, wake } of this.#sleepers) if (at <= this.time) wake();
    this.#sleepers = this.#sleepers.filter(({ at }) => at > this.time);
    await setImmediate();
  }
}

const objects = (put?: PutObject) => {
  const clock = new SteppedClock();
  const lines: string[] = [];
  const uploads: string[] = [];
  const complaints: unknown[] = [];
  const stage: SampleWriter = {
    write: (line) => Promise.resolve(void lines.push(line)),
    close: noTime,
  };
  const writer = new ObjectWriter({
    stage,
    read: () => Buffer.from(lines.join(',')),
    put: async (body, signal) => {
      await put?.(body, signal);
      uploads.push(Buffer.from(body).toString());
    },
    uploadSeconds: 30,
    clock,
    onFailed: (cause) => complaints.push(cause),
  });
  const write = async (line: string): Promise<void> => {
    await writer.write(line);
    await setImmediate();
  };
  return { clock, uploads, complaints, writer, write };
};

test('the whole of the lines is uploaded with the first, then every 30 s while there are new ones, and at the end', async () => {
  const { clock, uploads, writer, write } = objects();
  await write('1');
  assert.deepEqual(uploads, ['1']);
  await clock.pass(5000);
  await write('2');
  await clock.pass(24_999);
  assert.deepEqual(uploads, ['1']);
  await clock.pass(1);
  assert.deepEqual(uploads, ['1', '1,2']);
  await clock.pass(300_000);
  assert.equal(uploads.length, 2);
  await write('3');
  await write('4');
  assert.deepEqual(uploads.slice(2), ['1,2,3']);
  await writer.close();
  assert.deepEqual(uploads.slice(3), ['1,2,3,4']);
});

test('an end without new lines uploads nothing again', async () => {
  const { uploads, writer, write } = objects();
  await write('1');
  await writer.close();
  assert.deepEqual(uploads, ['1']);
});

test('an upload that fails is told once and tried again with all lines', async () => {
  let fail = true;
  const { clock, uploads, complaints, writer, write } = objects(() =>
    fail ? Promise.reject(new Error('no network')) : Promise.resolve(),
  );
  await write('1');
  await clock.pass(30_000);
  await clock.pass(30_000);
  assert.deepEqual(complaints, [new Error('no network')]);
  fail = false;
  await clock.pass(30_000);
  assert.deepEqual(uploads, ['1']);
  await writer.close();
  assert.equal(complaints.length, 1);
});

test('the end waits for an upload under way, and brings what that lacked', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let calls = 0;
  const { uploads, writer, write } = objects(() => {
    calls += 1;
    return calls === 1 ? promise : Promise.resolve();
  });
  await write('1');
  await write('2');
  const closed = writer.close();
  await setImmediate();
  assert.deepEqual(uploads, []);
  resolve();
  await closed;
  assert.equal(uploads.at(-1), '1,2');
});

const place = { kind: 'object', bucket: 'b', key: 'logs/1/metrics/local.jsonl' } as const;

test('the staging folder is made for its user alone, and a location has always the same file in it', () => {
  const box = mkdtempSync(join(tmpdir(), 'orca-stage-'));
  try {
    const folder = join(box, 'orca-logs');
    const uid = process.getuid?.() ?? 0;
    const file = stageFile(folder, place, uid);
    assert.match(file, /\/orca-logs\/sample-[0-9a-f]{16}-local\.jsonl$/);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(stageFile(folder, place, uid), file);
    assert.notEqual(stageFile(folder, { ...place, key: 'logs/2/metrics/local.jsonl' }, uid), file);
    assert.match(stageFile(folder, { ...place, key: `${'é/'.repeat(3)}${'ü'.repeat(500)}` }, uid), /-_{100}$/);
  } finally {
    rmSync(box, { recursive: true });
  }
});

test('a staging folder that is a link, open to others or of another user is refused', () => {
  const box = mkdtempSync(join(tmpdir(), 'orca-stage-'));
  try {
    const uid = process.getuid?.() ?? 0;
    const own = join(box, 'own');
    mkdirSync(own, { mode: 0o700 });
    const link = join(box, 'link');
    symlinkSync(own, link);
    assert.throws(() => stageFile(link, place, uid), /no folder of its own/);
    assert.throws(() => stageFile(own, place, uid + 1), /another user/);
    chmodSync(own, 0o750);
    assert.throws(() => stageFile(own, place, uid), /open to other users/);
  } finally {
    rmSync(box, { recursive: true });
  }
});
