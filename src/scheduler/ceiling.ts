import {
  ceilingBytes,
  keepCeiling,
  liftCeiling,
  putLimit,
  type Ceiling,
  type CeilingHost,
} from '../containment/ceiling.ts';
import { setUnitLimit } from '../containment/unit-limit.ts';
import { isAlive } from '../machine/is-alive.ts';
import type { Scheduler } from './scheduler.ts';

/** Sets the ceiling over all runs anew, after the capacity or the reserve may have changed. */
export const followCeiling = (scheduler: Scheduler): void => {
  const { cgroups, capacity, budget, log } = scheduler;
  if (!cgroups.on) return;
  const before = scheduler.ceiling;
  const now = keepCeiling(
    ceilingHost(scheduler),
    cgroups.base,
    ceilingBytes({ capacity: capacity.memory, budget: budget.memory }),
  );
  scheduler.ceiling = now;
  if (now.bytes !== before.bytes || now.why !== before.why) log.info(now, 'the ceiling over all runs');
};

/** A daemon that leaves for good takes it away; not while something still runs under it. */
export const dropCeiling = (scheduler: Scheduler): void => {
  const { cgroups, live, leftCgroups } = scheduler;
  if (cgroups.on && live.size === 0 && leftCgroups.size === 0) liftCeiling(ceilingHost(scheduler), cgroups.base);
};

export const noCeiling: Ceiling = { bytes: null, why: null };

const ceilingHost = ({ cgroupFs, identity, host }: Scheduler): CeilingHost => ({
  fs: cgroupFs,
  pid: identity.pid,
  isAlive: (pid) => isAlive(host.procRoot, pid),
  put: putLimit(cgroupFs, setUnitLimit),
});
