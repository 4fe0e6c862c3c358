import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gpuFinding, othersFinding, pressureFinding } from '../../../src/cli/machine-findings.ts';
import { gpusWords, othersWords } from '../../../src/cli/machine-words.ts';
import type { GpuJson } from '../../../src/wire/api.ts';

const none = (): number => 0;
const gb = 1024 ** 3;
const device = (index: number, change: Partial<GpuJson> = {}): GpuJson => ({
  id: String(index),
  index,
  name: 'NVIDIA T4',
  run: null,
  used_by: [],
  ...change,
});

test('devices are told with their names; none are no fault', () => {
  const found = gpuFinding({ devices: [device(0), device(2, { name: '' })], why: null }, 'auto');
  assert.deepEqual([found.level, found.found], ['ok', '2: 0 NVIDIA T4, 2']);
  assert.deepEqual(gpuFinding({ devices: [], why: null }, 'auto').found, 'none found by nvidia-smi or in /dev');
  assert.match(gpuFinding({ devices: [], why: null }, '0').found, /ORCA_GPUS is 0/);
});

test('an nvidia-smi that fails is a warning with what it said, and with the devices that are there all the same', () => {
  const failed = gpuFinding({ devices: null, why: 'nvidia-smi: it broke' }, 'auto');
  assert.deepEqual([failed.level, failed.found], ['warn', 'nvidia-smi: it broke']);
  assert.match(failed.help ?? '', /until `nvidia-smi` answers/);
  const declared = gpuFinding({ devices: [device(0, { name: '' })], why: 'nvidia-smi: it broke' }, '1');
  assert.equal(declared.found, 'nvidia-smi: it broke; 1: 0 all the same');
});

test('pressure is told as far as the kernel tells it; without any it is a warning', () => {
  const some = (value: number | null): { some: number | null; full: number | null } => ({ some: value, full: null });
  const words = (memory: number | null, io: number | null): string =>
    pressureFinding({ memory: some(memory), io: some(io) }).found;
  assert.equal(words(1.5, 0), 'tasks waited 1.5 % for memory and 0 % for disks in the last 10 s');
  assert.equal(words(null, 3), 'tasks waited 3 % for disks in the last 10 s');
  for (const unread of [null, { memory: some(null), io: some(null) }]) {
    assert.equal(pressureFinding(unread).level, 'warn');
    assert.match(pressureFinding(unread).help ?? '', /psi=1/);
  }
});

test('what other daemons hold is told by user; without a daemon that knows its own, cgroups are counted', () => {
  const held = othersFinding([{ user: 'ada', bytes: 13 * gb }], none);
  assert.match(held.found, /not given out again: 13 GB of ada$/);
  assert.equal(othersFinding([], () => 7).found, 'no other daemon has runs here that can be seen');
  assert.equal(othersFinding(null, none).found, 'no other daemon has runs here that can be seen');
  assert.equal(othersFinding(null, () => 2).found, "runs' cgroups on this machine: 2");
});

test('the devices are told with the run that has each, or who else uses it', () => {
  const used_by = [{ pid: 77, user: 'ada', name: 'py\u001b[1m' }];
  assert.equal(
    gpusWords([device(0, { run: 5, used_by }), device(1, { used_by }), device(3)]),
    '3: 0 has run 5, 1 is used by py\\x1b[1m (pid 77 of ada), 3 free',
  );
  assert.equal(gpusWords([]), 'none');
  assert.equal(
    gpusWords([device(0, { used_by: [{ pid: 7, user: 'uid 4', name: '' }] })]),
    '1: 0 is used by a process (pid 7 of uid 4)',
  );
});

test('a user’s name moves no cursor', () => {
  assert.equal(
    othersWords([
      { user: 'a\nb', bytes: 11 * gb },
      { user: 'c', bytes: 12 * gb },
    ]),
    '11 GB of a\\nb, 12 GB of c',
  );
});
