import { held } from './held.ts';

/** What was last read of a run whose heartbeats are waited for. */
export interface LastReading {
  readonly currentBytes: number | null;
  readonly limitBytes: number;
  readonly fullAvg10: number | null;
  /** How old it was when its last heartbeat came: ages, not clocks, cross a wire. */
  readonly ageMs: number;
}

/** A reading that is older than what `avg10` looks back tells nothing about the moment when the heartbeats stopped. */
const tellsForMs = 10_000;

/**
 * Whether a run whose heartbeat went stale was held at its limit then: it is out of memory, not lost. A worker inside a run, or beside
 * one that takes its memory, is slowed down as the run is, and falls silent. Without a reading it is lost.
 */
export const heldWhenLost = (last: LastReading | null): boolean =>
  last !== null && last.ageMs <= tellsForMs && held(last.currentBytes, last.limitBytes, last.fullAvg10);
