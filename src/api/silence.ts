import type { Scheduler } from '../scheduler/scheduler.ts';
import { millis } from '../units/brands.ts';

/** A wait says at least so often that the daemon is there, in ms. */
export const beatEvery = 2000;

/** Whether nothing was heard for a while: false as soon as what `listen` was given is called. */
export const silence = async (
  { host }: Pick<Scheduler, 'host'>,
  listen: (heard: () => void) => void,
): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  listen(() => resolve(false));
  const cancel = host.timers.set(millis(beatEvery), () => resolve(true));
  const silent = await promise;
  cancel();
  return silent;
};
