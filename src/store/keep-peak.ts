import type { RunId } from '../units/brands.ts';
import type { StartRow, Tx } from './schema.ts';

export interface PeakSoFar extends Pick<StartRow, 'peak_rss_bytes' | 'peak_cpus'> {
  readonly run: RunId;
  readonly start: number;
}

/** Keeps what a start used at most so far, for the next daemon to go on from; nothing changes for one that is over. */
export const keepPeak = async (tx: Tx, { run, start, ...peak }: PeakSoFar): Promise<void> => {
  await tx
    .updateTable('starts')
    .set(peak)
    .where('run', '=', run)
    .where('start', '=', start)
    .where('state', 'in', ['starting', 'running'])
    .execute();
};
