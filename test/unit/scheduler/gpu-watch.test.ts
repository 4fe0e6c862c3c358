import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../../../src/machine/nvidia-smi.ts';
import { GpuWatch, type GpuHost } from '../../../src/scheduler/gpu-watch.ts';

const first = 'GPU-5c89852c-d268-c3f3-1b07-005d5ae1dc3f';
const second = 'GPU-9ef1da52-8dfb-5327-6a00-17097ba591a9';
const list = `GPU 0: NVIDIA T4 (UUID: ${first})\nGPU 1: NVIDIA T4 (UUID: ${second})\n`;
const fails: Answer = { ok: false, why: 'nvidia-smi: it broke' };

/** Answers at once, and counts what it was asked. */
class Driver {
  list: Answer = { ok: true, text: list };
  processes: Answer = { ok: true, text: '' };
  nowMs = 0;
  asked: string[] = [];
  changes = 0;
  readonly warnings: string[] = [];

  watch({ choice = 'auto', ...sources }: Partial<GpuHost & GpuHost['sources']> = {}): GpuWatch {
    return new GpuWatch({
      choice,
      sources: {
        nodes: [],
        ask: async (args) => {
          this.asked.push(args[0]?.split('=')[0] ?? '');
          return Promise.resolve(args[0] === '-L' ? this.list : this.processes);
        },
        ...sources,
      },
      foreign: (_devices, processes) => processes.map((one) => ({ ...one, user: 'ada' })),
      nowMs: () => this.nowMs,
      changed: () => (this.changes += 1),
      warn: (why) => this.warnings.push(why),
    });
  }
}

/** Until all that was asked has been answered. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('without nvidia-smi and nodes there are no devices, which is known', () => {
  const watch = new Driver().watch({ ask: null });
  watch.want();
  assert.deepEqual(watch.state(), { gpus: [], gpusUnknown: null });
});

test('without nvidia-smi the nodes of /dev are the devices, and nobody can say what uses them', () => {
  const watch = new Driver().watch({ ask: null, nodes: [{ id: '0', index: 0, uuid: null, name: '', whole: null }] });
  assert.deepEqual(watch.state(), { gpus: [{ id: '0', index: 0, uuid: null, foreign: [] }], gpusUnknown: null });
});

test('ORCA_GPUS=0 runs nothing', async () => {
  const driver = new Driver();
  const watch = driver.watch({ choice: 0 });
  watch.want();
  await settled();
  assert.deepEqual([watch.state().gpus, watch.state().gpusUnknown, driver.asked], [[], null, []]);
});

test('the devices are asked for once; what uses them only when a run wants one, and then every 5 s at most', async () => {
  const driver = new Driver();
  const watch = driver.watch();
  assert.equal(watch.state().gpusUnknown, 'nvidia-smi has not answered yet');
  await settled();
  assert.deepEqual(driver.asked, ['-L']);
  assert.equal(driver.changes, 1);
  assert.equal(watch.state().gpusUnknown, 'nvidia-smi has not told yet what uses the GPUs');
  driver.nowMs = 5000;
  watch.want();
  watch.want();
  await settled();
  assert.equal(watch.state().gpusUnknown, null);
  assert.deepEqual(
    watch.state().gpus.map(({ id }) => id),
    [first, second],
  );
  driver.nowMs = 9999;
  watch.want();
  await settled();
  assert.deepEqual(driver.asked, ['-L', '--query-compute-apps']);
  driver.nowMs = 10_000;
  watch.want();
  await settled();
  assert.equal(driver.asked.length, 3);
});

test('the first that wants one is not put off by the look for devices a moment ago', async () => {
  const driver = new Driver();
  const watch = driver.watch();
  await settled();
  driver.nowMs = 10;
  watch.want();
  await settled();
  assert.equal(watch.state().gpusUnknown, null);
});

test('what is known of their use grows old, and is then unknown', async () => {
  const driver = new Driver();
  const watch = driver.watch();
  await settled();
  watch.want();
  await settled();
  driver.nowMs = 14_999;
  assert.equal(watch.state().gpusUnknown, null);
  driver.nowMs = 15_000;
  assert.notEqual(watch.state().gpusUnknown, null);
});

test('a process of no run is told on its device, until it is gone', async () => {
  const driver = new Driver();
  const watch = driver.watch();
  await settled();
  driver.processes = { ok: true, text: `${second}, 77, python, 400\n` };
  driver.nowMs = 5000;
  watch.want();
  await settled();
  const foreign = (): unknown => watch.state().gpus.map((gpu) => gpu.foreign);
  assert.deepEqual(foreign(), [[], [{ pid: 77, user: 'ada', name: 'python' }]]);
  driver.processes = { ok: true, text: '' };
  driver.nowMs = 10_000;
  watch.want();
  await settled();
  assert.deepEqual(foreign(), [[], []]);
});

test('a process that is told by the whole of a divided device may use any of its parts', async () => {
  const driver = new Driver();
  driver.list = {
    ok: true,
    text: `GPU 0: A100 (UUID: ${first})\n  MIG 1g.5gb Device 0: (UUID: MIG-a)\n  MIG 1g.5gb Device 1: (UUID: MIG-b)\n`,
  };
  driver.processes = { ok: true, text: `${first}, 77, python, 400\nMIG-b, 78, jax, 1\n` };
  const watch = driver.watch();
  await settled();
  watch.want();
  await settled();
  assert.deepEqual(
    watch.state().gpus.map(({ foreign }) => foreign.map(({ pid }) => pid)),
    [[77], [77, 78]],
  );
});

test('a failure to list them is told, with one warning, and tried again while a run wants one', async () => {
  const driver = new Driver();
  driver.list = fails;
  const watch = driver.watch();
  await settled();
  assert.deepEqual([watch.state().gpus, watch.state().gpusUnknown], [[], fails.why]);
  for (driver.nowMs = 5000; driver.nowMs < 20_000; driver.nowMs += 5000) {
    watch.want();
    await settled();
  }
  assert.deepEqual(driver.warnings, [fails.why]);
  driver.list = { ok: true, text: list };
  watch.want();
  await settled();
  assert.equal(watch.state().gpus.length, 2);
  assert.equal(watch.trouble, null);
});

test('a machine whose driver finds no device has none, which is no failure', async () => {
  const driver = new Driver();
  driver.list = { ok: false, why: 'nvidia-smi: No devices were found' };
  const watch = driver.watch();
  await settled();
  assert.deepEqual(watch.state(), { gpus: [], gpusUnknown: null });
  assert.deepEqual(driver.warnings, []);
});

test('a failure to tell what uses them holds nobody', async () => {
  const driver = new Driver();
  driver.processes = { ok: true, text: `${first}, 77, python, 400\n` };
  const watch = driver.watch();
  await settled();
  watch.want();
  await settled();
  driver.processes = fails;
  driver.nowMs = 5000;
  watch.want();
  await settled();
  assert.deepEqual(
    watch.state().gpus.map(({ foreign }) => foreign),
    [[], []],
  );
  assert.equal(watch.state().gpusUnknown, null);
  assert.equal(watch.trouble, fails.why);
});

test('devices that ORCA_GPUS names are there though nvidia-smi fails', async () => {
  const driver = new Driver();
  driver.list = fails;
  const watch = driver.watch({ choice: [1, 3] });
  await settled();
  assert.deepEqual(
    watch.state().gpus.map(({ id }) => id),
    ['1', '3'],
  );
});
