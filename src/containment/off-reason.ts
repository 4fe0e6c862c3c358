/** Why runs get no cgroups of their own here. `folder` is the cgroup that they would have gone in. */
export type OffReason =
  | { readonly kind: 'unwanted' }
  | { readonly kind: 'sh-keeper' }
  | { readonly kind: 'no-cgroups' }
  | { readonly kind: 'v1-only' }
  | { readonly kind: 'not-mounted' }
  | { readonly kind: 'hidden'; readonly cgroup: string; readonly mount: string }
  | { readonly kind: 'read-only'; readonly mount: string; readonly container: boolean }
  | { readonly kind: 'threaded'; readonly folder: string; readonly type: string }
  | { readonly kind: 'memory-on-v1' }
  | { readonly kind: 'memory-off-in-kernel' }
  | {
      readonly kind: 'memory-not-given';
      readonly folder: string;
      readonly offered: string;
      /** The cgroups above that would have to give it on, topmost first; empty when none that can be seen has it. */
      readonly givers: readonly string[];
    }
  | Undelegated
  | { readonly kind: 'inside-run'; readonly cgroup: string; readonly code: string }
  | { readonly kind: 'foreign'; readonly folder: string; readonly count: number }
  | { readonly kind: 'busy'; readonly folder: string; readonly left: number }
  | { readonly kind: 'refused'; readonly file: string; readonly code: string };

/** Not ours to change: `file` may not be written. */
export interface Undelegated {
  readonly kind: 'undelegated';
  readonly folder: string;
  readonly file: string;
  /** The top of the whole hierarchy, which may hold processes and cgroups. */
  readonly hostRoot: boolean;
}

/** The reason as one sentence, without its full stop: what was found, and where. */
export const whyOff = (reason: OffReason): string => {
  switch (reason.kind) {
    case 'unwanted':
      return 'ORCA_CGROUPS is 0';
    case 'sh-keeper':
      return 'the `sh` keeper starts the runs, and it cannot place them in a cgroup';
    case 'no-cgroups':
      return 'this system has no cgroups (/proc/self/cgroup cannot be read)';
    case 'v1-only':
      return 'this system has cgroup v1 only (/proc/self/cgroup has no line for v2)';
    case 'not-mounted':
      return 'cgroup v2 is mounted nowhere (/proc/self/mountinfo)';
    case 'hidden':
      return `the mount of cgroup v2 does not show the cgroup that orca is in (${reason.cgroup})`;
    case 'read-only':
      return `cgroup v2 is mounted read-only at ${reason.mount}`;
    case 'threaded':
      return `the cgroup ${reason.folder} is of type \`${reason.type}\`, which cannot limit memory`;
    case 'memory-on-v1':
      return 'the memory controller belongs to cgroup v1 here, so v2 does not have it';
    case 'memory-off-in-kernel':
      return 'the kernel offers no memory controller';
    case 'memory-not-given':
      return `the memory controller is not given to ${reason.folder} (cgroup.controllers: ${reason.offered || 'empty'})`;
    case 'undelegated':
      return `the cgroup ${reason.folder} is not delegated to this user (${reason.file} may not be written)`;
    case 'inside-run':
      return `orca was started inside a run's cgroup (${reason.cgroup}) and may not leave it (${reason.code})`;
    case 'foreign':
      return `${processes(reason.count)} that cannot be seen from here share the cgroup ${reason.folder}, so they cannot be moved`;
    case 'busy':
      return `the cgroup ${reason.folder} could not be emptied: ${processes(reason.left)} were still in it after many tries`;
    case 'refused':
      return `the kernel refused ${reason.file} (${reason.code})`;
  }
};

const processes = (n: number): string => `${n} process${n === 1 ? '' : 'es'}`;
