import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Evidence } from '../../../src/evidence/evidence.ts';
import { verdict } from '../../../src/evidence/verdict.ts';
import { code, inside, mark, own, shared, signal, start } from './a-start.ts';

const says = (evidence: Evidence): readonly unknown[] => {
  const { verdict: name, evidence: how, raises, teaches } = verdict(evidence);
  return [name, how, raises, teaches];
};
const killed = (before: number, after: number): ReturnType<typeof signal> =>
  signal(9, { shared: shared(before, after) });

test('a run that is killed when its parent’s cgroup counts kills died with it, and no bigger limit is proved to help', () => {
  for (const ended of [true, false]) {
    const evidence = start(killed(0, 2), { parent: inside(ended) });
    assert.deepEqual(says(evidence), ['out-of-memory', 'parent-cgroup', false, false]);
    assert.match(
      verdict(evidence).text,
      /^out of memory with run 7, inside which it ran: the kernel killed processes of that run's cgroup/,
    );
  }
});

test('a run that is killed after its parent ended was ended with it', () => {
  const evidence = start(killed(1, 1), { parent: inside(true) });
  assert.deepEqual(says(evidence), ['killed', 'parent-end', false, false]);
  assert.match(verdict(evidence).text, /^killed: run 7, inside which it ran, ended before it/);
});

test('a SIGKILL while the parent goes on and counts no kill stays unexplained', () => {
  assert.deepEqual(says(start(killed(1, 1), { parent: inside(false) })), ['failed', null, false, false]);
});

test('a counter that is not the parent’s cgroup’s is reported as any other', () => {
  assert.deepEqual(says(start(killed(1, 2), { parent: inside(false, false) })).slice(0, 2), [
    'out-of-memory',
    'shared-counter',
  ]);
});

test('what a run inside another did itself comes first: its code, its cap, its limit of time, a person', () => {
  const parent = inside(true);
  assert.deepEqual(says(start(code(0), { parent })).slice(0, 2), ['succeeded', null]);
  assert.deepEqual(says(start(code(3, { shared: shared(0, 1) }), { parent })).slice(0, 2), ['failed', null]);
  for (const [name, how] of [
    ['cap', 'sampled-cap'],
    ['timer', 'timer'],
    ['user', 'user-kill'],
  ] as const)
    assert.equal(says(start(signal(9, { marks: [mark(name)], shared: shared(0, 1) }), { parent }))[1], how);
});

test('a run of its own is judged as ever', () => {
  assert.equal(says(start(signal(9, { cgroup: own(0, 1), shared: shared(0, 1) })))[1], 'host');
  assert.equal(says(start(killed(1, 1)))[0], 'failed');
});
