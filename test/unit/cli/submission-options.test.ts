import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyOf, keysOfLines } from '../../../src/cli/key-options.ts';
import { requestFields, type RequestOptions } from '../../../src/cli/request-options.ts';
import { OrcaError } from '../../../src/errors/orca-error.ts';

test('what a run needs, comes after, is found by and tried again for is sent as it was typed', () => {
  const fields = requestFields({
    gpus: '2',
    lock: ['db', 'disk 1', 'db'],
    resource: ['licence', 'disk.io=3'],
    after: ['12,g7:any', '13:any'],
    tag: ['nightly', 'überall', 'nightly'],
    retries: '3',
    retryOn: '75,timed-out,75',
    key: 'k',
    keyWindow: '2h',
  });
  const { gpus, locks, resources, after, tags, retry_on, key_window_ms } = fields;
  assert.deepEqual(
    { gpus, locks, resources, after, tags, retry_on, key_window_ms },
    {
      gpus: 2,
      locks: ['db', 'disk 1'],
      resources: { licence: 1, 'disk.io': 3 },
      after: [
        { run: 12, any: false },
        { group: 7, any: true },
        { run: 13, any: true },
      ],
      tags: ['nightly', 'überall'],
      retry_on: { codes: [75], verdicts: ['timed-out'] },
      key_window_ms: 7_200_000,
    },
  );
  assert.equal(requestFields({ key: 'k', keyWindow: '0' }).key_window_ms, 0);
  const none = requestFields({});
  for (const name of ['gpus', 'locks', 'resources', 'after', 'tags', 'retry_on', 'key_window_ms'] as const)
    assert.ok(!(name in none), `${name} is not sent when nobody said it`);
});

const escape = 'a\u001B[2Jb';
const refused: readonly (readonly [string, RequestOptions, RegExp])[] = [
  ['half a GPU', { gpus: '0.5' }, /^--gpus 0\.5 is refused: a whole number from 0 to 4096/],
  ['a lock with escape bytes', { lock: ['ok', escape] }, /--lock .* is refused: it has characters that would change/],
  ['a lock with a newline', { lock: ['a\nb'] }, /--lock a\nb .* change a terminal/],
  ['a lock with a NUL byte', { lock: ['a\0b'] }, /--lock .* change a terminal/],
  ['a blank lock', { lock: [' '] }, /--lock ' ' is refused: it is empty/],
  ['a lock of 10 kB', { lock: ['x'.repeat(10_000)] }, /^--lock x{60}… is refused: it has more than 100 characters/],
  [
    'very many locks',
    { lock: Array.from({ length: 101 }, (_, at) => `l${at}`) },
    /--lock \(101 of them\).*at most 100/,
  ],
  ['none of a resource', { resource: ['licence=0'] }, /--resource licence=0 is refused: a whole number from 1/],
  ['a resource’s count that is none', { resource: ['licence=two'] }, /--resource licence=two is/],
  ['a resource’s count left empty', { resource: ['licence='] }, /--resource licence= is/],
  ['a resource named twice', { resource: ['a', 'a=2'] }, /--resource a=2 is refused: that resource is named twice/],
  ['a resource without a name', { resource: ['=2'] }, /--resource =2 is refused: a name has 1 to 100/],
  ['a resource with escape bytes', { resource: [escape] }, /a name has only letters, digits/],
  ['a resource of 10 kB', { resource: ['x'.repeat(10_000)] }, /^--resource x{60}… is refused/],
  ['a resource named like what all objects have', { resource: ['__proto__=x'] }, /--resource __proto__=x is refused/],
  ['coming after a name', { after: ['build'] }, /--after build is refused: it is neither the number of a run nor/],
  ['coming after nothing', { after: ['12,'] }, /--after '' is refused/],
  ['coming after another word’s end', { after: ['12:all'] }, /--after 12:all is refused/],
  ['coming after run 0', { after: ['0'] }, /--after 0 is refused/],
  ['coming after a number with a newline', { after: ['12\n'] }, /--after 12\s is refused/],
  ['coming after 10 kB', { after: ['9'.repeat(10_000)] }, /^--after 9{60}… is refused/],
  ['coming after very many', { after: [Array.from({ length: 1001 }, (_, at) => at + 1).join(',')] }, /at most 1000/],
  ['a tag with escape bytes', { tag: [escape] }, /--tag .* change a terminal/],
  ['a tag that turns its text around', { tag: ['a\u202Eb'] }, /--tag .* change a terminal/],
  ['a tag of 10 kB', { tag: ['x'.repeat(10_000)] }, /^--tag x{60}… is refused: it has more than 100/],
  ['retrying on a success', { retries: '1', retryOn: '0' }, /--retry-on 0 is refused: it is neither an exit code/],
  ['retrying on a code that cannot be', { retries: '1', retryOn: '75,256' }, /--retry-on 256/],
  ['retrying on a kill', { retries: '1', retryOn: 'killed' }, /one of failed, timed-out, lost/],
  ['a hole in what is retried', { retries: '1', retryOn: '75,' }, /--retry-on '' is refused/],
  ['a list of what is retried without retries', { retryOn: '75' }, /--retry-on 75 is refused: .* there are none/],
  ['a window without a key', { keyWindow: '1d' }, /--key-window 1d is refused: there is no --key/],
  ['a window without a unit', { key: 'k', keyWindow: '12' }, /12 has no unit/],
  ['a window below nothing', { key: 'k', keyWindow: '-1s' }, /below zero/],
];
/** The options that a hint tells to write, as they would be typed. */
const examplesIn = (hint: string): RequestOptions[] =>
  [...hint.matchAll(/--([a-z-]+) ('[^']*'|[^\s,]*[^\s,.])/g)].map(([, name = '', value = '']) => {
    const many = ['lock', 'resource', 'after', 'tag'].includes(name);
    const key = name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const typed = value.replaceAll("'", '');
    return { [key]: many ? [typed] : typed };
  });

for (const [what, options, sentence] of refused) {
  test(`${what} is refused with a sentence and a hint`, () => {
    assert.throws(
      () => requestFields(options),
      (error) => {
        assert.ok(error instanceof OrcaError);
        assert.equal(error.exitStatus, 120);
        assert.match(error.message, sentence);
        assert.ok(error.hint.length > 10);
        for (const example of examplesIn(error.hint)) requestFields({ retries: '3', key: 'k', ...example });
        assert.ok(error.message.length < 300, 'a long value is told in short');
        return true;
      },
    );
  });
}

test('a resource may have any name that its rule allows, also one that objects have by themselves', () => {
  const { resources = {} } = requestFields({ resource: ['constructor=2', 'toString'] });
  assert.deepEqual(Object.entries(resources), [
    ['constructor', 2],
    ['toString', 1],
  ]);
});

test('a key is one line of plain text', () => {
  assert.equal(keyOf({}), null);
  assert.equal(keyOf({ key: 'build {} für α' }), 'build {} für α');
  for (const key of ['', escape, 'a\0b', 'a\nb', 'x'.repeat(201), 'x'.repeat(10_000)])
    assert.throws(() => keyOf({ key }), { code: 'option-invalid', exitStatus: 120 });
});

test('for a file of lines each has its own key, as the line is; without {} a key is refused', () => {
  assert.equal(keysOfLines({}, ['a']), null);
  assert.deepEqual(keysOfLines({ key: 'press {} {}' }, ['a b', '$&', '{}']), [
    'press a b a b',
    'press $& $&',
    'press {} {}',
  ]);
  assert.throws(() => keysOfLines({ key: 'press' }, []), {
    message: '--key press is refused: all lines would have the same key; `{}` in it stands for the line.',
  });
  for (const line of [escape, 'x'.repeat(10_000)])
    assert.throws(
      () => keysOfLines({ key: 'k-{}' }, ['ok', line]),
      (error) => {
        assert.ok(error instanceof OrcaError && error.code === 'option-invalid');
        assert.match(error.message, /^--key k-\{\} with the line /);
        return error.message.length < 300;
      },
    );
});
