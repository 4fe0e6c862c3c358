import { basename, join } from 'node:path';
import type { CgroupFs } from '../containment/cgroup-fs.ts';
import { makeCgroup } from '../containment/make.ts';
import { runCpuWeight } from '../containment/memory-files.ts';
import { removeCgroup } from '../containment/remove.ts';
import { parseRunName, runName } from '../containment/run-name.ts';
import { staleCgroups } from '../containment/stale.ts';
import type { StartFailure } from '../evidence/evidence.ts';
import { bytesOfMib, type RunId } from '../units/brands.ts';
import { isAlive } from '../machine/is-alive.ts';
import { countNamed } from '../machine/memory-events.ts';
import { knownCgroups } from '../store/known-cgroups.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';

/** The folder that a start's cgroup will have; null where runs have none. */
export const cgroupOf = ({ cgroups, identity }: Scheduler, run: RunId, start: number): string | null =>
  cgroups.on ? join(cgroups.base, runName({ run, start, owner: identity.pid })) : null;

/** The cgroup of a start that the store forgot, whichever daemon made it. */
export const findCgroup = ({ cgroups, cgroupFs }: Scheduler, run: RunId, start: number): string | null => {
  if (!cgroups.on) return null;
  const found = (cgroupFs.folders(cgroups.base) ?? []).find((name) => {
    const parsed = parseRunName(name);
    return parsed?.run === run && parsed.start === start;
  });
  return found === undefined ? null : join(cgroups.base, found);
};

/** Makes the cgroup of a claimed start, with its limits; why it cannot be, else null. */
export const contain = (scheduler: Scheduler, live: LiveStart): StartFailure | null => {
  const { cgroups, cgroupFs, identity, settings } = scheduler;
  if (live.cgroup === null || !cgroups.on) return null;
  const limitBytes = bytesOfMib(live.limit);
  const made = makeCgroup(
    cgroupFs,
    cgroups.base,
    { run: live.run, start: live.start, owner: identity.pid },
    {
      limitBytes,
      killAtBytes: live.cap ?? limitBytes,
      oomGroup: settings.get('ORCA_OOM_GROUP') === 1,
      cpuWeight: cgroups.controllers.includes('cpu') ? runCpuWeight : null,
    },
  );
  if (made.ok) return null;
  const { file, code } = made.refused;
  return { stage: 'cgroup', errno: null, message: `its cgroup ${made.path} could not be made: ${file}: ${code}` };
};

/** The counts of a start's own cgroup, for where its keeper left none. */
export const ownEvents = ({ cgroupFs }: Scheduler, { cgroup }: LiveStart): string | null =>
  cgroup === null ? null : cgroupFs.read(join(cgroup, 'memory.events'));

/** Once its verdict is stored; what is still in it is waited for. */
export const removeCgroupOf = (scheduler: Scheduler, { cgroup }: LiveStart): void => {
  if (cgroup !== null && !removeCgroup(scheduler.cgroupFs, cgroup)) scheduler.leftCgroups.add(cgroup);
};

/** Tries again those that were not empty. */
export const removeLeft = ({ cgroups, cgroupFs, leftCgroups, strangeCgroups, host }: Scheduler): void => {
  for (const path of leftCgroups) if (removeCgroup(cgroupFs, path)) leftCgroups.delete(path);
  if (!cgroups.on) return;
  const now = host.monotonicUs();
  for (const [path, emptySince] of strangeCgroups) {
    if (!isEmpty(cgroupFs, path)) strangeCgroups.set(path, null);
    else if (emptySince === null) strangeCgroups.set(path, now);
    else if (now - emptySince >= strangeUs && removeCgroup(cgroupFs, path)) strangeCgroups.delete(path);
  }
};

/** Its maker may not be dead but have handed over, and wants to read the counts of a run that has ended before they are gone. */
const strangeUs = 10_000_000;

const isEmpty = (fs: CgroupFs, path: string): boolean =>
  countNamed(fs.read(join(path, 'cgroup.events')) ?? 'populated 0', 'populated') === 0n;

/**
 * Removes what earlier daemons left, once all that still runs is known. What is not empty yet is tried again: at once if it is this store's; else,
 * since it may be another state folder's, when it has been empty for a while.
 */
export const removeStale = async (scheduler: Scheduler): Promise<void> => {
  const { cgroups, cgroupFs, host, identity, live, leftCgroups, strangeCgroups, store } = scheduler;
  if (!cgroups.on) return;
  const inUse = new Set([...live.values()].flatMap(({ cgroup }) => (cgroup === null ? [] : [basename(cgroup)])));
  const question = { ownPid: identity.pid, isAlive: (pid: number) => isAlive(host.procRoot, pid), inUse };
  const left = staleCgroups(cgroupFs, cgroups.base, question).filter((path) => !removeCgroup(cgroupFs, path));
  const known = await knownCgroups(store.read, left);
  for (const path of left) {
    if (known.has(path)) leftCgroups.add(path);
    else strangeCgroups.set(path, null);
  }
};
