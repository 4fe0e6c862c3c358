import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { DiskUseJson, GcAnswer } from '../../src/wire/api.ts';
import { changeStore } from './support/crash.ts';
import { Orca } from './support/orca.ts';
import { until } from './support/until.ts';

const logFolder = (orca: Orca, run: number): string => join(orca.state, 'logs/_command', String(run));
const json = async <T>(orca: Orca, ...args: string[]): Promise<T> =>
  JSON.parse((await orca.run([...args, '--json'])).stdout) as T;
const day = 86_400_000;
/** As though a run had been submitted, and had ended, so long ago. */
const aged = (run: number, ago: number): string =>
  `update runs set submitted_at = ${Date.now() - ago}, ended_at = ${Date.now() - ago} where id = ${run}`;

test('gc deletes what it is told to, and a deleted run is an unknown one that may have been deleted', async (t) => {
  const orca = new Orca(t);
  for (const text of ['one', 'two', 'three']) await orca.run(['run', '--', 'echo', text]);
  const going = await orca.submit('sleep', '600');
  const would = await json<GcAnswer>(orca, 'gc', '--keep', '1', '--dry-run');
  assert.deepEqual(would, { runs: 2, logs: 0, bytes: 8, kept: 0, failed: 0, dry_run: true });
  assert.equal((await orca.run(['status', '1'])).status, 0);
  const { stdout } = await orca.run(['gc', '--keep', '1']);
  assert.equal(stdout, 'deleted 2 runs: 8 bytes\n');
  const { status, stderr } = await orca.run(['status', '1']);
  assert.equal(status, 127);
  assert.match(stderr, /There is no run 1\..*may have been deleted \(ORCA_KEEP_DAYS\)/s);
  assert.equal((await orca.run(['wait', '2'])).status, 127);
  assert.deepEqual(readdirSync(join(orca.state, 'logs/_command')).sort(), ['3', String(going)]);
  assert.equal((await orca.run(['logs', '3'])).stdout, 'three\n');
  assert.equal((await orca.run(['gc'])).stdout, 'deleted nothing\n');
  const bad = await orca.run(['gc', '--older-than', '7']);
  assert.equal(bad.status, 120);
  await orca.run(['kill', '--now', String(going)]);
  await orca.run(['wait', String(going)]);
  await orca.run(['gc', '--keep', '0']);
  assert.equal((await orca.run(['run', '--', 'true'])).status, 0);
  assert.equal((await orca.run(['status', '5'])).status, 0, 'no number comes again');
});

test('a daemon deletes old runs by itself, and not what a waiting run comes after', async (t) => {
  const orca = new Orca(t, { ORCA_CAPACITY_CPUS: '1' });
  for (const text of ['one', 'two']) await orca.run(['run', '--', 'echo', text]);
  const holding = await orca.submit('sleep', '600');
  await orca.untilRun(holding, ({ state }) => state === 'running');
  const waiting = await orca.submit('true');
  const young = Number((await orca.run(['retry', '2'])).stdout);
  await orca.run(['down']);
  const after = JSON.stringify({
    gpus: 0,
    locks: [],
    resources: {},
    after: [{ run: 2, any: true }],
    max_parallel: null,
  });
  const needs = `update runs set needs = '${after}' where id = ${waiting}`;
  changeStore(orca, aged(1, 31 * day), aged(2, 31 * day), aged(holding, 31 * day), needs);
  const daemonLog = join(orca.state, 'daemon.log');
  appendFileSync(daemonLog, `${'x'.repeat(99)}\n`.repeat(170_000));
  await orca.run(['up']);
  await until(() => (statSync(daemonLog).size < 2_000_000 ? true : null), "the daemon's log is short again");
  await until(async () => ((await orca.run(['status', '1'])).status === 127 ? true : null), 'run 1 is deleted');
  assert.equal(existsSync(logFolder(orca, 1)), false);
  for (const run of [2, holding, waiting, young]) assert.equal((await orca.run(['status', String(run)])).status, 0);
});

test('over their bound the oldest logs go, their runs stay known, and logs says why there is nothing', async (t) => {
  const orca = new Orca(t, { ORCA_KEEP_LOGS_MB: '3' });
  const two = ['head', '-c', '2000000', '/dev/zero'];
  for (let run = 1; run <= 2; run += 1) await orca.run(['submit', '--wait', '--', ...two]);
  await orca.run(['down']);
  changeStore(orca, aged(1, 2 * 3_600_000), aged(2, 2 * 3_600_000));
  await orca.run(['up']);
  await until(() => (existsSync(logFolder(orca, 1)) ? null : true), 'the logs of run 1 are deleted');
  assert.ok(existsSync(logFolder(orca, 2)));
  assert.equal((await orca.status(1)).state, 'succeeded');
  const { status, stdout, stderr } = await orca.run(['logs', '1']);
  assert.deepEqual([status, stdout], [0, '']);
  assert.match(stderr, /the logs of run 1 are not there any more.*ORCA_KEEP_LOGS_MB/);
  assert.equal((await orca.run(['wait', '1'])).status, 0);
});

test('du tells what is where, and the largest runs', async (t) => {
  const orca = new Orca(t);
  await orca.run(['submit', '--wait', '--', 'head', '-c', '3000000', '/dev/zero']);
  await orca.run(['run', '--', 'echo', 'small']);
  mkdirSync(logFolder(orca, 999));
  writeFileSync(join(logFolder(orca, 999), 'x'), 'x'.repeat(10));
  const use = await json<DiskUseJson>(orca, 'du');
  assert.equal(use.logs_bytes, 3_000_016);
  assert.ok((use.store_bytes ?? 0) > 0 && use.daemon_log_bytes > 0);
  assert.deepEqual(use.largest, [
    { run: 1, bytes: 3_000_000, state: 'succeeded' },
    { run: 999, bytes: 10, state: null },
    { run: 2, bytes: 6, state: 'succeeded' },
  ]);
  const { stdout } = await orca.run(['du']);
  assert.match(stdout, /^logs +2\.9 MB +of 3 runs, in /m);
  assert.match(stdout, /^ *1 +2\.9 MB +succeeded$/m);
});

test('the samples of a run that goes on for long are bounded: the newest ones stay', async (t) => {
  const orca = new Orca(t, { ORCA_SAMPLE_SECONDS: '0.5' });
  const run = await orca.submit('sleep', '600');
  const file = join(logFolder(orca, run), 'metrics/local.jsonl');
  const lines = (): string[] => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []);
  await until(() => (lines().length > 0 ? true : null), 'there is a sample');
  appendFileSync(file, 'old\n'.repeat(2 * 17_280));
  await until(() => (lines().length <= 17_290 && lines().at(-1) !== 'old' ? true : null), 'the oldest are gone');
  assert.equal(lines().filter((line) => line === 'old').length > 17_000, true);
});
