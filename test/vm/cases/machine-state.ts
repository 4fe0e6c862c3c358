import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Orca } from '../../e2e/support/orca.ts';
import { until } from '../../e2e/support/until.ts';
import { Cgroup } from '../support/cgroup.ts';
import { eat } from '../support/place.ts';
import { Shell } from '../support/shell.ts';

const guest = 1000;
const slow = { timeout: 300_000 };
const mb = 1048576;

const ended = async (child: ChildProcess): Promise<void> => {
  const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
  child.kill('SIGKILL');
  await gone;
};

const waits = async (orca: Orca, run: number, words: RegExp): Promise<string> => {
  const { reason } = await orca.untilRun(run, (one) => words.test(one.reason ?? ''), `waiting as ${words.source}`);
  return reason ?? '';
};
const starts = (orca: Orca, run: number): Promise<unknown> =>
  orca.untilRun(run, ({ state }) => state !== 'queued', 'started');

/** A command's output comes to hold the words. */
const says = async (shell: Shell, line: string, words: RegExp): Promise<void> => {
  let last = '';
  const deadline = Date.now() + 90_000;
  while (Date.now() < deadline) {
    last = (await shell.run(line)).text;
    if (words.test(last)) return;
  }
  assert.match(last, words);
};

describe('what others use of a machine', slow, () => {
  test('two daemons of two users give out the machine’s memory once, and each names the other', slow, async (t) => {
    const env = { ORCA_CAPACITY_MB: '1100', ORCA_RESERVE_MB: '100' };
    const orca = new Orca(t, env);
    const held = await orca.submit('--memory', '600MB', '--', eat, 'hold');
    await starts(orca, held);

    await using cgroup = new Cgroup();
    for (const name of ['', 'cgroup.procs', 'cgroup.subtree_control']) chownSync(join(cgroup.path, name), guest, guest);
    await using other = new Shell({ uid: guest, cgroup });
    await other.run('export ORCA_CAPACITY_MB=1100 ORCA_RESERVE_MB=100');
    // What both together promise is within the budget of one.
    await other.run(`orca submit --memory 300MB -- ${eat} hold`);
    await says(other, 'orca status 1', /^state +running/m);
    await other.run(`orca submit --memory 400MB -- ${eat} hold`);
    await says(other, 'orca status 2', /root \(600 MB\)/);
    await says(other, 'orca status', /^others +600 MB of root$/m);

    const mine = await orca.submit('--memory', '200MB', '--', eat, 'hold');
    assert.match(await waits(orca, mine, /beside the runs of/), /(guest|uid 1000) \(300 MB\)/);

    await orca.run(['kill', '--now', String(held)]);
    await starts(orca, mine);
    await says(other, 'orca status 2', /^state +running/m);
    await other.run('orca kill --now 1 2');
  });

  test('a program that is no run and fills the machine makes runs wait, and they name it', slow, async (t) => {
    const orca = new Orca(t, { ORCA_PRESSURE_MEMORY: '0', ORCA_PRESSURE_IO: '0' });
    const total = Number(/^MemAvailable:\s+(\d+)/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]) / 1024;
    assert.equal((await orca.run(['up'])).status, 0);
    const { capacity } = await orca.daemon();
    const budgetMb = (capacity.memory_bytes - capacity.reserve_bytes) / mb;
    // It leaves less than the run wants, counted with the reserve, which is there for others.
    const wantedMb = Math.floor(budgetMb * 0.7);
    const hogMb = Math.floor(total - wantedMb * 0.4);
    const hog = spawn(eat, ['anon', `${hogMb}M`, 'hold'], { stdio: 'ignore' });
    t.after(() => ended(hog));
    await until(() => (rssMb(hog.pid ?? 0) > hogMb * 0.99 ? true : null), 'the hog has its memory', 120_000);
    const run = await orca.submit('--memory', `${wantedMb}MB`, '--', eat, 'hold');
    const reason = await waits(orca, run, /the largest program besides runs/);
    assert.match(reason, new RegExp(`eat \\(process ${hog.pid} of root\\)`));
    await ended(hog);
    await starts(orca, run);
  });

  test('a run at its own limit holds up nobody, and pressure that is not its doing does', slow, async (t) => {
    const orca = new Orca(t, {
      ORCA_RUN_MEMORY_MARGIN: '1000',
      ORCA_RUN_MEMORY_HELD_SECONDS: '0',
      ORCA_CAPACITY_CPUS: '8',
      ORCA_PRESSURE_MEMORY: '20',
      ORCA_PRESSURE_IO: '60',
    });
    const stays = await orca.submit('--memory', '32MB', '--', eat, 'hold');
    await starts(orca, stays);
    const stalled = await orca.submit('--memory', '16MB', '--', eat, 'anon', '120M', 'hold');
    await until(() => (machinePressure() > 40 ? true : null), 'the machine counts its wait', 120_000);
    const beside = await orca.submit('--memory', '32MB', '--', eat, 'hold');
    await starts(orca, beside);
    t.diagnostic(`started beside it at ${machinePressure()} %`);
    assert.ok(machinePressure() > 20, 'that was while the machine told pressure');
    await orca.run(['kill', '--now', String(stalled)]);
    const next = await orca.submit('--memory', '32MB', '--', eat, 'hold');
    await starts(orca, next);
    t.diagnostic(`started after it at ${machinePressure()} %, which the machine still remembers`);
    await until(() => (machinePressure() < 5 ? true : null), 'the machine has forgotten it', 120_000);

    await using cgroup = new Cgroup({ 'memory.high': '16M' });
    const foreign = spawn('sh', ['-c', `read go; exec '${eat}' anon 120M hold`], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    t.after(() => ended(foreign));
    cgroup.put(foreign.pid ?? 0);
    foreign.stdin.write('go\n');
    await until(() => (machinePressure() > 40 ? true : null), 'the machine is under pressure', 120_000);
    const held = await orca.submit('--memory', '32MB', '--', eat, 'hold');
    await waits(orca, held, /pressure/);
    await ended(foreign);
    await starts(orca, held);
  });
});

const machinePressure = (): number =>
  Number(/^some avg10=([\d.]+)/m.exec(readFileSync('/proc/pressure/memory', 'utf8'))?.[1] ?? 0);

const rssMb = (pid: number): number => {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};
