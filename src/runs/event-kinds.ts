/** What is told of: all kinds of events that this version writes (docs/api.md). */
export const eventKinds = [
  'submitted',
  'running',
  'start-ended',
  'start-void',
  'finished',
  'kill-asked',
  'paused',
  'resumed',
  'memory-kill',
  'down',
  'up',
] as const;
