import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gpuVariables, withoutGpuVariables } from '../../../src/scheduler/gpu-variables.ts';

test('a start is told its devices by their UUIDs; numbers count in the order of the bus', () => {
  assert.deepEqual(gpuVariables(['GPU-a', 'MIG-b']), ['CUDA_VISIBLE_DEVICES=GPU-a,MIG-b']);
  assert.deepEqual(gpuVariables(['0', '3']), ['CUDA_VISIBLE_DEVICES=0,3', 'CUDA_DEVICE_ORDER=PCI_BUS_ID']);
});

test('a start without devices keeps what the caller had, one with devices does not', () => {
  const env = [
    'CUDA_VISIBLE_DEVICES=7',
    'CUDA_VISIBLE_DEVICES_X=1',
    'CUDA_DEVICE_ORDER=FASTEST_FIRST',
    'A=CUDA_VISIBLE_DEVICES=',
  ];
  assert.deepEqual([gpuVariables([]), withoutGpuVariables(env, [])], [[], env]);
  assert.deepEqual(withoutGpuVariables(env, ['GPU-a']), env.slice(1));
  assert.deepEqual(withoutGpuVariables(env, ['0']), [env[1], env[3]]);
});
