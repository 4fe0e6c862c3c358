import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { watchOnce } from '../../../src/scheduler/watch-events.ts';
import type { EventJson, RunJson } from '../../../src/wire/api.ts';
import { ask, linesOf } from '../../e2e/support/http.ts';
import { inotifyWatches } from '../../e2e/support/inotify-watches.ts';
import { Orca } from '../../e2e/support/orca.ts';
import { until } from '../../e2e/support/until.ts';
import { Cgroup, cgroupOfProcess } from '../support/cgroup.ts';
import { baseCgroup, diskFolder, eat } from '../support/place.ts';
import { slowDisk } from '../support/slow-disk.ts';

const heldSeconds = 3;
const mb = 1024 ** 2;

describe('the watch over contained runs', () => {
  const orca = new Orca(
    { after },
    {
      ORCA_RUN_MEMORY_HELD_SECONDS: String(heldSeconds),
      ORCA_CAPACITY_CPUS: '4',
    },
  );

  /** A run of 32 MB that waits for `go`, with a slow disk meanwhile; null where a disk cannot be slowed. */
  const onSlowDisk = async (words: readonly string[]): Promise<{ run: number; go: () => void } | null> => {
    const file = join(orca.folder, `go-${words.join('-').replaceAll('/', '_')}`);
    const run = await orca.submit('--memory', '32MB', '--', eat, 'wait', file, ...words);
    const { starts } = await orca.untilRun(run, ({ state }) => state === 'running', 'running');
    const cgroup = join(baseCgroup, cgroupOfProcess(starts[0]?.pid ?? 0));
    const slow = slowDisk(cgroup, 2 * mb, 100);
    if (!slow) await orca.run(['kill', '--now', String(run)]);
    return slow ? { run, go: () => writeFileSync(file, '') } : null;
  };
  const ended = async (run: number): Promise<RunJson> => {
    await orca.run(['wait', String(run)]);
    return orca.status(run);
  };

  test(
    'a run whose own memory leaves no room for its files, and that reads them again and again, is held',
    { timeout: 240_000 },
    async (t) => {
      const file = join(diskFolder, 'text');
      const slow = await onSlowDisk(['write', file, '4M', 'keep', file, 'anon', '31M', 'loop', 'random', '1000']);
      if (slow === null) return t.skip('no disk can be slowed here');
      slow.go();
      const begun = performance.now();
      const run = await ended(slow.run);
      const seconds = (performance.now() - begun) / 1000;
      assert.deepEqual([run.state, run.evidence], ['out-of-memory', 'held'], run.text ?? '');
      assert.match(run.text ?? '', /waiting for pages of files that there is no memory to keep/);
      t.diagnostic(`ended ${seconds.toFixed(1)} s after it began`);
      // 15 s until it shows and the time that is set; the rest is for the file, the memory, and a machine that others keep busy.
      assert.ok(seconds < heldSeconds + 15 + 150, String(seconds));
    },
  );

  test('a run that reads files by read(2) in the little that its own memory leaves gets on', async (t) => {
    const file = join(diskFolder, 'read');
    const slow = await onSlowDisk(['write', file, '40M', 'anon', '31M', 'read', file]);
    if (slow === null) return t.skip('no disk can be slowed here');
    slow.go();
    const run = await ended(slow.run);
    assert.equal(run.state, 'succeeded', run.text ?? '');
  });

  test('a run that looks things up in a mapped file far larger than its limit is slow, and not held', async (t) => {
    const file = join(diskFolder, 'mapped');
    const slow = await onSlowDisk(['write', file, '128M', 'keep', file, 'random', '400']);
    if (slow === null) return t.skip('no disk can be slowed here');
    slow.go();
    const run = await ended(slow.run);
    assert.equal(run.state, 'succeeded', run.text ?? '');
  });

  test('the watches over its runs’ memory go with the runs', async () => {
    await orca.run(['up']);
    const before = inotifyWatches(orca.daemonPid() ?? 0);
    const watched = (count: number): Promise<true> =>
      until(
        () => (inotifyWatches(orca.daemonPid() ?? 0) === before + count ? true : null),
        `${count} runs are watched`,
      );
    const file = join(orca.folder, 'rest');
    const runs: number[] = [];
    for (let at = 0; at < 3; at += 1) runs.push(await orca.submit('--memory', '16MB', '--', eat, 'wait', file));
    await watched(3);
    writeFileSync(file, '');
    for (const run of runs) await orca.run(['wait', String(run)]);
    await watched(0);
  });
});

describe('a run that goes on though the kernel killed a process of it for memory', () => {
  const orca = new Orca({ after }, { ORCA_OOM_GROUP: '0', ORCA_RUN_MEMORY_MARGIN: '1' });

  test('says so in its status and by an event, and succeeds with a warning', async () => {
    const file = join(orca.folder, 'kill');
    const script = `${eat} anon 64M; ${eat} wait ${file}; exit 0`;
    const run = await orca.submit('--memory', '24MB', '--', 'sh', '-c', script);
    await orca.untilRun(run, ({ reason }) => /killed 1 process of it for memory/.test(reason ?? ''), 'told of');
    const events = await ask(orca.state, 'GET', '/api/events?since=0');
    for await (const line of linesOf(events)) {
      if (!line.startsWith('data: ')) continue;
      const event = JSON.parse(line.slice('data: '.length)) as EventJson;
      if (event.kind !== 'memory-kill') continue;
      assert.deepEqual([event.run, event.data], [run, { start: 1, killed: 1 }]);
      break;
    }
    writeFileSync(file, '');
    await orca.run(['wait', String(run)]);
    const { state, text } = await orca.status(run);
    assert.equal(state, 'succeeded');
    assert.match(text ?? '', /the kernel killed 1 process of it for memory/);
  });
});

describe('inotify on memory.events', () => {
  test('is done without where the machine’s watches are used up', async (t) => {
    if (hostname() !== 'orca-vm') return t.skip('it would take them from other programs of this machine');
    await using cgroup = new Cgroup();
    const most = '/proc/sys/fs/inotify/max_user_watches';
    const before = readFileSync(most, 'utf8');
    try {
      writeFileSync(most, '0');
      assert.equal(
        watchOnce(join(cgroup.path, 'memory.events'), () => undefined),
        null,
      );
    } finally {
      writeFileSync(most, before);
    }
  });

  test('tells when a cgroup goes over its memory.high; a watch whose cgroup was removed ends without a trace', async () => {
    const before = inotifyWatches('self');
    const cgroup = new Cgroup({ 'memory.high': '16M', 'memory.max': '64M' });
    const file = join(cgroup.path, 'memory.events');
    let told = 0;
    watchOnce(file, () => (told += 1));
    const child = spawn('sh', ['-c', `echo $$ >'${cgroup.path}/cgroup.procs'; exec '${eat}' anon 18M`]);
    const closed = once(child, 'close');
    await until(() => (told === 1 ? true : null), 'the change is told');
    assert.ok(cgroup.count('high') > 0);
    await closed;
    const end = watchOnce(file, () => undefined);
    assert.equal(inotifyWatches('self'), before + 1);
    await cgroup[Symbol.asyncDispose]();
    end?.();
    assert.equal(inotifyWatches('self'), before);
    assert.equal(
      watchOnce(file, () => undefined),
      null,
    );
  });
});
