import { formatDuration } from '../units/format-duration.ts';
import type { KnownRunJson } from '../wire/api.ts';
import { isFinalState } from './final-state.ts';
import { rangeWords } from './printed-numbers.ts';

/** `run 12 has this key already and runs`: why nothing new was queued. */
export function knownWords({ run, state, ended_at: ended }: KnownRunJson, now: number): string {
  const what = `run ${run} has this key already and`;
  if (state === 'succeeded') return `${what} succeeded${ended === null ? '' : ` ${formatDuration(now - ended)} ago`}`;
  // Asked for again, and over otherwise by now.
  if (isFinalState(state)) return `${what} is over (${state})`;
  return `${what} ${state === 'queued' ? 'waits in the queue' : 'runs'}`;
}

/** Of a file of lines. */
export function knownOfManyWords(known: readonly KnownRunJson[], of: number): string {
  const over = known.filter(({ state }) => isFinalState(state)).length;
  const numbers = rangeWords(known.map(({ run }) => run).sort((a, b) => a - b));
  const stand = over === 0 ? '' : over === known.length ? ', over by now' : `, ${over} of them over by now`;
  return `${known.length} of ${of} were there already by their keys${stand}: ${known.length === 1 ? 'run' : 'runs'} ${numbers}`;
}
