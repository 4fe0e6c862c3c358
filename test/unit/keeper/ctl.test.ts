import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import { askCtl, ctlKind, ctlLine, readCtlAnswer } from '../../../src/keeper/ctl.ts';

let folder: string;
let server: Server | null;
let asked: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orca-ctl-'));
  server = null;
  asked = [];
});
afterEach(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A keeper that answers every line the same, or not at all. */
const keeper = (answer: string | null, at = folder): Promise<void> =>
  new Promise((resolve) => {
    server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (piece) => {
        asked.push(String(piece));
        if (answer === '') socket.end();
        else if (answer !== null) socket.write(answer);
      });
      socket.on('end', () => socket.end());
    });
    // The server's path is made relative here, since a long one cannot be bound either.
    const before = process.cwd();
    process.chdir(at);
    server.listen('ctl', resolve);
    process.chdir(before);
  });

describe('the line', () => {
  test('says what is asked', () => {
    assert.equal(ctlLine({ ask: 'ping' }), 'ping\n');
    assert.equal(ctlLine({ ask: 'term', mark: 'user', graceMs: 1500.4, text: 'by ada' }), 'term user 1500 by ada\n');
    assert.equal(ctlLine({ ask: 'kill', mark: 'cap', text: 'over\nits\u0000cap' }), 'kill cap over its cap\n');
  });

  test('is never too long because a character was cut in two', () => {
    for (const start of ['', 'a', 'ab', 'abc']) {
      const line = ctlLine({ ask: 'kill', mark: 'user', text: start + '\u{1f40b}'.repeat(2000) });
      assert.ok(Buffer.byteLength(line) <= 4096 && Buffer.byteLength(line) > 4080, `${Buffer.byteLength(line)}`);
    }
  });

  test('is one line of at most 4096 bytes whatever its text holds', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 3000 }).map((text) => text + text);
    fc.assert(
      fc.property(texts, (text) => {
        const line = ctlLine({ ask: 'kill', mark: 'user', text });
        assert.ok(Buffer.byteLength(line) <= 4096);
        assert.equal(line.indexOf('\n'), line.length - 1);
      }),
    );
  });
});

test('answers are read, and what is none is an error', () => {
  assert.deepEqual(readCtlAnswer('alive 12\n'), { answer: 'alive', pid: 12 });
  assert.deepEqual(readCtlAnswer('done'), { answer: 'done' });
  assert.deepEqual(readCtlAnswer('ended'), { answer: 'ended' });
  assert.deepEqual(readCtlAnswer('error unknown request'), { answer: 'error', why: 'unknown request' });
  assert.deepEqual(readCtlAnswer('alive x'), { answer: 'error', why: 'it answered "alive x"' });
});

describe('asking', () => {
  test('a keeper answers', async () => {
    await keeper('alive 7\n');
    assert.deepEqual(await askCtl(folder, { ask: 'ping' }), { answer: 'alive', pid: 7 });
    assert.deepEqual(asked, ['ping\n']);
    assert.equal(ctlKind(folder), 'socket');
  });

  test('a keeper whose folder has a path too long for a socket is reached all the same', async () => {
    const deep = join(folder, 'x'.repeat(100), 'y'.repeat(100));
    mkdirSync(deep, { recursive: true });
    await keeper('done\n', deep);
    assert.deepEqual(await askCtl(deep, { ask: 'kill', mark: 'none', text: '' }), { answer: 'done' });
  });

  test('without a keeper, without a folder and with a long one that is not there, the answer is that there is none', async () => {
    for (const place of [folder, join(folder, 'x'), join(folder, 'z'.repeat(200))]) {
      assert.deepEqual(await askCtl(place, { ask: 'ping' }), { answer: 'no keeper', why: 'ENOENT' });
      assert.equal(ctlKind(place), 'none');
    }
  });

  test('a keeper that ends while it is asked is no keeper', async () => {
    await keeper('');
    const { answer } = await askCtl(folder, { ask: 'ping' });
    assert.equal(answer, 'no keeper');
  });

  test('a keeper that does not answer is an error after the time given', async () => {
    await keeper(null);
    assert.deepEqual(await askCtl(folder, { ask: 'ping' }, 30), {
      answer: 'error',
      why: 'the keeper did not answer within 30 ms',
    });
  });

  test('a `ctl` that is no socket belongs to the other kind of keeper', () => {
    writeFileSync(join(folder, 'ctl'), '');
    assert.equal(ctlKind(folder), 'other');
  });
});
