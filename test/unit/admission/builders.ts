import type { Holding, Waiting } from '../../../src/admission/types.ts';
import { bytes, runId } from '../../../src/units/brands.ts';

export const gb = 1024 ** 3;

/** A run that waits: one core, no request, unless told otherwise. */
export const waiting = (run: number, more: Partial<Waiting> = {}): Waiting => ({
  run: runId(run),
  priority: 0,
  cpusMilli: 1000,
  memory: null,
  inside: null,
  notBefore: null,
  paused: null,
  ...more,
});

export const holding = (run: number, memory: number, cpusMilli = 1000): Holding => ({
  run: runId(run),
  cpusMilli,
  memory: bytes(memory),
});
