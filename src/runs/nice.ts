/**
 * How far a start stands back for the CPU, with a cgroup and its weight or without (design: Memory 6). On control every run stands back for
 * what its machine is there for, by `control`; one that stands back further already goes on doing so.
 */
export const niceOf = ({ usual, control }: { readonly usual: number; readonly control: number | null }): number =>
  control === null ? usual : Math.max(control, usual);
