import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { RunJson } from '../../../src/wire/api.ts';
import { plainSubmission } from '../../e2e/support/plain-submission.ts';
import { until } from '../../native/support/until.ts';
import { Cgroup } from '../support/cgroup.ts';
import { Container } from '../support/container.ts';
import { PatientClient } from '../support/patient-client.ts';
import { eat } from '../support/place.ts';

const runCgroups = (cgroup: Cgroup): string[] =>
  readdirSync(cgroup.path).filter((name) => name.startsWith('orca-run-'));

describe('orca daemon as the first process of a container', { timeout: 240_000 }, () => {
  test('it contains runs, outlives its daemons, ends in order, and the next container cleans up after it', async () => {
    await using cgroup = new Cgroup();
    const folder = mkdtempSync(join(tmpdir(), 'orca-container-'));
    const state = join(folder, 'state');
    const client = new PatientClient(state);
    const seen = new Map<number, RunJson>();
    const memory = { min_bytes: 24 << 20, max_bytes: 24 << 20 };
    const submit = (token: string, ...command: string[]): Promise<number> =>
      client.submit({ ...plainSubmission(token, [eat, ...command]), memory });
    const over = async (run: number): Promise<RunJson | undefined> => {
      await client.watch([run], (told) => seen.set(told.id, told));
      return seen.get(run);
    };

    const first = await Container.start(cgroup, state);
    const daemon = await first.served();
    assert.match(first.output, /runs have cgroups of their own in \/sys\/fs\/cgroup"/);
    const [keeper] = first.members().filter(({ inside }) => inside === 1);
    assert.match(keeper?.name ?? '', /^orca-keep resident /);
    assert.deepEqual(cgroup.pids(), []);

    // A killed daemon: the run goes on in its cgroup, which the next daemon, of another pid, adopts.
    const run = await submit('a', 'anon', '8M', 'wait', `${folder}/go`, 'exit', '6');
    await until('its cgroup', () => runCgroups(cgroup).length === 1);
    assert.deepEqual(runCgroups(cgroup), [`orca-run-${run}-1-${daemon}`]);
    await until('the command in it', () => processesIn(cgroup, `orca-run-${run}-1-${daemon}`) === 1);
    first.signal(daemon, 'SIGKILL');
    const second = await first.served(daemon);
    assert.deepEqual(runCgroups(cgroup), [`orca-run-${run}-1-${daemon}`]);
    writeFileSync(`${folder}/go`, '');
    assert.deepEqual([(await over(run))?.state, seen.get(run)?.exit_code], ['failed', 6]);
    await until('its cgroup is removed', () => runCgroups(cgroup).length === 0);
    const children = first.members().filter(({ parent }) => parent === keeper?.pid);
    assert.deepEqual(
      children.map(({ inside }) => inside),
      [second],
    );

    const big = await over(await submit('b', 'fork', '4', 'anon', '64M'));
    assert.deepEqual([big?.state, big?.evidence], ['out-of-memory', 'own-cgroup'], big?.text ?? '');

    // As `docker stop`: the daemon leaves in order, and what runs goes with the container.
    const left = await submit('c', 'anon', '8M', 'hold');
    await until('its cgroup', () => runCgroups(cgroup).length === 1);
    await until('the command in it', () => processesIn(cgroup, runCgroups(cgroup)[0] ?? '') === 1);
    first.signal(1, 'SIGTERM');
    assert.equal(await first.status(), 0);
    assert.equal(cgroup.count('populated', 'cgroup.events'), 0);
    assert.equal(runCgroups(cgroup).length, 1);

    // Pids begin anew in the next one, so that an earlier daemon may have had its daemon's.
    for (let pid = 2; pid < 200; pid++) mkdirSync(join(cgroup.path, `orca-run-900-${pid}-${pid}`));
    // A cgroup whose own are given controllers takes no process.
    const given = cgroup.read('cgroup.subtree_control').trim().split(' ');
    writeFileSync(join(cgroup.path, 'cgroup.subtree_control'), given.map((name) => `-${name}`).join(' '));
    const next = await Container.start(cgroup, state);
    assert.ok((await next.served(second)) < 200);
    assert.equal((await over(left))?.state, 'lost');
    await until('no cgroup of an earlier life is left', () => runCgroups(cgroup).length === 0);
    next.signal(1, 'SIGTERM');
    assert.equal(await next.status(), 0);
    rmSync(folder, { recursive: true });
  });
});

const processesIn = (cgroup: Cgroup, name: string): number =>
  cgroup.read(join(name, 'cgroup.procs')).split('\n').filter(Boolean).length;
