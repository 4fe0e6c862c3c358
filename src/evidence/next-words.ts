import { formatSize, sizeArgument } from '../units/format-size.ts';

/** What the next start gets, or why there is none. Sizes are bytes. */
export type Next =
  | { readonly kind: 'raised'; readonly limit: number; readonly growth: number }
  /** Raised, but only as far as the request's maximum lets it. */
  | { readonly kind: 'raised-to-maximum'; readonly limit: number }
  | { readonly kind: 'same'; readonly limit: number | null }
  /** Killed at the request's maximum, with no range to grow in. `asked` is the whole request's minimum. */
  | { readonly kind: 'at-maximum'; readonly limit: number; readonly asked: number }
  /** Killed with all that the machine, or the cap on its placement, can give. */
  | { readonly kind: 'at-capacity'; readonly limit: number }
  | { readonly kind: 'bound-spent'; readonly starts: number }
  /** Only reported, not proved, so not tried again by itself. */
  | { readonly kind: 'reported' }
  | { readonly kind: 'none' };

/** The words that follow a verdict's text after `; `; empty when there is nothing to say. */
export const nextWords = (next: Next): string => {
  switch (next.kind) {
    case 'raised':
      return `the next start gets ${formatSize(next.limit)} (limit × ${next.growth})`;
    case 'raised-to-maximum':
      return `the next start gets ${formatSize(next.limit)}, its maximum`;
    case 'same':
      return next.limit === null
        ? 'it is tried again as it was'
        : `it is tried again at the same size, ${formatSize(next.limit)}`;
    case 'at-maximum':
      return `that is its maximum, ${formatSize(next.limit)}: ask for more with --memory ${sizeArgument(next.asked)}..${sizeArgument(next.limit * 2)}`;
    case 'at-capacity':
      return `${formatSize(next.limit)} is the most that it can get here: it needs a bigger machine, or a smaller job`;
    case 'bound-spent':
      return `it ran out of memory in ${next.starts} starts, so it is not tried again`;
    case 'reported':
      return 'it is not tried again, since memory is not proved to be the cause; --oom-retry=reported would';
    case 'none':
      return '';
  }
};

/** A verdict's text and what comes next, as one sentence. */
export const withNext = (text: string, next: Next): string => {
  const words = nextWords(next);
  return words === '' ? text : `${text}; ${words}`;
};
