import type { StartRow } from '../store/schema.ts';
import { bytes, type Bytes } from '../units/brands.ts';

export interface TotalUsage {
  readonly peak_rss_bytes: Bytes | null;
  readonly cpu_seconds: number | null;
  readonly peak_cpus: number | null;
}

/** A run's usage over all its starts: the largest peaks, the sum of the CPU. */
export const totalUsage = (starts: readonly Pick<StartRow, keyof TotalUsage>[]): TotalUsage => {
  const known = <Key extends keyof TotalUsage>(key: Key): number[] =>
    starts.map((start) => start[key]).filter((value) => value !== null);
  const most = (values: readonly number[]): number | null => (values.length === 0 ? null : Math.max(...values));
  const peak = most(known('peak_rss_bytes'));
  const cpu = known('cpu_seconds');
  return {
    peak_rss_bytes: peak === null ? null : bytes(peak),
    cpu_seconds: cpu.length === 0 ? null : cpu.reduce((sum, seconds) => sum + seconds, 0),
    peak_cpus: most(known('peak_cpus')),
  };
};
