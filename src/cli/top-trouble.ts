import { OrcaError } from '../errors/orca-error.ts';

/** What a person reads of a request that failed. */
export const troubleWords = (cause: unknown): string =>
  cause instanceof OrcaError ? cause.message : `the daemon could not be asked: ${String(cause)}`;
