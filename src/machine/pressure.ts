/** `some`: at least one task waited; `full`: all that could have run did (Documentation/accounting/psi.rst). */
export type PressureKind = 'some' | 'full';

/** `memory.pressure` as numbers. Each is null where it cannot be read: nothing follows from it then. */
export interface Pressure {
  /** Percent of the last 10 s. */
  readonly someAvg10: number | null;
  readonly fullAvg10: number | null;
  /** Microseconds since the cgroup was made. */
  readonly someTotalUs: number | null;
  readonly fullTotalUs: number | null;
}

/** Percent of the last 10 s that tasks waited for memory; null, the seed's -1, without it (seed 000: avg10_of, full_avg10). */
export const avg10Of = (text: string, kind: PressureKind): number | null => {
  const value = fieldOf(text, kind, 'avg10');
  return value !== null && /^\d{1,3}(\.\d{1,6})?$/.test(value) ? Number(value) : null;
};

/** Microseconds that tasks waited for memory; null, the seed's -1, without it (seed 000: stall_total_us). */
export const stallTotalUs = (text: string, kind: PressureKind): number | null => {
  const value = fieldOf(text, kind, 'total');
  return value !== null && /^\d{1,15}$/.test(value) ? Number(value) : null;
};

/** Whole milliseconds of a stall total, as attempts keep it. */
export const stallMs = (us: number | null): number | null => (us === null ? null : Math.floor(us / 1000));

export const parsePressure = (text: string): Pressure => ({
  someAvg10: avg10Of(text, 'some'),
  fullAvg10: avg10Of(text, 'full'),
  someTotalUs: stallTotalUs(text, 'some'),
  fullTotalUs: stallTotalUs(text, 'full'),
});

const fieldOf = (text: string, kind: PressureKind, name: string): string | null => {
  for (const line of text.split('\n')) {
    const [first, ...fields] = line.trim().split(/[ \t]+/);
    if (first !== kind) continue;
    const field = fields.find((candidate) => candidate.startsWith(`${name}=`));
    return field === undefined ? null : field.slice(name.length + 1);
  }
  return null;
};
