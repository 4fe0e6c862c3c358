import { countNamed } from '../machine/memory-events.ts';

/** What a run at its limit has done so far, as counts that only grow; null where the kernel does not say. */
export interface Progress {
  /** Page cache on the LRU lists now: what can be reclaimed without swap. Not `file`, which counts tmpfs too. */
  readonly cacheBytes: number | null;
  /** Pages reclaimed. */
  readonly stolenPages: number | null;
  /** Pages of files that were read again after they had been reclaimed. */
  readonly refaultPages: number | null;
  /** Page faults that waited for a disk. */
  readonly majorFaults: number | null;
  readonly writtenBytes: number | null;
  /** From disks, past the page cache too. */
  readonly readBytes: number | null;
  /** CPU time in the program itself, not in the kernel. */
  readonly userUs: number | null;
}

export interface ProgressThresholds {
  /** Page cache a second that is new, or read anew by read(2), from which a run makes progress. */
  readonly cacheBytesPerSecond: number;
  /** Or bytes a second that reach a disk. */
  readonly writtenBytesPerSecond: number;
  /** Share of one core in the program itself, from which a run whose cache turns over works rather than thrashes. */
  readonly userShare: number;
  /** Pages that one major fault brings back at most: read-ahead of 128 KiB and the page itself. */
  readonly pagesPerFault: number;
  /** Major faults a second from which a run that does not get on thrashes, rather than waits for something else. */
  readonly faultsPerSecond: number;
  /** One that reads more from disks than this many times what it reads again, or of which that is not known, may read something else. */
  readonly readTimes: number;
  /** One that uses more CPU in the program itself than this share of a core does not. */
  readonly thrashUserShare: number;
}

/**
 * `thrash`: no progress, and what it waits for are pages of files that it had. `stuck`: no progress, whatever it waits for.
 */
export type Course = 'progress' | 'thrash' | 'stuck';

/**
 * Seen on kernel 6.1 with a limit of 32 MiB and a disk of 400 requests and 16 MiB a second (pages in 4 s):
 * memory of its own that creeps over the limit: nothing reclaimed, nothing read again;
 * a file of 64 MiB written again and again: 8,600 reclaimed, none read again;
 * read again and again by read(2): 16,400 reclaimed and read again, without a major fault;
 * its mapped pages touched at random: 16,500 by 535 faults, 31 a fault, and 1 a fault where read-ahead is off;
 * mapped and touched in order, which read-ahead serves: 86 to 2,000 pages a fault;
 * its program's text of 4 MiB beside 31 MiB of its own memory: 17 faults a second, all read again, 0.1 % of a core.
 */
export const progressThresholds: ProgressThresholds = {
  cacheBytesPerSecond: 256 * 1024,
  writtenBytesPerSecond: 64 * 1024,
  userShare: 0.25,
  pagesPerFault: 33,
  // A wait of half the time for pages, at a quarter of a second for each: no disk is slower.
  faultsPerSecond: 2,
  readTimes: 2,
  thrashUserShare: 0.05,
};

const pageBytes = 4096;

/**
 * Whether a run that sits at its limit under pressure gets on between two readings, `seconds` apart (design: Memory 3).
 * `progress` when page cache flows through it: cache that is new, or read again by read(2), or written to a disk. Pages
 * that come back by major faults are no progress by themselves: a program whose own mapped pages are reclaimed before it
 * has used them reads the same ones for ever: that is `thrash`. Without page cache that moves (memory of its own, no swap) it is `stuck`.
 * What cannot be read proves no progress, and no thrash.
 */
export const progressOf = (
  before: Progress,
  now: Progress,
  seconds: number,
  thresholds: ProgressThresholds = progressThresholds,
): Course => {
  if (!(seconds > 0)) return 'stuck';
  const cacheFloor = thresholds.cacheBytesPerSecond * seconds;
  if (rise(before.writtenBytes, now.writtenBytes) >= thresholds.writtenBytesPerSecond * seconds) return 'progress';
  const refaults = rise(before.refaultPages, now.refaultPages);
  const grown = before.cacheBytes === null || now.cacheBytes === null ? 0 : now.cacheBytes - before.cacheBytes;
  const entered = rise(before.stolenPages, now.stolenPages) * pageBytes + grown;
  const fresh = entered - refaults * pageBytes;
  if (fresh >= cacheFloor) return 'progress';
  const faults = rise(before.majorFaults, now.majorFaults);
  if ((refaults - faults * thresholds.pagesPerFault) * pageBytes >= cacheFloor) return 'progress';
  const turnsOver = refaults * pageBytes >= cacheFloor;
  const userShare = rise(before.userUs, now.userUs) / (seconds * 1e6);
  if (turnsOver && userShare >= thresholds.userShare) return 'progress';
  const idle = before.userUs !== null && now.userUs !== null && userShare < thresholds.thrashUserShare;
  const readsKnown = before.readBytes !== null && now.readBytes !== null;
  const other = !readsKnown || rise(before.readBytes, now.readBytes) > thresholds.readTimes * refaults * pageBytes;
  const again = faults >= thresholds.faultsPerSecond * seconds && refaults >= faults;
  return idle && again && !other ? 'thrash' : 'stuck';
};

/** A count that went back was not the same one: no rise. */
const rise = (before: number | null, now: number | null): number =>
  before === null || now === null ? 0 : Math.max(0, now - before);

/** From the texts of `memory.stat`, `cpu.stat` and `io.stat`; the last is null where the IO controller is not given. */
export const parseProgress = (memoryStat: string, cpuStat: string | null, ioStat: string | null): Progress => {
  const active = count(memoryStat, 'active_file');
  const inactive = count(memoryStat, 'inactive_file');
  return {
    cacheBytes: active === null || inactive === null ? null : active + inactive,
    stolenPages: count(memoryStat, 'pgsteal'),
    // One count for all before kernel 5.9.
    refaultPages: count(memoryStat, 'workingset_refault_file') ?? count(memoryStat, 'workingset_refault'),
    majorFaults: count(memoryStat, 'pgmajfault'),
    writtenBytes: ioStat === null ? null : sumOf(ioStat, 'wbytes'),
    readBytes: ioStat === null ? null : sumOf(ioStat, 'rbytes'),
    userUs: cpuStat === null ? null : count(cpuStat, 'user_usec'),
  };
};

const count = (text: string, name: string): number | null => {
  const value = countNamed(text, name);
  return value === null ? null : Number(value);
};

/** Over all devices. */
const sumOf = (ioStat: string, name: 'rbytes' | 'wbytes'): number =>
  [...ioStat.matchAll(new RegExp(`(?<= )${name}=(\\d{1,15})(?=\\s|$)`, 'g'))].reduce(
    (sum, [, n]) => sum + Number(n),
    0,
  );
