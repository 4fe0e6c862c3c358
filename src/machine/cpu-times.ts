import { readText } from './read-text.ts';

/** What one core, or all together, did since the boot; any unit, since only shares are made of it. */
export interface CpuTimes {
  /** With what niced processes had. */
  readonly user: number;
  /** With interrupts. */
  readonly system: number;
  readonly idle: number;
  readonly iowait: number;
  readonly steal: number;
}

/** `cpu` for all cores together, `cpu0` and so on for each. */
export type CpuReading = ReadonlyMap<string, CpuTimes>;

/** `/proc/stat`'s `cpu` lines (proc_stat(5); seed 001: parse_proc_stat). What an old kernel does not count is 0. */
export const parseProcStat = (text: string): CpuReading => {
  const reading = new Map<string, CpuTimes>();
  for (const line of text.split('\n')) {
    const [name = '', ...words] = line
      .slice(0, lineMost)
      .trim()
      .split(/[ \t]+/);
    if (!/^cpu\d{0,6}$/.test(name) || reading.has(name) || words.length < 4) continue;
    const ticks = words.slice(0, 8);
    if (!ticks.every((word) => /^\d{1,20}$/.test(word))) continue;
    const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = ticks.map(Number);
    reading.set(name, { user: user + nice, system: system + irq + softirq, idle, iowait, steal });
  }
  return reading;
};

/** Longer than any such line is; the one on interrupts may be as long as it likes. */
const lineMost = 1024;

export const readCpuTimes = (procRoot: string): CpuReading => parseProcStat(readText(`${procRoot}/stat`) ?? '');

/** How many cores a reading has; 0 for none. */
export const coresIn = (reading: CpuReading): number => reading.size - (reading.has('cpu') ? 1 : 0);
