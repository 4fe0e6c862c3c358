import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterNames, Dependents } from '../../../src/scheduler/dependents.ts';
import { runId } from '../../../src/units/brands.ts';

const run = (number: number, any = false) => ({ run: runId(number), any });
const group = (number: number, any = false) => ({ group: number, any });

test('the end of a run concerns whoever comes after it, and nobody else', () => {
  const dependents = new Dependents();
  dependents.add(runId(10), [run(1), run(2)]);
  dependents.add(runId(11), [run(2, true)]);
  assert.deepEqual(dependents.touchedBy(runId(1), null, true), [10]);
  assert.deepEqual(dependents.touchedBy(runId(2), null, false), [10, 11]);
  assert.deepEqual(dependents.touchedBy(runId(3), null, true), []);
});

test('of a group’s runs the last that ends concerns them, and one that did not succeed those who need that', () => {
  const dependents = new Dependents();
  dependents.add(runId(10), [group(4)]);
  dependents.add(runId(11), [group(4, true)]);
  dependents.leftIn(4, 3);
  assert.deepEqual(dependents.touchedBy(runId(4), 4, true), []);
  assert.deepEqual(dependents.touchedBy(runId(5), 4, false), [10]);
  assert.deepEqual(dependents.touchedBy(runId(6), 4, true), [10, 11]);
});

test('who is removed is concerned by nothing any more, and nothing of it is kept', () => {
  const dependents = new Dependents();
  dependents.add(runId(10), [run(1), group(4)]);
  assert.equal(dependents.size, 1);
  dependents.remove(runId(10));
  assert.deepEqual([dependents.size, dependents.of(runId(10))], [0, []]);
  assert.deepEqual([dependents.touchedBy(runId(1), null, true), dependents.touchedBy(runId(4), 4, false)], [[], []]);
});

test('what has to be over is named by its handles', () => {
  assert.deepEqual(afterNames([run(3), group(5, true)]), ['run 3', 'group g5']);
});
