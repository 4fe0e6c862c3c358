import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { cutLog } from '../../../src/logs/cut-log.ts';
import { goneText, readGone } from '../../../src/logs/gone.ts';
import { readLog, type LogRequest } from '../../../src/logs/read-log.ts';

const place = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-cut-log-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'log');
};

/** Ten bytes each. */
const lines = (count: number): string =>
  Array.from({ length: count }, (_, at) => `${String(at).padStart(9, '0')}\n`).join('');
const said = /^orca: .* are not kept here, from byte (\d+) to byte (\d+) \(ORCA_LOG_MAX_MB\)$/m;

const read = async (
  file: string,
  from: LogRequest['from'],
): Promise<{ text: string; offset: number; more: boolean }> => {
  const { bytes, offset, more } = await readLog({ file, from, until: null, pause: () => Promise.resolve() });
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return { text: Buffer.concat(chunks).toString(), offset, more };
};

/** As a client does: it asks again, from where it counts itself to be, as long as there is more. */
const readAll = async (file: string, offset: number): Promise<string> => {
  let [text, at] = ['', offset];
  for (;;) {
    const part = await read(file, { offset: at });
    at = part.offset + part.text.length;
    text += part.text;
    if (!part.more) return text;
  }
};

test('a log over its cap keeps its first quarter and its newest part, with one line that says what is gone', async (t) => {
  const log = place(t);
  const whole = lines(2000);
  writeFileSync(log, whole);
  await cutLog(log, 8000);
  const text = readFileSync(log, 'utf8');
  assert.ok(text.length <= 8000 && text.length > 7000, `${text.length}`);
  const [line, from, to] = said.exec(text) ?? [];
  assert.equal(Number(from), 2000);
  assert.equal(text, `${whole.slice(0, 2000)}${line}\n${whole.slice(Number(to))}`);
  assert.equal(statSync(log).mode & 0o777, 0o600);
  // Once is enough.
  await cutLog(log, 8000);
  assert.equal(readFileSync(log, 'utf8'), text);
});

test('a log at its cap, and one without, is left alone', async (t) => {
  const log = place(t);
  writeFileSync(log, lines(100));
  await cutLog(log, 1000);
  await cutLog(log, 0);
  assert.equal(readFileSync(log, 'utf8'), lines(100));
  assert.equal(await readGone(log), null);
});

test('who reads a log with a hole, or one that was cut, gets the same bytes, never what is in the hole, and counts right', async (t) => {
  const log = place(t);
  const whole = lines(2000);
  const hole = `${whole.slice(0, 2000)}${'\0'.repeat(10_000)}${whole.slice(12_000)}`;
  writeFileSync(log, hole);
  const gone = { from: 2000, to: 12_000, cut: null };
  writeFileSync(`${log}.gone`, goneText(gone));
  const check = async (): Promise<void> => {
    const text = await readAll(log, 0);
    const [line, from, to] = said.exec(text) ?? [];
    assert.deepEqual([from, Number(to) >= 12_000], ['2000', true]);
    assert.equal(text, `${whole.slice(0, 2000)}${line}\n${whole.slice(Number(to))}`);
    assert.equal(await readAll(log, 2000), `${line}\n${whole.slice(Number(to))}`);
    const rest = said.exec(await readAll(log, 5000));
    assert.deepEqual([rest?.[1], rest?.[2]], ['5000', to]);
    assert.equal(await readAll(log, 5000), `\n${rest?.[0]}\n${whole.slice(Number(to))}`);
    assert.equal(await readAll(log, 19_950), whole.slice(19_950));
    assert.deepEqual(await read(log, { tail: 3 }), { text: whole.slice(-30), offset: 19_970, more: false });
    assert.equal((await read(log, { offset: 0 })).more, true);
    assert.equal((await readAll(log, (await read(log, { tail: 1500 })).offset)).slice(-10), whole.slice(-10));
  };
  await check();
  await cutLog(log, 12_000);
  assert.ok(statSync(log).size <= 12_000);
  await check();
});

test('a reader that goes on where it was reads no byte twice, however the hole grows while it reads', async (t) => {
  const log = place(t);
  const whole = lines(40_000);
  const punch = (to: number): void => {
    writeFileSync(log, `${whole.slice(0, 2000)}${'\0'.repeat(to - 2000)}${whole.slice(to)}`);
    writeFileSync(`${log}.gone`, goneText({ from: 2000, to, cut: null }));
  };
  let passed = '';
  let [offset, to] = [0, 12_000];
  for (let more = true; more;) {
    const found = await readLog({
      file: log,
      from: { offset },
      until: async () => to >= 300_000,
      pause: async () => {},
    });
    // More of it is gone between the look and the first byte.
    if (to < 300_000) punch((to += 40_000));
    offset = found.offset;
    for await (const chunk of found.bytes) {
      passed += Buffer.from(chunk).toString();
      offset += chunk.length;
    }
    more = found.more && offset < whole.length;
  }
  const numbers = [...passed.matchAll(/^(\d{9})$/gm)].map(([, number]) => Number(number));
  assert.deepEqual(numbers, [...new Set(numbers)]);
  assert.ok(passed.endsWith(whole.slice(-1000)));
});

test('who had opened a log before it was cut reads on in the old file', async (t) => {
  const log = place(t);
  writeFileSync(log, lines(50_000));
  const before = await readLog({ file: log, from: { offset: 0 }, until: null, pause: () => Promise.resolve() });
  const reader = before.bytes.getReader();
  const first = await reader.read();
  await cutLog(log, 200_000);
  let rest = Buffer.from(first.value ?? []);
  for (let next = await reader.read(); !next.done; next = await reader.read()) rest = Buffer.concat([rest, next.value]);
  const text = rest.toString();
  assert.ok(!text.includes('\0'));
  assert.match(text, said);
  assert.ok(text.startsWith(lines(6000)) && text.endsWith(lines(50_000).slice(-1000)));
});

test('a cut that was stopped half way is done again', async (t) => {
  const log = place(t);
  writeFileSync(log, lines(2000));
  writeFileSync(`${log}.cut`, 'half');
  const other = await open(`${log}.cut`);
  writeFileSync(
    `${log}.gone`,
    goneText({ from: 2000, to: 14_000, cut: { inode: (await other.stat()).ino, line: 70 } }),
  );
  await other.close();
  assert.equal((await readAll(log, 15_000)).length, 5000);
  await cutLog(log, 8000);
  assert.ok(statSync(log).size <= 8000);
  assert.equal(await readAll(log, 15_000), lines(2000).slice(15_000));
});
