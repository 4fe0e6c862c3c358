import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { compileHog } from './support/hog.ts';
import { Orca } from './support/orca.ts';
import { killHard } from './support/processes.ts';
import { until } from './support/until.ts';

interface Line {
  readonly v: number;
  readonly t: number;
  readonly dt: number;
  readonly mem: { readonly rss: number; readonly used: number };
}

const orca = new Orca({ after }, { ORCA_SAMPLE_SECONDS: '0.5', ORCA_CAPACITY_CPUS: '4' });
const hog = compileHog(orca.folder);
const mib = 1048576;

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
const linesIn = (file: string): Line[] =>
  textOf(file)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
const folderOf = (of: Orca, run: number): string => join(of.state, 'logs', '_command', String(run));
const samplesOf = (run: number, of = orca): Line[] => linesIn(join(folderOf(of, run), 'metrics', 'local.jsonl'));

/** A run that ends when there is a file `go`. */
const submitted = async (of: Orca, go: string, ...program: string[]): Promise<number> =>
  of.submit('--', 'sh', '-c', '"$@" & while [ ! -e "$0" ]; do sleep 0.05; done; kill $!; wait', go, ...program);

test('the daemon writes the samples of its runs: the first 0.2 s after the start, a last one at the end', async () => {
  const run = await submitted(orca, join(orca.folder, 'go 1'), hog, 'children', '3', '40', '60000');
  await until(() => (samplesOf(run).length >= 4 ? true : null), 'there are four lines');
  writeFileSync(join(orca.folder, 'go 1'), '');
  assert.equal((await orca.run(['wait', String(run)])).status, 0);
  const lines = samplesOf(run);
  const [first, last] = [lines[0] ?? assert.fail('a first line'), lines.at(-1) ?? assert.fail('a last line')];
  const { started_at: startedAt, ended_at: endedAt } = await orca.status(run);
  const sinceStart = first.t - (startedAt ?? 0) / 1000;
  assert.ok(sinceStart > 0.1 && sinceStart < 5, `${sinceStart} s after the start`);
  assert.ok(Math.abs(last.t - (endedAt ?? 0) / 1000) < 5);
  assert.equal(last.mem.rss, 0);
  const most = Math.max(...lines.map(({ mem }) => mem.rss)) / mib;
  assert.ok(most >= 120 && most < 140, `the tree's ${most} MB`);
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    if (before !== undefined)
      assert.ok(Math.abs(line.t - line.dt - before.t) < 0.1, 'each covers the time since the last');
  }
});

test('its lines have the keys of those of orca sample', async () => {
  const file = join(orca.folder, 'sample.jsonl');
  assert.equal((await orca.run(['sample', '--out', file, '--count', '1'])).status, 0);
  const [own] = linesIn(file);
  const [line] = samplesOf(1);
  assert.deepEqual(Object.keys(line ?? {}), Object.keys(own ?? {}));
  assert.deepEqual(Object.keys(line?.mem ?? {}), Object.keys(own?.mem ?? {}));
  assert.equal(line?.v, 1);
});

test('runs that go on at once are sampled at the same moments, and the machine itself beside them', async () => {
  const go = join(orca.folder, 'go 2');
  const runs = [await submitted(orca, go, 'sleep', '600'), await submitted(orca, go, 'sleep', '600')];
  const times = await until(() => {
    const [one = [], two = []] = runs.map((run) => samplesOf(run).map(({ t }) => t));
    const shared = one.filter((t) => two.includes(t));
    return shared.length >= 2 ? shared : null;
  }, 'both have lines of the same looks');
  assert.ok(times.length >= 2);
  const host = await until(() => {
    const lines = linesIn(join(orca.state, 'metrics', 'host.jsonl'));
    return lines.some(({ t }) => t > (times[0] ?? 0)) ? lines : null;
  }, 'the machine has samples');
  assert.ok(host.every(({ mem }) => mem.used > 0));
  writeFileSync(go, '');
  assert.equal((await orca.run(['wait', ...runs.map(String)])).status, 0);
});

test('the next daemon goes on with the samples of a run that the last one left, and the time between is a gap', async () => {
  const go = join(orca.folder, 'go 3');
  const run = await submitted(orca, go, 'sleep', '600');
  await until(() => (samplesOf(run).length >= 2 ? true : null), 'there are two lines');
  const [resident] = orca.residents();
  assert.ok(resident !== undefined);
  process.kill(resident, 'SIGSTOP');
  await killHard(orca.daemonPid());
  const before = samplesOf(run).length;
  const since = samplesOf(run).at(-1)?.t ?? assert.fail();
  await until(() => (Date.now() / 1000 > since + 1.5 ? true : null), 'a gap that is worth a word');
  process.kill(resident, 'SIGCONT');
  const lines = await until(() => {
    const found = samplesOf(run);
    return found.length >= before + 2 ? found : null;
  }, 'there are more lines');
  const [last, next] = [lines[before - 1] ?? assert.fail(), lines[before] ?? assert.fail()];
  assert.ok(next.t - next.dt > last.t, 'the first new line does not cover the time without a daemon');
  const going = (await orca.run(['metrics', String(run)])).stdout;
  assert.match(going, /^state +running$/m);
  assert.match(going, /^memory +now .*at most/m);
  assert.match(going, /^gap .*: no daemon was there$/m);
  writeFileSync(go, '');
  assert.equal((await orca.run(['wait', String(run)])).status, 0);
  const ended = await orca.run(['metrics', String(run)]);
  assert.match(ended.stdout, /^state +succeeded$/m);
  assert.match(ended.stdout, /^█ resident .*· no samples$/m);
  assert.ok(ended.stdout.split('\n').every((line) => [...line].length <= 80));
  const { stdout } = await orca.run(['metrics', String(run), '--json']);
  assert.equal(stdout, textOf(join(folderOf(orca, run), 'metrics', 'local.jsonl')));
});

test('metrics of a run that does not exist are refused as its status is', async () => {
  for (const options of [[], ['--json']]) {
    const { status, stdout } = await orca.run(['metrics', '999', ...options]);
    assert.deepEqual([status, stdout], [127, '']);
  }
});

test('a run that is over at once leaves no samples', async () => {
  const run = await orca.submit('--wait', '--', 'true');
  assert.ok(!readdirSync(folderOf(orca, run)).includes('metrics'));
  assert.match((await orca.run(['metrics', String(run)])).stdout, /^samples +none/m);
});

test('with ORCA_SAMPLE_SECONDS=0 there are none', async (t) => {
  const off = new Orca(t, { ORCA_SAMPLE_SECONDS: '0' });
  assert.equal((await off.run(['run', '--', 'sleep', '0.6'])).status, 0);
  assert.deepEqual([samplesOf(1, off), readdirSync(join(off.state, 'metrics'))], [[], []]);
});

test('a folder for samples that cannot be written costs one message, and the run nothing', async (t) => {
  const other = new Orca(t, { ORCA_SAMPLE_SECONDS: '0.1', ORCA_USAGE_INTERVAL_MS: '50' });
  const go = join(other.folder, 'go');
  const run = await submitted(other, go, 'sleep', '600');
  await until(() => (samplesOf(run, other).length > 0 ? true : null), 'it is sampled');
  // As somebody who clears old logs while it runs.
  rmSync(folderOf(other, run), { recursive: true });
  const told = (): number => textOf(join(other.state, 'daemon.log')).split('samples cannot be written').length - 1;
  await until(() => (told() > 0 ? true : null), 'it is told');
  const second = await other.submit('--', 'sleep', '1');
  assert.equal((await other.run(['wait', String(second)])).status, 0);
  assert.equal(told(), 1);
  assert.ok(samplesOf(second, other).length > 2);
  writeFileSync(go, '');
  assert.equal((await other.run(['wait', String(run)])).status, 0);
  assert.equal(told(), 1);
});
