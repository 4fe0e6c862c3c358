/**
 * What runs share, each counted in its own unit: cpus in thousandths of a core, `memory` in bytes that count for the budget, `machine` in
 * bytes that the machine truly has, `gpus` in devices, and things with a name: locks, resources, slots of a placement, a group's bound.
 */
export type Dimension = 'cpus' | 'memory' | 'machine' | 'gpus' | `${NamedKind}:${string}`;

export type NamedKind = 'lock' | 'resource' | 'slot' | 'group';

/** Cpus and memory: what every run needs a part of, in its own measure. */
export const isRoom = (of: Dimension): boolean => of === 'cpus' || of === 'memory' || of === 'machine';

/**
 * Each run that needs it needs one, so that what is short for one is for all: a lock, a slot, a turn of its group. Of resources and devices a
 * run may need several, and has to wait until enough are free at once.
 */
export const isAllOrNone = (of: Dimension): boolean => !isRoom(of) && of !== 'gpus' && !of.startsWith('resource:');

const kinds: readonly string[] = ['group', 'slot', 'lock', 'resource', 'gpus'] satisfies (NamedKind | 'gpus')[];
const rankOf = (of: Dimension): number => kinds.indexOf(nameOf(of)?.kind ?? of);

/** The order in which a run gathers what it needs besides room: what is dearest to keep idle comes last. */
export const byGathering = (a: Dimension, b: Dimension): number =>
  rankOf(a) - rankOf(b) || (a < b ? -1 : Number(a > b));

export const nameOf = (of: Dimension): { readonly kind: NamedKind; readonly name: string } | null => {
  const colon = of.indexOf(':');
  return colon < 0 ? null : { kind: of.slice(0, colon) as NamedKind, name: of.slice(colon + 1) };
};
