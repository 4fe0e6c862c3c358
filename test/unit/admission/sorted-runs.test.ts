import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SortedRuns } from '../../../src/admission/sorted-runs.ts';
import { runId } from '../../../src/units/brands.ts';

const numbers = <T extends { readonly run: number }>(runs: Iterable<T>): number[] => [...runs].map(({ run }) => run);

test('whatever is added and removed, in whatever order, it is in the order of the numbers', () => {
  const step = fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 1500 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const runs = new SortedRuns<{ run: ReturnType<typeof runId> }>();
      const model = new Set<number>();
      for (const [adds, from, count] of steps) {
        for (let at = 0; at < count; at += 1) {
          // Neighbours do not come one after the other.
          const run = from + ((at * 7) % count);
          if (!adds) runs.remove(runId(run));
          else if (!model.has(run)) runs.add({ run: runId(run) });
          if (adds) model.add(run);
          else model.delete(run);
        }
      }
      const sorted = [...model].sort((a, b) => a - b);
      assert.deepEqual(numbers(runs), sorted);
      assert.deepEqual([runs.size, runs.first?.run ?? null], [sorted.length, sorted[0] ?? null]);
      for (const index of [0, 1, 511, 512, 513, sorted.length - 1, sorted.length])
        assert.equal(runs.at(index)?.run ?? null, sorted[index] ?? null);
      for (const run of [1, 512, 1000, 2222, 5000]) {
        assert.equal(runs.before(runId(run)), sorted.filter((one) => one < run).length);
        assert.equal(runs.get(runId(run))?.run ?? null, model.has(run) ? run : null);
      }
    }),
    { numRuns: 60 },
  );
});

test(
  'hundreds of thousands are taken from behind as many others, and put back, without the daemon standing still',
  {
    timeout: 60_000,
  },
  () => {
    const runs = new SortedRuns<{ run: ReturnType<typeof runId> }>();
    const most = 300_000;
    for (let run = 1; run <= 2 * most; run += 1) runs.add({ run: runId(run) });
    for (let run = most + 1; run <= 2 * most; run += 1) runs.remove(runId(run));
    assert.equal(runs.size, most);
    for (let run = 2 * most; run > most; run -= 1) runs.add({ run: runId(run) });
    assert.deepEqual([runs.size, runs.before(runId(most + 5))], [2 * most, most + 4]);
  },
);
