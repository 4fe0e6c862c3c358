import type { ExitRecord } from '../keeper/records.ts';
import { parsePressure, stallMs } from '../machine/pressure.ts';
import { attribute } from '../usage/attribute.ts';
import { bytes, millis, type Bytes, type Millis } from '../units/brands.ts';
import { seconds, type LiveStart } from './live-start.ts';

export interface StartUsage {
  readonly peak_rss_bytes: Bytes | null;
  readonly cpu_seconds: number | null;
  readonly peak_cpus: number | null;
  readonly kernel_peak_bytes: Bytes | null;
  /** How long tasks of it waited for memory: some of them, and all at once. */
  readonly memory_stall_ms: Millis | null;
  readonly memory_stall_full_ms: Millis | null;
}

const unknown = -1;

/** What a start used: its samples, with `wait4`'s word at the end and the kernel's own peak beside it. */
export const startUsage = (live: LiveStart, record: ExitRecord | null, endedAt: Millis): StartUsage => {
  const now = seconds(endedAt);
  const cpuMicros = record?.user_us == null || record.system_us == null ? null : record.user_us + record.system_us;
  live.meter.end(record?.max_rss_bytes ?? unknown, cpuMicros === null ? unknown : cpuMicros / 1e6, now);
  const [main] = attribute(live.meter.aged(now), live.meter.maxRss, [
    // The meter's whole life: it began with the claim, and this attempt is its only one.
    { started: now - seconds(live.claimedAt), ended: unknown },
  ]);
  const peak = main?.peakRssBytes ?? null;
  return {
    peak_rss_bytes: peak === null ? null : bytes(peak),
    cpu_seconds: main?.cpuSeconds ?? null,
    peak_cpus: main?.peakCpus ?? null,
    kernel_peak_bytes: wholeNumber(record?.cgroup?.peak ?? null),
    ...stallOf(record?.cgroup?.pressure ?? null),
  };
};

const stallOf = (text: string | null): Pick<StartUsage, 'memory_stall_ms' | 'memory_stall_full_ms'> => {
  const pressure = text === null ? null : parsePressure(text);
  const inMs = (us: number | null): Millis | null => {
    const ms = stallMs(us);
    return ms === null ? null : millis(ms);
  };
  return {
    memory_stall_ms: inMs(pressure?.someTotalUs ?? null),
    memory_stall_full_ms: inMs(pressure?.fullTotalUs ?? null),
  };
};

const wholeNumber = (text: string | null): Bytes | null =>
  text !== null && /^\d+$/.test(text.trim()) ? bytes(Number(text.trim())) : null;
