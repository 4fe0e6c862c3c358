import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { PauseAnswer } from '../../src/wire/api.ts';
import { Orca } from './support/orca.ts';
import { alive } from './support/processes.ts';
import { submitAll } from './support/submit-all.ts';
import { until } from './support/until.ts';

/** A command that goes on until its file is there. */
const untilThere = (file: string): string[] => ['sh', '-c', `while [ ! -e '${file}' ]; do sleep 0.02; done`];

test('a paused queue starts nothing until resume, says who paused it and why, and takes submissions', async (t) => {
  const orca = new Orca(t);
  const paused = await orca.run(['pause', '--reason', 'the backup runs']);
  assert.equal(paused.status, 0);
  assert.match(
    paused.stderr,
    /^orca: the queue is paused by .+: the backup runs; `orca resume` lets it start runs again\n$/,
  );
  const long = await orca.run(['pause', '--reason', 'x'.repeat(1001)]);
  assert.match(long.stderr, /--reason x{60}… is refused: it has more than 1000 characters/);
  const run = await orca.submit('--', 'true');
  assert.match((await orca.status(run)).reason ?? '', /^the queue is paused by .+: the backup runs; `orca resume`/);
  for (const looked of [['list'], ['status'], ['top'], ['doctor']])
    assert.match((await orca.run(looked)).stdout, /paused .*: the backup runs/, looked[0]);
  assert.equal((await orca.run(['wait', '--timeout', '500ms', String(run)])).status, 124);
  assert.equal((await orca.status(run)).state, 'queued');
  assert.equal((await orca.run(['resume'])).status, 0);
  assert.equal((await orca.run(['wait', String(run)])).status, 0);
});

test('a pause outlives the daemon, and what runs goes on and is recorded', async (t) => {
  const orca = new Orca(t);
  const go = join(orca.folder, 'go');
  const first = await orca.submit('--', ...untilThere(go));
  await orca.untilRun(first, ({ state }) => state === 'running', 'running');
  await orca.run(['pause']);
  const second = await orca.submit('--', 'true');
  orca.killDaemon();
  writeFileSync(go, '');
  assert.equal((await orca.run(['wait', String(first)])).status, 0);
  const daemon = await orca.daemon();
  assert.equal(daemon.paused?.reason, null);
  assert.equal((await orca.status(second)).state, 'queued');
  await orca.run(['resume']);
  assert.equal((await orca.run(['wait', String(second)])).status, 0);
});

test('runs are held back by number and by tag, and the others go past them', async (t) => {
  const orca = new Orca(t, { ORCA_CAPACITY_CPUS: '1' });
  const go = join(orca.folder, 'go');
  const first = await orca.submit('--', ...untilThere(go));
  await orca.untilRun(first, ({ state }) => state === 'running', 'running');
  const held = await orca.submit('--', 'true');
  const { runs: tagged } = await submitAll(orca, [['true'], ['true']], { tags: ['night'] });
  const free = await orca.submit('--', 'true');

  const one = await orca.run(['pause', String(held), '--reason', 'not yet']);
  assert.deepEqual(
    [one.status, one.stderr],
    [0, `orca: run ${held} is held back; \`orca resume ${held}\` lets it start\n`],
  );
  const { stdout } = await orca.run(['pause', '--tag', 'night', '--json']);
  assert.deepEqual(
    (JSON.parse(stdout) as PauseAnswer).runs.map(({ run, result }) => [run, result]),
    tagged.map((run) => [run, 'paused']),
  );
  assert.match((await orca.status(held)).reason ?? '', /^is paused by .+: not yet; `orca resume \d+` lets it start$/);
  assert.equal((await orca.status(held)).paused?.reason, 'not yet');

  writeFileSync(go, '');
  assert.equal((await orca.run(['wait', String(free)])).status, 0);
  // The same holds for a daemon that was started anew.
  orca.killDaemon();
  assert.deepEqual(
    (await Promise.all([held, ...tagged].map((run) => orca.status(run)))).map(({ state }) => state),
    ['queued', 'queued', 'queued'],
  );
  assert.match((await orca.run(['resume', '--tag', 'night'])).stderr, /^orca: tag night: 2 may start again\n$/);
  assert.equal((await orca.run(['wait', ...tagged.map(String)])).status, 0);
  assert.equal((await orca.status(held)).state, 'queued');
  assert.equal((await orca.run(['resume', String(held)])).status, 0);
  assert.equal((await orca.run(['wait', String(held)])).status, 0);
});

test('what runs, is over or unknown cannot be held back, and hears why', async (t) => {
  const orca = new Orca(t);
  const going = await orca.submit('--', 'sleep', '60');
  await orca.untilRun(going, ({ state }) => state === 'running', 'running');
  const over = await orca.submit('--', 'true');
  await orca.run(['wait', String(over)]);
  const cases: [number, number, RegExp][] = [
    [going, 120, /runs already, and only what waits can be held back; `orca kill \d+` would end it/],
    [over, 120, /is over already \(succeeded\)/],
    [99, 127, /there is no run 99/],
  ];
  for (const [run, status, words] of cases) {
    const answer = await orca.run(['pause', String(run)]);
    assert.equal(answer.status, status);
    assert.match(answer.stderr, words);
  }
  assert.equal((await orca.status(going)).state, 'running');
});

test('pause --drain comes back when what runs has ended, and not for what waits', async (t) => {
  const orca = new Orca(t, { ORCA_CAPACITY_CPUS: '1' });
  const go = join(orca.folder, 'go');
  const first = await orca.submit('--', ...untilThere(go));
  await orca.untilRun(first, ({ state }) => state === 'running', 'running');
  const second = await orca.submit('--', 'true');
  const draining = orca.start(['pause', '--drain']);
  await until(async () => ((await orca.daemon()).paused == null ? null : true), 'the queue is paused');
  assert.equal(draining.child.exitCode, null);
  writeFileSync(go, '');
  const drained = await draining.ended;
  assert.equal(drained.status, 0);
  assert.match(drained.stderr, /1 run goes on; .*\norca: nothing of it runs any more\n$/);
  assert.deepEqual([(await orca.status(first)).state, (await orca.status(second)).state], ['succeeded', 'queued']);
});

test('a drain ends when somebody lets the queue go on, though runs go on and on', async (t) => {
  const orca = new Orca(t);
  const going = await orca.submit('--', 'sleep', '60');
  await orca.untilRun(going, ({ state }) => state === 'running', 'running');
  const draining = orca.start(['pause', '--drain']);
  await until(async () => ((await orca.daemon()).paused == null ? null : true), 'the queue is paused');
  await until(async () => {
    await orca.run(['resume']);
    return draining.child.exitCode === null ? null : true;
  }, 'nobody waits for that any more');
  const { status, stderr } = await draining.ended;
  assert.equal(status, 122);
  assert.match(stderr, /orca: the queue is not paused any more: somebody resumed it\n$/);
});

test('an interrupt leaves a drain, and what it held back stays so', async (t) => {
  const orca = new Orca(t);
  const going = await orca.submit('--', 'sleep', '60');
  await orca.untilRun(going, ({ state }) => state === 'running', 'running');
  const draining = orca.start(['pause', '--drain']);
  await until(async () => ((await orca.daemon()).paused == null ? null : true), 'the queue is paused');
  draining.child.kill('SIGINT');
  const left = await draining.ended;
  assert.equal(left.status, 130);
  assert.match(left.stderr, /no longer waiting; .*`orca pause --drain` waits again, `orca resume` lets it start\.\n$/);
  assert.notEqual((await orca.daemon()).paused, null);
});

test('a run inside another goes on while the queue is paused', async (t) => {
  const orca = new Orca(t);
  const [there, go] = [join(orca.folder, 'there'), join(orca.folder, 'go')];
  const outer = `touch '${there}'; while [ ! -e '${go}' ]; do sleep 0.02; done; orca run -- true`;
  const words = `orca() { '${process.execPath}' '${join(import.meta.dirname, '../../dist/current/main.js')}' "$@"; }; ${outer}`;
  const run = await orca.submit('--', 'sh', '-c', words);
  await until(() => (existsSync(there) ? true : null), 'it runs');
  await orca.run(['pause']);
  writeFileSync(go, '');
  assert.equal((await orca.run(['wait', String(run)])).status, 0);
});

test('a paused run is killed like any other', async (t) => {
  const orca = new Orca(t);
  await orca.run(['pause']);
  const { runs } = await submitAll(
    orca,
    Array.from({ length: 3 }, () => ['true']),
    { tags: ['night'] },
  );
  await orca.run(['pause', String(runs[0])]);
  const killed = await orca.run(['kill', String(runs[0]), '--tag', 'night']);
  assert.equal(killed.status, 0);
  assert.equal(
    killed.stderr,
    `orca: run ${runs[0]} was waiting, and is ended\norca: tag night: 2 that waited are ended\n`,
  );
  for (const run of runs) assert.equal((await orca.status(run)).state, 'killed');
});

test('a daemon that may start nothing leaves, whatever is queued', async (t) => {
  const orca = new Orca(t);
  await orca.run(['pause']);
  const run = await orca.submit('--', 'true');
  await orca.run(['down']);
  assert.match((await orca.status(run)).reason ?? '', /^orca is down/);
  const reader = orca.daemonPid();
  await until(() => (reader !== null && alive(reader) ? null : true), 'the daemon that was there to read has left');
  await orca.run(['up']);
  await orca.run(['resume']);
  assert.equal((await orca.run(['wait', String(run)])).status, 0);
});
