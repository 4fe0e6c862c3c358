import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  afterStart,
  backOff,
  mayStartTwice,
  type Decision,
  type EndedStart,
  type RetryRun,
  type RetryTerms,
} from '../../../src/runs/retry.ts';
import type { Verdict } from '../../../src/runs/states.ts';
import { mib } from '../../../src/units/brands.ts';

const plain: RetryRun = {
  request: null,
  retries: 0,
  retryOn: null,
  oomRetry: 'proved',
  used: { ordinary: 0, oom: 0 },
  killAsked: false,
};
const range = { min: mib(1000), max: mib(4000) };
const fixed = { min: mib(1000), max: mib(1000) };
const oomBound = 5;
const terms: RetryTerms = { growthPct: 150, ceiling: mib(4000), random: 0.5, oomBound };
const killedForMemory: EndedStart = {
  verdict: 'out-of-memory',
  evidence: 'own-cgroup',
  raises: true,
  limit: mib(1000),
  exitCode: null,
};
const ended = (verdict: Verdict, exitCode: number | null = null): EndedStart => ({
  verdict,
  evidence: null,
  raises: false,
  limit: mib(1000),
  exitCode,
});
const everything = { codes: [], verdicts: ['failed', 'timed-out', 'lost'] } as const;

const finalOf = (decision: Decision) => {
  assert.equal(decision.next, 'final');
  return decision.next === 'final' ? decision : assert.fail();
};
const againOf = (decision: Decision) => {
  assert.equal(decision.next, 'again', JSON.stringify(decision));
  return decision.next === 'again' ? decision : assert.fail();
};

test('a success is final, also after a person asked for the end', () => {
  for (const killAsked of [false, true]) {
    assert.equal(
      finalOf(afterStart({ ...plain, retries: 9, killAsked }, ended('succeeded'), terms)).state,
      'succeeded',
    );
  }
});

test('after a person’s kill there is no further start, whatever the start’s verdict', () => {
  for (const verdict of ['failed', 'timed-out', 'lost', 'killed'] as const) {
    const run = { ...plain, retries: 9, retryOn: everything, killAsked: true };
    assert.equal(finalOf(afterStart(run, ended(verdict), terms)).state, 'killed', verdict);
  }
  const run = { ...plain, request: range, killAsked: true };
  assert.equal(finalOf(afterStart(run, killedForMemory, terms)).state, 'killed');
});

test('a kill that came after the start’s end stops further starts, and the start’s verdict is the run’s', () => {
  const after = { ...plain, retries: 9, killAsked: true, killedAfterEnd: true };
  for (const verdict of ['failed', 'timed-out', 'lost'] as const)
    assert.equal(finalOf(afterStart({ ...after, retryOn: everything }, ended(verdict), terms)).state, verdict);
  assert.equal(finalOf(afterStart({ ...after, request: range }, killedForMemory, terms)).state, 'out-of-memory');
});

test('a killed start is final though nobody’s kill is recorded on the run', () => {
  assert.equal(finalOf(afterStart({ ...plain, retries: 9 }, ended('killed'), terms)).state, 'killed');
});

test('failed and lost starts use up the retries', () => {
  for (const verdict of ['failed', 'lost'] as const) {
    for (const [retries, ordinary, next] of [
      [0, 0, 'final'],
      [1, 0, 'again'],
      [1, 1, 'final'],
      [3, 2, 'again'],
      [3, 3, 'final'],
    ] as const) {
      const decision = afterStart({ ...plain, retries, used: { ordinary, oom: 5 } }, ended(verdict), terms);
      assert.equal(decision.next, next, `${verdict} ${ordinary} of ${retries}`);
      if (decision.next === 'again') assert.deepEqual([decision.counts, decision.raised], ['ordinary', null]);
    }
  }
});

test('a timed-out start is tried again only when the run says so', () => {
  assert.equal(finalOf(afterStart({ ...plain, retries: 3 }, ended('timed-out'), terms)).state, 'timed-out');
  const run: RetryRun = { ...plain, retries: 3, retryOn: { codes: [], verdicts: ['timed-out'] } };
  assert.equal(againOf(afterStart(run, ended('timed-out'), terms)).counts, 'ordinary');
  assert.equal(finalOf(afterStart(run, ended('failed'), terms)).state, 'failed');
});

test('exit codes that are named are tried again, other failures are not and say why, and lost starts are whatever is named', () => {
  const run: RetryRun = { ...plain, retries: 3, retryOn: { codes: [75, 111], verdicts: [] } };
  for (const code of [75, 111]) assert.equal(againOf(afterStart(run, ended('failed', code), terms)).counts, 'ordinary');
  for (const code of [1, 7, 175, null]) {
    const { because } = finalOf(afterStart(run, ended('failed', code), terms));
    assert.equal(because, 'It is not tried again: `--retry-on` does not name that.');
  }
  assert.equal(finalOf(afterStart(run, ended('timed-out', 75), terms)).state, 'timed-out');
  againOf(afterStart(run, ended('lost'), terms));
  againOf(afterStart({ ...run, retryOn: { codes: [75], verdicts: ['timed-out'] } }, ended('timed-out'), terms));
  againOf(afterStart({ ...run, retryOn: { codes: [75], verdicts: ['failed'] } }, ended('failed', 1), terms));
  assert.equal(finalOf(afterStart({ ...run, retries: 0 }, ended('failed', 1), terms)).because, null);
});

test('a range is raised at once, in its own bound', () => {
  const again = againOf(
    afterStart({ ...plain, request: range, used: { ordinary: 0, oom: 4 } }, killedForMemory, terms),
  );
  assert.deepEqual(again, { next: 'again', counts: 'oom', afterMs: 0, raised: 1500 });
  assert.equal(
    againOf(afterStart({ ...plain, request: range }, { ...killedForMemory, limit: mib(3000) }, terms)).raised,
    4000,
  );
});

test('memory retries stop at their own bound and leave the ordinary ones untouched', () => {
  const run: RetryRun = { ...plain, request: range, retries: 9, used: { ordinary: 0, oom: oomBound } };
  assert.match(finalOf(afterStart(run, killedForMemory, terms)).because ?? '', /5 times/);
  assert.equal(againOf(afterStart(run, ended('failed'), terms)).counts, 'ordinary');
  const failedOften: RetryRun = { ...run, used: { ordinary: 9, oom: oomBound - 1 } };
  assert.equal(againOf(afterStart(failedOften, killedForMemory, terms)).counts, 'oom');
});

test('killed at the request’s maximum it fails at once, and says how to ask for more', () => {
  const atTop = { ...killedForMemory, limit: mib(4000) };
  const { state, because } = finalOf(afterStart({ ...plain, request: range, retries: 9 }, atTop, terms));
  assert.equal(state, 'out-of-memory');
  assert.match(because ?? '', /more than 4000 MB.*not tried again.*--memory 1000MB\.\.8000MB/);
});

test('a fixed size fails at once, with --retries too', () => {
  for (const retries of [0, 2]) {
    const run = { ...plain, request: fixed, retries };
    const { because } = finalOf(afterStart(run, killedForMemory, { ...terms, ceiling: mib(1000) }));
    assert.match(because ?? '', /more than 1000 MB.*--memory 1000MB\.\.2000MB/);
  }
});

test('a growth of exactly 1 fails like the maximum, and says that it is the growth', () => {
  const { because } = finalOf(afterStart({ ...plain, request: range }, killedForMemory, { ...terms, growthPct: 100 }));
  assert.match(because ?? '', /ORCA_RUN_MEMORY_GROWTH is 1/);
});

test('without a request nothing is started twice, unless --retries allows it', () => {
  const { because } = finalOf(afterStart(plain, killedForMemory, terms));
  assert.match(because ?? '', /nobody allowed.*--memory 1000MB\.\.2000MB/);
  assert.equal(againOf(afterStart({ ...plain, retries: 1 }, killedForMemory, terms)).raised, 1500);
  const atRoom = { ...killedForMemory, limit: mib(4000) };
  assert.match(finalOf(afterStart({ ...plain, retries: 1 }, atRoom, terms)).because ?? '', /can be granted here/);
});

test('a machine that ran out is tried again at the same size, with a back-off, where a second start is allowed', () => {
  for (const evidence of ['host', 'kernel-log']) {
    const start: EndedStart = { ...killedForMemory, evidence, raises: false };
    const again = againOf(afterStart({ ...plain, request: range, used: { ordinary: 0, oom: 1 } }, start, terms));
    assert.deepEqual(again, { next: 'again', counts: 'oom', afterMs: 2000, raised: null });
    assert.equal(againOf(afterStart({ ...plain, request: fixed, retries: 1 }, start, terms)).raised, null);
    assert.equal(finalOf(afterStart({ ...plain, request: fixed }, start, terms)).state, 'out-of-memory');
    const spent = { ...plain, request: range, used: { ordinary: 0, oom: oomBound } };
    assert.equal(finalOf(afterStart(spent, start, terms)).state, 'out-of-memory');
  }
});

test('what is only reported is tried again only with --oom-retry=reported, at the same size', () => {
  const start: EndedStart = { ...killedForMemory, evidence: 'shared-counter', raises: false };
  const run: RetryRun = { ...plain, request: range, retries: 3 };
  assert.match(
    finalOf(afterStart(run, start, terms)).because ?? '',
    /not proved.*`--oom-retry=reported`.*`orca retry`/,
  );
  const again = againOf(afterStart({ ...run, oomRetry: 'reported' }, start, terms));
  assert.deepEqual([again.counts, again.raised], ['oom', null]);
});

test('what died with the run inside which it ran is not tried again', () => {
  const start: EndedStart = { ...killedForMemory, evidence: 'parent-cgroup', raises: false };
  const run: RetryRun = { ...plain, request: range, retries: 3, oomRetry: 'reported' };
  // Also when the end of that run has already been recorded as what ends it.
  for (const killAsked of [false, true])
    assert.equal(finalOf(afterStart({ ...run, killAsked }, start, terms)).state, 'out-of-memory');
});

test('with --oom-retry=never no memory verdict is tried again', () => {
  const run: RetryRun = { ...plain, request: range, retries: 3, oomRetry: 'never' };
  for (const raises of [true, false]) {
    for (const evidence of ['own-cgroup', 'host', 'shared-counter']) {
      assert.equal(finalOf(afterStart(run, { ...killedForMemory, evidence, raises }, terms)).state, 'out-of-memory');
    }
  }
});

test('the back-off doubles from 1 s to 5 minutes, give or take 20 %', () => {
  assert.deepEqual(
    [0, 1, 2, 8, 9, 1000].map((given) => backOff(given, 0.5)),
    [1000, 2000, 4000, 256_000, 300_000, 300_000],
  );
  assert.deepEqual([backOff(0, 0), backOff(0, 1)], [800, 1200]);
  // A longer first wait is what was asked for, and the longest.
  assert.deepEqual(
    [0, 1, 9].map((given) => backOff(given, 0.5, 86_400_000)),
    [86_400_000, 86_400_000, 86_400_000],
  );
});

test('no sequence of ends starts a run more often than its bounds allow, and a raise only ever grows within the ceiling', () => {
  const verdict = fc.constantFrom<Verdict>('failed', 'lost', 'timed-out', 'out-of-memory');
  const step = fc.record({
    verdict,
    raises: fc.boolean(),
    evidence: fc.constantFrom('host', 'held', 'shared-counter'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.nat(4), fc.boolean(), (steps, retries, ranged) => {
      let run: RetryRun = { ...plain, retries, request: ranged ? range : fixed, oomRetry: 'reported' };
      let limit = mib(1000);
      let starts = 1;
      const ceiling = run.request?.max ?? mib(0);
      for (const { verdict, raises, evidence } of steps) {
        const decision = afterStart(run, { verdict, raises, evidence, limit, exitCode: null }, { ...terms, ceiling });
        if (decision.next === 'final') break;
        assert.ok(mayStartTwice(run), 'a second start needs consent');
        starts += 1;
        if (decision.raised !== null) {
          assert.ok(decision.raised > limit && decision.raised <= ceiling);
          limit = decision.raised;
        }
        run = { ...run, used: { ...run.used, [decision.counts]: run.used[decision.counts] + 1 } };
      }
      assert.ok(starts <= 1 + retries + oomBound);
    }),
  );
});

test('that more would help is told as declared, not as a fact, where only the user’s word says so', () => {
  const declared: EndedStart = { ...killedForMemory, evidence: 'declared', limit: mib(4000) };
  const because = (run: RetryRun, end: EndedStart): string => finalOf(afterStart(run, end, terms)).because ?? '';
  for (const request of [null, { ...range, max: mib(8000) }, range]) {
    assert.match(because({ ...plain, request }, declared), /^By what was declared it would need more than 4000 MB, /);
    assert.match(because({ ...plain, request }, { ...declared, evidence: 'own-cgroup' }), /^It would need more than/);
  }
});
