import type { FinalState } from './transitions.ts';

/** What `orca run` and `orca wait` exit with when they have no code of the program's own to pass on (cases.md, Q4). */
export const exitStatuses = {
  timedOut: 97,
  signalOrHighCode: 98,
  outOfMemory: 99,
  refused: 120,
  lostOrNeverStarted: 121,
  waitBroke: 122,
  waitTimedOut: 124,
  killed: 125,
  unknownRun: 127,
} as const;

const highestOwnCode = 96;

export interface Ended {
  readonly state: FinalState;
  readonly exitCode: number | null;
  /** The verdict's evidence; `start` or `dependency` when nothing was executed. */
  readonly evidence: string | null;
}

/** The one meaning that each status has: 0 to 96 are the program's own. */
export const exitStatus = ({ state, exitCode, evidence }: Ended): number => {
  switch (state) {
    case 'succeeded':
      return 0;
    case 'timed-out':
      return exitStatuses.timedOut;
    case 'out-of-memory':
      return exitStatuses.outOfMemory;
    case 'killed':
      return exitStatuses.killed;
    case 'lost':
      return exitStatuses.lostOrNeverStarted;
    case 'failed':
      if (evidence === 'start' || evidence === 'dependency') return exitStatuses.lostOrNeverStarted;
      return exitCode !== null && exitCode > 0 && exitCode <= highestOwnCode ? exitCode : exitStatuses.signalOrHighCode;
  }
};
