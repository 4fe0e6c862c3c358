import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { test } from 'node:test';
import { Orca } from './support/orca.ts';

interface Printed {
  readonly run: number;
  readonly state: string;
  readonly story: readonly { readonly at: number | null; readonly about: string; readonly text: string }[];
}

test('explain tells what kept a run and who, also to a daemon that was started anew', async (t) => {
  const orca = new Orca(t, { ORCA_CAPACITY_CPUS: '1' });
  const go = join(orca.folder, 'go');
  const holder = await orca.submit('--', 'sh', '-c', `while [ ! -e '${go}' ]; do sleep 0.02; done`);
  await orca.untilRun(holder, ({ state }) => state === 'running', 'running');
  const run = await orca.submit('--as', 'ada', '--', 'sh', '-c', 'sleep 0.2; exit 3');
  // So long it has to wait for its wait to be told.
  await setTimeout(2500);
  const waiting = await orca.run(['explain', String(run)]);
  assert.match(
    waiting.stdout,
    /^\d{4}-\d\d-\d\d \(UTC\)\n\S+ {2}run 2 was submitted by ada: sh -c 'sleep 0.2; exit 3' \(1 cpu/,
  );
  assert.match(waiting.stdout, /\nnow {7}.*1 core.*held by run 1/);
  writeFileSync(go, '');
  assert.equal((await orca.run(['wait', String(run)])).status, 3);
  orca.killDaemon();
  const { stdout } = await orca.run(['explain', String(run)]);
  assert.match(stdout, /\n\S+ {2}waited \S+ s: \S+ s: needs 1 core; 0 cores of 1 core free; held by run 1\n/);
  assert.match(stdout, /\n\S+ {2}start 1 began: /);
  assert.match(stdout, /\n\S+ {2}failed: exit code 3, /);
  assert.match(stdout, /\nnext {6}`orca logs 2 --tail 50`/);
  assert.ok(stdout.split('\n').length <= 10, stdout);
});

test('explain tells a pause as what kept a run, and prints its story as JSON in the order of time', async (t) => {
  const orca = new Orca(t);
  await orca.run(['pause', '--reason', 'the backup runs']);
  const run = await orca.submit('--', 'true');
  await setTimeout(1500);
  await orca.run(['resume']);
  await orca.run(['wait', String(run)]);
  const printed = JSON.parse((await orca.run(['explain', '--json', String(run)])).stdout) as Printed;
  assert.deepEqual([printed.run, printed.state], [run, 'succeeded']);
  assert.deepEqual(
    printed.story.map(({ about }) => about),
    ['submitted', 'waited', 'started', 'ended'],
  );
  assert.match(printed.story[1]?.text ?? '', /the queue was paused by .+ \(the backup runs\) for/);
  const moments = printed.story.map(({ at }) => at ?? Number.POSITIVE_INFINITY);
  assert.deepEqual(
    moments,
    moments.toSorted((a, b) => a - b),
  );
});

test('explain of a run that is unknown is status 127', async (t) => {
  const orca = new Orca(t);
  assert.equal((await orca.run(['explain', '7'])).status, 127);
});
