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

test('a backslash right before a value, as in a path, stays; one that is part of how the value is written does not', () => {
  const table: readonly (readonly [string, string, string])[] = [
    ['KillCanary9', 'C:\\KillCanary9\\x', 'C:\\***\\x'],
    ['KillCanary9', 'C:\\\\KillCanary9', 'C:\\\\***'],
    ['KillCanary9', '\\\x1b[1mKillCanary9', '\\\x1b[1m***'],
    ['KillCanary9', '\\Kill\\Canary9 \\KillCana', '\\*** \\***'],
    ['KillCanary9', '\\x4billCanary9 \\u004billCanary9 \\113illCanary9', '*** *** ***'],
    ['\nKillCanary9', '\\nKillCanary9 \\\nKillCanary9', '*** \\***'],
    ['"KillCanary"', '{"v":"\\"KillCanary\\""}', '{"v":"\\***"}'],
  ];
  for (const [value, text, expected] of table) assert.equal(hidden(value, text), expected, text);
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

test('a value in hexadecimal digits that lie apart, and as HTML has it, is masked', () => {
  const value = 's3cr3t-<"&\'é>w0rd';
  const bytes = [...Buffer.from(value)].map((byte) => byte.toString(16).padStart(2, '0'));
  const hex = bytes.join('');
  const table: readonly (readonly [string, string])[] = [
    [`<Buffer 00 ${bytes.join(' ')}>`, '<Buffer 00 ***>'],
    [`SHA: ${bytes.join(':').toUpperCase()}.`, 'SHA: ***.'],
    [`${bytes.join('-')}!`, '***!'],
    [`{ ${bytes.map((byte) => `0x${byte}`).join(', ')} }`, '{ 0x*** }'],
    [`00000000: ${hex.replace(/.{4}/g, '$& ')} s3`, '00000000: ***  s3'],
    [`00000000: 61${hex.replace(/^..|.{4}/g, '$& ')}`, '00000000: 61***'],
    [` ${bytes.slice(0, 10).join(' ')}\n ${bytes.slice(10).join(' ')}\n`, ' ***\n'],
    [bytes.join(' \x1b[32m'), '***\x1b[32m'.padEnd(3 + 5 * (bytes.length - 1), '\x1b[32m')],
    ['<p>s3cr3t-&lt;&quot;&amp;&#39;é&gt;w0rd</p>', '<p>***</p>'],
    ['<p>s3cr3t-&#x3c;&#34;&amp;&apos;&#233;&#062;w0rd</p>', '<p>***</p>'],
    [`&${value};`, '&***;'],
    [`&am${value}&`, '&am***&'],
  ];
  for (const [text, expected] of table) assert.equal(hidden(value, text), expected, text);
});

const inPieces = (value: string, text: string, size: number): string => {
  const masker = maskValues([{ name: 'S', value }]).open();
  const bytes = Buffer.from(text);
  const out: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) out.push(Buffer.from(masker.write(bytes.subarray(at, at + size))));
  return Buffer.concat([...out, masker.end()]).toString();
};

test('a value whose quotes are doubled, as CSV and SQL do, is masked, and no quote beside it', () => {
  const value = `pa"ss'w0"rd`;
  const table: readonly (readonly [string, string, string])[] = [
    [value, `id,"${value.replaceAll('"', '""')}",2`, 'id,"***",2'],
    [value, `VALUES ('${value.replaceAll("'", "''")}', 2)`, "VALUES ('***', 2)"],
    [value, `pa"\x1b[1m"ss'w0""rd`, '***\x1b[1m'],
    ['"quoted words"', '1,"""quoted words""",2', '1,"***",2'],
    ['"quoted words"', 'a""quoted words""b', 'a***b'],
    ["it''s a value", "('it''''s a value')", "('***')"],
    ['{"user":"bob"}', '"{""user"":""bob""}"', '"***"'],
    ['correct "horse" battery', '. correct ""horse', '. ***'],
    ['correct "horse" battery', '. correct ""hors"', '. correct ""hors"'],
    ['correct horse', '""correct horse""', '""***""'],
  ];
  for (const [secret, text, expected] of table)
    for (const size of [1, 3, 400]) assert.equal(inPieces(secret, text, size), expected, text);
});

test('a value with characters by their numbers in braces, as Perl, ES6, Rust and Swift write them, is masked', () => {
  const value = 'grün-€-😀-{x}';
  const table: readonly (readonly [string, string])[] = [
    ['"gr\\x{fc}n-\\x{20ac}-\\x{1f600}-{x}"', '"***"'],
    ['"gr\\u{FC}n-\\u{20AC}-\\u{0001F600}-\\u{7b}x}"', '"***"'],
    ['gr\\u{fc}n-\\u{20ac}-\\u{1f6', '***'],
    ['gr\\u{0000000fc}n-€-😀-{x}', 'gr\\u{0000000fc}n-€-😀-{x}'],
    ['\\x{grün-€-😀-{x}', '\\x{***'],
    ['\\x{ffffffff}grün-€-😀-{x}', '\\x{ffffffff}***'],
    ['\\u{d83d}\\x{}grün-€-😀-{x}', '\\u{d83d}\\x{}***'],
  ];
  for (const [text, expected] of table)
    for (const size of [1, 3, 400]) assert.equal(inPieces(value, text, size), expected, text);
});

test('base64 that is folded into lines inside a text of JSON is masked, also in JSON inside JSON and with \\/ for /', () => {
  const lines = Array.from({ length: 8 }, (_, line) => `${line}?~line>of/a-key`.repeat(3));
  const value = ['-----BEGIN KEY-----', ...lines, '-----END KEY-----'].join('\n');
  const base64 = Buffer.from(value).toString('base64').replace(/=+$/, '').replaceAll(/.{76}/g, '$&\n');
  const json = JSON.stringify({ key: base64 });
  assert.ok(base64.includes('/'));
  const table: readonly (readonly [string, string])[] = [
    [json, '{"key":"***"}'],
    [json.replaceAll('/', '\\/'), '{"key":"***"}'],
    [JSON.stringify({ key: base64.replaceAll('\n', '\r\n') }), '{"key":"***"}'],
    [JSON.stringify({ state: json }), '{"state":"{\\"key\\":\\"***\\"}"}'],
    [JSON.stringify(Buffer.from(value).toString('hex').replaceAll(/.{60}/g, '$&\n')), '"***"'],
  ];
  for (const [text, expected] of table)
    for (const size of [1, 50, 4000]) assert.equal(inPieces(value, text, size), expected, text);
  // Lines that are too short, and backslashes before anything else.
  for (const text of ['YSB2YWx1ZS\\nBvZiBtaW5l', 'YSB2YWx1ZS\\\\nBvZiBtaW5l', 'YSB2YWx1ZS\\\\BvZiBtaW5l'])
    assert.equal(hidden('a value of mine', text), text);
});

test('a value that is cut short where the output ends is masked when at least half of it is there, and eight characters', () => {
  const value = 'correct "horse" battery';
  const table: readonly (readonly [string, string])[] = [
    ['. correct "horse" batter', '. ***'],
    ['. correct "hor', '. ***'],
    ['. correct "ho', '. correct "ho'],
    ['. correct "horse" batter.', '. correct "horse" batter.'],
    ['. correct \\"hor', '. ***'],
    ['. correct \\"horse\\', '. ***'],
    ['. correct \\"horse\\u00', '. ***'],
    ['. correct%20%22hor', '. ***'],
    ['. correct%20%22horse%', '. ***'],
    ['. correct &quot;horse&qu', '. ***'],
    ['. correct \x1b[1m"horse\x1b[0', '. ***\x1b[1m\x1b[0'],
    [`. ${Buffer.from(value).toString('hex').slice(0, 24)}`, '. ***'],
    ['. 636f7272656374202268', '. 636f7272656374202268'],
    [`. ${Buffer.from(`a${value}`).toString('base64').slice(0, 18)}`, '. Y***'],
    [`. ${Buffer.from(value).toString('base64').slice(0, 20).replace(/.{16}/, '$&\n')}`, '. ***'],
    [`. ${Buffer.from(value).toString('base64').slice(0, 16)}\n`, '. ***\n'],
    [`. 63 6f 72 72 65 63 74 20 22 68 6f 72 7`, '. ***'],
  ];
  for (const [text, expected] of table) assert.equal(hidden(value, text), expected, text);
  assert.equal(hidden('short-one', '. short-on'), '. ***');
  assert.equal(hidden('short-one', '. short-o'), '. short-o');
  assert.equal(hidden('password', '. passwor'), '. passwor');
  assert.equal(hidden(`${'x'.repeat(7)}y`.repeat(4), `. ${'x'.repeat(7)}`), `. ${'x'.repeat(7)}`);
});

test('only a letter, a digit or _ beside a short value leaves it, in whatever writing; a byte that is no text does not', () => {
  const table: readonly (readonly [string, string])[] = [
    ['\xfeab1', '\xfe***'],
    ['ab1\xfe', '***\xfe'],
    ['\xa9ab1\xa9', '\xa9***\xa9'],
    ['\xc3ab1\xc3', '\xc3***\xc3'],
    ['\xc3ab1\xc3.', '\xc3***\xc3.'],
    ['\xe2\x80\x9cab1\xe2\x80\x9d', '\xe2\x80\x9c***\xe2\x80\x9d'],
    ['\xf0\x9f\x98\x80ab1\xf0\x9f\x98\x80', '\xf0\x9f\x98\x80***\xf0\x9f\x98\x80'],
    ['\xc3\xa9ab1', '\xc3\xa9ab1'],
    ['ab1\xc3\xa9', 'ab1\xc3\xa9'],
    ['ab1\xe6\x97\xa5', 'ab1\xe6\x97\xa5'],
    ['\xc3\xa9\x1b[1mab1', '\xc3\xa9\x1b[1mab1'],
    ['ab1\x1b[1m\xc3\xa9', 'ab1\x1b[1m\xc3\xa9'],
    ['\xfe\x1b[1mab1\x1b[0m\xfe', '\xfe\x1b[1m***\x1b[0m\xfe'],
    ['%c3%a9ab1', '%c3%a9ab1'],
    ['%fea%621', '%fe***'],
    ['_ab1 1ab1 ab1_', '_ab1 1ab1 ab1_'],
  ];
  for (const [text, expected] of table) {
    for (const size of [1, 2, 400]) {
      const masker = maskValues([{ name: 'S', value: 'ab1' }]).open();
      const bytes = Buffer.from(text, 'latin1');
      const out: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += size)
        out.push(Buffer.from(masker.write(bytes.subarray(at, at + size))));
      assert.equal(Buffer.concat([...out, masker.end()]).toString('latin1'), expected, JSON.stringify(text));
    }
  }
});

test('what cannot become a value any more is passed on at once', () => {
  const masker = maskValues([{ name: 'A', value: 'correct horse' }]).open();
  assert.equal(Buffer.from(masker.write(Buffer.from('line one.\ncorr'))).toString(), 'line one.\n');
  assert.equal(Buffer.from(masker.write(Buffer.from('upt.\n'))).toString(), 'corrupt.\n');
  assert.equal(Buffer.from(masker.write(Buffer.from('correct'))).toString(), '');
  assert.equal(Buffer.from(masker.end()).toString(), 'correct');
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
