import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withHints, type Told } from '../../../src/runs/start-hints.ts';
import { threadsOf, threadVariables } from '../../../src/runs/thread-hints.ts';
import { withoutStartVariables } from '../../../src/settings/start-variables.ts';
import { mib } from '../../../src/units/brands.ts';

const told = (change: Partial<Told> = {}): Told => ({ threads: null, limit: mib(1024), memoryEnv: [], ...change });
const env = (entries: readonly string[]): Record<string, string> =>
  Object.fromEntries(entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]));

test('a start that is told nothing has the environment of its run, entry by entry', () => {
  const entries = ['A=1', 'A=2', 'odd'];
  assert.equal(withHints(entries, told()), entries);
});

test('every thread variable that the caller did not set has the number of threads', () => {
  const made = env(withHints(['OMP_NUM_THREADS=3', 'MKL_NUM_THREADS=', 'A=x=y'], told({ threads: 2 })));
  assert.equal(made['OMP_NUM_THREADS'], '3');
  assert.equal(made['A'], 'x=y');
  for (const name of threadVariables.filter((one) => one !== 'OMP_NUM_THREADS')) assert.equal(made[name], '2', name);
});

test('parts of a cpu are a whole thread', () => {
  assert.deepEqual([1, 500, 1000, 1001, 4000].map(threadsOf), [1, 1, 1, 2, 4]);
});

test('a bigger limit gives the bigger heap', () => {
  const heap = (limit: number): string | undefined =>
    env(withHints(['JAVA_TOOL_OPTIONS=-ea'], told({ limit: mib(limit), memoryEnv: ['java', 'X={mb}'] })))[
      'JAVA_TOOL_OPTIONS'
    ];
  assert.deepEqual([heap(400), heap(800)], ['-ea -Xmx300m', '-ea -Xmx600m']);
});

test('what was asked for twice is there twice', () => {
  assert.equal(env(withHints([], told({ memoryEnv: ['java', 'java'] })))['JAVA_TOOL_OPTIONS'], '-Xmx768m -Xmx768m');
});

test('a run that is submitted from inside a start does not take that start’s hints for its caller’s', () => {
  const caller = { PATH: '/bin', NODE_OPTIONS: '--no-warnings', GOMAXPROCS: '7', RAYON_NUM_THREADS: '' };
  const entries = Object.entries(caller).map(([name, value]) => `${name}=${value}`);
  const inside = env(withHints(entries, told({ threads: 2, memoryEnv: ['node', 'java', 'HEAP={mb}'] })));
  assert.equal(inside['NODE_OPTIONS'], '--no-warnings --max-old-space-size=768');
  assert.deepEqual(withoutStartVariables(inside), caller);
});

test('what the command of a start changed itself is its wish', () => {
  const inside = env(withHints([], told({ threads: 2 })));
  assert.deepEqual(withoutStartVariables({ ...inside, OMP_NUM_THREADS: '5' }), { OMP_NUM_THREADS: '5' });
});

for (const bad of ['', '{', '[]', 'null', '{"A":1}', '{"A":["1"]}', '{"A":[1,null]}']) {
  test(`a variable of hints that holds ${JSON.stringify(bad)} takes nothing back`, () => {
    assert.deepEqual(withoutStartVariables({ A: '1', ORCA_HINTS: bad }), { A: '1' });
  });
}
