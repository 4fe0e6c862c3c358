import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskValues } from '../../../src/secrets/mask-values.ts';

const hidden = (value: string, text: string): string => maskValues([{ name: 'S', value }]).text(text);

test('a value is masked however it is written', () => {
  const value = 'pa"ss\\w0rd é/+x y';
  const base64 = (before: string): string => Buffer.from(`${before}${value}`).toString('base64').replace(/=+$/, '');
  const table: readonly (readonly [string, string])[] = [
    [`a ${value} b`, 'a *** b'],
    [JSON.stringify({ v: value }), '{"v":"***"}'],
    [`"pa\\"ss\\\\w0rd \\u00E9\\/+x y"`, '"***"'],
    [`q=${encodeURIComponent(value)}&`, 'q=***&'],
    [`q=${encodeURIComponent(value).toLowerCase().replaceAll('%20', '+')}&`, 'q=***&'],
    [`<${Buffer.from(value).toString('hex')}>`, '<***>'],
    [`<${Buffer.from(value).toString('hex').toUpperCase()}>`, '<***>'],
    [`<${base64('')}>`, '<***>'],
    [`<${base64('a')}>`, '<Y***>'],
    [`<${base64('ab')}>`, '<YW***>'],
    [`<${base64('').replaceAll('+', '-').replaceAll('/', '_')}>`, '<***>'],
    [`<${base64('').replace(/.{16}/g, '$&\n  ')}>`, '<***>'],
    [`pa\x1b[1;31m"ss\\\x1b[0mw0rd é/+x y!`, '***\x1b[1;31m\x1b[0m!'],
    [String.raw`echo pa\"ss\\w0rd\ é/+x\ y`, 'echo ***'],
  ];
  for (const [text, expected] of table) assert.equal(hidden(value, text), expected);
});

test('a stray beginning of an escape in front of a value does not hide it', () => {
  const value = 'nBCD efgh"ij';
  for (const before of ['%', '%A', '\\', '\\u', '\\u00', '\x1b', "'", '+']) {
    for (const text of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]) {
      assert.equal(hidden(value, `${before}${text}.`), `${before}***.`, JSON.stringify(before + text));
    }
  }
});

test('what reads like the numbers of a colour is masked when it is a value in hexadecimal digits or base64', () => {
  assert.equal(hidden('x x x x x x x ', '\x1b[37820782078207820782078207820 o'), '\x1b[3*** o');
  assert.equal(hidden('x x x x x x x ', '\x1b[37820782078207820782078207820m'), '\x1b[3***m');
});

test('lines of a value, and texts inside a JSON value, are masked by themselves too when they are long enough', () => {
  const lines = 'first line of it\nab\nthird line of it';
  assert.equal(hidden(lines, lines), '***');
  assert.equal(hidden(lines, '1: first line of it\n2: ab\n3: third line of it'), '1: ***\n2: ab\n3: ***');
  assert.equal(hidden(lines, lines.replaceAll('\n', '\r\n')), '***');
  assert.equal(hidden('{"user":"bob","password":"correct horse"}', 'bob has correct horse'), 'bob has ***');
});

test('a value loses the newlines at its end, and nothing else', () => {
  assert.equal(hidden(' with blanks \n\n', '[ with blanks ]'), '[***]');
});

test('a short value, a number and a common word are masked as whole words only, with one warning', () => {
  const mask = maskValues([
    { name: 'A', value: 'test' },
    { name: 'B', value: '1234567890' },
    { name: 'C', value: 'Password' },
    { name: 'D', value: 'neither short nor common' },
  ]);
  assert.equal(
    mask.text('test attest test_1 "test" %20test \\ntest \x1b[1mtest\x1b[0m'),
    '*** attest test_1 "***" %20*** \\n*** \x1b[1m***\x1b[0m',
  );
  assert.equal(mask.text('11234567890 1234567890'), '11234567890 ***');
  assert.equal(mask.text('Passwords: Password'), 'Passwords: ***');
  assert.equal(mask.text('dGVzdA== xdGVzdA== 74657374'), '***== xdGVzdA== ***');
  assert.match(mask.warning ?? '', /secrets A, B, C are short, a number or a common word/);
});

test('an empty or blank value masks nothing and is no reason for a warning', () => {
  const mask = maskValues([
    { name: 'A', value: '' },
    { name: 'B', value: ' \n' },
  ]);
  assert.equal(mask.text('a b  c'), 'a b  c');
  assert.equal(mask.warning, null);
});

test('what cannot become a value any more is passed on at once', () => {
  const masker = maskValues([{ name: 'A', value: 'correct horse' }]).open();
  assert.equal(Buffer.from(masker.write(Buffer.from('line one.\ncorr'))).toString(), 'line one.\n');
  assert.equal(Buffer.from(masker.write(Buffer.from('upt.\n'))).toString(), 'corrupt.\n');
  assert.equal(Buffer.from(masker.write(Buffer.from('correct hors'))).toString(), '');
  assert.equal(Buffer.from(masker.end()).toString(), 'correct hors');
});

test('values that overlap are masked from the first to the last byte, as one', () => {
  const mask = maskValues([
    { name: 'A', value: 'abcdefghij' },
    { name: 'B', value: 'ghijklmnop' },
    { name: 'C', value: 'defghijklm' },
  ]);
  assert.equal(mask.text('.abcdefghijklmnop.abcdefghijabcdefghij.'), '.***.***.');
});

test('a hundred long values of a hard kind take time in proportion to the output only', () => {
  const values = Array.from({ length: 100 }, (_, index) => ({
    name: `V${index}`,
    value: `${'%\\'.repeat(500)}${index}`,
  }));
  const masker = maskValues(values).open();
  const text = Buffer.from('%\\'.repeat(20_000));
  const times = [0, 1, 2, 3].map(() => {
    const begin = process.cpuUsage();
    masker.write(text);
    const { user, system } = process.cpuUsage(begin);
    return user + system;
  });
  // Quadratic, the last would take seven times as long as the first; and the whole more than any machine's patience.
  assert.ok(Math.max(...times) < 20_000_000);
});
