import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { SubmitAnswer } from '../../src/wire/api.ts';
import { ask, textOf } from './support/http.ts';
import { hasProgram, Orca, program, type Going } from './support/orca.ts';
import { plainSubmission } from './support/plain-submission.ts';
import { until } from './support/until.ts';

const orca = new Orca({ after }, { ORCA_RETRY_DELAY_SECONDS: '0' });

/** A run of a script, to its end. */
const ended = async (script: string, ...options: string[]): Promise<number> => {
  const run = await orca.submit(...options, '--', 'sh', '-c', script);
  await orca.run(['wait', String(run)]);
  return run;
};

const logs = async (
  run: number,
  ...options: string[]
): Promise<{ stdout: string; stderr: string; status: number | null }> => {
  const { stdout, stderr, status } = await orca.run(['logs', ...options, String(run)]);
  return { stdout, stderr, status };
};

test('logs gives each output to the caller’s own of the same name, and only one when it is asked for', async () => {
  const run = await ended('echo out; echo err >&2; exit 3');
  assert.deepEqual(await logs(run), { stdout: 'out\n', stderr: 'err\n', status: 0 });
  assert.deepEqual(await logs(run, '--stdout'), { stdout: 'out\n', stderr: '', status: 0 });
  assert.deepEqual(await logs(run, '--stderr'), { stdout: '', stderr: 'err\n', status: 0 });
});

test('a final line without its newline is there as it was written, also with --tail and -f', async () => {
  const run = await ended('printf "one\\ntwo\\nthree"');
  assert.equal((await logs(run)).stdout, 'one\ntwo\nthree');
  assert.equal((await logs(run, '--tail', '2')).stdout, 'two\nthree');
  assert.equal((await logs(run, '-f')).stdout, 'one\ntwo\nthree');
});

test('--tail gives the last lines, all when there are fewer, none for 0', async () => {
  const run = await ended('seq 1 30000; echo e1 >&2; echo e2 >&2');
  assert.deepEqual(await logs(run, '--tail', '2'), { stdout: '29999\n30000\n', stderr: 'e1\ne2\n', status: 0 });
  assert.equal((await logs(run, '--tail', '1')).stderr, 'e2\n');
  assert.equal((await logs(run, '--stdout', '--tail', '20000')).stdout.split('\n').length, 20001);
  assert.equal((await logs(run, '--stdout', '--tail', '99999')).stdout.split('\n').length, 30001);
  assert.equal((await logs(run, '--stdout', '--tail', '0')).stdout, '');
});

test('--tail gives so many lines also where they were written over: each as it was last; --raw as it is', async () => {
  const run = await ended('printf "before\\n1%%\\r2%%\\r3%%\\nafter\\n4%%\\r5%%\\r6%%"');
  assert.equal((await logs(run, '--tail', '1')).stdout, '6%');
  assert.equal((await logs(run, '--tail', '3')).stdout, '3%\nafter\n6%');
  assert.equal((await logs(run, '--tail', '1', '--raw')).stdout, '4%\r5%\r6%');
  assert.equal((await logs(run)).stdout, 'before\n1%\r2%\r3%\nafter\n4%\r5%\r6%');
});

test('each start has logs of its own; the last one’s are shown, or those asked for', async () => {
  const run = await ended('echo "$ORCA_START"; exit 1', '--retries', '1');
  const { starts } = await orca.status(run);
  assert.equal(starts.length, 2);
  assert.notEqual(starts[0]?.logs.stdout, starts[1]?.logs.stdout);
  const [first, second] = [await logs(run, '--start', '1'), await logs(run, '--start', '2')];
  assert.match(first.stdout, /^[0-9a-f-]{36}\n$/);
  assert.match(second.stdout, /^[0-9a-f-]{36}\n$/);
  assert.notEqual(first.stdout, second.stdout);
  assert.deepEqual(await logs(run), second);
  const none = await logs(run, '--start', '3');
  assert.equal(none.status, 127);
  assert.match(none.stderr, new RegExp(`Run ${run} has no start 3`));
  assert.equal((await logs(999999)).status, 127);
});

test('logs of a run that was never started are empty', async () => {
  const holder = await orca.submit('--cpus', '2', '--', 'sleep', '300');
  const run = await orca.submit('--', 'true');
  assert.deepEqual(await logs(run), { stdout: '', stderr: '', status: 0 });
  await orca.run(['kill', '--now', String(run), String(holder)]);
});

const seenOf = (child: Going['child']): { text: string } => {
  const seen = { text: '' };
  child.stdout?.on('data', (piece: Buffer) => (seen.text += piece.toString()));
  return seen;
};

test('logs -f follows to the end, with every byte once, across a crash of the daemon', async () => {
  const feed = join(orca.folder, 'feed');
  writeFileSync(feed, '');
  const run = await orca.submit(
    '--',
    'sh',
    '-c',
    `tail -n +1 -f '${feed}' & t=$!; while ! grep -q last '${feed}'; do sleep 0.05; done; sleep 0.3; kill $t; wait; exit 0`,
  );
  const { child, ended: over } = orca.start(['logs', '-f', '--stdout', String(run)]);
  const seen = seenOf(child);
  appendFileSync(feed, 'first\n');
  await until(() => (seen.text === 'first\n' ? true : null), 'the first line is followed');
  orca.killDaemon();
  appendFileSync(feed, 'second\n');
  await until(() => (seen.text === 'first\nsecond\n' ? true : null), 'the line after the crash is followed');
  appendFileSync(feed, 'last');
  const { status, stdout } = await over;
  assert.equal(status, 0);
  assert.equal(stdout, 'first\nsecond\nlast');
});

test('logs -f of a queued run waits for its start', async () => {
  const holder = await orca.submit('--cpus', '2', '--', 'sleep', '300');
  const run = await orca.submit('--', 'echo', 'at last');
  const { ended: over } = orca.start(['logs', '-f', String(run)]);
  await orca.run(['kill', '--now', String(holder)]);
  assert.equal((await over).stdout, 'at last\n');
});

test('wait prints the last 20 lines of a run that failed, and nothing of one that succeeded', async () => {
  const failed = await ended('seq 1 30; seq 101 130 >&2; exit 2');
  const { stdout, stderr, status } = await orca.run(['wait', String(failed)]);
  assert.equal(status, 2);
  assert.equal(stdout, '');
  const lines = stderr.split('\n').map((line) => line.trim());
  const numbers = lines.filter((line) => /^\d+$/.test(line)).map(Number);
  const range = (from: number): number[] => Array.from({ length: 20 }, (_, index) => from + index);
  assert.deepEqual(numbers, [...range(11), ...range(111)]);
  assert.match(stderr, new RegExp(`orca logs ${failed} --stdout`));
  const well = await ended('seq 1 30');
  assert.equal((await orca.run(['wait', String(well)])).stderr, '');
});

/** Bytes that move a cursor, change a colour or a title, or turn the direction of text. */
// What stands before a return is written over, and a tail leaves it out.
const hostile = '\r\x1b[2J\x1b]0;title\x07\x08\x9b31m\u202eabc\x7f';
/** What a terminal would obey: controls but for the newline, and marks of direction. */
// eslint-disable-next-line no-control-regex
const obeyed = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

test('nothing of a hostile argument or output moves the cursor in wait, list, status and run', async () => {
  const run = await orca.submit(
    '--',
    'sh',
    '-c',
    `printf '%s\\n' "$1"; printf '%s\\n' "$1" >&2; exit 4`,
    'sh',
    hostile,
  );
  const wait = await orca.run(['wait', String(run)]);
  assert.equal(wait.status, 4);
  const others = await Promise.all(
    [
      ['list', '--all'],
      ['status', String(run)],
      ['kill', hostile],
      ['run', '--', hostile],
      [hostile],
      ['run', `--${hostile}`, '--', 'true'],
      ['run', '--cwd', hostile, '--', 'true'],
    ].map((args) => orca.run(args)),
  );
  for (const { stdout, stderr } of [wait, ...others]) {
    assert.doesNotMatch(stdout, obeyed);
    assert.doesNotMatch(stderr, obeyed);
  }
  assert.match(wait.stderr, /\\x1b\[2J\\x1b\]0;title\\x07/, 'it is shown, made visible');
  assert.equal((await logs(run, '--stdout')).stdout, `${hostile}\n`, 'the log itself is as it was written');
});

test('nor does anything of a hostile name or of hostile words of whoever killed it, given past orca’s own client', async () => {
  const submission = { ...plainSubmission('hostile', ['sleep', '300']), name: hostile };
  const { runs } = JSON.parse(
    await textOf(await ask(orca.state, 'POST', '/api/runs', { body: submission })),
  ) as SubmitAnswer;
  const waiting = orca.run(['wait', String(runs[0])]);
  await textOf(await ask(orca.state, 'POST', '/api/kill', { body: { runs, by: hostile } }));
  const others = [orca.run(['list', '--all']), orca.run(['status', String(runs[0])])];
  for (const { stdout, stderr } of [await waiting, ...(await Promise.all(others))]) {
    assert.match(stdout + stderr, /\\x1b\[2J\\x1b\]0;title\\x07/);
    assert.doesNotMatch(stdout, obeyed);
    assert.doesNotMatch(stderr, obeyed);
  }
});

test(
  'on a terminal, too, list, status and logs show what would move the cursor, and only colour is their own',
  { skip: hasProgram('script') ? false : 'there is no `script` to make a terminal with' },
  async () => {
    const run = await ended(`printf '%s\\n' '${hostile}'; exit 4`);
    for (const command of ['list --all', `status ${run}`, `logs --stdout ${run}`]) {
      const line = `stty cols 200; '${process.execPath}' '${program}' ${command}`;
      const { status, stdout } = await orca.shell(`script -qec "${line}" /dev/null`, { env: { TERM: 'xterm' } });
      assert.equal(status, 0);
      // eslint-disable-next-line no-control-regex
      const plain = stdout.replaceAll('\r\n', '\n').replaceAll(/\x1b\[\d*m/g, '');
      assert.match(plain, /\\x1b\[2J\\x1b\]0;title\\x07/);
      assert.doesNotMatch(plain, obeyed);
    }
  },
);

test('an interrupt leaves a log that is followed, and says how to come back; the run goes on', async (t) => {
  const orca = new Orca(t);
  const run = await orca.submit('--', 'sh', '-c', 'echo begun; sleep 60');
  const following = orca.start(['logs', '-f', String(run)]);
  let text = '';
  following.child.stdout?.on('data', (piece: Buffer) => (text += piece.toString()));
  await until(() => (text === 'begun\n' ? true : null), 'it follows');
  following.child.kill('SIGINT');
  const left = await following.ended;
  assert.equal(left.status, 130);
  assert.match(left.stderr, /no longer following run 1, which is as it was. `orca logs -f 1` follows it again/);
  assert.equal((await orca.status(run)).state, 'running');
});
