import type { RunSummaryJson } from '../wire/api.ts';

export type RunState = RunSummaryJson['state'];

/** Every state, and whether a run stays in it. */
const states: Readonly<Record<RunState, boolean>> = {
  queued: false,
  starting: false,
  running: false,
  succeeded: true,
  failed: true,
  'out-of-memory': true,
  killed: true,
  'timed-out': true,
  lost: true,
};

export const isRunState = (word: string): word is RunState => Object.hasOwn(states, word);
export const isFinalState = (state: RunState): boolean => states[state];
export const runStates: readonly RunState[] = Object.keys(states).filter(isRunState);
export const unfinishedStates: readonly RunState[] = runStates.filter((state) => !states[state]);
