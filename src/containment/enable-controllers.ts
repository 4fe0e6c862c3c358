import { join } from 'node:path';
import type { CgroupFs } from './cgroup-fs.ts';
import { hasWord } from './has-word.ts';
import type { Base } from './look-for-base.ts';
import { moveProcesses, type Moved } from './move-processes.ts';
import type { OffReason } from './off-reason.ts';

export interface EnableHost {
  readonly fs: CgroupFs;
  readonly pid: number;
  readonly pause: (ms: number) => void;
}

export type Enabled =
  { readonly ok: true; readonly controllers: readonly string[] } | { readonly ok: false; readonly reason: OffReason };

/** What runs are not refused for, but better off with: `io` counts what reaches a disk, which is progress. */
const optional = ['cpu', 'io', 'pids'];
const tries = 60;
const pauseMs = 10;

/**
 * Empties the base into its leaf and turns the memory controller on for the base's children. A cgroup with processes of
 * its own refuses that (EBUSY), and processes arrive while others are moved, so it is tried again, for about half a second.
 */
export const enableControllers = (host: EnableHost, base: Base): Enabled => {
  const { fs, pause } = host;
  const control = join(base.folder, 'cgroup.subtree_control');
  let moved = emptied(host, base);
  let code = turnOn(fs, control, 'memory');
  for (let left = tries; left > 0 && code === 'EBUSY' && moved.denied === null; left -= 1) {
    if (left < tries - 4) pause(pauseMs);
    // From the top of the hierarchy others need not move, except where an old kernel thinks otherwise.
    moved = moveProcesses(fs, base.folder, base.leaf);
    code = turnOn(fs, control, 'memory');
  }
  if (code !== null) return { ok: false, reason: reasonFor(fs, base, moved, code) };
  for (const name of optional)
    if (hasWord(fs.read(join(base.folder, 'cgroup.controllers')) ?? '', name)) turnOn(fs, control, name);
  const on = (fs.read(control) ?? '').split(/\s+/).filter((word) => word !== '');
  return on.includes('memory')
    ? { ok: true, controllers: on }
    : { ok: false, reason: { kind: 'refused', file: control, code: 'memory is not in it after it was written' } };
};

/** At the top of the hierarchy only this process moves: the others are not ours, and may stay beside cgroups there. */
const emptied = ({ fs, pid }: EnableHost, { folder, leaf, hostRoot, inside }: Base): Moved => {
  if (!hostRoot) return moveProcesses(fs, folder, leaf);
  const denied = inside === 'base' ? fs.write(join(leaf, 'cgroup.procs'), String(pid)) : null;
  return { left: 0, foreign: 0, denied };
};

const turnOn = (fs: CgroupFs, control: string, name: string): string | null =>
  hasWord(fs.read(control) ?? '', name) ? null : fs.write(control, `+${name}`);

const reasonFor = (fs: CgroupFs, { folder, leaf, hostRoot }: Base, moved: Moved, code: string): OffReason => {
  const denied = moved.denied ?? code;
  const file = join(
    moved.denied === null ? folder : leaf,
    moved.denied === null ? 'cgroup.subtree_control' : 'cgroup.procs',
  );
  if (denied === 'EACCES' || denied === 'EPERM') return { kind: 'undelegated', folder, file, hostRoot };
  if (denied === 'EROFS') return { kind: 'read-only', mount: folder, container: !hostRoot };
  if (denied === 'EOPNOTSUPP')
    return { kind: 'threaded', folder, type: fs.read(join(folder, 'cgroup.type'))?.trim() ?? 'threaded' };
  if (denied !== 'EBUSY') return { kind: 'refused', file, code: denied };
  if (moved.foreign > 0) return { kind: 'foreign', folder, count: moved.foreign };
  return { kind: 'busy', folder, left: moved.left };
};
