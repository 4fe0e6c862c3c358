import { look } from './look-after.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';

/** From now on the start's folder is watched: nobody is sure to report its end. */
export const adopt = (scheduler: Scheduler, live: LiveStart): void => {
  if (live.adopted) return;
  live.adopted = true;
  live.unwatch = () => scheduler.exits.remove(live.folder);
  // Looks at once, too.
  scheduler.exits.add(live.folder);
};

/** A watched folder changed. */
export const onFolderChanged = (scheduler: Scheduler, folder: string): void => {
  for (const live of scheduler.live.values()) if (live.folder === folder) void look(scheduler, live);
};
