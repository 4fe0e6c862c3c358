import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Orca } from './support/orca.ts';
import { until } from './support/until.ts';

/** A command that says that it runs, and ends when a file is there. */
const waitsFor = (orca: Orca, word = 'done'): string[] => {
  const go = join(orca.folder, 'go');
  return ['sh', '-c', `echo begun >> '${orca.folder}/begun'; until [ -e '${go}' ]; do sleep 0.05; done; echo ${word}`];
};
const begun = (orca: Orca): string => {
  const file = join(orca.folder, 'begun');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};
const letGo = (orca: Orca): void => writeFileSync(join(orca.folder, 'go'), '');
const runsIn = async (orca: Orca): Promise<number> => {
  const { stdout } = await orca.run(['list', '--all', '--limit', '100', '--json']);
  return (JSON.parse(stdout) as { runs: unknown[] }).runs.length;
};

test('a key that 20 processes give at the same moment, with no daemon there, makes one run for all of them', async (t) => {
  const orca = new Orca(t);
  const all = Array.from({ length: 20 }, () =>
    orca.start(['run', '--key', 'k', '--', ...waitsFor(orca)], { withinMs: 180_000 }),
  );
  await until(() => (begun(orca) === '' ? null : true), 'the run has begun');
  letGo(orca);
  const ended = await Promise.all(all.map(({ ended: end }) => end));
  assert.deepEqual(new Set(ended.map(({ status, stdout }) => `${status} ${stdout}`)), new Set(['0 done\n']));
  assert.equal(begun(orca), 'begun\n');
  assert.equal(await runsIn(orca), 1);
  const followers = ended.filter(({ stderr }) => /run 1 has this key already and /.test(stderr));
  assert.equal(followers.length, 19);
});

test('a key keeps its window, also of nothing, and over a retry', async (t) => {
  const orca = new Orca(t);
  for (const [window, ms] of [
    ['0', 0],
    ['5s', 5000],
  ] as const) {
    const run = await orca.submit('--key', `k${window}`, '--key-window', window, '--', 'false');
    await orca.run(['wait', String(run)]);
    const again = await orca.run(['retry', String(run)]);
    assert.notEqual(Number(again.stdout), run);
    for (const one of [run, Number(again.stdout)]) {
      const { key, key_window_ms } = await orca.status(one);
      assert.deepEqual([key, key_window_ms], [`k${window}`, ms], `run ${one}`);
    }
  }
});

test('a failed run frees its key; a success holds it, but for a window of nothing; another command is refused', async (t) => {
  const orca = new Orca(t);
  const flag = join(orca.folder, 'flag');
  const flaky = ['sh', '-c', `[ -e '${flag}' ] || { touch '${flag}'; exit 7; }; echo well`];
  assert.equal((await orca.run(['run', '--key', 'k', '--', ...flaky])).status, 7);
  const second = await orca.run(['run', '--key', 'k', '--', ...flaky]);
  assert.deepEqual([second.status, second.stdout], [0, 'well\n']);
  const third = await orca.run(['run', '--key', 'k', '--', ...flaky]);
  assert.deepEqual([third.status, third.stdout], [0, 'well\n']);
  assert.match(third.stderr, /^orca: run 2 has this key already and succeeded .* ago; it is not run again\n$/);
  assert.equal(await runsIn(orca), 2);

  const other = await orca.run(['submit', '--key', 'k', 'true']);
  assert.deepEqual([other.status, other.stdout], [120, '']);
  assert.match(other.stderr, /The key k is that of run 2, which is another command or in another folder\./);
  const again = await orca.run(['submit', '--wait', '--key', 'k', '--key-window', '0', '--', ...flaky]);
  assert.deepEqual([again.status, again.stdout], [0, '3\n']);
});

test('a retry of what a newer run of its key has done is that run; a retry of the success does it again', async (t) => {
  const orca = new Orca(t);
  const flag = join(orca.folder, 'flag');
  const flaky = ['--key', 'k', '--', 'sh', '-c', `[ -e '${flag}' ] || { touch '${flag}'; exit 7; }`];
  for (const status of [7, 0]) assert.equal((await orca.run(['run', ...flaky])).status, status);
  assert.equal((await orca.run(['retry', '1'])).stdout, '2\n');
  assert.equal((await orca.run(['retry', '2'])).stdout, '3\n');
});

test('a run goes on for who asked for its key when its own client is killed, also with another daemon', async (t) => {
  const orca = new Orca(t, { ORCA_OWNER_SECONDS: '1' });
  const first = orca.start(['run', '--cpus', '0.1', '--key', 'k', '--', ...waitsFor(orca)]);
  await until(() => (begun(orca) === '' ? null : true), 'the run has begun');
  const second = orca.start(['run', '--key', 'k', '--', ...waitsFor(orca)]);
  await until(() => (orca.daemonPid() === null ? null : true), 'a daemon is there');
  const told = await orca.run(['submit', '--key', 'k', '--', ...waitsFor(orca)]);
  assert.match(told.stderr, /^orca: run 1 has this key already and runs\n$/);
  // One whose client is killed at the same time tells when that has had its effect.
  const untilOwnerIsGone = async (run: number, after: () => void): Promise<void> => {
    const id = join(orca.folder, `control-${run}`);
    const control = orca.start(['run', '--cpus', '0.1', '--id-file', id, '--', 'sleep', '600']);
    await until(() => (existsSync(id) ? true : null), 'it is accepted');
    await orca.untilRun(run, ({ state }) => state === 'running');
    control.child.kill('SIGKILL');
    await control.ended;
    after();
    await orca.untilRun(run, ({ state }) => state === 'killed', 'stopped, since its client is gone');
    assert.equal((await orca.status(1)).state, 'running');
  };
  first.child.kill('SIGKILL');
  await first.ended;
  await untilOwnerIsGone(2, () => undefined);
  await untilOwnerIsGone(3, () => orca.killDaemon());
  letGo(orca);
  const { status, stdout } = await second.ended;
  assert.deepEqual([status, stdout], [0, 'done\n']);
});

test('an interrupt of either client leaves a run that both asked for', async (t) => {
  const orca = new Orca(t);
  const first = orca.start(['run', '--key', 'k', '--', ...waitsFor(orca)]);
  await until(() => (begun(orca) === '' ? null : true), 'the run has begun');
  const second = orca.start(['run', '--key', 'k', '--', ...waitsFor(orca)]);
  let said = '';
  second.child.stderr?.on('data', (piece: Buffer) => (said += piece.toString()));
  await until(() => (said.includes('waiting for it') ? true : null), 'the second follows');
  second.child.kill('SIGINT');
  const left = await second.ended;
  assert.equal(left.status, 130);
  assert.match(left.stderr, /no longer waiting; run 1 goes on\./);
  first.child.kill('SIGTERM');
  const owner = await first.ended;
  assert.equal(owner.status, 130);
  assert.match(owner.stderr, /another client asked for this run by its key; run 1 goes on\./);
  assert.equal((await orca.status(1)).state, 'running');
  letGo(orca);
  assert.equal((await orca.run(['wait', '1'])).status, 0);
});

test('a line whose key is known makes no second run, and lines of the same key make one', async (t) => {
  const orca = new Orca(t);
  await orca.run(['run', '--key', 'k-b', '--', 'echo', 'b']);
  const { status, stdout, stderr } = await orca.run(
    ['submit', '--wait', '--each-line', '-', '--key', 'k-{}', 'echo', '{}'],
    {
      input: 'a\nb\na\nc\n',
    },
  );
  assert.equal(status, 0, stderr);
  assert.equal(stdout, '2\n1\n2\n3\n');
  assert.match(stderr, /^orca: group g2: /m);
  assert.match(stderr, /^orca: 1 of 4 were there already by their keys, over by now: run 1$/m);
  assert.equal(await runsIn(orca), 3);
});

test('inside a run its own key is refused, since it would wait for itself', async (t) => {
  const orca = new Orca(t);
  const program = join(import.meta.dirname, '../../dist/current/main.js');
  for (const [at, command] of ['run', 'submit --wait'].entries()) {
    const script = join(orca.folder, `script-${at}.sh`);
    writeFileSync(script, `'${process.execPath}' '${program}' ${command} --key k-${at} -- sh '${script}'\nexit 3\n`);
    const { status, stderr } = await orca.run(['run', '--key', `k-${at}`, '--', 'sh', script]);
    assert.equal(status, 3);
    const refused = `The key k-${at} is that of run ${at + 1}, which this command is part of: it would wait for itself.`;
    assert.ok(stderr.includes(refused), stderr);
    assert.equal(await runsIn(orca), at + 1);
  }
});
test('who owns a run with a key alone ends it; asked for again at once, the key’s next run begins when that one has ended', async (t) => {
  const orca = new Orca(t);
  const stubborn = `trap 'echo dying >> log; sleep 1; echo dead >> log; exit 1' TERM; echo begun >> log; while :; do sleep 0.05; done`;
  const script = `if [ -e log ]; then echo second >> log; else ${stubborn}; fi`;
  const first = orca.start(['run', '--key', 'k', '--', 'sh', '-c', script]);
  const log = (): string =>
    existsSync(join(orca.folder, 'log')) ? readFileSync(join(orca.folder, 'log'), 'utf8') : '';
  await until(() => (log() === '' ? null : true), 'it has begun');
  first.child.kill('SIGTERM');
  await until(() => (log().includes('dying') ? true : null), 'it was told to end');
  const second = await orca.run(['run', '--key', 'k', '--', 'sh', '-c', script]);
  assert.equal(second.status, 0, second.stderr);
  assert.equal(log(), 'begun\ndying\ndead\nsecond\n');
  assert.equal((await first.ended).status, 125);
});
