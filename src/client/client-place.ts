import { setLongTimer } from '../units/long-timer.ts';
import type { Program } from './program.ts';

/** What a client works from: the state folder, its own program, the caller's environment, a clock. */
export interface ClientPlace {
  readonly state: string;
  readonly program: Program;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Whether a daemon that it starts shall be a service of systemd, where there is one. */
  readonly asService: boolean;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Ends early, without an error, when the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const done = () => {
        cancel();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const cancel = setLongTimer(ms, done);
      signal?.addEventListener('abort', done, { once: true });
    }),
};

/** How long a request is tried over a daemon's restart: longer than the resident's longest back-off, 30 s. */
export const patienceMs = 35_000;
/** How long a daemon that was just started may take to answer. */
export const startPatienceMs = 30_000;
