import { runStates, type RunState } from '../runs/states.ts';

const unfinished: readonly RunState[] = ['queued', 'starting', 'running'];

export const isFinalState = (state: RunState): boolean => !unfinished.includes(state);
export const unfinishedStates = unfinished;
export const isRunState = (word: string): word is RunState => runStates.some((state) => state === word);
