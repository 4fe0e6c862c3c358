import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Orca } from './support/orca.ts';
import { until } from './support/until.ts';

/** What the runs of a test wrote, a line each, in the order in which they did. */
const linesOf = (orca: Orca): string[] => {
  try {
    return readFileSync(join(orca.folder, 'out'), 'utf8').split('\n').slice(0, -1);
  } catch {
    return [];
  }
};
const begins = (name: string, seconds: number): string[] => [
  'sh',
  '-c',
  `echo ${name} >> out; sleep ${seconds}; echo ${name} ended >> out`,
];
const submitted = async (orca: Orca, ...args: string[]): Promise<number> => {
  const { stdout, stderr, status } = await orca.run(['submit', ...args]);
  assert.equal(status, 0, stderr);
  return Number(stdout);
};
const lines = (orca: Orca, count: number): string => {
  const file = join(orca.folder, 'lines');
  writeFileSync(file, Array.from({ length: count }, (_, index) => `${index + 1}\n`).join(''));
  return file;
};
const isBegun = (orca: Orca, name: string): Promise<unknown> =>
  until(() => (linesOf(orca).includes(name) ? true : null), `${name} has begun`);

test('the reason of a queued run is true, and another one when the cause is another', async (t) => {
  const orca = new Orca(t, { ORCA_CAPACITY_CPUS: '4' });
  const first = await submitted(orca, '--lock', 'db', '--', ...begins('first', 60));
  await isBegun(orca, 'first');
  const second = await submitted(orca, '--lock', 'db', '--', 'true');
  const third = await submitted(orca, '--cpus', '4', '--', 'true');
  const fourth = await submitted(orca, '--after', String(third), '--', 'true');
  const waits = async (run: number) => {
    const { reason, waiting } = await orca.status(run);
    return [reason, waiting?.kind, waiting?.position, waiting?.holders];
  };
  assert.deepEqual(await waits(second), [`needs the lock db; held by run ${first}`, 'lock', 1, [first]]);
  assert.deepEqual(await waits(third), [
    `needs 4 cores; 3 cores of 4 cores free; held by run ${first}`,
    'cpus',
    2,
    [first],
  ]);
  assert.deepEqual(await waits(fourth), [`comes after run ${third}`, 'after', null, []]);
  await orca.run(['pause', '--reason', 'the backup runs']);
  assert.match((await orca.status(third)).reason ?? '', /^the queue is paused by .*: the backup runs/);
  await orca.run(['resume']);
  await orca.run(['kill', String(first)]);
  const { status } = await orca.run(['wait', String(second), String(third), String(fourth)]);
  assert.equal(status, 0);
  assert.deepEqual((await orca.status(third)).waiting, null);
});

test('what can never start is refused: a resource that nobody declared, more devices than there are', async (t) => {
  const orca = new Orca(t, { ORCA_GPUS: '0' });
  const licence = await orca.run(['submit', '--resource', 'licence', '--', 'true']);
  assert.equal(licence.status, 120);
  assert.match(licence.stderr, /could never start here: it needs licence, and there is none/);
  const gpu = await orca.run(['submit', '--gpus', '1', '--', 'true']);
  assert.equal(gpu.status, 120);
  assert.match(gpu.stderr, /it needs 1 GPU, and there are 0 GPUs/);
});

test('a big run among many small ones starts when its room has drained, and small ones go on beside it', async (t) => {
  const orca = new Orca(t, { ORCA_CAPACITY_CPUS: '64', ORCA_CAPACITY_MB: '2560', ORCA_RESERVE_MB: '512' });
  const small = ['--memory', '128MB', '--each-line', lines(orca, 50), '--', ...begins('small', 0.5)];
  await orca.run(['submit', ...small]);
  await isBegun(orca, 'small');
  const big = await submitted(orca, '--memory', '1.5GB', '--', ...begins('big', 2));
  const at = linesOf(orca).filter((line) => line === 'small').length;
  await orca.run(['submit', ...small]);
  assert.equal((await orca.run(['wait', String(big)])).status, 0);
  const told = linesOf(orca);
  const before = told.slice(0, told.indexOf('big')).filter((line) => line === 'small').length;
  // The older fifty have their turn first; of the younger ones only what fits beside it, 4 at a time.
  assert.ok(before <= 50 + 20, `${before} small ones began before it, ${at} of them before it came`);
  const beside = told.slice(told.indexOf('big'), told.indexOf('big ended')).filter((line) => line === 'small').length;
  assert.ok(beside >= 4, `${beside} small ones began beside it`);
});

test('of two submitters, one with hundreds of runs and one with two, the second’s do not wait for the hundreds', async (t) => {
  const orca = new Orca(t, { ORCA_CAPACITY_CPUS: '1' });
  await orca.run(['submit', '--as', 'ada', '--each-line', lines(orca, 400), '--', ...begins('ada', 0.01)]);
  await isBegun(orca, 'ada');
  const own = [1, 2].map(() => submitted(orca, '--as', 'bob', '--', ...begins('bob', 0.01)));
  const runs = await Promise.all(own);
  const at = linesOf(orca).filter((line) => line === 'ada').length;
  assert.equal((await orca.run(['wait', ...runs.map(String)])).status, 0);
  const told = linesOf(orca);
  const before = told.slice(0, told.lastIndexOf('bob ended')).filter((line) => line === 'ada').length - at;
  assert.ok(before <= 8, `${before} of ada’s began after bob’s were there, and before they were over`);
});

test('what comes after others starts after a success, or after any end, and fails without a start when there is none', async (t) => {
  const orca = new Orca(t, { ORCA_CAPACITY_CPUS: '4' });
  const told = (code: number) => ['sh', '-c', `until [ -e go ]; do sleep 0.1; done; exit ${code}`];
  const bad = await submitted(orca, '--', ...told(3));
  const good = await submitted(orca, '--', ...told(0));
  const afterGood = await submitted(orca, '--after', String(good), '--', 'true');
  const afterBad = await submitted(orca, '--after', String(bad), '--', 'true');
  const chained = await submitted(orca, '--after', String(afterBad), '--', 'true');
  const afterAny = await submitted(orca, '--after', `${bad}:any`, '--', 'true');
  writeFileSync(join(orca.folder, 'go'), '');
  const ends = await Promise.all(
    [afterGood, afterBad, chained, afterAny].map(async (run) => (await orca.run(['wait', String(run)])).status),
  );
  assert.deepEqual(ends, [0, 121, 121, 0]);
  const { state, evidence, text, starts_count } = await orca.status(afterBad);
  assert.deepEqual([state, evidence, starts_count], ['failed', 'dependency', 0]);
  assert.match(text ?? '', new RegExp(`^never started: Run ${bad} failed`));
});

test('what comes after a group waits for all of it, also over a killed daemon', async (t) => {
  const orca = new Orca(t, { ORCA_CAPACITY_CPUS: '4' });
  const { stdout } = await orca.run(['submit', '--json', '--each-line', lines(orca, 3), '--', ...begins('member', 2)]);
  const { group } = JSON.parse(stdout) as { group: number };
  const after = await submitted(orca, '--after', `g${group}`, '--', ...begins('after', 0));
  assert.equal((await orca.status(after)).reason, `comes after group g${group}`);
  orca.killDaemon();
  assert.equal((await orca.run(['wait', String(after)])).status, 0);
  const told = linesOf(orca);
  assert.equal(told.slice(0, told.indexOf('after')).filter((line) => line === 'member ended').length, 3);
});

test('a command whose need is known counts for that, and more of them go on at once', async (t) => {
  const orca = new Orca(t, { ORCA_CAPACITY_CPUS: '2', ORCA_CAPACITY_MB: '3072', ORCA_RESERVE_MB: '512' });
  const command = ['--cpus', '0.1', '--', ...begins('x', 3)];
  assert.equal((await orca.run(['run', ...command])).status, 0);
  const runs = await Promise.all([1, 2, 3, 4].map(() => submitted(orca, ...command)));
  await until(
    async () =>
      (await Promise.all(runs.map((run) => orca.status(run)))).every(({ state }) => state === 'running') ? true : null,
    'all four run at once',
  );
  await orca.run(['kill', ...runs.map(String)]);
});

test('for whom room is saved up stays so when another daemon takes over', async (t) => {
  const orca = new Orca(t, { ORCA_CAPACITY_CPUS: '3' });
  const go = join(orca.folder, 'go');
  const holds = await submitted(orca, '--as', 'ada', '--', 'sh', '-c', `until [ -e '${go}' ]; do sleep 0.05; done`);
  await orca.untilRun(holds, ({ state }) => state === 'running', 'running');
  const first = await submitted(orca, '--as', 'ada', '--cpus', '3', '--', ...begins('first', 0));
  // By its share of the machine this one goes first, and would be first for a daemon that knows nothing of the other.
  const second = await submitted(orca, '--as', 'bob', '--cpus', '3', '--', ...begins('second', 0));
  assert.match((await orca.status(second)).reason ?? '', new RegExp(`behind run ${first}`));
  const before = orca.daemonPid();
  assert.equal((await orca.run(['restart'])).status, 0);
  await until(() => (orca.daemonPid() === before ? null : true), 'another daemon is there');
  assert.match((await orca.status(second)).reason ?? '', new RegExp(`behind run ${first}`));
  writeFileSync(go, '');
  assert.equal((await orca.run(['wait', String(first), String(second)])).status, 0);
  assert.deepEqual(linesOf(orca), ['first', 'first ended', 'second', 'second ended']);
});
