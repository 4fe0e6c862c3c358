import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, existsSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { FakeNvidiaSmi } from './support/fake-nvidia-smi.ts';
import { Orca } from './support/orca.ts';
import { until } from './support/until.ts';

const first = 'GPU-5c89852c-d268-c3f3-1b07-005d5ae1dc3f';
const second = 'GPU-9ef1da52-8dfb-5327-6a00-17097ba591a9';
/** As driver 550 tells it. */
const two = `GPU 0: NVIDIA GeForce RTX 3090 (UUID: ${first})\nGPU 1: NVIDIA GeForce RTX 3090 (UUID: ${second})\n`;

interface Machine {
  readonly orca: Orca;
  readonly smi: FakeNvidiaSmi;
}

const machine = (t: TestContext, list = two, env: NodeJS.ProcessEnv = {}): Machine => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-gpus-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const smi = new FakeNvidiaSmi(folder, list);
  const orca = new Orca(t, { PATH: smi.path, ORCA_CAPACITY_CPUS: '8', ORCA_CAPACITY_MB: '4000', ...env });
  return { orca, smi };
};

/** Writes down which devices it has, and goes on until it is released. */
const tells = (orca: Orca, name: string): string[] => [
  'sh',
  '-c',
  'echo "${CUDA_VISIBLE_DEVICES-none}" >"$0.tmp"; mv "$0.tmp" "$0"; while [ ! -e "$0.go" ]; do sleep 0.1; done',
  join(orca.folder, name),
];
const release = (orca: Orca, name: string): Promise<unknown> => orca.shell(`touch '${join(orca.folder, name)}.go'`);
const told = (orca: Orca, name: string): Promise<string> => {
  const file = join(orca.folder, name);
  return until(() => (existsSync(file) ? readFileSync(file, 'utf8').trim() : null), `${name} was started`);
};
const small = ['--memory', '16MB', '--cpus', '0.5'];

test('two runs get different devices, the third waits and says for what, and gets the one that comes free', async (t) => {
  const { orca } = machine(t);
  const [one, other] = [
    await orca.submit('--gpus', '1', ...small, '--', ...tells(orca, 'a')),
    await orca.submit('--gpus', '1', ...small, '--', ...tells(orca, 'b')),
  ];
  assert.deepEqual([await told(orca, 'a'), await told(orca, 'b')].toSorted(), [first, second]);
  const third = await orca.submit('--gpus', '1', ...small, '--', ...tells(orca, 'c'));
  const { reason } = await orca.untilRun(third, (run) => run.reason?.includes('GPU') === true, 'waiting for a GPU');
  assert.match(reason ?? '', new RegExp(`needs 1 GPU; 0 of 2 free; held by runs (${one}, ${other}|${other}, ${one})`));
  const { gpus } = await orca.daemon();
  assert.deepEqual(gpus?.devices.map(({ run }) => run).toSorted(), [one, other]);
  assert.match((await orca.run(['status'])).stdout, /^gpus {5}2: 0 has run \d, 1 has run \d$/m);
  await release(orca, 'b');
  assert.equal(await told(orca, 'c'), second);
  await release(orca, 'a');
  await release(orca, 'c');
  assert.equal((await orca.run(['wait', String(one), String(third)])).status, 0);
});

test('a daemon after a kill -9 knows which devices are taken', async (t) => {
  const { orca } = machine(t);
  await orca.submit('--gpus', '1', ...small, '--', ...tells(orca, 'a'));
  assert.equal(await told(orca, 'a'), first);
  orca.killDaemon();
  await orca.submit('--gpus', '1', ...small, '--', ...tells(orca, 'b'));
  assert.equal(await told(orca, 'b'), second);
  await orca.submit('--gpus', '1', ...small, '--', ...tells(orca, 'c'));
  await release(orca, 'a');
  assert.equal(await told(orca, 'c'), first);
  await release(orca, 'b');
  await release(orca, 'c');
});

test('a device on which a foreign process computes is busy until that ends, and the reason names it', async (t) => {
  const { orca, smi } = machine(t);
  const foreign = spawn('sleep', ['1000']);
  t.after(() => foreign.kill());
  smi.set({ processes: `${first}, ${foreign.pid}, /usr/bin/python3, 10342\n` });
  await orca.submit('--gpus', '1', ...small, '--', ...tells(orca, 'a'));
  assert.equal(await told(orca, 'a'), second);
  const waits = await orca.submit('--gpus', '1', ...small, '--', ...tells(orca, 'b'));
  const words = `GPU 0 is used by sleep (process ${foreign.pid} of ${userInfo().username})`;
  await orca.untilRun(waits, ({ reason }) => reason?.includes(words) === true, 'waiting, with the process named');
  smi.set({ processes: '' });
  assert.equal(await told(orca, 'b'), first);
  await release(orca, 'a');
  await release(orca, 'b');
});

test('a run’s own processes keep its device for it, and are no stranger to the next', async (t) => {
  const { orca, smi } = machine(t);
  const run = await orca.submit('--gpus', '1', ...small, '--', ...tells(orca, 'a'));
  await told(orca, 'a');
  const { starts } = await orca.untilRun(run, ({ state }) => state === 'running', 'running');
  smi.set({ processes: `${first}, ${starts[0]?.pid}, sh, 400\n` });
  const next = await orca.submit('--gpus', '2', ...small, '--', ...tells(orca, 'b'));
  const { reason } = await orca.untilRun(next, (one) => one.reason?.includes('GPUs') === true, 'waiting for GPUs');
  assert.doesNotMatch(reason ?? '', /is used by/);
  smi.set({ processes: '' });
  await release(orca, 'a');
  assert.equal(await told(orca, 'b'), `${first},${second}`);
  await release(orca, 'b');
});

test('a run that asks for none keeps its caller’s variable, and nothing is asked of nvidia-smi for it', async (t) => {
  const { orca, smi } = machine(t);
  const env = { CUDA_VISIBLE_DEVICES: '7' };
  const command = ['--', 'sh', '-c', 'echo "$CUDA_VISIBLE_DEVICES"'];
  assert.equal((await orca.run(['run', ...small, ...command], { env })).stdout, '7\n');
  assert.deepEqual(smi.asked, ['-L']);
  assert.equal((await orca.run(['run', '--gpus', '1', ...small, ...command], { env })).stdout, `${first}\n`);
});

test('more devices than there are can never be had, and that is said at once', async (t) => {
  const { orca } = machine(t);
  assert.equal((await orca.run(['up'])).status, 0);
  await until(async () => ((await orca.daemon()).gpus?.devices.length === 2 ? true : null), 'the devices are known');
  const { status, stderr } = await orca.run(['submit', '--gpus', '3', '--', 'true']);
  assert.equal(status, 120, stderr);
  assert.match(stderr, /GPU/);
});

test('parts of a divided device are devices; ORCA_GPUS takes some', async (t) => {
  const list = `GPU 0: NVIDIA A100-SXM4-40GB (UUID: ${first})\n  MIG 1g.5gb     Device  0: (UUID: MIG-7839bf6f-ba33-59f0-89eb-01c8d8c4134d)\n  MIG 1g.5gb     Device  1: (UUID: MIG-dbf12406-b888-52e8-80ee-025b6412f6e4)\n`;
  const { orca } = machine(t, list, { ORCA_GPUS: '1,' });
  const { stdout } = await orca.run(['run', '--gpus', '1', ...small, '--', 'sh', '-c', 'echo "$CUDA_VISIBLE_DEVICES"']);
  assert.equal(stdout, 'MIG-dbf12406-b888-52e8-80ee-025b6412f6e4\n');
});

test('a driver that hangs holds up the runs that need it, with that reason, and no others', async (t) => {
  const { orca, smi } = machine(t);
  smi.set({ hangs: '' });
  const waits = await orca.submit('--gpus', '1', ...small, '--', ...tells(orca, 'a'));
  assert.equal((await orca.run(['run', ...small, '--', 'echo', 'well'])).stdout, 'well\n');
  await orca.untilRun(waits, ({ reason }) => reason?.includes('nvidia-smi does not answer') === true, 'told so');
  const doctor = await orca.run(['doctor']);
  assert.match(doctor.stdout, /^warn +gpus +nvidia-smi does not answer$/m);
  rmSync(join(smi.bin, 'hangs'));
  assert.equal(await told(orca, 'a'), first);
  await release(orca, 'a');
});

test('a driver that fails is told in its own words by doctor, with and without a daemon', async (t) => {
  const { orca, smi } = machine(t);
  const words = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.";
  smi.set({ list: `${words} Make sure that the latest NVIDIA driver is installed and running.\n\n`, status: '9' });
  assert.ok((await orca.run(['doctor'])).stdout.includes(words));
  assert.equal((await orca.run(['up'])).status, 0);
  assert.ok((await orca.run(['doctor'])).stdout.includes(words));
  smi.set({ list: two, status: '0' });
  const { stdout } = await orca.run(['run', '--gpus', '2', ...small, '--', 'sh', '-c', 'echo "$CUDA_VISIBLE_DEVICES"']);
  assert.equal(stdout, `${first},${second}\n`);
});
