/** What orca's own exit statuses mean (docs/command-line.md); 0 to 99 tell how the run ended and come with it. */
export const exitStatus = {
  ok: 0,
  /** Bad usage, or refused. */
  refused: 120,
  /** The wait broke. */
  waitBroke: 122,
  /** The waiter's own time limit passed; the run goes on. */
  waitTimedOut: 124,
  killed: 125,
  unknownRun: 127,
  /** Hung up: 128 + SIGHUP. */
  detached: 129,
  /** Interrupted: 128 + SIGINT. */
  interrupted: 130,
} as const;
