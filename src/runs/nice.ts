/** On control every run stands back for what its machine is there for (case K9). */
const controlNice = 10;

/**
 * How far a start stands back for the CPU, with a cgroup and its weight or without (design: Memory 6). `placement` null: the default one.
 * A run that stands back further already goes on doing so.
 */
export const niceOf = (placement: string | null, runNice: number): number =>
  placement === 'control' ? Math.max(controlNice, runNice) : runNice;
