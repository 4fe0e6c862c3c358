import { formatSize } from '../units/format-size.ts';
import type { StartJson } from '../wire/api.ts';

/** Null and missing: not known, and from a daemon of an older version. */
export interface Peaks {
  readonly peak_rss_bytes: number | null;
  readonly oom_peak_bytes?: number | null;
}

export interface ShownPeak {
  readonly bytes: number | null;
  /** It is the kernel's figure, of a death at the limit of the own cgroup. */
  readonly byCgroup: boolean;
}

/**
 * The peak that people are shown. A group kill takes the parent with its child, so nobody waits for that, and a process that grew between two
 * looks was seen by its cgroup alone: its peak is shown where it is larger. Only of such a death, since elsewhere most of it may be page cache.
 */
export const shownPeak = ({ peak_rss_bytes: seen, oom_peak_bytes: oom = null }: Peaks): ShownPeak =>
  oom !== null && oom > (seen ?? 0) ? { bytes: oom, byCgroup: true } : { bytes: seen, byCgroup: false };

/** As for its run, of one start. */
export const peaksOfStart = (start: Pick<StartJson, 'peak_rss_bytes' | 'kernel_peak_bytes' | 'evidence'>): Peaks => ({
  peak_rss_bytes: start.peak_rss_bytes,
  oom_peak_bytes: start.evidence === 'own-cgroup' ? start.kernel_peak_bytes : null,
});

/** `96 MB (cgroup)`, for a cell of a table; empty for nothing. */
export const peakCell = (peaks: Peaks): string => {
  const { bytes, byCgroup } = shownPeak(peaks);
  return bytes === null ? '' : `${formatSize(bytes)}${byCgroup ? ' (cgroup)' : ''}`;
};
