import type { PidStat } from './pid-stat.ts';

export type Children = ReadonlyMap<number, readonly PidStat[]>;

/** The processes of one pass, by their parent's pid. */
export const childrenOf = (stats: readonly PidStat[]): Children => {
  const children = new Map<number, PidStat[]>();
  for (const stat of stats) {
    const siblings = children.get(stat.parent);
    if (siblings === undefined) children.set(stat.parent, [stat]);
    else siblings.push(stat);
  }
  return children;
};

/** These processes and all that descend from them, each once; `apart` and what hangs only on it are left out. */
export const withDescendants = (
  tops: readonly PidStat[],
  children: Children,
  apart: PidStat | null = null,
): ReadonlySet<PidStat> => {
  const found = new Set<PidStat>();
  const open = [...tops];
  for (let stat = open.pop(); stat !== undefined; stat = open.pop()) {
    if (found.has(stat) || stat === apart) continue;
    found.add(stat);
    open.push(...(children.get(stat.pid) ?? []));
  }
  return found;
};
