import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { commandOf, isAlive } from '../../native/support/processes.ts';
import { until } from '../../native/support/until.ts';
import { Cgroup } from '../support/cgroup.ts';
import { eat } from '../support/place.ts';
import { Shell } from '../support/shell.ts';

const residentsOf = (state: string): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && commandOf(pid).startsWith(`orca-keep resident ${state}`));

/** No process has this number: pids end at 4194304. */
const deadPid = 5_000_000;

describe('a daemon that was killed, and the next one in another cgroup', { timeout: 180_000 }, () => {
  test('the next one adopts the run by the path in its record, and removes what dead daemons left where it is itself', async () => {
    await using before = new Cgroup();
    await using after = new Cgroup();
    await using first = new Shell({ cgroup: before });
    const go = join(first.folder, 'go');
    const submitted = await first.run(`orca submit --memory 24MB -- ${eat} wait ${go} fork 4 anon 64M`);
    assert.equal(submitted.text, '1\n');
    const { pid } = JSON.parse(readFileSync(join(first.state, 'daemon.json'), 'utf8')) as { pid: number };
    const own = join(before.path, `orca-run-1-1-${pid}`);
    await until(
      'the command in its cgroup',
      () => existsSync(own) && readFileSync(join(own, 'cgroup.procs'), 'utf8') !== '',
      30_000,
    );
    // Without the resident nobody starts a daemon where the old one was.
    for (const killed of [...residentsOf(first.state), pid]) process.kill(killed, 'SIGKILL');
    await until('the daemon to be dead', () => !isAlive(pid));

    const [empty, busy] = [7, 8].map((run) => join(after.path, `orca-run-${run}-1-${deadPid}`));
    assert.ok(empty !== undefined && busy !== undefined);
    for (const folder of [empty, busy]) mkdirSync(folder);
    const inside = spawn(eat, ['hold'], { stdio: 'ignore' });
    writeFileSync(join(busy, 'cgroup.procs'), String(inside.pid));

    await using second = new Shell({ cgroup: after, state: first.state });
    await second.run('orca up');
    await until('the empty one to be removed', () => !existsSync(empty));
    assert.ok(existsSync(own));
    writeFileSync(go, '');
    const waited = await second.run('orca wait 1');
    assert.equal(waited.status, 99, waited.text);
    assert.match(waited.text, /the kernel killed it whole at its own limit/);
    await until('the cgroup of the run to be removed', () => !existsSync(own));
    assert.ok(existsSync(busy) && isAlive(inside.pid ?? 0));
    inside.kill('SIGKILL');
    await until('the other to be removed once it is empty', () => !existsSync(busy), 30_000);
  });
});
