/** Keys name pieces of work, so that the same work asked for twice is done once (docs/keys.md). Pure. */
import { millis, type Millis } from '../units/brands.ts';
import type { RunState } from './states.ts';
import { isFinal } from './transitions.ts';

/** For how long a success holds its key when nobody says: long enough for an agent that comes back, too short for a nightly job to be skipped by the one before. */
export const defaultKeyWindow = millis(86_400_000);

export interface KeyedRun {
  readonly state: RunState;
  readonly ended_at: Millis | null;
  /** When somebody asked for its end. */
  readonly kill_at: Millis | null;
}

/**
 * What a run does with its key. `held`: the key gives this run. `dying`: it was asked to end and has not yet, so that the key's next run
 * comes after it. `free`: it is nothing to the key any more.
 */
export const keyState = (
  { state, ended_at, kill_at }: KeyedRun,
  now: Millis,
  window: Millis,
): 'held' | 'dying' | 'free' => {
  if (!isFinal(state)) return kill_at === null ? 'held' : 'dying';
  return state === 'succeeded' && ended_at !== null && now - ended_at < window ? 'held' : 'free';
};
