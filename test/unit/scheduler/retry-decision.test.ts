import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verdict } from '../../../src/evidence/verdict.ts';
import { noExtras } from '../../../src/runs/extras.ts';
import { usualOomRules, type OomRules } from '../../../src/runs/oom-rules.ts';
import { retryDecision, type Following } from '../../../src/scheduler/retry-decision.ts';
import type { Parent } from '../../../src/scheduler/live-start.ts';
import { loadSettings } from '../../../src/settings/load-settings.ts';
import { bytesOfMib, mib, mibOfBytes, runId } from '../../../src/units/brands.ts';
import { code, mark, own, shared, signal, start } from '../evidence/a-start.ts';

const { settings } = await loadSettings({ env: {}, homeFolder: '/home/ada', files: [], readText: () => null });
const memory = bytesOfMib(mib(100_000));
const daemon = {
  settings,
  budget: { cpusMilli: 4000, memory, cores: 4, reserve: memory },
  host: { random: () => 0.5 },
};

/** What follows the end of a start at 1000 MB of a run that asked for 1000 to 4000 MB. */
const after = (
  evidence: ReturnType<typeof start>,
  oom: Partial<OomRules> = {},
  parent: Parent | null = null,
  placement: string | null = null,
): Following =>
  retryDecision(
    daemon,
    {
      memory_min_bytes: bytesOfMib(mib(1000)),
      memory_max_bytes: bytesOfMib(mib(4000)),
      retries: 0,
      oom: { ...usualOomRules, ...oom },
      extras: noExtras,
      ordinary_used: 0,
      oom_used: 0,
      kill_at: null,
      settings: {},
      placement,
      parent_run: parent?.run ?? null,
    },
    { limit: mib(placement === null ? 1000 : 1024), parent },
    verdict(evidence),
  );

const reported = start(signal(9, { shared: shared(3, 4) }));

test('what a shared counter reports is not tried again by itself, teaches later runs nothing, and says what would allow it', () => {
  const { decision, text, nextLimit, raised } = after(reported);
  assert.equal(decision.next === 'final' && decision.state, 'out-of-memory');
  assert.deepEqual([nextLimit, raised], [null, null]);
  assert.match(text, /as reported, not proved.*\. That is not proved.*`--oom-retry=reported`/);
});

test('with --oom-retry=reported it is tried again, at the same size, and still teaches nothing', () => {
  const { decision, text, nextLimit, raised } = after(reported, { retry: 'reported' });
  assert.deepEqual(decision, { next: 'again', counts: 'oom', afterMs: 1000, raised: null });
  assert.equal(nextLimit === null ? null : mibOfBytes(nextLimit), 1000);
  assert.equal(raised, null);
  assert.match(text, /tried again at the same size, 1000 MB\.$/);
});

test('on control no start gets more than its cap: one that died there fails at once, and says how to ask for more', () => {
  const died = start(signal(9, { marks: [mark('cap', 'used much')] }));
  const { decision, text, nextLimit } = after(died, {}, null, 'control');
  assert.deepEqual([decision.next === 'final' && decision.state, nextLimit], ['out-of-memory', null]);
  assert.match(
    text,
    /need more than 1024 MB, the most that a run on control may have.* raise ORCA_CONTROL_MEMORY_MB\.$/,
  );
});

test('inside another run a raise stays within what that one has', () => {
  const parent: Parent = { run: runId(7), start: 1, folder: '/s/7.1', limit: mib(1200), cgroup: null };
  const died = start(signal(9, { marks: [mark('cap', 'used much')] }));
  const raisedTo = (limit: number): unknown => after(died, {}, { ...parent, limit: mib(limit) }).decision;
  assert.deepEqual(raisedTo(1200), { next: 'again', counts: 'oom', afterMs: 0, raised: 1200 });
  const { decision } = after(died, {}, { ...parent, limit: mib(1000) });
  assert.equal(decision.next === 'final' && decision.state, 'out-of-memory');
});

test('--oom-retry=reported leaves what is proved as it is: a bigger start', () => {
  const { decision } = after(start(signal(9, { cgroup: own(1, 1) })), { retry: 'reported' });
  assert.deepEqual(decision, { next: 'again', counts: 'oom', afterMs: 0, raised: 1500 });
});

test('a declared ending gets a bigger start and teaches later runs; with --oom-retry=never it only teaches', () => {
  const declared = start(code(134), { oomExitCodes: [134] });
  const { decision, raised } = after(declared);
  assert.deepEqual(decision, { next: 'again', counts: 'oom', afterMs: 0, raised: 1500 });
  assert.equal(raised === null ? null : mibOfBytes(raised), 1500);
  const never = after(declared, { retry: 'never' });
  assert.equal(never.decision.next, 'final');
  assert.equal(never.raised, raised);
});
