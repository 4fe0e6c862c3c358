import type { Context } from './context.ts';

export interface Leaving extends Disposable {
  /** Aborted by an interrupt or TERM: the command leaves, and changes nothing. */
  readonly signal: AbortSignal;
}

/** For a command that only looks or waits: an interrupt ends it, and it can say how to come back. */
export function leaving(context: Pick<Context, 'onSignal'>): Leaving {
  const left = new AbortController();
  const stops = [context.onSignal('SIGINT', () => left.abort()), context.onSignal('SIGTERM', () => left.abort())];
  return {
    signal: left.signal,
    [Symbol.dispose]: () => {
      for (const stop of stops) stop();
    },
  };
}
