import { dirname, join } from 'node:path';
import { ownPath, ownPathV1 } from '../machine/own-path.ts';
import type { CgroupFs } from './cgroup-fs.ts';
import { cgroupMounts, folderIn, type CgroupMount } from './cgroup-mount.ts';
import { hasWord } from './has-word.ts';
import type { OffReason } from './off-reason.ts';
import { leafName, placeOf, type Place } from './place.ts';

export interface LookHost {
  readonly fs: CgroupFs;
  /** `/proc`. */
  readonly procRoot: string;
  /** `ORCA_CGROUPS`. */
  readonly wanted: boolean;
}

/** Where the runs' cgroups may go, as far as looking tells. */
export interface Base {
  /** Absolute folder of the cgroup that the runs' go in. */
  readonly folder: string;
  readonly leaf: string;
  readonly inside: Place['inside'];
  /** This process's own cgroup, as `/proc/self/cgroup` names it. */
  readonly own: string;
  /** The top of the whole hierarchy: alone it may hold processes beside cgroups with controllers. */
  readonly hostRoot: boolean;
}

export type Looked = { readonly ok: true; readonly base: Base } | { readonly ok: false; readonly reason: OffReason };

/** Looks, and changes nothing: what `orca doctor` asks, and what set-up begins with. */
export const lookForBase = ({ fs, procRoot, wanted }: LookHost): Looked => {
  if (!wanted) return off({ kind: 'unwanted' });
  const self = fs.read(join(procRoot, 'self/cgroup'));
  if (self === null) return off({ kind: 'no-cgroups' });
  const own = ownPath(self);
  if (own === '') return off({ kind: 'v1-only' });
  const mounts = cgroupMounts(fs.read(join(procRoot, 'self/mountinfo')) ?? '');
  if (mounts.length === 0) return off({ kind: 'not-mounted' });
  const memoryOnV1 = ownPathV1(self, 'memory') !== '';
  const place = placeOf(own);
  const found = lookAt(fs, mounts, own, place, memoryOnV1);
  // A cgroup that happens to be called as our leaf is, alone in a subtree that is not ours: then our leaf goes inside.
  if (found.ok || place.inside !== 'leaf' || found.reason.kind !== 'undelegated') return found;
  const inner = lookAt(fs, mounts, own, { base: own, inside: 'base' }, memoryOnV1);
  return inner.ok ? inner : found;
};

const lookAt = (
  fs: CgroupFs,
  mounts: readonly CgroupMount[],
  own: string,
  { base, inside }: Place,
  memoryOnV1: boolean,
): Looked => {
  const shown = mounts.flatMap((mount) => {
    const folder = folderIn(mount, base);
    return folder !== null && fs.read(join(folder, 'cgroup.controllers')) !== null ? [{ mount, folder }] : [];
  });
  const last = shown.at(-1);
  if (last === undefined) {
    const hiding = mounts.at(-1)?.folder ?? '/sys/fs/cgroup';
    return off(memoryOnV1 ? { kind: 'memory-on-v1' } : { kind: 'hidden', cgroup: own, mount: hiding });
  }
  const { mount, folder } = last;
  const type = fs.read(join(folder, 'cgroup.type'))?.trim() ?? null;
  const hostRoot = folder === mount.folder && type === null;
  if (type !== null && type !== 'domain') return off({ kind: 'threaded', folder, type });
  const offered = fs.read(join(folder, 'cgroup.controllers'))?.trim() ?? '';
  if (!hasWord(offered, 'memory')) {
    if (memoryOnV1) return off({ kind: 'memory-on-v1' });
    if (hostRoot) return off({ kind: 'memory-off-in-kernel' });
    return off({ kind: 'memory-not-given', folder, offered, givers: giversOf(fs, folder, mount.folder) });
  }
  if (mount.readOnly) {
    const container = folder === mount.folder && !hostRoot;
    return off({ kind: 'read-only', mount: mount.folder, container });
  }
  const needed = [folder, join(folder, 'cgroup.procs'), join(folder, 'cgroup.subtree_control')];
  const refused = needed.find((file) => !fs.mayWrite(file));
  if (refused !== undefined) return off({ kind: 'undelegated', folder, file: refused, hostRoot });
  return { ok: true, base: { folder, leaf: join(folder, leafName), inside, own, hostRoot } };
};

/** The cgroups between the nearest one above that has the memory controller and this one, topmost first. */
const giversOf = (fs: CgroupFs, folder: string, top: string): string[] => {
  const givers: string[] = [];
  for (let at = folder; at !== top && at !== '/';) {
    at = dirname(at);
    givers.unshift(at);
    if (hasWord(fs.read(join(at, 'cgroup.controllers')) ?? '', 'memory')) return givers;
  }
  return [];
};

const off = (reason: OffReason): Looked => ({ ok: false, reason });
