import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noEvidence } from '../../../src/evidence/evidence.ts';
import { verdict, type Judgement } from '../../../src/evidence/verdict.ts';
import { parseExit } from '../../../src/keeper/records.ts';

/** A start that ended by SIGKILL, as a record of an earlier version tells it. */
const judged = (keys: object): Judgement => {
  const record = { protocol: 1, keeper: 'native', how: 'signalled', signal: 9, ...keys };
  const { value, why } = parseExit(JSON.stringify(record));
  assert.equal(why, null);
  return verdict({ ...noEvidence, exit: value });
};
const shared = { file: '/proc/vmstat', before: 'oom_kill 1\n', after: 'oom_kill 2\n' };

test('records of earlier versions are read for what they prove, and for no more', () => {
  for (const [keys, how, proven] of [
    [{ cgroup: { path: '/c', events: 'oom 1\noom_kill 1\n' }, shared }, 'own-cgroup', true],
    [{ cgroup: { path: '/c', events: 'oom_kill 1\n' } }, 'host', true],
    [{ shared }, 'shared-counter', false],
    [{ shared: { file: '/proc/vmstat', after: 'oom_kill 2\n' } }, null, false],
    [{ oom: 'job', scope: 'machine' }, null, false],
  ] as const) {
    const { evidence, proven: is } = judged(keys);
    assert.deepEqual([evidence, is], [how, proven], JSON.stringify(keys));
  }
});

test("an earlier record's mark of a person is a kill by a person, though it names nobody", () => {
  const { verdict: name, text } = judged({ marks: [{ mark: 'user', at_ms: 1 }], shared });
  assert.deepEqual([name, text], ['killed', 'killed (who is not recorded); killed by signal 9 (SIGKILL)']);
});
