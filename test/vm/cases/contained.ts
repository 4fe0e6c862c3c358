import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { RunJson } from '../../../src/wire/api.ts';
import { Orca } from '../../e2e/support/orca.ts';
import { until } from '../../e2e/support/until.ts';
import { diskFolder, eat } from '../support/place.ts';

const base = (path: string): string => join('/sys/fs/cgroup', path);

/** The cgroup of a process, as its path below the mount. */
const cgroupOf = (pid: number): string => /^0::(.*)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))?.[1] ?? 'none';

describe('runs in cgroups of their own', () => {
  const orca = new Orca({ after }, { ORCA_RUN_MEMORY_HELD_SECONDS: '3', ORCA_KILL_GRACE_SECONDS: '1' });
  const finished = async (...args: string[]): Promise<RunJson> => {
    const run = await orca.submit(...args);
    await orca.run(['wait', String(run)]);
    return orca.status(run);
  };

  test('containment is on, and says where', async () => {
    await orca.run(['up']);
    const { containment } = await orca.daemon();
    assert.equal(containment.on, true, containment.why);
  });

  test('a grandchild is inside the cgroup from its first instruction; the keeper is not; kernel and orca agree on the limits', async () => {
    const run = await orca.submit('--memory', '32MB', '--', eat, 'fork', '1', 'fork', '1', 'wait', `${orca.folder}/c1`);
    const { starts } = await orca.untilRun(run, ({ state }) => state === 'running', 'running');
    const path = cgroupOf(starts[0]?.pid ?? 0);
    assert.match(path, new RegExp(`/orca-run-${run}-1-\\d+$`));
    await until(() => (procsIn(path).length === 3 ? true : null), 'three processes inside');
    assert.ok(!procsIn(path).includes(orca.keeperPid(run) ?? 0));
    assert.equal(readFileSync(`${base(path)}/memory.high`, 'utf8').trim(), String(32 * 1048576));
    assert.equal(readFileSync(`${base(path)}/memory.max`, 'utf8').trim(), String(40 * 1048576));
    assert.equal(readFileSync(`/proc/${procsIn(path)[2]}/oom_score_adj`, 'utf8').trim(), '1000');
    writeFileSync(`${orca.folder}/c1`, '');
    await orca.run(['wait', String(run)]);
    await until(() => (existsSync(base(path)) ? null : true), 'the cgroup is removed');
  });

  test('a run over memory.max dies whole by its own cgroup, gets 1.5 times the limit, and its neighbour never notices', async () => {
    const neighbour = await orca.submit('--memory', '24MB', '--', eat, 'anon', '16M', 'wait', `${orca.folder}/c2`);
    // At once, past the limit and the margin: nothing has time to be throttled.
    const run = await finished('--memory', '32MB..96MB', '--', eat, 'anon', '52M', 'say', 'done');
    assert.equal(run.state, 'succeeded', run.text ?? '');
    assert.deepEqual(
      run.starts.map(({ verdict, evidence, limit_bytes, next_limit_bytes }) => [
        verdict,
        evidence === 'held' ? 'own-cgroup' : evidence,
        (limit_bytes ?? 0) / 1048576,
        (next_limit_bytes ?? 0) / 1048576,
      ]),
      [
        ['out-of-memory', 'own-cgroup', 32, 48],
        ['succeeded', null, 48, 0],
      ],
    );
    assert.match(run.starts[0]?.text ?? '', /^out of memory at 32 MB/);
    writeFileSync(`${orca.folder}/c2`, '');
    assert.equal((await orca.run(['wait', String(neighbour)])).status, 0);
  });

  test('one size is killed once, exits with 99, and says how to ask for more', async () => {
    const { status, stderr } = await orca.run(['run', '--memory', '24MB', '--', eat, 'anon', '64M']);
    assert.equal(status, 99);
    assert.match(stderr, /out of memory at 24 MB/);
    assert.match(stderr, /--memory/);
  });

  test('a child that dies for memory takes the whole run with it', async () => {
    const run = await finished('--memory', '24MB', '--', eat, 'fork', '1', 'anon', '64M');
    assert.deepEqual([run.state, run.signal], ['out-of-memory', 9]);
  });

  test('kill -9 from outside is a failure, not a lack of memory', async () => {
    const run = await orca.submit('--memory', '32MB', '--', eat, 'anon', '8M', 'hold');
    const { starts } = await orca.untilRun(run, ({ state }) => state === 'running', 'running');
    process.kill(starts[0]?.pid ?? 0, 'SIGKILL');
    await orca.run(['wait', String(run)]);
    const { state, text } = await orca.status(run);
    assert.equal(state, 'failed');
    assert.match(text ?? '', /killed by signal 9/);
  });

  test('a run that the kernel would leave hanging at its limit is ended, and its next start has more', async () => {
    const run = await finished(
      '--memory',
      '24MB..48MB',
      '--',
      eat,
      'rate',
      '64M',
      'anon',
      '27M',
      'again',
      'again',
      'say',
      'done',
    );
    assert.equal(
      run.starts[0]?.verdict ?? 'none',
      run.starts.length > 1 ? 'out-of-memory' : 'succeeded',
      run.text ?? '',
    );
    assert.equal(run.state, 'succeeded', run.text ?? '');
  });

  test('a killed daemon leaves a contained run running; the next one adopts it, and removes its cgroup at its end', async () => {
    const run = await orca.submit(
      '--memory',
      '32MB',
      '--',
      eat,
      'anon',
      '8M',
      'wait',
      `${orca.folder}/c9`,
      'exit',
      '6',
    );
    const { starts } = await orca.untilRun(run, ({ state }) => state === 'running', 'running');
    const path = cgroupOf(starts[0]?.pid ?? 0);
    orca.killDaemon();
    writeFileSync(`${orca.folder}/c9`, '');
    assert.equal((await orca.run(['wait', String(run)])).status, 6);
    await until(() => (existsSync(base(path)) ? null : true), 'the cgroup is removed');
  });

  test('a run that dies of its own limit while no daemon runs is out of memory by its own cgroup all the same', async () => {
    const run = await orca.submit(
      '--memory',
      '24MB',
      '--',
      eat,
      'wait',
      `${orca.folder}/c15`,
      'fork',
      '4',
      'anon',
      '64M',
    );
    await orca.untilRun(run, ({ state }) => state === 'running', 'running');
    await orca.run(['down']);
    writeFileSync(`${orca.folder}/c15`, '');
    await until(
      () => (existsSync(join(orca.state, 'starts', `${run}.1`, 'exit')) ? true : null),
      'the record is there',
    );
    await orca.run(['up']);
    await orca.run(['wait', String(run)]);
    const { state, evidence, starts } = await orca.status(run);
    assert.deepEqual([state, evidence], ['out-of-memory', 'own-cgroup']);
    const { oom, oom_kill, oom_group_kill } = starts[0]?.memory_events ?? {};
    assert.ok((oom ?? 0) > 0 && (oom_kill ?? 0) > 0, 'what the kernel counted is kept');
    // The kernel counts the group's kill after it has killed the first process of it, whose end may be recorded sooner.
    assert.ok((oom_group_kill ?? -1) >= 0);
  });

  test('a run that reads and writes a file of twice its limit gets on, and is never ended', async () => {
    const file = `${diskFolder}/big`;
    const run = await finished(
      '--memory',
      '24MB',
      '--',
      eat,
      'write',
      file,
      '48M',
      'read',
      file,
      'read',
      file,
      'say',
      'read',
    );
    assert.equal(run.state, 'succeeded', run.text ?? '');
    const { peak_rss_bytes: own, kernel_peak_bytes: kernel, kernel_cpu_seconds: cpu } = run.starts[0] ?? {};
    assert.ok((own ?? Infinity) < 4 * 1048576, `its own memory, and the page cache is none of it: ${own}`);
    assert.ok((kernel ?? 0) >= 0.95 * 24 * 1048576, `the kernel counts the page cache, up to the limit: ${kernel}`);
    assert.ok((cpu ?? 0) > 0);
  });

  test('what orca measured of a tree is within 2 % of what the kernel counted, and each figure says whose it is', async () => {
    const run = await finished('--memory', '400MB', '--', eat, 'fork', '6', 'anon', '40M', 'ms', '3000');
    assert.equal(run.state, 'succeeded', run.text ?? '');
    const start = run.starts[0] ?? assert.fail();
    const [own, kernel] = [start.peak_rss_bytes ?? 0, start.kernel_peak_bytes ?? 0];
    assert.ok(Math.abs(own - kernel) < 0.02 * kernel, `measured ${own}, and the kernel ${kernel}`);
    assert.deepEqual([start.peak_source, start.cpu_source, start.gap], ['samples', 'wait4', false]);
    const cpu = Math.abs((start.cpu_seconds ?? 0) - (start.kernel_cpu_seconds ?? 0));
    assert.ok(cpu < 0.1, `CPU ${start.cpu_seconds} s, and by the kernel ${start.kernel_cpu_seconds} s`);
    assert.ok((start.memory_stall_ms ?? -1) >= 0 && (start.memory_stall_full_ms ?? -1) >= 0);
    assert.match((await orca.run(['status', String(run.id)])).stdout, /by its cgroup: peak \d+ MB with its page cache/);
  });

  test('at the end no run cgroup is left', () => {
    const left = readdirSync('/sys/fs/cgroup', { recursive: true, encoding: 'utf8' }).filter((name) =>
      /orca-run-\d/.test(name),
    );
    assert.deepEqual(left, []);
  });
});

const procsIn = (path: string): number[] =>
  readFileSync(`${base(path)}/cgroup.procs`, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(Number);
