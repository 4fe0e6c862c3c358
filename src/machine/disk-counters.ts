import { readdirSync } from 'node:fs';
import { readText } from './read-text.ts';
import type { Counters, Traffic } from './traffic.ts';

/** The kernel counts sectors of 512 bytes, whatever the disk's own are (Documentation/admin-guide/iostats.rst). */
const sectorBytes = 512;

/** Loops, memory, and what lies on top of other disks and would count their bytes again. */
const skipped = /^(loop|ram|zram|dm-|md|sr|fd|nbd)\d*/;

/**
 * `/proc/diskstats`: bytes read and written by disk (seed 001: parse_diskstats). `disks` are the whole ones; when there are none, all are taken
 * that are not of a skipped kind, partitions too.
 */
export const parseDiskstats = (text: string, disks: readonly string[]): Counters => {
  const wanted = new Set(disks);
  const counters = new Map<string, Traffic>();
  for (const line of text.split('\n')) {
    const [, , name, , , read, , , , written] = line
      .slice(0, lineMost)
      .trim()
      .split(/[ \t]+/);
    if (name === undefined || read === undefined || written === undefined) continue;
    if (wanted.size > 0 ? !wanted.has(name) : skipped.test(name)) continue;
    if (!/^\d{1,20}$/.test(read) || !/^\d{1,20}$/.test(written) || counters.has(name)) continue;
    counters.set(name, { in: Number(read) * sectorBytes, out: Number(written) * sectorBytes });
  }
  return counters;
};

const lineMost = 1024;

/** Whole disks by `/sys/block`; empty where that cannot be read. */
export const wholeDisks = (sysRoot: string): string[] => {
  try {
    return readdirSync(`${sysRoot}/block`).filter((name) => !skipped.test(name));
  } catch {
    return [];
  }
};

/** Null without `/proc/diskstats`. */
export const readDiskCounters = (procRoot: string, disks: readonly string[]): Counters | null => {
  const text = readText(`${procRoot}/diskstats`);
  return text === null ? null : parseDiskstats(text, disks);
};
