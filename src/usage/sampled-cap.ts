import { formatSize } from '../units/format-size.ts';

export interface CapReading {
  /** The tree's resident memory. */
  readonly rssBytes: number;
  /** Its proportional memory; null where that cannot be read. Looked at only when resident memory is over. */
  readonly proportionalBytes: number | null;
  readonly limitBytes: number;
  readonly capBytes: number;
}

/** Whether resident memory alone calls for the dearer look at proportional memory. */
export const worthALook = (rssBytes: number, capBytes: number): boolean => rssBytes > capBytes;

/**
 * Whether a tree is over its sampled cap, and then the words for the mark; null when it is not. Exactly the cap is not
 * over. Where proportional memory cannot be read, resident memory decides.
 */
export const overCap = (reading: CapReading): string | null => {
  const { rssBytes, proportionalBytes, limitBytes, capBytes } = reading;
  if (!worthALook(rssBytes, capBytes)) return null;
  if (proportionalBytes !== null && proportionalBytes <= capBytes) return null;
  const [used, measured] =
    proportionalBytes === null
      ? [
          rssBytes,
          'measured as resident memory, since proportional memory cannot be read here: shared pages may count twice',
        ]
      : [proportionalBytes, 'measured as proportional memory, shared pages counted once'];
  const over =
    capBytes > limitBytes
      ? `over its limit ${formatSize(limitBytes)} plus the margin (cap ${formatSize(capBytes)})`
      : `over its cap ${formatSize(capBytes)}`;
  return `used ${formatSize(used)}, ${over}, ${measured}`;
};
