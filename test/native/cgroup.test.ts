import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { withoutKeeper } from './support/binary.ts';
import { Resident, type Record_ } from './support/resident.ts';

const files = {
  'cgroup.procs': '',
  'memory.events': 'low 0\nhigh 5\nmax 2\noom 1\noom_kill 3\noom_group_kill 9\n',
  'memory.peak': '1048576\n',
  'memory.pressure': 'some avg10=1.00 avg60=0.00 avg300=0.00 total=5\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=1\n',
  'cpu.stat': 'usage_usec 12\n',
};

/** Plain files in a cgroup's place: what is read and written is the same. */
const fakeCgroup = (resident: Resident, without: readonly string[] = []): string => {
  const folder = join(resident.dir, 'cgroup');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files))
    if (!without.includes(name)) writeFileSync(join(folder, name), text);
  return folder;
};
const cgroupOf = (record: Record_): Record<string, unknown> => record['cgroup'] as Record<string, unknown>;

describe('a start with a cgroup (plain files in its place)', { skip: withoutKeeper() }, () => {
  test('the child writes itself into cgroup.procs, and the record holds the files as they were', async () => {
    await using resident = new Resident();
    const cgroup = fakeCgroup(resident);
    const record = await resident.ended(resident.sh('exit 1', { keys: [['cgroup', cgroup]] }));
    assert.equal(readFileSync(join(cgroup, 'cgroup.procs'), 'utf8'), '0');
    assert.deepEqual(cgroupOf(record), {
      path: cgroup,
      events: files['memory.events'],
      peak: files['memory.peak'],
      pressure: files['memory.pressure'],
      cpu: files['cpu.stat'],
      oomd_kill: null,
      oomd_ooms: null,
    });
  });

  test('a file that is not there is null', async () => {
    await using resident = new Resident();
    const cgroup = fakeCgroup(resident, ['memory.events', 'memory.pressure']);
    const record = cgroupOf(await resident.ended(resident.start(['true'], { keys: [['cgroup', cgroup]] })));
    assert.deepEqual([record['events'], record['pressure']], [null, null]);
    assert.equal(record['peak'], files['memory.peak']);
  });

  test('without cgroup.procs the command is not started', async () => {
    await using resident = new Resident();
    const cgroup = fakeCgroup(resident, ['cgroup.procs']);
    const record = await resident.ended(resident.start(['true'], { keys: [['cgroup', cgroup]] }));
    assert.deepEqual([record.how, record.failed?.stage, record.failed?.errno], ['not-started', 'cgroup', 2]);
  });

  test('the timer’s mark holds oom_kill, never oom_group_kill', async () => {
    await using resident = new Resident();
    const cgroup = fakeCgroup(resident);
    const started = resident.start(['sleep', '60'], {
      keys: [
        ['cgroup', cgroup],
        ['timeout_ms', '50'],
      ],
    });
    assert.deepEqual(
      (await resident.ended(started)).marks.map((m) => [m.mark, m.oom_kill]),
      [['timer', 3]],
    );
  });

  test('a kill works where cgroup.kill does not', async () => {
    await using resident = new Resident();
    const cgroup = fakeCgroup(resident);
    writeFileSync(join(cgroup, 'cgroup.kill'), '');
    const started = resident.sh('setsid sleep 60 & echo up; sleep 60', { keys: [['cgroup', cgroup]] });
    await resident.said(started, 'up');
    assert.equal(resident.ctl(started, 'kill held'), 'done');
    assert.equal((await resident.ended(started)).signal, 9);
    assert.match(readFileSync(join(cgroup, 'cgroup.kill'), 'utf8'), /^1/);
  });

  test('systemd-oomd’s marks on the folder are read', async (t) => {
    await using resident = new Resident();
    const cgroup = fakeCgroup(resident);
    const set =
      'import os,sys; os.setxattr(sys.argv[1],"user.oomd_kill",b"2"); os.setxattr(sys.argv[1],"user.oomd_ooms",b"1")';
    if (spawnSync('python3', ['-c', set, cgroup], { stdio: 'ignore' }).status !== 0) {
      t.skip('no python3, or no extended attributes here');
      return;
    }
    const record = cgroupOf(await resident.ended(resident.start(['true'], { keys: [['cgroup', cgroup]] })));
    assert.deepEqual([record['oomd_kill'], record['oomd_ooms']], ['2', '1']);
  });

  test('the shared counter is read before the fork and after the end', async () => {
    await using resident = new Resident();
    const shared = join(resident.dir, 'memory.events');
    writeFileSync(shared, 'oom_kill 1\n');
    const record = await resident.ended(resident.sh(`echo "oom_kill 2" > ${shared}`, { keys: [['shared', shared]] }));
    assert.deepEqual(record['shared'], { file: shared, before: 'oom_kill 1\n', after: 'oom_kill 2\n' });
  });

  test('of /proc/vmstat only the oom_kill line is kept; a counter that is not there is null', async () => {
    await using resident = new Resident();
    const vmstat = await resident.ended(resident.start(['true'], { keys: [['shared', '/proc/vmstat']] }));
    const none = await resident.ended(resident.start(['true'], { keys: [['shared', '/nonexistent']] }));
    assert.match(String((vmstat['shared'] as Record<string, unknown>)['before']), /^oom_kill \d+\n$/);
    assert.deepEqual(none['shared'], { file: '/nonexistent', before: null, after: null });
  });
});
