import type { Millis } from '../units/brands.ts';

/** A person holds a run, or the whole queue, back. */
export interface Paused {
  readonly by: string;
  readonly reason: string | null;
  readonly at: Millis;
}
