import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Orca } from './support/orca.ts';
import { until } from './support/until.ts';

for (const name of ['daemon.json', 'orca.sock', 'runs', 'starts', 'spares']) {
  test(`${name} deleted under a living daemon is made again, and the daemon stays`, async (t) => {
    const orca = new Orca(t);
    await orca.run(['run', '--', 'true']);
    const pid = orca.daemonPid();
    rmSync(join(orca.state, name), { recursive: true });
    await until(() => (existsSync(join(orca.state, name)) ? true : null), `${name} is there again`);
    const { status, stdout } = await orca.run(['run', '--', 'echo', 'still here']);
    assert.deepEqual([status, stdout], [0, 'still here\n']);
    assert.equal(orca.daemonPid(), pid);
  });
}

test('a store deleted under a living daemon is written again, with all that it held', async (t) => {
  const orca = new Orca(t);
  const long = await orca.submit('--', 'sleep', '6');
  await orca.run(['run', '--name', 'kept', '--', 'true']);
  const pid = orca.daemonPid();
  for (const file of readdirSync(orca.state)) if (file.startsWith('orca.db')) rmSync(join(orca.state, file));
  await until(() => (orca.daemonPid() === pid ? null : true), 'another daemon serves');
  assert.equal((await orca.status(2)).name, 'kept');
  const waited = await orca.run(['wait', String(long)]);
  assert.equal(waited.status, 0, waited.stderr);
  assert.equal((await orca.status(long)).starts.length, 1);
  assert.equal(await orca.submit('--', 'true'), 3);
});

test('a daemon whose state folder was deleted leaves, so that there is never a second one', async (t) => {
  const orca = new Orca(t);
  await orca.run(['run', '--', 'true']);
  const pid = orca.daemonPid() ?? 0;
  rmSync(orca.state, { recursive: true });
  await until(() => (existsSync(`/proc/${pid}`) ? null : true), 'the daemon is gone');
  const { status } = await orca.run(['run', '--', 'true']);
  assert.equal(status, 0);
  assert.equal(orca.residents().length, 1);
});

test('environments that a daemon could not delete go with the next one; those of waiting runs stay', async (t) => {
  const orca = new Orca(t);
  await orca.run(['down']);
  const waiting = await orca.submit('--', 'true');
  await orca.run(['down']);
  const at = (name: string): string => join(orca.state, 'runs', name);
  for (const name of ['77.env', '77.stdin', 'capture-x', 'spool-new.stdin']) writeFileSync(at(name), '');
  await orca.run(['up']);
  await orca.run(['wait', String(waiting)]);
  assert.deepEqual(readdirSync(at('')), ['spool-new.stdin']);
});

test('a reserve that leaves nothing is refused when the daemon starts', async (t) => {
  const orca = new Orca(t, { ORCA_RESERVE_MB: '99999999' });
  const { status, stderr } = await orca.run(['run', '--', 'true']);
  assert.equal(status, 120);
  assert.match(stderr, /ORCA_RESERVE_MB keeps 99999999 MB back/);
});
