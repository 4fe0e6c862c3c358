const leastMs = 60_000;
/** A slower way is none: 64 KB a second. */
const bytesPerMs = 64;

/** Ends a request that takes far too long for so many bytes, or when `signal` says so. */
export const withinTime = (signal: AbortSignal, bytes: number): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(leastMs + Math.ceil(bytes / bytesPerMs))]);
