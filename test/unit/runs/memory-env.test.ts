import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OrcaError } from '../../../src/errors/orca-error.ts';
import { memoryVariable } from '../../../src/runs/memory-env.ts';
import { mib } from '../../../src/units/brands.ts';

const set = (text: string, limit: number, before: string | null = null): [string, string] => {
  const { name, value } = memoryVariable(text);
  return [name, value(mib(limit), before)];
};

test('java gets three quarters of the limit as its heap, after what the caller has', () => {
  assert.deepEqual(set('java', 1024), ['JAVA_TOOL_OPTIONS', '-Xmx768m']);
  assert.deepEqual(set('java', 1001, '-ea -Xmx9g'), ['JAVA_TOOL_OPTIONS', '-ea -Xmx9g -Xmx750m']);
});

test('a heap is never smaller than a JVM can start with', () => {
  assert.deepEqual(set('java', 1), ['JAVA_TOOL_OPTIONS', '-Xmx2m']);
});

test('node gets three quarters of the limit as its old space', () => {
  assert.deepEqual(set('node', 512, ''), ['NODE_OPTIONS', '--max-old-space-size=384']);
  assert.deepEqual(set('node', 512, '--no-warnings'), ['NODE_OPTIONS', '--no-warnings --max-old-space-size=384']);
});

test('a format of one’s own is filled with the limit or a share of it, in whole numbers', () => {
  assert.deepEqual(set('HEAP={mb}m', 1001), ['HEAP', '1001m']);
  assert.deepEqual(set('HEAP={mb*0.8}', 1001), ['HEAP', '800']);
  assert.deepEqual(set('_x9={bytes}/{bytes*.5}', 1, 'old'), ['_x9', '1048576/524288']);
  assert.deepEqual(set('A=b=c {mb*1}', 3), ['A', 'b=c 3']);
});

test('a small share is 1, not 0, which would mean no limit to many programs', () => {
  assert.deepEqual(set('HEAP={mb*0.001}', 100), ['HEAP', '1']);
});

const refused: [string, RegExp][] = [
  ['ruby', /neither java nor node/],
  ['constructor', /neither java nor node/],
  ['={mb}', /no variable’s name/],
  ['1A={mb}', /no variable’s name/],
  ['A B={mb}', /no variable’s name/],
  ['ORCA_MEMORY_MB={mb}', /orca itself sets/],
  ['HEAP=512', /no \{mb\} or \{bytes\}/],
  ['HEAP={gb}', /\{gb\} is not known/],
  ['HEAP={mb*2}', /no share/],
  ['HEAP={mb*0}', /no share/],
  ['HEAP={mb*}', /is not known/],
  ['HEAP={mb', /no \{mb\}/],
  ['HEAP={mb}}', /a brace stands alone/],
  ['HEAP={mb}\0', /NUL/],
];

for (const [text, why] of refused) {
  test(`${JSON.stringify(text)} is refused, with the reason`, () => {
    assert.throws(
      () => memoryVariable(text),
      (error) => error instanceof OrcaError && error.code === 'memory-env-invalid' && why.test(error.message),
    );
  });
}
