import type { Stream } from '../logs/stage-folder.ts';
import { outputWords } from '../runs/lost-output.ts';
import { correctLostOutput, isToldRemoved } from '../store/found-output.ts';
import type { RunId } from '../units/brands.ts';
import type { Scheduler } from './scheduler.ts';

/** Outputs of a start that is over have come from the stage into their logs: where they had been moved away and were put back, they were told as lost. */
export const tellFound = async (
  { store }: Pick<Scheduler, 'store'>,
  run: RunId,
  start: number,
  kept: readonly { readonly stream: Stream }[],
): Promise<void> => {
  if (kept.length === 0 || !(await isToldRemoved(store.read, run, start))) return;
  const found = kept.map(({ stream }) => outputWords[stream]);
  await store.command((tx) => correctLostOutput(tx, run, start, found));
};
