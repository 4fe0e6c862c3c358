import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Evidence, ExitFacts, KillMark } from '../../../src/evidence/evidence.ts';
import { verdict, type Judgement } from '../../../src/evidence/verdict.ts';
import type { Verdict } from '../../../src/runs/states.ts';

const maybe = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(one, { nil: null });
const size = maybe(fc.nat({ max: 2 ** 40 }));
const word = fc.string({ unit: 'binary', maxLength: 8 });
const count = fc.oneof(fc.constantFrom('0', '1', '2', 'max', '', '18446744073709551615'), word);
const events = fc.tuple(count, count).map(([oom, kill]) => `oom ${oom}\noom_kill ${kill}\n`);
const mark = fc.record<KillMark>({
  mark: fc.constantFrom('user', 'timer', 'held', 'cap', 'none'),
  at_ms: fc.nat(),
  oom_kill: maybe(fc.nat(2)),
  text: word,
});
const exit = fc.record<ExitFacts>({
  keeper: fc.constantFrom('native', 'sh'),
  how: fc.constantFrom('exited', 'signalled', 'not-started', 'keeper-died', 'unknown'),
  code: maybe(fc.oneof(fc.constantFrom(0, 1, 137), fc.nat(255))),
  signal: maybe(fc.oneof(fc.constantFrom(9, 15), fc.nat(64))),
  failed: maybe(
    fc.record({ stage: fc.oneof(fc.constantFrom('exec', 'cwd'), word), errno: maybe(fc.integer()), message: word }),
  ),
  marks: fc.array(mark, { maxLength: 3 }),
  cgroup: maybe(
    fc.record({
      path: word,
      events: maybe(events),
      peak: maybe(count),
      oomd_kill: maybe(count),
      oomd_ooms: maybe(count),
    }),
  ),
  shared: maybe(fc.record({ file: word, before: maybe(events), after: maybe(events) })),
});
const anything = fc.record<Evidence>({
  exit: maybe(exit),
  begun: fc.boolean(),
  refused: maybe(fc.record({ stage: word, errno: maybe(fc.integer()), message: word })),
  lost: fc.constantFrom(null, 'keeper-died', 'reboot', 'heartbeat'),
  heldWhenLost: fc.boolean(),
  parent: maybe(fc.record({ run: fc.nat(), ended: fc.boolean(), counted: fc.boolean() })),
  personKill: maybe(fc.record({ by: word })),
  ownEvents: maybe(events),
  kernelLog: fc.oneof(
    fc.constantFrom('unread' as const, 'nothing' as const),
    fc.record({ pid: fc.nat(), ownMemcg: fc.boolean() }),
  ),
  inPidNamespace: fc.boolean(),
  runnerWord: maybe(word),
  oomExitCodes: fc.array(fc.nat(255), { maxLength: 2 }),
  oomTextMatched: maybe(word),
  limitBytes: size,
  killAtBytes: size,
  capBytes: size,
  lastRssBytes: size,
  timeoutMs: size,
  program: word,
  cwd: word,
});
const always = (name: string, holds: (evidence: Evidence, judged: Judgement) => void): void => {
  test(name, () =>
    fc.assert(
      fc.property(anything, (evidence) => holds(evidence, verdict(evidence))),
      { numRuns: 2000 },
    ),
  );
};
const zero = (evidence: Evidence): boolean => evidence.exit?.how === 'exited' && evidence.exit.code === 0;

const words: readonly Verdict[] = ['succeeded', 'failed', 'out-of-memory', 'killed', 'timed-out', 'lost'];

always('every combination has a verdict and a printable text', (_, judged) => {
  assert.ok(words.includes(judged.verdict));
  assert.ok(judged.text.length > 0);
  assert.doesNotMatch(judged.text, /undefined|NaN|\[object|[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
});

always('exit 0, and nothing else, is succeeded', (evidence, judged) => {
  assert.equal(judged.verdict === 'succeeded', zero(evidence));
});

always("a person's kill of a live process that did not end with 0 is killed", (evidence, judged) => {
  if (evidence.exit?.marks.some(({ mark: name }) => name === 'user') !== true || zero(evidence)) return;
  assert.equal(judged.verdict, 'killed');
});

always('only out-of-memory raises, only success teaches, and a mere report does neither', (_, judged) => {
  if (judged.raises) assert.equal(judged.verdict, 'out-of-memory');
  if (judged.teaches) assert.equal(judged.verdict, 'succeeded');
  if (!judged.proven) assert.deepEqual([judged.raises, judged.teaches], [false, false]);
});

always('an out-of-memory text begins with it, and with the limit where there is one', (evidence, judged) => {
  if (judged.verdict !== 'out-of-memory') return;
  // Of one that died with the run around it no limit of its own was reached.
  if (judged.evidence === 'parent-cgroup') assert.match(judged.text, /^out of memory with run \d+,/);
  else
    assert.match(judged.text, evidence.limitBytes === null ? /^out of memory[:,]/ : /^out of memory at \S+ [MG]B[:,]/);
});

always('a verdict of out-of-memory, killed or lost names its evidence', (_, judged) => {
  if (['out-of-memory', 'killed', 'lost', 'timed-out'].includes(judged.verdict)) assert.notEqual(judged.evidence, null);
});
