import { OrcaError } from '../errors/orca-error.ts';
import type { Refuse } from './layer.ts';

/** How many there are of a resource that runs share, and where that was said. */
export interface ResourceCount {
  readonly value: number;
  readonly from: string;
}

/** The table of `config.toml` that counts them. */
export const resourcesKey = 'resources';

/** More than anybody counts; it keeps every sum exact. */
export const mostOfResource = 1_000_000;

export const resourceDoc = 'How many of these there are; a run takes its part with --resource.';

/** Null for a name that can be told in a line and typed without quotes, else what is wrong with it. */
export function resourceNameFault(name: string): string | null {
  if (name.length === 0 || name.length > 100) return 'a name has 1 to 100 characters';
  return /^[\w.-]+$/.test(name) ? null : 'a name has only letters, digits, `_`, `.` and `-`';
}

/** Reads `[resources]`: a whole number for each name. A bad one is refused by itself. */
export function readResources(
  value: unknown,
  place: (name: string | null) => string,
  refuse: Refuse,
): ReadonlyMap<string, ResourceCount> {
  const counts = new Map<string, ResourceCount>();
  if (!isTable(value)) {
    refuse(invalid(place(null), resourcesKey, value, 'it is not a table of names and numbers'));
    return counts;
  }
  for (const [name, count] of Object.entries(value)) {
    const why = resourceNameFault(name) ?? countFault(count);
    if (why === null) counts.set(name, { value: Number(count), from: place(name) });
    else refuse(invalid(place(name), `${resourcesKey}.${name}`, count, why));
  }
  return counts;
}

function countFault(count: unknown): string | null {
  if (typeof count !== 'number') return 'it is not a number without quotes';
  if (!Number.isInteger(count)) return 'it is not a whole number';
  if (count < 0) return 'it is below 0';
  return count > mostOfResource ? `it is above ${mostOfResource}` : null;
}

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

const invalid = (place: string, name: string, value: unknown, why: string): OrcaError =>
  new OrcaError('setting-invalid', {
    place,
    name,
    // JSON has no words for the numbers without an end.
    value: typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value)),
    why,
    allowed: `a whole number from 0 to ${mostOfResource}, as in \`[resources]\` with \`licence = 2\` below it`,
  });
