import { getMeta, setMeta } from '../store/meta.ts';
import type { Scheduler } from './scheduler.ts';

/** After `down` nothing is started until `up`, by this daemon or a later one. */
export const setDown = async (scheduler: Scheduler, down: boolean): Promise<void> => {
  const now = scheduler.host.now();
  await scheduler.store.command((tx) => setMeta(tx, 'down', down ? String(now) : null), { durable: true });
  scheduler.down = down;
  scheduler.moved.raise();
};

export const isDown = async (scheduler: Pick<Scheduler, 'store'>): Promise<boolean> =>
  (await getMeta(scheduler.store.read, 'down')) !== null;
