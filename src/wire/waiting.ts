/** Waits, and events. Part of `api.ts`, which says how it travels. */
import type { RunJson } from './run.ts';

export interface WaitRequest {
  readonly runs: readonly number[];
  readonly owner?: string;
  /** `full`: a `run` event at every change of state, reason or start; `final`: one when a run is final. */
  readonly detail: 'full' | 'final';
  /** Only for the first of them that ends, also before the call; with `since` the first that was told as ended after that event. */
  readonly next?: { readonly since: number | null };
  /** The caller is a process of this run's start, which cannot end while it waits. */
  readonly inside?: { readonly run: number; readonly start: string };
}

export type WaitEvent =
  /** `event`, of a wait for the next: the number of the event that told the end; null: it was deleted. */
  | { readonly type: 'run'; readonly run: RunJson; readonly event?: number | null }
  /** It would never end: the run inside which the caller is would have to end first. Nothing follows. */
  | { readonly type: 'stuck'; readonly run: number; readonly why: string }
  /** Every 2 s: the daemon is there. */
  | { readonly type: 'beat'; readonly at: number }
  /** All of them are final. */
  | { readonly type: 'end' };

export interface EventJson {
  readonly id: number;
  readonly run: number | null;
  readonly at: number;
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}
