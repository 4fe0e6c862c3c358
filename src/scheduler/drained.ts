import type { RunId } from '../units/brands.ts';
import type { Scheduler } from './scheduler.ts';

export interface Drain {
  /** Only their starts; null, and left out: those of all runs. */
  readonly runs?: readonly RunId[] | null;
  readonly signal?: AbortSignal;
  /** What is waited for was taken back: starts are made again, so that there may never be an end of them. */
  readonly isOff?: () => boolean;
}

/** Resolves with true when no start is going on, with false when that is waited for no more. */
export const drained = (scheduler: Scheduler, { runs = null, signal, isOff }: Drain = {}): Promise<boolean> =>
  new Promise((resolve) => {
    const stop = scheduler.moved.listen(() => check());
    const done = (is: boolean): void => {
      stop();
      signal?.removeEventListener('abort', left);
      resolve(is);
    };
    const left = (): void => done(false);
    const goesOn = ({ live, claiming }: Scheduler): boolean =>
      runs === null ? live.size > 0 || claiming.size > 0 : runs.some((run) => live.has(run) || claiming.has(run));
    const check = (): void => {
      if (isOff?.() === true) done(false);
      else if (!goesOn(scheduler)) done(true);
    };
    signal?.addEventListener('abort', left, { once: true });
    check();
  });
