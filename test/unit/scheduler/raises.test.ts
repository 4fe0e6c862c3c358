import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verdict } from '../../../src/evidence/verdict.ts';
import type { Raise } from '../../../src/runs/raise.ts';
import { keepRaise, knownRaise, raiseAfterEnd, type RaiseChange } from '../../../src/scheduler/raises.ts';
import type { Scheduler } from '../../../src/scheduler/scheduler.ts';
import type { Run } from '../../../src/store/run.ts';
import { bytes, type Bytes } from '../../../src/units/brands.ts';
import { code, mb, own, shared, signal, start } from '../evidence/a-start.ts';

const run = {
  cwd: '/data',
  argv: ['build'],
  memory_min_bytes: bytes(1000 * mb),
  memory_max_bytes: bytes(4000 * mb),
} as unknown as Run;

const daemon = () => {
  const scheduler = { raises: new Map<string, Raise>() } as unknown as Scheduler;
  /** What the end of a start of the command does, kept as the daemon keeps it. */
  const end = (evidence: Parameters<typeof verdict>[0], raised: Bytes | null = null): RaiseChange | null => {
    const change = raiseAfterEnd(scheduler, run, { raised, teaches: verdict(evidence).teaches });
    if (change !== null) keepRaise(scheduler, change);
    return change;
  };
  return { known: () => knownRaise(scheduler, run), end };
};
const died = signal(9, { cgroup: own(1, 1) });
const raise = bytes(1500 * mb);

test('a raise ends after the 20th later success', () => {
  const { known, end } = daemon();
  end(start(died), raise);
  for (let n = 1; n < 20; n += 1) end(start(code(0)));
  assert.equal(known(), raise);
  end(start(code(0)));
  assert.equal(known(), null);
});

test('failures, kills, and successes in which a child died for memory do not count among the 20', () => {
  const { known, end } = daemon();
  end(start(died), raise);
  for (let n = 0; n < 40; n += 1) {
    assert.equal(end(start(code(1))), null);
    assert.equal(end(start(signal(9))), null);
    assert.equal(end(start(code(0, { cgroup: own(1, 1) }))), null);
    assert.equal(end(start(signal(9, { shared: shared(0, 1) }))), null);
  }
  assert.equal(known(), raise);
});

test('a later, smaller raise leaves the bigger one as it is', () => {
  const { known, end } = daemon();
  end(start(died), raise);
  end(start(died), bytes(1200 * mb));
  assert.equal(known(), raise);
});
