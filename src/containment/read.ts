import { join } from 'node:path';
import { parseMemoryEvents, type OomCounts } from '../machine/memory-events.ts';
import { parseBytes } from '../machine/parse-bytes.ts';
import { parsePressure, type Pressure } from '../machine/pressure.ts';
import type { CgroupFs } from './cgroup-fs.ts';
import { parseProgress, type Progress } from './progress.ts';

type Reads = Pick<CgroupFs, 'read'>;

/** The cgroup's memory now (seed 000: Cgroups.current); null when it cannot be read. */
export const readCurrent = (fs: Reads, path: string): number | null =>
  parseBytes(fs.read(join(path, 'memory.current')));

/** The most that it ever had; null before kernel 5.19. */
export const readPeak = (fs: Reads, path: string): number | null => parseBytes(fs.read(join(path, 'memory.peak')));

/** Its pressure (seed 000: full_pressure, stall_ms); null on a kernel without PSI. */
export const readPressure = (fs: Reads, path: string): Pressure | null => {
  const text = fs.read(join(path, 'memory.pressure'));
  return text === null ? null : parsePressure(text);
};

/** How long it waits for disks; null on a kernel without PSI. */
export const readIoPressure = (fs: Reads, path: string): Pressure | null => {
  const text = fs.read(join(path, 'io.pressure'));
  return text === null ? null : parsePressure(text);
};

/** Its kills for memory (seed 000: oom_kills); null when the file cannot be read. */
export const readEvents = (fs: Reads, path: string): OomCounts | null => {
  const text = fs.read(join(path, 'memory.events'));
  return text === null ? null : parseMemoryEvents(text);
};

/** What its progress is judged by; null when `memory.stat` cannot be read. */
export const readProgress = (fs: Reads, path: string): Progress | null => {
  const stat = fs.read(join(path, 'memory.stat'));
  return stat === null ? null : parseProgress(stat, fs.read(join(path, 'cpu.stat')), fs.read(join(path, 'io.stat')));
};
