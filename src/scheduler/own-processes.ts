import { basename, dirname } from 'node:path';
import type { ProcessName } from '../admission/machine-state.ts';
import { ownerOf } from '../containment/run-name.ts';
import type { Gpu } from '../machine/gpu-list.ts';
import type { GpuProcess } from '../machine/gpu-processes.ts';
import { describeProcess } from '../machine/largest-process.ts';
import { childrenOf, withDescendants } from '../machine/process-tree.ts';
import { readPidStats } from '../machine/read-pid-stats.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';

export const unknownUser = 'an unknown user';

/** Whether a run's cgroup is of this store: this daemon made it, or an earlier one did whose start goes on. */
export const isOwnGroup = ({ cgroups, identity, live, leftCgroups }: Scheduler, folder: string): boolean =>
  (cgroups.on && dirname(folder) === cgroups.base && ownerOf(basename(folder)) === identity.pid) ||
  leftCgroups.has(folder) ||
  [...live.values()].some(({ cgroup }) => cgroup === folder);

/** The tops of all trees that are orca's or its runs'. */
export const ownTops = ({ identity, live }: Scheduler): ReadonlySet<number> =>
  new Set([identity.pid, ...[...live.values()].flatMap(topsOf)]);

const topsOf = ({ pid, keeperPid }: LiveStart): number[] => [pid, keeperPid].filter((one) => one !== null);

/** A start inside another one works with the devices of that. */
const gpusOf = (start: LiveStart, live: Scheduler['live']): readonly string[] => {
  const above = start.parent === null ? undefined : live.get(start.parent.run);
  return above === undefined ? start.gpus : gpusOf(above, live);
};

/**
 * Those that use a device which no run of theirs was given: whoever they belong to, nobody else should be given it too. Of a divided
 * device they may be told by the whole.
 */
export const foreignOnGpus = (
  { host, live, machineLook }: Scheduler,
  devices: readonly Gpu[],
  processes: readonly GpuProcess[],
): (ProcessName & Pick<GpuProcess, 'gpu'>)[] => {
  if (processes.length === 0) return [];
  const stats = readPidStats(host.procRoot);
  const children = childrenOf(stats);
  const wholeOf = new Map(devices.map(({ id, whole }) => [id, whole]));
  const owned = new Set<string>();
  for (const start of live.values()) {
    const gpus = gpusOf(start, live);
    if (gpus.length === 0) continue;
    const tops = new Set(topsOf(start));
    const tree = withDescendants(
      stats.filter(({ pid }) => tops.has(pid)),
      children,
    );
    const names = gpus.flatMap((id) => [id, wholeOf.get(id) ?? id]);
    for (const { pid } of tree) for (const name of names) owned.add(`${pid} ${name}`);
  }
  const where = { procRoot: host.procRoot, passwdFile: machineLook.passwdFile };
  return processes
    .filter(({ pid, gpu }) => !owned.has(`${pid} ${gpu}`))
    .map(({ pid, gpu, name }) => {
      const known = describeProcess(where, pid);
      return { gpu, pid, user: known.user ?? unknownUser, name: known.name === '' ? basename(name) : known.name };
    });
};
