import type { DaemonClient } from '../client/daemon-client.ts';
import { OrcaError } from '../errors/orca-error.ts';
import { isFinalState } from './final-state.ts';

/** Refuses runs that are not there, or not over, before one of them is tried again. */
export async function checkOver(client: DaemonClient, runs: readonly number[]): Promise<void> {
  for (const run of runs) {
    const { state } = await client.run(run);
    if (!isFinalState(state)) throw new OrcaError('retry-too-early', { run, state });
  }
}
