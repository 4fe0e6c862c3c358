import { OrcaError } from '../errors/orca-error.ts';
import { isFinal } from '../runs/transitions.ts';
import { getRunWithStarts } from '../store/get-run.ts';
import type { Run } from '../store/run.ts';
import type { Millis, RunId } from '../units/brands.ts';
import type { Scheduler } from './scheduler.ts';

export interface FoundStart {
  readonly number: number;
  /** Nothing more will be written to its logs. */
  readonly over: boolean;
  readonly stdout: string;
  readonly stderr: string;
  readonly run: Run;
  readonly began: Millis;
  readonly ended: Millis | null;
}

/** A start of a run, the last one for null. `start` null: there is none (yet); `final`: nor will there be. */
export const findStart = async (
  scheduler: Scheduler,
  id: RunId,
  number: number | null,
): Promise<{ start: FoundStart | null; final: boolean }> => {
  const found = await getRunWithStarts(scheduler.store.read, id);
  if (found === null) throw new OrcaError('run-unknown', { run: id });
  const begun = found.starts.filter((start) => start.state !== 'void');
  const row = number === null ? begun.at(-1) : begun.find((start) => start.start === number);
  const start =
    row === undefined
      ? null
      : {
          number: row.start,
          over: row.state === 'ended',
          stdout: row.stdout_path,
          stderr: row.stderr_path,
          run: found.run,
          began: row.started_at ?? row.claimed_at,
          ended: row.ended_at,
        };
  return { start, final: isFinal(found.run.state) };
};
