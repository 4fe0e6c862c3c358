import type { Context } from './context.ts';

export interface Leaving extends Disposable {
  /** Aborted when the command is to leave; it changes nothing. */
  readonly signal: AbortSignal;
  /** Null while it is to stay. */
  readonly why: 'interrupt' | 'timeout' | null;
}

/** For a command that only looks or waits: an interrupt, TERM or its time limit ends it, and it can say how to come back. */
export function leaving(context: Pick<Context, 'onSignal' | 'clock'>, timeoutMs: number | null = null): Leaving {
  const left = new AbortController();
  let why: Leaving['why'] = null;
  const leave = (reason: 'interrupt' | 'timeout') => () => {
    why ??= reason;
    left.abort();
  };
  const stops = [context.onSignal('SIGINT', leave('interrupt')), context.onSignal('SIGTERM', leave('interrupt'))];
  const over = new AbortController();
  if (timeoutMs !== null) {
    // The end of the command ends the sleep too, and that is no timeout.
    void context.clock.sleep(timeoutMs, over.signal).then(() => (over.signal.aborted ? undefined : leave('timeout')()));
  }
  return {
    signal: left.signal,
    get why() {
      return why;
    },
    [Symbol.dispose]: () => {
      over.abort();
      for (const stop of stops) stop();
    },
  };
}
