import type { Looked } from '../client/look.ts';
import { OrcaError } from '../errors/orca-error.ts';

/** What a person reads of a request that failed. */
export const troubleWords = (cause: unknown): string =>
  cause instanceof OrcaError ? cause.message : `the daemon could not be asked: ${String(cause)}`;

/** Why there is no picture of now. */
export function absenceWords(looked: Exclude<Looked<unknown>, { kind: 'there' }>): string {
  if (looked.kind === 'silent')
    return `the daemon (pid ${looked.pid}) does not answer; \`kill -9 ${looked.pid}\` has another one start`;
  return looked.down
    ? 'no daemon runs: after `orca down` nothing is started until `orca up`'
    : 'no daemon answers: waiting for one (any command that needs one starts it)';
}
