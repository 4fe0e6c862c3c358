import type { RunId } from '../units/brands.ts';

/** So many runs are changed by one command of the store: the other commands of its batch do not wait long. */
const share = 500;

/** The same runs, in their order, in parts of a bounded size. */
export function* sharesOf(runs: readonly RunId[]): Generator<readonly RunId[]> {
  for (let from = 0; from < runs.length; from += share) yield runs.slice(from, from + share);
}
