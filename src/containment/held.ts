import { atLimit } from './at-limit.ts';

/** From this `full avg10` on a run at its limit is held there (seed 000: HELD_PRESSURE). */
export const heldPressure = 50;

/** Whether a run is held at its limit now: at it, and its tasks all waiting most of the time (seed 000: held). */
export const held = (currentBytes: number | null, limitBytes: number, fullAvg10: number | null): boolean =>
  atLimit(currentBytes, limitBytes) && fullAvg10 !== null && fullAvg10 >= heldPressure;
