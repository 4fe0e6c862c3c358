import { estimates } from '../admission/estimate.ts';
import type { Millis, RunId } from '../units/brands.ts';
import { admissionState } from './admission-state.ts';
import type { Scheduler } from './scheduler.ts';
import { steadyNow } from './steady.ts';

/** Thinking a long queue through costs some milliseconds: those who ask within this time get the same. */
const freshMs = 1000;

/** When runs that wait are thought to start. */
export class Outlook {
  #made: { readonly at: number; readonly starts: ReadonlyMap<RunId, Millis> } | null = null;

  /** How long until a run starts, as far as the known durations tell; null: they do not. */
  untilStart(scheduler: Scheduler, run: RunId): Millis | null {
    const { queue, host, remembered } = scheduler;
    const now = steadyNow(host);
    const made = this.#made;
    const fresh = made !== null && now - made.at < freshMs;
    const known = fresh ? made : { at: now, starts: estimates(queue, admissionState(scheduler), remembered, now) };
    this.#made = known;
    const at = known.starts.get(run);
    // What should have started by now: the durations were no help.
    return at === undefined || at < now ? null : ((at - now) as Millis);
  }
}
