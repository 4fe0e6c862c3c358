import type { Bytes } from '../units/brands.ts';

/** A raise is given up after so many clean successes: what needed it may have been mended (design: Memory 5). */
export const raiseEndsAfter = 20;

export interface Raise {
  readonly bytes: Bytes;
  /** The request that it came from; null on both sides without one. */
  readonly request: { readonly min: Bytes | null; readonly max: Bytes | null };
  /** Clean successes since. */
  readonly successes: number;
}

/** A death made it higher; it is never lowered, and its successes are counted anew. */
export const afterDeath = (known: Raise | null, bytes: Bytes, request: Raise['request']): Raise => ({
  bytes: known !== null && sameRequest(known.request, request) && known.bytes > bytes ? known.bytes : bytes,
  request,
  successes: 0,
});

/** After a clean success; null when it has ended. */
export const afterSuccess = (known: Raise): Raise | null =>
  known.successes + 1 >= raiseEndsAfter ? null : { ...known, successes: known.successes + 1 };

/** What a new run with this request starts from; null when another request was made since, which forgets the raise. */
export const raiseFor = (known: Raise | null, request: Raise['request']): Bytes | null =>
  known !== null && sameRequest(known.request, request) ? known.bytes : null;

const sameRequest = (a: Raise['request'], b: Raise['request']): boolean => a.min === b.min && a.max === b.max;
