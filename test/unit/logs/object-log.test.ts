import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { cutLog } from '../../../src/logs/cut-log.ts';
import { readGone } from '../../../src/logs/gone.ts';
import type { LogObject } from '../../../src/logs/object-log.ts';
import { readLog, type LogRequest } from '../../../src/logs/read-log.ts';
import { timeRecord } from '../../../src/logs/log-times.ts';
import { ObjectFailure } from '../../../src/objects/object-failure.ts';
import type { ObjectStorage } from '../../../src/objects/object-storage.ts';
import type { MovedLog } from '../../../src/units/moved-log.ts';

/** A storage in memory that notes which parts it was asked for. */
const storageOf = (objects: Readonly<Record<string, Buffer>>) => {
  const asked: { key: string; begin: number; end: number }[] = [];
  const storage = {
    read: async (key: string, begin: number, end: number) => {
      asked.push({ key, begin, end });
      const object = objects[key];
      if (object === undefined) throw new ObjectFailure('there is no such object', { absent: true });
      return object.subarray(begin, end);
    },
    size: async (key: string) => objects[key]?.length ?? 0,
  } as unknown as ObjectStorage;
  return { storage, asked };
};

const read = async (
  request: Pick<LogRequest, 'from'> & Partial<LogRequest>,
): Promise<{ offset: number; bytes: Buffer }> => {
  const { offset, bytes } = await readLog({ file: '/nonexistent/log', until: null, pause: async () => {}, ...request });
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return { offset, bytes: Buffer.concat(chunks) };
};

const plain = (bytes: number): MovedLog => ({ bytes, gone: null, times: false });
const from = (object: LogObject) => ({ object: () => Promise.resolve(object) });

const folderOf = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-object-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
};

test('an object reads as the file that it was, from every offset, and in every number of last lines', async (t) => {
  const file = join(folderOf(t), 'log');
  for (const content of ['', 'a', 'a\nb\n', '\n\nc', 'one\ntwo\nthree\n']) {
    writeFileSync(file, content);
    const { storage } = storageOf({ k: Buffer.from(content) });
    const object = { storage, key: 'k', log: plain(content.length) };
    for (let at = 0; at <= content.length + 1; at += 1) {
      assert.deepEqual(
        await read({ ...from(object), from: { offset: at } }),
        await read({ file, from: { offset: at } }),
      );
      assert.deepEqual(await read({ ...from(object), from: { tail: at } }), await read({ file, from: { tail: at } }));
    }
  }
});

test('of a cut log too: the line stands where it stood, and offsets are those of the output', async (t) => {
  const file = join(folderOf(t), 'log');
  const output = Array.from({ length: 4000 }, (_, line) => `line ${line}\n`).join('');
  writeFileSync(file, output);
  await cutLog(file, 8000);
  const gone = await readGone(file);
  assert.ok(gone?.cut != null);
  const bytes = readFileSync(file);
  const { storage } = storageOf({ k: bytes });
  const log = { bytes: bytes.length, gone: { from: gone.from, to: gone.to, line: gone.cut.line }, times: false };
  const object = { storage, key: 'k', log };
  for (const at of [0, 5, gone.from - 1, gone.from, gone.from + 7, gone.to - 1, gone.to, gone.to + 3, output.length])
    assert.deepEqual(
      await read({ ...from(object), from: { offset: at } }),
      await read({ file, from: { offset: at } }),
      String(at),
    );
  for (const tail of [0, 1, 3, 300, 4000])
    assert.deepEqual(
      await read({ ...from(object), from: { tail } }),
      await read({ file, from: { tail } }),
      String(tail),
    );
});

test('the last lines of a large object are found without the rest of it, and no more than 4 MB are asked for at once', async () => {
  const content = Buffer.alloc(20 * 1048576, 'seven b\n');
  const { storage, asked } = storageOf({ k: content });
  const object = { storage, key: 'k', log: plain(content.length) };
  assert.equal((await read({ ...from(object), from: { tail: 2 } })).bytes.toString(), 'seven b\nseven b\n');
  assert.ok(
    asked.every(({ begin }) => begin >= content.length - 65_536),
    JSON.stringify(asked),
  );
  asked.length = 0;
  assert.equal((await read({ ...from(object), from: { offset: 0 } })).bytes.equals(content), true);
  assert.deepEqual(
    asked.map(({ begin, end }) => end - begin),
    Array.from({ length: 5 }, () => 4 * 1048576),
  );
});

test('nothing is asked for of an empty log, nor behind the end of one', async () => {
  const { storage, asked } = storageOf({});
  await read({ ...from({ storage, key: 'k', log: plain(0) }), from: { offset: 0 } });
  await read({ ...from({ storage, key: 'k', log: plain(7) }), from: { offset: 7 } });
  assert.deepEqual(asked, []);
});

test('what was written since a moment is found by the times that lie beside it', async () => {
  const times = [timeRecord({ offset: 4, ms: 2000 }), timeRecord({ offset: 8, ms: 3000 })].join('');
  const { storage } = storageOf({ k: Buffer.from('one\ntwo\nsix\n'), 'k.times': Buffer.from(times) });
  const since = { ms: 2500, began: 1000, ended: 4000, seen: null };
  const log = { ...plain(12), times: true };
  const { bytes } = await read({ ...from({ storage, key: 'k', log }), from: { since } });
  assert.equal(bytes.toString(), 'two\nsix\n');
});

test('an object that is not there is known before an answer begins', async () => {
  const { storage } = storageOf({});
  const request = { ...from({ storage, key: 'k', log: plain(7) }), from: { offset: 0 } };
  await assert.rejects(
    readLog({ file: '/nonexistent/log', until: null, pause: async () => {}, ...request }),
    /no such object/,
  );
});

test('as long as there is a file the storage is not asked', async (t) => {
  const file = join(folderOf(t), 'log');
  writeFileSync(file, 'here\n');
  const object = (): Promise<LogObject> => Promise.reject(new Error('it was asked'));
  assert.equal((await read({ file, object, from: { offset: 0 } })).bytes.toString(), 'here\n');
});
