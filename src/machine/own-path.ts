/** The cgroup v2 path in `/proc/self/cgroup`'s text (its `0::` line); empty with no unified hierarchy (seed 000). */
export const ownPath = (procSelfCgroup: string): string => pathAfter(procSelfCgroup, /^0::(\/.*)$/);

/** The path in a cgroup v1 hierarchy that has this controller; empty without it. */
export const ownPathV1 = (procSelfCgroup: string, controller: string): string => {
  for (const line of procSelfCgroup.split('\n')) {
    const [, controllers, path] = /^[1-9]\d*:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (path !== undefined && controllers?.split(',').includes(controller) === true) return path;
  }
  return '';
};

/** A path and those above it, nearest first, `/` last; only `/` for one that leads out of what we can see (`/../other`). */
export const pathsUp = (path: string): string[] => {
  const parts = path.split('/').filter((part) => part !== '');
  if (parts.includes('..')) return ['/'];
  return [...parts.map((_, i) => `/${parts.slice(0, parts.length - i).join('/')}`), '/'];
};

const pathAfter = (text: string, line: RegExp): string => {
  for (const candidate of text.split('\n')) {
    const path = line.exec(candidate)?.[1];
    if (path !== undefined) return path;
  }
  return '';
};
