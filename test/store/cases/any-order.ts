import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { IllegalTransition, finalStates, isFinal } from '../../../src/runs/transitions.ts';
import { claimStart } from '../../../src/store/claim-start.ts';
import { endStart } from '../../../src/store/end-start.ts';
import { finishRun } from '../../../src/store/finish-run.ts';
import { getRunWithStarts } from '../../../src/store/get-run.ts';
import { requeueRun } from '../../../src/store/requeue-run.ts';
import type { RunWithStarts } from '../../../src/store/run.ts';
import type { Tx } from '../../../src/store/schema.ts';
import { startRunning } from '../../../src/store/start-running.ts';
import { voidStart } from '../../../src/store/void-start.ts';
import { millis, type RunId } from '../../../src/units/brands.ts';
import type { Backend } from '../backend.ts';
import { askKill, aClaim, endOfRun, endOfStart, requeued, running, submit } from '../samples.ts';

type Step = (tx: Tx, run: RunId) => Promise<unknown>;

/** Every write about a run, with any start number, as a confused or late reporter might send it. */
const anyStep: fc.Arbitrary<Step> = fc
  .record({ start: fc.integer({ min: 1, max: 4 }), state: fc.constantFrom(...finalStates), kind: fc.nat(7) })
  .map(({ start, state, kind }): Step => {
    const steps: readonly Step[] = [
      async (tx, run) => claimStart(tx, aClaim(run, start)),
      async (tx, run) => startRunning(tx, running(run, start)),
      async (tx, run) => endStart(tx, endOfStart(run, start, { verdict: state })),
      async (tx, run) => voidStart(tx, run, start, millis(1)),
      async (tx, run) => requeueRun(tx, requeued(run, start)),
      async (tx, run) => finishRun(tx, endOfRun(run, start, { state })),
      async (tx, run) => finishRun(tx, endOfRun(run, null, { state })),
      async (tx, run) => askKill(tx, { run, at: millis(1), by: 'me', now: false }),
    ];
    return steps[kind] ?? assert.fail();
  });

const check = (before: RunWithStarts, after: RunWithStarts): void => {
  const { run, starts } = after;
  const goOn = starts.filter((start) => start.state === 'starting' || start.state === 'running');
  assert.ok(goOn.length <= 1, 'two starts at once');
  if (goOn[0] !== undefined) assert.equal(goOn[0].start, run.current_start);
  if (isFinal(run.state) || run.state === 'queued')
    assert.equal(goOn.length, 0, `${run.state} with a start that goes on`);
  assert.equal(isFinal(run.state), run.ended_at !== null);
  assert.ok(run.current_start >= before.run.current_start);
  if (isFinal(before.run.state)) assert.deepEqual(after, before);
  for (const [index, start] of before.starts.entries()) {
    if (start.ended_at !== null) assert.deepEqual(starts[index], start, 'an ended start changed');
  }
};

export const anyOrderCases = (backend: Backend): void => {
  test('whatever reports come in whatever order, no run has two starts at once and nothing that is over changes', async () => {
    const store = await backend.open();
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 25 }), async (steps) => {
        const run = await submit(store);
        let before = (await getRunWithStarts(store.read, run)) ?? assert.fail();
        for (const step of steps) {
          await store
            .command(async (tx) => step(tx, run))
            .catch((error: unknown) => assert.ok(error instanceof IllegalTransition, String(error)));
          const after = (await getRunWithStarts(store.read, run)) ?? assert.fail();
          check(before, after);
          before = after;
        }
      }),
      { numRuns: store.kind === 'embedded' ? 60 : 20 },
    );
  });
};
