import { AnsweredError } from '../client/answered-error.ts';
import { OrcaError } from '../errors/orca-error.ts';
import type { ErrorJson } from '../wire/api.ts';

/** Any error as the shape that programs read; one that orca does not know becomes `unexpected`. */
export function errorJson(cause: unknown): ErrorJson {
  if (cause instanceof AnsweredError) {
    return { error: { code: cause.code, message: cause.message, hint: cause.hint, exit: cause.exitStatus } };
  }
  const known =
    cause instanceof OrcaError
      ? cause
      : new OrcaError('unexpected', { why: cause instanceof Error ? cause.message : String(cause) }, cause);
  return { error: { code: known.code, message: known.message, hint: known.hint, exit: known.exitStatus } };
}
