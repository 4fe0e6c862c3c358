/**
 * The arithmetic of requests, grants, limits and raises, in MiB (seed 000; design: Memory 1, 2, 4).
 * As in the seed, 0 means "none" for a raise, a ceiling, a cap or a default.
 */
import { mib, type Mib } from '../units/brands.ts';

/** What a run asks for. One size is a range of itself. */
export interface MemoryRange {
  readonly min: Mib;
  readonly max: Mib;
}

/** No raise so far. */
export const noRaise = mib(0);

const atMost = (size: Mib, most: Mib): Mib => (most > 0 ? mib(Math.min(size, most)) : size);

/** `memory.max` for a limit: the margin above it, rounded up to a whole MiB; not clamped to anything. */
export const maxMib = (limit: Mib, marginPct: number): Mib => mib(percentUp(limit, 100 + marginPct));

/** What a start killed at `limit` gets next: grown and rounded up, at most the ceiling, never below the limit. */
export const raisedMib = (limit: Mib, growthPct: number, ceiling: Mib): Mib =>
  mib(Math.max(limit, atMost(mib(percentUp(limit, growthPct)), ceiling)));

/** A raise never lowers one that is already there. */
export const higherRaise = (earlier: Mib, raise: Mib): Mib => mib(Math.max(earlier, raise));

/** A request's minimum after a raise: at least the raise, at most the request's maximum. This is the grant. */
export const raisedRequest = (min: Mib, max: Mib, raised: Mib): Mib => mib(Math.max(min, Math.min(raised, max)));

/** What admission gives a start of this request; null without one (there is no grant then). */
export const grantOf = (request: MemoryRange | null, raised: Mib): Mib | null =>
  request === null ? null : raisedRequest(request.min, request.max, raised);

export interface LimitSources {
  /** What admission gave; null without a request. */
  readonly grant: Mib | null;
  readonly requestMax: Mib | null;
  /** `ORCA_RUN_MEMORY_MB`; 0: what the host can grant. */
  readonly standard: Mib;
  /** What the host can grant: its capacity less the reserve. */
  readonly room: Mib;
  readonly raised: Mib;
  /** `ORCA_CONTROL_MEMORY_MB` on the control placement, else 0. */
  readonly cap: Mib;
}

/** A start's limit: its grant, else the request's maximum, else the larger of default and raise; under the cap in each case. */
export const startLimit = ({ grant, requestMax, standard, room, raised, cap }: LimitSources): Mib =>
  atMost(grant ?? requestMax ?? mib(Math.max(standard > 0 ? standard : room, raised)), cap);

/** The most that a retry may ask for: the request's maximum, else what the host can grant; under the cap. */
export const ceilingMib = (requestMax: Mib | null, room: Mib, cap: Mib): Mib => atMost(requestMax ?? room, cap);

/** Growth of a raise when `ORCA_RUN_MEMORY_GROWTH` says nothing usable. */
export const defaultGrowthPct = 150;

/** `ORCA_RUN_MEMORY_GROWTH`'s factor as a percentage; with a warning, the default for one below 1 or not a number. */
export const growthPctOf = (text: string): { readonly pct: number; readonly warning: string | null } => {
  const factor = /^\s*\d+(\.\d*)?\s*$/.test(text) ? Number(text) : NaN;
  if (factor >= 1 && factor <= 1000) return { pct: Math.round(factor * 100), warning: null };
  return {
    pct: defaultGrowthPct,
    warning: `ORCA_RUN_MEMORY_GROWTH is ${JSON.stringify(text)}, not a factor from 1 on: 1.5 is used.`,
  };
};

/** `pct` percent of a whole number, rounded up. Multiplied first, so that 110 % of 1000 is 1100 and not 1101. */
function percentUp(size: number, pct: number): number {
  return Math.ceil((size * pct) / 100);
}
