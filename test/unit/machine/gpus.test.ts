import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { chosenGpus, parseGpuChoice } from '../../../src/machine/chosen-gpus.ts';
import { parseGpuList } from '../../../src/machine/gpu-list.ts';
import { readGpuNodes } from '../../../src/machine/gpu-nodes.ts';
import { parseGpuProcesses } from '../../../src/machine/gpu-processes.ts';
import { readTomlValue, readWord } from '../../../src/settings/read-value.ts';

let box = '';
beforeEach(() => {
  box = mkdtempSync(join(tmpdir(), 'orca-gpus-'));
});
afterEach(() => {
  rmSync(box, { recursive: true });
});

const first = 'GPU-5c89852c-d268-c3f3-1b07-005d5ae1dc3f';
const second = 'GPU-9ef1da52-8dfb-5327-6a00-17097ba591a9';

test('each line of nvidia-smi -L is a device, told by its UUID', () => {
  // Driver 550; before 460 the names had no `NVIDIA`.
  const text = `GPU 0: NVIDIA GeForce RTX 3090 (UUID: ${first})\nGPU 1: Tesla V100-SXM2-32GB (UUID: ${second})\n`;
  assert.deepEqual(parseGpuList(text), [
    { id: first, index: 0, uuid: first, name: 'NVIDIA GeForce RTX 3090', whole: first },
    { id: second, index: 1, uuid: second, name: 'Tesla V100-SXM2-32GB', whole: second },
  ]);
});

test('of a divided device the parts count and the whole does not, in the forms of old and new drivers', () => {
  const text = [
    `GPU 0: A100-SXM4-40GB (UUID: ${first})`,
    `  MIG 1g.5gb Device 0: (UUID: MIG-${first}/7/0)`,
    `  MIG 1c.3g.20gb Device 1: (UUID: MIG-${first}/2/0)`,
    `GPU 1: NVIDIA H100 NVL (UUID: ${second})`,
    '  MIG 2g.24gb     Device  0: (UUID: MIG-7839bf6f-ba33-59f0-89eb-01c8d8c4134d)',
    'GPU 2: NVIDIA A100-PCIE-40GB (UUID: GPU-aed1178e-1c4b-6b7f-00fb-5bb68359e862)',
    '',
  ].join('\n');
  assert.deepEqual(
    parseGpuList(text).map(({ id, index, whole }) => [id, index, whole]),
    [
      [`MIG-${first}/7/0`, 0, first],
      [`MIG-${first}/2/0`, 1, first],
      ['MIG-7839bf6f-ba33-59f0-89eb-01c8d8c4134d', 2, second],
      ['GPU-aed1178e-1c4b-6b7f-00fb-5bb68359e862', 3, 'GPU-aed1178e-1c4b-6b7f-00fb-5bb68359e862'],
    ],
  );
  assert.equal(parseGpuList(text)[0]?.name, 'A100-SXM4-40GB MIG 1g.5gb');
});

test('a device without a UUID is told by its index', () => {
  for (const line of ['GPU 3: GeForce GT 630 (UUID: N/A)\n', 'GPU 3: GeForce GT 630\n'])
    assert.deepEqual(
      parseGpuList(line),
      [{ id: '3', index: 3, uuid: null, name: 'GeForce GT 630', whole: null }],
      line,
    );
});

test('what is no device is left out: failures, warnings, lines of other shapes', () => {
  for (const text of [
    '',
    'No devices found.\n',
    "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n",
    'Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 535.183\n',
    'Unable to determine the device handle for GPU0000:02:00.0: GPU is lost.  Reboot the system to recover this GPU\n',
    `  MIG 1g.5gb Device 0: (UUID: MIG-${first}/7/0)\n`,
    'GPU 0\nGPU : x\nGPU max: x (UUID: y)\n',
  ])
    assert.deepEqual(parseGpuList(text), [], text);
  const warned = `WARNING: infoROM is corrupted at gpu 0000:02:00.0\nGPU 0: NVIDIA T4 (UUID: ${first})\r\n`;
  assert.equal(parseGpuList(warned).length, 1);
});

test('no text makes two devices of one id, nor throws', () => {
  const line = fc.constantFrom(
    `GPU 0: a (UUID: ${first})`,
    'GPU 0: a',
    'GPU 1: b',
    `  MIG x Device 0: (UUID: MIG-1)`,
    '',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(line, fc.string())), (lines) => {
      const ids = parseGpuList(lines.join('\n')).map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length);
    }),
  );
});

test('processes on devices are read with names that hold commas, or none', () => {
  const text = [
    `${first}, 41235, python, 10342`,
    `${first}, 41236, /opt/My, App/bin/train, [N/A]`,
    `${second}, 7, [Not Found], [Insufficient Permissions]`,
    'MIG-7839bf6f-ba33-59f0-89eb-01c8d8c4134d, 9, ./a.out, 12',
    '',
  ].join('\n');
  assert.deepEqual(parseGpuProcesses(text), [
    { gpu: first, pid: 41235, name: 'python' },
    { gpu: first, pid: 41236, name: '/opt/My, App/bin/train' },
    { gpu: second, pid: 7, name: '' },
    { gpu: 'MIG-7839bf6f-ba33-59f0-89eb-01c8d8c4134d', pid: 9, name: './a.out' },
  ]);
});

test('lines that name no process are left out', () => {
  for (const text of [
    '',
    'No running processes found\n',
    `${first}, [N/A], [N/A], [N/A]\n`,
    `[Unknown Error], 12, python, 4\n`,
    `${first}, -1, python, 4\n`,
    `${first}, 0, python, 4\n`,
    `${first}, 12\n`,
  ])
    assert.deepEqual(parseGpuProcesses(text), [], text);
});

test('without nvidia-smi the nodes of /dev are the devices, in the order of their numbers', () => {
  for (const name of [
    'nvidia10',
    'nvidia2',
    'nvidia0',
    'nvidiactl',
    'nvidia-uvm',
    'nvidia-modeset',
    'nvidia0x',
    'null',
  ])
    writeFileSync(join(box, name), '');
  mkdirSync(join(box, 'nvidia-caps'));
  assert.deepEqual(
    readGpuNodes(box).map(({ id, whole }) => [id, whole]),
    [
      ['0', null],
      ['2', null],
      ['10', null],
    ],
  );
  assert.deepEqual(readGpuNodes(join(box, 'missing')), []);
});

const found = parseGpuList(
  `GPU 0: a (UUID: ${first})\nGPU 1: b (UUID: ${second})\n  MIG 1g Device 0: (UUID: MIG-1)\n  MIG 1g Device 1: (UUID: MIG-2)\n`,
);
const indexes = (value: string, among: Parameters<typeof chosenGpus>[1] = found): number[] | null =>
  chosenGpus(parseGpuChoice(value), among)?.map(({ index }) => index) ?? null;

test('ORCA_GPUS gives all devices, the first few, or those that it names', () => {
  assert.deepEqual(indexes('auto'), [0, 1, 2]);
  assert.deepEqual(indexes('2'), [0, 1]);
  assert.deepEqual(indexes('0'), []);
  assert.deepEqual(indexes('9'), [0, 1, 2]);
  assert.deepEqual(indexes('2,0'), [0, 2]);
  assert.deepEqual(indexes('0,'), [0]);
});

test('devices that are named or counted are taken to be there when nobody can say which are', () => {
  assert.equal(indexes('auto', null), null);
  assert.deepEqual(indexes('2', null), [0, 1]);
  assert.deepEqual(indexes('3,5', null), [3, 5]);
  assert.deepEqual(indexes('0', null), []);
});

test('other values of ORCA_GPUS are refused, and a config.toml may have a number without quotes', () => {
  for (const good of ['auto', '0', '8', '0,2', '3,', '0,1,']) assert.equal(readWord('ORCA_GPUS', good).value, good);
  for (const bad of ['', 'all', '-1', '1.5', ',1', '0,,1', 'GPU-1', '0:1', '0 1', '1000'])
    assert.equal(readWord('ORCA_GPUS', bad).value, null, bad);
  assert.equal(readTomlValue('ORCA_GPUS', 2).value, '2');
  for (const bad of [-1, 0.5, true, [0, 1]]) assert.equal(readTomlValue('ORCA_GPUS', bad).value, null);
});

test('a device that is missing from the list leaves the numbers of the others as they are', () => {
  const text = `GPU 0: a (UUID: ${first})\nUnable to determine the device handle for gpu 0000:02:00.0: GPU is lost.\nGPU 2: b (UUID: ${second})\n`;
  assert.deepEqual(
    parseGpuList(text).map(({ index }) => index),
    [0, 2],
  );
});
