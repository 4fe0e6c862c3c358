import type { ExitRecord } from '../keeper/records.ts';
import { cgroupCpuSeconds } from '../machine/cpu-stat.ts';
import { parseBytes } from '../machine/parse-bytes.ts';
import { parsePressure, stallMs } from '../machine/pressure.ts';
import type { UsageSource } from '../runs/usage-source.ts';
import { attribute } from '../usage/attribute.ts';
import type { Meter } from '../usage/meter.ts';
import { bytes, millis, type Bytes, type Millis } from '../units/brands.ts';

export interface StartUsage {
  readonly peak_rss_bytes: Bytes | null;
  readonly peak_source: UsageSource | null;
  readonly cpu_seconds: number | null;
  readonly cpu_source: UsageSource | null;
  readonly peak_cpus: number | null;
  readonly kernel_peak_bytes: Bytes | null;
  readonly kernel_cpu_seconds: number | null;
  /** How long tasks of it waited for memory: some of them, and all at once. */
  readonly memory_stall_ms: Millis | null;
  readonly memory_stall_full_ms: Millis | null;
}

const unknown = -1;

/** What a start used: its samples, with `wait4`'s word at the end (in the meter's time), and the kernel's own figures beside it. */
export const startUsage = (meter: Meter, record: ExitRecord | null, endedAt: number): StartUsage => {
  const sampled = { peak: meter.peakRss, cpu: meter.marks.at(-1)?.cpu ?? 0 };
  const cpuMicros = record?.user_us == null || record.system_us == null ? null : record.user_us + record.system_us;
  const waited = cpuMicros === null ? unknown : cpuMicros / 1e6;
  meter.end(record?.max_rss_bytes ?? unknown, waited, endedAt);
  const marks = meter.aged(endedAt);
  // Its only attempt is the meter's whole life.
  const [main] = attribute(marks, meter.maxRss, [{ started: marks[0]?.at ?? 0, ended: unknown }]);
  const [peak, cpu] = [main?.peakRssBytes ?? null, main?.cpuSeconds ?? null];
  const cgroup = record?.cgroup ?? null;
  const kernelPeak = parseBytes(cgroup?.peak ?? null);
  return {
    peak_rss_bytes: peak === null ? null : bytes(peak),
    peak_source: sourceOf(peak, sampled.peak),
    cpu_seconds: cpu,
    cpu_source: sourceOf(cpu, waited < 0 || sampled.cpu > waited ? sampled.cpu : null),
    peak_cpus: main?.peakCpus ?? null,
    kernel_peak_bytes: kernelPeak === null ? null : bytes(kernelPeak),
    kernel_cpu_seconds: cgroupCpuSeconds(cgroup?.cpu ?? ''),
    ...stallOf(cgroup?.pressure ?? null),
  };
};

/** The samples, where they reach the figure. */
const sourceOf = (figure: number | null, sampled: number | null): UsageSource | null => {
  if (figure === null) return null;
  return sampled !== null && sampled >= figure ? 'samples' : 'wait4';
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
