import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { changeStore, crash } from './support/crash.ts';
import { Orca } from './support/orca.ts';
import { until } from './support/until.ts';

const old = 'zq7%Vx-the-first';

const withStage = (t: TestContext, env: NodeJS.ProcessEnv = {}): { orca: Orca; stage: string; secret: string } => {
  const orca = new Orca(t, { ...env });
  const secret = join(orca.folder, 'secret');
  writeFileSync(secret, `${old}\n`);
  return { orca, secret, stage: join(orca.folder, 'stage') };
};

const staged = (stage: string): string[] => (existsSync(stage) ? readdirSync(stage) : []);

/** Without the times of what took longer than a second. */
const kept = (stage: string): string[] => staged(stage).filter((name) => !name.includes('.times'));

/** All that is in the logs of a run. */
const logged = (orca: Orca, run: number): string => {
  const folder = join(orca.state, 'logs', '_command', String(run));
  return readdirSync(folder)
    .filter((name) => /\.(stdout|stderr|log)$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
};

/**
 * A run with a secret, which ends while no daemon is there; `meanwhile` is done before the next one comes. Nothing starts that by itself, since the
 * resident dies with the daemon.
 */
const overWithoutDaemon = async (
  { orca, stage }: { orca: Orca; stage: string },
  { secret, env = {}, meanwhile }: { secret: string; env?: NodeJS.ProcessEnv; meanwhile?: () => void },
): Promise<number> => {
  const [go, done] = [join(orca.folder, 'go'), join(orca.folder, 'done')];
  const script = `echo "x $DB y"; until [ -e '${go}' ]; do sleep 0.05; done; echo "z $DB"; : >'${done}'`;
  await orca.run(['up'], { env: { ORCA_LOG_STAGE: stage, ...env } });
  const { stdout } = await orca.run(['submit', '--secret', `DB=${secret}`, '--', 'sh', '-c', script], { env });
  const run = Number(stdout.trim());
  const wrote = (): true | null =>
    staged(stage).some((name) => readFileSync(join(stage, name), 'utf8').includes('x ')) ? true : null;
  await until(wrote, 'it has printed');
  await orca.untilRun(run, ({ state }) => state === 'running', 'running');
  const keeper = orca.keeperPid(run);
  await crash(orca);
  writeFileSync(go, '');
  await until(() => (existsSync(done) ? true : null), 'it is over');
  await until(() => (keeper !== null && existsSync(`/proc/${keeper}`) ? null : true), 'its keeper has left');
  meanwhile?.();
  await orca.run(['up'], { env: { ORCA_LOG_STAGE: stage, ...env } });
  await orca.run(['wait', String(run)]);
  return run;
};

/** The command that `orca logs` names, with the value in it. */
const byHand = (said: string, value: string): string => {
  const command = /`(ORCA_SECRETS=[^`]*)`/.exec(said)?.[1] ?? '';
  return command.replaceAll('DB=…', `DB='${value}'`);
};

test('a secret that was changed while no daemon lived leaves the output in the stage: nothing of the old value gets into a log, and by hand only the right one is taken', async (t) => {
  const at = withStage(t);
  const { orca, stage, secret } = at;
  const changed = (): void => writeFileSync(secret, 'zq7%Vx-the-second\n');
  const run = await overWithoutDaemon(at, { secret: `file:${secret}`, meanwhile: changed });
  const said = await orca.run(['logs', String(run)]);
  assert.equal(said.status, 120);
  assert.equal(said.stdout, '');
  assert.match(said.stderr, /file:\S+ \(for DB\): it has another value now than the start had/);
  assert.equal((await orca.run(['logs', '-f', String(run)])).status, 120);
  assert.ok(!logged(orca, run).includes('zq7%Vx'));
  assert.equal(kept(stage).length, 3);

  const command = byHand(said.stderr, 'zq7%Vx-the-second');
  const wrong = await orca.shell(command);
  assert.equal(wrong.status, 120);
  assert.match(wrong.stderr, /DB has another value than the start had/);
  const none = await orca.shell(command.replace('ORCA_SECRETS=DB', 'ORCA_SECRETS='));
  assert.equal(none.status, 120);
  assert.match(none.stderr, /ORCA_SECRETS does not name DB/);
  assert.ok(!logged(orca, run).includes('zq7%Vx'));
  assert.equal(kept(stage).length, 3);

  const right = await orca.shell(byHand(said.stderr, old));
  assert.equal(right.status, 0, right.stderr);
  assert.equal((await orca.run(['logs', String(run), '--stdout'])).stdout, 'x *** y\nz ***\n');
  assert.equal(
    readFileSync(join(orca.state, 'logs', '_command', String(run), 'driver.log'), 'utf8'),
    'x *** y\nz ***\n',
  );
  const errors = await orca.run(['logs', String(run)]);
  assert.equal((await orca.shell(byHand(errors.stderr, old))).status, 0);
  assert.deepEqual(staged(stage), []);
});

test('a command that gives another value at each call leaves the output in the stage, and is not asked again and again', async (t) => {
  const at = withStage(t);
  const { orca, stage } = at;
  const [fetch, calls] = [join(orca.folder, 'fetch'), join(orca.folder, 'calls')];
  writeFileSync(fetch, `#!/bin/sh\necho x >>'${calls}'\necho "TOKEN-zq7%Vx-$(wc -l <'${calls}')"\n`, { mode: 0o755 });
  const run = await overWithoutDaemon(at, { secret: 'token', env: { ORCA_SECRET_FETCH: fetch } });
  for (let i = 0; i < 2; i += 1) {
    const said = await orca.run(['logs', String(run)]);
    assert.equal(said.status, 120);
    assert.match(said.stderr, /token \(for DB\): it has another value now/);
  }
  assert.equal(readFileSync(calls, 'utf8'), 'x\nx\n');
  assert.ok(!logged(orca, run).includes('TOKEN-'));
  assert.equal(kept(stage).length, 3);
});

test('a secret that is as it was is fetched again by the next daemon, and the output gets into its log masked', async (t) => {
  const at = withStage(t);
  const run = await overWithoutDaemon(at, { secret: `file:${at.secret}` });
  assert.equal(logged(at.orca, run), 'x *** y\nz ***\n'.repeat(2));
  assert.deepEqual(staged(at.stage), []);
});

test('without what a value could be known by, nothing is taken into the log; by hand only when it is asked for', async (t) => {
  const at = withStage(t);
  const { orca, stage, secret } = at;
  const drop = (): void => {
    for (const name of staged(stage).filter((one) => one.endsWith('.prints'))) rmSync(join(stage, name));
  };
  const run = await overWithoutDaemon(at, { secret: `file:${secret}`, meanwhile: drop });
  const said = await orca.run(['logs', String(run)]);
  assert.equal(said.status, 120);
  assert.ok(!logged(orca, run).includes('zq7%Vx'));
  const command = byHand(said.stderr, old);
  const refused = await orca.shell(command);
  assert.equal(refused.status, 120);
  assert.match(refused.stderr, /--unchecked/);
  assert.equal((await orca.shell(command.replace('keep-log', 'keep-log --unchecked'))).status, 0);
  assert.equal((await orca.run(['logs', String(run), '--stdout'])).stdout, 'x *** y\nz ***\n');
});

test('a value of env: that ended with its daemon: orca logs names the command that takes the output into its log, and that does', async (t) => {
  const at = withStage(t);
  const { orca } = at;
  const run = await overWithoutDaemon(at, { secret: 'env:MY_DB', env: { MY_DB: old } });
  const said = await orca.run(['logs', String(run)]);
  assert.equal(said.status, 120);
  assert.match(said.stderr, /the daemon that had it in memory has ended/);
  assert.match(said.stderr, /is not tried again by itself/);
  assert.doesNotMatch(said.stderr, /orca retry/);
  assert.equal((await orca.shell(byHand(said.stderr, old))).status, 0);
  assert.equal((await orca.run(['logs', String(run), '--stdout'])).stdout, 'x *** y\nz ***\n');
});

test('a command that went on as another program with another value in the same variable is masked by the value that it was given', async (t) => {
  const { orca, stage, secret } = withStage(t);
  const env = { ORCA_LOG_STAGE: stage };
  const go = join(orca.folder, 'go');
  const then = `until [ -e "${go}" ]; do sleep 0.05; done; echo end`;
  await orca.run(['up'], { env });
  const script = `echo "x $DB y"; DB=nothing exec sh -c '${then}'`;
  const run = await orca.submit('--secret', `DB=file:${secret}`, '--', 'sh', '-c', script);
  const { starts } = await orca.untilRun(run, ({ state }) => state === 'running', 'running');
  const environment = `/proc/${starts[0]?.pid ?? 0}/environ`;
  await until(() => (readFileSync(environment, 'utf8').includes('DB=nothing') ? true : null), 'it is another one');
  await crash(orca);
  await orca.run(['up'], { env });
  assert.equal((await orca.run(['logs', String(run)])).stdout, 'x *** y\n');
  writeFileSync(go, '');
  await orca.run(['wait', String(run)]);
  assert.equal(logged(orca, run), 'x *** y\nend\n'.repeat(2));
});

test('the values of a command of which the store did not know that it runs are taken from its environment all the same', async (t) => {
  const { orca, stage, secret } = withStage(t);
  const env = { ORCA_LOG_STAGE: stage };
  const go = join(orca.folder, 'go');
  await orca.run(['up'], { env });
  const script = `echo "x $DB y"; until [ -e '${go}' ]; do sleep 0.05; done; echo "z $DB"`;
  const run = await orca.submit('--secret', `DB=file:${secret}`, '--', 'sh', '-c', script);
  await orca.untilRun(run, ({ state }) => state === 'running', 'running');
  await crash(orca);
  // As it is in the first moment of a start.
  changeStore(
    orca,
    `update starts set state = 'starting', pid = null, keeper_pid = null, started_at = null where run = ${run}`,
    `update runs set state = 'starting' where id = ${run}`,
  );
  writeFileSync(secret, 'zq7%Vx-the-second\n');
  await orca.run(['up'], { env });
  await orca.untilRun(run, ({ state }) => state === 'running', 'running again');
  assert.equal((await orca.run(['logs', String(run)])).stdout, 'x *** y\n');
  writeFileSync(go, '');
  await orca.run(['wait', String(run)]);
  assert.equal(logged(orca, run), 'x *** y\nz ***\n'.repeat(2));
});

test('fingerprints that say nothing of a secret of the run do not make its value the right one', async (t) => {
  const at = withStage(t);
  const { orca, stage, secret } = at;
  const change = (): void => {
    writeFileSync(secret, 'zq7%Vx-the-second\n');
    const [prints = ''] = staged(stage).filter((one) => one.endsWith('.prints'));
    writeFileSync(join(stage, prints), `salt ${'0'.repeat(32)}\nend\n`);
  };
  const run = await overWithoutDaemon(at, { secret: `file:${secret}`, meanwhile: change });
  assert.equal((await orca.run(['logs', String(run)])).status, 120);
  assert.ok(!logged(orca, run).includes('zq7%Vx'));
});
