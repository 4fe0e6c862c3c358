import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { RunJson } from '../../src/wire/api.ts';
import { compileHog } from './support/hog.ts';
import { Orca, program, type Ended } from './support/orca.ts';
import { until } from './support/until.ts';

const mib = 1048576;
const budgetMb = 1000;
const orca = new Orca(
  { after },
  { ORCA_USAGE_INTERVAL_MS: '50', ORCA_CAPACITY_MB: '1512', ORCA_RESERVE_MB: '512', ORCA_CAPACITY_CPUS: '1' },
);
const hog = compileHog(orca.folder);
// What a run calls as `orca`.
const inner = join(orca.folder, 'inner');
writeFileSync(inner, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 });

/** A run that has all there is, so that nothing beside it could start. */
const outer = ['--memory', `${budgetMb}MB`, '--'];
const allRuns = async (): Promise<RunJson[]> =>
  (JSON.parse((await orca.run(['list', '--all', '--json'])).stdout) as { runs: RunJson[] }).runs;
const named = async (name: string): Promise<RunJson> => {
  const id = await until(async () => (await allRuns()).find((run) => run.name === name)?.id ?? null, `run ${name}`);
  return orca.status(id);
};
/** Runs a script in a run that holds everything. */
const runOuter = (script: string): Promise<Ended> => orca.run(['run', ...outer, 'sh', '-c', script]);
const file = (name: string): string => join(orca.folder, name);

test('a run inside a run works within what that one holds, without queueing, and passes on its output and code', async () => {
  const { status, stdout, stderr } = await runOuter(
    `${inner} run --name first --memory 100MB -- sh -c 'echo $ORCA_MEMORY_MB; exit 3'`,
  );
  assert.deepEqual([status, stdout], [3, '100\n'], stderr);
  const run = await named('first');
  assert.equal(run.inside, run.id - 1);
  assert.match((await orca.run(['status', String(run.id)])).stdout, new RegExp(`^inside +run ${run.id - 1}`, 'm'));
});

test('without a request it has its parent’s limit, and none of its own', async () => {
  const script = `${inner} run --name plain -- sh -c 'echo $ORCA_MEMORY_MB'`;
  const { stdout } = await orca.run(['run', '--memory', '300MB', '--', 'sh', '-c', script]);
  assert.equal(stdout, '300\n');
  const { starts } = await named('plain');
  assert.deepEqual([starts[0]?.limit_bytes, starts[0]?.cap_bytes], [300 * mib, null]);
});

test('what runs inside a run counts in its peak, seen between two looks or not, since its next one is sized by that', async () => {
  for (const [mb, ms] of [
    [150, 1500],
    [120, 1],
  ] as const) {
    const script = `${inner} run -- ${inner} run --name 'hog ${mb}' -- '${hog}' hold ${mb} ${ms}`;
    const { status, stderr } = await orca.run(['run', '--name', `around ${mb}`, '--', 'sh', '-c', script]);
    assert.equal(status, 0, stderr);
    const [held, around] = [await named(`hog ${mb}`), await named(`around ${mb}`)];
    for (const { peak_rss_bytes: peak } of [held, around]) assert.ok((peak ?? 0) >= mb * mib, `${peak} of ${mb} MB`);
  }
});

test('a run inside one inside a run works within the inner one', async () => {
  const { status, stderr } = await runOuter(
    `${inner} run --name middle --memory 200MB -- ${inner} run --name innermost --memory 200MB -- true &&
      ! ${inner} run --memory 200MB -- ${inner} run --memory 201MB -- true`,
  );
  assert.equal(status, 0, stderr);
  const [middle, innermost] = [await named('middle'), await named('innermost')];
  assert.equal(innermost.inside, middle.id);
});

test('one that asks for more than its parent has is refused before anything changes', async () => {
  const before = (await allRuns()).length;
  const { status, stderr } = await orca.run([
    ...['run', '--memory', '100MB', '--', 'sh', '-c'],
    `${inner} run --memory 101MB..2GB -- true; test $? = 120 && ${inner} run --cpus 2 -- true`,
  ]);
  // 120, which is above the codes that are passed on.
  assert.equal(status, 98, stderr);
  assert.match(stderr, /inside run \d+ works within the 100 MB that that one has, and 101 MB is more/);
  assert.match(stderr, /inside run \d+ works within the 1 core that that one has, and 2 cores is more/);
  assert.equal((await allRuns()).length, before + 1);
});

test('one that asks for a lock, a device or a resource that its parent does not hold is refused', async () => {
  const { status, stderr } = await orca.run([
    ...['run', '--lock', 'db', '--', 'sh', '-c'],
    `${inner} run --lock db -- true && ! ${inner} run --lock other -- true && ! ${inner} run --gpus 1 -- true`,
  ]);
  assert.equal(status, 0, stderr);
  assert.match(stderr, /inside run \d+ has what that one has, and the lock other is not among it/);
  assert.match(stderr, /and 1 GPU \(it has 0\) is not among it/);
});

test('one that asks for no cpus has those of its parent, also where they are less than one', async () => {
  const script = `${inner} run -- sh -c 'echo "$ORCA_CPUS $OMP_NUM_THREADS"'; ${inner} run --cpus 1 -- true; echo $?`;
  const { stdout } = await orca.run(['run', '--cpus', '0.5', '--', 'sh', '-c', script]);
  assert.equal(stdout, '0.5 1\n120\n');
});

test('a raise stays within what the parent has', async () => {
  const script = `${inner} run --name raised --memory 300MB..1GB -- '${hog}' hold 380 500`;
  await orca.run(['run', '--memory', '400MB', '--', 'sh', '-c', script]);
  const { starts, state, text } = await named('raised');
  assert.deepEqual(
    starts.map(({ limit_bytes }) => (limit_bytes ?? 0) / mib),
    [300, 400],
  );
  assert.equal(state, 'succeeded', text ?? '');
});

test('what runs inside counts under the cap of its parent, whose end is its own', async () => {
  const script = `${inner} run --name within --memory 60MB -- '${hog}' hold 50 20000 & exec '${hog}' hold 50 20000`;
  const { status } = await orca.run(['run', '--name', 'both', '--memory', '60MB', '--', 'sh', '-c', script]);
  assert.equal(status, 99);
  const both = await named('both');
  assert.equal(both.evidence, 'sampled-cap', both.text ?? '');
  const within = await orca.untilRun((await named('within')).id, ({ state }) => state === 'killed', 'killed');
  assert.match(
    within.text ?? '',
    new RegExp(`the end of run ${both.id}, inside which it ran|run ${both.id}, inside which it ran, ended`),
  );
});

test('it ends with its parent when that ends well before it, and when that is killed', async () => {
  for (const how of ['well', 'killed']) {
    const script = `${inner} run --name rest-${how} -- sleep 600 & until [ -e ${file(how)} ]; do sleep 0.05; done`;
    const parent = await orca.submit('--memory', '100MB', '--', 'sh', '-c', script);
    const { id } = await named(`rest-${how}`);
    await orca.untilRun(id, ({ state }) => state === 'running', 'running');
    if (how === 'well') writeFileSync(file(how), '');
    else await orca.run(['kill', String(parent)]);
    await orca.run(['wait', String(parent), String(id)]);
    assert.equal((await orca.status(parent)).state, how === 'well' ? 'succeeded' : 'killed');
    const rest = await orca.status(id);
    assert.equal(rest.state, 'killed', rest.text ?? '');
    // Its client is a part of the parent, and may have been asked to end first.
    assert.match(rest.text ?? '', new RegExp(`run ${parent}, inside which it ran|TERM of orca run`));
  }
});

test('a daemon that is killed meanwhile finds both again, and another run can be called inside', async () => {
  const script = `${inner} run --name survivor -- sh -c 'until [ -e ${file('go')} ]; do sleep 0.05; done; exit 4'; test $? = 4 && ${inner} run --name later -- true`;
  const parent = await orca.submit(...outer, 'sh', '-c', script);
  const { id } = await named('survivor');
  await orca.untilRun(id, ({ state }) => state === 'running', 'running');
  orca.killDaemon();
  await orca.run(['up']);
  writeFileSync(file('go'), '');
  assert.equal((await orca.run(['wait', String(parent)])).status, 0);
  assert.deepEqual([(await orca.status(id)).exit_code, (await named('later')).inside], [4, parent]);
});

test('one whose parent ended while no daemon was there is ended by the next', async () => {
  const script = `${inner} run --name orphan -- sleep 600 & until [ -e ${file('over')} ]; do sleep 0.05; done`;
  const parent = await orca.submit('--memory', '100MB', '--', 'sh', '-c', script);
  const { id } = await named('orphan');
  await orca.untilRun(id, ({ state }) => state === 'running', 'running');
  await orca.run(['down']);
  writeFileSync(file('over'), '');
  await until(() => (orca.keeperPid(parent) === null || recordOf(parent) ? true : null), 'the parent is over');
  await orca.run(['up']);
  await orca.run(['wait', String(parent), String(id)]);
  const orphan = await orca.status(id);
  assert.equal(orphan.state, 'killed', orphan.text ?? '');
  assert.match(orphan.text ?? '', new RegExp(`run ${parent}, inside which it ran`));
});

test('an environment that was copied makes nobody a part of a run', async () => {
  const parent = await orca.submit(
    '--memory',
    '100MB',
    '--',
    'sh',
    '-c',
    `env >${file('env')}.tmp; mv ${file('env')}.tmp ${file('env')}; sleep 600`,
  );
  const env = await until(() => environmentIn(file('env')), 'its environment');
  const { status, stderr } = await orca.run(['submit', '--name', 'copied', '--', 'true'], { env });
  assert.equal(status, 0, stderr);
  const going = orca.start(['run', '--name', 'copied-run', '--memory', `${budgetMb}MB`, '--', 'true'], { env });
  const copied = await named('copied-run');
  assert.deepEqual([copied.inside, copied.state], [null, 'queued']);
  await orca.run(['kill', String(parent)]);
  assert.equal((await going.ended).status, 0);
});

test('what is submitted inside a run queues as any other', async () => {
  const { status, stderr } = await runOuter(`${inner} submit --name queued --memory 100MB -- true`);
  assert.equal(status, 0, stderr);
  assert.equal((await named('queued')).inside, null);
});

const recordOf = (run: number): boolean => {
  try {
    readFileSync(join(orca.state, 'starts', `${run}.1`, 'exit'));
    return true;
  } catch {
    return false;
  }
};

const environmentIn = (path: string): Record<string, string> | null => {
  try {
    const text = readFileSync(path, 'utf8');
    const value = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';
    return { ORCA_RUN_ID: value('ORCA_RUN_ID'), ORCA_START: value('ORCA_START') };
  } catch {
    return null;
  }
};

test('a wait inside a run for what that run holds is refused, and does not hang; what is queued starts afterwards', async () => {
  const script = `${inner} submit --name stuck --lock db --cpus 0.1 --memory 10MB --wait -- true; test $? = 122`;
  const { status, stderr } = await orca.run([
    'run',
    '--cpus',
    '0.5',
    '--memory',
    '99MB',
    '--lock',
    'db',
    '--',
    'sh',
    '-c',
    script,
  ]);
  assert.equal(status, 0, stderr);
  assert.match(stderr, /Waiting for run \d+ would never end: it needs what run \d+ holds/);
  const { id } = await named('stuck');
  assert.equal((await orca.run(['wait', String(id)])).status, 0);
});

test('a wait inside a run for that very run is refused', async () => {
  const { status, stderr } = await orca.run(['run', '--', 'sh', '-c', `${inner} wait $ORCA_RUN_ID; test $? = 122`]);
  assert.equal(status, 0, stderr);
  assert.match(stderr, /would never end: this wait is a part of it/);
});

test('a wait inside a run is refused also where what it waits for comes after one that needs what that run holds', async () => {
  const script = `x=$(${inner} submit --lock far --cpus 0.1 --memory 10MB -- true); y=$(${inner} submit --after $x -- true); ${inner} wait $y; test $? = 122`;
  const { status, stderr } = await orca.run([
    ...['run', '--cpus', '0.5', '--memory', '99MB', '--lock', 'far', '--', 'sh', '-c', script],
  ]);
  assert.equal(status, 0, stderr);
  assert.match(stderr, /would never end: it comes after run \d+, which needs what run \d+ holds/);
});

test('of two runs that each wait for what needs what the other one holds, the younger is told, and the older gets it', async () => {
  const crossed = (mine: string, other: string): Promise<{ status: number | null; stderr: string }> =>
    orca.run([
      ...['run', '--cpus', '0.1', '--memory', '200MB', '--lock', mine, '--'],
      ...['sh', '-c', `sleep 1; ${inner} submit --lock ${other} --cpus 0.1 --memory 10MB --wait -- true`],
    ]);
  const both = await Promise.all([crossed('p', 'q'), crossed('q', 'p')]);
  assert.deepEqual(
    both.map(({ status }) => status ?? -1).toSorted((a, b) => a - b),
    [0, 98],
    both.map(({ stderr }) => stderr).join(''),
  );
  assert.match(
    both.map(({ stderr }) => stderr).join(''),
    /it needs what runs \d+, \d+ hold, which wait for one another/,
  );
});

test('a run cannot wait for the end of all that runs, and is told so before anything is held back', async () => {
  const script = `${inner} pause --drain; test $? = 122 && ${inner} down --drain; test $? = 122`;
  const { status, stderr } = await orca.run(['run', '--', 'sh', '-c', script]);
  assert.equal(status, 0, stderr);
  assert.equal(stderr.match(/would never end: this wait is a part of it/g)?.length, 2);
  assert.equal((await orca.run(['run', '--', 'true'])).status, 0, 'nothing is held back');
});

test('a wait inside a run for one that fits beside it ends with its code', async () => {
  const small = ['--cpus', '0.4', '--memory', '99MB'];
  const script = `${inner} submit ${small.join(' ')} --wait -- sh -c 'exit 7'`;
  assert.equal((await orca.run(['run', ...small, '--', 'sh', '-c', script])).status, 7);
});
