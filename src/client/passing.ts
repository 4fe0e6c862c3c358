import { OrcaError } from '../errors/orca-error.ts';
import { AnsweredError } from './answered-error.ts';
import { ConnectionLost } from './connection-lost.ts';

/** What the daemon knows for good, and a later try would hear again. */
const final: readonly string[] = [
  'run-unknown',
  'group-unknown',
  'start-unknown',
  'log-object-gone',
  'log-values-lost',
  'request-invalid',
  'api-mismatch',
  'store-newer',
];

/**
 * Whether an error may pass by itself: a daemon that is gone, a store that cannot be reached, a configuration that somebody is just writing. Who
 * waits for a run that goes on must not give up for it: with the client its run would be stopped.
 */
export const mayPass = (cause: unknown): boolean =>
  cause instanceof ConnectionLost ||
  (cause instanceof AnsweredError && !final.includes(cause.code)) ||
  (cause instanceof OrcaError && cause.code === 'daemon-unstartable');

/** Before the same is tried again; an answer was given at once, so it would be at once again. */
export const pauseAfter = (cause: unknown): number => (cause instanceof ConnectionLost ? 50 : 500);
