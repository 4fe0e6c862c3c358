/**
 * The clock of the queue: milliseconds since the machine came up, which nobody can set. Back-offs, estimates and what depends on durations go
 * by it; what people read, and what is stored for a later daemon, are wall-clock moments.
 */
import { millis, type Millis } from '../units/brands.ts';
import type { Host } from './host.ts';

type Clocks = Pick<Host, 'now' | 'monotonicUs'>;

export const steadyNow = ({ monotonicUs }: Pick<Host, 'monotonicUs'>): Millis =>
  millis(Math.floor(monotonicUs() / 1000));

/** A wall-clock moment, as both clocks stand now. */
export const steadyOf = (host: Clocks, moment: Millis): Millis => millis(steadyNow(host) + moment - host.now());

/** Likewise the end of a wait that began at another wall-clock moment, perhaps by another clock: it lasts no longer than was asked. */
export const steadyEnd = (host: Clocks, end: Millis, began: Millis): Millis =>
  millis(steadyNow(host) + Math.min(Math.max(0, end - began), Math.max(0, end - host.now())));
