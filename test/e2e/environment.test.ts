import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compileHog } from './support/hog.ts';
import { Orca, program } from './support/orca.ts';
import { until } from './support/until.ts';

const env = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

/** What orca itself gives every run. */
const own = /^ORCA_(RUN_ID|START|MEMORY_MB|CPUS|CGROUP|AS)$/;
const others = (text: string): Record<string, string> =>
  Object.fromEntries(Object.entries(env(text.trim())).filter(([name]) => !own.test(name)));

test('a run has as much of its caller’s environment as was said, and a retry as much of its own caller’s', async (t) => {
  const orca = new Orca(t, { SECRET: 'one', LANG: 'C', LC_TIME: 'C' });
  const { stdout: none } = await orca.run(['run', '--capture-env', 'none', '--env', 'A=1', '--', 'env']);
  assert.deepEqual(others(none), { A: '1' });
  const { stdout: minimal } = await orca.run(['run', '--', 'env'], { env: { ORCA_CAPTURE_ENV: 'minimal' } });
  assert.deepEqual(Object.keys(others(minimal)).sort(), ['HOME', 'LANG', 'LC_TIME', 'ORCA_HOME', 'PATH']);
  const { stdout: all } = await orca.run(['run', '--', 'env']);
  assert.equal(others(all)['SECRET'], 'one');

  const { stdout: again } = await orca.run(['retry', '1', '--env', 'B=2']);
  await orca.run(['wait', again.trim()]);
  assert.deepEqual(others((await orca.run(['logs', again.trim()])).stdout), { B: '2' });
  assert.equal((await orca.status(Number(again))).capture, 'none');
});

test('without a PATH the program is looked for where the system looks, when it is submitted as when it starts', async (t) => {
  const orca = new Orca(t);
  writeFileSync(join(orca.folder, 'mine'), '#!/bin/sh\n', { mode: 0o755 });
  const path = { env: { PATH: `${orca.folder}:${process.env['PATH']}` } };
  assert.equal((await orca.run(['run', '--', 'mine'], path)).status, 0);
  const { status, stderr } = await orca.run(['run', '--capture-env', 'none', '--', 'mine'], path);
  assert.equal(status, 120, stderr);
  assert.match(stderr, /There is no program mine/);
  assert.equal((await orca.run(['run', '--capture-env', 'none', '--', 'true'], path)).status, 0);
});

test('threads are told to a run that asked for cpus, and a raised start has the bigger heap', async (t) => {
  const orca = new Orca(t, { ORCA_CAPACITY_CPUS: '4', OPENBLAS_NUM_THREADS: '9', JAVA_TOOL_OPTIONS: '-ea' });
  const told = 'echo "$OMP_NUM_THREADS $OPENBLAS_NUM_THREADS"';
  const threads = async (args: string[], hints = '1'): Promise<string> =>
    (await orca.run(['run', ...args, '--', 'sh', '-c', told], { env: { ORCA_THREAD_HINTS: hints } })).stdout.trim();
  assert.equal(await threads(['--cpus', '2.5']), '3 9');
  assert.equal(await threads([]), '9', 'nothing was asked');
  assert.equal(await threads([], '2'), '1 9');
  assert.equal(await threads(['--cpus', '2'], '0'), '9');

  const hog = compileHog(orca.folder);
  const script = `echo "$JAVA_TOOL_OPTIONS $HEAP"; [ $ORCA_MEMORY_MB -ge 48 ] || exec '${hog}' hold 60 20000`;
  const options = ['--memory', '32MB..96MB', '--memory-env', 'java', '--memory-env', 'HEAP={mb*0.5}'];
  const { status, stderr } = await orca.run(['run', ...options, '--', 'sh', '-c', script]);
  assert.equal(status, 0, stderr);
  const heap = async (start: string): Promise<string> =>
    (await orca.run(['logs', '5', '--stdout', '--start', start])).stdout.trim();
  assert.deepEqual([await heap('1'), await heap('2')], ['-ea -Xmx24m 16', '-ea -Xmx36m 24']);
});

test('the shell keeper passes the same on', async (t) => {
  const orca = new Orca(t, { ORCA_KEEPER: 'sh', ORCA_CAPACITY_CPUS: '4', NODE_OPTIONS: "--title='a b'" });
  const options = ['--cpus', '2', '--memory', '64MB', '--memory-env', 'node', '--memory-env', 'Q={mb} \' " $x'];
  const { stdout } = await orca.run(['run', ...options, '--', 'env']);
  const told = env(stdout);
  assert.equal(told['NODE_OPTIONS'], "--title='a b' --max-old-space-size=48");
  assert.equal(told['Q'], '64 \' " $x');
  assert.equal(told['GOMAXPROCS'], '2');
  assert.deepEqual((JSON.parse(told['ORCA_HINTS'] ?? '') as Record<string, unknown>)['Q'], ['64 \' " $x', null]);
});

test('what a run submits counts for its submitter, and has none of its hints', async (t) => {
  const orca = new Orca(t, { ORCA_CAPACITY_CPUS: '4' });
  const inner = `echo "$ORCA_AS $OMP_NUM_THREADS $NODE_OPTIONS"`;
  const nested = (verb: string): string => `'${process.execPath}' '${program}' ${verb} -- sh -c '${inner}'`;
  const script = `${nested('submit')}; ${nested('submit --as other --cpus 1')}; ${nested('run')}`;
  const options = ['--as', 'nightly', '--cpus', '2', '--memory-env', 'node'];
  const { status, stdout, stderr } = await orca.run(['run', ...options, '--', 'sh', '-c', script]);
  assert.equal(status, 0, stderr);
  const [own = '', named = '', inside] = stdout.trim().split('\n');
  await orca.run(['wait', own, named]);
  const said = async (run: string): Promise<string> => (await orca.run(['logs', run])).stdout.trim();
  assert.equal(await said(own), 'nightly');
  assert.equal(await said(named), 'other 1');
  assert.equal(inside, 'nightly 2', 'a run inside another one has what that one has');
  assert.equal((await orca.status(Number(own))).submitter, 'nightly');
});

test('the sizes of inputs are recorded, and an input that cannot be read is refused, also on a retry', async (t) => {
  const orca = new Orca(t);
  const file = join(orca.folder, 'in.csv');
  writeFileSync(file, 'x'.repeat(1000));
  const run = await orca.submit('--input', 'in.csv', 'true');
  await orca.run(['wait', String(run)]);
  assert.deepEqual((await orca.status(run)).inputs, [{ path: file, bytes: 1000 }]);
  writeFileSync(file, 'x'.repeat(2000));
  const again = Number((await orca.run(['retry', String(run)])).stdout);
  assert.deepEqual((await orca.status(again)).inputs, [{ path: file, bytes: 2000 }]);
  await orca.run(['wait', String(again)]);
  const missing = await orca.run(['submit', '--input', 'none.csv', 'true']);
  assert.equal(missing.status, 120);
  assert.match(missing.stderr, /none\.csv cannot be read: no such file/);
});

/**
 * An agent: a program in a terminal of its own that nothing of this test is above, and that gives commands through new shells, also in sessions
 * and terminals of their own.
 */
const agent = `
import { spawnSync } from 'node:child_process';
const [orca, out] = process.argv.slice(2);
const shells = [['sh', '-c'], ['setsid', '--wait', 'sh', '-c'], ['script', '-qec']];
for (const [program, ...args] of shells)
  spawnSync(program, [...args, orca + ' submit true >> ' + out, ...(program === 'script' ? ['/dev/null'] : [])], { stdio: 'ignore' });
`;

test('an agent’s many short shells are one submitter, and two agents in two terminals are two', async (t) => {
  const orca = new Orca(t);
  const file = (name: string): string => join(orca.folder, name);
  writeFileSync(file('agent.mjs'), agent);
  writeFileSync(file('orca'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 });
  const submitters = async (name: string): Promise<(string | null)[]> => {
    const command = `'${process.execPath}' ${file('agent.mjs')} ${file('orca')} ${file(name)}; while [ ! -e ${file('go')} ]; do sleep 0.1; done`;
    await orca.shell(`setsid --fork script -qec "${command}" /dev/null < /dev/null > /dev/null 2>&1`);
    const lines = (): string[] => (existsSync(file(name)) ? readFileSync(file(name), 'utf8').trim().split(/\s+/) : []);
    await until(() => (lines().length === 3 ? true : null), 'the agent has given three commands');
    return Promise.all(lines().map(async (run) => (await orca.status(Number(run))).submitter));
  };
  try {
    const [one, two] = [await submitters('one'), await submitters('two')];
    assert.match(one[0] ?? '', /^pts\/\d+$/);
    assert.deepEqual(new Set(one).size, 1, one.join(', '));
    assert.deepEqual(new Set(two).size, 1, two.join(', '));
    assert.notEqual(one[0], two[0]);
  } finally {
    // Until then each has its terminal.
    writeFileSync(file('go'), '');
  }
});
