import { millis, type Millis } from '../units/brands.ts';

/** As long as a run waits that could not be claimed. */
const lastsCommon = 5000;
/** One run in trouble holds up no other; so many in a row may have it in common, and those behind them may not. */
const mostInARow = 64;
const lastsARow = 1000;

/**
 * Whether starts cannot be claimed for what is no single run's trouble, such as a full disk. Then none is tried for a while: of thousands that
 * wait each would be tried in vain, one upon the other.
 */
export class Stall {
  #inARow = 0;
  #now: { readonly why: string; readonly until: Millis } | null = null;

  /** A claim failed; `common`: every other one would now. Moments are those of the queue's clock. */
  failed(why: string, common: boolean, now: Millis): void {
    this.#inARow += 1;
    if (!common && this.#inARow < mostInARow) return;
    this.#inARow = 0;
    this.#now = { why, until: millis(now + (common ? lastsCommon : lastsARow)) };
  }

  succeeded(): void {
    this.#inARow = 0;
    this.#now = null;
  }

  /** What keeps all, and until when; null: nothing does. */
  at(now: Millis): { readonly why: string; readonly until: Millis } | null {
    return this.#now !== null && now < this.#now.until ? this.#now : null;
  }
}
