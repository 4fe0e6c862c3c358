import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { withoutKeeper } from './support/binary.ts';
import { encode, type Pair } from './support/frames.ts';
import { Resident } from './support/resident.ts';
import { until } from './support/until.ts';

const oddBytes = Buffer.from(Array.from({ length: 255 }, (_, i) => i + 1));

describe('frames', { skip: withoutKeeper() }, () => {
  test('the first frame says protocol 1, the own pid and how many starts are active', async () => {
    await using resident = new Resident();
    const hello = await resident.frame('hello');
    assert.equal(hello.get('protocol'), '1');
    assert.equal(hello.get('pid'), String(resident.pid));
    assert.equal(hello.get('active'), '0');
  });

  test('every byte but NUL reaches the command as an argument and in its environment', async () => {
    await using resident = new Resident();
    const started = resident.start(['sh', '-c', 'printf %s "$1"; printf %s "$ODD"', 'sh', oddBytes], {
      keys: [
        ['env', `PATH=${process.env['PATH']}`],
        ['env', `ORCA_NATIVE_TEST=${resident.token}`],
        ['env', Buffer.concat([Buffer.from('ODD='), oddBytes])],
      ],
    });
    assert.equal((await resident.ended(started)).code, 0);
    assert.deepEqual(readFileSync(started.out), Buffer.concat([oddBytes, oddBytes]));
  });

  test('a NUL in an argument is refused, and nothing is begun', async () => {
    await using resident = new Resident();
    const started = resident.start(['echo', 'a\0b']);
    const refused = await resident.frame('refused', started);
    assert.equal(refused.get('stage'), 'request');
    assert.match(refused.get('message') ?? '', /NUL/);
    assert.equal(existsSync(join(started.folder, 'begun')), false);
  });

  test('ten thousand arguments arrive', async () => {
    await using resident = new Resident();
    const many = Array.from({ length: 10_000 }, (_, i) => `argument ${i}`);
    const started = resident.start(['sh', '-c', 'echo "$# $1"', 'sh', ...many]);
    await resident.ended(started);
    assert.equal(readFileSync(started.out, 'utf8'), '10000 argument 0\n');
  });

  test('an argument of 1 MB is the kernel’s to refuse: E2BIG at exec', async () => {
    await using resident = new Resident();
    const record = await resident.ended(resident.start(['true', 'x'.repeat(1 << 20)]));
    assert.equal(record.how, 'not-started');
    assert.deepEqual([record.failed?.stage, record.failed?.errno], ['exec', 7]);
  });

  test('a frame that arrives byte by byte is one frame', async () => {
    await using resident = new Resident();
    const { started, pairs } = resident.prepare(['true']);
    resident.stream.setNoDelay?.(true);
    for (const byte of encode('start', pairs)) {
      resident.stream.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal((await resident.ended(started)).code, 0);
  });

  for (const missing of ['folder', 'uuid', 'cwd', 'arg', 'stdin', 'stdout', 'stderr']) {
    test(`a start without ${missing} is refused`, async () => {
      await using resident = new Resident();
      const started = resident.start(['true'], { without: [missing] });
      assert.equal((await resident.frame('refused', started)).get('stage'), 'request');
    });
  }

  for (const [key, value] of [
    ['umask', '999'],
    ['nice', '20'],
    ['oom_score_adj', '1001'],
    ['rlimit', 'nofile 10'],
    ['rlimit', 'nothing 1 1'],
    ['timeout_ms', '-5'],
    ['cwd', 'relative'],
  ] as const) {
    test(`${key} ${value} is refused`, async () => {
      await using resident = new Resident();
      const started = resident.start(['true'], { keys: [[key, value]] });
      assert.equal((await resident.frame('refused', started)).get('stage'), 'request');
      assert.equal(existsSync(join(started.folder, 'begun')), false);
    });
  }

  const size = (n: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(n);
    return bytes;
  };
  /** All is as it should be, but the frame says that it is one byte shorter. */
  const cutShort = (frame: Buffer): Buffer => Buffer.concat([size(frame.length - 5), frame.subarray(4)]);
  const body = encode('work', [['queued', '1']]).subarray(4);
  const oddCount = Buffer.concat([size(body.length + 7), body, size(3), Buffer.from('key')]);
  for (const [what, bytes] of [
    ['a frame over 16 MiB', size((16 << 20) + 1)],
    ['an empty frame', size(0)],
    ['a field that is longer than its frame', cutShort(encode('work', [['queued', '1']]))],
    ['a key without a value', oddCount],
    ['an unknown verb', encode('dance')],
    ['a program without arguments', encode('program', [['log', '/dev/null']])],
    ['garbage', Buffer.from('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')],
  ] as const) {
    test(`${what} ends the stream, and with no work the resident`, async () => {
      await using resident = new Resident();
      await resident.frame('hello');
      resident.stream.write(bytes);
      await resident.gone();
      assert.equal(resident.child.exitCode, 0);
    });
  }

  test('more than 200,000 fields end the stream', async () => {
    await using resident = new Resident();
    const many = Array.from({ length: 100_000 }, (): Pair => ['k', '']);
    resident.send('work', [['queued', '0'], ...many]);
    await resident.gone();
  });

  test('half a frame is dropped when the stream ends', async () => {
    await using resident = new Resident();
    const { started, pairs } = resident.prepare(['true']);
    await resident.frame('hello');
    resident.stream.end(encode('start', pairs).subarray(0, -1));
    await resident.gone();
    assert.equal(existsSync(join(started.folder, 'begun')), false);
  });

  test('a daemon that does not read does not stop the resident', async () => {
    await using resident = new Resident();
    resident.stream.pause();
    const many = Array.from({ length: 300 }, () =>
      resident.start(['true', 'x'], {
        keys: [
          ['timeout_ms', 'no'],
          ['shared', `/${'m'.repeat(2000)}`],
        ],
      }),
    );
    const last = resident.sh('echo here');
    await until('the last command', () => existsSync(join(last.folder, 'exit')));
    resident.stream.resume();
    for (const started of many) await resident.frame('refused', started);
    await resident.ended(last);
  });
});
