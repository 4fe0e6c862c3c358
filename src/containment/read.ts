import { join } from 'node:path';
import { parseMemoryEvents, type OomCounts } from '../machine/memory-events.ts';
import type { CgroupFs } from './cgroup-fs.ts';
import { parsePressure, type Pressure } from './pressure.ts';
import { parseProgress, type Progress } from './progress.ts';

/** A file that holds one number of bytes, such as `memory.current`; null when it holds anything else. */
export const parseBytes = (text: string | null): number | null => {
  const word = text?.trim() ?? '';
  return /^\d{1,15}$/.test(word) ? Number(word) : null;
};

/** The cgroup's memory now (seed 000: Cgroups.current); null when it cannot be read. */
export const readCurrent = (fs: CgroupFs, path: string): number | null =>
  parseBytes(fs.read(join(path, 'memory.current')));

/** The most that it ever had; null before kernel 5.19. */
export const readPeak = (fs: CgroupFs, path: string): number | null => parseBytes(fs.read(join(path, 'memory.peak')));

/** Its pressure (seed 000: full_pressure, stall_ms); null on a kernel without PSI. */
export const readPressure = (fs: CgroupFs, path: string): Pressure | null => {
  const text = fs.read(join(path, 'memory.pressure'));
  return text === null ? null : parsePressure(text);
};

/** Its kills for memory (seed 000: oom_kills); null when the file cannot be read. */
export const readEvents = (fs: CgroupFs, path: string): OomCounts | null => {
  const text = fs.read(join(path, 'memory.events'));
  return text === null ? null : parseMemoryEvents(text);
};

/** What its progress is judged by; null when `memory.stat` cannot be read. */
export const readProgress = (fs: CgroupFs, path: string): Progress | null => {
  const stat = fs.read(join(path, 'memory.stat'));
  return stat === null ? null : parseProgress(stat, fs.read(join(path, 'cpu.stat')), fs.read(join(path, 'io.stat')));
};
