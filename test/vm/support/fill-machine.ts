import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { eat } from './place.ts';

/**
 * The machine runs out of memory by a process that is no run and that the kernel must not choose, until it has killed one: of the runs,
 * which it chooses before all else, the biggest. Nothing else may die for memory at the time.
 */
export const fillMachine = async (): Promise<void> => {
  const child = spawn('sh', ['-c', `echo -1000 >/proc/self/oom_score_adj; exec '${eat}' crowd`]);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  assert.deepEqual([code, signal], [0, null], 'the kernel has killed something for memory');
};
