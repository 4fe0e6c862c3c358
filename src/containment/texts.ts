import { formatDuration } from '../units/format-duration.ts';
import { formatSize } from '../units/format-size.ts';

export interface HeldFacts {
  readonly limitBytes: number;
  readonly heldSeconds: number;
  /** `full avg10` at the last look. */
  readonly fullAvg10: number;
}

/** Why a held run is ended: what its mark says, and the verdict's text in brackets (seed 000: held_text). */
export const heldText = ({ limitBytes, heldSeconds, fullAvg10 }: HeldFacts): string =>
  `at its limit of ${formatSize(limitBytes)} for ${formatDuration(heldSeconds * 1000)}, ` +
  `all of it waiting for memory ${Math.round(fullAvg10)} % of the last 10 s`;
