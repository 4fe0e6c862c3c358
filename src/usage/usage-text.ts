import { formatSize } from '../units/format-size.ts';
import type { Usage } from './mark.ts';

/** Resident bytes as MB, or GB from 10 GB (seed 003). */
export const bytesText = formatSize;

/** CPU seconds, as seconds, minutes or hours. */
export const cpuText = (seconds: number): string => {
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 3597) return `${(seconds / 60).toFixed(1)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
};

/**
 * `peak 812 MB, CPU 41.2 s on up to 3.9 cores`, as much as is known; empty for nothing. No cores to speak of are not named. `peakBy` follows the
 * peak: whose figure it is.
 */
export const usageText = ({ peakRssBytes, cpuSeconds, peakCpus }: Usage, peakBy = ''): string => {
  const cores = peakCpus === null || peakCpus < 0.05 ? null : `up to ${peakCpus.toFixed(1)} cores`;
  const cpu = cpuSeconds === null ? cores : `CPU ${cpuText(cpuSeconds)}${cores === null ? '' : ` on ${cores}`}`;
  const peak = peakRssBytes === null ? null : `peak ${bytesText(peakRssBytes)}${peakBy}`;
  return [peak, cpu].filter((part) => part !== null).join(', ');
};
