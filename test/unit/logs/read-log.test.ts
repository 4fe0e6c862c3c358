import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { fileBytes, LogMoved } from '../../../src/logs/log-bytes.ts';
import type { LogObject } from '../../../src/logs/object-log.ts';
import { readLog } from '../../../src/logs/read-log.ts';
import type { ObjectStorage } from '../../../src/objects/object-storage.ts';

const setUp = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-read-log-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, '1.stdout');
};
const textOf = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
  let text = '';
  for await (const piece of stream) text += Buffer.from(piece).toString();
  return text;
};
const pause = (): Promise<void> => setImmediate();

test('the last lines of a file begin where they begin, with or without a last newline, over pieces', async (t) => {
  const file = setUp(t);
  const offset = async (content: string, lines: number): Promise<string> => {
    writeFileSync(file, content);
    await using opened = await open(file);
    const bytes = await fileBytes(file, opened);
    return content.slice(await bytes.tail(lines, 0));
  };
  assert.equal(await offset('a\nb\nc\n', 2), 'b\nc\n');
  assert.equal(await offset('a\nb\nc', 2), 'b\nc');
  assert.equal(await offset('a\nb\n', 9), 'a\nb\n');
  assert.equal(await offset('a\nb\n', 0), '');
  assert.equal(await offset('', 3), '');
  assert.equal(await offset('\n\n\n', 2), '\n\n');
  const long = `${'x'.repeat(200_000)}\n${'y'.repeat(70_000)}\n`;
  assert.equal((await offset(long, 1)).length, 70_001);
  assert.equal((await offset(long, 2)).length, long.length);
});

test('while the beginning of a long line is looked for, others have their turn', async (t) => {
  const file = setUp(t);
  writeFileSync(file, '');
  truncateSync(file, 200_000_000);
  await using opened = await open(file);
  const bytes = await fileBytes(file, opened);
  let turns = 0;
  const count = setInterval(() => (turns += 1), 0);
  assert.equal(await bytes.tail(1, 7), 7);
  clearInterval(count);
  assert.ok(turns > 3, String(turns));
});

const capped = { head: 'head\n', tail: 'tail\n', from: 5, to: 300_000 };
const marker = 'orca: 0.3 MB are not kept here, from byte 5 to byte 300000 (ORCA_LOG_MAX_MB)\n';

/** What is gone of it, as the daemon notes it. */
const note = (file: string, cut: string): void => writeFileSync(`${file}.gone`, `${capped.from} ${capped.to}${cut}\n`);

/** The same in an object storage. */
const movedLog = async (): Promise<LogObject> => {
  const bytes = Buffer.from(`${capped.head}${marker}${capped.tail}`);
  const storage = { read: async (_: string, begin: number, end: number) => bytes.subarray(begin, end) };
  const gone = { from: capped.from, to: capped.to, line: marker.length };
  return { storage: storage as unknown as ObjectStorage, key: 'k', log: { bytes: bytes.length, gone, times: false } };
};

test('a log that was cut is read to its end though it is removed meanwhile, with what was noted of it', async (t) => {
  const file = setUp(t);
  writeFileSync(file, `${capped.head}${marker}${capped.tail}`);
  note(file, ` ${statSync(file).ino} ${marker.length}`);
  const log = await readLog({ file, from: { offset: 300_000 }, until: null, pause });
  for (const name of [file, `${file}.gone`]) rmSync(name);
  assert.equal(await textOf(log.bytes), capped.tail);
});

test('a log of which nothing was gone when its reader began, and that was cut and moved meanwhile, breaks off and goes on where it was moved to', async (t) => {
  const file = setUp(t);
  writeFileSync(file, '');
  truncateSync(file, 400_000);
  const request = { file, object: movedLog, until: null, pause };
  const log = await readLog({ ...request, from: { offset: 0 } });
  rmSync(file);
  await assert.rejects(textOf(log.bytes), LogMoved);
  const rest = await readLog({ ...request, from: { offset: capped.from } });
  assert.equal(await textOf(rest.bytes), `${marker}${capped.tail}`);
  assert.equal(rest.offset, capped.to - marker.length);
});

test('a log that is deleted while it is read, and lies nowhere else, is read on as it is', async (t) => {
  const file = setUp(t);
  writeFileSync(file, 'all of it');
  const log = await readLog({ file, object: async () => null, from: { offset: 0 }, until: null, pause });
  rmSync(file);
  assert.equal(await textOf(log.bytes), 'all of it');
});

test('a log that is not there is empty', async (t) => {
  const log = await readLog({ file: setUp(t), from: { offset: 0 }, until: null, pause });
  assert.equal(await textOf(log.bytes), '');
});

test('following reads what is written before the end, and no less', async (t) => {
  const file = setUp(t);
  let looks = 0;
  const until = async (): Promise<boolean> => {
    looks += 1;
    // Written between two looks, the last piece together with the end.
    if (looks === 3) writeFileSync(file, 'one ');
    if (looks === 6) appendFileSync(file, 'two');
    return looks >= 6;
  };
  const log = await readLog({ file, from: { offset: 0 }, until, pause });
  assert.equal(await textOf(log.bytes), 'one two');
});

test('reading resumes at an offset, and a tail says where it began', async (t) => {
  const file = setUp(t);
  writeFileSync(file, 'first\nsecond\n');
  const resumed = await readLog({ file, from: { offset: 6 }, until: null, pause });
  assert.equal(await textOf(resumed.bytes), 'second\n');
  const tail = await readLog({ file, from: { tail: 1 }, until: null, pause });
  assert.equal(tail.offset, 6);
  assert.equal(await textOf(tail.bytes), 'second\n');
});

test('a reader that goes away ends the following', async (t) => {
  const file = setUp(t);
  writeFileSync(file, 'x');
  let looks = 0;
  const until = async (): Promise<boolean> => {
    looks += 1;
    return false;
  };
  const log = await readLog({ file, from: { offset: 0 }, until, pause });
  const reader = log.bytes.getReader();
  await reader.read();
  const pending = reader.read();
  await setImmediate();
  await reader.cancel();
  await pending;
  await setImmediate();
  const after = looks;
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  assert.equal(looks, after);
});

test('what is no ordinary file is refused at once: a named pipe, a folder', { timeout: 10_000 }, async (t) => {
  const pipe = setUp(t);
  execFileSync('mkfifo', [pipe]);
  const folder = `${pipe}.d`;
  mkdirSync(folder);
  for (const file of [pipe, folder])
    await assert.rejects(readLog({ file, from: { offset: 0 }, until: null, pause }), { code: 'log-no-file' });
});

test('a log that cannot be opened is told as that, and not as trouble of the store', async (t) => {
  const loop = setUp(t);
  symlinkSync(loop, loop);
  await assert.rejects(readLog({ file: loop, from: { offset: 0 }, until: null, pause }), { code: 'file-unreadable' });
});
