import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unknownMachine, type MachineState } from '../../../src/admission/machine-state.ts';
import { neverFits } from '../../../src/admission/never-fits.ts';
import { budget, gpu, slot } from './builders.ts';

const asksFor = (gpus: number, machine: Partial<MachineState>): ReturnType<typeof neverFits> =>
  neverFits(
    { cpusMilli: 1000, memory: null, gpus, needs: [] },
    { budget, amounts: new Map(), machine: { ...unknownMachine, ...machine } },
  );

test('more devices than there are can never be had, also while it is not known what uses them', () => {
  const devices = [gpu(0), gpu(1)];
  for (const gpusUnknown of [null, 'nvidia-smi has not told yet what uses the GPUs']) {
    assert.deepEqual(asksFor(3, { gpus: devices, gpusUnknown }), { kind: 'gpus', asked: 3, most: 2 });
    assert.equal(asksFor(2, { gpus: devices, gpusUnknown }), null);
  }
});

test('while it is not known which devices there are, any number may be had', () => {
  assert.equal(asksFor(3, { gpusUnknown: 'nvidia-smi has not answered yet' }), null);
  assert.deepEqual(asksFor(1, {}), { kind: 'gpus', asked: 1, most: 0 });
});

test('what is for machines of its own is not measured by this one', () => {
  const amounts = new Map([['slot:control', 2]]);
  const asks = (placement: string): ReturnType<typeof neverFits> =>
    neverFits(
      { cpusMilli: 99_000, memory: null, gpus: 0, needs: [slot(placement)] },
      { budget, amounts, machine: unknownMachine },
    );
  assert.equal(asks('ec2'), null);
  assert.equal(asks('control')?.kind, 'cpus');
});
