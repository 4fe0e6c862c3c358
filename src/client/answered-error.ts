import type { ErrorJson } from '../wire/api.ts';

/** An error that the daemon answered with: its sentence is final, its status is what a command exits with. */
export class AnsweredError extends Error {
  readonly code: string;
  readonly hint: string;
  readonly exitStatus: number;

  constructor({ error }: ErrorJson) {
    super(error.message);
    this.name = 'AnsweredError';
    this.code = error.code;
    this.hint = error.hint;
    this.exitStatus = error.exit;
  }
}

/** The body of an answer as an error, or null when it is none of ours. */
export function parseErrorJson(text: string): ErrorJson | null {
  try {
    const value: unknown = JSON.parse(text);
    return isErrorJson(value) ? value : null;
  } catch {
    return null;
  }
}

function isErrorJson(value: unknown): value is ErrorJson {
  if (typeof value !== 'object' || value === null || !('error' in value)) return false;
  const error = value.error;
  if (typeof error !== 'object' || error === null) return false;
  return (
    'code' in error &&
    typeof error.code === 'string' &&
    'message' in error &&
    typeof error.message === 'string' &&
    'hint' in error &&
    typeof error.hint === 'string' &&
    'exit' in error &&
    typeof error.exit === 'number'
  );
}
