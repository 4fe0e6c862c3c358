/** What a run is doing, or how it ended. */
export const runStates = [
  'queued',
  'starting',
  'running',
  'succeeded',
  'failed',
  'out-of-memory',
  'killed',
  'timed-out',
  'lost',
] as const;
export type RunState = (typeof runStates)[number];

/** How one start ended (design: Verdicts). */
export type Verdict = 'succeeded' | 'failed' | 'out-of-memory' | 'killed' | 'timed-out' | 'lost';
