import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { RunSummaryJson } from '../../src/wire/api.ts';
import { Orca, type Going } from './support/orca.ts';
import { pidsIn } from './support/pids-in.ts';
import { alive } from './support/processes.ts';
import { until } from './support/until.ts';

const ownerSeconds = 1;
const graceSeconds = 1;
const orca = new Orca(
  { after },
  {
    ORCA_OWNER_SECONDS: String(ownerSeconds),
    ORCA_KILL_GRACE_SECONDS: String(graceSeconds),
  },
);

/** So little that all of a test run at once. */
const small = ['--cpus', '0.1', '--memory', '20MB'];

const list = async (): Promise<readonly RunSummaryJson[]> =>
  (JSON.parse((await orca.run(['list', '--all', '--json'])).stdout) as { runs: RunSummaryJson[] }).runs;

const named = async (name: string): Promise<RunSummaryJson> => {
  const run = (await list()).find((found) => found.name === name);
  assert.ok(run, `there is a run ${name}`);
  return run;
};

/** A tree whose leader and child ignore TERM and whose grandchild is of another session. */
const stubborn = (pids: string): string => `
trap '' TERM INT
sh -c 'echo $$ >> "${pids}"; while :; do sleep 0.05; done' &
setsid sh -c 'echo $$ >> "${pids}"; while :; do sleep 0.05; done' &
echo $$ >> "${pids}"
while :; do sleep 0.05; done`;

/** `orca run` of a stubborn tree, once all of the tree is there. */
const runTree = async (name: string, env: NodeJS.ProcessEnv = {}): Promise<Going & { pids: readonly number[] }> => {
  const file = join(orca.folder, `${name}.pids`);
  const going = orca.start(['run', '--name', name, '--', 'sh', '-c', stubborn(file)], { env });
  const pids = await until(() => pidsIn(file, 3), `the tree of ${name} is there`);
  return { ...going, pids };
};

/** `orca run` of a command that goes on until it is let go. */
const runUntil = async (name: string): Promise<Going & { letGo: () => void }> => {
  const [file, go] = [join(orca.folder, `${name}.pids`), join(orca.folder, `${name}.go`)];
  const script = `echo $$ > '${file}'; while [ ! -e '${go}' ]; do sleep 0.05; done`;
  const going = orca.start(['run', '--name', name, ...small, '--', 'sh', '-c', script]);
  await until(() => pidsIn(file, 1), `${name} runs`);
  return { ...going, letGo: () => writeFileSync(go, '') };
};

const heard = async (child: Going['child'], stream: 'stdout' | 'stderr', words: RegExp): Promise<void> => {
  let text = '';
  child[stream]?.on('data', (piece: Buffer) => (text += piece.toString()));
  await until(() => (words.test(text) ? true : null), `${stream} says ${words.source}`);
};

for (const [signal, word] of [
  ['SIGINT', 'Interrupt'],
  ['SIGTERM', 'TERM'],
] as const) {
  test(`${signal} on orca run stops what it started, and nothing of a stubborn tree is left after the grace`, async () => {
    const name = `stopped-by-${signal}`;
    const { child, ended, pids } = await runTree(name);
    child.kill(signal);
    const { status, stderr } = await ended;
    assert.deepEqual(pids.filter(alive), [], 'nothing is left when orca run leaves');
    assert.equal(status, 125, stderr);
    const run = await named(name);
    assert.equal(run.state, 'killed');
    assert.match(run.text ?? '', new RegExp(`${word} of orca run`));
    const grace = (run.ended_at ?? 0) - (run.kill?.at ?? 0);
    assert.ok(grace >= graceSeconds * 1000 - 50, `it had its grace, ${grace} ms`);
  });
}

test('a second interrupt does not wait for the grace', async () => {
  const { child, ended, pids } = await runTree('impatient', { ORCA_KILL_GRACE_SECONDS: '600' });
  child.kill('SIGINT');
  await until(async () => ((await named('impatient')).kill === null ? null : true), 'the first interrupt is recorded');
  assert.ok(pids.every(alive), 'the tree has its grace');
  child.kill('SIGINT');
  assert.equal((await ended).status, 125);
  assert.deepEqual(pids.filter(alive), []);
});

test('a command that ends well when it is interrupted has succeeded', async () => {
  const file = join(orca.folder, 'polite.pids');
  const script = `trap 'exit 0' TERM; echo $$ > '${file}'; while :; do sleep 0.05; done`;
  const { child, ended } = orca.start(['run', '--name', 'polite', '--', 'sh', '-c', script]);
  await until(() => pidsIn(file, 1), 'it runs');
  child.kill('SIGINT');
  assert.equal((await ended).status, 0);
  assert.match((await named('polite')).text ?? '', /was asked to stop/);
});

test('an interrupt before anything is submitted leaves with 125, no run and no copy of the input', async () => {
  const { child, ended } = orca.start(['run', '--name', 'never', '--', 'cat'], { stdin: 'pipe' });
  await heard(child, 'stderr', /reading standard input/);
  child.kill('SIGINT');
  assert.equal((await ended).status, 125);
  assert.ok((await list()).every(({ name }) => name !== 'never'));
  assert.deepEqual(
    readdirSync(join(orca.state, 'runs')).filter((name) => name.includes('spool')),
    [],
  );
});

test('interrupting orca wait leaves the run as it is and says how to come back', async () => {
  const [over, run] = [await orca.submit('--', 'true'), await orca.submit(...small, '--', 'sleep', '300')];
  const { child, ended } = orca.start(['wait', '--json', String(over), String(run)]);
  await heard(child, 'stdout', /"succeeded"/);
  child.kill('SIGINT');
  const { status, stderr } = await ended;
  assert.equal(status, 130);
  assert.match(stderr, new RegExp(`run ${run} goes on\\. \`orca wait ${run}\` waits again`));
  assert.equal((await orca.status(run)).kill, null);
  await orca.run(['kill', '--now', String(run)]);
});

test('a client that is gone has its run stopped after a while; hung-up, submitted and attended runs go on, also over a restart', async () => {
  const [gone, attended, hungUp] = [await runUntil('gone'), await runUntil('attended'), await runUntil('hung-up')];
  const submitted = await orca.submit(...small, '--', 'sleep', '300');

  hungUp.child.kill('SIGHUP');
  const left = await hungUp.ended;
  const released = await named('hung-up');
  assert.equal(left.status, 129);
  assert.match(left.stderr, new RegExp(`hung up; run ${released.id} goes on`));

  const before = orca.daemonPid();
  orca.killDaemon();
  gone.child.kill('SIGKILL');
  await gone.ended;
  // Started again by its resident or by the attending client; from here on both owners are awaited.
  await until(() => (orca.daemonPid() === before ? null : true), 'another daemon is there');
  const stopped = await orca.untilRun((await named('gone')).id, ({ state }) => state === 'killed', 'killed');
  assert.match(stopped.text ?? '', /its orca run went away and did not come back within 1 s/);

  // The others had the same time, and nobody to stop them.
  for (const run of [released.id, (await named('attended')).id, submitted]) {
    const { state, kill } = await orca.status(run);
    assert.deepEqual([run, state, kill], [run, 'running', null]);
  }
  hungUp.letGo();
  attended.letGo();
  assert.equal((await attended.ended).status, 0);
  assert.equal((await orca.run(['wait', String(released.id)])).status, 0);
  await orca.run(['kill', '--now', String(submitted)]);
});
