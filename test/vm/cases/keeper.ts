import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Resident, type Record_ } from '../../native/support/resident.ts';
import { Cgroup, cgroupIn, cgroupOfProcess, countIn } from '../support/cgroup.ts';
import { eat } from '../support/place.ts';

const cgroupTexts = (record: Record_): Readonly<Record<string, string>> =>
  record['cgroup'] as Readonly<Record<string, string>>;

describe('a start in a cgroup of its own', () => {
  test('a grandchild made by the very first act is inside, and the keeper is not', async () => {
    await using cgroup = new Cgroup();
    await using resident = new Resident();
    const started = resident.sh('(sh -c "cat /proc/self/cgroup"; echo up); sleep 60', {
      keys: [['cgroup', cgroup.path]],
    });
    await resident.said(started, 'up');
    const { keeper, command } = await resident.pids(started);
    const inside = cgroupOfProcess(command);
    assert.ok(cgroup.path.endsWith(inside) && inside !== '/', inside);
    assert.equal(cgroupIn(readFileSync(started.out, 'utf8')), inside);
    assert.equal(cgroupOfProcess(keeper), cgroupOfProcess('self'));
    resident.ctl(started, 'kill none');
    await resident.ended(started);
  });

  test('its record holds its own counts, peak, pressure and processor time', async () => {
    await using cgroup = new Cgroup({ 'memory.max': '64M' });
    await using resident = new Resident();
    const record = await resident.ended(
      resident.start([eat, 'anon', '40M', 'exit', '3'], { keys: [['cgroup', cgroup.path]] }),
    );
    assert.deepEqual([record.how, record.code], ['exited', 3]);
    const { path, events = '', peak, pressure = '', cpu = '' } = cgroupTexts(record);
    assert.equal(path, cgroup.path);
    assert.deepEqual([countIn(events, 'oom'), countIn(events, 'oom_kill')], [0, 0]);
    const mib = Number(peak) / 1048576;
    assert.ok(mib >= 40 && mib <= 64, `peak of ${mib} MiB`);
    assert.match(pressure, /^some avg10=.*total=\d+\nfull avg10=.*total=\d+\n$/);
    assert.ok(countIn(cpu, 'usage_usec') > 0, cpu);
  });

  test('it is throttled at memory.high, and the record’s pressure shows it', async () => {
    await using cgroup = new Cgroup({ 'memory.high': '16M', 'memory.max': '64M' });
    await using resident = new Resident();
    const record = await resident.ended(
      resident.start([eat, 'anon', '17M', 'exit', '0'], { keys: [['cgroup', cgroup.path]] }),
      30_000,
    );
    const { events = '', pressure = '' } = cgroupTexts(record);
    assert.equal(record.code, 0);
    assert.ok(countIn(events, 'high') > 0, events);
    assert.ok(Number(/^full .*total=(\d+)$/m.exec(pressure)?.[1]) > 0, pressure);
  });
});
