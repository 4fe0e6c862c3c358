import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { withoutKeeper } from './support/binary.ts';
import { withEnv } from './support/processes.ts';
import { Resident } from './support/resident.ts';
import { until } from './support/until.ts';

const setsid200 = 'i=0; while [ $i -lt 200 ]; do setsid sleep 60 & i=$((i+1)); done; echo ready;';

describe('the tree', { skip: withoutKeeper() }, () => {
  test('of 200 processes that each left the session none is left after a kill', async () => {
    await using resident = new Resident();
    const started = resident.sh(`${setsid200} wait`);
    await resident.said(started, 'ready');
    await until('all of them', () => withEnv(`ORCA_START=${started.uuid}`).length > 200);
    resident.ctl(started, 'kill user');
    await resident.ended(started);
    assert.deepEqual(withEnv(`ORCA_START=${started.uuid}`), []);
  });

  test('of 200 processes that each left the session none is left after the leader’s normal end', async () => {
    await using resident = new Resident();
    const started = resident.sh(`${setsid200} exit 5`);
    assert.equal((await resident.ended(started)).code, 5);
    assert.deepEqual(withEnv(`ORCA_START=${started.uuid}`), []);
  });

  test('what a leader’s normal end leaves is ended though its environment is empty and its parent is gone', async () => {
    await using resident = new Resident();
    const started = resident.sh(
      '(setsid env -i sh -c \'echo $$; exec sleep 60\' &) ; while [ ! -s "$OUT" ]; do sleep 0.01; done',
      {
        env: { OUT: `${resident.dir}/1.out` },
      },
    );
    await resident.ended(started);
    const pid = Number(readFileSync(started.out, 'utf8'));
    assert.ok(pid > 0);
    assert.throws(() => process.kill(pid, 0), /ESRCH/);
  });

  test('two starts beside each other do not touch each other', async () => {
    await using resident = new Resident();
    const one = resident.sh('setsid sleep 60 & sleep 60');
    const two = resident.sh('setsid sleep 60 & echo up; sleep 60');
    await resident.said(two, 'up');
    await resident.pids(one);
    resident.ctl(one, 'kill none');
    await resident.ended(one);
    assert.equal(withEnv(`ORCA_START=${two.uuid}`).length, 3);
    resident.ctl(two, 'kill none');
    await resident.ended(two);
  });

  test('many starts at once are each answered once', async () => {
    await using resident = new Resident();
    const all = Array.from({ length: 100 }, (_, i) => resident.sh(`exit ${i % 50}`));
    for (const [i, started] of all.entries()) assert.equal((await resident.ended(started)).code, i % 50);
    assert.equal(resident.frames.filter((f) => f.verb === 'ended').length, 100);
    assert.equal(resident.frames.filter((f) => f.verb === 'running').length, 100);
  });
});
