import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import type { RunJson } from '../../src/wire/api.ts';
import { compileHog } from './support/hog.ts';
import { Orca } from './support/orca.ts';
import { until } from './support/until.ts';

const capMb = 64;
const mib = 1048576;

/** Without cgroups, where the cap is sampled. */
const opened = (t: TestContext, env: NodeJS.ProcessEnv = {}): Orca =>
  new Orca(t, {
    ORCA_CGROUPS: '0',
    ORCA_USAGE_INTERVAL_MS: '50',
    ORCA_CAPACITY_CPUS: '8',
    ORCA_CAPACITY_MB: '8000',
    ORCA_CONTROL_MEMORY_MB: String(capMb),
    ...env,
  });

const runOf = async (orca: Orca, ...args: string[]): Promise<RunJson> =>
  JSON.parse((await orca.run(['run', '--json', ...args])).stdout) as RunJson;

/** Field 19 of its stat. */
const niceOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
};

test('a run on control whose tree passes the cap is killed, and its attempts say why; no single process was over', async (t) => {
  const orca = opened(t);
  const hog = compileHog(orca.folder);
  const run = await runOf(orca, '--placement', 'control', '--', hog, 'children', '3', '30', '60000');
  assert.deepEqual([run.state, run.evidence, run.exit_status], ['out-of-memory', 'sampled-cap', 99]);
  assert.match(run.text ?? '', /^out of memory at 64 MB: used .*, over its cap 64 MB, /);
  assert.match(run.text ?? '', /more than 64 MB, the most that a run on control may have.*ORCA_CONTROL_MEMORY_MB\.$/);
  assert.deepEqual([run.starts[0]?.limit_bytes, run.starts[0]?.cap_bytes], [capMb * mib, capMb * mib]);
  const store = new DatabaseSync(join(orca.state, 'orca.db'), { readOnly: true });
  const attempts = store.prepare('select state, error from attempts where run = ?').all(run.id);
  store.close();
  assert.deepEqual(
    attempts.map(({ state, error }) => [state, error]),
    [['out-of-memory', run.text]],
  );
});

test('whatever a run on control asks for, it gets no more than the cap, and is not tried again there', async (t) => {
  const orca = opened(t);
  const hog = compileHog(orca.folder);
  const asked = ['--placement', 'control', '--memory', '32MB..1GB'];
  const run = await runOf(orca, ...asked, '--', hog, 'hold', '100', '60000');
  assert.equal(run.state, 'out-of-memory');
  assert.deepEqual(
    run.starts.map(({ limit_bytes, cap_bytes }) => [limit_bytes, cap_bytes].map((size) => (size ?? 0) / mib)),
    [
      [32, 40],
      [48, 60],
      [64, 64],
    ],
  );
  // More than the machine has: asked for there it would be refused.
  const large = await runOf(orca, '--placement', 'control', '--memory', '100GB', '--', 'true');
  assert.deepEqual([large.state, large.starts[0]?.limit_bytes], ['succeeded', capMb * mib]);
});

test('a run on control has the nice of control, its workers’ number, and samples of that name', async (t) => {
  const orca = opened(t, { ORCA_SAMPLE_SECONDS: '0.2' });
  await orca.run(['up'], { env: { ORCA_CONTROL_WORKERS: '3' } });
  const go = join(orca.folder, 'go');
  const script = `echo $ORCA_CONTROL_WORKERS; until [ -e '${go}' ]; do sleep 0.05; done`;
  const run = await orca.submit('--placement', 'control', '--', 'sh', '-c', script);
  const { starts } = await orca.untilRun(run, ({ starts: [start] }) => start?.state === 'running', 'running');
  assert.equal(niceOf(starts[0]?.pid ?? 0), 10);
  const metrics = join(orca.state, 'logs', '_command', String(run), 'metrics');
  await until(() => (existsSync(join(metrics, 'control.jsonl')) ? true : null), 'its samples are there');
  assert.ok(!existsSync(join(metrics, 'local.jsonl')));
  writeFileSync(go, '');
  await orca.run(['wait', String(run)]);
  assert.equal((await orca.run(['logs', String(run), '--stdout'])).stdout, '3\n');
  assert.match((await orca.run(['metrics', String(run), '--json'])).stdout, /^\{"v":/);
  const plain = await orca.run(['run', '--', 'sh', '-c', 'echo [$ORCA_CONTROL_WORKERS]; ps -o ni= -p $$']);
  assert.match(plain.stdout, /^\[\]\n +0\n$/);
});
