import { randomUUID } from 'node:crypto';
import { millis, type Millis } from '../units/brands.ts';
import { setLongTimer } from '../units/long-timer.ts';
import type { Timers } from './owners.ts';

/** What the scheduler takes from the machine that a test may want to replace. */
export interface Host {
  now(): Millis;
  /** CLOCK_MONOTONIC in microseconds: since boot, without the time that the machine was suspended. */
  monotonicUs(): number;
  /** From 0 up to 1. */
  random(): number;
  uuid(): string;
  readonly timers: Timers;
  /** Where `/proc` is. */
  readonly procRoot: string;
}

export const realHost = (): Host => ({
  now: () => millis(Date.now()),
  monotonicUs: () => Number(process.hrtime.bigint() / 1000n),
  random: Math.random,
  uuid: randomUUID,
  timers: {
    set: setLongTimer,
  },
  procRoot: '/proc',
});
