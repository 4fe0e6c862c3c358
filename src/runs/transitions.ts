import type { RunState, Verdict } from './states.ts';

/** What one start is doing. `void`: its process was never begun, so it has no verdict. */
export type StartState = 'starting' | 'running' | 'ended' | 'void';

export type FinalState = Verdict;
export type ActiveState = Exclude<RunState, FinalState>;

/** States that a run may still leave, in the order it goes through them. */
export const activeStates = ['queued', 'starting', 'running'] as const satisfies readonly ActiveState[];

/** Final states: nothing changes them. */
export const finalStates = [
  'succeeded',
  'failed',
  'out-of-memory',
  'killed',
  'timed-out',
  'lost',
] as const satisfies readonly FinalState[];

export const isFinal = (state: RunState): state is FinalState => {
  switch (state) {
    case 'queued':
    case 'starting':
    case 'running':
      return false;
    case 'succeeded':
    case 'failed':
    case 'out-of-memory':
    case 'killed':
    case 'timed-out':
    case 'lost':
      return true;
  }
};

/** Every state that a run may go to from `state`. */
export const nextRunStates = (state: RunState): readonly RunState[] => {
  switch (state) {
    case 'queued':
      // A claim; a person's kill; something missing that every start would need (its folder, its environment).
      return ['starting', 'killed', 'failed'];
    case 'starting':
      // Back to the queue: the start was void, or never began and is tried again.
      return ['running', 'queued', ...finalStates];
    case 'running':
      return ['queued', ...finalStates];
    case 'succeeded':
    case 'failed':
    case 'out-of-memory':
    case 'killed':
    case 'timed-out':
    case 'lost':
      return [];
  }
};

/** Every state that a start may go to from `state`. */
export const nextStartStates = (state: StartState): readonly StartState[] => {
  switch (state) {
    case 'starting':
      // To `ended` at once: the command was over before anyone read that it ran, or it could not be executed.
      return ['running', 'ended', 'void'];
    case 'running':
      return ['ended'];
    case 'ended':
    case 'void':
      return [];
  }
};

export const mayRunGo = (from: RunState, to: RunState): boolean => nextRunStates(from).includes(to);
export const mayStartGo = (from: StartState, to: StartState): boolean => nextStartStates(from).includes(to);

/** The states from which a run may go to `to`: what a conditional update of the store asks for. */
export const runStatesBefore = (to: RunState): readonly RunState[] => beforeRun.get(to) ?? [];
const runStates = [...activeStates, ...finalStates];
const beforeRun = new Map(runStates.map((to) => [to, runStates.filter((from) => mayRunGo(from, to))]));
export const startStatesBefore = (to: StartState): readonly StartState[] =>
  (['starting', 'running', 'ended', 'void'] as const).filter((from) => mayStartGo(from, to));

/** A change that nothing in orca may ask for: an error of ours, never of a person. */
export class IllegalTransition extends Error {
  constructor(what: string, from: string, to: string) {
    super(`${what} may not go from ${from} to ${to}`);
    this.name = 'IllegalTransition';
  }
}
