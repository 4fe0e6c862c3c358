import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Orca } from './support/orca.ts';
import { killHard } from './support/processes.ts';
import { until } from './support/until.ts';

interface Finding {
  readonly what: string;
  readonly level: string;
  readonly found: string;
  readonly help: string | null;
}

const findings = async (
  orca: Orca,
  env: NodeJS.ProcessEnv = {},
): Promise<{ status: number | null; of: (what: string) => Finding }> => {
  const { status, stdout } = await orca.run(['doctor', '--json'], { env });
  const all = (JSON.parse(stdout) as { findings: Finding[] }).findings;
  const of = (what: string): Finding => {
    const found = all.find((finding) => finding.what === what);
    if (found === undefined) throw new Error(`doctor says nothing of ${what}: ${stdout}`);
    return found;
  };
  return { status, of };
};

test('ORCA_CGROUPS=0 of a daemon that runs is told with the command that takes it away', async (t) => {
  const orca = new Orca(t, { ORCA_CGROUPS: '0' });
  assert.equal((await orca.run(['up'])).status, 0);
  const { found, help } = (await findings(orca)).of('cgroups');
  assert.match(found, /ORCA_CGROUPS is 0$/);
  const { status, stderr } = await orca.shell(help ?? 'false');
  assert.equal(status, 0, stderr);
  assert.doesNotMatch((await findings(orca)).of('cgroups').found, /ORCA_CGROUPS/);
});

test('a Postgres that cannot be reached is broken, and afterwards it is told why no daemon runs', async (t) => {
  const orca = new Orca(t);
  const env = { ORCA_STORE_URL: 'postgres://nobody:secret@127.0.0.1:1/none' };
  const before = await findings(orca, env);
  assert.equal(before.status, 120);
  assert.match(before.of('store').found, /^PostgreSQL at 127\.0\.0\.1:1 cannot be reached: connection refused$/);
  assert.equal(before.of('daemon').found, 'not running; the next command starts it');
  assert.equal((await orca.run(['up'], { env })).status, 120);
  assert.match(
    (await findings(orca, env)).of('daemon').found,
    /^not running; the last could not start: Postgres cannot be/,
  );
  assert.equal((await orca.run(['up'])).status, 0);
  const after = await findings(orca);
  assert.deepEqual([after.status, after.of('store').level, after.of('daemon').level], [0, 'ok', 'ok']);
});

test('the sh keeper is told as what was asked for, with the command that gives the native one', async (t) => {
  const orca = new Orca(t, { ORCA_KEEPER: 'sh' });
  const ahead = await findings(orca);
  assert.match(ahead.of('cgroups').found, /the `sh` keeper starts the runs, and it cannot place them in a cgroup$/);
  assert.equal((await orca.run(['up'])).status, 0);
  const { found, help } = (await findings(orca)).of('keeper');
  assert.match(found, /ORCA_KEEPER is sh/);
  assert.equal(help, ahead.of('keeper').help);
  const { status, stderr } = await orca.shell(help ?? 'false');
  assert.equal(status, 0, stderr);
  assert.equal((await findings(orca)).of('keeper').found, 'native');
});

test('a daemon that was stopped is told as one that does not answer, and the advice brings another', async (t) => {
  let stopped: number | null = null;
  // Before what cleans up after the test, which asks the daemon.
  t.after(() => killHard(stopped));
  const orca = new Orca(t);
  assert.equal((await orca.run(['up'])).status, 0);
  const pid = orca.daemonPid();
  assert.ok(pid !== null);
  process.kill(pid, 'SIGSTOP');
  stopped = pid;
  const [plain, json, { status, of }] = await Promise.all([
    orca.run(['status']),
    orca.run(['status', '--json']),
    findings(orca),
  ]);
  assert.deepEqual([plain.status, plain.stdout, json.status, json.stdout], [122, '', 122, '']);
  assert.match(plain.stderr, new RegExp(`^orca: A daemon \\(pid ${pid}\\) is in charge of .*, but it does not answer`));
  assert.equal((JSON.parse(json.stderr) as { error: { code: string } }).error.code, 'daemon-silent');
  assert.deepEqual([status, of('daemon').level], [120, 'broken']);
  const [advised = 'false'] = (of('daemon').help ?? '').split(':');
  assert.equal((await orca.shell(advised)).status, 0);
  stopped = null;
  assert.equal((await orca.run(['list'])).status, 0);
  assert.notEqual((await orca.daemon()).pid, pid);
});

test('after `orca down` doctor and status say that nothing is started, until `orca up`', async (t) => {
  const orca = new Orca(t);
  for (const command of ['up', 'down']) assert.equal((await orca.run([command])).status, 0);
  assert.deepEqual(JSON.parse((await orca.run(['status', '--json'])).stdout), { daemon: null, down: true });
  assert.match((await orca.run(['status'])).stdout, /after `orca down` nothing is started until `orca up`$/m);
  assert.equal((await findings(orca)).of('daemon').help, 'orca up');
  assert.equal((await orca.run(['up'])).status, 0);
  orca.killDaemon();
  await until(async () => {
    const { daemon, down } = JSON.parse((await orca.run(['status', '--json'])).stdout) as Record<string, unknown>;
    return daemon === null ? down === false || null : null;
  }, 'no daemon runs, and nothing is down');
});

test('settings that cannot be used are broken lines among the others, and keep nobody from looking or ending', async (t) => {
  const orca = new Orca(t);
  const run = await orca.submit('--', 'sleep', '600');
  const env = { ORCA_RUN_MEMORY_MARGIN: '-5' };
  const { status, of } = await findings(orca, env);
  assert.deepEqual([status, of('settings').level, of('daemon').level], [120, 'broken', 'ok']);
  assert.match(of('settings').found, /^the environment sets ORCA_RUN_MEMORY_MARGIN to -5, but it is below/);
  const looked = await orca.run(['status'], { env });
  assert.deepEqual([looked.status, /^runs +1 running/m.test(looked.stdout)], [0, true]);
  assert.match(looked.stderr, /MARGIN to -5, .* It is not used for this command\.$/m);
  assert.equal((await orca.run(['kill', String(run)], { env })).status, 0);

  const homeless = { ORCA_HOME: 'relative' };
  assert.equal((await findings(orca, homeless)).of('state').level, 'broken');
  const killed = await orca.run(['kill', String(run)], { env: homeless });
  assert.equal(killed.status, 120, 'the run of that number in another state folder is left alone');
});
