import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RunJson } from '../../src/wire/api.ts';
import { Orca } from './support/orca.ts';
import { submitAll } from './support/submit-all.ts';
import { untilWaiting } from './support/waiting.ts';

/** A command that goes on until its file is there, and then exits so. */
const untilThere = (file: string, code = 0): string[] => [
  'sh',
  '-c',
  `while [ ! -e '${file}' ]; do sleep 0.02; done; exit ${code}`,
];

test('wait --next comes back with the first that ends, and called with the rest it goes on', async (t) => {
  const orca = new Orca(t, { ORCA_CAPACITY_CPUS: '3' });
  const files = ['a', 'b', 'c'].map((name) => join(orca.folder, name));
  const runs: number[] = [];
  for (const [index, file] of files.entries()) runs.push(await orca.submit('--', ...untilThere(file, index)));
  const [first = 0, second = 0, third = 0] = runs;

  const waiting = orca.start(['wait', '--next', ...runs.map(String)]);
  await untilWaiting(orca, [waiting]);
  writeFileSync(files[1] ?? '', '');
  const one = await waiting.ended;
  assert.equal(one.status, 1);
  assert.match(one.stdout, new RegExp(`^${second} failed 1 \\d+\\n$`));

  // Those that are over by now come in the order in which they ended.
  writeFileSync(files[2] ?? '', '');
  await orca.run(['wait', String(third)]);
  writeFileSync(files[0] ?? '', '');
  await orca.run(['wait', String(first)]);
  const two = await orca.run(['wait', '--next', String(first), String(third)]);
  assert.equal(two.status, 2);
  assert.match(two.stdout, new RegExp(`^${third} failed 2 `));
  const last = await orca.run(['wait', '--next', '--json', String(first)]);
  const record = JSON.parse(last.stdout) as RunJson & { event: number };
  assert.deepEqual([last.status, record.id, record.state, record.starts.length], [0, first, 'succeeded', 1]);
  assert.ok(record.event > 0);
});

test('a loop over a group with --since hears every run once, over a daemon that is killed, and then nothing', async (t) => {
  const orca = new Orca(t, { ORCA_CAPACITY_CPUS: '2' });
  await orca.run(['up']);
  const commands = Array.from({ length: 8 }, (_, index) => ['sh', '-c', `sleep 0.0${index}; exit ${index % 3}`]);
  const { runs, group } = await submitAll(orca, commands, { group: 'new' });
  const heard: [number, string, number][] = [];
  let since = '0';
  for (let round = 0; round <= runs.length; round += 1) {
    if (round === 3) orca.killDaemon();
    const { stdout, status } = await orca.run(['wait', '--next', '--since', since, `g${group ?? 0}`]);
    if (stdout === '') {
      assert.equal(status, 0);
      break;
    }
    const [run = '', state = '', code = '', event = ''] = stdout.trim().split(' ');
    assert.equal(status, Number(code));
    heard.push([Number(run), state, Number(code)]);
    since = event;
  }
  assert.deepEqual(
    heard.toSorted(([a], [b]) => a - b),
    runs.map((run, index) => [run, index % 3 === 0 ? 'succeeded' : 'failed', index % 3]),
  );
});

test('the loop that the documentation shows works in a shell', async (t) => {
  const orca = new Orca(t);
  await orca.run(['up']);
  const { group } = await submitAll(orca, [['true'], ['false'], ['true']], { group: 'new' });
  const { stdout } = await orca.shell(`
    since=0
    while line=$(orca wait --next --since "$since" g${group ?? 0} 2>/dev/null); [ -n "$line" ]; do
      read -r run state status since <<< "$line"
      echo "$run $state $status"
    done
  `);
  assert.deepEqual(new Set(stdout.trim().split('\n')), new Set(['1 succeeded 0', '2 failed 1', '3 succeeded 0']));
});

test('wait --next has a time limit, hears of an interrupt, and says how to come back', async (t) => {
  const orca = new Orca(t);
  const run = await orca.submit('--', 'sleep', '60');
  const late = await orca.run(['wait', '--next', '--timeout', '300ms', String(run)]);
  assert.deepEqual([late.status, late.stdout], [124, '']);
  assert.match(late.stderr, /300 ms have passed; none of them has ended. `orca wait --next 1` waits again/);
  const waiting = orca.start(['wait', '--next', '--since', '1', String(run)]);
  await untilWaiting(orca, [waiting]);
  waiting.child.kill('SIGINT');
  const left = await waiting.ended;
  assert.equal(left.status, 130);
  assert.match(left.stderr, /no longer waiting; .*`orca wait --next --since 1 1` waits again/);
});

test('a wait for a tag is for all that bear it and are not over', async (t) => {
  const orca = new Orca(t);
  await orca.run(['up']);
  const { runs: before } = await submitAll(orca, [['false']], { tags: ['night'] });
  await orca.run(['wait', ...before.map(String)]);
  const go = join(orca.folder, 'go');
  await submitAll(orca, [untilThere(go, 4), untilThere(go)], { tags: ['night'] });
  const waiting = orca.start(['wait', '--tag', 'night', '--json']);
  await untilWaiting(orca, [waiting]);
  writeFileSync(go, '');
  const waited = await waiting.ended;
  assert.equal(waited.status, 4);
  assert.deepEqual(
    waited.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as RunJson).id)
      .toSorted((a, b) => a - b),
    [2, 3],
  );
  const none = await orca.run(['wait', '--tag', 'night']);
  assert.deepEqual(
    [none.status, none.stderr],
    [0, 'orca: nothing of tag night waits or runs; `orca list --all --tag night` shows what is over\n'],
  );
  assert.equal((await orca.run(['wait', 'g1'])).status, 127);
  assert.equal((await orca.run(['list', '--group', 'g1'])).status, 127);
  const ahead = await orca.run(['wait', '--next', '--since', '99999', '1']);
  assert.equal(ahead.status, 120);
  assert.match(ahead.stderr, /There is no event 99999 yet: the last one is \d+\./);
  assert.equal((await orca.run(['wait', '--next', '77'])).status, 127);
});

test('a wait for a group is for all of its runs, and exits as the first that did not succeed', async (t) => {
  const orca = new Orca(t);
  await orca.run(['up']);
  const commands = [['true'], ['sh', '-c', 'sleep 0.3; exit 7'], ['sh', '-c', 'exit 5']];
  const { group } = await submitAll(orca, commands, { group: 'new' });
  assert.equal((await orca.run(['wait', `g${group ?? 0}`])).status, 7);
});
