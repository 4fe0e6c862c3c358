import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { RunJson } from '../../src/wire/api.ts';
import { compileHog } from './support/hog.ts';
import { Orca } from './support/orca.ts';

const capacityMb = 2000;
const orca = new Orca({ after }, { ORCA_USAGE_INTERVAL_MS: '50', ORCA_CAPACITY_MB: String(capacityMb) });
const hog = compileHog(orca.folder);
const mib = 1048576;

/** Holds so much for a moment once it is granted `fits`, and with less until it is killed, however late that comes. */
const needing = (mb: number, fits: number): string[] => {
  const script = `[ $ORCA_MEMORY_MB -ge ${fits} ] || ms=20000; exec '${hog}' hold ${mb} \${ms-100}`;
  return ['sh', '-c', script];
};

/** Runs a command to its end and gives its whole story. */
const runOf = async (...args: string[]): Promise<RunJson> =>
  JSON.parse((await orca.run(['run', '--json', ...args])).stdout) as RunJson;

test('a range is raised until the command fits, and every start that died says how it is known and what the next gets', async () => {
  const { status, stderr } = await orca.run([
    ...['run', '--name', 'raised', '--memory', '32MB..256MB'],
    ...['--', ...needing(80, 72)],
  ]);
  assert.equal(status, 0, stderr);
  const { runs } = JSON.parse((await orca.run(['list', '--all', '--json'])).stdout) as { runs: RunJson[] };
  const run = await orca.status(runs.find(({ name }) => name === 'raised')?.id ?? 0);
  const story = run.starts.map(({ verdict, evidence, limit_bytes, cap_bytes, next_limit_bytes }) => ({
    verdict,
    evidence,
    mb: [limit_bytes, cap_bytes, next_limit_bytes].map((size) => (size === null ? null : size / mib)),
  }));
  assert.deepEqual(story, [
    { verdict: 'out-of-memory', evidence: 'sampled-cap', mb: [32, 40, 48] },
    { verdict: 'out-of-memory', evidence: 'sampled-cap', mb: [48, 60, 72] },
    { verdict: 'succeeded', evidence: null, mb: [72, 90, null] },
  ]);
  assert.ok((run.peak_rss_bytes ?? 0) >= 80 * mib, 'its peak is what it needed');

  const told = stderr.split('\n').filter((line) => line.includes('start'));
  assert.equal(told.length, 2);
  assert.match(
    told[0] ?? '',
    /start 1: out of memory at 32 MB: used .* over its limit 32 MB plus the margin \(cap 40 MB\)/,
  );
  for (const [line, next] of [
    [told[0], '48 MB'],
    [told[1], '72 MB'],
  ]) {
    assert.deepEqual((line ?? '').match(/the next start gets \d+ MB/gi)?.length, 1, 'what comes next is said once');
    assert.match(line ?? '', new RegExp(`next start gets ${next}`, 'i'));
  }
  const page = (await orca.run(['status', String(run.id)])).stdout;
  assert.match(page, /out-of-memory \(sampled-cap\).*48 MB/);
  assert.match(page, /out-of-memory \(sampled-cap\).*72 MB/);
});

test('a fixed size is killed once, is not tried again whatever --retries says, and tells how to ask for more', async () => {
  const run = await orca.submit('--memory', '32MB', '--retries', '3', '--', hog, 'hold', '80', '20000');
  const { status, stderr } = await orca.run(['wait', String(run)]);
  assert.equal(status, 99);
  assert.match(stderr, /out of memory at 32 MB.*would need more than 32 MB.*--memory 32MB\.\.64MB/);
  const { state, starts } = await orca.status(run);
  assert.equal(state, 'out-of-memory');
  assert.deepEqual(
    starts.map(({ verdict, next_limit_bytes }) => [verdict, next_limit_bytes]),
    [['out-of-memory', null]],
  );
});

test('a raise stops at the range’s maximum, and a start that dies there is the last', async () => {
  const run = await runOf('--memory', '32MB..40MB', '--', hog, 'hold', '80', '20000');
  assert.deepEqual(
    run.starts.map(({ limit_bytes }) => (limit_bytes ?? 0) / mib),
    [32, 40],
  );
  assert.match(run.starts[0]?.text ?? '', /next start gets 40 MB \(the most that it may get\)/);
  assert.match(run.text ?? '', /would need more than 40 MB, the most that was asked for/);
  assert.equal(run.exit_status, 99);
});

test('a raise stops at what the machine can grant, though the range goes on: the run ends and does not wait for more', async (t) => {
  const small = new Orca(t, { ORCA_USAGE_INTERVAL_MS: '50', ORCA_CAPACITY_MB: '600', ORCA_RESERVE_MB: '560' });
  const { status, stdout } = await small.run([
    'run',
    '--json',
    '--memory',
    '32MB..4GB',
    '--',
    hog,
    'hold',
    '80',
    '20000',
  ]);
  const run = JSON.parse(stdout) as RunJson;
  assert.deepEqual(
    run.starts.map(({ limit_bytes }) => (limit_bytes ?? 0) / mib),
    [32, 40],
  );
  assert.match(run.text ?? '', /would need more than 40 MB, the most that can be granted here/);
  assert.equal(status, 99);
});

test('wait on a run that is raised ends with its last start', async () => {
  const run = await orca.submit('--memory', '40MB..100MB', '--', ...needing(60, 60));
  assert.equal((await orca.run(['wait', String(run)])).status, 0);
  assert.equal((await orca.status(run)).starts_count, 2);
});

test('the children of a command are counted together', async () => {
  const fits = await runOf('--memory', '500MB', '--', hog, 'children', '6', '60', '1000');
  const peak = (fits.peak_rss_bytes ?? 0) / mib;
  assert.equal(fits.state, 'succeeded');
  assert.ok(peak >= 360 && peak < 400, `six times 60 MB, and measured ${peak} MB`);

  const over = await runOf('--memory', '160MB', '--', hog, 'children', '6', '60', '20000');
  assert.deepEqual([over.state, over.evidence], ['out-of-memory', 'sampled-cap']);
});

test('what the kernel keeps of files is not the command’s memory', async () => {
  const run = await runOf('--memory', '32MB', '--', hog, 'cache', join(orca.folder, 'cached'), '150', '400');
  assert.equal(run.state, 'succeeded', run.text ?? '');
  assert.ok((run.peak_rss_bytes ?? Infinity) < 32 * mib);
});

test('memory that forked children share is counted once', async () => {
  const run = await runOf('--memory', '160MB', '--', hog, 'shared', '4', '100', '1000');
  assert.equal(run.starts[0]?.cap_bytes, 200 * mib);
  assert.ok((run.peak_rss_bytes ?? 0) > 400 * mib, 'each of them has all of it resident');
  assert.equal(run.state, 'succeeded', run.text ?? '');
});

test('two runs that each want 60 % of the memory do not run at once, and the second’s reason names the first', async () => {
  const size = `${capacityMb * 0.6}MB`;
  const first = await orca.submit('--cpus', '0.1', '--memory', size, '--', 'sleep', '60');
  const second = await orca.submit('--cpus', '0.1', '--memory', size, '--', 'true');
  await orca.untilRun(first, ({ state }) => state === 'running', 'running');
  const { state, reason } = await orca.status(second);
  assert.equal(state, 'queued');
  assert.match(reason ?? '', new RegExp(`needs 1200 MB of memory; \\d+ MB of \\d+ MB free; held by run ${first}$`));
  await orca.run(['kill', '--now', String(first)]);
  assert.equal((await orca.run(['wait', String(second)])).status, 0);
  const [ended, claimed] = [(await orca.status(first)).ended_at, (await orca.status(second)).starts[0]?.claimed_at];
  assert.ok((claimed ?? 0) >= (ended ?? Infinity), 'the second began when the first was over');
});
