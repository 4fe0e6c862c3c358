import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { withoutKeeper } from './support/binary.ts';
import { Resident } from './support/resident.ts';

describe('the time limit', { skip: withoutKeeper() }, () => {
  test('asks the command to end, and marks the timer first', async () => {
    await using resident = new Resident();
    const started = resident.sh("trap 'exit 7' TERM; while :; do sleep 0.02; done", {
      keys: [
        ['timeout_ms', '1000'],
        ['grace_ms', '20000'],
      ],
    });
    const record = await resident.ended(started);
    assert.deepEqual([record.how, record.code], ['exited', 7]);
    assert.deepEqual(
      record.marks.map((m) => [m.mark, m.oom_kill]),
      [['timer', null]],
    );
    // The timer counts whole milliseconds.
    assert.ok(Number(record['elapsed_us']) >= 999_000);
    assert.equal(JSON.parse(readFileSync(join(started.folder, 'marks'), 'utf8')).mark, 'timer');
  });

  test('a command that does not listen is killed after the grace, its children too', async () => {
    await using resident = new Resident();
    const started = resident.sh("trap '' TERM; setsid sleep 60 & sleep 60; sleep 60", {
      keys: [
        // Long enough for a busy machine to have set the trap.
        ['timeout_ms', '1500'],
        ['grace_ms', '150'],
      ],
    });
    const record = await resident.ended(started);
    assert.deepEqual([record.how, record.signal], ['signalled', 9]);
    assert.ok(Number(record['elapsed_us']) >= 1_649_000);
    assert.equal(record.marks.length, 1);
  });

  test('a stopped command is woken to hear it', async () => {
    await using resident = new Resident();
    const started = resident.sh('kill -STOP $$; sleep 60', { keys: [['timeout_ms', '150']] });
    assert.equal((await resident.ended(started)).signal, 15);
  });

  test('0 is none, and a command that ends in time has no mark', async () => {
    await using resident = new Resident();
    const none = resident.sh('sleep 0.1', { keys: [['timeout_ms', '0']] });
    const inTime = resident.sh('sleep 0.1', { keys: [['timeout_ms', '20000']] });
    assert.deepEqual((await resident.ended(none)).marks, []);
    assert.deepEqual((await resident.ended(inTime)).marks, []);
  });

  test('holds while no daemon and no resident lives', async () => {
    await using resident = new Resident();
    const started = resident.sh('sleep 60', { keys: [['timeout_ms', '300']] });
    const { keeper } = await resident.pids(started);
    resident.child.kill('SIGKILL');
    await resident.exitRecord(started);
    await resident.processGone(keeper);
    const record = JSON.parse(readFileSync(join(started.folder, 'exit'), 'utf8'));
    assert.deepEqual([record.how, record.signal, record.marks[0].mark], ['signalled', 15, 'timer']);
  });
});
