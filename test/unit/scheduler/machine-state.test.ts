import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { unknownMachine, type MachineState } from '../../../src/admission/machine-state.ts';
import { noMinutes } from '../../../src/sample/minutes.ts';
import { lookAtMachine, newMachineLook } from '../../../src/scheduler/machine-state.ts';
import { foreignOnGpus } from '../../../src/scheduler/own-processes.ts';
import type { Scheduler } from '../../../src/scheduler/scheduler.ts';

const mb = 1048576;
let box = '';
beforeEach(() => {
  box = mkdtempSync(join(tmpdir(), 'orca-look-'));
});
afterEach(() => {
  rmSync(box, { recursive: true });
});
const put = (file: string, text: string): void => {
  mkdirSync(dirname(join(box, file)), { recursive: true });
  writeFileSync(join(box, file), text);
};

class Fake {
  nowMs = 1000;
  readonly queue = { size: 1 };
  readonly contained = { ownPressure: (): number => this.own };
  own = 0;
  readonly live = new Map<number, object>();
  readonly scheduler: Scheduler;

  constructor() {
    this.scheduler = {
      host: { procRoot: join(box, 'proc'), monotonicUs: () => this.nowMs * 1000, now: () => 3_600_000 },
      machineState: unknownMachine,
      machineLook: newMachineLook({ cgroupRoot: join(box, 'cgroup'), passwdFile: join(box, 'passwd') }),
      gpus: { state: () => ({ gpus: [], gpusUnknown: null }) },
      queue: this.queue,
      live: this.live,
      claiming: new Map(),
      leftCgroups: new Set([join(box, 'cgroup/base/orca-run-4-1-9')]),
      cgroups: { on: true, base: join(box, 'cgroup/base') },
      contained: this.contained,
      sampling: { minutes: noMinutes },
      identity: { pid: 50 },
      units: { pageBytes: 4096, ticksPerSecond: 100 },
      budget: { memory: 4000 * mb, cores: 4, cpusMilli: 4000 },
    } as unknown as Scheduler;
  }

  look(): MachineState {
    return lookAtMachine(this.scheduler);
  }
}

const memory = (availableMb: number): void =>
  put('proc/meminfo', `MemTotal: ${8192 * 1024} kB\nMemAvailable: ${availableMb * 1024} kB\n`);
const pressure = (name: string, some: number): void =>
  put(
    `proc/pressure/${name}`,
    `some avg10=${some} avg60=0 avg300=0 total=1\nfull avg10=0.00 avg60=0 avg300=0 total=1\n`,
  );
const run = (path: string, limit: number | 'max', current = 0, some = 0): void => {
  put(`cgroup/${path}/memory.high`, String(limit));
  put(`cgroup/${path}/memory.max`, 'max');
  put(`cgroup/${path}/memory.current`, String(current));
  put(`cgroup/${path}/memory.pressure`, `some avg10=${some} total=0\n`);
  put(`cgroup/${path}/cgroup.events`, 'populated 1\n');
};
const stat = (pid: number, parent: number, rssPages: number): void => {
  const numbers = [...Array<number>(17).fill(0), pid, 0, rssPages];
  put(`proc/${pid}/stat`, `${pid} (p) S ${parent} ${numbers.join(' ')}\n`);
  put(`proc/${pid}/status`, 'Uid:\t1000\t1000\t1000\t1000\n');
  put(`proc/${pid}/comm`, `p${pid}\n`);
};

test('what cannot be read is unknown and holds nobody', () => {
  assert.deepEqual(new Fake().look(), unknownMachine);
});

test('memory, pressure, and what runs cause at their own limits are read', () => {
  memory(3000);
  pressure('memory', 31.5);
  pressure('io', 4);
  const fake = new Fake();
  fake.own = 12;
  const { availableBytes, memoryPressure, ioPressure, ownPressure } = fake.look();
  assert.deepEqual([availableBytes, memoryPressure, ioPressure, ownPressure], [3000 * mb, 31.5, 4, 12]);
});

test('a pressure that is no number is unknown', () => {
  put('proc/pressure/memory', 'some avg10=max\n');
  put('proc/pressure/io', '');
  const { memoryPressure, ioPressure } = new Fake().look();
  assert.deepEqual([memoryPressure, ioPressure], [null, null]);
});

test('nothing is read while nothing is queued', () => {
  memory(3000);
  const fake = new Fake();
  fake.queue.size = 0;
  assert.equal(fake.look().availableBytes, null);
});

test('decisions within 250 ms go by the same look', () => {
  memory(3000);
  const fake = new Fake();
  fake.look();
  memory(100);
  fake.nowMs += 249;
  assert.equal(fake.look().availableBytes, 3000 * mb);
  fake.nowMs += 1;
  assert.equal(fake.look().availableBytes, 100 * mb);
});

test('others’ runs count, ours do not: this daemon’s, those that go on from before it, those that are not empty yet', () => {
  const fake = new Fake();
  put('passwd', `ada:x:${process.getuid?.() ?? 0}:0::/:\n`);
  run('base/orca-run-1-1-50', 100 * mb);
  run('base/orca-run-2-1-40', 100 * mb);
  fake.live.set(2, { cgroup: join(box, 'cgroup/base/orca-run-2-1-40'), memory: 0 });
  run('base/orca-run-4-1-9', 100 * mb);
  assert.deepEqual(fake.look().others, []);
  run('base/orca-run-1-1-41', 100 * mb);
  run('user.slice/x/orca-run-1-1-50', 200 * mb);
  fake.nowMs += 1999;
  assert.deepEqual(fake.look().others, [], 'they are looked for every 2 s at most');
  fake.nowMs += 250;
  assert.deepEqual(fake.look().others, [{ user: 'ada', bytes: 300 * mb }]);
});

test('another’s run at its own limit counts into what limits cause', () => {
  run('user.slice/x/orca-run-1-1-50', 200 * mb, 200 * mb, 44);
  const fake = new Fake();
  fake.own = 12;
  assert.equal(fake.look().ownPressure, 44);
});

test('what another’s run caused at its limit is forgotten as the machine’s average forgets it', () => {
  run('user.slice/x/orca-run-1-1-50', 200 * mb, 200 * mb, 44);
  const fake = new Fake();
  fake.look();
  rmSync(join(box, 'cgroup'), { recursive: true });
  fake.nowMs += 10_000;
  assert.equal(Math.round(fake.look().ownPressure), 16);
  fake.nowMs += 60_000;
  assert.equal(Math.round(fake.look().ownPressure), 0);
});

test('who has most memory is looked for only where the machine is short of it, and for runs that have waited a while', () => {
  stat(50, 1, 9000);
  stat(60, 50, 9000);
  stat(70, 1, 512);
  memory(3000);
  const fake = new Fake();
  assert.equal(fake.look().largestForeign, null);
  fake.nowMs += 2000;
  const largest = { pid: 70, name: 'p70', user: 'uid 1000', residentBytes: 2 * mb };
  assert.deepEqual(fake.look().largestForeign, largest);
  fake.queue.size = 0;
  fake.look();
  fake.queue.size = 1;
  fake.nowMs += 2000;
  assert.equal(fake.look().largestForeign, null, 'another run waits, since now');
  memory(6000);
  fake.nowMs += 2000;
  fake.look();
  fake.nowMs += 2000;
  assert.equal(fake.look().largestForeign, null);
  pressure('memory', 20);
  fake.nowMs += 2000;
  fake.look();
  fake.nowMs += 2000;
  assert.deepEqual(fake.look().largestForeign, largest);
});

test('the devices are known though nothing is queued', () => {
  const fake = new Fake();
  fake.queue.size = 0;
  const gpus = [{ id: 'GPU-a', index: 0, uuid: 'GPU-a', foreign: [] }];
  Object.assign(fake.scheduler, { gpus: { state: () => ({ gpus, gpusUnknown: null }) } });
  assert.deepEqual(fake.look().gpus, gpus);
});

test('a process is foreign on a device unless a run of ours that has the device is above it', () => {
  stat(50, 1, 1);
  stat(61, 50, 1);
  stat(62, 61, 1);
  stat(71, 50, 1);
  stat(80, 1, 1);
  const fake = new Fake();
  const start = (pid: number, gpus: readonly string[], inside: number | null = null): object => {
    const parent = inside === null ? null : { run: inside };
    return { pid, keeperPid: null, gpus, cgroup: null, parent };
  };
  fake.live.set(1, start(61, ['GPU-a']));
  fake.live.set(2, start(71, []));
  const device = (id: string, whole: string): Parameters<typeof foreignOnGpus>[1][number] => ({
    id,
    index: 0,
    uuid: id,
    name: '',
    whole,
  });
  const devices = [device('GPU-a', 'GPU-a'), device('GPU-b', 'GPU-b'), device('MIG-c', 'GPU-c')];
  const on = (gpu: string, pid: number): number[] =>
    foreignOnGpus(fake.scheduler, devices, [{ gpu, pid, name: '/usr/bin/py' }]).map((one) => one.pid);
  assert.deepEqual(on('GPU-a', 62), []);
  assert.deepEqual(on('GPU-b', 62), [62], 'it was given another device');
  assert.deepEqual(on('GPU-a', 71), [71], 'it asked for none');
  assert.deepEqual(on('GPU-a', 80), [80]);
  fake.live.set(3, start(80, [], 1));
  assert.deepEqual(on('GPU-a', 80), [], 'it works inside the run that has it');
  fake.live.set(1, start(61, ['MIG-c']));
  assert.deepEqual(on('GPU-c', 62), [], 'a part is told by the whole');
  const [gone] = foreignOnGpus(fake.scheduler, devices, [{ gpu: 'GPU-a', pid: 4242, name: '/usr/bin/py' }]);
  assert.deepEqual(gone, { gpu: 'GPU-a', pid: 4242, user: 'an unknown user', name: 'py' });
});
