/** That a cgroup's `memory.max` is orca's own ceiling over all runs, of so many bytes, set by the daemon with this pid. */
export interface CeilingMark {
  readonly bytes: number;
  readonly owner: number;
}

/**
 * The name of an empty cgroup below the one with the ceiling. It says so to daemons of every state folder, cannot outlive the
 * limit that it speaks of, and needs no disk.
 */
export const ceilingMarkName = ({ bytes, owner }: CeilingMark): string => `orca-ceiling-${bytes}-${owner}`;

/** What such a name says; null for another name. */
export const parseCeilingMark = (name: string): CeilingMark | null => {
  const [, bytes, owner] = /^orca-ceiling-([1-9]\d{0,15})-([1-9]\d{0,15})$/.exec(name) ?? [];
  return bytes === undefined ? null : { bytes: Number(bytes), owner: Number(owner) };
};
