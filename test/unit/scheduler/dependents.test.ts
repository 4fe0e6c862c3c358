import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Changes } from '../../../src/scheduler/changes.ts';
import { afterNames, Dependents, followEnds } from '../../../src/scheduler/dependents.ts';
import type { Scheduler } from '../../../src/scheduler/scheduler.ts';
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
  dependents.leftIn(4, 3, 0);
  assert.deepEqual(dependents.touchedBy(runId(4), 4, true), []);
  assert.deepEqual(dependents.touchedBy(runId(5), 4, false), [10]);
  assert.deepEqual(dependents.touchedBy(runId(6), 4, true), [10, 11]);
});

test('an end that is told while a group’s runs are counted leaves no last end unnoticed', () => {
  const dependents = new Dependents();
  dependents.add(runId(10), [group(4)]);
  const before = dependents.endsIn(4);
  dependents.touchedBy(runId(5), 4, true);
  // The count had begun before that.
  dependents.leftIn(4, 3, before);
  assert.deepEqual(dependents.touchedBy(runId(6), 4, true), []);
  assert.deepEqual(dependents.touchedBy(runId(7), 4, true), [10]);
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

test('a store that cannot be read when a run ends is asked again, and the daemon goes on', async () => {
  let reads = 0;
  const due: (() => void)[] = [];
  const scheduler = {
    dependents: new Dependents(),
    changes: new Changes(),
    closing: false,
    log: { error: () => {} },
    host: { timers: { set: (_after: number, then: () => void) => due.push(then) } },
    store: {
      read: {
        selectFrom: () => {
          reads += 1;
          throw new Error('Connection terminated unexpectedly');
        },
      },
    },
  } as unknown as Scheduler;
  scheduler.dependents.add(runId(10), [run(1)]);
  followEnds(scheduler);
  scheduler.changes.tell(runId(1), true);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([reads, due.length], [1, 1]);
  due.pop()?.();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([reads, due.length], [2, 1]);
});
