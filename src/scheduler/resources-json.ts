import { Room } from '../admission/room.ts';
import type { DaemonJson } from '../wire/api.ts';
import { admissionState } from './admission-state.ts';
import type { Scheduler } from './scheduler.ts';

/** The counted resources (`[resources]` in config.toml), and how much of each runs have now. */
export const resourcesJson = (scheduler: Scheduler): NonNullable<DaemonJson['resources']> => {
  const room = new Room(admissionState(scheduler));
  return [...scheduler.settings.resources].map(([name, count]) => ({
    name,
    count,
    held: count - room.free({ of: `resource:${name}`, there: null }),
  }));
};
