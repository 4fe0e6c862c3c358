import type { RunId } from '../units/brands.ts';
import type { Scheduler } from './scheduler.ts';

/** Resolves when no start is going on, of all runs or of these; also when the signal is aborted. */
export const drained = (
  scheduler: Scheduler,
  runs: readonly RunId[] | null = null,
  signal?: AbortSignal,
): Promise<void> =>
  new Promise((resolve) => {
    const stop = scheduler.moved.listen(() => check());
    const done = (): void => {
      stop();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const goesOn = ({ live, claiming }: Scheduler): boolean =>
      runs === null ? live.size > 0 || claiming.size > 0 : runs.some((run) => live.has(run) || claiming.has(run));
    const check = (): void => {
      if (!goesOn(scheduler)) done();
    };
    signal?.addEventListener('abort', done, { once: true });
    check();
  });
