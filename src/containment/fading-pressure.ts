/** The kernel's average over 10 s forgets with this time (kernel/sched/psi.c: EXP_10s). */
const forgetsMs = 10_000;

/**
 * What was caused at limits, as long as the machine's average remembers it: a run that ended or left its limit is still in there for a while, and is no more anybody
 * else's doing than before.
 */
export class FadingPressure {
  #percent = 0;
  #atMs = 0;

  /** Takes what is caused now, in percent; gives that, or what is left of earlier if it is more. */
  note(percent: number, nowMs: number): number {
    const left = this.#percent * Math.exp(-Math.max(0, nowMs - this.#atMs) / forgetsMs);
    this.#percent = Math.max(percent, left);
    this.#atMs = nowMs;
    return this.#percent;
  }
}
