import { atMost, countedMemory } from '../admission/counted-memory.ts';
import type { Held } from '../admission/types.ts';
import { gpusOf } from '../store/json-columns.ts';
import type { StoredRun } from '../store/run.ts';
import type { StartRow } from '../store/schema.ts';
import { bytes } from '../units/brands.ts';
import { mostHere } from './control.ts';
import { namedNeeds, submitterOf } from './enqueue.ts';
import type { Scheduler } from './scheduler.ts';

/** What a start that an earlier daemon let in by its admission `turn` holds: what it got, and what its run asked for. */
export const heldByStart = (
  scheduler: Pick<Scheduler, 'budget' | 'learned' | 'settings'>,
  run: StoredRun,
  row: StartRow,
  turn: number,
): Held => {
  const { budget, learned } = scheduler;
  const known = run.command === null ? null : learned.get(run.command);
  const memory = countedMemory(row.grant_bytes, known?.memory ?? null, budget);
  const { counted, expected } = atMost(memory, mostHere(scheduler, run));
  return {
    run: run.id,
    submitter: submitterOf(run),
    cpusMilli: row.cpus_milli,
    memory: counted,
    expected,
    gpus: gpusOf(row.gpus),
    needs: namedNeeds(scheduler, run),
    turn,
  };
};

/** Of one inside another run. */
export const nothingHeld = (run: StoredRun): Held => ({
  run: run.id,
  submitter: submitterOf(run),
  cpusMilli: 0,
  memory: bytes(0),
  expected: bytes(0),
  gpus: [],
  needs: [],
  turn: 0,
});
