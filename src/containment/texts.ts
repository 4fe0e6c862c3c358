import { formatDuration } from '../units/format-duration.ts';
import { formatSize } from '../units/format-size.ts';
import type { HeldBy } from './held.ts';

export interface HeldFacts {
  readonly limitBytes: number;
  readonly heldSeconds: number;
  readonly by: HeldBy;
  /** `full avg10` at the last look: of memory, or of the disks. */
  readonly fullAvg10: number;
}

/** Why a held run is ended: what its mark says, and the verdict's text in brackets (seed 000: held_text). */
export const heldText = ({ limitBytes, heldSeconds, by, fullAvg10 }: HeldFacts): string =>
  `at its limit of ${formatSize(limitBytes)} for ${formatDuration(heldSeconds * 1000)}, ` +
  `all of it waiting for ${waitsFor[by]} ${Math.round(fullAvg10)} % of the last 10 s`;

const waitsFor: Readonly<Record<HeldBy, string>> = {
  memory: 'memory',
  files: 'pages of files that there is no memory to keep',
};

/** Of a run that goes on over its limit. Who cannot tell whether it gets on ends nothing for it. */
export const slowedText = (limitBytes: number, psi: boolean): string =>
  `over its limit of ${formatSize(limitBytes)}: the kernel slows it down` +
  (psi ? '' : '; without PSI orca cannot tell whether it gets on, and does not end it for that');
