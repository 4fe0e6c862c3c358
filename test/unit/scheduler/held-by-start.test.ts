import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sized } from '../../../src/admission/sized.ts';
import { shapeOf } from '../../../src/admission/shape.ts';
import { unknownMachine } from '../../../src/admission/machine-state.ts';
import { noNeeds } from '../../../src/runs/needs.ts';
import { heldByStart } from '../../../src/scheduler/held-by-start.ts';
import { LearnedCommands } from '../../../src/scheduler/learned.ts';
import { loadSettings } from '../../../src/settings/load-settings.ts';
import type { StoredRun } from '../../../src/store/run.ts';
import type { StartRow } from '../../../src/store/schema.ts';
import { bytes, bytesOfMib, mib } from '../../../src/units/brands.ts';

const env = { ORCA_CONTROL_MEMORY_MB: '256' };
const { settings } = await loadSettings({ env, homeFolder: '/home/ada', files: [], readText: () => null });
const memory = bytesOfMib(mib(8000));
const budget = { cpusMilli: 4000, memory, cores: 4, reserve: bytes(0) };
const learned = new LearnedCommands();

const adopted = (placement: string | null) => {
  const run = { id: 1, submitter: null, command: 'make', placement, parent_run: null, group_id: null, needs: noNeeds };
  const row = { grant_bytes: null, cpus_milli: 1000, gpus: null };
  return heldByStart({ budget, learned, settings }, run as StoredRun, row as StartRow, 7);
};

test('a start that an earlier daemon let in counts for what it counted for then, also on control, where its limit is the most', () => {
  for (const [placement, most] of [
    [null, null],
    ['control', bytesOfMib(mib(256))],
  ] as const) {
    const { memory: counted, expected } = adopted(placement);
    const parts = { cpusMilli: 1000, memory: null, gpus: 0, needs: [], timeoutMs: null, command: null };
    const shape = shapeOf({ ...parts, ...(most !== null && { most }) });
    const admitted = sized(shape, { budget, learned: () => null, amounts: new Map(), machine: unknownMachine }).memory;
    assert.deepEqual([counted, expected], [admitted.counted, admitted.expected], String(placement));
  }
});
