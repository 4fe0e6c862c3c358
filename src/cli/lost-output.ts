import type { RunJson, StartJson } from '../wire/api.ts';

/** Whether what a start wrote is known not to be whole; its text says why. */
export const hasLostOutput = (start: Pick<StartJson, 'lost_output'> | undefined): boolean =>
  (start?.lost_output ?? null) !== null;

/** Of the last start of a run, whose text the run has. */
export const lastLostOutput = ({ starts }: Pick<RunJson, 'starts'>): boolean => hasLostOutput(starts.at(-1));
