import { control, runnerOf } from '../runs/placement.ts';
import type { Run } from '../store/run.ts';
import { bytes, bytesOfMib, mib, type Bytes, type Mib } from '../units/brands.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';

/** What is looked at of a run; one inside another is where that one is. */
export type Placed = Pick<Run, 'placement' | 'parent_run'>;

/** Whether a run is on the control placement, by name or because that is what the default one means. */
export const isControl = ({ settings }: Pick<Scheduler, 'settings'>, run: Placed): boolean =>
  run.parent_run === null && runnerOf(run.placement, settings.get('ORCA_RUNNER')) === control;

/** The same of a start, also of one that works inside a run there. */
export const isWithinControl = (
  scheduler: Pick<Scheduler, 'settings' | 'live'>,
  { row, parent }: LiveStart,
): boolean => {
  const around = parent === null ? undefined : scheduler.live.get(parent.run);
  return isControl(scheduler, row) || (around !== undefined && isWithinControl(scheduler, around));
};

/** The most memory that a run may have by its placement; 0: no such bound. */
export const placementCap = ({ settings }: Pick<Scheduler, 'settings'>, run: Placed): Mib =>
  isControl({ settings }, run) ? settings.get('ORCA_CONTROL_MEMORY_MB') : mib(0);

/** The same as a size; null: as much as there is. */
export const mostHere = (scheduler: Pick<Scheduler, 'settings'>, run: Placed): Bytes | null => {
  const most = placementCap(scheduler, run);
  return most > 0 ? bytesOfMib(most) : null;
};

/** A size under such a bound. */
export const lowered = (size: Bytes, most: Mib): Bytes => (most > 0 ? bytes(Math.min(size, bytesOfMib(most))) : size);
