import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OrcaError } from '../errors/orca-error.ts';
import type { ClientPlace } from './client-place.ts';
import { ConnectionLost } from './connection-lost.ts';
import { lockHolder } from './lock-holder.ts';

/** What there is of a daemon: its answer, one that holds the lock and gives none, or none, perhaps since `orca down`. */
export type Looked<Answer> =
  | { readonly kind: 'there'; readonly answer: Answer }
  | { readonly kind: 'silent'; readonly pid: number }
  | { readonly kind: 'none'; readonly down: boolean };

/** So long a daemon may hold the lock without an answer: one that begins, leaves or hands over does so for a moment. Below a peek's own 5 s. */
const silenceMs = 4500;

/** Looks without starting a daemon. `peek` gives null when none answers. */
export async function look<Answer>(
  { state, clock }: Pick<ClientPlace, 'state' | 'clock'>,
  peek: () => Promise<Answer | null>,
): Promise<Looked<Answer>> {
  const begun = clock.now();
  for (;;) {
    const answer = await peek();
    if (answer !== null) return { kind: 'there', answer };
    const pid = lockHolder(state);
    if (pid === null) return { kind: 'none', down: existsSync(join(state, 'down')) };
    if (clock.now() >= begun + silenceMs) return { kind: 'silent', pid };
    await clock.sleep(50);
  }
}

export const daemonSilent = (state: string, pid: number, cause?: unknown): OrcaError =>
  new OrcaError('daemon-silent', { state, pid }, cause);

/** Why there was no answer for `seconds`. One that holds the lock must not be told as gone: no other can start beside it. */
export function daemonGone(state: string, seconds: number, cause: unknown, inside: string | null = null): OrcaError {
  const pid = cause instanceof ConnectionLost ? lockHolder(state) : null;
  if (pid !== null) return daemonSilent(state, pid, cause);
  if (inside !== null) return new OrcaError('daemon-gone-inside', { run: inside, seconds }, cause);
  return new OrcaError('daemon-gone', { why: cause instanceof Error ? cause.message : String(cause), seconds }, cause);
}
