import { OrcaError } from '../errors/orca-error.ts';
import { parseHandle, type Handle } from '../runs/handle.ts';

/** A run or a group as it was typed. */
export function handleOf(value: string): Handle {
  const handle = parseHandle(value);
  if (handle === null) throw new OrcaError('handle-invalid', { value });
  return handle;
}
