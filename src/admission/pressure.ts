import type { AdmissionState } from './types.ts';

/** More of the machine's time is lost to waiting than is allowed. */
export interface Pressure {
  readonly of: 'memory' | 'io';
  /** Without what our runs cause at their own limits. */
  readonly percent: number;
  readonly most: number;
}

/** The machine's pressure where it is too high to start anything more; null where it is not, or is not known. */
export const pressureOf = ({ machine, pressure }: Pick<AdmissionState, 'machine' | 'pressure'>): Pressure | null => {
  const over = (of: 'memory' | 'io', whole: number | null): Pressure | null => {
    const most = pressure[of];
    const percent = Math.max(0, (whole ?? 0) - machine.ownPressure);
    return most > 0 && percent > most ? { of, percent, most } : null;
  };
  return over('memory', machine.memoryPressure) ?? over('io', machine.ioPressure);
};
