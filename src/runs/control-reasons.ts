/** Why a run on the control placement may not start yet (seed 002; cases K1, K2). Pure. */

/** Memory or the fullest disk over this holds; exactly this does not. */
const holdPercent = 85;
/** What ended longer ago tells nothing of now. */
const freshMs = 180_000;

/** What is looked at of a minute of the machine; percents. */
export interface MinuteSeen {
  /** In milliseconds, by the same clock as the decision's moment. */
  readonly endedAt: number;
  readonly memory: number | null;
  readonly disk: { readonly path: string; readonly percent: number } | null;
}

/** Why it waits for others of its kind to end; null while a slot is free. */
export const slotsReason = (running: number, most: number): string | null =>
  running < most
    ? null
    : `${running} ${running === 1 ? 'run is' : 'runs are'} on control, and ${most} may be (ORCA_CONTROL_MAX_RUNS); waits for one to end`;

/**
 * Why the machine is too full for another one, by its newest minute; null when it is not. Missing and old minutes hold nothing: a machine
 * that nobody samples is not stopped.
 */
export const pressureReason = (minute: MinuteSeen | null, now: number): string | null => {
  if (minute === null || now - minute.endedAt > freshMs) return null;
  const { memory, disk } = minute;
  if (memory !== null && memory > holdPercent) return held(`${whole(memory)} % of the memory was in use`);
  if (disk !== null && disk.percent > holdPercent)
    return held(`the disk of ${disk.path} was ${whole(disk.percent)} % full`);
  return null;
};

/** Rounded up: what is over is not shown as 85. */
const whole = (percent: number): number => Math.ceil(percent);
const held = (what: string): string =>
  `${what} in the newest minute; nothing starts on control while that is over ${holdPercent} %`;
