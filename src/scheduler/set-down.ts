import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addEvent } from '../store/events.ts';
import { getMeta, setMeta } from '../store/meta.ts';
import type { Scheduler } from './scheduler.ts';

/** After `down` nothing is started until `up`, by this daemon or a later one. */
export const setDown = async (scheduler: Scheduler, down: boolean): Promise<void> => {
  const now = scheduler.host.now();
  await scheduler.store.command(
    async (tx) => {
      if (down === ((await getMeta(tx, 'down')) !== null)) return;
      await setMeta(tx, 'down', down ? String(now) : null);
      await addEvent(tx, { run: null, at: now, kind: down ? 'down' : 'up', data: {} });
    },
    { durable: true },
  );
  scheduler.eventsWritten.raise();
  scheduler.down = down;
  markDown(scheduler, down);
  scheduler.moved.raise();
};

export const isDown = async (scheduler: Pick<Scheduler, 'store'>): Promise<boolean> =>
  (await getMeta(scheduler.store.read, 'down')) !== null;

/** Says in `<state>/down` what the store says, for clients while no daemon runs. The store decides: without room for the file only words are poorer. */
export const markDown = ({ state, log }: Pick<Scheduler, 'state' | 'log'>, down: boolean): void => {
  const file = join(state.folder, 'down');
  try {
    if (down) writeFileSync(file, '', { mode: 0o600 });
    else rmSync(file, { force: true });
  } catch (error) {
    log.warn({ err: error, file }, 'whether orca is down could not be written');
  }
};
